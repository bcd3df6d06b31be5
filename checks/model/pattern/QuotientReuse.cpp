//===-- checks/model/pattern/QuotientReuse.cpp - A remainder next to its quotient ---===//

#include "checks/model/pattern/QuotientReuse.h"
#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::pattern {

std::optional<int64_t> laneConstant(const Expr *E) {
  if (E->K == ExprKind::Cast && E->C == CastOp::Splat && E->Ops[0]->Ty->isInteger())
    return constantValue(E->Ops[0]);
  return constantValue(E);
}

static bool isIntegerBinary(const Expr *E, Op O) {
  return E && E->K == ExprKind::Binary && E->O == O && E->Ty->isInteger() &&
         !laneConstant(E->Ops[1]);
}

static bool sameOperands(const Expr *A, const Expr *B) {
  return equal(A->Ops[0], B->Ops[0]) && equal(A->Ops[1], B->Ops[1]);
}

namespace {
class Finder {
public:
  Finder(QuotientReuse &Result, const StmtList &Body) : Result(Result) {
    for (const Stmt *S : stmts(Body))
      if (S->V && (S->K != StmtKind::Decl || S->E))
        ++Assignments[S->V];
    visit(Body);
  }

private:
  QuotientReuse &Result;
  llvm::DenseMap<const Var *, unsigned> Assignments;
  std::vector<Stmt *> InScope; ///< declarations that hold a quotient

  /// True if E has one value wherever its variables are in scope.
  bool isFixed(const Expr *E) const {
    return llvm::all_of(exprs(E), [&](ExprAt X) {
      if (X->K == ExprKind::VarRef)
        return Assignments.lookup(X->V) == (X->V->K == Var::Param ? 0u : 1u);
      return !isRead(X->K) && X->K != ExprKind::Opaque;
    });
  }

  bool holdsQuotient(const Stmt *S) const {
    return S->K == StmtKind::Decl && isIntegerBinary(S->E, Op::Div) && S->E->Ty == S->V->Ty &&
           Assignments.lookup(S->V) == 1 && isFixed(S->E);
  }

  /// B, with quotients before the remainders that stand directly before them.
  StmtList ordered(StmtList B) {
    for (size_t I = 0; I + 1 < B.size(); ++I)
      if (B[I]->K == StmtKind::Decl && B[I + 1]->K == StmtKind::Decl &&
          isIntegerBinary(B[I]->E, Op::Rem) && isIntegerBinary(B[I + 1]->E, Op::Div) &&
          isFixed(B[I]->E) && sameOperands(B[I]->E, B[I + 1]->E)) {
        Result.Swapped.emplace_back(B[I], B[I + 1]);
        std::swap(B[I], B[I + 1]);
      }
    return B;
  }

  void visit(const StmtList &Unordered) {
    size_t Outer = InScope.size();
    for (Stmt *S : ordered(Unordered)) {
      for (ExprAt X : exprs(*S))
        if (isIntegerBinary(X.E, Op::Rem))
          for (Stmt *Quotient : InScope)
            if (sameOperands(Quotient->E, X.E) && Quotient->V->Ty == X->Ty) {
              Result.QuotientOf.try_emplace({S, X.E}, Quotient);
              break;
            }
      if (holdsQuotient(S))
        InScope.push_back(S);
      forEachStmtList(*S, [&](StmtList &Nested) { visit(Nested); });
    }
    InScope.resize(Outer);
  }
};
} // namespace

QuotientReuse::QuotientReuse(const StmtList &Body) { Finder(*this, Body); }

bool QuotientReuse::involves(const Stmt *S, const Expr *E) const {
  return QuotientOf.count({S, E}) || llvm::any_of(QuotientOf, [&](const auto &Pair) {
           return Pair.second == S && Pair.second->E == E;
         });
}

} // namespace clmali::model::pattern
