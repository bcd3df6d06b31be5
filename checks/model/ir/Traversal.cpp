//===-- checks/model/ir/Traversal.cpp - Ranges over statements and expressions ------------===//
//
// See Traversal.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/ir/Budget.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

void StmtIterator::push(const StmtList &B) { Pending.append(B.rbegin(), B.rend()); }

StmtIterator &StmtIterator::operator++() {
  spend();
  Stmt *S = Pending.pop_back_val();
  if (!std::exchange(Skip, false)) {
    // Last first: what is pushed last is visited next.
    push(S->Step);
    push(S->Else);
    push(S->Body);
    push(S->Init);
  }
  return *this;
}

ExprIterator::ExprIterator(const Expr *E, Stmt *S) : S(S) {
  if (E)
    Pending.push_back(E);
}

ExprIterator::ExprIterator(Stmt &Of) : S(&Of) { push(&Of); }

ExprIterator::ExprIterator(const StmtList &B) : Rest(B) {
  if (Rest != StmtIterator()) {
    S = *Rest;
    push(S);
    settle();
  }
}

void ExprIterator::push(Stmt *Of) {
  spend();
  size_t Begin = Pending.size();
  forEachExpr(*Of, [&](const Expr *E) { Pending.push_back(E); });
  std::reverse(Pending.begin() + Begin, Pending.end());
}

void ExprIterator::settle() {
  while (Pending.empty() && Rest != StmtIterator()) {
    ++Rest;
    if (Rest == StmtIterator())
      return;
    S = *Rest;
    push(S);
  }
}

ExprIterator &ExprIterator::operator++() {
  const Expr *E = Pending.pop_back_val();
  if (!std::exchange(Skip, false)) {
    Pending.append(E->Acc.Index.rbegin(), E->Acc.Index.rend());
    Pending.append(E->Ops.rbegin(), E->Ops.rend());
  }
  settle();
  return *this;
}

void StmtTree::add(StmtList &B, Stmt *Parent) {
  for (auto [Index, S] : llvm::enumerate(B)) {
    Positions[S] = {Parent, &B, Index};
    Stmt *Here = S;
    forEachStmtList(*Here, [&](StmtList &Nested) { add(Nested, Here); });
  }
}

llvm::SmallVector<Stmt *, 8> StmtTree::ancestorsOf(const Stmt *S) const {
  llvm::SmallVector<Stmt *, 8> Result;
  for (Stmt *P = parentOf(S); P; P = parentOf(P))
    Result.push_back(P);
  return Result;
}

llvm::SmallVector<Stmt *, 4> StmtTree::loopsOf(const Stmt *S) const {
  llvm::SmallVector<Stmt *, 4> Result;
  for (Stmt *P : ancestorsOf(S))
    if (P->K == StmtKind::Loop)
      Result.push_back(P);
  std::reverse(Result.begin(), Result.end());
  return Result;
}

bool StmtTree::isInside(const Stmt *S, const Stmt *Ancestor) const {
  return llvm::is_contained(ancestorsOf(S), Ancestor);
}

NDRangeUse NDRangeUse::of(const StmtList &B) {
  NDRangeUse Use;
  for (ExprAt X : exprs(B))
    Use.add(*X.E);
  return Use;
}

NDRangeUse NDRangeUse::of(const Expr *E) {
  NDRangeUse Use;
  for (ExprAt X : exprs(E))
    Use.add(*X.E);
  return Use;
}

void NDRangeUse::add(const Expr &E) {
  if (E.K == ExprKind::WorkItem)
    Dims[static_cast<size_t>(E.Query)] |= uint8_t(1u << std::min<unsigned>(E.Dim, 7));
}

NDRangeUse NDRangeUse::operator|(const NDRangeUse &O) const {
  NDRangeUse Use = *this;
  for (auto [Mine, Theirs] : llvm::zip(Use.Dims, O.Dims))
    Mine |= Theirs;
  return Use;
}

uint8_t NDRangeUse::itemIds() const {
  return (*this)[WorkItemQuery::GlobalId] | (*this)[WorkItemQuery::LocalId];
}

bool NDRangeUse::usesGroups() const {
  return uses(WorkItemQuery::LocalId) || uses(WorkItemQuery::GroupId) ||
         uses(WorkItemQuery::LocalSize) || uses(WorkItemQuery::NumGroups);
}

uint8_t NDRangeUse::ids() const { return itemIds() | (*this)[WorkItemQuery::GroupId]; }

uint8_t NDRangeUse::any() const {
  uint8_t All = 0;
  for (uint8_t Set : Dims)
    All |= Set;
  return All;
}

} // namespace clmali::model
