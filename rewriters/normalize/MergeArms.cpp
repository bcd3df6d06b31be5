//===-- rewriters/normalize/MergeArms.cpp - The same value in both arms -------------===//
//
// What it does: if the arms of a branch give a variable the same value under different conditions,
// one branch under the combined condition is left. Such branches are common after staging was
// removed: the loads of the halo and the other loads read one array.
//
//   before                                 after
//   if (l < 4) {                           if (l < 4 ? x - 4 >= 0 : x - 4 < w)
//     if (x - 4 >= 0) v = src[x - 4];        v = src[x - 4];
//     else v = 0;                          else
//   } else {                                 v = 0;
//     if (x - 4 < w) v = src[x - 4];
//     else v = 0;
//   }
//
// Limits: arms that only set one variable, under conditions without loads; two loads are the same
// if base and address are.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace clmali::rewrite {

using namespace model;

namespace {

/// The value of a variable: one expression, or one of two by a condition.
struct Choice {
  const Expr *Value = nullptr; ///< null: the others
  const Expr *Cond = nullptr;
  const Choice *Then = nullptr, *Else = nullptr;
};

class ArmMerger : KernelEditor {
public:
  explicit ArmMerger(const EditedKernel &E) : KernelEditor(E) {}
  unsigned run() {
    visit(K.Body);
    return Merged;
  }

private:
  std::deque<Choice> Pool;
  unsigned Merged = 0;

  using Values = llvm::DenseMap<const Var *, const Choice *>;

  const Choice *leaf(const Expr *E) {
    return &Pool.emplace_back(Choice{E, nullptr, nullptr, nullptr});
  }
  const Choice *node(const Expr *C, const Choice *T, const Choice *F) {
    return &Pool.emplace_back(Choice{nullptr, C, T, F});
  }

  static bool mentions(const Expr *E, const Values &Known) {
    bool Found = false;
    walk(E,
         [&](const Expr *X) { return !(Found |= X->K == ExprKind::VarRef && Known.count(X->V)); });
    return Found;
  }
  static bool pure(const Expr *E) {
    bool Ok = true;
    walk(E, [&](const Expr *X) { return Ok &= !isRead(X->K) && X->K != ExprKind::Opaque; });
    return Ok;
  }

  /// The variable that the last statement of B sets.
  static const Var *target(const StmtList &B) {
    const Stmt *S = B.empty() ? nullptr : B.back();
    if (!S)
      return nullptr;
    if (S->K == StmtKind::If)
      return target(S->Body);
    return S->K == StmtKind::Assign || S->K == StmtKind::Decl ? S->V : nullptr;
  }

  /// The value that B gives V, if it does nothing else; null: it does.
  const Choice *valueOf(const StmtList &B, const Var *V, unsigned Depth = 0) {
    Values Known; // V, and what is declared in B
    if (Depth > 8)
      return nullptr;
    llvm::DenseSet<const Var *> Own;
    for (const Stmt *S : B) {
      if (S->K == StmtKind::Decl && S->V->K == Var::Temp) {
        Own.insert(S->V);
        if (!S->E)
          continue;
      }
      if (S->K == StmtKind::Decl || S->K == StmtKind::Assign) {
        if ((S->V != V && !Own.count(S->V)) || !S->E || !S->LaneIdx.empty())
          return nullptr;
        auto Copy = S->E->K == ExprKind::VarRef ? Known.find(S->E->V) : Known.end();
        const Choice *C = Copy != Known.end() ? Copy->second : leaf(S->E);
        if (Copy == Known.end() && mentions(S->E, Known))
          return nullptr;
        Known[S->V] = C;
        continue;
      }
      const Var *To = S->K == StmtKind::If ? target(S->Body) : nullptr;
      if (!To || (To != V && !Own.count(To)) || !pure(S->E) || mentions(S->E, Known))
        return nullptr;
      const Choice *T = valueOf(S->Body, To, Depth + 1), *F = valueOf(S->Else, To, Depth + 1);
      if (!T || !F)
        return nullptr;
      bool Inner = false;
      for (const Choice *C : {T, F})
        Inner |= anyLeaf(C, [&](const Expr *E) { return mentions(E, Known); });
      if (Inner)
        return nullptr;
      Known[To] = node(S->E, T, F);
    }
    return Known.lookup(V);
  }

  template <class Test> static bool anyLeaf(const Choice *C, Test Has) {
    return C->Value ? Has(C->Value)
                    : Has(C->Cond) || anyLeaf(C->Then, Has) || anyLeaf(C->Else, Has);
  }
  static unsigned leaves(const Choice *C) {
    return C->Value ? 1 : leaves(C->Then) + leaves(C->Else);
  }

  bool same(const Expr *X, const Expr *Y) {
    if (equal(X, Y))
      return true;
    if (X->K != Y->K || X->Ty != Y->Ty || X->O != Y->O || X->Name != Y->Name ||
        X->Ops.size() != Y->Ops.size() || X->K == ExprKind::IntConst ||
        X->K == ExprKind::FloatConst || X->K == ExprKind::VarRef || X->LaneIdx != Y->LaneIdx)
      return false;
    if (X->K == ExprKind::Load)
      return X->Acc.Base == Y->Acc.Base && !X->Acc.Volatile && !Y->Acc.Volatile &&
             A.distance(X->Acc, Y->Acc) == 0;
    if (X->Ops.empty())
      return false;
    for (unsigned I = 0; I < X->Ops.size(); ++I)
      if (!same(X->Ops[I], Y->Ops[I]))
        return false;
    return true;
  }
  bool same(const Choice *X, const Choice *Y) {
    if (X->Value && Y->Value)
      return same(X->Value, Y->Value);
    return !X->Value && !Y->Value && equal(X->Cond, Y->Cond) && same(X->Then, Y->Then) &&
           same(X->Else, Y->Else);
  }

  const Expr *both(const Expr *X, const Expr *Y) { return M.binary(Op::LogicalAnd, X, Y); }
  const Expr *either(const Expr *X, const Expr *Y) { return M.binary(Op::LogicalOr, X, Y); }
  const Expr *negated(const Expr *X) { return M.unary(Op::LogicalNot, X); }

  const Choice *merge(const Choice *C) {
    if (C->Value)
      return C;
    const Choice *T = merge(C->Then), *F = merge(C->Else);
    if (same(T, F))
      return T;
    if (!T->Value && !F->Value) {
      if (same(T->Then, F->Then) && same(T->Else, F->Else))
        return node(equal(T->Cond, F->Cond) ? T->Cond : M.select(C->Cond, T->Cond, F->Cond),
                    T->Then, T->Else);
      if (same(T->Then, F->Else) && same(T->Else, F->Then))
        return node(M.select(C->Cond, T->Cond, negated(F->Cond)), T->Then, T->Else);
    } else if (!T->Value) {
      if (same(T->Then, F))
        return node(either(negated(C->Cond), T->Cond), T->Then, T->Else);
      if (same(T->Else, F))
        return node(both(C->Cond, T->Cond), T->Then, T->Else);
    } else if (!F->Value) {
      if (same(F->Then, T))
        return node(either(C->Cond, F->Cond), F->Then, F->Else);
      if (same(F->Else, T))
        return node(both(negated(C->Cond), F->Cond), F->Then, F->Else);
    }
    return node(C->Cond, T, F);
  }

  void emit(const Choice *C, Var *V, const Stmt *Like, StmtList &Into) {
    if (C->Value) {
      Stmt *S = M.newStmt(StmtKind::Assign, Like->Range);
      S->V = V;
      S->E = C->Value;
      Into.push_back(S);
      return;
    }
    Stmt *S = M.newStmt(StmtKind::If, Like->Range);
    S->E = C->Cond;
    emit(C->Then, V, Like, S->Body);
    emit(C->Else, V, Like, S->Else);
    Into.push_back(S);
  }

  void visit(StmtList &B) {
    StmtList Out;
    for (Stmt *S : B) {
      const Var *V = S->K == StmtKind::If && pure(S->E) ? target(S->Body) : nullptr;
      const Choice *T = V ? valueOf(S->Body, V) : nullptr, *F = T ? valueOf(S->Else, V) : nullptr;
      if (F) {
        const Choice *Before = node(S->E, T, F), *After = merge(Before);
        if (leaves(After) < leaves(Before)) {
          size_t At = Out.size();
          emit(After, const_cast<Var *>(V), S, Out);
          Out[At]->Comments = S->Comments;
          ++Merged;
          continue;
        }
      }
      forEachStmtList(*S, [&](StmtList &Nested) { visit(Nested); });
      Out.push_back(S);
    }
    B = std::move(Out);
  }
};

} // namespace

unsigned mergeArms(const EditedKernel &E) { return ArmMerger(E).run(); }

} // namespace clmali::rewrite
