//===-- rewriters/normalize/ShareValues.cpp - Values that are computed twice ----------------===//
//
// What it does: common subexpressions that are declared. They are frequent in unrolled loops and
// between the rows of a block:
//
//   before                              after
//   int yy = clamp(y - 1, 0, h - 1);    int yy = clamp(y - 1, 0, h - 1);
//   int xx = x - 1;                     int xx = x - 1;
//   s += a[yy * w + xx];                s += a[yy * w + xx];
//   int yy_2 = clamp(y - 1, 0, h - 1);
//   s += a[yy_2 * w + x];               s += a[yy * w + x];
//
// Limits: values without loads, declared with their only value. A whole value is taken, never a
// part of one: floating-point contraction stays as it is.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"

namespace clmali::rewrite {

using namespace model;

namespace {

class ValueSharer {
public:
  ValueSharer(Module &M, Kernel &K) : M(M), K(K) {
    walk(K.Body, [&](Stmt *S) {
      if (S->V && (S->K != StmtKind::Decl || S->E))
        ++Defs[S->V];
      return true;
    });
  }
  unsigned run() {
    visit(K.Body, {});
    if (Same.empty())
      return 0;
    llvm::erase_if(K.Vars, [&](Var *V) { return Same.count(V); });
    return Same.size();
  }

private:
  using Values = std::vector<std::pair<const Expr *, Var *>>;
  Module &M;
  Kernel &K;
  llvm::DenseMap<const Var *, unsigned> Defs;
  llvm::DenseMap<const Var *, Var *> Same;

  bool fixed(const Expr *E) {
    bool Ok = true;
    walk(E, [&](const Expr *X) {
      Ok &= !isRead(X->K) && X->K != ExprKind::Opaque &&
            (X->K != ExprKind::VarRef || Defs.lookup(X->V) == (X->V->K == Var::Param ? 0u : 1u));
      return Ok;
    });
    return Ok;
  }

  const Expr *replaced(const Expr *E) {
    return substitute(M, E, [&](const Expr *X) -> const Expr * {
      if (X->K != ExprKind::VarRef)
        return nullptr;
      auto It = Same.find(X->V);
      return It == Same.end() ? nullptr : M.ref(It->second);
    });
  }

  void visit(StmtList &B, Values Known) {
    StmtList Out;
    for (Stmt *S : B) {
      if (!Same.empty())
        mapExprs(M, *S, [&](const Expr *E) { return replaced(E); });
      bool Candidate = S->K == StmtKind::Decl && S->E && S->V->K == Var::Temp &&
                       S->LaneIdx.empty() && Defs.lookup(S->V) == 1 &&
                       S->E->K != ExprKind::IntConst && fixed(S->E);
      if (Candidate) {
        auto Earlier = llvm::find_if(Known, [&](const auto &P) {
          return P.second->Ty == S->V->Ty && P.second->IsPointerOffset == S->V->IsPointerOffset &&
                 equal(P.first, S->E);
        });
        if (Earlier != Known.end()) {
          Same[S->V] = Earlier->second;
          continue;
        }
        Known.push_back({S->E, S->V});
      }
      forEachStmtList(*S, [&](StmtList &Nested) { visit(Nested, Known); });
      Out.push_back(S);
    }
    B = std::move(Out);
  }
};

} // namespace

unsigned shareValues(Module &M, Kernel &K) { return ValueSharer(M, K).run(); }

} // namespace clmali::rewrite
