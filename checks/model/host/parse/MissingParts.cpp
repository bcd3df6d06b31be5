//===-- checks/model/host/parse/MissingParts.cpp - What a parse lacked ----------------===//

#include "checks/model/host/parse/MissingParts.h"
#include "checks/model/host/Api.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clmali::model {

bool lacksOpenCL(const HostRun &Run, StringRef Text, ArrayRef<ParseDiagnostic> Errors) {
  for (const ParseDiagnostic &D : Run.Missing) {
    StringRef Name = missingHeader(D);
    if (StringSwitch<bool>(sys::path::filename(Name))
            .Cases("cl.h", "opencl.h", "cl.hpp", "cl2.hpp", "opencl.hpp", true)
            .Default(false))
      return true;
  }
  // The API of C is there, but not its bindings.
  if (any_of(Errors,
             [](const ParseDiagnostic &D) {
               return D.Message == "use of undeclared identifier 'cl'";
             }) &&
      any_of(ArrayRef<StringRef>{"cl::Context", "cl::CommandQueue", "cl::Kernel", "cl::Buffer",
                                 "cl::Program"},
             [&](StringRef Name) { return Text.contains(Name); }))
    return true;
  bool Names = any_of(Errors, [](const ParseDiagnostic &D) {
    return StringRef(D.Message).starts_with("unknown type name 'cl_") ||
           StringRef(D.Message).starts_with("use of undeclared identifier 'cl'");
  });
  return (Names || !Run.Missing.empty()) && (!Run.M || !Run.M->HasHeaders) &&
         (Text.contains("clEnqueue") || Text.contains("clFinish") || Text.contains("clCreate") ||
          Text.contains("clBuild") || Text.contains("cl::") ||
          Text.contains("using namespace cl;"));
}

bool lacksGl(const HostRun &Run, ArrayRef<ParseDiagnostic> Errors) {
  return !Run.Missing.empty() && any_of(Errors, [](const ParseDiagnostic &D) {
    StringRef M = D.Message;
    if (!M.consume_front("use of undeclared identifier '") &&
        !M.consume_front("unknown type name '") &&
        !M.consume_front("call to undeclared function '"))
      return false;
    StringRef Name = M.take_until([](char C) { return C == '\''; });
    return Name.starts_with("GL_") || !glName(Name).empty() ||
           StringSwitch<bool>(Name)
               .Cases("GLuint", "GLint", "GLenum", "GLfloat", "GLsizei", "EGLDisplay", true)
               .Default(false);
  });
}

bool wantsOpenBindings(StringRef Text, ArrayRef<ParseDiagnostic> Errors) {
  return Text.contains("enqueue") && any_of(Errors, [](const ParseDiagnostic &D) {
           StringRef M = D.Message;
           if (!M.consume_front("unknown type name '") &&
               !M.consume_front("use of undeclared identifier '"))
             return false;
           return StringSwitch<bool>(M.take_until([](char C) { return C == '\''; }))
               .Cases("CommandQueue", "NDRange", "NullRange", true)
               .Default(false);
         });
}

bool wantsBindings(const HostRun &Run, StringRef Text) {
  return Text.contains("cl::") || Text.contains("using namespace cl;") ||
         any_of(Run.Missing, [](const ParseDiagnostic &D) {
           StringRef Name = sys::path::filename(missingHeader(D));
           return Name == "cl.hpp" || Name == "cl2.hpp" || Name == "opencl.hpp";
         });
}

bool lacksStandard(ArrayRef<ParseDiagnostic> Errors) {
  return any_of(Errors, [](const ParseDiagnostic &D) {
    StringRef M = D.Message;
    // A header that is included in a namespace, as the first bindings do.
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

bool lacksJni(const HostRun &Run, StringRef Text) {
  return (Text.contains("JNIEnv") || Text.contains("JNIEXPORT")) &&
         any_of(Run.Missing, [](const ParseDiagnostic &D) {
           return sys::path::filename(missingHeader(D)) == "jni.h";
         });
}

bool losesFunctions(StringRef FileName, ArrayRef<ParseDiagnostic> Errors) {
  return any_of(Errors, [&](const ParseDiagnostic &D) {
    StringRef M = D.Message;
    return D.File == FileName &&
           (M.starts_with("unknown type name") || M.starts_with("expected ';' after top level") ||
            M.starts_with("expected function body"));
  });
}

bool losesCallers(const HostRun &Run, ArrayRef<ParseDiagnostic> Errors) {
  return Run.M && any_of(Errors, [&](const ParseDiagnostic &D) {
           StringRef M = D.Message;
           if (!M.consume_front("use of undeclared identifier '"))
             return false;
           StringRef Name = M.take_until([](char C) { return C == '\''; });
           return any_of(Run.M->Calls, [&](const HostCall &C) {
             return C.Range.File == 0 && C.Function == Name;
           });
         });
}

} // namespace clmali::model
