//===-- rewriters/normalize/Shuffles.cpp - Shuffles of shuffles ----------------------------===//
//
// What it does: a vector that only puts lanes of other vectors together, and of which only lanes
// are used, goes: its uses name the lanes of the other vectors.
//
//   before                                  after
//   uchar4 u = (uchar4)(v.s02, w.s02);      vstore4((uchar4)(v.s01, w.s01), 0, a);
//   uchar4 t = (uchar4)(v.s13, w.s13);
//   vstore4((uchar4)(u.s0, t.s0, u.s2, t.s2), 0, a);
//
// Limits: each vector is declared with its only value.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Pieces.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clmali::rewrite {

using namespace model;

namespace {

using LanesOfVar = llvm::SmallVector<LaneOf, MostLanes>;

class ShuffleComposer {
public:
  ShuffleComposer(Module &M, Kernel &K) : M(M), K(K) {}
  unsigned run();

private:
  Module &M;
  Kernel &K;
  llvm::DenseMap<const Var *, unsigned> Defs;
  llvm::DenseMap<const Var *, LanesOfVar> Shuffles;

  void countDefs();
  bool keepsItsValue(const Var *V) const { return V->K == Var::Temp && Defs.lookup(V) == 1; }
  bool findLanes(const Expr *E, LanesOfVar &Into) const;
  void findShuffles();
  const Expr *composed(const Expr *E);
};

} // namespace

void ShuffleComposer::countDefs() {
  for (const Stmt *S : stmts(K.Body)) {
    const bool Bare = S->K == StmtKind::Decl && !S->E && S->Text.empty();
    if (S->V && !Bare)
      Defs[S->V] += S->K == StmtKind::Decl ? 1 : 2;
  }
}

/// The lanes of E, if each is one of a variable.
bool ShuffleComposer::findLanes(const Expr *E, LanesOfVar &Into) const {
  if (E->K == ExprKind::VectorCtor)
    return llvm::all_of(E->Ops, [&](const Expr *Part) { return findLanes(Part, Into); });
  const Expr *Vector = E->K == ExprKind::Swizzle ? E->Ops[0] : E;
  if (Vector->K != ExprKind::VarRef || !Vector->Ty->isVector() || !keepsItsValue(Vector->V))
    return false;
  for (unsigned L = 0; L < E->Ty->Lanes; ++L)
    Into.push_back({Vector, E->K == ExprKind::Swizzle ? E->LaneIdx[L] : uint8_t(L)});
  return true;
}

void ShuffleComposer::findShuffles() {
  for (const Stmt *S : stmts(K.Body)) {
    if (S->K != StmtKind::Decl || !S->E || S->E->K != ExprKind::VectorCtor || !keepsItsValue(S->V))
      continue;
    LanesOfVar Lanes;
    if (findLanes(S->E, Lanes))
      Shuffles[S->V] = std::move(Lanes);
  }
  // Not where the vector is used as one.
  auto IsPart = [](const Expr *E) {
    return E->K == ExprKind::Swizzle && E->Ops[0]->K == ExprKind::VarRef;
  };
  for (const Stmt *S : stmts(K.Body))
    forEachExpr(*S, [&](const Expr *Whole) {
      walk(Whole, [&](const Expr *E) {
        if (E->K == ExprKind::VarRef)
          Shuffles.erase(E->V);
        return !IsPart(E);
      });
    });
}

const Expr *ShuffleComposer::composed(const Expr *E) {
  if (E->K == ExprKind::Swizzle && E->Ops[0]->K == ExprKind::VarRef) {
    auto From = Shuffles.find(E->Ops[0]->V);
    if (From == Shuffles.end())
      return E;
    LanesOfVar Lanes;
    for (uint8_t L : E->LaneIdx)
      Lanes.push_back(From->second[L]);
    return composed(gatherLanes(M, Lanes));
  }
  const Expr *New = mapOperands(M, E, [&](const Expr *X) { return composed(X); });
  if (New == E || New->K != ExprKind::VectorCtor)
    return New;
  llvm::SmallVector<const Expr *, MostLanes> Parts;
  for (const Expr *Part : New->Ops)
    if (Part->K == ExprKind::VectorCtor)
      llvm::append_range(Parts, Part->Ops);
    else
      Parts.push_back(Part);
  return putTogether(M, Parts);
}

unsigned ShuffleComposer::run() {
  countDefs();
  findShuffles();
  if (Shuffles.empty())
    return 0;
  for (Stmt *S : stmts(K.Body))
    mapExprs(M, *S, [&](const Expr *E) { return composed(E); });
  return Shuffles.size();
}

unsigned composeShuffles(Module &M, Kernel &K) { return ShuffleComposer(M, K).run(); }

} // namespace clmali::rewrite
