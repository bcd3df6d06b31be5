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
// checks/model/pattern/SelectableBranch.h decides both.
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/SelectableBranch.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

class Selector : KernelEditor {
public:
  explicit Selector(const EditedKernel &E) : KernelEditor(E) {}

  unsigned run() {
    block(K.Body);
    return Done;
  }

private:
  unsigned Done = 0;

  /// The assignments that If becomes; empty if it may not or need not.
  StmtList select(const Stmt &If) {
    StmtList New;
    std::optional<pattern::SelectableBranch> Found = pattern::selectableBranch(A, If);
    if (!Found)
      return New;
    auto valueOf = [&](const StmtList &B, Var *V) {
      for (const Stmt *S : B)
        if (S->V == V)
          return S->E;
      return M.ref(V);
    };
    const Expr *Cond = If.E;
    if (Found->NeedsCondition) {
      New.push_back(declareTemp(M, K, "taken", Cond, If.Range));
      Cond = M.ref(New.back()->V);
    }
    for (Var *V : Found->Assigned) {
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

unsigned selectBranches(const EditedKernel &E) { return Selector(E).run(); }

static bool suits(const PassState &S) { return S.device().SimdWidth > 1; }

/// The lanes of a block take its branches together or not at all.
static bool pays(const PassState &S) { return S.How.Shape.Lanes == 1; }

static unsigned edit(PassState &S) { return pays(S) ? selectBranches(S.editedKernel()) : 0; }

CLMALI_PASS(.Id = "select", .ShownAs = "select",
            .Does = "Short branches that diverge in a group become selections.", .Suits = suits,
            .Edit = edit);

/// True if some statement list stores to neighbouring places, which pack-stores can join.
static bool storesNeighbours(Kernel &K, const KernelAnalysis &A) {
  bool Found = false;
  auto inList = [&](const StmtList &B) {
    llvm::SmallVector<const Stmt *, 8> Stores;
    for (const Stmt *S : B) {
      if (S->K != StmtKind::Store || S->Rare)
        continue;
      Found |= llvm::any_of(Stores, [&](const Stmt *T) {
        return T->Acc.Base == S->Acc.Base && (A.bytes(S->Acc, S) - A.bytes(T->Acc, T)).isConstant();
      });
      Stores.push_back(S);
    }
  };
  inList(K.Body);
  walk(K.Body, [&](Stmt *S) {
    forEachStmtList(*S, inList);
    return !Found;
  });
  return Found;
}

static unsigned editForStores(PassState &S) {
  return pays(S) && storesNeighbours(S.kernel(), S.analysis()) ? edit(S) : 0;
}
CLMALI_PASS(.Id = "select-for-stores", .ShownAs = "vectorize",
            .Does = "Short branches become selections where neighbouring stores can be joined.",
            .Edit = editForStores, .ReusesVariables = true);

} // namespace clmali::rewrite
