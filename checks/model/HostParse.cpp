//===-- checks/model/HostParse.cpp - A host file through Clang ------------===//
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

#include "checks/model/Files.h"
#include "checks/model/Host.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
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

/// Headers that were not found.
class MissingHeaders : public PPCallbacks {
public:
  MissingHeaders(SourceManager &SM, std::vector<ParseDiagnostic> &Out) : SM(SM), Out(Out) {}
  bool FileNotFound(StringRef) override { return true; }
  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (File)
      return;
    ParseDiagnostic P;
    P.IsError = true;
    P.Message = "'" + Name.str() + "' file not found; what it declares is not seen (where is it? -- -I FOLDER)";
    if (PresumedLoc L = SM.getPresumedLoc(SM.getExpansionLoc(Hash)); L.isValid()) {
      P.File = L.getFilename();
      P.Line = L.getLine();
      P.Column = L.getColumn();
    }
    Out.push_back(std::move(P));
  }

private:
  SourceManager &SM;
  std::vector<ParseDiagnostic> &Out;
};

/// Lifts when the file is parsed, however badly.
class LiftAction : public ASTFrontendAction {
public:
  LiftAction(std::unique_ptr<HostModule> &To, std::vector<ParseDiagnostic> &Missing) : To(To), Missing(Missing) {}
  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getPreprocessor().addPPCallbacks(std::make_unique<MissingHeaders>(CI.getSourceManager(), Missing));
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
    return std::make_unique<Consumer>(To);
  }

private:
  std::unique_ptr<HostModule> &To;
  std::vector<ParseDiagnostic> &Missing;
};

struct RunAction : tooling::ToolAction {
  std::unique_ptr<HostModule> M;
  std::vector<ParseDiagnostic> Missing;
  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers, DiagnosticConsumer *Consumer) override {
    CompilerInstance Compiler(std::move(Containers));
    Compiler.setInvocation(std::move(Invocation));
    Compiler.setFileManager(Files);
    Compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
    Compiler.createDiagnostics(Consumer, /*ShouldOwnClient=*/false);
    if (!Compiler.hasDiagnostics())
      return false;
    Compiler.createSourceManager(*Files);
    LiftAction Action(M, Missing);
    Compiler.ExecuteAction(Action);
    Files->clearStatCache();
    return M != nullptr;
  }
};

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
    "#if CLMALI_BINDINGS && __has_include(<CL/opencl.hpp>)\n"
    "#include <CL/opencl.hpp>\n"
    "namespace cl { using compatibility::make_kernel; }\n"
    "#elif CLMALI_BINDINGS && __has_include(<CL/cl2.hpp>)\n"
    "#include <CL/cl2.hpp>\n"
    "namespace cl { using compatibility::make_kernel; }\n"
    "#else\n"
    "#include <CL/opencl.h>\n"
    "#endif\n"
    "#else\n"
    "#include <CL/opencl.h>\n"
    "#endif\n";

/// What the standard headers declare that come through headers which are missing.
constexpr llvm::StringLiteral StandardName = "/clmali-standard-prefix.h";
constexpr llvm::StringLiteral Standard =
    "#ifdef __cplusplus\n"
    "#include <algorithm>\n#include <array>\n#include <chrono>\n#include <cmath>\n#include <fstream>\n"
    "#include <functional>\n#include <iostream>\n#include <map>\n#include <memory>\n#include <mutex>\n"
    "#include <set>\n#include <sstream>\n#include <stdexcept>\n#include <string>\n#include <thread>\n"
    "#include <unordered_map>\n#include <vector>\n"
    "#endif\n"
    "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n";

/// Declarations of names that missing headers bring.
constexpr llvm::StringLiteral NamesName = "/clmali-names.h";
} // namespace

/// tooling::buildASTFromCodeWithArgs, on this thread's file system.
static RunAction parse(StringRef FileName, StringRef Text, StringRef Names, const std::vector<std::string> &Args,
                       DiagnosticConsumer &Consumer) {
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(fileSystem());
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Overlay->pushOverlay(Memory);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Overlay);
  Memory->addFile(FileName, 0, llvm::MemoryBuffer::getMemBufferCopy(Text));
  Memory->addFile(PrefixName, 0, llvm::MemoryBuffer::getMemBufferCopy(Prefix));
  Memory->addFile(StandardName, 0, llvm::MemoryBuffer::getMemBufferCopy(Standard));
  Memory->addFile(NamesName, 0, llvm::MemoryBuffer::getMemBufferCopy(Names));
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
  SmallString<256> Path(sys::path::parent_path(sys::path::parent_path(
      sys::fs::getMainExecutable("clmali-lint", &Anchor))));
  sys::path::append(Path, CLMALI_INSTALLED_RESOURCES);
  return sys::fs::exists(Path) ? Path.str().str() : "";
}

/// Does a missing header stand for the OpenCL headers, or did it bring them?
static bool lacksOpenCL(const RunAction &Run, StringRef Text) {
  for (const ParseDiagnostic &D : Run.Missing) {
    StringRef Name = StringRef(D.Message).drop_front().split('\'').first;
    if (StringSwitch<bool>(sys::path::filename(Name))
            .Cases("cl.h", "opencl.h", "cl.hpp", "cl2.hpp", "opencl.hpp", true)
            .Default(false))
      return true;
  }
  return !Run.Missing.empty() && (!Run.M || !Run.M->HasHeaders) &&
         (Text.contains("clEnqueue") || Text.contains("clCreate") || Text.contains("clBuild") || Text.contains("cl::") ||
          Text.contains("using namespace cl;"));
}

/// Does the file name things of the standard library that nobody declares?
static bool lacksStandard(ArrayRef<ParseDiagnostic> Said) {
  return any_of(Said, [](const ParseDiagnostic &D) {
    StringRef M = D.Message;
    if (M.contains("namespace 'std'") || M.contains("identifier 'std'"))
      return true;
    if (!M.starts_with("unknown type name '") && !M.starts_with("use of undeclared identifier '"))
      return false;
    return StringSwitch<bool>(M.split('\'').second.split('\'').first)
        .Cases("size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", true)
        .Cases("int8_t", "int16_t", "int32_t", "int64_t", "uintptr_t", true)
        .Cases("bool", "true", "false", "NULL", "FILE", true)
        .Default(false);
  });
}

/// Blanks the `Bench::` of definitions whose class nobody declares. False: there are none.
static bool withoutClasses(StringRef FileName, ArrayRef<ParseDiagnostic> Said, std::string &Code) {
  bool Any = false;
  for (const ParseDiagnostic &D : Said) {
    StringRef M = D.Message;
    if (!M.consume_front("use of undeclared identifier '") || D.File != FileName || !D.Line || !D.Column)
      continue;
    StringRef Name = M.take_until([](char C) { return C == '\''; });
    size_t At = 0;
    for (unsigned Line = 1; Line < D.Line && At != std::string::npos; ++Line)
      At = Code.find('\n', At + (Line > 1));
    if (At == std::string::npos)
      continue;
    At += (D.Line > 1) + D.Column - 1;
    if (At < Code.size() && StringRef(Code).substr(At).starts_with((Name + "::").str())) {
      std::fill_n(Code.begin() + At, Name.size() + 2, ' ');
      Any = true;
    }
  }
  return Any;
}

/// Declares the names that nobody does: a statement with such a one is lost, call and all. What they stand for does
/// not matter (but for types that everybody calls so); what is called or a namespace is nobody's constant.
static std::string declareNames(StringRef FileName, StringRef Code, ArrayRef<ParseDiagnostic> Said) {
  SmallVector<StringRef, 0> Lines;
  Code.split(Lines, '\n');
  std::set<std::string> Names;
  for (const ParseDiagnostic &D : Said) {
    StringRef M = D.Message;
    if (D.File != FileName || !D.Line || D.Line > Lines.size() ||
        !(M.consume_front("use of undeclared identifier '") || M.consume_front("unknown type name '")))
      continue;
    StringRef Name = M.take_until([](char C) { return C == '\''; });
    StringRef Rest = Lines[D.Line - 1].substr(D.Column - 1);
    if (Name.empty() || !Rest.consume_front(Name))
      continue;
    Rest = Rest.ltrim();
    bool IsType = D.Message.front() == 'u' && StringRef(D.Message).starts_with("unknown type name");
    StringRef Base = StringSwitch<StringRef>(Name)
                         .Cases("uchar", "byte", "BYTE", "u8", "uint8", "unsigned char")
                         .Cases("ushort", "u16", "uint16", "unsigned short")
                         .Cases("uint", "u32", "uint32", "UINT", "DWORD", "unsigned int")
                         .Cases("ulong", "u64", "uint64", "unsigned long")
                         .Default("");
    if (!Base.empty())
      Names.insert(("typedef " + Base + " " + Name + ";\n").str());
    else if (!IsType && !Rest.starts_with("::") && !Rest.starts_with("(") && !Rest.starts_with("<"))
      Names.insert(("extern int " + Name + ";\n").str());
  }
  std::string Result;
  for (const std::string &Name : Names)
    Result += Name;
  return Result;
}

HostParse parseHost(StringRef FileName, StringRef Text, const std::vector<std::string> &Args) {
  HostParse Result;
  StringRef Extension = sys::path::extension(FileName);
  std::string Code = Text.str(), Names;
  auto Try = [&](std::vector<std::string> Extra) {
    Result.Diagnostics.clear();
    std::vector<std::string> All;
    // Headers and C files are told apart by their names as the driver does; a .h may be either, and
    // C++ reads more of them.
    if (Extension == ".h")
      All.insert(All.end(), {"-x", "c++"});
    All.insert(All.end(), Args.begin(), Args.end());
    // What other compilers only warn of is no error here, either; a guess at a misspelled name drops what
    // stands behind it.
    All.insert(All.end(), {"-fsyntax-only", "-Wno-everything", "-fno-spell-checking", "-ferror-limit=0", "-DCL_TARGET_OPENCL_VERSION=300"});
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
  for (unsigned Round = 0; Round < 8; ++Round) {
    std::vector<std::string> Folders;
    for (const ParseDiagnostic &D : Run.Missing) {
      std::string Folder = folderOfHeader(FileName, StringRef(D.Message).drop_front().split('\'').first);
      if (!Folder.empty() && !is_contained(Extra, "-I" + Folder) && !is_contained(Folders, "-I" + Folder))
        Folders.push_back("-I" + Folder);
    }
    if (Folders.empty())
      break;
    Extra.insert(Extra.end(), Folders.begin(), Folders.end());
    Run = Try(Extra);
  }
  // C++ in a file that is named like C: a compiler that is told so takes it.
  bool Failed = !Run.Missing.empty() || !Result.Diagnostics.empty();
  if (Failed && Extension == ".c" && !is_contained(Args, "-x") &&
      (Text.contains("#include <iostream>") || Text.contains("using namespace ") || Text.contains("std::"))) {
    Extra.insert(Extra.begin(), {"-x", "c++"});
    Run = Try(Extra);
  }
  if (lacksOpenCL(Run, Text)) {
    Extra.insert(Extra.end(), {"-include", PrefixName.str(),
                               Text.contains("cl::") || Text.contains("using namespace cl;") ? "-DCLMALI_BINDINGS=1"
                                                                                             : "-DCLMALI_BINDINGS=0",
                               // Sources were pairs of text and length, and are strings.
                               Text.contains("c_str()") || Text.contains("pair") ? "-DCLMALI_PAIRS=1" : "-DCLMALI_PAIRS=0"});
    Run = Try(Extra);
  }
  if (!Run.Missing.empty() && lacksStandard(Result.Diagnostics)) {
    Extra.insert(Extra.begin(), {"-include", StandardName.str()});
    Run = Try(Extra);
  }
  // `int Bench::run(..) {`: without its class, a member function is read as a function.
  for (unsigned Round = 0; Round < 4 && !Run.Missing.empty() && withoutClasses(FileName, Result.Diagnostics, Code); ++Round)
    Run = Try(Extra);
  if (!Run.Missing.empty())
    Names = declareNames(FileName, Code, Result.Diagnostics);
  if (!Names.empty()) {
    Extra.insert(Extra.begin(), {"-include", NamesName.str()});
    Run = Try(Extra);
  }
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
  }
  return Result;
}

} // namespace clmali::model
