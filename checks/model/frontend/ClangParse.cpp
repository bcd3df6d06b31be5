//===-- checks/model/frontend/ClangParse.cpp - One run of Clang over a kernel file -===//
//
// Clang runs in this process, over files in memory and on disk. Its base header for OpenCL is
// built in; samplers, vendors' built-ins and the texts of the tolerant parse are further built-in
// headers.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/ClangParse.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/frontend/RefusedCode.h"
#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/frontend/tolerant/VendorBuiltins.h"
#include "checks/model/ir/Budget.h"
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
constexpr StringRef ResourceDir = BuiltInFolder;
/// A sampler in the place of those that the host's macros define.
constexpr StringRef SamplerName = "clmali_sampler";

/// Collects Clang's diagnostics, and accepts some that other compilers do not report.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  DiagnosticCollector(std::vector<ParseDiagnostic> &To) : To(To) {}
  /// Errors about the location, name or initialiser of a declaration are accepted.
  bool AcceptsVendorCode = false;
  /// Declarations that Clang marked invalid for an accepted error only.
  std::vector<clang::SourceLocation> Accepted;
  /// Which errors were accepted.
  std::vector<clang::SourceLocation> LocalsInBlocks;
  bool LocalsMoved = false, LocalsSet = false, IsMain = false, Samplers = false;
  /// Byte offsets of errors in the main file.
  std::vector<unsigned> ErrorOffsets;
  std::set<unsigned> DoubleOffsets; ///< of ErrorOffsets: a double is combined with a float vector
  bool Fatal = false;
  unsigned NumAccepted = 0;
  clang::SourceLocation Last; ///< of the last token read

  /// The parser crashed on what it had just read.
  void addCrash(const clang::SourceManager &SM) {
    Fatal = true;
    clang::PresumedLoc P =
        Last.isValid() ? SM.getPresumedLoc(SM.getExpansionLoc(Last)) : clang::PresumedLoc();
    if (P.isValid())
      To.push_back({P.getFilename(), P.getLine(), P.getColumn(), true, ParserCrash.str()});
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    if (AcceptsVendorCode && Info.hasSourceManager() && accept(Info)) {
      ++NumAccepted;
      return;
    }
    NumAccepted += AcceptsVendorCode && Level == clang::DiagnosticsEngine::Warning &&
                   clang::DiagnosticIDs::getWarningOptionForDiag(Info.getID()) == "implicit-int";
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

  /// Accepts __local variables in functions and nested blocks, and with initialisers; a kernel
  /// named main; `sampler_t s = ..` at program scope. False: it is another error.
  bool accept(const clang::Diagnostic &Info) {
    bool Scope = Info.getID() == clang::diag::err_opencl_function_variable ||
                 Info.getID() == clang::diag::err_opencl_addrspace_scope;
    bool Value = Info.getID() == clang::diag::err_local_cant_init;
    bool Name = Info.getID() == clang::diag::err_opencl_no_main;
    bool Sampler = Info.getID() == clang::diag::err_opencl_nonconst_global_sampler;
    if (!Scope && !Name && !Value && !Sampler)
      return false;
    LocalsMoved |= Scope;
    if (Info.getID() == clang::diag::err_opencl_addrspace_scope)
      LocalsInBlocks.push_back(Info.getLocation());
    Samplers |= Sampler;
    LocalsSet |= Value;
    IsMain |= Name;
    Accepted.push_back(Info.getLocation());
    return true;
  }
};

/// Makes accepted declarations valid again. It runs at the next token: the declaration is still
/// being read, and nothing has used it.
void revalidate(DiagnosticCollector &Collector, clang::Sema &S) {
  auto Mend = [&](clang::Decl *D) {
    if (D->isInvalidDecl() && llvm::is_contained(Collector.Accepted, D->getLocation()))
      D->setInvalidDecl(false);
  };
  for (clang::DeclContext *Context = S.CurContext; Context; Context = Context->getParent()) {
    if (auto *Function = llvm::dyn_cast<clang::FunctionDecl>(Context))
      Mend(Function);
    for (clang::Decl *D : Context->decls())
      Mend(D);
  }
  Collector.Accepted.clear();
}

struct LiftOptions {
  bool Tolerant = false;
  bool Partial = false;    ///< lift kernels with errors as far as they parse
  bool OwnOnly = false;    ///< only kernels of the main file and of what it includes
  bool HasPrelude = false; ///< texts of the tolerant parse are included
};

/// Lifts when the whole file has been parsed.
class LiftConsumer : public clang::ASTConsumer {
public:
  LiftConsumer(Module &M, DiagnosticCollector &Collector, clang::CompilerInstance &CI,
               const LiftOptions &Options, bool &Lifted)
      : M(M), Collector(Collector), CI(CI), Options(Options), Lifted(Lifted) {}
  /// Called when the parser begins; there is a Sema then.
  void Initialize(clang::ASTContext &) override {
    Collector.AcceptsVendorCode = Options.Tolerant;
    CI.getPreprocessor().setTokenWatcher([this](const clang::Token &T) {
      Collector.Last = T.getLocation();
      if (!Collector.Accepted.empty() && CI.hasSema())
        revalidate(Collector, CI.getSema());
    });
  }
  void HandleTranslationUnit(clang::ASTContext &Ctx) override {
    if (Collector.getNumErrors() && !Options.Tolerant)
      return;
    const clang::SourceManager &SM = Ctx.getSourceManager();
    liftInto(Ctx, M, [&](const clang::FunctionDecl *FD) { return isLeftOut(FD, SM); });
    for (clang::SourceLocation L : Collector.LocalsInBlocks)
      addLocalInBlock(SM, L, M);
    if (Options.HasPrelude)
      addEarlyCalls(Ctx, M);
    if (Collector.LocalsMoved)
      M.Notes.push_back(
          "local variables of functions and blocks are taken as variables of their kernels");
    if (Collector.LocalsSet)
      M.Notes.push_back("local variables cannot be initialised: their values are left out");
    if (Collector.Samplers)
      M.Notes.push_back("samplers of the program are taken as const");
    if (Collector.IsMain)
      M.Notes.push_back("OpenCL C allows no kernel 'main'");
    markBrokenKernels(SM);
    if (Options.Tolerant)
      addHeaders(SM);
    Lifted = true;
  }

private:
  Module &M;
  DiagnosticCollector &Collector;
  clang::CompilerInstance &CI;
  LiftOptions Options;
  bool &Lifted;
  std::map<std::string, std::vector<unsigned>> Broken; ///< kernels with the offsets of their errors

  /// The function is not lifted: it is a kernel of another file, or it has errors.
  bool isLeftOut(const clang::FunctionDecl *FD, const clang::SourceManager &SM) {
    // Files that are included before this one may have kernels.
    clang::FileID File = SM.getFileID(SM.getExpansionLoc(FD->getLocation()));
    while (Options.OwnOnly && File.isValid() && File != SM.getMainFileID())
      File = SM.getFileID(SM.getIncludeLoc(File));
    if (File.isInvalid() && FD->hasAttr<clang::OpenCLKernelAttr>())
      return true;
    if (Collector.ErrorOffsets.empty())
      return false;
    clang::SourceLocation B = SM.getExpansionLoc(FD->getBeginLoc()),
                          E = SM.getExpansionLoc(FD->getEndLoc());
    if (!SM.isInMainFile(B) || !SM.isInMainFile(E))
      return false;
    unsigned Begin = SM.getFileOffset(B), End = SM.getFileOffset(E);
    auto Inside = [&](unsigned O) { return O >= Begin && O <= End; };
    size_t Hits = llvm::count_if(Collector.ErrorOffsets, Inside);
    if (!Hits || !FD->hasAttr<clang::OpenCLKernelAttr>())
      return Hits != 0;
    // With an error in every sixth line, the rest is no longer that kernel.
    size_t Lines = SM.getExpansionLineNumber(E) - SM.getExpansionLineNumber(B) + 1;
    if (!Options.Partial || Hits > std::max<size_t>(3, Lines / 6)) {
      M.Notes.push_back("kernel " + FD->getName().str() + " left out: it did not parse");
      return true;
    }
    for (unsigned Offset : Collector.ErrorOffsets)
      if (Inside(Offset))
        Broken[FD->getName().str()].push_back(Offset);
    return false;
  }

  /// Adds the headers with values that the host may override (Guesses.h), which no place of the
  /// kernels needs.
  void addHeaders(const clang::SourceManager &SM) {
    std::map<std::string, StringRef> Headers;
    for (auto I = SM.fileinfo_begin(); I != SM.fileinfo_end(); ++I)
      if (std::optional<StringRef> Text = I->second->getBufferDataIfLoaded();
          Text && Text->contains("#ifndef") && !I->first.getName().starts_with(BuiltInFolder))
        Headers.emplace(I->first.getName().str(), *Text);
    for (const auto &[Name, Text] : Headers)
      if (llvm::none_of(M.Files, [&](const SourceFile &F) { return F.Name == Name; }))
        M.Files.push_back({Name, Text.str()});
  }

  /// `uint p = f(4_X);`: Clang drops such an initialiser, and the variable looks as if it had none.
  void makeUnknown(Kernel &K, llvm::ArrayRef<unsigned> Offsets) {
    StringRef Text = M.Files[0].Text;
    walk(K.Body, [&](Stmt *S) {
      if (S->K != StmtKind::Decl || !S->V || S->E || S->Range.File != 0)
        return true;
      size_t End = Text.find(';', S->Range.Begin);
      bool Broken = llvm::any_of(
          Offsets, [&](unsigned Offset) { return Offset >= S->Range.Begin && Offset < End; });
      if (Broken && S->V->Ty->isValue()) {
        Expr *Unknown = M.newExpr(ExprKind::Opaque, S->V->Ty, S->Range);
        Unknown->Text = "text that did not parse";
        S->E = Unknown;
      }
      return true;
    });
  }

  /// Marks the errors of kernels that were lifted in part as opaque.
  void markBrokenKernels(const clang::SourceManager &SM) {
    for (const auto &[Name, Offsets] : Broken)
      for (auto &K : M.Kernels)
        if (K->Name == Name) {
          makeUnknown(*K, Offsets);
          for (unsigned Offset : Offsets) {
            SourceRange At;
            At.Begin = Offset;
            At.End = Offset + 1;
            K->Opaques.push_back({"text that did not parse", At});
            if (Collector.DoubleOffsets.count(Offset))
              K->Opaques.push_back({"vectors of float with double", At});
          }
          unsigned Line = SM.getLineNumber(SM.getMainFileID(), Offsets.front());
          M.Notes.push_back("kernel " + Name + " is seen in part: line " + std::to_string(Line) +
                            " did not parse");
        }
  }
};

class LiftAction : public clang::ASTFrontendAction {
public:
  LiftAction(Module &M, DiagnosticCollector &Collector, const LiftOptions &Options, bool &Lifted)
      : M(M), Collector(Collector), Options(Options), Lifted(Lifted) {}
  /// `long long` is reserved, and 128 bits wide for Clang; vendors whose compilers accept it make
  /// it 64 bits wide.
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    if (Options.Tolerant)
      CI.getTarget().LongLongWidth = CI.getTarget().LongLongAlign = 64;
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &CI,
                                                        StringRef) override {
    return std::make_unique<LiftConsumer>(M, Collector, CI, Options, Lifted);
  }

private:
  Module &M;
  DiagnosticCollector &Collector;
  LiftOptions Options;
  bool &Lifted;
};

std::string builtInHeader(StringRef Name) { return (ResourceDir + "/include/" + Name).str(); }

/// The arguments of -cc1. Prelude: the text of the built-in header prelude.h, which is included
/// unless it is empty.
std::vector<std::string> commandLine(StringRef FileName, StringRef Text, const ClangArguments &A,
                                     llvm::ArrayRef<std::string> Extra, StringRef Std,
                                     StringRef Triple, bool Tolerant, bool Limit,
                                     std::string &Prelude) {
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
                                   "-nostdsysteminc", // those are the host's headers
                                   "-internal-isystem",
                                   (ResourceDir + "/include").str(),
                                   "-ferror-limit",
                                   Limit ? "100" : "0"};
  auto Include = [&](std::string Path) {
    Args.push_back("-include");
    Args.push_back(std::move(Path));
  };
  // Every device defines its OpenCL version; Clang leaves the macro to the device.
  StringRef Version = Std;
  if (Version.consume_front_insensitive("CL") && !Version.empty())
    Args.push_back("-D__OPENCL_VERSION__=" + Version.take_front(1).str() +
                   (Version.size() > 2 ? Version.substr(2, 1).str() : "0") + "0");
  // Clang's target has every extension; those of AMD and Intel are on none of the GPUs that are
  // judged here, and code under their names is for other devices. Intel's functions stay declared:
  // code that calls them without a condition parses.
  Args.push_back("-cl-ext=-cl_amd_media_ops,-cl_amd_media_ops2");
  for (StringRef Foreign : {"cl_intel_subgroups", "cl_intel_subgroups_short",
                            "cl_intel_device_side_avc_motion_estimation"})
    Args.push_back("-U" + Foreign.str());
  // OpenCL C has `__asm__` only; legacy code uses `asm` where its vendor's compiler accepted it.
  if (Text.contains("asm"))
    Args.push_back("-fgnu-keywords");
  if (Tolerant)
    Args.push_back("-Wno-error=implicit-int"); // __global *buffer
  if (!A.SuggestNames)
    Args.push_back("-fno-spell-checking");
  if (Tolerant && !A.Partial)
    Args.push_back("-fno-recovery-ast"); // Clang 19 crashes on its recovery nodes in vector casts
  if (llvm::any_of(Extra, [](StringRef E) { return E.ends_with("=" + SamplerName.str()); }))
    Include(builtInHeader("sampler.h"));
  if (llvm::any_of(Extra, [](StringRef E) { return E.contains(UnknownName); }))
    Args.push_back("-D" + UnknownName.str() + "=((int)native_exp2((float)get_global_id(0)))");
  if (A.DeclareVendorBuiltins)
    Include(builtInHeader("vendor.h"));
  Args.insert(Args.end(), A.Pass.begin(), A.Pass.end());
  for (size_t I = 0; I < Extra.size(); ++I) {
    if (Extra[I] == PreludeOption && I + 1 < Extra.size())
      Prelude += Extra[++I] + "\n";
    else
      Args.push_back(Extra[I]);
  }
  if (!Prelude.empty())
    Include(builtInHeader("prelude.h"));
  for (const SiblingFile &B : A.Before)
    Include(B.Path);
  Args.push_back(FileName.str());
  return Args;
}

/// The file system of a parse: the built-in headers and the changed texts, over the real files.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
parseFiles(StringRef FileName, StringRef Text, const ClangArguments &A,
           llvm::ArrayRef<std::string> Extra, StringRef Prelude) {
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(fileSystem());
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (auto Directory = llvm::vfs::getRealFileSystem()->getCurrentWorkingDirectory())
    Memory->setCurrentWorkingDirectory(*Directory);
  Memory->addFile(builtInHeader("opencl-c-base.h"), 0,
                  llvm::MemoryBuffer::getMemBuffer(StringRef(BaseHeader, sizeof(BaseHeader) - 1)));
  if (A.DeclareVendorBuiltins)
    Memory->addFile(builtInHeader("vendor.h"), 0,
                    llvm::MemoryBuffer::getMemBuffer(vendorBuiltinsHeader()));
  Memory->addFile(builtInHeader("sampler.h"), 0,
                  llvm::MemoryBuffer::getMemBufferCopy("__constant sampler_t " + SamplerName.str() +
                                                       " = 16;\n"));
  if (!Prelude.empty())
    Memory->addFile(builtInHeader("prelude.h"), 0, llvm::MemoryBuffer::getMemBufferCopy(Prelude));
  for (StringRef Name : A.Empty)
    Memory->addFile(llvm::sys::path::is_absolute(Name) ? Name.str() : builtInHeader(Name), 0,
                    llvm::MemoryBuffer::getMemBuffer(""));
  // A given macro wins over a #define in a sibling file, which is one of several settings.
  llvm::StringSet<> Given;
  for (llvm::ArrayRef<std::string> From : {llvm::ArrayRef<std::string>(A.Pass), Extra})
    for (size_t I = 0; I < From.size(); ++I)
      if (StringRef Arg = From[I]; Arg.consume_front("-D"))
        Given.insert(wordAt(Arg.empty() && I + 1 < From.size() ? StringRef(From[I + 1]) : Arg));
  for (const SiblingFile &B : A.Before)
    Memory->addFile(B.Path, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(withoutDefines(B.Text, Given), B.Path));
  for (const IncludedFile &H : A.Replaced)
    Memory->addFile(H.Path, 0, llvm::MemoryBuffer::getMemBufferCopy(H.Text, H.Path));
  Memory->addFile(FileName, 0, llvm::MemoryBuffer::getMemBufferCopy(Text, FileName));
  Overlay->pushOverlay(Memory);
  return Overlay;
}

/// Options of Clang that -cc1 knows and the parse accepts.
bool isLanguageOption(StringRef Arg) {
  return Arg == "-cl-single-precision-constant" || Arg == "-cl-fast-relaxed-math" ||
         Arg == "-cl-mad-enable" || Arg == "-cl-opt-disable" || Arg == "-cl-finite-math-only" ||
         Arg == "-cl-unsafe-math-optimizations" || Arg == "-cl-no-signed-zeros" ||
         Arg == "-cl-denorms-are-zero" || Arg == "-cl-strict-aliasing" ||
         Arg == "-cl-kernel-arg-info" || Arg == "-cl-fp32-correctly-rounded-divide-sqrt" ||
         Arg == "-cl-uniform-work-group-size" || Arg.starts_with("-cl-ext=");
}

/// -std=CL1.2, -std=clc++2021: no standard of the host's language.
bool isKernelStandard(StringRef Arg) {
  return Arg.consume_front("-std=") && Arg.starts_with_insensitive("cl");
}

} // namespace

ClangArguments readArguments(llvm::ArrayRef<std::string> Args) {
  ClangArguments A;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    auto Next = [&]() -> std::string { return I + 1 < Args.size() ? Args[++I] : std::string(); };
    if (Arg.consume_front("-cl-std=") || (isKernelStandard(Arg) && Arg.consume_front("-std=")))
      A.Std = Arg.str();
    else if (Arg.starts_with("-std="))
      continue; // of the host's compiler
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
    } else if (isLanguageOption(Arg)) {
      if (Arg != "-cl-opt-disable" && Arg != "-cl-kernel-arg-info" &&
          Arg != "-cl-strict-aliasing" && Arg != "-cl-mad-enable")
        A.Pass.push_back(Arg.str());
    } else if (Arg.starts_with("-")) {
      A.Dropped.push_back(Arg.str());
    }
  }
  return A;
}

ClangParse parseOnce(StringRef FileName, StringRef Text, const ClangArguments &A,
                     llvm::ArrayRef<std::string> Extra, StringRef Std, StringRef Triple,
                     bool Tolerant, bool Limit) {
  BudgetPause NoExceptions; // they must not cross Clang
  ++Work.Parses;
  ClangParse Result;
  Result.M = std::make_unique<Module>();
  DiagnosticCollector Collector(Result.Diagnostics);
  clang::CompilerInstance CI;

  std::string Prelude;
  std::vector<std::string> Args =
      commandLine(FileName, Text, A, Extra, Std, Triple, Tolerant, Limit, Prelude);
  std::vector<const char *> Pointers;
  for (const std::string &S : Args)
    Pointers.push_back(S.c_str());
  auto Engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions(),
                                                           &Collector, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(CI.getInvocation(), Pointers, *Engine)) {
    Result.Errors = std::max(1u, Collector.getNumErrors());
    Result.M.reset();
    return Result;
  }

  CI.createDiagnostics(&Collector, /*ShouldOwnClient=*/false);
  CI.createFileManager(parseFiles(FileName, Text, A, Extra, Prelude));
  CI.getFrontendOpts().DisableFree = false;
  CI.getDiagnosticOpts().ShowCarets = false; // or Clang prints the number of errors on stderr
  bool Lifted = false;
  LiftAction Action(
      *Result.M, Collector,
      {Tolerant, A.Partial, /*OwnOnly=*/!A.Before.empty(), /*HasPrelude=*/!Prelude.empty()},
      Lifted);
  // Clang may crash on code that parses in part; only this parse is lost then.
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext Recovery;
  if (!Recovery.RunSafely([&] { CI.ExecuteAction(Action); })) {
    Lifted = false;
    Collector.addCrash(CI.getSourceManager());
    Result.Errors = 1;
  }
  Result.Errors = std::max(Result.Errors, Collector.getNumErrors());
  Result.Fatal = Collector.Fatal;
  Result.Accepted = Collector.NumAccepted;
  if (!Lifted)
    Result.M.reset();
  else
    Result.M->Files[0].Name = FileName.str();
  return Result;
}

bool mayDifferFromStrict(StringRef Text) {
  return Text.contains("cl_amd_media_ops") || Text.contains("long long");
}

bool isInBaseHeader(StringRef Name) {
  static const llvm::StringSet<> Words = [] {
    llvm::StringSet<> Result;
    auto IsWord = [](char C) { return isNameChar(C); };
    StringRef Rest(BaseHeader, sizeof(BaseHeader) - 1);
    while (!(Rest = Rest.drop_until(IsWord)).empty()) {
      Result.insert(Rest.take_while(IsWord));
      Rest = Rest.drop_while(IsWord);
    }
    return Result;
  }();
  return Words.contains(Name);
}

ParseResult toResult(ClangParse &&P, StringRef Std) {
  ParseResult R;
  R.M = std::move(P.M);
  R.Diagnostics = std::move(P.Diagnostics);
  R.Dialect = Std.str();
  return R;
}

} // namespace clmali::model
