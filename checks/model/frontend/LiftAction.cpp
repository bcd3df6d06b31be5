//===-- checks/model/frontend/LiftAction.cpp - What Clang does with a kernel file ---===//
//
// Collects the diagnostics of a parse, accepts some that vendors' compilers do not report, and
// lifts the kernels when the whole file has been parsed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/LiftAction.h"
#include "checks/model/frontend/ClangParse.h"
#include "checks/model/frontend/RefusedCode.h"
#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/lift/Lifter.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include <map>

using llvm::StringRef;

namespace clmali::model {
namespace {

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
    liftInto(
        Ctx, M, [&](const clang::FunctionDecl *FD) { return isLeftOut(FD, SM); },
        /*WithCalls=*/!Options.Tolerant);
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
    addMacros(CI.getPreprocessor());
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

  void addMacros(const clang::Preprocessor &PP) {
    M.DefinedMacros.emplace();
    for (const auto &[Name, State] : PP.macros())
      for (const clang::MacroDirective *D = PP.getLocalMacroDirectiveHistory(Name); D;
           D = D->getPrevious())
        if (D->getKind() == clang::MacroDirective::MD_Define)
          M.DefinedMacros->insert(Name->getName().str());
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

} // namespace

void DiagnosticCollector::addCrash(const clang::SourceManager &SM) {
  Fatal = true;
  clang::PresumedLoc P =
      Last.isValid() ? SM.getPresumedLoc(SM.getExpansionLoc(Last)) : clang::PresumedLoc();
  if (P.isValid())
    To.push_back({P.getFilename(), P.getLine(), P.getColumn(), true, ParserCrash.str()});
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                                           const clang::Diagnostic &Info) {
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

bool DiagnosticCollector::accept(const clang::Diagnostic &Info) {
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

std::unique_ptr<clang::FrontendAction> makeLiftAction(Module &M, DiagnosticCollector &Collector,
                                                      const LiftOptions &Options, bool &Lifted) {
  return std::make_unique<LiftAction>(M, Collector, Options, Lifted);
}

} // namespace clmali::model
