//===-- checks/model/analysis/Loops.cpp - Loops that count -----------------===//
//
// What it does: recognises `for (V = Lower; V < Bound; V += Step)` in any of
// its spellings, by the versions of V: what comes round the back edge must be
// V's version at the head plus a step that the loop does not change.
// Where first and last value are not known, they may lie apart by a constant all the same (x - 1 to
// x + 1).
//
// Limits: no do-while (its first round is not tested), no multiplicative step. A
// condition with && counts like a break: inside of the model only, since the bound is
// not all that ends the loop.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"

namespace clmali::model {

static const Expr *peel(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E) &&
         isIntScalar(E->Ops[0]))
    E = E->Ops[0];
  return E;
}

Op mirrored(Op O) {
  switch (O) {
  case Op::LT:
    return Op::GT;
  case Op::LE:
    return Op::GE;
  case Op::GT:
    return Op::LT;
  case Op::GE:
    return Op::LE;
  default:
    return O;
  }
}

const std::optional<KernelAnalysis::Impl::LoopShape> &
KernelAnalysis::Impl::shape(const Stmt *Loop) {
  if (auto It = Shapes.find(Loop); It != Shapes.end())
    return It->second;
  Shapes[Loop] = std::nullopt;
  std::optional<LoopShape> Found = findShape(Loop);
  return Shapes[Loop] = Found;
}

std::optional<KernelAnalysis::Impl::LoopShape> KernelAnalysis::Impl::findShape(const Stmt *Loop) {
  if (!Loop || Loop->K != StmtKind::Loop || Loop->Form == Stmt::DoWhile || !Loop->E)
    return std::nullopt;
  return findShape(Loop, Loop->E);
}

/// The same by Test, which has to hold for a round.
std::optional<KernelAnalysis::Impl::LoopShape> KernelAnalysis::Impl::findShape(const Stmt *Loop,
                                                                               const Expr *Test) {
  if (Test->K == ExprKind::Binary && Test->O == Op::LogicalAnd) {
    std::optional<LoopShape> L = findShape(Loop, Test->Ops[0]);
    if (!L)
      L = findShape(Loop, Test->Ops[1]);
    if (!L || L->C.Compare == Op::NE)
      return std::nullopt;
    L->LeavesEarly = L->HasOtherTests = true;
    return L;
  }
  if (Test->K != ExprKind::Binary || !isComparison(Test->O) || Test->O == Op::EQ ||
      !isIntScalar(Test->Ops[0]))
    return std::nullopt;

  for (unsigned Side : {0u, 1u}) {
    const Expr *Ref = peel(Test->Ops[Side]);
    const Expr *Bound = Test->Ops[1 - Side];
    if (Ref->K != ExprKind::VarRef || !isIntScalar(Ref))
      continue;
    auto SlotIt = SlotOf.find(Ref->V);
    if (SlotIt == SlotOf.end())
      continue;
    auto HeadIt = HeadOf.find({Loop, SlotIt->second});
    if (HeadIt == HeadOf.end() || Versions[HeadIt->second].In.size() != 2)
      continue;
    if (!invariant(Bound, Loop, Loop))
      continue;

    LoopShape L;
    L.Head = HeadIt->second;
    L.Init = Versions[L.Head].In[0];
    L.C.V = Ref->V;
    L.C.Bound = Bound;
    L.C.Compare = Side == 0 ? Test->O : mirrored(Test->O);

    // V = V + e
    const Version &Back = Versions[Versions[L.Head].In[1]];
    if (Back.K != Version::Def || Back.S->K != StmtKind::Assign || !Back.S->LaneIdx.empty())
      continue;
    const Expr *Sum = peel(Back.S->E);
    if (Sum->K != ExprKind::Binary || (Sum->O != Op::Add && Sum->O != Op::Sub))
      continue;
    const Expr *Step = nullptr;
    for (unsigned I : {0u, 1u}) {
      const Expr *Old = peel(Sum->Ops[I]);
      if (Old->K == ExprKind::VarRef && Old->V == L.C.V && versionAt(Old->V, Back.S) == L.Head &&
          (I == 0 || Sum->O == Op::Add))
        Step = Sum->Ops[1 - I];
    }
    if (!Step || !invariant(Step, Back.S, Loop))
      continue;
    const Expr *Plain = peel(Step);
    const Stmt *StepAt = Back.S;
    while (Plain->K == ExprKind::VarRef) {
      const Version &D = Versions[versionAt(Plain->V, StepAt)];
      if (D.K != Version::Def || !D.S->E || !D.S->LaneIdx.empty() ||
          (D.S->K != StmtKind::Assign && D.S->K != StmtKind::Decl))
        break;
      Plain = peel(D.S->E);
      StepAt = D.S;
    }
    std::optional<int64_t> C = constantValue(Plain);
    if (C && Plain->Ty->Scalar == ScalarKind::UInt)
      C = int32_t(*C); // i += -1u
    if (C) {
      L.C.Step = Sum->O == Op::Sub ? -*C : *C;
      bool Up = L.C.Compare == Op::LT || L.C.Compare == Op::LE;
      bool Down = L.C.Compare == Op::GT || L.C.Compare == Op::GE;
      if (L.C.Step == 0 || (Up && L.C.Step < 0) || (Down && L.C.Step > 0))
        continue;
    } else {
      L.C.StepExpr = Sum->O == Op::Sub ? M.unary(Op::Neg, Step) : Step;
      if (L.C.Compare == Op::NE)
        continue;
    }

    // The first value, if it can be said with the variables at the loop.
    const Version &Init = Versions[L.Init];
    if (Init.K == Version::Def && Init.S->E && Init.S->LaneIdx.empty() &&
        (Init.S->K == StmtKind::Assign || Init.S->K == StmtKind::Decl)) {
      bool Same = true;
      walk(Init.S->E, [&](const Expr *X) {
        const Var *V = X->K == ExprKind::VarRef ? X->V : X->Acc.Base;
        if (V) {
          auto Head = HeadOf.find({Loop, SlotOf.lookup(V)});
          unsigned Now = Head == HeadOf.end() ? versionAt(V, Loop) : Versions[Head->second].In[0];
          Same = Same && Now == versionAt(V, Init.S);
        }
        return Same;
      });
      if (Same)
        L.C.Lower = Init.S->E;
    }
    if (!L.C.Lower)
      L.C.Lower = M.ref(L.C.V);

    for (const Stmt *S : Leaves.lookup(Loop))
      L.LeavesEarly |= S->K == StmtKind::Break;
    walk(Loop->Body, [&](Stmt *S) {
      L.LeavesEarly |= S->K == StmtKind::Return;
      return true;
    });
    return L;
  }
  return std::nullopt;
}

std::optional<int64_t> KernelAnalysis::Impl::tripCount(const Stmt *Loop) {
  const auto &L = shape(Loop);
  if (!L || L->LeavesEarly || L->C.StepExpr)
    return std::nullopt;
  findRanges(); // a polynomial may be what is asked first
  Range Lower = VersionRange[L->Init], Bound = rangeAt(L->C.Bound, Loop);
  if (!Lower.isConstant() || !Bound.isConstant())
    return std::nullopt;
  // Compared as unsigned, a negative number is large.
  if (!isSigned(L->C.Bound->Ty->Scalar) && (Lower.Lo < 0 || Bound.Lo < 0))
    return std::nullopt;
  __int128 Step = L->C.Step, Way = __int128(Bound.Lo) - Lower.Lo;
  if (Step < 0) {
    Step = -Step;
    Way = -Way;
  }
  switch (L->C.Compare) {
  case Op::LE:
  case Op::GE:
    Way += 1;
    break;
  case Op::NE:
    if (Way < 0 || Way % Step != 0)
      return std::nullopt;
    break;
  default:
    break;
  }
  if (Way <= 0)
    return 0;
  __int128 Trips = (Way + Step - 1) / Step;
  // Would V overflow its type on the way?
  Range Fits = rangeOf(L->C.V->Ty->Scalar);
  __int128 Last = __int128(Lower.Lo) + Trips * L->C.Step;
  if (Last < Fits.Lo || Last > Fits.Hi)
    return std::nullopt;
  return int64_t(Trips);
}

/// x - 1 as the value of x and -1, at every stage: E without constants that are added to it, and
/// their sum.
void KernelAnalysis::Impl::anchors(const Expr *E, const Stmt *At,
                                   llvm::SmallVectorImpl<std::pair<unsigned, int64_t>> &Out) {
  int64_t Offset = 0;
  while (isIntScalar(E) && isSigned(E->Ty->Scalar) && sizeInBits(E->Ty->Scalar) >= 32) {
    if (E->K == ExprKind::IntConst) {
      if (E->Int <= INT32_MAX && E->Int >= -int64_t(INT32_MAX))
        Out.push_back({None, Offset + E->Int});
      return;
    }
    Out.push_back({valueOf(E, At), Offset});
    if (E->K == ExprKind::VarRef) {
      const Version &V = Versions[versionAt(E->V, At)];
      if (V.K != Version::Def || V.V->isMemory() || !V.S->E || !V.S->LaneIdx.empty() ||
          V.S->E->Ty != V.V->Ty || (V.S->K != StmtKind::Assign && V.S->K != StmtKind::Decl))
        return;
      E = V.S->E;
      At = V.S;
      continue;
    }
    if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub))
      return;
    std::optional<int64_t> Right = constantValue(E->Ops[1]);
    std::optional<int64_t> Left =
        E->O == Op::Add && !Right ? constantValue(E->Ops[0]) : std::nullopt;
    int64_t By = Right ? *Right : Left ? *Left : INT64_MAX;
    if (By > INT32_MAX || By < -int64_t(INT32_MAX))
      return;
    Offset += E->O == Op::Sub ? -By : By;
    E = E->Ops[Right ? 0 : 1];
  }
}

std::optional<int64_t> KernelAnalysis::Impl::mostTrips(const Stmt *Loop) {
  if (std::optional<int64_t> Trips = tripCount(Loop))
    return Trips;
  const auto &L = shape(Loop);
  if (!L || L->C.StepExpr || L->C.Compare == Op::NE)
    return std::nullopt;
  // Signed sums do not overflow; and of what is compared as another type, nothing is said.
  const Version &Init = Versions[L->Init];
  ScalarKind K = L->C.V->Ty->Scalar;
  if (Init.K != Version::Def || !Init.S->E || !Init.S->LaneIdx.empty() || !isSigned(K) ||
      sizeInBits(K) < 32 || L->C.Bound->Ty->Scalar != K || Init.S->E->Ty->Scalar != K)
    return std::nullopt;
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> First, Last;
  anchors(Init.S->E, Init.S, First);
  anchors(L->C.Bound, Loop, Last);
  for (auto [Value, From] : First)
    for (auto [Same, To] : Last)
      if (Value == Same) {
        int64_t Step = L->C.Step, Way = Step < 0 ? From - To : To - From;
        Step = Step < 0 ? -Step : Step;
        Way += L->C.Compare == Op::LE || L->C.Compare == Op::GE;
        return Way <= 0 ? 0 : (Way + Step - 1) / Step;
      }
  return std::nullopt;
}

} // namespace clmali::model
