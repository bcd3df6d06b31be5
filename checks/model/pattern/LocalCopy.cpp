//===-- checks/model/pattern/LocalCopy.cpp - Values that are copies of memory ---===//

#include "checks/model/pattern/LocalCopy.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::pattern {

/// Definitions that are followed from one to the next.
static constexpr unsigned MaxDefinitions = 16;

// The tree does not change the statements; only its users may.
CopyRecognizer::CopyRecognizer(const KernelAnalysis &A)
    : A(A), Tree(const_cast<StmtList &>(A.kernel().Body)) {}

std::optional<ChosenValue> CopyRecognizer::chosenValue(const Var *V, const Stmt *Use) const {
  llvm::ArrayRef<const Stmt *> Definitions = A.defs(V);
  if (V->K != Var::Temp || Definitions.size() != 2)
    return std::nullopt;
  ChosenValue C;
  const Stmt *First = nullptr; // the definition before the branch
  for (const Stmt *S : Definitions) {
    StmtTree::Position At = Tree.positionOf(S);
    if ((S->K != StmtKind::Assign && S->K != StmtKind::Decl) || !S->E || !S->LaneIdx.empty() ||
        S->E->Ty != V->Ty)
      return std::nullopt;
    bool Inside = At.Parent && At.Parent->K == StmtKind::If && S->K == StmtKind::Assign;
    if (Inside && (!C.If || C.If == At.Parent)) {
      C.If = At.Parent;
      (At.List == &At.Parent->Body ? C.Then : C.Else) = S;
    } else {
      First = S;
    }
  }
  if (First && C.If && !(C.Then && C.Else)) {
    // The branch follows First in the same list, and the use follows the branch.
    StmtTree::Position Before = Tree.positionOf(First), Branch = Tree.positionOf(C.If);
    if (Before.List != Branch.List || Before.Index >= Branch.Index)
      return std::nullopt;
    const Stmt *X = Use;
    while (X && Tree.positionOf(X).List != Branch.List)
      X = Tree.parentOf(X);
    if (!X || Tree.positionOf(X).Index <= Branch.Index)
      return std::nullopt;
    (C.Then ? C.Else : C.Then) = First;
  }
  if (!C.Then || !C.Else)
    return std::nullopt;
  return C;
}

/// True if E is made of numbers and arguments alone: what a halo is filled with.
static bool isConstantOfLaunch(const Expr *E) {
  return llvm::all_of(exprs(E), [](ExprAt X) {
    switch (X->K) {
    case ExprKind::IntConst:
    case ExprKind::FloatConst:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Cast:
    case ExprKind::VectorCtor:
      return true;
    case ExprKind::VarRef:
      return X->V->K == Var::Param;
    default:
      return false;
    }
  });
}

/// Follows one value. Each function returns false where the value is not a copy.
struct CopyRecognizer::Visit {
  const CopyRecognizer &R;
  const KernelAnalysis &A;
  CopySources Found;
  std::set<const Var *> Followed; ///< variables and private arrays; each is followed once

  bool all(llvm::ArrayRef<const Expr *> Parts, const Stmt *At, unsigned Depth) {
    return llvm::all_of(Parts, [&](const Expr *X) { return value(X, At, Depth); });
  }

  bool variable(const Var *V, const Stmt *At, unsigned Depth) {
    if (V->K == Var::Param) {
      Found.Replaceable &= A.defs(V).empty();
      return true;
    }
    if (!Followed.insert(V).second)
      return true;
    if (std::optional<ChosenValue> C = R.chosenValue(V, At))
      return value(C->Then->E, C->Then, Depth + 1) && value(C->Else->E, C->Else, Depth + 1);
    llvm::ArrayRef<const Stmt *> Definitions = A.defs(V);
    const Stmt *Single = A.singleDef(V);
    Found.Replaceable &= Single && Single->E;
    return !Definitions.empty() && llvm::all_of(Definitions, [&](const Stmt *S) {
      return (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->E && S->LaneIdx.empty() &&
             value(S->E, S, Depth + 1);
    });
  }

  /// A private array that was filled ahead of the copy.
  bool array(const Var *V, unsigned Depth) {
    Found.Replaceable = false;
    if (!Followed.insert(V).second)
      return true;
    bool Filled = false;
    for (const AccessSite &Site : A.accesses())
      if (Site.IsWrite && Site.A->Base == V) {
        Filled = true;
        if (Site.S->K != StmtKind::Store || !Site.S->E || !value(Site.S->E, Site.S, Depth + 1))
          return false;
      }
    return Filled;
  }

  bool value(const Expr *E, const Stmt *At, unsigned Depth) {
    if (Depth > MaxDefinitions)
      return false;
    switch (E->K) {
    case ExprKind::IntConst:
    case ExprKind::FloatConst:
      return true;
    case ExprKind::VarRef:
      return variable(E->V, At, Depth);
    case ExprKind::Cast:
      Found.Replaceable &= E->C == CastOp::Convert || E->C == CastOp::Splat;
      return all(E->Ops, At, Depth);
    case ExprKind::Unary:
    case ExprKind::Binary:
      return isConstantOfLaunch(E) && all(E->Ops, At, Depth);
    case ExprKind::Select:
      Found.Replaceable &= E->Ops[0]->Ty->isScalar();
      return all({E->Ops[1], E->Ops[2]}, At, Depth);
    case ExprKind::Swizzle:
    case ExprKind::VectorCtor:
      return all(E->Ops, At, Depth);
    case ExprKind::ImageRead:
      Found.Pixels.push_back(E);
      Found.Replaceable &= !isWritable(*E->Image);
      return true;
    case ExprKind::Load:
      switch (E->Acc.Base->space()) {
      case AddressSpace::Private:
        return array(E->Acc.Base, Depth);
      case AddressSpace::Local:
        return false;
      default:
        Found.Loads.push_back(E);
        Found.Replaceable &= !E->Acc.Volatile;
        return true;
      }
    default:
      return false;
    }
  }
};

StagingOrder CopyRecognizer::orderOf(llvm::ArrayRef<const Stmt *> Writes,
                                     llvm::ArrayRef<const Stmt *> Reads) const {
  using Chain = std::vector<std::pair<StmtList *, size_t>>; // outermost first
  auto chainOf = [&](const Stmt *S) {
    Chain R;
    for (const Stmt *X = S; X; X = Tree.parentOf(X))
      R.insert(R.begin(), {Tree.positionOf(X).List, Tree.positionOf(X).Index});
    return R;
  };
  std::vector<Chain> WriteChains, ReadChains;
  for (const Stmt *S : Writes)
    WriteChains.push_back(chainOf(S));
  for (const Stmt *S : Reads)
    ReadChains.push_back(chainOf(S));
  const Chain &First = WriteChains[0];
  auto All = [&](auto F) { return llvm::all_of(WriteChains, F) && llvm::all_of(ReadChains, F); };
  size_t Depth = 0; // of the innermost list that holds them all
  while (All([&](const Chain &C) {
    return C.size() > Depth + 1 && First.size() > Depth + 1 &&
           C[Depth + 1].first == First[Depth + 1].first;
  }))
    ++Depth;
  StagingOrder Result;
  Result.List = First[Depth].first;
  size_t LastWrite = 0, FirstRead = SIZE_MAX;
  for (const Chain &C : WriteChains)
    LastWrite = std::max(LastWrite, C[Depth].second);
  for (const Chain &C : ReadChains)
    FirstRead = std::min(FirstRead, C[Depth].second);
  for (size_t I = LastWrite + 1; I < FirstRead; ++I)
    if ((*Result.List)[I]->K == StmtKind::Barrier)
      Result.Barrier = (*Result.List)[I];
  Result.K = FirstRead <= LastWrite                   ? StagingOrder::WrittenAfterRead
             : !Result.Barrier                        ? StagingOrder::NoBarrier
             : !A.controlOf(Result.Barrier).uniform() ? StagingOrder::DivergentBarrier
                                                      : StagingOrder::Staged;
  return Result;
}

bool CopyRecognizer::isStaged(const Var *Tile) const {
  std::vector<const Stmt *> Writes, Reads;
  for (const AccessSite &Site : A.accesses())
    if (Site.A->Base == Tile) {
      if (Site.IsWrite)
        Writes.push_back(Site.S);
      if (Site.IsRead)
        Reads.push_back(Site.S);
    }
  return !Writes.empty() && !Reads.empty() && orderOf(Writes, Reads).K == StagingOrder::Staged;
}

std::optional<CopySources> CopyRecognizer::sourcesOf(const Expr *E, const Stmt *At) const {
  Visit V{*this, A, {}, {}};
  if (!V.value(E, At, 0))
    return std::nullopt;
  return std::move(V.Found);
}

} // namespace clmali::model::pattern
