//===-- checks/model/analysis/Loops.cpp - Loops that count -----------------===//
//
// What it does: recognises `for (V = Lower; V < Bound; V += Step)` in any of its spellings, by the
// versions of V: the version on the back edge must be V's version at the head plus a step that is
// invariant in the loop. Where first and last value are not known, their distance may still be
// constant (x - 1 to x + 1).
//
// Limits: no do-while (its first trip is not tested), no multiplicative step. A condition with &&
// counts like a break, since the bound is not all that ends the loop.
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

/// The step e of the loop-carried update `V = V + e`, negated for `V = V - e`.
static const Expr *stepOf(KernelAnalysis::Impl &I, const Version &Back, unsigned Head,
                          bool &Negated) {
  if (Back.K != Version::Def || Back.S->K != StmtKind::Assign || !Back.S->LaneIdx.empty())
    return nullptr;
  const Expr *Sum = peel(Back.S->E);
  if (Sum->K != ExprKind::Binary || (Sum->O != Op::Add && Sum->O != Op::Sub))
    return nullptr;
  Negated = Sum->O == Op::Sub;
  const Var *V = I.Versions[Head].V;
  const Expr *Step = nullptr;
  for (unsigned N : {0u, 1u}) {
    const Expr *Old = peel(Sum->Ops[N]);
    if (Old->K == ExprKind::VarRef && Old->V == V && I.versionAt(V, Back.S) == Head &&
        (N == 0 || !Negated))
      Step = Sum->Ops[1 - N];
  }
  return Step;
}

/// The value of E, through variables with one reaching definition.
static std::optional<int64_t> constantThrough(KernelAnalysis::Impl &I, const Expr *E,
                                              const Stmt *At) {
  E = peel(E);
  while (E->K == ExprKind::VarRef) {
    const Version &D = I.Versions[I.versionAt(E->V, At)];
    if (!isWholeDef(D))
      break;
    E = peel(D.S->E);
    At = D.S;
  }
  std::optional<int64_t> C = constantValue(E);
  if (C && E->Ty->Scalar == ScalarKind::UInt)
    C = int32_t(*C); // i += -1u
  return C;
}

/// Sets the step of C, whose Compare is known; false: the loop does not count towards its bound.
static bool setStep(KernelAnalysis::Impl &I, CountedLoop &C, const Version &Back, unsigned Head,
                    const Stmt *Loop) {
  bool Negated = false;
  const Expr *Step = stepOf(I, Back, Head, Negated);
  if (!Step || !I.invariant(Step, Back.S, Loop))
    return false;
  std::optional<int64_t> Value = constantThrough(I, Step, Back.S);
  if (!Value) {
    C.StepExpr = Negated ? I.M.unary(Op::Neg, Step) : Step;
    return C.Compare != Op::NE;
  }
  C.Step = Negated ? -*Value : *Value;
  bool Up = C.Compare == Op::LT || C.Compare == Op::LE;
  bool Down = C.Compare == Op::GT || C.Compare == Op::GE;
  return C.Step != 0 && !(Up && C.Step < 0) && !(Down && C.Step > 0);
}

/// The expression that Init was defined as, if its variables have the same values at the loop; else
/// null.
static const Expr *lowerBound(KernelAnalysis::Impl &I, const Version &Init, const Stmt *Loop) {
  if (!isWholeDef(Init))
    return nullptr;
  for (ExprAt X : exprs(Init.S->E)) {
    const Var *V = X->K == ExprKind::VarRef ? X->V : X->Acc.Base;
    if (!V)
      continue;
    auto Head = I.HeadOf.find({Loop, I.SlotOf.lookup(V)});
    unsigned AtLoop =
        Head == I.HeadOf.end() ? I.versionAt(V, Loop) : I.Versions[Head->second].In[0];
    if (AtLoop != I.versionAt(V, Init.S))
      return nullptr;
  }
  return Init.S->E;
}

/// True if Loop has a break or return.
static bool leavesEarly(KernelAnalysis::Impl &I, const Stmt *Loop) {
  return llvm::any_of(I.Leaves.lookup(Loop),
                      [](const Stmt *S) { return S->K == StmtKind::Break; }) ||
         llvm::any_of(stmts(Loop->Body), [](const Stmt *S) { return S->K == StmtKind::Return; });
}

/// `i != n` holds until i reaches n: with steps of one that is `i < n` or `i > n`. Signed sums do
/// not overflow; an unsigned i must start on the right side.
static Op orderOf(KernelAnalysis::Impl &I, const KernelAnalysis::Impl::LoopShape &L) {
  const CountedLoop &C = L.C;
  if (C.Compare != Op::NE || (C.Step != 1 && C.Step != -1))
    return C.Compare;
  ScalarKind K = C.V->Ty->Scalar;
  if (C.Bound->Ty->Scalar != K || sizeInBits(K) < 32)
    return C.Compare;
  const Version &Init = I.Versions[L.Init];
  bool FromZero = isWholeDef(Init) && constantValue(Init.S->E) == 0;
  if (!isSigned(K) && !(C.Step < 0 ? constantValue(C.Bound) == 0 : FromZero))
    return C.Compare;
  return C.Step < 0 ? Op::GT : Op::LT;
}

/// The shape of a loop that goes on while Counter O Bound.
static std::optional<KernelAnalysis::Impl::LoopShape>
shapeOf(KernelAnalysis::Impl &I, const Stmt *Loop, const Expr *Counter, Op O, const Expr *Bound) {
  const Expr *Ref = peel(Counter);
  if (Ref->K != ExprKind::VarRef || !isIntScalar(Ref))
    return std::nullopt;
  auto Slot = I.SlotOf.find(Ref->V);
  if (Slot == I.SlotOf.end())
    return std::nullopt;
  auto Head = I.HeadOf.find({Loop, Slot->second});
  if (Head == I.HeadOf.end() || I.Versions[Head->second].In.size() != 2 ||
      !I.invariant(Bound, Loop, Loop))
    return std::nullopt;

  KernelAnalysis::Impl::LoopShape L;
  L.Head = Head->second;
  L.Init = I.Versions[L.Head].In[0];
  L.C.V = Ref->V;
  L.C.Bound = Bound;
  L.C.Compare = O;
  if (!setStep(I, L.C, I.Versions[I.Versions[L.Head].In[1]], L.Head, Loop))
    return std::nullopt;
  L.C.Lower = lowerBound(I, I.Versions[L.Init], Loop);
  if (!L.C.Lower)
    L.C.Lower = I.M.ref(L.C.V);
  L.LeavesEarly = leavesEarly(I, Loop);
  L.C.Compare = orderOf(I, L);
  return L;
}

/// The same by Test, which holds in each trip.
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
  if (Test->K == ExprKind::VarRef && isIntScalar(Test))
    return shapeOf(*this, Loop, Test, Op::NE, M.intConst(0, Test->Ty));
  if (Test->K != ExprKind::Binary || !isComparison(Test->O) || Test->O == Op::EQ ||
      !isIntScalar(Test->Ops[0]))
    return std::nullopt;
  if (std::optional<LoopShape> L = shapeOf(*this, Loop, Test->Ops[0], Test->O, Test->Ops[1]))
    return L;
  return shapeOf(*this, Loop, Test->Ops[1], mirrored(Test->O), Test->Ops[0]);
}

std::optional<int64_t> KernelAnalysis::Impl::tripCount(const Stmt *Loop) {
  const auto &L = shape(Loop);
  if (!L || L->LeavesEarly || L->C.StepExpr)
    return std::nullopt;
  findRanges(); // this may be the first query
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

/// E as value number plus constant in all ways: x - 1 is itself plus 0, and x plus -1.
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
  // Signed sums do not overflow; a comparison in another type may convert.
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
