//===-- rewriters/select.cpp - Short branches become selections -------------===//
//
// What it does: where work-items that run in lockstep disagree on a condition, and
// what they disagree on is a few assignments, the branch becomes an expression:
//
//   before                          after
//   if (v < 0.0f)                   v = v < 0.0f ? -2.0f * v : v;
//     v = -2.0f * v;
//
// Legal if: both sides only assign variables, each once, from values that no earlier
// assignment of the same side has changed. What a side computes is still computed only
// when it is taken, as far as C goes, so nothing overflows that did not.
//
// Pays if: the condition varies in a group, and the sides are short and cheap: no
// memory, no division, no calls. What is long or slow is worth a branch.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/staging/LocalMemory.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// Statements of both sides together; the rule's own figure.
constexpr unsigned MaxStatements = 3;

bool reads(const Expr *E, const llvm::DenseSet<const Var *> &Vars) {
  bool Does = false;
  walk(E,
       [&](const Expr *X) { return !(Does |= X->K == ExprKind::VarRef && Vars.contains(X->V)); });
  return Does;
}

class Selector {
public:
  Selector(Module &M, Kernel &K) : M(M), K(K), A(M, K) {}

  unsigned run() {
    block(K.Body);
    return Done;
  }

private:
  Module &M;
  Kernel &K;
  KernelAnalysis A;
  unsigned Done = 0;

  bool isLegal(const StmtList &B, llvm::DenseSet<const Var *> &Assigned) const {
    for (const Stmt *S : B) {
      if (S->K != StmtKind::Assign || !S->LaneIdx.empty() || !S->V || !S->E ||
          !S->V->Ty->isValue() || S->E->Ty != S->V->Ty || reads(S->E, Assigned) ||
          !Assigned.insert(S->V).second)
        return false;
    }
    return true;
  }

  bool pays(const Stmt &If) const {
    if (If.Body.size() + If.Else.size() > MaxStatements || A.varies(If.E, &If).uniform())
      return false;
    bool Cheap = true;
    for (const StmtList *B : {&If.Body, &If.Else})
      for (const Stmt *S : *B)
        forEachExpr(*S, [&](const Expr *Root) {
          walk(Root, [&](const Expr *E) {
            Cheap &= E->K != ExprKind::Load && E->K != ExprKind::Opaque && E->K != ExprKind::Call &&
                     !(E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem));
            return Cheap;
          });
        });
    return Cheap;
  }

  /// The assignments that If becomes; empty if it may not or need not.
  StmtList select(const Stmt &If) {
    StmtList New;
    llvm::DenseSet<const Var *> Then, Else;
    if (!If.E || !If.E->Ty->isScalar() || If.EarlyReturn || !isLegal(If.Body, Then) ||
        !isLegal(If.Else, Else) || Then.size() + Else.size() == 0 || !pays(If))
      return New;
    std::vector<Var *> Vars;
    for (const StmtList *B : {&If.Body, &If.Else})
      for (const Stmt *S : *B)
        if (!llvm::is_contained(Vars, S->V))
          Vars.push_back(S->V);
    auto valueOf = [&](const StmtList &B, Var *V) {
      for (const Stmt *S : B)
        if (S->V == V)
          return S->E;
      return M.ref(V);
    };
    const Expr *Cond = If.E;
    llvm::DenseSet<const Var *> All(Then);
    All.insert(Else.begin(), Else.end());
    if (Vars.size() > 1 && reads(Cond, All)) {
      Var *Taken = M.newVar(Var::Temp, uniqueName(K, "taken"), Cond->Ty);
      K.Vars.push_back(Taken);
      Stmt *D = M.newStmt(StmtKind::Decl, If.Range);
      D->V = Taken;
      D->E = Cond;
      New.push_back(D);
      Cond = M.ref(Taken);
    }
    for (Var *V : Vars) {
      Stmt *S = M.newStmt(StmtKind::Assign, If.Range);
      S->V = V;
      S->E = M.select(Cond, valueOf(If.Body, V), valueOf(If.Else, V));
      New.push_back(S);
    }
    New.front()->Comments = If.Comments;
    for (const StmtList *B : {&If.Body, &If.Else})
      for (const Stmt *S : *B)
        llvm::append_range(New.front()->Comments, S->Comments);
    return New;
  }

  void block(StmtList &B) {
    StmtList New;
    for (Stmt *S : B) {
      forEachStmtList(*S, [&](StmtList &Nested) { block(Nested); });
      StmtList Instead = S->K == StmtKind::If ? select(*S) : StmtList();
      if (Instead.empty()) {
        New.push_back(S);
      } else {
        llvm::append_range(New, Instead);
        ++Done;
      }
    }
    B = std::move(New);
  }
};

} // namespace

unsigned selectBranches(Module &M, Kernel &K) { return Selector(M, K).run(); }

static bool suits(const PassState &S) { return S.device().SimdWidth > 1; }

/// The lanes of a block take its branches together or not at all.
static bool pays(PassState &S) { return S.How.Shape.Lanes == 1; }

static unsigned edit(PassState &S) { return selectBranches(S.module(), S.kernel()); }

CLMALI_PASS(.Id = "select", .ShownAs = "select",
            .Does = "Short branches that diverge in a group become selections.", .Suits = suits,
            .Pays = pays, .Edit = edit);

} // namespace clmali::rewrite
