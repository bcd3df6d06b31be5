//===-- checks/model/host/summary/CallSummaryBuilder.cpp - Summary of an AST --------===//

#include "checks/model/host/summary/CallSummaryBuilder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

static std::string fileName(FileID ID, const SourceManager &SM) {
  auto Ref = SM.getFileEntryRefForID(ID);
  return sys::path::remove_leading_dotslash(Ref ? Ref->getName() : "<unknown>").str();
}

std::string CallSummaryBuilder::locationOf(const Decl *D) const {
  const SourceManager &SM = Ctx.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(D->getLocation()));
  return fileName(File, SM) + ":" + utostr(Offset) + ":" +
         utostr(SM.getFileOffset(SM.getSpellingLoc(D->getLocation())));
}

/// \p Given: the number of arguments of a call, for a declaration without prototype.
HostName CallSummaryBuilder::nameOf(const FunctionDecl *F, std::optional<unsigned> Given) const {
  F = F->getCanonicalDecl();
  auto [At, New] = Names.try_emplace(F);
  if (New) {
    HostName &N = At->second;
    if (!F->isExternallyVisible() || F->isMain()) {
      N.Name = "at " + locationOf(F);
    } else {
      bool InC = !Ctx.getLangOpts().CPlusPlus || F->isExternC();
      N.Name = InC ? F->getNameAsString() + "()" : F->getQualifiedNameAsString();
      for (const ParmVarDecl *P : F->parameters())
        if (!InC)
          N.Types += P->getType().getCanonicalType().getAsString(Ctx.getPrintingPolicy()) + ",";
    }
  }
  HostName N = At->second;
  bool HasParameters = F->hasPrototype() || F->isThisDeclarationADefinition() || !Given;
  if (!StringRef(N.Name).starts_with("at "))
    N.Name += "/" + utostr(HasParameters ? F->getNumParams() : *Given);
  return N;
}

HostName CallSummaryBuilder::nameOf(const Expr *Call) const {
  const auto *C = dyn_cast<CallExpr>(Call);
  const FunctionDecl *F = C ? calleeOf(C) : nullptr;
  return F ? nameOf(F, C->getNumArgs()) : HostName();
}

uint32_t CallSummaryBuilder::indexOf(const FunctionDecl *F) const {
  auto At = Indices.find(F);
  return At == Indices.end() ? ~0u : At->second;
}

bool CallSummaryBuilder::namesDevices(const Stmt *Call, const Stmt *Loop) const {
  const SourceManager &SM = Ctx.getSourceManager();
  const Stmt *Body = nullptr;
  if (const auto *For = dyn_cast<ForStmt>(Loop))
    Body = For->getBody();
  else if (const auto *Range = dyn_cast<CXXForRangeStmt>(Loop))
    Body = Range->getBody();
  auto Text = [&](SourceLocation Begin, SourceLocation End) { // up to End
    return Lexer::getSourceText(
        CharSourceRange::getCharRange(SM.getExpansionLoc(Begin), SM.getExpansionLoc(End)), SM,
        Ctx.getLangOpts());
  };
  StringRef Head = Body ? Text(Loop->getBeginLoc(), Body->getBeginLoc()) : StringRef();
  return Head.contains_insensitive("dev") || Head.contains_insensitive("gpu") ||
         Head.contains_insensitive("queue") ||
         Text(Call->getBeginLoc(), Call->getEndLoc()).contains_insensitive("devic");
}

std::optional<std::string> CallSummaryBuilder::text(StringRef File) const {
  auto At = Files.find(File);
  return At == Files.end()
             ? std::nullopt
             : std::optional(Ctx.getSourceManager().getBufferData(At->second.second).str());
}

void CallSummaryBuilder::begin(CallSummary &O) {
  const SourceManager &SM = Ctx.getSourceManager();
  auto FileIndex = [&](FileID ID) {
    auto [At, New] = Files.try_emplace(fileName(ID, SM), O.Files.size(), ID);
    if (New)
      O.Files.push_back(At->first().str());
    return At->second.first;
  };
  FileIndex(SM.getMainFileID());
  for (const FunctionDecl *F : Flow.functions()) {
    Indices[F] = O.Functions.size();
    CallSummary::Function &Out = O.Functions.emplace_back();
    const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
    Out.Is = nameOf(Pattern ? Pattern : F, std::nullopt);
    Out.At = locationOf(F);
    SourceLocation Name = SM.getExpansionLoc(F->getLocation());
    if (SM.isInMainFile(Name))
      Out.NameAt = SM.getFileOffset(Name);
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    auto AddBases = [&](const CXXMethodDecl *M, auto &&Self) -> void {
      for (const CXXMethodDecl *Base : M->overridden_methods()) {
        Out.Overrides.push_back(nameOf(Base, std::nullopt));
        Self(Base, Self);
      }
    };
    if (Method)
      AddBases(Method, AddBases);
    else if (F->getDeclName().isIdentifier())
      Out.Aliases.push_back("? " + F->getNameAsString());
    Out.Effects = (F->isMain() ? CallSummary::IsMain : 0) |
                  (StringRef(Out.Is.Name).starts_with("at ") ? CallSummary::IsInternal : 0) |
                  (Loops.makesContextOrQueue(F) ? CallSummary::MakesContext : 0) |
                  (Loops.enqueuesWork(F->getBody()) ? CallSummary::EnqueuesWork : 0) |
                  (Loops.launches(F->getBody()) ? CallSummary::LaunchesKernels : 0);
    Out.Gl = Passes.ofFunction(F);
  }
  auto Add = [&](HostName To, const Expr *Run) {
    CallSummary::CallSite &R = O.CallSites.emplace_back();
    R.To = std::move(To);
    R.From = indexOf(Flow.functionOf(Run));
    auto RangeOf = [&](const Stmt *S) {
      SourceLocation Last = S->getEndLoc();
      auto [File, Begin] = SM.getDecomposedLoc(SM.getFileLoc(S->getBeginLoc()));
      while (Last.isMacroID())
        Last = SM.isMacroArgExpansion(Last) ? SM.getImmediateSpellingLoc(Last)
                                            : SM.getImmediateExpansionRange(Last).getEnd();
      auto [EndFile, End] = SM.getDecomposedLoc(Last);
      End += Lexer::MeasureTokenLength(Last, SM, Ctx.getLangOpts());
      return std::tuple(File, Begin, File == EndFile && End > Begin ? End : Begin + 1);
    };
    auto [File, Begin, End] = RangeOf(Run);
    R.File = FileIndex(File);
    R.Begin = Begin;
    R.End = End;
    R.OnlyOnce = Loops.whereMissing(Run);
    for (const Stmt *Loop : Loops.around(Run)) {
      CallSummary::Loop &L = R.Loops.emplace_back();
      std::tie(std::ignore, L.Begin, L.End) = RangeOf(Loop);
      L.Item = Loops.oncePerItem(Run, Loop);
      L.Devices = namesDevices(Run, Loop);
      L.Effects = (Loops.enqueuesWork(Loop) ? CallSummary::EnqueuesWork : 0) |
                  (Loops.launches(Loop) ? CallSummary::LaunchesKernels : 0);
      L.Gl = Passes.always(Loop);
    }
    R.GlAround = Passes.around(Run);
    R.Unconditional = Passes.isUnconditional(Run);
  };
  Flow.forEachRun([&](const FunctionDecl *F, const Expr *Run) {
    const auto *C = dyn_cast<CallExpr>(Run);
    Add(nameOf(F, C ? std::optional<unsigned>(C->getNumArgs()) : std::nullopt), Run);
  });
  Flow.forEachMissingCall(
      [&](StringRef Name, const Expr *Run) { Add({("? " + Name).str(), ""}, Run); });
  llvm::stable_sort(
      O.CallSites, [](const CallSummary::CallSite &A, const CallSummary::CallSite &B) {
        return std::tie(A.File, A.Begin, A.End, A.To) < std::tie(B.File, B.Begin, B.End, B.To);
      });
}

} // namespace clmali::model
