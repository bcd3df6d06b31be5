//===-- checks/model/frontend/Frontend.cpp - Parse OpenCL C in process -------------===//
//
// What it does: runs Clang in this process over one file, and lifts what it
// parsed. Clang's base header for OpenCL is built in.
//
// Strictly, the file must parse as it is: with the user's -cl-std, or with
// CL1.2, CL2.0, CL3.0, the first that works. Tolerantly (the linter), what a host would
// have defined is guessed, one name at a time (MacroInference.cpp), and functions that
// still make no sense are left out; each guess becomes a note.
//
// Limits: options that only a device compiler knows (-cl-nv-...) are dropped.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/Frontend.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/frontend/tolerant/SiblingFiles.h"
#include "checks/model/frontend/tolerant/TokenScan.h"
#include "checks/model/lift/Lifter.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <set>

using llvm::StringRef;

namespace clmali::model {
namespace {

const char BaseHeader[] =
#include "OpenCLBaseHeader.inc"
    ;
constexpr StringRef ResourceDir = "/clmali-built-in";
/// Stands for samplers that the host's macros define.
constexpr StringRef SamplerName = "clmali_sampler";

/// Collects what Clang says.
class Collector : public clang::DiagnosticConsumer {
public:
  Collector(std::vector<ParseDiagnostic> &To) : To(To) {}
  bool Forgiving = false; ///< what other compilers take is no error
  /// Declarations that Clang calls invalid for no more than their place or their name.
  std::vector<clang::SourceLocation> Forgiven;
  bool LocalsMoved = false, LocalsSet = false, IsMain = false, Samplers = false;
  /// Byte offsets of errors in the main file.
  std::vector<unsigned> ErrorOffsets;
  std::set<unsigned> DoubleOffsets; ///< of them, where a double meets a vector of float
  bool Fatal = false;
  clang::SourceLocation Last; ///< of the tokens, where the parser is

  /// The parser fell over what it had just read.
  void fellOver(const clang::SourceManager &SM) {
    Fatal = true;
    clang::PresumedLoc P =
        Last.isValid() ? SM.getPresumedLoc(SM.getExpansionLoc(Last)) : clang::PresumedLoc();
    if (P.isValid())
      To.push_back({P.getFilename(), P.getLine(), P.getColumn(), true, FellOver.str()});
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    if (Forgiving && Info.hasSourceManager()) {
      // A local variable of a function, or of a block within; a kernel that is called main;
      // sampler_t s = .. of the program.
      bool Place = Info.getID() == clang::diag::err_opencl_function_variable ||
                   Info.getID() == clang::diag::err_opencl_addrspace_scope;
      bool Value = Info.getID() == clang::diag::err_local_cant_init;
      bool Name = Info.getID() == clang::diag::err_opencl_no_main;
      bool Sampler = Info.getID() == clang::diag::err_opencl_nonconst_global_sampler;
      if (Place || Name || Value || Sampler) {
        LocalsMoved |= Place;
        Samplers |= Sampler;
        LocalsSet |= Value;
        IsMain |= Name;
        Forgiven.push_back(Info.getLocation());
        return;
      }
    }
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    bool Error = Level >= clang::DiagnosticsEngine::Error;
    if (!Error && Level != clang::DiagnosticsEngine::Warning)
      return;
    Fatal |= Level == clang::DiagnosticsEngine::Fatal;
    ParseDiagnostic D;
    D.IsError = Error;
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    D.Message = Text.str().str();
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      const clang::SourceManager &SM = Info.getSourceManager();
      clang::SourceLocation L = SM.getExpansionLoc(Info.getLocation());
      clang::PresumedLoc P = SM.getPresumedLoc(L);
      if (P.isValid()) {
        D.File = P.getFilename();
        D.Line = P.getLine();
        D.Column = P.getColumn();
      }
      if (Error && SM.isInMainFile(L))
        ErrorOffsets.push_back(SM.getFileOffset(L));
      if (Error && SM.isInMainFile(L) && mixesDouble(D.Message))
        DoubleOffsets.insert(SM.getFileOffset(L));
    }
    To.push_back(std::move(D));
  }

private:
  std::vector<ParseDiagnostic> &To;
};

/// Makes valid again what was forgiven: the declaration is still being read, and nothing has used
/// it.
void forgive(Collector &Said, clang::Sema &S) {
  auto Mend = [&](clang::Decl *D) {
    if (D->isInvalidDecl() && llvm::is_contained(Said.Forgiven, D->getLocation()))
      D->setInvalidDecl(false);
  };
  for (clang::DeclContext *Context = S.CurContext; Context; Context = Context->getParent()) {
    if (auto *Function = llvm::dyn_cast<clang::FunctionDecl>(Context))
      Mend(Function);
    for (clang::Decl *D : Context->decls())
      Mend(D);
  }
  Said.Forgiven.clear();
}

/// Lifts when the whole file has been parsed.
class LiftConsumer : public clang::ASTConsumer {
public:
  LiftConsumer(Module &M, Collector &Said, clang::CompilerInstance &CI, bool Tolerant, bool Partial,
               bool OwnOnly, bool &Lifted)
      : M(M), Said(Said), CI(CI), Tolerant(Tolerant), Partial(Partial), OwnOnly(OwnOnly),
        Lifted(Lifted) {}
  /// Called when the parser begins, which has a Sema then.
  void Initialize(clang::ASTContext &) override {
    Said.Forgiving = Tolerant;
    CI.getPreprocessor().setTokenWatcher([this](const clang::Token &T) {
      Said.Last = T.getLocation();
      if (!Said.Forgiven.empty() && CI.hasSema())
        forgive(Said, CI.getSema());
    });
  }
  void HandleTranslationUnit(clang::ASTContext &Ctx) override {
    if (Said.getNumErrors() && !Tolerant)
      return;
    const clang::SourceManager &SM = Ctx.getSourceManager();
    liftInto(Ctx, M, [&](const clang::FunctionDecl *FD) {
      // What is pasted in front may include others' kernels.
      clang::FileID File = SM.getFileID(SM.getExpansionLoc(FD->getLocation()));
      while (OwnOnly && File.isValid() && File != SM.getMainFileID())
        File = SM.getFileID(SM.getIncludeLoc(File));
      if (File.isInvalid() && FD->hasAttr<clang::OpenCLKernelAttr>())
        return true;
      if (Said.ErrorOffsets.empty())
        return false;
      clang::SourceLocation B = SM.getExpansionLoc(FD->getBeginLoc()),
                            E = SM.getExpansionLoc(FD->getEndLoc());
      if (!SM.isInMainFile(B) || !SM.isInMainFile(E))
        return false;
      unsigned Begin = SM.getFileOffset(B), End = SM.getFileOffset(E);
      auto Inside = [&](unsigned O) { return O >= Begin && O <= End; };
      size_t Hits = llvm::count_if(Said.ErrorOffsets, Inside);
      if (!Hits || !FD->hasAttr<clang::OpenCLKernelAttr>())
        return Hits != 0;
      // What is left of a kernel in which every other line makes no sense is not that kernel.
      size_t Lines = SM.getExpansionLineNumber(E) - SM.getExpansionLineNumber(B) + 1;
      if (!Partial || Hits > std::max<size_t>(3, Lines / 6)) {
        M.Notes.push_back("kernel " + FD->getName().str() + " left out: it did not parse");
        return true;
      }
      for (unsigned Offset : Said.ErrorOffsets)
        if (Inside(Offset))
          Broken[FD->getName().str()].push_back(Offset);
      return false;
    });
    if (Said.LocalsMoved)
      M.Notes.push_back("local variables of functions and blocks are taken as their kernels'");
    if (Said.LocalsSet)
      M.Notes.push_back("local variables cannot be initialised: their values are left out");
    if (Said.Samplers)
      M.Notes.push_back("samplers of the program are taken as const");
    if (Said.IsMain)
      M.Notes.push_back("OpenCL C allows no kernel 'main'");
    for (const auto &[Name, Offsets] : Broken)
      for (auto &K : M.Kernels)
        if (K->Name == Name) {
          for (unsigned Offset : Offsets) {
            SourceRange At;
            At.Begin = Offset;
            At.End = Offset + 1;
            K->Opaques.push_back({"text that did not parse", At});
            if (Said.DoubleOffsets.count(Offset))
              K->Opaques.push_back({"vectors of float with double", At});
          }
          unsigned Line = SM.getLineNumber(SM.getMainFileID(), Offsets.front());
          M.Notes.push_back("kernel " + Name + " is seen in part: line " + std::to_string(Line) +
                            " did not parse");
        }
    Lifted = true;
  }

private:
  Module &M;
  Collector &Said;
  clang::CompilerInstance &CI;
  bool Tolerant, Partial, OwnOnly;
  bool &Lifted;
  std::map<std::string, std::vector<unsigned>> Broken; ///< kernels with the places of their errors
};

class LiftAction : public clang::ASTFrontendAction {
public:
  LiftAction(Module &M, Collector &Said, bool Tolerant, bool Partial, bool OwnOnly, bool &Lifted)
      : M(M), Said(Said), Tolerant(Tolerant), Partial(Partial), OwnOnly(OwnOnly), Lifted(Lifted) {}
  /// `long long` is reserved, 128 bits wide for Clang, and 64 for every vendor whose compiler takes
  /// it.
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    if (Tolerant)
      CI.getTarget().LongLongWidth = CI.getTarget().LongLongAlign = 64;
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &CI,
                                                        StringRef) override {
    return std::make_unique<LiftConsumer>(M, Said, CI, Tolerant, Partial, OwnOnly, Lifted);
  }

private:
  Module &M;
  Collector &Said;
  bool Tolerant, Partial, OwnOnly;
  bool &Lifted;
};

struct Header {
  std::string Path, Text;
};

/// The user's arguments, split into what -cc1 takes and what decides here.
struct Arguments {
  std::vector<std::string> Pass;
  std::vector<std::string> Dropped;
  std::string Std;
  std::string Triple;
  bool Partial = false;            ///< kernels with errors are lifted as far as they parse
  bool Vendor = false;             ///< built-ins of vendors' extensions are declared
  std::vector<SiblingFile> Before; ///< files that stand before the file, in this order
  std::vector<std::string>
      Empty; ///< headers that are not found, as #include names them: nothing is in them
  std::vector<Header> Replaced; ///< headers of which something is left out
};

Arguments readArguments(llvm::ArrayRef<std::string> Args) {
  Arguments A;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    auto Next = [&]() -> std::string { return I + 1 < Args.size() ? Args[++I] : std::string(); };
    if (Arg.consume_front("-cl-std=") || Arg.consume_front("-std="))
      A.Std = Arg.str();
    else if (Arg.consume_front("--target="))
      A.Triple = Arg.str();
    else if (Arg == "-target" || Arg == "-triple")
      A.Triple = Next();
    else if (Arg == "-x" || Arg == "-o" || Arg == "-Xclang")
      Next(); // the language is known, and nothing is written
    else if (Arg == "-D" || Arg == "-I" || Arg == "-U" || Arg == "-include" || Arg == "-isystem" ||
             Arg == "-iquote") {
      A.Pass.push_back(Arg.str());
      A.Pass.push_back(Next());
    } else if (Arg.starts_with("-D") || Arg.starts_with("-I") || Arg.starts_with("-U") ||
               Arg.starts_with("-W") || Arg == "-w") {
      A.Pass.push_back(Arg.str());
    } else if (Arg == "-cl-single-precision-constant" || Arg == "-cl-fast-relaxed-math" ||
               Arg == "-cl-mad-enable" || Arg == "-cl-opt-disable" ||
               Arg == "-cl-finite-math-only" || Arg == "-cl-unsafe-math-optimizations" ||
               Arg == "-cl-no-signed-zeros" || Arg == "-cl-denorms-are-zero" ||
               Arg == "-cl-strict-aliasing" || Arg == "-cl-kernel-arg-info" ||
               Arg == "-cl-fp32-correctly-rounded-divide-sqrt" ||
               Arg == "-cl-uniform-work-group-size" || Arg.starts_with("-cl-ext=")) {
      if (Arg != "-cl-opt-disable" && Arg != "-cl-kernel-arg-info" &&
          Arg != "-cl-strict-aliasing" && Arg != "-cl-mad-enable")
        A.Pass.push_back(Arg.str());
    } else if (Arg.starts_with("-")) {
      A.Dropped.push_back(Arg.str());
    }
  }
  return A;
}

struct Attempt {
  std::unique_ptr<Module> M;
  std::vector<ParseDiagnostic> Diagnostics;
  unsigned Errors = 0;
  bool Fatal = false;
};

StringRef wordAt(StringRef S) { return S.take_while(isNameChar); }

/// Text without the #defines of Names.
std::string withoutDefines(StringRef Text, const llvm::StringSet<> &Names) {
  std::string Result = Text.str();
  for (StringRef Line : llvm::split(Text, '\n')) {
    StringRef Word = Line.trim();
    if (Word.consume_front("#") && (Word = Word.ltrim()).consume_front("define") &&
        Names.contains(wordAt(Word.ltrim())) && !Line.rtrim().ends_with("\\"))
      std::fill_n(Result.begin() + (Line.data() - Text.data()), Line.size(), ' ');
  }
  return Result;
}

Attempt parseOnce(StringRef FileName, StringRef Text, const Arguments &A,
                  llvm::ArrayRef<std::string> Extra, StringRef Std, StringRef Triple, bool Tolerant,
                  bool Limit) {
  Attempt Result;
  Result.M = std::make_unique<Module>();
  Collector Said(Result.Diagnostics);
  clang::CompilerInstance CI;

  std::vector<std::string> Args = {"-triple",
                                   Triple.str(),
                                   "-x",
                                   "cl",
                                   "-cl-std=" + Std.str(),
                                   "-finclude-default-header",
                                   "-fdeclare-opencl-builtins",
                                   "-fsyntax-only",
                                   "-ffp-contract=on",
                                   "-resource-dir",
                                   ResourceDir.str(),
                                   "-nostdsysteminc", // these are the host's
                                   "-internal-isystem",
                                   (ResourceDir + "/include").str(),
                                   "-ferror-limit",
                                   Limit ? "100" : "0"};
  // Every device says which OpenCL it has; Clang leaves that to the device.
  StringRef Version = Std;
  if (Version.consume_front_insensitive("CL") && !Version.empty())
    Args.push_back("-D__OPENCL_VERSION__=" + Version.take_front(1).str() +
                   (Version.size() > 2 ? Version.substr(2, 1).str() : "0") + "0");
  // Clang's target has every extension; no GPU of ours has AMD's, and what stands under their names
  // is for others.
  if (Tolerant)
    Args.push_back("-cl-ext=-cl_amd_media_ops,-cl_amd_media_ops2");
  // OpenCL C knows `__asm__` only; legacy code says `asm` where its vendor's compiler did.
  if (Text.contains("asm"))
    Args.push_back("-fgnu-keywords");
  if (Tolerant)
    Args.push_back("-Wno-error=implicit-int"); // __global *buffer
  if (Tolerant && !A.Partial)
    Args.push_back("-fno-recovery-ast"); // Clang 19 falls over its own half-made casts to vectors
  if (llvm::any_of(Extra, [](StringRef E) { return E.ends_with("=" + SamplerName.str()); })) {
    Args.push_back("-include");
    Args.push_back((ResourceDir + "/include/sampler.h").str());
  }
  if (llvm::any_of(Extra, [](StringRef E) { return E.contains(UnknownName); }))
    Args.push_back("-D" + UnknownName.str() + "=((int)native_exp2((float)get_global_id(0)))");
  if (A.Vendor) {
    Args.push_back("-include");
    Args.push_back((ResourceDir + "/include/vendor.h").str());
  }
  Args.insert(Args.end(), A.Pass.begin(), A.Pass.end());
  std::string Prelude;
  for (size_t I = 0; I < Extra.size(); ++I) {
    if (Extra[I] == PreludeOption && I + 1 < Extra.size())
      Prelude += Extra[++I] + "\n";
    else
      Args.push_back(Extra[I]);
  }
  if (!Prelude.empty()) {
    Args.push_back("-include");
    Args.push_back((ResourceDir + "/include/prelude.h").str());
  }
  for (const SiblingFile &B : A.Before) {
    Args.push_back("-include");
    Args.push_back(B.Path);
  }
  Args.push_back(FileName.str());
  std::vector<const char *> Pointers;
  for (const std::string &S : Args)
    Pointers.push_back(S.c_str());

  auto Engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions(), &Said,
                                                           /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(CI.getInvocation(), Pointers, *Engine)) {
    Result.Errors = std::max(1u, Said.getNumErrors());
    Result.M.reset();
    return Result;
  }

  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(fileSystem());
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (auto Directory = llvm::vfs::getRealFileSystem()->getCurrentWorkingDirectory())
    Memory->setCurrentWorkingDirectory(*Directory);
  Memory->addFile(ResourceDir + "/include/opencl-c-base.h", 0,
                  llvm::MemoryBuffer::getMemBuffer(StringRef(BaseHeader, sizeof(BaseHeader) - 1)));
  if (A.Vendor)
    Memory->addFile(ResourceDir + "/include/vendor.h", 0,
                    llvm::MemoryBuffer::getMemBuffer(vendorBuiltinsHeader()));
  Memory->addFile(ResourceDir + "/include/sampler.h", 0,
                  llvm::MemoryBuffer::getMemBufferCopy("__constant sampler_t " + SamplerName.str() +
                                                       " = 16;\n"));
  if (!Prelude.empty())
    Memory->addFile(ResourceDir + "/include/prelude.h", 0,
                    llvm::MemoryBuffer::getMemBufferCopy(Prelude));
  for (StringRef Name : A.Empty)
    Memory->addFile(llvm::sys::path::is_absolute(Name) ? Name.str()
                                                       : (ResourceDir + "/include/" + Name).str(),
                    0, llvm::MemoryBuffer::getMemBuffer(""));
  // What is given is not what a file beside says: its #define is one of several settings.
  llvm::StringSet<> Given;
  for (llvm::ArrayRef<std::string> From : {llvm::ArrayRef<std::string>(A.Pass), Extra})
    for (size_t I = 0; I < From.size(); ++I)
      if (StringRef Arg = From[I]; Arg.consume_front("-D"))
        Given.insert(wordAt(Arg.empty() && I + 1 < From.size() ? StringRef(From[I + 1]) : Arg));
  for (const SiblingFile &B : A.Before)
    Memory->addFile(B.Path, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(withoutDefines(B.Text, Given), B.Path));
  for (const Header &H : A.Replaced)
    Memory->addFile(H.Path, 0, llvm::MemoryBuffer::getMemBufferCopy(H.Text, H.Path));
  Memory->addFile(FileName, 0, llvm::MemoryBuffer::getMemBufferCopy(Text, FileName));
  Overlay->pushOverlay(Memory);

  CI.createDiagnostics(&Said, /*ShouldOwnClient=*/false);
  CI.createFileManager(Overlay);
  CI.getFrontendOpts().DisableFree = false;
  CI.getDiagnosticOpts().ShowCarets = false; // or it counts them on stderr
  bool Lifted = false;
  LiftAction Action(*Result.M, Said, Tolerant, A.Partial, /*OwnOnly=*/!A.Before.empty(), Lifted);
  // Clang may fall over code that half parses; that costs this attempt, not the run.
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext Recovery;
  if (!Recovery.RunSafely([&] { CI.ExecuteAction(Action); })) {
    Lifted = false;
    Said.fellOver(CI.getSourceManager());
    Result.Errors = 1;
  }
  Result.Errors = std::max(Result.Errors, Said.getNumErrors());
  Result.Fatal = Said.Fatal;
  if (!Lifted)
    Result.M.reset();
  else
    Result.M->Files[0].Name = FileName.str();
  return Result;
}

/// The name of the include that was not found; "" if there is none.
std::string missingInclude(llvm::ArrayRef<ParseDiagnostic> Diagnostics) {
  for (const ParseDiagnostic &D : Diagnostics) {
    StringRef Message = D.Message;
    if (D.IsError && Message.contains("file not found") && Message.consume_front("'"))
      return Message.take_until([](char C) { return C == '\''; }).str();
  }
  return "";
}

/// The macros that the command line defines; one that stands for itself (a name that the host's
/// header was missing for) says nothing.
llvm::StringMap<std::string> macrosOf(llvm::ArrayRef<std::string> Pass) {
  llvm::StringMap<std::string> Result;
  for (size_t I = 0; I < Pass.size(); ++I) {
    StringRef Arg = Pass[I];
    bool Defines = Arg.consume_front("-D");
    if (!Defines && !Arg.consume_front("-U"))
      continue;
    if (Arg.empty() && I + 1 < Pass.size())
      Arg = Pass[++I];
    auto [Name, Value] = Arg.split('=');
    if (Defines && Value == Name)
      continue;
    if (Defines)
      Result[Name.split('(').first] = Arg.contains('=') ? Value.str() : "1";
    else
      Result.erase(Name);
  }
  return Result;
}

/// What the file includes, as far as it is found; only for a look at how names are used.
std::vector<Header> headersOf(StringRef FileName, StringRef Text,
                              llvm::ArrayRef<std::string> Pass) {
  std::vector<Header> Result;
  llvm::StringSet<> Seen;
  std::vector<std::string> Folders{llvm::sys::path::parent_path(FileName).str()};
  for (size_t I = 0; I < Pass.size(); ++I)
    if (StringRef Arg = Pass[I]; Arg.consume_front("-I"))
      Folders.push_back(Arg.empty() && I + 1 < Pass.size() ? Pass[I + 1] : Arg.str());
  std::vector<std::string> Work{Text.str()};
  constexpr size_t MaxHeaders = 32;
  while (!Work.empty() && Seen.size() < MaxHeaders) {
    std::string Current = std::move(Work.back());
    Work.pop_back();
    // What another language includes is not asked.
    std::optional<TokenScan> Conditions;
    if (StringRef(Current).contains("__OPENCL_") || StringRef(Current).contains("__cplusplus"))
      Conditions.emplace(Current, llvm::StringMap<std::string>());
    unsigned Number = 0;
    for (StringRef Line : llvm::split(Current, '\n')) {
      ++Number;
      Line = Line.trim();
      if (!Line.consume_front("#"))
        continue;
      Line = Line.ltrim();
      if (!Line.consume_front("include") || (Conditions && !Conditions->mayReach(Number)))
        continue;
      Line = Line.trim();
      StringRef Name = Line.drop_front(Line.empty() ? 0 : 1).take_until([](char C) {
        return C == '"' || C == '>';
      });
      if (Name.empty() || !Seen.insert(Name).second)
        continue;
      for (const std::string &Folder : Folders) {
        llvm::SmallString<256> Path(Folder);
        llvm::sys::path::append(Path, Name);
        if (auto Buffer = fileSystem()->getBufferForFile(Path)) {
          Result.push_back({std::string(Path), (*Buffer)->getBuffer().str()});
          Work.push_back((*Buffer)->getBuffer().str());
          break;
        }
      }
    }
  }
  return Result;
}

/// Is it the name of a header that only a host includes?
bool isHostHeader(StringRef Name) {
  bool OfLanguage = !Name.contains('.') && !Name.empty() &&
                    llvm::all_of(Name, [](char C) { return llvm::isLower(C) || C == '_'; });
  return OfLanguage || Name.starts_with("CL/") || Name.starts_with("OpenCL/") ||
         llvm::is_contained({"cl.h", "cl.hpp", "cl2.hpp", "opencl.h", "opencl.hpp", "stdio.h",
                             "stdlib.h", "string.h", "stdint.h", "stdbool.h", "stddef.h", "math.h",
                             "assert.h", "windows.h"},
                            Name);
}

/// What has to be defined so that Text does not include headers of the host: a structure's header
/// is shared by both.
std::vector<WantedMacro> wantedOfShared(StringRef Text, const llvm::StringMap<std::string> &Given) {
  std::optional<TokenScan> T;
  std::vector<WantedMacro> Out;
  unsigned Number = 0;
  for (StringRef Line : llvm::split(Text, '\n')) {
    ++Number;
    if (!(Line = Line.trim()).consume_front("#") || !(Line = Line.ltrim()).consume_front("include"))
      continue;
    StringRef Name = Line.trim().drop_front(!Line.trim().empty()).take_until([](char C) {
      return C == '"' || C == '>';
    });
    if (!isHostHeader(Name))
      continue;
    if (!T)
      T.emplace(Text, Given);
    llvm::append_range(Out, T->wantedAgainst(Number));
  }
  return Out;
}

bool looksLikeText(StringRef Text) {
  if (Text.starts_with("\xFF\xFE") || Text.starts_with("\xFE\xFF"))
    return false;
  return Text.take_front(65536).find('\0') == StringRef::npos;
}

ParseResult finish(Attempt &&A, StringRef Std) {
  ParseResult R;
  R.M = std::move(A.M);
  R.Diagnostics = std::move(A.Diagnostics);
  R.Dialect = Std.str();
  return R;
}

/// Calls of functions that are declared and nowhere defined, said as of those that are not declared
/// either.
std::vector<ParseDiagnostic> undefinedCalls(const Attempt &A, StringRef FileName) {
  std::vector<ParseDiagnostic> Result;
  llvm::StringSet<> Names;
  for (const auto &K :
       A.M ? llvm::ArrayRef(A.M->Kernels) : llvm::ArrayRef<std::unique_ptr<Kernel>>())
    for (const OpaqueNote &N : K->Opaques)
      if (StringRef Name = N.What;
          Name.contains(", which is not defined here") && Name.consume_front("call of "))
        if (Name = wordAt(Name); Names.insert(Name).second)
          Result.push_back(
              {FileName.str(), 1, 1, true, ("call to undeclared function '" + Name + "'").str()});
  return Result;
}

} // namespace

ParseResult parseOpenCL(StringRef FileName, StringRef Text, const ParseOptions &O) {
  Arguments Args = readArguments(O.ClangArgs);
  std::string Triple = !Args.Triple.empty() ? Args.Triple
                       : O.SizeTBits == 32  ? std::string("spir")
                                            : std::string("spir64");
  std::vector<std::string> Dialects;
  if (!Args.Std.empty())
    Dialects = {Args.Std};
  else
    Dialects = {"CL1.2", "CL2.0", "CL3.0"};

  Args.Vendor = O.Tolerant && usesVendorBuiltins(Text);
  StringRef Original = Text;
  std::string Padded;
  if (O.Tolerant && unwrap(Text, Padded))
    Text = Padded;
  if (O.Tolerant && namePlaceholders(Text, Padded))
    Text = Padded;
  std::string Single;
  bool HasTemplates = O.Tolerant && flattenTemplates(Text, Single);
  if (HasTemplates)
    Text = Padded = Single;
  llvm::StringSet<> Unset;
  if (!O.Unset.empty()) {
    for (StringRef Name : O.Unset)
      Unset.insert(Name);
    Single = withoutDefines(Text, Unset);
    Text = Padded = Single;
    for (const Header &H : headersOf(FileName, Text, Args.Pass))
      if (std::string Plain = withoutDefines(H.Text, Unset); Plain != H.Text)
        Args.Replaced.push_back({H.Path, std::move(Plain)});
  }

  SiblingFiles Folder(FileName, Text, O.Alone);
  auto IncludedFiles = [&] {
    std::vector<std::string> Included;
    for (const Header &H : headersOf(FileName, Text, Args.Pass))
      Included.push_back(H.Path);
    return Included;
  };
  // A header declares what another file of the program defines.
  auto DefineBeside = [&](Attempt &A, StringRef Std) {
    std::vector<ParseDiagnostic> Missed = undefinedCalls(A, FileName);
    std::vector<SiblingFile> More =
        Missed.empty() ? std::vector<SiblingFile>() : Folder.filesFor(Missed, IncludedFiles());
    if (More.empty())
      return;
    Arguments With = Args;
    With.Before = std::move(More);
    Attempt B =
        parseOnce(FileName, Text, With, {}, Std, Triple, /*Tolerant=*/false, /*Limit=*/true);
    if (B.Errors || !B.M || B.M->Kernels.size() != A.M->Kernels.size() ||
        undefinedCalls(B, FileName).size() >= Missed.size())
      return;
    A = std::move(B);
    Args = std::move(With);
  };
  llvm::StringMap<std::string> Given = macrosOf(Args.Pass);
  std::optional<Attempt> First;
  std::string Used;
  for (const std::string &Std : Dialects) {
    Attempt A =
        parseOnce(FileName, Text, Args, {}, Std, Triple, /*Tolerant=*/false, /*Limit=*/true);
    // Kernels under conditions that only the host's macros fulfil are worth a guess.
    auto Wants = [&](const TokenScan &T) {
      return !T.wantedForKernels().empty() || !T.wantedNumbers().empty();
    };
    bool Waiting = A.Errors == 0 && O.Tolerant && Text.contains("#") &&
                   (O.WantedKernel || Wants(TokenScan(Text, Given)));
    if (A.Errors == 0 && !Waiting) {
      if (O.Tolerant)
        DefineBeside(A, Std);
      ParseResult R = finish(std::move(A), Std);
      if (R.M && !Padded.empty())
        R.M->Files[0].Text = Original.str();
      if (R.M)
        for (const std::string &Option : Args.Dropped)
          R.M->Notes.push_back("option " + Option + " ignored");
      if (R.M)
        for (const SiblingFile &B : Args.Before)
          R.M->Notes.push_back("what it does not define is taken from " +
                               siblingName(FileName, B.Path));
      return R;
    }
    if (!First) {
      First = std::move(A);
      Used = Std;
    }
    if (First->Fatal)
      break; // a missing include is missing in every dialect
  }
  if (!O.Tolerant) {
    First->M.reset();
    return finish(std::move(*First), Used);
  }

  // A header that the host's -I would find: it may lie in a folder above.
  std::vector<std::string> Missing;
  for (unsigned Round = 0; First->Errors && Round < 16; ++Round) {
    bool Shared = false;
    for (const Header &H : headersOf(FileName, Text, Args.Pass))
      for (const WantedMacro &W : wantedOfShared(H.Text, Given))
        if (Given.try_emplace(W.Name, W.Value.empty() ? "1" : W.Value).second) {
          Args.Pass.push_back("-D" + W.Name + "=" + Given[W.Name]);
          Missing.push_back(W.Name + " is taken as defined: without it " +
                            llvm::sys::path::filename(H.Path).str() +
                            " includes what is the host's");
          Shared = true;
        }
    if (Shared)
      First = parseOnce(FileName, Text, Args, {}, Used, Triple, /*Tolerant=*/false, /*Limit=*/true);
    std::string Name = missingInclude(First->Diagnostics);
    std::string Folder = Name.empty() ? "" : folderOfHeader(FileName, Name);
    if (Folder.empty() || llvm::is_contained(Args.Pass, "-I" + Folder))
      break;
    Args.Pass.push_back("-I" + Folder);
    First = parseOnce(FileName, Text, Args, {}, Used, Triple, /*Tolerant=*/false, /*Limit=*/true);
  }

  // A header that is not here, of the file or of one of its headers: the rest is still worth a
  // look. What it, or a host that pastes files together, would have brought may stand in the files
  // beside.
  auto Parse = [&] {
    for (SiblingFile &B : Args.Before)
      B.Text = withoutDefines(B.Text, Unset);
    First = parseOnce(FileName, Text, Args, {}, Used, Triple, /*Tolerant=*/false, /*Limit=*/true);
  };
  for (unsigned Round = 0; First->Errors && Round < 32; ++Round) {
    // Or there were too many errors.
    if (std::string Name = First->Fatal ? missingInclude(First->Diagnostics) : ""; !Name.empty()) {
      if (llvm::is_contained(Args.Empty, Name))
        break;
      Missing.push_back("include " + Name + " not found and left out");
      Args.Empty.push_back(Name);
      Parse();
      continue;
    }
    std::vector<SiblingFile> More = Folder.filesFor(First->Diagnostics, IncludedFiles());
    if (More.empty())
      break;
    Args.Before = std::move(More);
    Parse();
  }
  if (!First->Errors)
    DefineBeside(*First, Used);
  for (const SiblingFile &B : Args.Before)
    Missing.push_back("what it does not define is taken from " + siblingName(FileName, B.Path));

  if (HasTemplates)
    Missing.push_back("templates are taken for one type each");
  std::string Plain;
  if (fixParameterTypes(FileName, Text, First->Diagnostics, Plain)) {
    Missing.push_back(
        "bool and size_t are no types for kernel parameters: taken as char and ulong");
    Text = Plain;
  }
  std::string Unqualified;
  if (dropUnknownQualifiers(FileName, Text, First->Diagnostics, Unqualified)) {
    Missing.push_back(
        "what other compilers take is written as Clang does: qualifiers, attributes, conditions");
    Text = Unqualified;
  }

  auto Try = [&](llvm::ArrayRef<std::string> Extra, StringRef Std, StringRef Target, bool Limit) {
    Attempt A = parseOnce(FileName, Text, Args, Extra, Std, Target, /*Tolerant=*/true, Limit);
    ParseAttempt G;
    G.Errors = A.Errors;
    G.Diagnostics = A.Diagnostics;
    G.Kernels = A.M ? A.M->Kernels.size() : 0;
    G.Payload = std::make_shared<Attempt>(std::move(A));
    return G;
  };
  std::string Headers;
  auto AddHeaders = [&](StringRef Of, StringRef Its) {
    for (const Header &H : headersOf(Of, Its, Args.Pass))
      Headers += H.Text + "\n";
  };
  AddHeaders(FileName, Text);
  // What a kernel is wanted for wins over the settings of files beside.
  llvm::StringSet<> Wanted;
  for (const WantedMacro &W : O.WantedKernel
                                  ? TokenScan(Text, Given).wantedForKernels(O.WantedKernel)
                                  : std::vector<WantedMacro>())
    Wanted.insert(W.Name);
  for (const SiblingFile &B : Args.Before) {
    std::string Plain = withoutDefines(B.Text, Wanted);
    Headers += Plain + "\n";
    AddHeaders(B.Path, Plain);
  }
  InferredMacros Best;
  std::string Lists; // what a parameter of a guessed size or type is, is told at last
  for (llvm::ArrayRef<ParseDiagnostic> Said = First->Diagnostics;;
       Said = Best.Attempt.Diagnostics) {
    bool Again = Best.Attempt.Payload != nullptr;
    std::string Plainer;
    std::vector<std::string> Notes = fixParameterLists(FileName, Text, Said, Plainer);
    Missing.insert(Missing.end(), Notes.begin(), Notes.end());
    if (!Notes.empty()) {
      Lists = std::move(Plainer);
      Text = Lists;
    }
    if (Again && Notes.empty())
      break;
    Best = guess(FileName, Text, Headers, Given, Dialects, Triple, Args.Triple.empty(),
                 O.WantedKernel, Try);
    if (Again || !Best.Attempt.Errors)
      break;
  }
  Attempt &A = *std::static_pointer_cast<Attempt>(Best.Attempt.Payload);
  auto LeftOut = [](const Attempt &A) {
    return !A.M || A.M->Kernels.empty() || llvm::any_of(A.M->Notes, [](StringRef N) {
      return N.ends_with("left out: it did not parse");
    });
  };
  if (O.Partial && Best.Attempt.Errors && LeftOut(A)) {
    // As a last resort, kernels without the places that make no sense.
    Args.Partial = true;
    for (const std::vector<std::string> *Extra : {&Best.Arguments, &Best.LastArguments}) {
      Attempt P = parseOnce(FileName, Text, Args, *Extra, Best.Dialect, Triple, /*Tolerant=*/true,
                            /*Limit=*/false);
      size_t Kernels = A.M ? A.M->Kernels.size() : 0;
      if (P.M && P.M->Kernels.size() > Kernels) {
        if (Extra == &Best.LastArguments)
          Best.Notes = Best.LastNotes;
        A = std::move(P);
      }
    }
  }
  for (auto &File : A.M ? A.M->Files : std::vector<SourceFile>())
    for (const SiblingFile &B : Args.Before)
      if (File.Name == "./" + B.Path)
        File.Name = B.Path;
  ParseResult R = finish(std::move(A), Best.Dialect);
  if (R.M && R.M->Kernels.empty() && Best.Attempt.Errors)
    R.M.reset();
  for (const SiblingFile &B : Args.Before)
    R.TextBeside += B.Text + "\n";
  if (R.M) {
    if (!Missing.empty() || !Padded.empty())
      R.M->Files[0].Text = Original.str();
    R.M->Notes.insert(R.M->Notes.begin(), Missing.begin(), Missing.end());
    R.M->Notes.insert(R.M->Notes.begin(), Best.Notes.begin(), Best.Notes.end());
    R.Guesses = Best.Defines;
    for (const std::string &Option : Args.Dropped)
      R.M->Notes.push_back("option " + Option + " ignored");
  }
  // Who includes the file may himself lack what nobody has.
  if (Folder.isIncluded() && Best.Attempt.Errors) {
    ParseOptions Own = O;
    Own.Alone = true;
    ParseResult Alone = parseOpenCL(FileName, Original, Own);
    auto Rank = [](const ParseResult &R) {
      return std::pair(R.M ? ptrdiff_t(R.M->Kernels.size()) : 0,
                       -llvm::count_if(R.Diagnostics, [](const auto &D) { return D.IsError; }));
    };
    if (Rank(Alone) >= Rank(R))
      return Alone;
  }
  return R;
}

std::vector<KernelLeftOut> kernelsLeftOut(StringRef FileName, StringRef Text, const ParseOptions &O,
                                          const ParseResult &Seen) {
  if (!Text.contains("#"))
    return {};
  llvm::StringMap<std::string> InferredMacros, Given = macrosOf(O.ClangArgs);
  for (StringRef G : Seen.Guesses)
    InferredMacros[G.split('=').first.split('(').first] = G.split('=').second.str();
  TokenScan T(Text, Given);
  std::vector<KernelLeftOut> Out;
  for (unsigned Line : T.kernelsLeftOut(InferredMacros))
    Out.push_back({Line, {}});
  // What the file, or a header of it, says may be what people edit to choose.
  std::string Headers = Seen.TextBeside;
  for (const Header &H : headersOf(FileName, Text, O.ClangArgs))
    Headers += H.Text + "\n";
  std::vector<std::string> Settings = T.settings(TokenScan(Headers, Given));
  if (Settings.empty())
    return Out;
  llvm::StringSet<> Unset;
  for (StringRef Name : Settings)
    Unset.insert(Name);
  for (unsigned Line : TokenScan(withoutDefines(Text, Unset), Given).kernelsThatAsk(Settings)) {
    auto Same = llvm::find_if(Out, [&](const KernelLeftOut &K) { return K.Line == Line; });
    if (Same == Out.end())
      Out.push_back({Line, Settings});
    else
      Same->Unset = Settings;
  }
  return Out;
}

llvm::Expected<ParseResult> parseOpenCLFile(StringRef FileName, const ParseOptions &O) {
  auto Error = [&](const llvm::Twine &Why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s", FileName.str().c_str(),
                                   Why.str().c_str());
  };
  llvm::sys::fs::file_status Status;
  if (std::error_code EC = llvm::sys::fs::status(FileName, Status))
    return Error(EC.message());
  if (llvm::sys::fs::is_directory(Status))
    return Error("is a directory, not an OpenCL C file");
  auto Buffer = llvm::MemoryBuffer::getFile(FileName, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (!Buffer)
    return Error(Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  if (!looksLikeText(Text))
    return Error("is not text: a binary, or text that is not UTF-8");
  return parseOpenCL(FileName, Text, O);
}

} // namespace clmali::model
