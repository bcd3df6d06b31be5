//===-- checks/model/host/ArgumentReader.cpp - Arguments of API calls --------------===//

#include "checks/model/host/ArgumentReader.h"
#include "checks/model/host/values/Frames.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

std::optional<std::string> ArgumentReader::anyOptions(const clang::Expr *E, const clang::Expr *At) {
  const auto *Pointer = E->getType()->getAs<clang::PointerType>();
  if (!(Pointer && Pointer->getPointeeType()->isCharType()) && !E->getType()->isRecordType())
    return std::nullopt;
  if (const auto *C = dyn_cast<ConditionalOperator>(plain(E))) {
    std::optional<std::string> One = Known.options(C->getTrueExpr()),
                               Other = Known.options(C->getFalseExpr());
    return One && Other ? std::optional(*One + " " + *Other) : std::nullopt;
  }
  std::set<std::string> All;
  bool Every = true;
  forEachFrame(Flow, At, [&](const HostFrame *Frame) {
    std::optional<std::string> One = Frame ? Known.options(E, Frame) : std::nullopt;
    Every &= One.has_value();
    if (One)
      All.insert(*One);
  });
  return Every ? std::optional(join(All, " ")) : std::nullopt;
}

HostArgument ArgumentReader::argument(const clang::Expr *E) {
  HostArgument A;
  if (!isa<CXXDefaultArgExpr>(E))
    A.Range = Locations.range(E->getSourceRange());
  A.Text = StringRef(M.Files[A.Range.File].Text).slice(A.Range.Begin, A.Range.End).str();
  A.Value = Known.integer(E);
  auto IsWhole = [&] { return A.Options && !StringRef(*A.Options).contains('\2'); };
  A.Options = Known.options(E);
  bool IsOne = IsWhole();
  if (!IsOne)
    A.Options = anyOptions(E, E);
  if (!IsWhole())
    A.Options = std::nullopt;
  if (IsOne && !StringRef(*A.Options).contains('\1'))
    A.String = A.Options;
  A.Type = E->getType().getAsString(Ctx.getPrintingPolicy());
  A.IsNull = Known.isNull(E, nullptr);
  Visited Seen;
  addMacros(E, A, Seen);
  return A;
}

/// Adds the macros that were expanded below S; variables are followed to their values.
void ArgumentReader::addMacros(const clang::Stmt *S, HostArgument &A, Visited &Seen) {
  if (!S)
    return;
  for (SourceLocation L = S->getBeginLoc(); L.isMacroID();) {
    std::string Name =
        Lexer::getImmediateMacroName(L, Ctx.getSourceManager(), Ctx.getLangOpts()).str();
    SourceLocation Up = Ctx.getSourceManager().getImmediateMacroCallerLoc(L);
    if (!is_contained(A.Macros, Name))
      A.Macros.push_back(Name);
    if (!Up.isMacroID() &&
        Ctx.getSourceManager().getFileID(Up) == Ctx.getSourceManager().getMainFileID()) {
      SourceRange R = Locations.range(clang::SourceRange(Up, Up));
      bool Listed = any_of(A.MacroPlaces, [&](const auto &P) {
        return P.first == Name && P.second.Begin == R.Begin;
      });
      if (!Listed && StringRef(M.Files[R.File].Text).slice(R.Begin, R.End) == Name)
        A.MacroPlaces.emplace_back(Name, R);
    }
    L = Up;
  }
  if (const auto *R = dyn_cast<DeclRefExpr>(S))
    addMacrosOf(R->getDecl(), A, Seen);
  else if (const auto *Mem = dyn_cast<MemberExpr>(S))
    addMacrosOf(Mem->getMemberDecl(), A, Seen);
  for (const clang::Stmt *Child : S->children())
    addMacros(Child, A, Seen);
}

void ArgumentReader::addMacrosOf(const ValueDecl *D, HostArgument &A, Visited &Seen) {
  if (!D)
    return;
  D = cast<ValueDecl>(D->getCanonicalDecl());
  if (!Seen.insert(D).second)
    return;
  if (const auto *P = dyn_cast<ParmVarDecl>(D); P && D->getType()->isIntegralOrEnumerationType()) {
    const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
    size_t Before = A.Macros.size();
    for (const CallExpr *C : F ? Flow.callsOf(F) : ArrayRef<const CallExpr *>())
      if (P->getFunctionScopeIndex() < C->getNumArgs() && !isa<CXXOperatorCallExpr>(C))
        addMacros(C->getArg(P->getFunctionScopeIndex()), A, Seen);
    A.FromCallers |= A.Macros.size() != Before;
  }
  // Only integers (flags): to follow all variables would visit the whole program.
  if (!D->getType()->isIntegralOrEnumerationType())
    return;
  for (const HostWrite &W : Flow.writes(D))
    if (W.Value)
      addMacros(W.Value, A, Seen);
}

std::vector<std::string> ArgumentReader::macrosOf(const clang::Expr *E) {
  HostArgument A;
  Visited Seen;
  addMacros(E, A, Seen);
  return A.Macros;
}

bool usesHostPointer(const CXXConstructExpr *C, const HostValues &Known) {
  const CXXConstructorDecl *F = C->getConstructor();
  for (unsigned I = 0; I < C->getNumArgs() && I < F->getNumParams(); ++I)
    if (F->getParamDecl(I)->getName() == "useHostPtr" && !isa<CXXDefaultArgExpr>(C->getArg(I))) {
      std::optional<int64_t> V = Known.integer(C->getArg(I));
      return V && *V;
    }
  return false;
}

} // namespace clmali::model
