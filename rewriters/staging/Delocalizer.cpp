//===-- rewriters/staging/Delocalizer.cpp - Tiles whose reads go to the source ------===//
//
// Part of `delocalize`: finds the tiles, rewrites their reads, drops what only served them.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"
#include "rewriters/lanes/Operations.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

void Delocalizer::refuse(Refusal Why, const Var *V, const std::string &Detail, SourceRange At) {
  RefusalAt R;
  R.Why = Why;
  R.Pass = PassName;
  R.Detail = "'" + V->Name + "' " + Detail;
  R.Range = At;
  Refusals.push_back(std::move(R));
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Collects what touches T.V; false where that is more than stores and loads of
/// whole elements.
bool Delocalizer::find(Tile &T) {
  bool Plain = true;
  const Type *Elem = T.V->Ty;
  while (Elem->K == Type::Array || Elem->K == Type::Pointer)
    Elem = Elem->Elem;
  auto whole = [&](const Access &Acc, SourceRange At) {
    if (Acc.Volatile) {
      refuse(Refusal::VolatileAccess, T.V, "is volatile", At);
      return Plain = false;
    }
    if (Elem->isValue() && Acc.Elem == Elem->Scalar && Acc.Lanes == Elem->Lanes && !Acc.Disp &&
        Acc.Path.empty() && (Acc.F == Access::Subscript || Acc.Lanes == 1))
      return true;
    refuse(Refusal::StagingNotACopy, T.V, "is accessed by parts of its elements", At);
    return Plain = false;
  };
  walk(K.Body, [&](Stmt *S) {
    if (!Plain)
      return false;
    std::function<void(const Expr *, std::vector<Guard>)> loads = [&](const Expr *E,
                                                                      std::vector<Guard> Inside) {
      if (E->K == ExprKind::Load && E->Acc.Base == T.V && whole(E->Acc, E->Range))
        T.Reads.push_back({S, E, Inside});
      for (size_t I = 0; I < E->Ops.size(); ++I) {
        std::vector<Guard> Below = Inside;
        if (isLazyOperand(E, I))
          PathFacts::split(E->Ops[0], E->K == ExprKind::Select ? I == 1 : E->O == Op::LogicalAnd, S,
                           Below);
        loads(E->Ops[I], std::move(Below));
      }
      for (const Expr *Index : E->Acc.Index)
        loads(Index, Inside);
    };
    forEachExpr(*S, [&](const Expr *E) { loads(E, {}); });
    if (S->Source.Base == T.V || (S->Acc.Base == T.V && S->K != StmtKind::Store)) {
      Plain = false;
      if (S->K == StmtKind::AsyncCopy && S->Acc.Base == T.V && Written.contains(S->Source.Base))
        refuse(Refusal::StagingSourceWritten, T.V, "holds copies of memory that the kernel writes",
               S->Range);
      else
        refuse(S->K == StmtKind::Atomic ? Refusal::Atomic : Refusal::StagingNotACopy, T.V,
               "is not only copied to", S->Range);
    } else if (S->Acc.Base == T.V && whole(S->Acc, S->Range)) {
      Copy C;
      C.S = S;
      T.Copies.push_back(std::move(C));
    }
    return Plain;
  });
  if (!Plain || T.Copies.empty() || T.Reads.empty())
    return false;
  T.Flat = runsOverRows(T);
  return true;
}

/// t[0][k] with k beyond the row, from a pointer to the tile's first element.
bool Delocalizer::runsOverRows(const Tile &T) {
  auto over = [&](const Access &Acc, const Stmt *At, llvm::ArrayRef<Poly> Known) {
    const Type *Row = T.V->Ty;
    for (size_t D = 0; D + 1 < Acc.Index.size(); ++D) {
      if (constantValue(Acc.Index[D]) != 0)
        return false;
      Row = Row->Elem;
    }
    Poly Last = A.poly(Acc.Index.back(), At);
    return !Last.isConstant() && !P.prove(Poly::constant(int64_t(Row->Count) - 1) - Last, Known);
  };
  const Type *Ty = T.V->Ty;
  if (Ty->K != Type::Array || Ty->Elem->K != Type::Array || Ty->Count < 2)
    return false;
  for (const Copy &C : T.Copies) {
    std::vector<Poly> Known;
    for (const Guard &F : P.factsAt(C.S))
      P.nonNegative(F, Known);
    if (over(C.S->Acc, C.S, Known))
      return true;
  }
  return llvm::any_of(T.Reads, [&](const Read &R) { return over(R.Load->Acc, R.S, known(R)); });
}

/// Where Acc stands in T, by dimension; one number where rows are run over.
std::vector<Poly> Delocalizer::indexOf(const Tile &T, const Access &Acc, const Stmt *At) const {
  std::vector<Poly> Index;
  const Type *Part = T.V->Ty;
  for (const Expr *I : Acc.Index) {
    Poly Q = A.poly(I, At);
    if (T.Flat && !Index.empty())
      Index[0] = Index[0] * int64_t(Part->Count) + Q;
    else
      Index.push_back(Q);
    Part = Part->Elem;
  }
  return Index;
}

/// Elements by dimension of indexOf; none for an argument.
std::vector<uint64_t> Delocalizer::lengths(const Tile &T) {
  std::vector<uint64_t> R;
  for (const Type *Part = T.V->Ty; Part->K == Type::Array; Part = Part->Elem)
    if (T.Flat && !R.empty())
      R[0] *= Part->Count;
    else
      R.push_back(Part->Count);
  return R;
}

/// All copies before a barrier, all reads behind it, in one block.
bool Delocalizer::placed(Tile &T) {
  std::vector<const Stmt *> Writes, Reads;
  for (const Copy &C : T.Copies)
    Writes.push_back(C.S);
  for (const Read &R : T.Reads)
    Reads.push_back(R.S);
  pattern::StagingOrder Order = Recognizer.orderOf(Writes, Reads);
  T.B = Order.List;
  T.Barrier = Order.Barrier;
  switch (Order.K) {
  case pattern::StagingOrder::Staged:
    return true;
  case pattern::StagingOrder::WrittenAfterRead:
    refuse(Refusal::StagingModified, T.V, "is written again after it was read",
           T.Copies.back().S->Range);
    return false;
  case pattern::StagingOrder::NoBarrier:
    refuse(Refusal::StagingNotACopy, T.V, "is read without a barrier behind its copy",
           T.Reads[0].Load->Range);
    return false;
  case pattern::StagingOrder::DivergentBarrier:
    refuse(Refusal::DivergentBarrier, T.V,
           "is copied before a barrier that not all work-items are known to reach",
           T.Barrier->Range);
    return false;
  }
  return false;
}
//===----------------------------------------------------------------------===//
// The edit
//===----------------------------------------------------------------------===//

bool Delocalizer::rewrite(Tile &T) {
  if (!find(T) || !copies(T))
    return false;
  auto SavedMax = P.LocalMax;
  auto SavedWhen = When;
  bool AsRowsOnly = false;
  if (const Copy *C = twice(T)) {
    // As rows of a flat tile, maybe.
    AsRowsOnly = rows(T) && !twice(T);
    if (!AsRowsOnly) {
      refuse(Refusal::StagingModified, T.V, "may be filled twice by one work-item", C->S->Range);
      P.LocalMax = SavedMax;
      When = SavedWhen;
      return false;
    }
  }
  // Every work-item stores inside of the tile.
  Always.clear();
  for (Copy &C : T.Copies) {
    for (auto [I, Length] : llvm::zip(C.Index, lengths(T)))
      if (C.Guards.empty() && C.Rounds.empty())
        Always.push_back(Poly::constant(int64_t(Length) - 1) - I);
  }
  std::map<std::pair<const Stmt *, const Expr *>, const Expr *> New;
  // As it is indexed; then as rows.
  for (bool Rows : {false, true}) {
    if (AsRowsOnly && !Rows)
      continue;
    P.LocalMax = SavedMax;
    When = SavedWhen;
    New.clear();
    if (Rows && !rows(T))
      T.Row.reset();
    const Read *Failed = nullptr;
    std::string Why;
    for (const Read &R : T.Reads) {
      const Expr *Value = valueAt(T, R, Why);
      if (!Value) {
        Failed = &R;
        break;
      }
      New[{R.S, R.Load}] = M.cast(Value, R.Load->Ty, true);
    }
    if (!Failed)
      break;
    if (Rows) {
      refuse(Refusal::StagingNotACopy, T.V, Why, Failed->Load->Range);
      P.LocalMax = SavedMax;
      When = SavedWhen;
      return false;
    }
  }
  if ((P.LocalMax != SavedMax || When != SavedWhen) && !Needs) {
    refuse(Refusal::GroupGeometry, T.V, "has rows that a larger work-group would overlap",
           T.Copies[0].S->Range);
    P.LocalMax = SavedMax;
    When = SavedWhen;
    return false;
  }
  std::string What = "every element of '" + T.V->Name + "' that is read was copied before";
  switch (covered(T)) {
  case Covered::Never:
    refuse(Refusal::StagingNotACopy, T.V, "is read where nothing was copied",
           T.Reads[0].Load->Range);
    P.LocalMax = SavedMax;
    When = SavedWhen;
    return false;
  case Covered::Assumed:
    Obligations.push_back(What);
    break;
  case Covered::Proved:
    if (llvm::any_of(P.LocalSize, [](uint64_t N) { return N != 0; })) {
      What += " (local size";
      for (unsigned D = 0; D < 3 && P.LocalSize[D]; ++D)
        What += (D ? " x " : " ") + std::to_string(P.LocalSize[D]);
      What += ")";
    }
    Facts.push_back(What);
  }
  Replace.insert(New.begin(), New.end());
  for (Copy &C : T.Copies) {
    Dead.insert(C.S);
    walk(C.S->E, [&](const Expr *X) {
      const Var *Source = X->K == ExprKind::Load ? X->Acc.Base : nullptr;
      if (Source && Source->isPointerParam() && Source->space() == AddressSpace::Global)
        for (const Var *W : Written)
          if (W->isPointerParam() && W->space() == AddressSpace::Global && !W->Ty->Restrict &&
              !Source->Ty->Restrict)
            Obligations.push_back("buffers '" + Source->Name + "' and '" + W->Name +
                                  "' do not overlap");
      return true;
    });
  }
  return true;
}

/// if (lid == 0) v = src[g - 1]; else v = tile[lid - 1];  reads one place now.
void Delocalizer::joinBranches() {
  const EditedKernel::Analysis Now = Edited.analysisNow();
  std::function<bool(const Expr *, const Stmt *, const Expr *, const Stmt *)> same =
      [&](const Expr *X, const Stmt *AtX, const Expr *Y, const Stmt *AtY) {
        if (X->Ty != Y->Ty || X->K != Y->K || X->O != Y->O)
          return false;
        if (equal(X, Y))
          return true;
        if (X->Ty->isScalar() && X->Ty->isInteger() && X->K != ExprKind::Load)
          return Now->poly(X, AtX) == Now->poly(Y, AtY);
        if (X->K == ExprKind::Load)
          return X->Acc.Base == Y->Acc.Base && X->Acc.Lanes == Y->Acc.Lanes &&
                 X->Acc.F == Y->Acc.F && X->Acc.Path == Y->Acc.Path && !X->Acc.Volatile &&
                 !Y->Acc.Volatile && Now->bytes(X->Acc, AtX) == Now->bytes(Y->Acc, AtY);
        if (X->K != ExprKind::Cast || X->C != Y->C || X->Text != Y->Text)
          return false;
        return same(X->Ops[0], AtX, Y->Ops[0], AtY);
      };
  std::function<void(StmtList &)> join = [&](StmtList &B) {
    for (Stmt *&S : B) {
      forEachStmtList(*S, join);
      if (S->K != StmtKind::If || S->Body.size() != 1 || S->Else.size() != 1)
        continue;
      Stmt *X = S->Body[0], *Y = S->Else[0];
      if (X->K == StmtKind::Assign && Y->K == StmtKind::Assign && X->V == Y->V &&
          X->LaneIdx.empty() && Y->LaneIdx.empty() && same(X->E, X, Y->E, Y))
        S = X;
    }
  };
  join(K.Body);
}

/// Barriers go if nothing that one work-item writes is touched by another across
/// one: what was between the same barriers anyway, or what no two items share. Without a global
/// fence they do not order writes to memory that nothing reads.
void Delocalizer::dropBarriers() {
  bool Others = false, OrdersGlobal = false;
  walk(K.Body, [&](Stmt *S) {
    OrdersGlobal |= S->K == StmtKind::Barrier && S->GlobalFence;
    Others |= S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy || S->K == StmtKind::Call ||
              S->K == StmtKind::Opaque;
    return true;
  });
  if (Others)
    return;
  auto hasBarrier = [](const Stmt *L) {
    bool Has = false;
    walk(L->Body, [&](Stmt *S) { return !(Has |= S->K == StmtKind::Barrier); });
    return Has;
  };
  llvm::DenseMap<const Var *, unsigned> Interval;
  llvm::DenseSet<const Var *> Crossing;
  {
    const EditedKernel::Analysis With = Edited.analysisNow();
    for (const AccessSite &X : With->accesses()) {
      auto [It, New] = Interval.try_emplace(X.A->Base, X.Interval);
      if (It->second != X.Interval || llvm::any_of(X.Loops, hasBarrier))
        Crossing.insert(X.A->Base);
    }
  }
  std::vector<std::pair<StmtList *, StmtList>> Saved;
  std::function<void(StmtList &)> drop = [&](StmtList &B) {
    for (Stmt *S : B)
      forEachStmtList(*S, drop);
    Saved.push_back({&B, B});
    llvm::erase_if(
        B, [&](const Stmt *S) { return S->K == StmtKind::Barrier && !ForCache.contains(S); });
  };
  drop(K.Body);
  const EditedKernel::Analysis Without = Edited.analysisNow();
  bool Needed = false;
  for (const AccessSite &X : Without->accesses())
    if (X.IsWrite && Crossing.contains(X.A->Base) && X.A->Base->space() != AddressSpace::Private)
      for (const AccessSite &Y : Without->accesses())
        Needed |= Y.A->Base == X.A->Base &&
                  (Y.IsRead || OrdersGlobal || X.A->Base->space() == AddressSpace::Local) &&
                  Without->conflict(X, Y) != Conflict::No;
  if (Needed)
    for (auto &[Place, Old] : Saved)
      *Place = std::move(Old);
}

std::vector<Var *> Delocalizer::tilesInOrder() const {
  std::vector<Var *> Tiles;
  for (Var *V : K.Params)
    if (V->isPointerParam() && V->space() == AddressSpace::Local)
      Tiles.push_back(V);
  for (Var *V : K.Vars)
    if (V->K == Var::Memory && V->AS == AddressSpace::Local)
      Tiles.push_back(V);
  return Tiles;
}

/// Barriers in loops that write no local memory: they order no tile, but keep the work-items of a
/// group on the same cache lines.
void Delocalizer::findCacheBarriers() {
  llvm::DenseSet<const Stmt *> Writing; ///< loops
  for (const AccessSite &X : A.accesses())
    if (X.IsWrite && X.A->Base->space() == AddressSpace::Local)
      Writing.insert(X.Loops.begin(), X.Loops.end());
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Barrier && !A.loopsOf(S).empty() &&
        !Writing.contains(A.loopsOf(S).front()))
      ForCache.insert(S);
    return true;
  });
}

unsigned Delocalizer::run() {
  const std::vector<Var *> Tiles = tilesInOrder();
  findCacheBarriers();
  unsigned Done = 0;
  llvm::DenseSet<const Var *> Used;
  for (const AccessSite &X : A.accesses())
    Used.insert(X.A->Base);
  this->Tiles = llvm::count_if(Tiles, [&](const Var *V) { return Used.contains(V); });
  for (Var *V : Tiles) {
    Tile T;
    T.V = V;
    if (rewrite(T))
      ++Done;
  }
  if (!Done)
    return 0;
  // Loads inside of replaced expressions are loads of sources.
  const Stmt *Here = nullptr;
  std::function<const Expr *(const Expr *)> replace = [&](const Expr *E) -> const Expr * {
    auto It = Replace.find({Here, E});
    return It != Replace.end() ? It->second : mapOperands(M, E, replace);
  };
  std::function<void(StmtList &)> edit = [&](StmtList &B) {
    StmtList Kept;
    for (Stmt *S : B) {
      forEachStmtList(*S, edit);
      if (Dead.contains(S))
        continue;
      Here = S;
      mapExprs(M, *S, [&](const Expr *E) {
        const Expr *New = replace(E);
        return New == E ? E : simplify(M, New);
      });
      Kept.push_back(S);
    }
    B = std::move(Kept);
  };
  edit(K.Body);
  joinBranches();
  dropBarriers();
  cleanup(Edited);
  if (Needs) {
    llvm::sort(Obligations);
    Obligations.erase(std::unique(Obligations.begin(), Obligations.end()), Obligations.end());
    llvm::append_range(Needs->Obligations, Obligations);
    llvm::append_range(Needs->Facts, Facts);
    llvm::append_range(Needs->When, When);
    if (P.IdsBelow)
      lowerTo(Needs->IdsBelow, P.IdsBelow);
    for (unsigned D = 0; D < 3; ++D)
      if (P.LocalMax[D])
        Needs->LocalMax[D] = std::min(Needs->LocalMax[D].value_or(INT64_MAX), *P.LocalMax[D] + 1);
  }
  return Done;
}

/// get_local_size as constants.
} // namespace clmali::rewrite
