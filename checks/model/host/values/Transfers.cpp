//===-- checks/model/host/values/Transfers.cpp - Copies between host and GPU --------===//

#include "checks/model/host/values/Transfers.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

static bool isTransfer(StringRef Name) {
  for (StringRef Head : {"clEnqueueRead", "clEnqueueWrite", "clEnqueueMap", "enqueueRead",
                         "enqueueWrite", "enqueueMap"})
    if (Name.starts_with(Head))
      return Name != "enqueueMapSVM";
  return false;
}

bool blocks(ArrayRef<const Expr *> Args, StringRef Name, const HostValues &Known) {
  unsigned Flag;
  if (Name.starts_with("clEnqueueSVMM") || Name.starts_with("enqueueMapSVM"))
    Flag = 1;
  else if (Name.starts_with("clEnqueueRead") || Name.starts_with("clEnqueueWrite") ||
           Name.starts_with("clEnqueueMap"))
    Flag = 2;
  else if (Name.starts_with("enqueueRead") || Name.starts_with("enqueueWrite") ||
           Name.starts_with("enqueueMap"))
    Flag = 1;
  else
    return false;
  if (Flag >= Args.size())
    return false;
  std::optional<int64_t> V = Known.integer(Args[Flag]);
  return V && *V != 0;
}

bool blocksByCallers(const Expr *E, ArrayRef<const Expr *> Args, StringRef Name,
                     const HostFlow &Flow, const HostValues &Known) {
  unsigned Flag = Name.starts_with("cl") ? 2 : 1;
  if (!isTransfer(Name) || Flag >= Args.size() || !isa_and_nonnull<ParmVarDecl>(declOf(Args[Flag])))
    return false;
  bool All = true;
  forEachFrame(Flow, E, [&](const HostFrame *Frame) {
    std::optional<int64_t> V = Frame ? Known.integer(Args[Flag], Frame) : std::nullopt;
    All &= V && *V != 0;
  });
  return All;
}

bool isOnlyTransferredAfter(const Expr *Pointer, const Expr *Call, const HostFlow &Flow,
                            const SourceManager &SM) {
  const Expr *P = Pointer->IgnoreParenCasts();
  if (const auto *Data = dyn_cast<CXXMemberCallExpr>(plain(P))) // v.data()
    P = Data->getImplicitObjectArgument();
  const auto *D = dyn_cast_or_null<VarDecl>(declOf(P));
  const FunctionDecl *F = Flow.functionOf(Call);
  if (!D || !D->isLocalVarDecl() || D->isStaticLocal() || !F || Flow.escapes(D) ||
      Flow.loopAround(Call))
    return false;
  unsigned Here = SM.getFileOffset(SM.getExpansionLoc(Call->getEndLoc()));
  bool Done = true;
  auto Visit = [&](const Stmt *S, bool Allowed, auto &&Self) -> void {
    if (!S)
      return;
    if (const auto *R = dyn_cast<DeclRefExpr>(S); R && declOf(R) == D && !Flow.isInside(R, Call))
      Done &= Allowed || SM.getFileOffset(SM.getExpansionLoc(R->getBeginLoc())) < Here;
    // A copy of the pointer also accesses the memory.
    if (const auto *X = dyn_cast<DeclStmt>(S))
      for (const Decl *One : X->decls())
        if (const auto *V = dyn_cast<VarDecl>(One); V && V != D && V->getInit() &&
                                                    V->getType()->isPointerType() &&
                                                    declOf(V->getInit()->IgnoreParenCasts()) == D)
          Done = false;
    bool Inside = Allowed;
    if (const auto *C = dyn_cast<CallExpr>(S)) {
      const FunctionDecl *Callee = calleeOf(C);
      StringRef Name = Callee && Callee->getDeclName().isIdentifier() ? Callee->getName() : "";
      Inside = Name == "free" || Name.starts_with("clEnqueueRead") ||
               Name.starts_with("clEnqueueWrite") || Name.starts_with("enqueueRead") ||
               Name.starts_with("enqueueWrite");
    }
    if (isa<CXXDeleteExpr>(S) || isa<UnaryExprOrTypeTraitExpr>(S))
      Inside = true;
    for (const Stmt *C : S->children())
      Self(C, Inside, Self);
  };
  Visit(F->getBody(), false, Visit);
  return Done;
}

} // namespace clmali::model
