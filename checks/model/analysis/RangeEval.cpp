//===-- checks/model/analysis/RangeEval.cpp - Ranges of expressions ----------------===//
//
// What it does: the interval of an expression from the intervals of the versions that it reads,
// with C's semantics of its type, narrowed by the guards of its statement:
//
//   if (x >= 0 && x + 1 < 100)  ->  x in [0, 98] inside
//
// Limits: those of Ranges.cpp.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "checks/model/analysis/RangeArithmetic.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

using namespace ranges;

constexpr Range Truth{0, 1}, VectorTruth{-1, 0};
/// Constants beyond this are not used as offsets: sums with them may overflow.
constexpr int64_t MaxOffset = INT32_MAX;

static Range workItem(const Expr *E, const Kernel &K) {
  constexpr Range Size{0, int64_t(UINT32_MAX)};
  unsigned D = E->Dim;
  std::optional<int64_t> Group;
  if (K.ReqdWorkGroupSize && D < 3)
    Group = (*K.ReqdWorkGroupSize)[D];
  bool Outside = D >= 3;
  switch (E->Query) {
  case WorkItemQuery::GlobalId:
  case WorkItemQuery::GroupId:
  case WorkItemQuery::GlobalOffset:
    return Outside ? Range{0, 0} : Size;
  case WorkItemQuery::LocalId:
    return Outside ? Range{0, 0} : Group ? Range{0, *Group - 1} : Size;
  case WorkItemQuery::LocalSize:
    // The last group of a dimension may be smaller from OpenCL 2.0 on.
    return Outside ? Range{1, 1} : Group ? Range{1, *Group} : Range{1, Size.Hi};
  case WorkItemQuery::GlobalSize:
  case WorkItemQuery::NumGroups:
    return Outside ? Range{1, 1} : Range{1, Size.Hi};
  case WorkItemQuery::WorkDim:
    return {1, 3};
  }
  return Size;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// All of E's lanes, where guards G hold. Nothing: not computed yet, or never executed.
Range KernelAnalysis::Impl::eval(const Expr *E, const Stmt *At, const GuardLink *G) {
  if (!E->Ty->isInteger())
    return {};
  Range R = evalRaw(E, At, G);
  if (isNothing(R) || R.isConstant() || !G || !E->Ty->isScalar())
    return R;
  return refine(R, valueOf(E, At), E->Ty->Scalar, G);
}

/// Without the guards on E's own value.
Range KernelAnalysis::Impl::evalRaw(const Expr *E, const Stmt *At, const GuardLink *G) {
  ScalarKind K = E->Ty->Scalar;
  Range Full = rangeOf(K);
  switch (E->K) {
  case ExprKind::IntConst:
    return K == ScalarKind::ULong && E->Int < 0 ? Range{INT64_MAX, INT64_MAX}
                                                : Range{E->Int, E->Int};
  case ExprKind::VarRef: {
    unsigned V = versionAt(E->V, At);
    Range R = V < VersionRange.size() ? rangeOfVersion(V) : Full;
    // A variable without a definition may have any value, once all others are known.
    return isNothing(R) && RangesFinal ? Full : R;
  }
  case ExprKind::WorkItem:
    return workItem(E, this->K);
  case ExprKind::Unary:
    return evalUnary(E, At, G);
  case ExprKind::Binary:
    return evalBinary(E, At, G);
  case ExprKind::Cast:
    return evalCast(E, At, G);
  case ExprKind::Select:
    return evalSelect(E, At, G);
  case ExprKind::Load:
    return evalLoad(E);
  case ExprKind::Swizzle:
    // Not through arithmetic on vectors, which wraps where a scalar's does not.
    if (Following::mayGoOn(*this))
      if (auto C = componentOf(E, At); C && Owner.contains(C->first)) {
        Following Now(*this);
        return eval(C->first, C->second, C->second == At ? G : Info.lookup(C->second).Guards);
      }
    return eval(E->Ops[0], At, G);
  case ExprKind::VectorCtor: {
    Range R = Nothing;
    for (const Expr *X : E->Ops)
      R = join(R, eval(X, At, G));
    return R;
  }
  case ExprKind::Call:
    return evalCall(E, At, G);
  case ExprKind::ImageQuery: // of a format any number
    return isExtent(*E) ? Range{1, Full.Hi} : Full;
  default:
    return Full;
  }
}

Range KernelAnalysis::Impl::evalUnary(const Expr *E, const Stmt *At, const GuardLink *G) {
  ScalarKind K = E->Ty->Scalar;
  if (E->O == Op::LogicalNot) {
    if (!E->Ty->isScalar())
      return VectorTruth;
    Range A = isIntScalar(E->Ops[0]) ? eval(E->Ops[0], At, G) : Range{};
    if (isNothing(A))
      return A;
    Range B = converted(A, K, ScalarKind::Bool);
    return {1 - B.Hi, 1 - B.Lo};
  }
  Range A = eval(E->Ops[0], At, G);
  if (isNothing(A))
    return A;
  Wide High = top(A, K);
  if (E->O == Op::Neg)
    return E->Ty->isVector() ? wrapped(-High, -Wide(A.Lo), K) : fitted(-High, -Wide(A.Lo), K);
  if (E->O == Op::BitNot)
    return isSigned(K) ? fitted(-High - 1, -Wide(A.Lo) - 1, K)
                       : fitted(typeTop(K) - High, typeTop(K) - A.Lo, K);
  return rangeOf(K);
}

Range KernelAnalysis::Impl::evalBinary(const Expr *E, const Stmt *At, const GuardLink *G) {
  ScalarKind K = E->Ty->Scalar;
  Range Full = rangeOf(K);
  const Expr *X = E->Ops[0], *Y = E->Ops[1];
  bool IsTruth = isComparison(E->O) || E->O == Op::LogicalAnd || E->O == Op::LogicalOr;
  Range AnyTruth = E->Ty->isScalar() ? Truth : VectorTruth;
  if (!X->Ty->isInteger() || !Y->Ty->isInteger())
    return IsTruth ? AnyTruth : Full;
  Range A = eval(X, At, G), B = eval(Y, At, G);
  if (isNothing(A) || isNothing(B))
    return Nothing;
  if (IsTruth)
    return E->Ty->isScalar() && isComparison(E->O) ? compared(E->O, A, B, X->Ty->Scalar) : AnyTruth;
  Wide AH = top(A, K), BH = top(B, K);
  // Signed overflow of a scalar is undefined; vectors wrap.
  bool Wraps = E->Ty->isVector();
  auto Sum = [&](Wide Lo, Wide Hi) { return Wraps ? wrapped(Lo, Hi, K) : fitted(Lo, Hi, K); };
  switch (E->O) {
  case Op::Add:
    if (std::optional<Range> Mixed = convexSum(*this, E, At, G))
      return *Mixed;
    return Sum(Wide(A.Lo) + B.Lo, AH + BH);
  case Op::Sub:
    return Sum(A.Lo - BH, AH - B.Lo);
  case Op::Mul:
    // The product of two true upper bounds of ulong does not fit Wide.
    if (AH > INT64_MAX || BH > INT64_MAX)
      return (AH == 0 || BH == 0) ? Range{0, 0} : Full;
    return hull({Wide(A.Lo) * B.Lo, A.Lo * BH, AH * B.Lo, AH * BH}, K, Wraps);
  case Op::Div:
    return ranges::divided(A, B, K);
  case Op::Rem:
    return remainder(A, B, K);
  case Op::Shl:
  case Op::Shr:
    return shifted(E->O, A, B, K);
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return bitwise(E->O, A, B, K);
  default:
    return Full;
  }
}

Range KernelAnalysis::Impl::evalCast(const Expr *E, const Stmt *At, const GuardLink *G) {
  ScalarKind K = E->Ty->Scalar;
  Range Full = rangeOf(K);
  const Expr *From = E->Ops[0];
  if (!From->Ty->isInteger())
    return Full;
  Range A = eval(From, At, G);
  if (isNothing(A))
    return A;
  if (E->C == CastOp::Builtin && llvm::StringRef(E->Text).starts_with("_sat"))
    return {std::clamp(A.Lo, Full.Lo, Full.Hi), std::clamp(A.Hi, Full.Lo, Full.Hi)};
  if (E->C == CastOp::Bitcast && sizeInBytes(From->Ty->Scalar) != sizeInBytes(K))
    return Full;
  return converted(A, From->Ty->Scalar, K);
}

Range KernelAnalysis::Impl::evalSelect(const Expr *E, const Stmt *At, const GuardLink *G) {
  if (!E->Ops[0]->Ty->isScalar())
    return join(eval(E->Ops[1], At, G), eval(E->Ops[2], At, G));
  Range C = E->Ops[0]->Ty->isInteger() ? eval(E->Ops[0], At, G) : Truth;
  if (isNothing(C))
    return C;
  // Each side is computed under the condition. The links live until the side has been evaluated.
  size_t Before = Links.size();
  Range R = Nothing;
  if (C.Lo != 0 || C.Hi != 0)
    R = join(R, eval(E->Ops[1], At, guard(E->Ops[0], true, At, G)));
  if (C.Lo <= 0 && C.Hi >= 0)
    R = join(R, eval(E->Ops[2], At, guard(E->Ops[0], false, At, G)));
  while (Links.size() > Before) {
    Refinements.erase(&Links.back());
    Links.pop_back();
  }
  return R;
}

Range KernelAnalysis::Impl::evalLoad(const Expr *E) {
  ScalarKind K = E->Ty->Scalar;
  const Var *Base = E->Acc.Base;
  const Type *Elem = elementOf(Base->Ty);
  bool Fixed = !Written.contains(Base) && (!HasOpaque || Base->space() == AddressSpace::Constant);
  if (!Base->Ints.empty() && Fixed && E->Acc.Path.empty() && Elem && Elem->isInteger() &&
      Elem->Scalar == K) {
    auto [Lo, Hi] = std::minmax_element(Base->Ints.begin(), Base->Ints.end());
    return K == ScalarKind::ULong && *Lo < 0 ? rangeOf(K) : Range{*Lo, *Hi};
  }
  auto Held = ArrayRange.find(Base);
  if (RangePass && Held != ArrayRange.end())
    RangePass->read(arrayNode(Base));
  return Held == ArrayRange.end() ? rangeOf(K) : Held->second;
}

//===----------------------------------------------------------------------===//
// Built-ins
//===----------------------------------------------------------------------===//

namespace {

/// The operands of a call: their intervals and true upper bounds.
struct Operands {
  llvm::SmallVector<Range, 3> R;
  llvm::SmallVector<Wide, 3> High;
};

std::optional<Range> callOfOne(llvm::StringRef Name, const Operands &X, ScalarKind K) {
  if (Name == "abs") {
    Wide Lo = X.R[0].Lo, Hi = X.High[0];
    Wide Least = Lo > 0 ? Lo : Hi < 0 ? -Hi : 0;
    return fitted(Least, std::max(Lo < 0 ? -Lo : Lo, Hi < 0 ? -Hi : Hi), K);
  }
  if (Name == "any" || Name == "all")
    return Truth;
  if (Name == "popcount" || Name == "clz" || Name == "ctz")
    return Range{0, int64_t(sizeInBits(K))};
  return std::nullopt;
}

std::optional<Range> callOfTwo(llvm::StringRef Name, const Operands &X, ScalarKind K) {
  Range A = X.R[0], B = X.R[1];
  Wide AH = X.High[0], BH = X.High[1];
  if (Name == "min")
    return fitted(std::min(A.Lo, B.Lo), std::min(AH, BH), K);
  if (Name == "max")
    return fitted(std::max(A.Lo, B.Lo), std::max(AH, BH), K);
  if (Name == "add_sat" || Name == "sub_sat") {
    bool Add = Name == "add_sat";
    Wide Lo = Add ? Wide(A.Lo) + B.Lo : A.Lo - BH, Hi = Add ? AH + BH : AH - B.Lo;
    Wide Bottom = rangeOf(K).Lo, Top = typeTop(K);
    return fitted(std::clamp(Lo, Bottom, Top), std::clamp(Hi, Bottom, Top), K);
  }
  if (Name == "hadd" || Name == "rhadd") {
    Wide Round = Name == "rhadd";
    return fitted((Wide(A.Lo) + B.Lo + Round) >> 1, (AH + BH + Round) >> 1, K);
  }
  if (Name == "abs_diff")
    return fitted(0, std::max<Wide>(std::max(AH - B.Lo, BH - A.Lo), 0), K);
  return std::nullopt;
}

std::optional<Range> callOfThree(llvm::StringRef Name, const Operands &X, ScalarKind K) {
  if (Name == "clamp")
    return fitted(std::min(std::max(X.R[0].Lo, X.R[1].Lo), X.R[2].Lo),
                  std::min(std::max(X.High[0], X.High[1]), X.High[2]), K);
  if (Name == "select")
    return join(X.R[0], X.R[1]);
  return std::nullopt;
}

/// mul24 and mad24 take the low 24 bits: exact only where the factors fit.
Range productOf24Bits(const Operands &X, ScalarKind K) {
  Range Fits = isSigned(K) ? Range{-(1 << 23), (1 << 23) - 1} : Range{0, (1 << 24) - 1};
  if (!Fits.contains(X.R[0]) || !Fits.contains(X.R[1]))
    return rangeOf(K);
  Wide V[] = {Wide(X.R[0].Lo) * X.R[1].Lo, X.R[0].Lo * X.High[1], X.High[0] * X.R[1].Lo,
              X.High[0] * X.High[1]};
  Wide Lo = *llvm::min_element(V), Hi = *llvm::max_element(V);
  return X.R.size() == 3 ? wrapped(Lo + X.R[2].Lo, Hi + X.High[2], K) : wrapped(Lo, Hi, K);
}

} // namespace

Range KernelAnalysis::Impl::evalCall(const Expr *E, const Stmt *At, const GuardLink *G) {
  ScalarKind K = E->Ty->Scalar;
  llvm::StringRef Name = E->Name;
  Operands In;
  for (const Expr *X : E->Ops) {
    if (!X->Ty->isInteger()) {
      // isless and others compare floats.
      if (Name.starts_with("is") || Name == "signbit")
        return E->Ty->isScalar() ? Truth : VectorTruth;
      return rangeOf(K);
    }
    In.R.push_back(eval(X, At, G));
    if (isNothing(In.R.back()))
      return Nothing;
    In.High.push_back(top(In.R.back(), X->Ty->Scalar));
  }
  size_t N = In.R.size();
  if ((Name == "mul24" && N == 2) || (Name == "mad24" && N == 3))
    return productOf24Bits(In, K);
  std::optional<Range> R = N == 1   ? callOfOne(Name, In, K)
                           : N == 2 ? callOfTwo(Name, In, K)
                           : N == 3 ? callOfThree(Name, In, K)
                                    : std::nullopt;
  return R.value_or(rangeOf(K));
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// One step from E towards the value that it is computed from: Inner + Step.Add, or a conversion of
/// Inner. False: E is of no such form.
static bool peelStep(const Expr *&E, Refinement::Step &Step) {
  Step = {false, E->Ty->Scalar, 0};
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E->Ops[0]) &&
      E->Ty->Scalar != ScalarKind::Bool) {
    Step.IsCast = true;
    E = E->Ops[0];
    return true;
  }
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub))
    return false;
  std::optional<int64_t> Right = constantValue(E->Ops[1]);
  std::optional<int64_t> Left = E->O == Op::Add && !Right ? constantValue(E->Ops[0]) : std::nullopt;
  if (!Right && !Left)
    return false;
  int64_t V = Right ? *Right : *Left;
  if (V > MaxOffset || V < -MaxOffset)
    return false;
  Step.Add = E->O == Op::Sub ? -V : V;
  E = E->Ops[Right ? 0 : 1];
  return true;
}

/// Refinements of what Side, one side of a comparison at At, is computed from: constants and
/// conversions are peeled off, and variables are replaced by their definitions (i = x + 1; i < w
/// narrows x as well).
void KernelAnalysis::Impl::refineSide(const Expr *Side, const Stmt *At, Refinement R,
                                      llvm::SmallVectorImpl<Refinement> &List) {
  for (const Expr *E = Side; E->K != ExprKind::IntConst;) {
    unsigned Key = valueOf(E, At);
    if (Key != R.Key) {
      R.Key = Key;
      List.push_back(R);
    }
    if (E->K == ExprKind::VarRef) {
      const Version &V = Versions[versionAt(E->V, At)];
      if (!isWholeDef(V) || V.S->E->Ty != V.V->Ty)
        return;
      E = V.S->E;
      At = V.S;
      continue;
    }
    Refinement::Step Step;
    if (!peelStep(E, Step))
      return;
    R.Steps.insert(R.Steps.begin(), Step);
  }
}

/// What G says of which values.
llvm::ArrayRef<Refinement> KernelAnalysis::Impl::refinements(const GuardLink *G) {
  auto It = Refinements.find(G);
  if (It != Refinements.end())
    return It->second;
  llvm::SmallVector<Refinement, 4> List;
  const Expr *C = G->Cond;
  Refinement R;
  if (C->K == ExprKind::Binary && isComparison(C->O) && isIntScalar(C->Ops[0])) {
    for (unsigned Side : {0u, 1u}) {
      Op O = Side == 0 ? C->O : mirrored(C->O);
      R.Compare = G->Holds ? O : inverse(O);
      R.Other = C->Ops[1 - Side];
      refineSide(C->Ops[Side], G->At, R, List);
    }
  } else if (isIntScalar(C)) {
    // if (x): x is not 0.
    R.Key = valueOf(C, G->At);
    R.Compare = G->Holds ? Op::NE : Op::EQ;
    List.push_back(R);
  }
  return Refinements[G] = std::move(List);
}

/// The sum of X's steps, and the type of what is compared, for a value in R of type K; nullopt: a
/// step may wrap.
static std::optional<std::pair<Wide, ScalarKind>> offsetOf(const Refinement &X, Range R,
                                                           ScalarKind K) {
  Wide Lo = R.Lo, Hi = top(R, K), Offset = 0;
  ScalarKind Compared = K;
  for (const Refinement::Step &S : X.Steps) {
    Lo += S.Add;
    Hi += S.Add;
    Offset += S.Add;
    Compared = S.K;
    if (Lo >= rangeOf(S.K).Lo && Hi <= typeTop(S.K))
      continue;
    if (S.IsCast || !isSigned(S.K))
      return std::nullopt;
    // Signed overflow does not happen.
    Lo = std::max<Wide>(Lo, rangeOf(S.K).Lo);
    Hi = std::min<Wide>(Hi, rangeOf(S.K).Hi);
  }
  return std::pair(Offset, Compared);
}

/// The values of [Least, Most] that compare with some of [OtherLeast, OtherMost].
static std::pair<Wide, Wide> narrowed(Op Compare, Wide Least, Wide Most, Wide OtherLeast,
                                      Wide OtherMost) {
  switch (Compare) {
  case Op::LT:
    return {Least, std::min(Most, OtherMost - 1)};
  case Op::LE:
    return {Least, std::min(Most, OtherMost)};
  case Op::GT:
    return {std::max(Least, OtherLeast + 1), Most};
  case Op::GE:
    return {std::max(Least, OtherLeast), Most};
  case Op::EQ:
    return {std::max(Least, OtherLeast), std::min(Most, OtherMost)};
  case Op::NE:
    if (OtherLeast == OtherMost && Least == OtherMost)
      return {Least + 1, Most};
    if (OtherLeast == OtherMost && Most == OtherMost)
      return {Least, Most - 1};
    return {Least, Most};
  default:
    return {Least, Most};
  }
}

/// R, the range of the value numbered Key, under the guards G.
Range KernelAnalysis::Impl::refine(Range R, unsigned Key, ScalarKind K, const GuardLink *G) {
  constexpr unsigned MaxDepth = 2; // of guards that compare what other guards compare
  if (!G)
    return R;
  R = refine(R, Key, K, G->Outer);
  if (isNothing(R))
    return R;
  auto Here = refinements(G);
  if (llvm::none_of(Here, [Key](const Refinement &X) { return X.Key == Key; }))
    return R;
  // A copy: evaluating the other side may add to the table.
  llvm::SmallVector<Refinement, 4> List(Here);
  for (const Refinement &X : List) {
    if (X.Key != Key)
      continue;
    auto Peeled = offsetOf(X, R, K);
    if (!Peeled)
      continue;
    auto [Offset, Compared] = *Peeled;
    Range Other{0, 0};
    if (X.Other) {
      ++RefineDepth;
      Other = eval(X.Other, G->At, RefineDepth > MaxDepth ? nullptr : G->Outer);
      --RefineDepth;
    }
    if (isNothing(Other))
      continue;
    Wide OtherTop = top(Other, X.Other ? X.Other->Ty->Scalar : Compared);
    auto [Least, Most] =
        narrowed(X.Compare, R.Lo, top(R, K), Wide(Other.Lo) - Offset, OtherTop - Offset);
    // A contradiction: the statement is never executed. Any range is sound; keep R.
    if (Least > Most)
      continue;
    R = {int64_t(std::min<Wide>(Least, INT64_MAX)), int64_t(std::min<Wide>(Most, INT64_MAX))};
  }
  return R;
}

/// E's range as statement At computes it.
Range KernelAnalysis::Impl::rangeAt(const Expr *E, const Stmt *At) {
  if (!E->Ty->isInteger())
    return {};
  const GuardLink *G = At ? Info.lookup(At).Guards : nullptr;
  Range R = eval(E, At, G);
  // The range of a variable that a loop adds to is known better than the sum of its operands.
  if (At && At->E == E && (At->K == StmtKind::Assign || At->K == StmtKind::Decl) &&
      At->LaneIdx.empty() && RangesFinal && At->V->Ty->Scalar == E->Ty->Scalar)
    if (auto Made = VersionMade.find({At, SlotOf.lookup(At->V)}); Made != VersionMade.end())
      R = meet(R, rangeOfVersion(Made->second));
  return isNothing(R) ? rangeOf(E->Ty->Scalar) : R;
}

} // namespace clmali::model
