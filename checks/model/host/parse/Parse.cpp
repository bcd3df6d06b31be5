//===-- checks/model/host/parse/Parse.cpp - A host file through Clang ------------===//
//
// Parses a C or C++ file with its compile command, keeps the diagnostics instead
// of printing them, and lifts what could be parsed.
//
// Programs come without what they need: `#include "oclUtils.h"`, and nobody says
// where that is. A header that is not found is told, and left out; where the OpenCL
// headers would have come through it, they are given. The errors that follow from it
// are not the user's.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/Files.h"
#include "checks/model/host/Host.h"
#include "checks/model/host/parse/UnparsedKernels.h"
#include "checks/model/host/repair/Conditions.h"
#include "checks/model/host/repair/MissingClasses.h"
#include "checks/model/host/repair/MissingDeclarations.h"
#include "checks/model/host/values/Flow.h"
#include "checks/model/host/values/Programs.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace clmali::model {

namespace {

/// Collects diagnostics instead of printing them.
class Collector : public DiagnosticConsumer {
public:
  explicit Collector(std::vector<ParseDiagnostic> &Out) : Out(Out) {}
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &D) override {
    DiagnosticConsumer::HandleDiagnostic(Level, D);
    if (Level < DiagnosticsEngine::Error)
      return;
    ParseDiagnostic P;
    P.IsError = true;
    SmallString<128> Text;
    D.FormatDiagnostic(Text);
    P.Message = Text.str().str();
    if (D.getLocation().isValid() && D.hasSourceManager()) {
      PresumedLoc L = D.getSourceManager().getPresumedLoc(
          D.getSourceManager().getExpansionLoc(D.getLocation()));
      if (L.isValid()) {
        P.File = L.getFilename();
        P.Line = L.getLine();
        P.Column = L.getColumn();
      }
    }
    Out.push_back(std::move(P));
  }

private:
  std::vector<ParseDiagnostic> &Out;
};

/// What the preprocessor leaves out of the main file: from, to, in bytes.
using LeftOut = std::vector<std::pair<uint32_t, uint32_t>>;

/// Headers that were not found, and what conditions leave out.
class MissingHeaders : public PPCallbacks {
public:
  MissingHeaders(Preprocessor &PP, std::vector<ParseDiagnostic> &Out, LeftOut &Left)
      : SM(PP.getSourceManager()), Out(Out), Left(Left) {}
  bool FileNotFound(StringRef) override { return true; }
  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const clang::Module *,
                          bool, SrcMgr::CharacteristicKind) override {
    if (File)
      return;
    ParseDiagnostic P;
    P.IsError = true;
    P.Message = "'" + Name.str() +
                "' file not found; what it declares is not seen (where is it? -- -I FOLDER)";
    if (PresumedLoc L = SM.getPresumedLoc(SM.getExpansionLoc(Hash)); L.isValid()) {
      P.File = L.getFilename();
      P.Line = L.getLine();
      P.Column = L.getColumn();
    }
    Out.push_back(std::move(P));
  }
  void SourceRangeSkipped(clang::SourceRange R, SourceLocation) override {
    if (SM.isInMainFile(R.getBegin()))
      Left.emplace_back(SM.getFileOffset(R.getBegin()), SM.getFileOffset(R.getEnd()));
  }

private:
  SourceManager &SM;
  std::vector<ParseDiagnostic> &Out;
  LeftOut &Left;
};

struct RunAction : tooling::ToolAction {
  std::unique_ptr<HostModule> M;
  std::vector<ParseDiagnostic> Missing;
  LeftOut Left;
  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers,
                     DiagnosticConsumer *Consumer) override;
};

/// Lifts when the file is parsed, however badly.
class LiftAction : public ASTFrontendAction {
public:
  explicit LiftAction(RunAction &Run) : Run(Run) {}
  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<MissingHeaders>(CI.getPreprocessor(), Run.Missing, Run.Left));
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    class Consumer : public ASTConsumer {
    public:
      explicit Consumer(std::unique_ptr<HostModule> &To) : To(To) {}
      void HandleTranslationUnit(ASTContext &Ctx) override { To = liftHost(Ctx); }

    private:
      std::unique_ptr<HostModule> &To;
    };
    return std::make_unique<Consumer>(Run.M);
  }

private:
  RunAction &Run;
};

bool RunAction::runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                              std::shared_ptr<PCHContainerOperations> Containers,
                              DiagnosticConsumer *Consumer) {
  CompilerInstance Compiler(std::move(Containers));
  Compiler.setInvocation(std::move(Invocation));
  Compiler.setFileManager(Files);
  Compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
  Compiler.createDiagnostics(Consumer, /*ShouldOwnClient=*/false);
  if (!Compiler.hasDiagnostics())
    return false;
  Compiler.createSourceManager(*Files);
  LiftAction Action(*this);
  Compiler.ExecuteAction(Action);
  Files->clearStatCache();
  return M != nullptr;
}

/// What stands in the place of OpenCL headers that a missing header would have included.
constexpr llvm::StringLiteral PrefixName = "/clmali-opencl-prefix.h";
constexpr llvm::StringLiteral Prefix =
    "#ifdef __cplusplus\n"
    "#define CL_HPP_ENABLE_EXCEPTIONS\n"
    "#define CL_HPP_MINIMUM_OPENCL_VERSION 100\n"
    "#ifndef CL_HPP_TARGET_OPENCL_VERSION\n"
    "#define CL_HPP_TARGET_OPENCL_VERSION 300\n"
    "#endif\n"
    "#if CLMALI_PAIRS\n"
    "#define CL_HPP_ENABLE_PROGRAM_CONSTRUCTION_FROM_ARRAY_COMPATIBILITY\n"
    "#endif\n"
    "#if CLMALI_BINDINGS && defined __cpp_deduction_guides\n"
    // kernel.bind(queue, global, local) of the first bindings, beside a member that no other class
    // has.
    "namespace cl { template <typename...> class KernelFunctor; struct clmali_bound; }\n"
    "#define enableFineGrainedSystemSVM(...) clmali_none(); \\\n"
    "  template <class... T> KernelFunctor<clmali_bound> bind(const T &...) const; \\\n"
    "  cl_int enableFineGrainedSystemSVM(__VA_ARGS__)\n"
    "#endif\n"
    "#if CLMALI_BINDINGS && __has_include(<CL/opencl.hpp>)\n"
    "#include <CL/opencl.hpp>\n"
    "#define CLMALI_OLD 1\n"
    "#elif CLMALI_BINDINGS && __has_include(<CL/cl2.hpp>)\n"
    "#include <CL/cl2.hpp>\n"
    "#define CLMALI_OLD 1\n"
    "#else\n"
    "#include <CL/opencl.h>\n"
    "#endif\n"
    "#else\n"
    "#include <CL/opencl.h>\n"
    "#endif\n"
    // What the first bindings (cl.hpp) had beyond those of today.
    "#undef enableFineGrainedSystemSVM\n"
    "#ifdef CLMALI_OLD\n"
    "namespace cl {\n"
    "using compatibility::make_kernel;\n"
    "typedef std::string STRING_CLASS;\n"
    "template <class T> using VECTOR_CLASS = std::vector<T>;\n"
    "inline LocalSpaceArg __local(::size_t size);\n"
    // The first functors were no templates: made of a kernel, a queue and the sizes, called with
    // the arguments.
    "#ifdef __cpp_deduction_guides\n"
    "template <> class KernelFunctor<clmali_bound> {\n"
    "public:\n"
    "  KernelFunctor();\n"
    "  KernelFunctor(const Kernel &, const CommandQueue &, const NDRange &, const NDRange &, const "
    "NDRange &);\n"
    "  KernelFunctor(const Kernel &, const CommandQueue &, const NDRange &, const NDRange &);\n"
    "  template <class... T> Event operator()(const T &...) const;\n"
    "};\n"
    "#if CLMALI_BOUND\n"
    "#define KernelFunctor KernelFunctor<::cl::clmali_bound>\n"
    "#endif\n"
    "#endif\n"
    "}\n"
    "using cl::STRING_CLASS;\n"
    "using cl::VECTOR_CLASS;\n"
    "#if CLMALI_OPENCL\nusing namespace cl;\n#endif\n"
    "#endif\n";

/// What the standard headers declare that come through headers which are missing.
constexpr llvm::StringLiteral StandardName = "/clmali-standard-prefix.h";
constexpr llvm::StringLiteral Standard = "#ifdef __cplusplus\n"
                                         "#include <algorithm>\n#include <array>\n#include "
                                         "<chrono>\n#include <cmath>\n#include <fstream>\n"
                                         "#include <functional>\n#include <iostream>\n#include "
                                         "<map>\n#include <memory>\n#include <mutex>\n"
                                         "#include <set>\n#include <sstream>\n#include "
                                         "<stdexcept>\n#include <string>\n#include <thread>\n"
                                         "#include <unordered_map>\n#include <vector>\n"
                                         "#endif\n"
                                         "#include <math.h>\n#include <stdbool.h>\n#include "
                                         "<stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"
                                         "#include <stdlib.h>\n#include <string.h>\n"
                                         "#if CLMALI_OPEN\nusing namespace std;\n#endif\n";

/// What stands in the place of jni.h, which only the tools of Android bring: its types, and the
/// functions that move data.
constexpr llvm::StringLiteral JniName = "/clmali-jni-prefix.h";
constexpr llvm::StringLiteral Jni =
    "#define JNIEXPORT\n#define JNIIMPORT\n#define JNICALL\n#define JNI_FALSE 0\n#define JNI_TRUE "
    "1\n#define JNI_OK 0\n"
    "#define JNI_ERR (-1)\n#define JNI_COMMIT 1\n#define JNI_ABORT 2\n#define JNI_VERSION_1_4 "
    "0x00010004\n"
    "#define JNI_VERSION_1_6 0x00010006\n"
    "typedef unsigned char jboolean;\ntypedef signed char jbyte;\ntypedef unsigned short "
    "jchar;\ntypedef short jshort;\n"
    "typedef int jint;\ntypedef long long jlong;\ntypedef float jfloat;\ntypedef double "
    "jdouble;\ntypedef jint jsize;\n"
    "typedef void *jobject;\n"
    "typedef jobject jclass, jstring, jthrowable, jarray, jweak, jobjectArray, jbooleanArray, "
    "jbyteArray, jcharArray, jshortArray, "
    "jintArray, jlongArray, jfloatArray, jdoubleArray;\n"
    "typedef struct clmali_jfield *jfieldID;\ntypedef struct clmali_jmethod *jmethodID;\n"
    "typedef union { jboolean z; jbyte b; jchar c; jshort s; jint i; jlong j; jfloat f; jdouble d; "
    "jobject l; } jvalue;\n"
    // In C++ they are members; in C functions in a table, without prototypes.
    "#ifdef __cplusplus\n"
    "#define CLMALI_JNI(Type, Name) template <class... T> Type Name(T...);\n"
    "struct JNIEnv_; struct JavaVM_;\ntypedef JNIEnv_ JNIEnv;\ntypedef JavaVM_ JavaVM;\n"
    "#define CLMALI_ENV JNIEnv_\n#define CLMALI_VM JavaVM_\n"
    "#else\n"
    "#define CLMALI_JNI(Type, Name) Type (*Name)();\n"
    "struct JNINativeInterface; struct JNIInvokeInterface;\n"
    "typedef const struct JNINativeInterface *JNIEnv;\ntypedef const struct JNIInvokeInterface "
    "*JavaVM;\n"
    "#define CLMALI_ENV JNINativeInterface\n#define CLMALI_VM JNIInvokeInterface\n"
    "#endif\n"
    "#define CLMALI_EACH(Type, Name) \\\n"
    "  CLMALI_JNI(Type *, Get##Name##ArrayElements) CLMALI_JNI(void, Release##Name##ArrayElements) "
    "\\\n"
    "  CLMALI_JNI(void, Get##Name##ArrayRegion) CLMALI_JNI(void, Set##Name##ArrayRegion) \\\n"
    "  CLMALI_JNI(jobject, New##Name##Array) CLMALI_FIELDS(Type, Name)\n"
    "#define CLMALI_FIELDS(Type, Name) \\\n"
    "  CLMALI_JNI(Type, Get##Name##Field) CLMALI_JNI(void, Set##Name##Field) CLMALI_JNI(Type, "
    "GetStatic##Name##Field) \\\n"
    "  CLMALI_JNI(Type, Call##Name##Method) CLMALI_JNI(Type, CallStatic##Name##Method)\n"
    "struct CLMALI_ENV {\n"
    "  CLMALI_EACH(jboolean, Boolean) CLMALI_EACH(jbyte, Byte) CLMALI_EACH(jchar, Char) "
    "CLMALI_EACH(jshort, Short)\n"
    "  CLMALI_EACH(jint, Int) CLMALI_EACH(jlong, Long) CLMALI_EACH(jfloat, Float) "
    "CLMALI_EACH(jdouble, Double)\n"
    "  CLMALI_FIELDS(jobject, Object) CLMALI_JNI(void, CallVoidMethod) CLMALI_JNI(void, "
    "CallStaticVoidMethod)\n"
    "  CLMALI_JNI(const char *, GetStringUTFChars) CLMALI_JNI(void, ReleaseStringUTFChars) "
    "CLMALI_JNI(jstring, NewStringUTF)\n"
    "  CLMALI_JNI(const jchar *, GetStringChars) CLMALI_JNI(void, ReleaseStringChars) "
    "CLMALI_JNI(void, GetStringUTFRegion)\n"
    "  CLMALI_JNI(jsize, GetStringUTFLength) CLMALI_JNI(jsize, GetStringLength) CLMALI_JNI(jsize, "
    "GetArrayLength)\n"
    "  CLMALI_JNI(void *, GetPrimitiveArrayCritical) CLMALI_JNI(void, "
    "ReleasePrimitiveArrayCritical)\n"
    "  CLMALI_JNI(void *, GetDirectBufferAddress) CLMALI_JNI(jlong, GetDirectBufferCapacity) "
    "CLMALI_JNI(jobject, NewDirectByteBuffer)\n"
    "  CLMALI_JNI(jobject, GetObjectArrayElement) CLMALI_JNI(void, SetObjectArrayElement) "
    "CLMALI_JNI(jobjectArray, NewObjectArray)\n"
    "  CLMALI_JNI(jclass, FindClass) CLMALI_JNI(jclass, GetObjectClass) CLMALI_JNI(jobject, "
    "NewObject)\n"
    "  CLMALI_JNI(jmethodID, GetMethodID) CLMALI_JNI(jmethodID, GetStaticMethodID)\n"
    "  CLMALI_JNI(jfieldID, GetFieldID) CLMALI_JNI(jfieldID, GetStaticFieldID)\n"
    "  CLMALI_JNI(jobject, NewGlobalRef) CLMALI_JNI(void, DeleteGlobalRef) CLMALI_JNI(jobject, "
    "NewLocalRef)\n"
    "  CLMALI_JNI(void, DeleteLocalRef) CLMALI_JNI(jint, Throw) CLMALI_JNI(jint, ThrowNew) "
    "CLMALI_JNI(jboolean, ExceptionCheck)\n"
    "  CLMALI_JNI(jthrowable, ExceptionOccurred) CLMALI_JNI(void, ExceptionClear) CLMALI_JNI(void, "
    "ExceptionDescribe)\n"
    "  CLMALI_JNI(jint, GetJavaVM) CLMALI_JNI(jint, RegisterNatives) CLMALI_JNI(jint, GetVersion)\n"
    "};\n"
    "struct CLMALI_VM { CLMALI_JNI(jint, GetEnv) CLMALI_JNI(jint, AttachCurrentThread) "
    "CLMALI_JNI(jint, DetachCurrentThread) };\n";
} // namespace

/// tooling::buildASTFromCodeWithArgs, on this thread's file system.
static RunAction parse(StringRef FileName, StringRef Text, StringRef Names,
                       const std::vector<std::string> &Args, DiagnosticConsumer &Consumer) {
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(fileSystem());
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Overlay->pushOverlay(Memory);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Overlay);
  Memory->addFile(FileName, 0, llvm::MemoryBuffer::getMemBufferCopy(Text));
  Memory->addFile(PrefixName, 0, llvm::MemoryBuffer::getMemBufferCopy(Prefix));
  Memory->addFile(JniName, 0, llvm::MemoryBuffer::getMemBufferCopy(Jni));
  Memory->addFile(StandardName, 0, llvm::MemoryBuffer::getMemBufferCopy(Standard));
  Memory->addFile(MissingNamesFile, 0, llvm::MemoryBuffer::getMemBufferCopy(Names));
  std::vector<std::string> Line{"clmali-lint", "-fsyntax-only"};
  std::vector<std::string> Adjusted =
      tooling::getClangStripDependencyFileAdjuster()(Args, FileName);
  Line.insert(Line.end(), Adjusted.begin(), Adjusted.end());
  Line.push_back(FileName.str());
  RunAction Action;
  tooling::ToolInvocation Invocation(Line, &Action, Files.get(),
                                     std::make_shared<PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Consumer);
  (void)Invocation.run();
  return Action;
}

std::string resourceDir() {
  if (sys::fs::exists(CLMALI_RESOURCE_DIR "/include"))
    return CLMALI_RESOURCE_DIR;
  static int Anchor;
  SmallString<256> Path(sys::path::parent_path(
      sys::path::parent_path(sys::fs::getMainExecutable("clmali-lint", &Anchor))));
  sys::path::append(Path, CLMALI_INSTALLED_RESOURCES);
  return sys::fs::exists(Path) ? Path.str().str() : "";
}

/// The header of a name of namespace std that was missed, beyond those of Standard; empty: not
/// known.
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

/// Adds what includes the headers of names of std that are missed. False: there are none.
static bool addStandardHeaders(ArrayRef<ParseDiagnostic> Said, std::vector<std::string> &Extra) {
  bool Any = false;
  for (const ParseDiagnostic &D : Said) {
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

/// Does a missing header stand for the OpenCL headers, or did it bring them? A header may leave
/// them to whoever includes it.
static bool lacksOpenCL(const RunAction &Run, StringRef Text, ArrayRef<ParseDiagnostic> Said) {
  for (const ParseDiagnostic &D : Run.Missing) {
    StringRef Name = StringRef(D.Message).drop_front().split('\'').first;
    if (StringSwitch<bool>(sys::path::filename(Name))
            .Cases("cl.h", "opencl.h", "cl.hpp", "cl2.hpp", "opencl.hpp", true)
            .Default(false))
      return true;
  }
  // The API of C is there, but not its bindings.
  if (any_of(Said,
             [](const ParseDiagnostic &D) {
               return D.Message == "use of undeclared identifier 'cl'";
             }) &&
      any_of(ArrayRef<StringRef>{"cl::Context", "cl::CommandQueue", "cl::Kernel", "cl::Buffer",
                                 "cl::Program"},
             [&](StringRef Name) { return Text.contains(Name); }))
    return true;
  bool Names = any_of(Said, [](const ParseDiagnostic &D) {
    return StringRef(D.Message).starts_with("unknown type name 'cl_") ||
           StringRef(D.Message).starts_with("use of undeclared identifier 'cl'");
  });
  return (Names || !Run.Missing.empty()) && (!Run.M || !Run.M->HasHeaders) &&
         (Text.contains("clEnqueue") || Text.contains("clFinish") || Text.contains("clCreate") ||
          Text.contains("clBuild") || Text.contains("cl::") ||
          Text.contains("using namespace cl;"));
}

/// Does the file name classes of the bindings as if a header had said `using namespace cl;`?
static bool wantsOpenBindings(StringRef Text, ArrayRef<ParseDiagnostic> Said) {
  return Text.contains("enqueue") && any_of(Said, [](const ParseDiagnostic &D) {
           StringRef M = D.Message;
           if (!M.consume_front("unknown type name '") &&
               !M.consume_front("use of undeclared identifier '"))
             return false;
           return StringSwitch<bool>(M.take_until([](char C) { return C == '\''; }))
               .Cases("CommandQueue", "NDRange", "NullRange", true)
               .Default(false);
         });
}

/// Does the program use the API through the bindings of C++? `using namespace cl;` may stand in a
/// header of it.
static bool wantsBindings(const RunAction &Run, StringRef Text) {
  return Text.contains("cl::") || Text.contains("using namespace cl;") ||
         any_of(Run.Missing, [](const ParseDiagnostic &D) {
           StringRef Name =
               sys::path::filename(StringRef(D.Message).drop_front().split('\'').first);
           return Name == "cl.hpp" || Name == "cl2.hpp" || Name == "opencl.hpp";
         });
}

/// Does the file name things of the standard library that nobody declares?
static bool lacksStandard(ArrayRef<ParseDiagnostic> Said) {
  return any_of(Said, [](const ParseDiagnostic &D) {
    StringRef M = D.Message;
    // A header that is included inside of a namespace, as the first bindings do.
    if (M.contains("namespace 'std'") || M.contains("namespace 'cl::std'") ||
        M.contains("identifier 'std'"))
      return true;
    if (!M.starts_with("unknown type name '") && !M.starts_with("use of undeclared identifier '"))
      return false;
    StringRef Name = M.split('\'').second.split('\'').first;
    if (StringSwitch<bool>(Name)
            .Cases("string", "vector", "cout", "cerr", "endl", "ifstream", "stringstream", true)
            .Default(false))
      return true;
    return StringSwitch<bool>(Name)
        .Cases("size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", true)
        .Cases("int8_t", "int16_t", "int32_t", "int64_t", "uintptr_t", true)
        .Cases("bool", "true", "false", "NULL", "FILE", true)
        .Default(false);
  });
}

/// Is it a program of a phone, whose functions Java calls, on a system without jni.h?
static bool lacksJni(const RunAction &Run, StringRef Text) {
  return (Text.contains("JNIEnv") || Text.contains("JNIEXPORT")) &&
         any_of(Run.Missing, [](const ParseDiagnostic &D) {
           return sys::path::filename(StringRef(D.Message).drop_front().split('\'').first) ==
                  "jni.h";
         });
}

/// Is \p Name one of the API's calls that rules ask for?
static bool isAsked(StringRef Name) {
  if (Name.consume_front("cl"))
    return Name.starts_with("Enqueue") || Name.starts_with("CreateBuffer") ||
           Name.starts_with("CreateImage") || Name.starts_with("CreateKernel") ||
           Name.starts_with("CreateProgramWith") ||
           StringSwitch<bool>(Name)
               .Cases("BuildProgram", "Finish", "WaitForEvents", true)
               .Default(false);
  return Name == "enqueueNDRangeKernel" || Name == "enqueueReadBuffer" ||
         Name == "enqueueWriteBuffer" || Name == "enqueueMapBuffer";
}

/// Of the bindings: `cl::Program(`, `program.build(`.
static bool isAskedCpp(const Token &Before, StringRef Scope, StringRef Name) {
  if (Before.is(tok::coloncolon))
    return Scope == "cl" &&
           StringSwitch<bool>(Name).Cases("Program", "Kernel", "Buffer", true).Default(false);
  return Before.isOneOf(tok::period, tok::arrow) && (Name == "build" || Name == "finish");
}

/// Calls of the API that stand in the text, and are not among what was lifted.
struct LostCalls {
  unsigned Lost = 0;
  unsigned Hidden = 0;                  ///< that conditions leave out
  uint32_t FirstHidden = 0;             ///< where the first of them stands
  std::optional<uint32_t> LaunchHidden; ///< and the first that launches
};
static LostCalls lostCalls(StringRef Text, const RunAction &Run) {
  LostCalls Result;
  if (!Run.M)
    return Result;
  std::set<uint32_t> Seen;
  std::vector<SourceRange> Flags; ///< arguments that give one that rules ask for
  for (const HostCall &C : Run.M->Calls) {
    if (C.Range.File == 0)
      Seen.insert(C.NameRange.Begin);
    for (const HostArgument &A : C.Args)
      if (A.Range.File == 0 && is_contained(A.Macros, "CL_MEM_USE_HOST_PTR"))
        Flags.push_back(A.Range);
  }
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  std::string Buffer = Text.str(); // the lexer wants a zero behind it
  Lexer Lex(SourceLocation(), Options, Buffer.data(), Buffer.data(), Buffer.data() + Buffer.size());
  Token T, Before;
  Before.startToken();
  StringRef Scope; ///< the name in front of `::`
  bool IsCpp = Text.contains("cl::") || Text.contains("enqueue");
  bool Directive = false;
  uint32_t NameAt = 0;
  bool Name = false, IsClass = false;
  // What other files do for this one, by their names: only where it makes no program itself.
  bool Elsewhere = !Text.contains("clCreateProgramWith") && !Text.contains("cl::Program");
  std::set<StringRef> Declared, Wanted;
  bool WasDeclared = false, Scoped = false; ///< of the name in front
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    uint32_t At = Lex.getBufferLocation() - Buffer.data() - T.getLength();
    if (T.isAtStartOfLine())
      Directive = T.is(tok::hash);
    if (Directive)
      continue;
    if (T.is(tok::raw_identifier) && T.getRawIdentifier() == "CL_MEM_USE_HOST_PTR" &&
        none_of(Run.Left, [&](const auto &R) { return At >= R.first && At < R.second; }) &&
        none_of(Flags, [&](const SourceRange &R) { return R.Begin <= At && At < R.End; }))
      ++Result.Lost;
    if (IsClass && T.is(tok::raw_identifier)) { // cl::Buffer b(context, ..), b{context, ..}
      NameAt = At;
      IsClass = false;
      Before = T;
      continue;
    }
    if (Name && (T.is(tok::l_paren) || (T.is(tok::l_brace) && IsCpp))) {
      bool LeftOut =
          any_of(Run.Left, [&](const auto &R) { return NameAt >= R.first && NameAt < R.second; });
      // A method's place is behind its object, a class's before its scope.
      auto Near = Seen.lower_bound(
          Before.is(tok::raw_identifier) && IsClass ? NameAt - std::min(NameAt, 4u) : NameAt);
      if (Near == Seen.end() || *Near > NameAt + 2) {
        if (LeftOut && !Result.Hidden++)
          Result.FirstHidden = NameAt;
        if (LeftOut && !Result.LaunchHidden && Before.is(tok::raw_identifier) &&
            Before.getRawIdentifier().ends_with("NDRangeKernel"))
          Result.LaunchHidden = NameAt;
        Result.Lost += !LeftOut;
      }
    }
    // `cl_int clFinish(` declares it.
    bool Declares = Before.is(tok::raw_identifier) && !StringSwitch<bool>(Before.getRawIdentifier())
                                                           .Cases("return", "else", "do", true)
                                                           .Default(false);
    IsClass = T.is(tok::raw_identifier) && IsCpp && isAskedCpp(Before, Scope, T.getRawIdentifier());
    if (T.is(tok::l_paren) && Before.is(tok::raw_identifier) && !Scoped)
      if (StringRef Said = Before.getRawIdentifier();
          (Elsewhere && saysThatItMakes(Said)) || saysThatItWaits(Said)) {
        if (WasDeclared)
          Declared.insert(Said);
        else if (!Seen.count(NameAt) && none_of(Run.Left, [&](const auto &R) {
                   return NameAt >= R.first && NameAt < R.second;
                 }))
          Wanted.insert(Said);
      }
    WasDeclared = Declares;
    Scoped = Before.is(tok::coloncolon);
    Name =
        IsClass || (T.is(tok::raw_identifier) && !Declares &&
                    !Before.isOneOf(tok::star, tok::coloncolon) && isAsked(T.getRawIdentifier()));
    if (T.is(tok::coloncolon))
      Scope = Before.is(tok::raw_identifier) ? Before.getRawIdentifier() : StringRef();
    NameAt = At;
    Before = T;
  }
  Result.Lost += count_if(Wanted, [&](StringRef One) { return !Declared.count(One); });
  return Result;
}

/// The places where kernels stand, in strings or not: those of their first word.
static std::vector<uint32_t> kernelPlaces(StringRef Text) {
  constexpr size_t MaxPlaces = 16;
  std::vector<uint32_t> Result;
  for (size_t At = Text.find("kernel"); At != StringRef::npos && Result.size() < MaxPlaces;
       At = Text.find("kernel", At + 1)) {
    StringRef Behind = Text.drop_front(At + strlen("kernel"));
    bool Word = Text.take_front(At).ends_with("__") || !At ||
                !(isAlnum(Text[At - 1]) || Text[At - 1] == '_');
    if (Word && (Behind.ltrim().starts_with("void") || Behind.ltrim().starts_with("__attribute__")))
      Result.push_back(At);
  }
  return Result;
}

/// Macros of missing headers around kernels, which must make strings of them: `STRINGIZE( __kernel
/// void .. )`.
static std::vector<std::string> stringMacros(StringRef Text) {
  std::vector<std::string> Result;
  for (uint32_t Place : kernelPlaces(Text)) {
    int Depth = 0;
    size_t Open = Place;
    while (Open-- > 0 && Depth >= 0)
      Depth += Text[Open] == ')' ? 1 : Text[Open] == '(' ? -1 : 0;
    if (Depth >= 0)
      continue;
    StringRef Before = Text.take_front(Open + 1).rtrim();
    StringRef Name =
        Before.substr(Before.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") + 1);
    bool Whole =
        Name.size() > 3 && !isDigit(Name.front()) &&
        (Name.size() == Before.size() || !isAlnum(Before[Before.size() - Name.size() - 1]));
    std::string Option = ("-D" + Name + "(...)=#__VA_ARGS__").str();
    if (Whole && !Text.contains(("define " + Name).str()) && !is_contained(Result, Option))
      Result.push_back(std::move(Option));
  }
  return Result;
}

/// Does the parse lose declarations of the file, and not only expressions?
static bool losesFunctions(StringRef FileName, ArrayRef<ParseDiagnostic> Said) {
  return any_of(Said, [&](const ParseDiagnostic &D) {
    StringRef M = D.Message;
    return D.File == FileName &&
           (M.starts_with("unknown type name") || M.starts_with("expected ';' after top level") ||
            M.starts_with("expected function body"));
  });
}

/// Does one of the calls that are lost, before its definition, name a function that has calls of
/// the API?
static bool losesCallers(const RunAction &Run, ArrayRef<ParseDiagnostic> Said) {
  return Run.M && any_of(Said, [&](const ParseDiagnostic &D) {
           StringRef M = D.Message;
           if (!M.consume_front("use of undeclared identifier '"))
             return false;
           StringRef Name = M.take_until([](char C) { return C == '\''; });
           return any_of(Run.M->Calls, [&](const HostCall &C) {
             return C.Range.File == 0 && C.Function == Name;
           });
         });
}

/// Members without their classes were read as functions: to other files they are what the text
/// says.
static void nameMembers(CallSummary &O, StringRef Text) {
  for (CallSummary::Function &F : O.Functions) {
    StringRef Before = Text.take_front(F.NameAt == ~0u ? 0 : F.NameAt);
    std::string Class;
    while (Before.consume_back("::")) {
      StringRef Word = Before.take_back(
          Before.size() - (Before.find_last_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") +
                           1));
      Before = Before.drop_back(Word.size());
      Class = (Word + "::" + Class).str();
    }
    if (Class.empty() || StringRef(F.Is.Name).contains("::"))
      continue;
    F.Aliases.push_back(F.Is.Name);
    F.Is.Name = Class + F.Is.Name;
  }
}

HostParse parseHost(StringRef FileName, StringRef Text, const std::vector<std::string> &Args) {
  HostParse Result;
  StringRef Extension = sys::path::extension(FileName);
  std::string Code = Text.str(), Names;
  auto Try = [&](std::vector<std::string> Extra) {
    Result.Diagnostics.clear();
    std::vector<std::string> All;
    // Headers and C files are told apart by their names as the driver does; a .h may be either, and
    // C++ reads more of them. What headers of templates include has names that the driver does not
    // know.
    if (StringSwitch<bool>(Extension)
            .Cases(".h", ".inl", ".ipp", ".tpp", ".txx", true)
            .Default(false))
      All.insert(All.end(), {"-x", "c++"});
    All.insert(All.end(), Args.begin(), Args.end());
    // What other compilers only warn of is no error here, either; a guess at a misspelled name
    // drops what stands behind it.
    All.insert(All.end(), {"-fsyntax-only", "-Wno-everything", "-fno-spell-checking",
                           "-ferror-limit=0", "-DCL_TARGET_OPENCL_VERSION=300"});
    All.insert(All.end(), Extra.begin(), Extra.end());
    std::string Resources = resourceDir();
    if (!Resources.empty())
      All.push_back("-resource-dir=" + Resources);
    Collector Consumer(Result.Diagnostics);
    return parse(FileName, Code, Names, All, Consumer);
  };
  std::vector<std::string> Extra;
  RunAction Run = Try(Extra);
  // A header that the project's -I would find: it may lie in a folder above.
  auto FindHeaders = [&] {
    for (unsigned Round = 0; Round < 8; ++Round) {
      std::vector<std::string> Folders;
      for (const ParseDiagnostic &D : Run.Missing) {
        std::string Folder =
            folderOfHeader(FileName, StringRef(D.Message).drop_front().split('\'').first);
        if (!Folder.empty() && !is_contained(Extra, "-I" + Folder) &&
            !is_contained(Folders, "-I" + Folder))
          Folders.push_back("-I" + Folder);
      }
      if (Folders.empty())
        break;
      Extra.insert(Extra.end(), Folders.begin(), Folders.end());
      Run = Try(Extra);
    }
  };
  FindHeaders();
  if (lacksJni(Run, Text)) {
    Extra.insert(Extra.end(), {"-include", JniName.str()});
    Run = Try(Extra);
  }
  // What only a newer C++ has, and nobody says which is meant.
  if (!Result.Diagnostics.empty() && Extension != ".c" &&
      none_of(Args, [](const std::string &A) { return StringRef(A).starts_with("-std="); }) &&
      any_of(Result.Diagnostics,
             [](const ParseDiagnostic &D) {
               return StringRef(D.Message).contains("in namespace 'std'");
             }) &&
      any_of(ArrayRef<StringRef>{"std::ranges", "std::views", "std::span", "std::format",
                                 "std::print", "std::numbers"},
             [&](StringRef Name) { return Text.contains(Name); })) {
    Extra.push_back("-std=c++23");
    Run = Try(Extra);
  }
  // C++ in a file that is named like C: a compiler that is told so takes it.
  bool Failed = !Run.Missing.empty() || !Result.Diagnostics.empty();
  if (Failed && Extension == ".c" && !is_contained(Args, "-x") &&
      (Text.contains("#include <iostream>") || Text.contains("using namespace ") ||
       Text.contains("std::"))) {
    Extra.insert(Extra.begin(), {"-x", "c++"});
    Run = Try(Extra);
  }
  if (std::vector<std::string> Macros =
          Run.Missing.empty() ? std::vector<std::string>() : stringMacros(Text);
      !Macros.empty()) {
    Extra.insert(Extra.end(), Macros.begin(), Macros.end());
    Run = Try(Extra);
  }
  // Names that C++17 added to std, which a file that opens it has itself: `using namespace std; int
  // data[N];`.
  auto Clashes = [&] {
    return count_if(Result.Diagnostics, [](const ParseDiagnostic &D) {
      StringRef M = D.Message;
      return M.consume_front("reference to '") && M.contains("' is ambiguous") &&
             StringSwitch<bool>(M.take_until([](char C) { return C == '\''; }))
                 .Cases("data", "size", "byte", "empty", "clamp", "gcd", "lcm", true)
                 .Default(false);
    });
  };
  if (Extension != ".c" &&
      none_of(Args, [](const std::string &A) { return StringRef(A).starts_with("-std="); }) &&
      !is_contained(Extra, "-std=c++23") && Clashes()) {
    Extra.push_back("-std=gnu++14");
    Run = Try(Extra);
  }
  std::vector<ParseDiagnostic> Own = Result.Diagnostics;
  // The program's OpenCL is a part that is built only sometimes.
  for (unsigned Round = 0; Round < 3 && Run.M; ++Round) {
    unsigned Seen = count_if(Run.M->Calls, [](const HostCall &C) { return C.Range.File == 0; });
    LostCalls Calls = lostCalls(Text, Run);
    bool Launches = !Calls.LaunchHidden || !Run.M->Launches.empty();
    if (Seen && Calls.Hidden <= Calls.Lost + Seen && Launches)
      break;
    size_t Before = Extra.size();
    if (Calls.Hidden > Calls.Lost)
      for (const std::string &D :
           definitionsFor(Text, Launches ? Calls.FirstHidden : *Calls.LaunchHidden))
        if (std::string Option = "-D" + D; !is_contained(Extra, Option))
          Extra.push_back(Option);
    // Or all that it has is kernels.
    auto IsHidden = [&](uint32_t At) {
      return any_of(Run.Left, [&](const auto &R) { return At >= R.first && At < R.second; });
    };
    if (std::vector<uint32_t> Kernels = kernelPlaces(Text);
        !Calls.Hidden && !Calls.Lost && Run.M->Kernels.empty() && !Kernels.empty() &&
        all_of(Kernels, IsHidden))
      for (const std::string &D : definitionsFor(Text, Kernels.front()))
        Extra.push_back("-D" + D);
    if (Extra.size() == Before)
      break;
    Run = Try(Extra);
    FindHeaders(); // those that only that part includes
    Own = Result.Diagnostics;
  }
  bool Open = Extension != ".c" && wantsOpenBindings(Text, Result.Diagnostics);
  if (Open || lacksOpenCL(Run, Text, Result.Diagnostics)) {
    Extra.insert(Extra.end(),
                 {"-include", PrefixName.str(),
                  Open || wantsBindings(Run, Text) ? "-DCLMALI_BINDINGS=1" : "-DCLMALI_BINDINGS=0",
                  // Sources were pairs of text and length, and are strings.
                  Text.contains("c_str()") || Text.contains("pair") ? "-DCLMALI_PAIRS=1"
                                                                    : "-DCLMALI_PAIRS=0",
                  Text.contains("KernelFunctor") && !Text.contains("KernelFunctor<")
                      ? "-DCLMALI_BOUND=1"
                      : "-DCLMALI_BOUND=0",
                  Open && !Text.contains("using namespace cl;") ? "-DCLMALI_OPENCL=1"
                                                                : "-DCLMALI_OPENCL=0"});
    Run = Try(Extra);
    // A header that is there and includes OpenCL only sometimes: one error, not one for each name.
    if (Run.Missing.empty()) {
      Own = Result.Diagnostics;
      Own.push_back({FileName.str(), 0, 0, true,
                     "no header that it includes declares OpenCL; today's headers were taken "
                     "(which are meant? -- -I FOLDER, -- -D NAME)"});
    }
  }
  if (lacksStandard(Result.Diagnostics)) {
    // A missing header may open the namespace, too.
    auto Unqualified = [](const ParseDiagnostic &D) {
      StringRef M = D.Message;
      return M == "unknown type name 'string'" || M == "use of undeclared identifier 'cout'" ||
             M == "use of undeclared identifier 'endl'";
    };
    if (any_of(Result.Diagnostics, Unqualified))
      Extra.push_back("-DCLMALI_OPEN=1");
    Extra.insert(Extra.begin(), {"-include", StandardName.str()});
    Run = Try(Extra);
    if (addStandardHeaders(Result.Diagnostics, Extra))
      Run = Try(Extra);
    // What is wrong with headers was so for want of these.
    if (any_of(Own, [&](const ParseDiagnostic &D) {
          return StringRef(D.Message).contains("namespace 'cl::std'");
        }))
      Own = Result.Diagnostics;
  }
  // `int Bench::run(..) {`: without its class, a member function is read as a function. Other names
  // are given what is asked of them, until no call is lost.
  bool IsCpp = Extension != ".c" || is_contained(Extra, "c++");
  MissingDeclarations InferredMacros(FileName, IsCpp);
  unsigned Lost = ~0u, InVain = 0;
  size_t Left = ~size_t(0);
  for (unsigned Round = 0; Round < 8 && InVain < 3 && !Result.Diagnostics.empty(); ++Round) {
    bool Classes = !Run.Missing.empty() && withoutClasses(FileName, Result.Diagnostics, Code);
    Classes |= withoutThis(FileName, Result.Diagnostics, Code);
    Classes |= withoutSpecializations(FileName, Result.Diagnostics, Code);
    bool Learnt = InferredMacros.learn(Code, Result.Diagnostics);
    Learnt |= IsCpp && addStandardHeaders(Result.Diagnostics, Extra);
    unsigned Now = lostCalls(Text, Run).Lost;
    // Where no call of the API is lost, functions that call those which have them may be.
    if (!Classes && (!Learnt || (Round && !Now && !losesFunctions(FileName, Result.Diagnostics) &&
                                 !losesCallers(Run, Result.Diagnostics))))
      break;
    size_t Errors = Result.Diagnostics.size();
    InVain = Now < Lost || Errors < Left ? 0 : InVain + 1;
    Lost = Now;
    Left = Errors;
    if (Learnt && Names.empty() && !is_contained(Extra, MissingNamesFile.str()))
      Extra.insert(Extra.begin(), {"-include", MissingNamesFile.str()});
    Names = InferredMacros.text();
    Run = Try(Extra);
  }
  Result.Diagnostics = std::move(Own);
  // What follows from a missing header says nothing about the file.
  if (!Run.Missing.empty())
    Result.Diagnostics = Run.Missing;
  for (ParseDiagnostic &D : Result.Diagnostics)
    if (D.File.empty())
      D.File = FileName.str();
  if (!Run.M) {
    if (Result.Diagnostics.empty())
      Result.Diagnostics.push_back(
          {FileName.str(), 0, 0, true, "clang could not make sense of its arguments"});
    return Result;
  }
  Result.M = std::move(Run.M);
  if (!Result.M->Files.empty()) {
    Result.M->Files.front().Name = FileName.str();
    Result.M->Files.front().Text = Text.str();
    if (!Result.M->Summary.Files.empty())
      Result.M->Summary.Files.front() = FileName.str();
    nameMembers(Result.M->Summary, Text);
  }
  if (!Result.Diagnostics.empty())
    addUnparsedKernels(*Result.M, Text, Run.Left);
  return Result;
}

} // namespace clmali::model
