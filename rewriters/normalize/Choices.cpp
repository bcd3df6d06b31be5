//===-- rewriters/normalize/Choices.cpp - Branches that choose a value ----------------------===//
//
// Part of cleanup(), which runs last: short branches that only choose a value are easier to read as
// an expression, and compilers make the same of both.
//
//   before                              after
//   if (c) v = a; else v = b;           v = c ? a : b;
//   v = a; v = c ? b : v;               v = c ? b : a;
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"

namespace clmali::rewrite::normalization {

namespace {

class ChoiceMaker {
public:
  ChoiceMaker(Module &M) : M(M) {}
  void chooseValues(StmtList &B);
  void joinChoices(StmtList &B);
  unsigned changes() const { return Changes; }

private:
  Module &M;
  unsigned Changes = 0;
};

} // namespace

/// if (c) v = x; else v = y; becomes v = c ? x : y where that is short. v is a scalar, or one
/// component of a vector.
void ChoiceMaker::chooseValues(StmtList &B) {
  constexpr unsigned MaxNodes = 24;
  auto Set = [](const StmtList &Arm) -> const Stmt * {
    bool Sets = Arm.size() == 1 && Arm[0]->K == StmtKind::Assign && Arm[0]->E->Ty->isScalar() &&
                !mayFault(Arm[0]->E);
    return Sets ? Arm[0] : nullptr;
  };
  auto Nodes = [](const Expr *E) {
    unsigned N = 0;
    walk(E, [&](const Expr *X) { return (N += !isRead(X->K), true); });
    return N;
  };
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { chooseValues(Nested); });
    if (S->K != StmtKind::If || S->EarlyReturn || !S->E->Ty->isScalar())
      continue;
    const Stmt *Then = Set(S->Body), *Else = Set(S->Else);
    if (!Then || !Else || Then->V != Else->V || Then->LaneIdx != Else->LaneIdx ||
        Then->E->Ty != Else->E->Ty || Nodes(S->E) + Nodes(Then->E) + Nodes(Else->E) > MaxNodes)
      continue;
    S->E = M.select(S->E, Then->E, Else->E);
    S->K = StmtKind::Assign;
    S->V = Then->V;
    S->LaneIdx = Then->LaneIdx;
    llvm::append_range(S->Comments, Then->Comments);
    llvm::append_range(S->Comments, Else->Comments);
    S->Body.clear();
    S->Else.clear();
    ++Changes;
  }
}

/// v = x; v = c ? y : v; becomes v = c ? y : x.
void ChoiceMaker::joinChoices(StmtList &B) {
  auto Sets = [](const Stmt *S) {
    return (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->E && S->V->K == Var::Temp &&
           S->LaneIdx.empty() && S->E->Ty == S->V->Ty && mayDrop(S->E);
  };
  StmtList Kept;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { joinChoices(Nested); });
    Stmt *Last = Kept.empty() ? nullptr : Kept.back();
    auto IsLast = [&](const Expr *E) { return E->K == ExprKind::VarRef && E->V == S->V; };
    if (!Last || S->K != StmtKind::Assign || !Sets(S) || !Sets(Last) || Last->V != S->V ||
        S->E->K != ExprKind::Select ||
        llvm::count_if(exprs(S->E), [&](ExprAt X) { return IsLast(X.E); }) != 1 ||
        llvm::none_of(llvm::drop_begin(S->E->Ops), IsLast)) {
      Kept.push_back(S);
      continue;
    }
    Last->E = substitute(M, S->E, [&](const Expr *E) { return IsLast(E) ? Last->E : nullptr; });
    llvm::append_range(Last->Comments, S->Comments);
    ++Changes;
  }
  B = std::move(Kept);
}

unsigned chooseValues(Module &M, Kernel &K) {
  ChoiceMaker Maker(M);
  Maker.chooseValues(K.Body);
  Maker.joinChoices(K.Body);
  return Maker.changes();
}

} // namespace clmali::rewrite::normalization
