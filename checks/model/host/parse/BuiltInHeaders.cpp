//===-- checks/model/host/parse/BuiltInHeaders.cpp - Texts for missing headers -------===//

#include "checks/model/host/parse/BuiltInHeaders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace clmali::model {

// kernel.bind(queue, global, local) of the first bindings is declared with a member that only
// cl::Kernel has, so that the bindings' header need not be changed. The first functors were no
// templates: made of a kernel, a queue and the sizes, called with the arguments.
constexpr StringLiteral OpenCLPrefixText = R"(#ifdef __cplusplus
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 100
#ifndef CL_HPP_TARGET_OPENCL_VERSION
#define CL_HPP_TARGET_OPENCL_VERSION 300
#endif
#if CLMALI_PAIRS
#define CL_HPP_ENABLE_PROGRAM_CONSTRUCTION_FROM_ARRAY_COMPATIBILITY
#endif
#if CLMALI_BINDINGS && defined __cpp_deduction_guides
namespace cl { template <typename...> class KernelFunctor; struct clmali_bound; }
#define enableFineGrainedSystemSVM(...) clmali_none(); \
  template <class... T> KernelFunctor<clmali_bound> bind(const T &...) const; \
  cl_int enableFineGrainedSystemSVM(__VA_ARGS__)
#endif
#if CLMALI_BINDINGS && __has_include(<CL/opencl.hpp>)
)"
                                           "#include <CL/opencl.hpp>\n"
                                           R"(#define CLMALI_OLD 1
#elif CLMALI_BINDINGS && __has_include(<CL/cl2.hpp>)
)"
                                           "#include <CL/cl2.hpp>\n"
                                           R"(#define CLMALI_OLD 1
#else
)"
                                           "#include <CL/opencl.h>\n"
                                           R"(#endif
#else
)"
                                           "#include <CL/opencl.h>\n"
                                           R"(#endif
#undef enableFineGrainedSystemSVM
#ifdef CLMALI_OLD
namespace cl {
using compatibility::make_kernel;
typedef std::string STRING_CLASS;
template <class T> using VECTOR_CLASS = std::vector<T>;
inline LocalSpaceArg __local(::size_t size);
#ifdef __cpp_deduction_guides
template <> class KernelFunctor<clmali_bound> {
public:
  KernelFunctor();
  KernelFunctor(const Kernel &, const CommandQueue &, const NDRange &, const NDRange &, const
    NDRange &);
  KernelFunctor(const Kernel &, const CommandQueue &, const NDRange &, const NDRange &);
  template <class... T> Event operator()(const T &...) const;
};
#if CLMALI_BOUND
#define KernelFunctor KernelFunctor<::cl::clmali_bound>
#endif
#endif
}
using cl::STRING_CLASS;
using cl::VECTOR_CLASS;
#if CLMALI_OPENCL
using namespace cl;
#endif
#endif
)";

constexpr StringLiteral StandardPrefixText = R"(#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
#endif
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if CLMALI_OPEN
using namespace std;
#endif
)";

constexpr StringLiteral GlText = R"(#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned char GLboolean, GLubyte;
typedef signed char GLbyte;
typedef char GLchar;
typedef short GLshort;
typedef unsigned short GLushort;
typedef int GLint, GLsizei, GLfixed;
typedef unsigned int GLuint, GLenum, GLbitfield;
typedef float GLfloat, GLclampf;
typedef double GLdouble;
typedef void GLvoid;
typedef long GLintptr, GLsizeiptr;
typedef int EGLint;
typedef unsigned int EGLBoolean, EGLenum;
typedef void *EGLDisplay, *EGLConfig, *EGLSurface, *EGLContext;
#define GL_FALSE 0
#define GL_TRUE 1
#define GL_TRIANGLES 4
#define GL_TRIANGLE_STRIP 5
#define GL_TRIANGLE_FAN 6
#define GL_BLEND 0x0BE2
#define GL_SCISSOR_TEST 0x0C11
#define GL_TEXTURE_2D 0x0DE1
#define GL_UNSIGNED_BYTE 0x1401
#define GL_FLOAT 0x1406
#define GL_RGBA 0x1908
#define GL_COLOR_BUFFER_BIT 0x4000
#define GL_ARRAY_BUFFER 0x8892
#define GL_ELEMENT_ARRAY_BUFFER 0x8893
#define GL_STREAM_DRAW 0x88E0
#define GL_STATIC_DRAW 0x88E4
#define GL_DYNAMIC_DRAW 0x88E8
#define GL_PIXEL_PACK_BUFFER 0x88EB
#define GL_PIXEL_UNPACK_BUFFER 0x88EC
#define GL_READ_FRAMEBUFFER 0x8CA8
#define GL_DRAW_FRAMEBUFFER 0x8CA9
#define GL_COLOR_ATTACHMENT0 0x8CE0
#define GL_FRAMEBUFFER 0x8D40
EGLBoolean eglSwapBuffers(EGLDisplay, EGLSurface);
EGLBoolean eglSwapInterval(EGLDisplay, EGLint);
void glBindBuffer(GLenum, GLuint);
void glBindFramebuffer(GLenum, GLuint);
void glBindVertexArray(GLuint);
void glBufferData(GLenum, GLsizeiptr, const void *, GLenum);
void glClear(GLbitfield);
void glCopyTexImage2D(GLenum, GLint, GLenum, GLint, GLint, GLsizei, GLsizei, GLint);
void glCopyTexSubImage2D(GLenum, GLint, GLint, GLint, GLint, GLint, GLsizei, GLsizei);
void glDiscardFramebufferEXT(GLenum, GLsizei, const GLenum *);
void glDispatchCompute(GLuint, GLuint, GLuint);
void glDrawArrays(GLenum, GLint, GLsizei);
void glDrawElements(GLenum, GLsizei, GLenum, const void *);
void glEnable(GLenum);
void glFinish(void);
void glFramebufferTexture2D(GLenum, GLenum, GLenum, GLuint, GLint);
void glGenTextures(GLsizei, GLuint *);
void glInvalidateFramebuffer(GLenum, GLsizei, const GLenum *);
void glReadPixels(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
void glTexImage2D(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *);
void glTexStorage2D(GLenum, GLsizei, GLenum, GLsizei, GLsizei);
void glTexSubImage2D(GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, const void *);
void glVertexAttribPointer(GLuint, GLint, GLenum, GLboolean, GLsizei, const void *);
#ifdef __cplusplus
}
#endif
)";

// In C++ the functions are members; in C they are in a table, without prototypes.
constexpr StringLiteral JniText = R"(#define JNIEXPORT
#define JNIIMPORT
#define JNICALL
#define JNI_FALSE 0
#define JNI_TRUE 1
#define JNI_OK 0
#define JNI_ERR (-1)
#define JNI_COMMIT 1
#define JNI_ABORT 2
#define JNI_VERSION_1_4 0x00010004
#define JNI_VERSION_1_6 0x00010006
typedef unsigned char jboolean;
typedef signed char jbyte;
typedef unsigned short jchar;
typedef short jshort;
typedef int jint;
typedef long long jlong;
typedef float jfloat;
typedef double jdouble;
typedef jint jsize;
typedef void *jobject;
typedef jobject jclass, jstring, jthrowable, jarray, jweak, jobjectArray, jbooleanArray,
    jbyteArray, jcharArray, jshortArray, jintArray, jlongArray, jfloatArray, jdoubleArray;
typedef struct clmali_jfield *jfieldID;
typedef struct clmali_jmethod *jmethodID;
typedef union { jboolean z; jbyte b; jchar c; jshort s; jint i; jlong j; jfloat f; jdouble d;
    jobject l; } jvalue;
#ifdef __cplusplus
#define CLMALI_JNI(Type, Name) template <class... T> Type Name(T...);
struct JNIEnv_; struct JavaVM_;
typedef JNIEnv_ JNIEnv;
typedef JavaVM_ JavaVM;
#define CLMALI_ENV JNIEnv_
#define CLMALI_VM JavaVM_
#else
#define CLMALI_JNI(Type, Name) Type (*Name)();
struct JNINativeInterface; struct JNIInvokeInterface;
typedef const struct JNINativeInterface *JNIEnv;
typedef const struct JNIInvokeInterface *JavaVM;
#define CLMALI_ENV JNINativeInterface
#define CLMALI_VM JNIInvokeInterface
#endif
#define CLMALI_EACH(Type, Name) \
  CLMALI_JNI(Type *, Get##Name##ArrayElements) CLMALI_JNI(void, Release##Name##ArrayElements) \
  CLMALI_JNI(void, Get##Name##ArrayRegion) CLMALI_JNI(void, Set##Name##ArrayRegion) \
  CLMALI_JNI(jobject, New##Name##Array) CLMALI_FIELDS(Type, Name)
#define CLMALI_FIELDS(Type, Name) \
  CLMALI_JNI(Type, Get##Name##Field) CLMALI_JNI(void, Set##Name##Field) \
  CLMALI_JNI(Type, GetStatic##Name##Field) \
  CLMALI_JNI(Type, Call##Name##Method) CLMALI_JNI(Type, CallStatic##Name##Method)
struct CLMALI_ENV {
  CLMALI_EACH(jboolean, Boolean) CLMALI_EACH(jbyte, Byte) CLMALI_EACH(jchar, Char)
    CLMALI_EACH(jshort, Short)
  CLMALI_EACH(jint, Int) CLMALI_EACH(jlong, Long) CLMALI_EACH(jfloat, Float) CLMALI_EACH(jdouble,
    Double)
  CLMALI_FIELDS(jobject, Object) CLMALI_JNI(void, CallVoidMethod) CLMALI_JNI(void,
    CallStaticVoidMethod)
  CLMALI_JNI(const char *, GetStringUTFChars) CLMALI_JNI(void, ReleaseStringUTFChars)
    CLMALI_JNI(jstring, NewStringUTF)
  CLMALI_JNI(const jchar *, GetStringChars) CLMALI_JNI(void, ReleaseStringChars) CLMALI_JNI(void,
    GetStringUTFRegion)
  CLMALI_JNI(jsize, GetStringUTFLength) CLMALI_JNI(jsize, GetStringLength) CLMALI_JNI(jsize,
    GetArrayLength)
  CLMALI_JNI(void *, GetPrimitiveArrayCritical) CLMALI_JNI(void, ReleasePrimitiveArrayCritical)
  CLMALI_JNI(void *, GetDirectBufferAddress) CLMALI_JNI(jlong, GetDirectBufferCapacity)
    CLMALI_JNI(jobject, NewDirectByteBuffer)
  CLMALI_JNI(jobject, GetObjectArrayElement) CLMALI_JNI(void, SetObjectArrayElement)
    CLMALI_JNI(jobjectArray, NewObjectArray)
  CLMALI_JNI(jclass, FindClass) CLMALI_JNI(jclass, GetObjectClass) CLMALI_JNI(jobject, NewObject)
  CLMALI_JNI(jmethodID, GetMethodID) CLMALI_JNI(jmethodID, GetStaticMethodID)
  CLMALI_JNI(jfieldID, GetFieldID) CLMALI_JNI(jfieldID, GetStaticFieldID)
  CLMALI_JNI(jobject, NewGlobalRef) CLMALI_JNI(void, DeleteGlobalRef) CLMALI_JNI(jobject,
    NewLocalRef)
  CLMALI_JNI(void, DeleteLocalRef) CLMALI_JNI(jint, Throw) CLMALI_JNI(jint, ThrowNew)
    CLMALI_JNI(jboolean, ExceptionCheck)
  CLMALI_JNI(jthrowable, ExceptionOccurred) CLMALI_JNI(void, ExceptionClear) CLMALI_JNI(void,
    ExceptionDescribe)
  CLMALI_JNI(jint, GetJavaVM) CLMALI_JNI(jint, RegisterNatives) CLMALI_JNI(jint, GetVersion)
};
struct CLMALI_VM { CLMALI_JNI(jint, GetEnv) CLMALI_JNI(jint, AttachCurrentThread)
    CLMALI_JNI(jint, DetachCurrentThread) };
)";

StringRef openCLPrefix() { return OpenCLPrefixText; }
StringRef standardPrefix() { return StandardPrefixText; }
StringRef glPrefix() { return GlText; }
StringRef jniPrefix() { return JniText; }

/// The header of a name of namespace std, beyond those of the standard prefix; empty: not known.
static StringRef standardHeader(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Case("complex", "complex")
      .Case("list", "list")
      .Cases("deque", "queue", "priority_queue", "queue")
      .Case("stack", "stack")
      .Cases("random_device", "mt19937", "mt19937_64", "default_random_engine",
             "uniform_real_distribution", "random")
      .Cases("uniform_int_distribution", "normal_distribution", "bernoulli_distribution", "random")
      .Cases("accumulate", "iota", "inner_product", "reduce", "numeric")
      .Cases("setw", "setprecision", "setfill", "put_time", "iomanip")
      .Case("numeric_limits", "limits")
      .Cases("atomic", "atomic_bool", "atomic_int", "atomic")
      .Case("condition_variable", "condition_variable")
      .Cases("async", "future", "promise", "packaged_task", "future")
      .Cases("tuple", "make_tuple", "tie", "tuple")
      .Cases("optional", "nullopt", "optional")
      .Case("variant", "variant")
      .Case("string_view", "string_view")
      .Case("bitset", "bitset")
      .Case("forward_list", "forward_list")
      .Case("unordered_set", "unordered_set")
      .Case("initializer_list", "initializer_list")
      .Case("exception_ptr", "exception")
      .Case("regex", "regex")
      .Case("filesystem", "filesystem")
      .Default("");
}

bool addStandardHeaders(ArrayRef<ParseDiagnostic> Diagnostics, std::vector<std::string> &Extra) {
  bool Any = false;
  for (const ParseDiagnostic &D : Diagnostics) {
    StringRef M = D.Message;
    if (!M.consume_front("no ") || !M.contains("' in namespace 'std'"))
      continue;
    StringRef Header = standardHeader(M.split('\'').second.split('\'').first);
    if (Header.empty() || is_contained(Extra, Header.str()))
      continue;
    Extra.insert(Extra.begin(), {"-include", Header.str()});
    Any = true;
  }
  return Any;
}

} // namespace clmali::model
