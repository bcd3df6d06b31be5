//===-- checks/model/host/values/Reach.cpp - Reaching definitions of host variables --===//
//
// Walks from a use up through its parents, and back through the statements before each.
//
//===----------------------------------------------------------------------===//

#include "checks/model/host/values/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

namespace {

/// Control never continues after S.
bool leaves(const Stmt *S) {
  if (!S)
    return false;
  if (const auto *C = dyn_cast<CompoundStmt>(S))
    return !C->body_empty() && leaves(C->body_back());
  if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(S))
    return true;
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return false;
  E = plain(E);
  if (isa<CXXThrowExpr>(E))
    return true;
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? calleeOf(C) : nullptr;
  return F && (F->isNoReturn() || (F->getDeclName().isIdentifier() &&
                                   StringSwitch<bool>(F->getName())
                                       .Cases("exit", "abort", "_Exit", "quick_exit", true)
                                       .Default(false)));
}

/// The search for one use.
class ReachWalk {
public:
  using Condition = function_ref<std::optional<bool>(const Expr *)>;
  ReachWalk(const HostFlow &Flow, ArrayRef<const HostWrite *> All, const ValueDecl *D,
            Condition Cond)
      : Flow(Flow), All(All), D(D), Cond(Cond) {}
  HostFlow::Reach Result;

  void up(const Stmt *Use) {
    const Stmt *At = Use;
    for (const Stmt *P = Flow.parent(At); P; At = P, P = Flow.parent(P)) {
      if (before(P, At))
        return;
      if (const auto *Param = dyn_cast<ParmVarDecl>(D))
        if (const FunctionDecl *F = Flow.functionOf(P);
            F && Param->getDeclContext() == F && !Flow.parent(P))
          break;
    }
    Result.Entry = true;
  }

private:
  const HostFlow &Flow;
  ArrayRef<const HostWrite *> All;
  const ValueDecl *D;
  Condition Cond;

  SmallVector<const HostWrite *, 4> inside(const Stmt *S) const {
    SmallVector<const HostWrite *, 4> List;
    for (const HostWrite *W : All)
      if (W->At && Flow.isInside(W->At, S))
        List.push_back(W);
    return List;
  }
  void may(const Stmt *S) {
    if (S)
      for (const HostWrite *W : inside(S))
        if (!is_contained(Result.May, W))
          Result.May.push_back(W);
  }

  /// Adds the writes that P runs before its child At. True: a write that must reach is found.
  bool before(const Stmt *P, const Stmt *At) {
    if (isa<CompoundStmt>(P) || isa<DeclStmt>(P)) {
      const Stmt *Up = Flow.parent(P);
      bool InSwitch = Up && isa<SwitchStmt>(Up);
      SmallVector<const Stmt *, 16> Earlier;
      for (const Stmt *C : P->children()) {
        if (C == At)
          break;
        if (C)
          Earlier.push_back(C);
      }
      for (const Stmt *S : reverse(Earlier)) {
        if (InSwitch)
          may(S);
        else if (sequential(S))
          return true;
      }
      return false;
    }
    if (const auto *F = dyn_cast<ForStmt>(P)) {
      if (At == F->getInit())
        return false;
      may(F->getCond());
      may(F->getInc());
      may(F->getBody());
      return F->getInit() && sequential(F->getInit());
    }
    if (const auto *F = dyn_cast<CXXForRangeStmt>(P)) {
      if (At != F->getBody())
        return false;
      if (F->getLoopVariable() && F->getLoopVariable()->getCanonicalDecl() == D) {
        for (const HostWrite *W : All)
          if (W->At == F->getBody())
            Result.Must = W;
        return Result.Must != nullptr;
      }
      may(F->getBody());
      return false;
    }
    if (Flow.isLoop(P)) {
      may(P);
      return false;
    }
    if (const auto *I = dyn_cast<IfStmt>(P)) {
      if (At == I->getThen() || At == I->getElse()) {
        if (I->getCond() && sequential(I->getCond()))
          return true;
        return I->getInit() && sequential(I->getInit());
      }
      return false;
    }
    if (const auto *T = dyn_cast<CXXTryStmt>(P)) {
      if (At != T->getTryBlock())
        may(T->getTryBlock());
      return false;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(P);
        B && At == B->getRHS() && (B->isLogicalOp() || B->getOpcode() == BO_Comma))
      return sequential(B->getLHS());
    return false;
  }

  /// One of the writes of S is certain where S ran as a whole.
  bool isCertain(const Stmt *S) const {
    ReachWalk Alone(Flow, All, D, Cond);
    return Alone.sequential(S);
  }

  /// Adds the writes of S, which ran as a whole. True: one of them is certain.
  bool sequential(const Stmt *S) {
    SmallVector<const HostWrite *, 4> Ws = inside(S);
    if (Ws.empty())
      return false;
    if (const auto *C = dyn_cast<CompoundStmt>(S)) {
      SmallVector<const Stmt *, 16> Body(C->body_begin(), C->body_end());
      for (const Stmt *X : reverse(Body))
        if (sequential(X))
          return true;
      return false;
    }
    if (const auto *I = dyn_cast<IfStmt>(S)) {
      std::optional<bool> Known = I->getCond() ? Cond(I->getCond()) : std::nullopt;
      if (Known) {
        const Stmt *Branch = *Known ? I->getThen() : I->getElse();
        if (Branch && sequential(Branch))
          return true;
      } else {
        // A branch that leaves does not reach the use: where the other writes, it always does.
        bool ThenLeaves = leaves(I->getThen()), ElseLeaves = leaves(I->getElse());
        const Stmt *Only = ThenLeaves ? I->getElse() : ElseLeaves ? I->getThen() : nullptr;
        if (Only && !(ThenLeaves && ElseLeaves) && sequential(Only))
          return true;
        if (!Only && !ThenLeaves) {
          bool Always = I->getElse() && isCertain(I->getThen()) && isCertain(I->getElse());
          may(I->getThen());
          may(I->getElse());
          if (Always)
            return true;
        }
      }
      return sequential(I->getCond());
    }
    if (const auto *F = dyn_cast<ForStmt>(S)) {
      may(F->getBody());
      may(F->getInc());
      may(F->getCond());
      return F->getInit() && sequential(F->getInit());
    }
    if (const auto *Do = dyn_cast<DoStmt>(S); Do && !Flow.isLoop(S))
      return sequential(Do->getBody());
    if (const auto *T = dyn_cast<CXXTryStmt>(S))
      return sequential(T->getTryBlock());
    if (isa<WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(S)) {
      may(S);
      return false;
    }
    if (const auto *L = dyn_cast<LabelStmt>(S))
      return sequential(L->getSubStmt());
    // An expression or a declaration: the last write that is always evaluated.
    for (const HostWrite *W : reverse(Ws)) {
      bool Sometimes = false;
      const Stmt *Below = W->At;
      for (const Stmt *P = Flow.parent(Below); P && Below != S; Below = P, P = Flow.parent(P)) {
        if (const auto *C = dyn_cast<ConditionalOperator>(P))
          Sometimes |= Below != C->getCond();
        else if (const auto *B = dyn_cast<BinaryOperator>(P))
          Sometimes |= B->isLogicalOp() && Below == B->getRHS();
        else if (isa<LambdaExpr>(P) || isa<IfStmt>(P) || Flow.isLoop(P))
          Sometimes = true;
      }
      if (Sometimes) {
        if (!is_contained(Result.May, W))
          Result.May.push_back(W);
        continue;
      }
      Result.Must = W;
      return true;
    }
    return false;
  }
};

} // namespace

HostFlow::Reach HostFlow::reach(const ValueDecl *D, std::optional<uint64_t> Element,
                                const Stmt *Use,
                                function_ref<std::optional<bool>(const Expr *)> Condition) const {
  D = cast<ValueDecl>(D->getCanonicalDecl());
  SmallVector<const HostWrite *, 8> All;
  for (const HostWrite &W : writes(D))
    if (!W.Element || !Element || *W.Element == *Element)
      All.push_back(&W);
  ReachWalk W(*this, All, D, Condition);
  W.up(Use);
  return std::move(W.Result);
}

} // namespace clmali::model
