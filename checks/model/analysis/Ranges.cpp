//===-- checks/model/analysis/Ranges.cpp - Value ranges ---------------------===//
//
// What it does: intervals for every version, by abstract interpretation with
// widening at the heads of loops and narrowing afterwards; then, for variables
// that move by a bounded step in a loop of known length, start + trips * step.
// Guards narrow what they compare:
//
//   if (x >= 0 && x + 1 < 100)  ->  x in [0, 98] inside
//
// C's semantics: unsigned results outside the type wrap (full range of the
// type), signed overflow of scalars is undefined (clamped to the type; vectors
// wrap as well), conversions to a type that does not hold the operand's range
// give the full range, shift counts are taken modulo the width, division by
// zero gives any value.
//
// Limits: a range of ulong is cut to [0, INT64_MAX], where INT64_MAX stands
// for "or more". Nothing is known of floating point.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

using Wide = __int128;

Range rangeOf(ScalarKind K) {
  if (isFloat(K))
    return {};
  if (K == ScalarKind::ULong)
    return {0, INT64_MAX};
  unsigned Bits = sizeInBits(K);
  if (!isSigned(K))
    return {0, (int64_t(1) << Bits) - 1};
  int64_t Max = Bits == 64 ? INT64_MAX : (int64_t(1) << (Bits - 1)) - 1;
  return {-Max - 1, Max};
}

ScalarKind narrowest(Range R) {
  for (ScalarKind K : {ScalarKind::Char, ScalarKind::UChar, ScalarKind::Short, ScalarKind::UShort,
                       ScalarKind::Int, ScalarKind::UInt})
    if (rangeOf(K).contains(R))
      return K;
  return ScalarKind::Long;
}

namespace {

constexpr Range Nothing{1, 0};
bool isNothing(Range R) { return R.Lo > R.Hi; }

Range join(Range A, Range B) {
  if (isNothing(A))
    return B;
  if (isNothing(B))
    return A;
  return {std::min(A.Lo, B.Lo), std::max(A.Hi, B.Hi)};
}

Range meet(Range A, Range B) { return {std::max(A.Lo, B.Lo), std::min(A.Hi, B.Hi)}; }

/// The true upper bound of a value of type K.
Wide top(Range R, ScalarKind K) {
  return K == ScalarKind::ULong && R.Hi == INT64_MAX ? Wide(UINT64_MAX) : Wide(R.Hi);
}
Wide typeTop(ScalarKind K) { return top(rangeOf(K), K); }

/// [Lo, Hi], computed without limits, as an operation of type K leaves it.
Range fitted(Wide Lo, Wide Hi, ScalarKind K) {
  Range Full = rangeOf(K);
  if (Lo >= Full.Lo && Hi <= typeTop(K))
    return {int64_t(std::min<Wide>(Lo, INT64_MAX)), int64_t(std::min<Wide>(Hi, INT64_MAX))};
  if (!isSigned(K) || Lo > Full.Hi || Hi < Full.Lo)
    return Full;
  return {int64_t(std::max<Wide>(Lo, Full.Lo)), int64_t(std::min<Wide>(Hi, Full.Hi))};
}

/// The same, where overflow wraps for signed types too (shifts, conversions).
Range wrapped(Wide Lo, Wide Hi, ScalarKind K) {
  Range Full = rangeOf(K);
  return Lo >= Full.Lo && Hi <= typeTop(K) ? fitted(Lo, Hi, K) : Full;
}

Range converted(Range R, ScalarKind From, ScalarKind To) {
  if (To == ScalarKind::Bool) {
    if (R.isConstant())
      return {R.Lo != 0, R.Lo != 0};
    return {R.Lo > 0 || R.Hi < 0, 1};
  }
  return wrapped(R.Lo, top(R, From), To);
}

Range hull(std::initializer_list<Wide> Values, ScalarKind K, bool Wraps = false) {
  Wide Lo = *llvm::min_element(Values), Hi = *llvm::max_element(Values);
  return Wraps ? wrapped(Lo, Hi, K) : fitted(Lo, Hi, K);
}

Range divided(Range A, Range B, ScalarKind K) {
  if (B.Lo <= 0 && B.Hi >= 0)
    return rangeOf(K); // by zero: any value
  Wide AL = A.Lo, AH = top(A, K), BL = B.Lo, BH = top(B, K);
  return hull({AL / BL, AL / BH, AH / BL, AH / BH}, K);
}

Range remainder(Range A, Range B, ScalarKind K) {
  if (B.Lo <= 0 && B.Hi >= 0)
    return rangeOf(K);
  Wide BL = B.Lo, BH = top(B, K);
  Wide Most = std::max(BL < 0 ? -BL : BL, BH < 0 ? -BH : BH) - 1;
  Wide Lo = A.Lo >= 0 ? 0 : std::max<Wide>(-Most, A.Lo);
  Wide Hi = A.Hi <= 0 ? 0 : std::min(Most, top(A, K));
  // Smaller than every divisor: unchanged.
  Wide Least = std::min(BL < 0 ? -BL : BL, BH < 0 ? -BH : BH);
  if (A.Lo >= 0 && top(A, K) < Least)
    return A;
  return fitted(Lo, Hi, K);
}

Range shifted(Op O, Range A, Range Count, ScalarKind K) {
  int64_t Bits = sizeInBits(K);
  if (Count.Lo < 0 || Count.Hi >= Bits)
    Count = {0, Bits - 1};
  Wide AL = A.Lo, AH = top(A, K);
  if (O == Op::Shr)
    return hull({AL >> Count.Lo, AL >> Count.Hi, AH >> Count.Lo, AH >> Count.Hi}, K);
  if (Count.Hi > 62)
    return A == Range{0, 0} ? A : rangeOf(K);
  Wide Lo = Wide(1) << Count.Lo, Hi = Wide(1) << Count.Hi;
  return hull({AL * Lo, AL * Hi, AH * Lo, AH * Hi}, K, /*Wraps=*/true);
}

/// Smallest 2^n - 1 that no value of R exceeds, taken as -x - 1 if negative.
Wide bitBound(Range R, ScalarKind K) {
  Wide Most = std::max<Wide>(top(R, K), R.Lo < 0 ? -Wide(R.Lo) - 1 : 0);
  Wide Bound = 0;
  while (Bound < Most)
    Bound = Bound * 2 + 1;
  return Bound;
}

Range bitwise(Op O, Range A, Range B, ScalarKind K) {
  if (A.isConstant() && B.isConstant() && K != ScalarKind::ULong) {
    int64_t V = O == Op::And ? A.Lo & B.Lo : O == Op::Or ? A.Lo | B.Lo : A.Lo ^ B.Lo;
    return {V, V};
  }
  bool NonNegative = A.Lo >= 0 && B.Lo >= 0;
  if (O == Op::And) {
    if (NonNegative)
      return fitted(0, std::min(top(A, K), top(B, K)), K);
    if (A.Lo >= 0)
      return fitted(0, top(A, K), K);
    if (B.Lo >= 0)
      return fitted(0, top(B, K), K);
  }
  Wide Bound = std::max(bitBound(A, K), bitBound(B, K));
  if (NonNegative)
    return fitted(O == Op::Or ? std::max(A.Lo, B.Lo) : 0, Bound, K);
  return fitted(-Bound - 1, Bound, K);
}

Range compared(Op O, Range A, Range B, ScalarKind K) {
  Wide AH = top(A, K), BH = top(B, K);
  auto Known = [](bool Yes, bool No) { return Range{Yes, !No}; };
  switch (O) {
  case Op::LT:
    return Known(AH < B.Lo, A.Lo >= BH);
  case Op::LE:
    return Known(AH <= B.Lo, A.Lo > BH);
  case Op::GT:
    return Known(A.Lo > BH, AH <= B.Lo);
  case Op::GE:
    return Known(A.Lo >= BH, AH < B.Lo);
  case Op::EQ:
    return Known(A.Lo == AH && B.Lo == BH && A.Lo == B.Lo, AH < B.Lo || BH < A.Lo);
  case Op::NE:
    return Known(AH < B.Lo || BH < A.Lo, A.Lo == AH && B.Lo == BH && A.Lo == B.Lo);
  default:
    return {0, 1};
  }
}

constexpr Range Size{0, int64_t(UINT32_MAX)};

Range workItem(const Expr *E, const Kernel &K) {
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

} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// All of E's lanes, where guards G hold. Nothing: not computed yet, or never.
Range KernelAnalysis::Impl::eval(const Expr *E, const Stmt *At, const GuardLink *G) {
  if (!E->Ty->isInteger())
    return {};
  Range R = evalRaw(E, At, G);
  if (isNothing(R) || R.isConstant() || !G || !E->Ty->isScalar())
    return R;
  return refine(R, valueOf(E, At), E->Ty->Scalar, G);
}

Range KernelAnalysis::Impl::evalRaw(const Expr *E, const Stmt *At, const GuardLink *G) {
  ScalarKind K = E->Ty->Scalar;
  Range Full = rangeOf(K);
  auto Sub = [&](unsigned I) { return eval(E->Ops[I], At, G); };
  switch (E->K) {
  case ExprKind::IntConst:
    return K == ScalarKind::ULong && E->Int < 0 ? Range{INT64_MAX, INT64_MAX}
                                                : Range{E->Int, E->Int};
  case ExprKind::VarRef: {
    unsigned V = versionAt(E->V, At);
    Range R = V < VersionRange.size() ? VersionRange[V] : Full;
    // What is never defined may be anything, once all else is known.
    return isNothing(R) && RangesFinal ? Full : R;
  }
  case ExprKind::WorkItem:
    return workItem(E, this->K);
  case ExprKind::Unary: {
    if (E->O == Op::LogicalNot) {
      if (!E->Ty->isScalar())
        return {-1, 0};
      Range A = isIntScalar(E->Ops[0]) ? Sub(0) : Range{};
      if (isNothing(A))
        return A;
      Range B = converted(A, K, ScalarKind::Bool);
      return {1 - B.Hi, 1 - B.Lo};
    }
    Range A = Sub(0);
    if (isNothing(A))
      return A;
    Wide High = top(A, K);
    if (E->O == Op::Neg)
      return E->Ty->isVector() ? wrapped(-High, -Wide(A.Lo), K) : fitted(-High, -Wide(A.Lo), K);
    if (E->O == Op::BitNot)
      return isSigned(K) ? fitted(-High - 1, -Wide(A.Lo) - 1, K)
                         : fitted(typeTop(K) - High, typeTop(K) - A.Lo, K);
    return Full;
  }
  case ExprKind::Binary: {
    const Expr *X = E->Ops[0], *Y = E->Ops[1];
    bool Truth = isComparison(E->O) || E->O == Op::LogicalAnd || E->O == Op::LogicalOr;
    Range Any = E->Ty->isScalar() ? Range{0, 1} : Range{-1, 0};
    if (!X->Ty->isInteger() || !Y->Ty->isInteger())
      return Truth ? Any : Full;
    Range A = Sub(0), B = Sub(1);
    if (isNothing(A) || isNothing(B))
      return Nothing;
    ScalarKind OpK = X->Ty->Scalar;
    if (Truth) {
      if (!E->Ty->isScalar() || !isComparison(E->O))
        return Any;
      return compared(E->O, A, B, OpK);
    }
    Wide AH = top(A, K), BH = top(B, K);
    // Signed overflow of a scalar is undefined; vectors wrap.
    bool Wraps = E->Ty->isVector();
    auto Sum = [&](Wide Lo, Wide Hi) { return Wraps ? wrapped(Lo, Hi, K) : fitted(Lo, Hi, K); };
    switch (E->O) {
    case Op::Add:
      return Sum(Wide(A.Lo) + B.Lo, AH + BH);
    case Op::Sub:
      return Sum(A.Lo - BH, AH - B.Lo);
    case Op::Mul: {
      // Products of two true ulong tops do not fit: nothing is known there.
      if (AH > INT64_MAX || BH > INT64_MAX)
        return (AH == 0 || BH == 0) ? Range{0, 0} : Full;
      return hull({Wide(A.Lo) * B.Lo, A.Lo * BH, AH * B.Lo, AH * BH}, K, Wraps);
    }
    case Op::Div:
      return divided(A, B, K);
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
  case ExprKind::Cast: {
    const Expr *From = E->Ops[0];
    if (!From->Ty->isInteger())
      return Full;
    Range A = Sub(0);
    if (isNothing(A))
      return A;
    ScalarKind FromK = From->Ty->Scalar;
    switch (E->C) {
    case CastOp::Splat:
      return converted(A, FromK, K);
    case CastOp::Convert:
      return converted(A, FromK, K);
    case CastOp::Builtin:
      if (llvm::StringRef(E->Text).starts_with("_sat"))
        return {std::clamp(A.Lo, Full.Lo, Full.Hi), std::clamp(A.Hi, Full.Lo, Full.Hi)};
      return converted(A, FromK, K);
    case CastOp::Bitcast:
      return sizeInBytes(FromK) == sizeInBytes(K) ? converted(A, FromK, K) : Full;
    }
    return Full;
  }
  case ExprKind::Select: {
    if (!E->Ops[0]->Ty->isScalar())
      return join(Sub(1), Sub(2));
    Range C = E->Ops[0]->Ty->isInteger() ? Sub(0) : Range{0, 1};
    if (isNothing(C))
      return C;
    // Each side is computed under the condition. The links live until the
    // side has been evaluated.
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
  case ExprKind::Load: {
    const Var *Base = E->Acc.Base;
    const Type *Elem = elementOf(Base->Ty);
    bool Fixed = !Written.contains(Base) && (!HasOpaque || Base->space() == AddressSpace::Constant);
    if (!Base->Ints.empty() && Fixed && E->Acc.Path.empty() && Elem && Elem->isInteger() &&
        Elem->Scalar == K) {
      auto [Lo, Hi] = std::minmax_element(Base->Ints.begin(), Base->Ints.end());
      return K == ScalarKind::ULong && *Lo < 0 ? Full : Range{*Lo, *Hi};
    }
    if (auto Held = ArrayRange.find(Base); Held != ArrayRange.end())
      return Held->second;
    return Full;
  }
  case ExprKind::Swizzle:
    // Not through arithmetic on vectors, which wraps where a scalar's does not.
    if (Following::mayGoOn(*this))
      if (auto C = componentOf(E, At); C && Owner.contains(C->first)) {
        Following Now(*this);
        return eval(C->first, C->second, C->second == At ? G : Info.lookup(C->second).Guards);
      }
    return Sub(0);
  case ExprKind::VectorCtor: {
    Range R = Nothing;
    for (unsigned I = 0; I < E->Ops.size(); ++I)
      R = join(R, Sub(I));
    return R;
  }
  case ExprKind::Call:
    return evalCall(E, At, G);
  default:
    return Full;
  }
}

Range KernelAnalysis::Impl::evalCall(const Expr *E, const Stmt *At, const GuardLink *G) {
  ScalarKind K = E->Ty->Scalar;
  Range Full = rangeOf(K);
  llvm::StringRef Name = E->Name;
  llvm::SmallVector<Range, 3> A;
  llvm::SmallVector<Wide, 3> High;
  for (const Expr *X : E->Ops) {
    if (!X->Ty->isInteger()) {
      // isless and friends of floats give truth values.
      if (Name.starts_with("is") || Name == "signbit")
        return E->Ty->isScalar() ? Range{0, 1} : Range{-1, 0};
      return Full;
    }
    A.push_back(eval(X, At, G));
    if (isNothing(A.back()))
      return Nothing;
    High.push_back(top(A.back(), X->Ty->Scalar));
  }
  size_t N = A.size();
  if (N == 1) {
    if (Name == "abs") {
      Wide Lo = A[0].Lo, Hi = High[0];
      Wide Least = Lo > 0 ? Lo : Hi < 0 ? -Hi : 0;
      return fitted(Least, std::max(Lo < 0 ? -Lo : Lo, Hi < 0 ? -Hi : Hi), K);
    }
    if (Name == "any" || Name == "all")
      return {0, 1};
    if (Name == "popcount" || Name == "clz" || Name == "ctz")
      return {0, int64_t(sizeInBits(K))};
  }
  if (N == 2) {
    if (Name == "min")
      return fitted(std::min(A[0].Lo, A[1].Lo), std::min(High[0], High[1]), K);
    if (Name == "max")
      return fitted(std::max(A[0].Lo, A[1].Lo), std::max(High[0], High[1]), K);
    if (Name == "add_sat" || Name == "sub_sat") {
      bool Add = Name == "add_sat";
      Wide Lo = Add ? Wide(A[0].Lo) + A[1].Lo : A[0].Lo - High[1];
      Wide Hi = Add ? High[0] + High[1] : High[0] - A[1].Lo;
      Wide Bottom = Full.Lo, Top = typeTop(K);
      return fitted(std::clamp(Lo, Bottom, Top), std::clamp(Hi, Bottom, Top), K);
    }
    if (Name == "hadd" || Name == "rhadd") {
      Wide Round = Name == "rhadd";
      return fitted((Wide(A[0].Lo) + A[1].Lo + Round) >> 1, (High[0] + High[1] + Round) >> 1, K);
    }
    if (Name == "abs_diff") {
      Wide Most = std::max(High[0] - A[1].Lo, High[1] - A[0].Lo);
      return fitted(0, std::max<Wide>(Most, 0), K);
    }
  }
  // mul24 takes the low 24 bits: exact only where the operands fit.
  bool Mul24 = Name == "mul24" && N == 2, Mad24 = Name == "mad24" && N == 3;
  if (Mul24 || Mad24) {
    Range Fits = isSigned(K) ? Range{-(1 << 23), (1 << 23) - 1} : Range{0, (1 << 24) - 1};
    if (!Fits.contains(A[0]) || !Fits.contains(A[1]))
      return Full;
    Wide V[] = {Wide(A[0].Lo) * A[1].Lo, A[0].Lo * High[1], High[0] * A[1].Lo, High[0] * High[1]};
    Wide Lo = *llvm::min_element(V), Hi = *llvm::max_element(V);
    if (Mad24)
      return wrapped(Lo + A[2].Lo, Hi + High[2], K);
    return wrapped(Lo, Hi, K);
  }
  if (N == 3) {
    if (Name == "clamp")
      return fitted(std::min(std::max(A[0].Lo, A[1].Lo), A[2].Lo),
                    std::min(std::max(High[0], High[1]), High[2]), K);
    if (Name == "select")
      return join(A[0], A[1]);
  }
  return Full;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// What G says of which values: of both sides of its comparison, and of what
/// is left when constants and conversions are peeled from a side.
llvm::ArrayRef<Refinement> KernelAnalysis::Impl::refinements(const GuardLink *G) {
  auto It = Refinements.find(G);
  if (It != Refinements.end())
    return It->second;
  llvm::SmallVector<Refinement, 4> List;
  const Expr *C = G->Cond;
  if (C->K == ExprKind::Binary && isComparison(C->O) && isIntScalar(C->Ops[0])) {
    for (unsigned Side : {0u, 1u}) {
      Op O = Side == 0 ? C->O : mirrored(C->O);
      Refinement R;
      R.Compare = G->Holds ? O : inverse(O);
      R.Other = C->Ops[1 - Side];
      const Stmt *At = G->At;
      for (const Expr *E = C->Ops[Side];;) {
        if (E->K == ExprKind::IntConst)
          break;
        unsigned Key = valueOf(E, At);
        if (Key != R.Key) {
          R.Key = Key;
          List.push_back(R);
        }
        if (E->K == ExprKind::VarRef) {
          // Through its definition: i = x + 1; i < w narrows x as well.
          const Version &V = Versions[versionAt(E->V, At)];
          if (V.K != Version::Def || V.V->isMemory() || !V.S->E || !V.S->LaneIdx.empty() ||
              (V.S->K != StmtKind::Assign && V.S->K != StmtKind::Decl) || V.S->E->Ty != V.V->Ty)
            break;
          E = V.S->E;
          At = V.S;
          continue;
        }
        Refinement::Step Step{false, E->Ty->Scalar, 0};
        if (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E->Ops[0]) &&
            E->Ty->Scalar != ScalarKind::Bool) {
          Step.IsCast = true;
          E = E->Ops[0];
        } else if (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub) &&
                   constantValue(E->Ops[1])) {
          int64_t V = *constantValue(E->Ops[1]);
          if (V > INT32_MAX || V < -int64_t(INT32_MAX))
            break;
          Step.Add = E->O == Op::Add ? V : -V;
          E = E->Ops[0];
        } else if (E->K == ExprKind::Binary && E->O == Op::Add && constantValue(E->Ops[0])) {
          Step.Add = *constantValue(E->Ops[0]);
          if (Step.Add > INT32_MAX || Step.Add < -int64_t(INT32_MAX))
            break;
          E = E->Ops[1];
        } else {
          break;
        }
        R.Steps.insert(R.Steps.begin(), Step);
      }
    }
  } else if (isIntScalar(C)) {
    // if (x): x is not 0.
    Refinement R;
    R.Key = valueOf(C, G->At);
    R.Compare = G->Holds ? Op::NE : Op::EQ;
    List.push_back(R);
  }
  return Refinements[G] = std::move(List);
}

Range KernelAnalysis::Impl::refine(Range R, unsigned Key, ScalarKind K, const GuardLink *G) {
  if (!G)
    return R;
  R = refine(R, Key, K, G->Outer);
  if (isNothing(R))
    return R;
  auto Here = refinements(G);
  if (llvm::none_of(Here, [Key](const Refinement &X) { return X.Key == Key; }))
    return R;
  // By value: evaluating the other side may add to the table.
  llvm::SmallVector<Refinement, 4> List(Here);
  for (const Refinement &X : List) {
    if (X.Key != Key)
      continue;
    // From R outwards: nothing may wrap on the way to what is compared.
    Wide Lo = R.Lo, Hi = top(R, K), Offset = 0;
    bool Exact = true;
    ScalarKind Compared = K;
    for (const Refinement::Step &S : X.Steps) {
      Lo += S.Add;
      Hi += S.Add;
      Offset += S.Add;
      Compared = S.K;
      bool Fits = Lo >= rangeOf(S.K).Lo && Hi <= typeTop(S.K);
      // Signed overflow does not happen.
      if (!Fits && !S.IsCast && isSigned(S.K)) {
        Lo = std::max<Wide>(Lo, rangeOf(S.K).Lo);
        Hi = std::min<Wide>(Hi, rangeOf(S.K).Hi);
        Fits = true;
      }
      Exact &= Fits;
    }
    if (!Exact)
      continue;
    Range Other{0, 0};
    // Guards compare what other guards compare: not all the way through all of them.
    if (X.Other) {
      ++RefineDepth;
      Other = eval(X.Other, G->At, RefineDepth > 2 ? nullptr : G->Outer);
      --RefineDepth;
    }
    if (isNothing(Other))
      continue;
    Wide OtherTop = top(Other, X.Other ? X.Other->Ty->Scalar : Compared);
    Wide Least = R.Lo, Most = top(R, K);
    switch (X.Compare) {
    case Op::LT:
      Most = std::min(Most, OtherTop - 1 - Offset);
      break;
    case Op::LE:
      Most = std::min(Most, OtherTop - Offset);
      break;
    case Op::GT:
      Least = std::max<Wide>(Least, Other.Lo + 1 - Offset);
      break;
    case Op::GE:
      Least = std::max<Wide>(Least, Other.Lo - Offset);
      break;
    case Op::EQ:
      Most = std::min(Most, OtherTop - Offset);
      Least = std::max<Wide>(Least, Other.Lo - Offset);
      break;
    case Op::NE:
      if (Wide(Other.Lo) == OtherTop && Least == OtherTop - Offset)
        ++Least;
      else if (Wide(Other.Lo) == OtherTop && Most == OtherTop - Offset)
        --Most;
      break;
    default:
      break;
    }
    // A contradiction: control does not come here. Any range is sound, and
    // the one without the guard surprises nobody.
    if (Least > Most)
      continue;
    R = {int64_t(std::min<Wide>(Least, INT64_MAX)), int64_t(std::min<Wide>(Most, INT64_MAX))};
  }
  return R;
}

Range KernelAnalysis::Impl::rangeAt(const Expr *E, const Stmt *At) {
  if (!E->Ty->isInteger())
    return {};
  const GuardLink *G = At ? Info.lookup(At).Guards : nullptr;
  Range R = eval(E, At, G);
  // Of a sum in a loop more is known than of what it is added to.
  if (At && At->E == E && (At->K == StmtKind::Assign || At->K == StmtKind::Decl) &&
      At->LaneIdx.empty() && RangesFinal && At->V->Ty->Scalar == E->Ty->Scalar)
    if (auto Made = VersionMade.find({At, SlotOf.lookup(At->V)}); Made != VersionMade.end())
      R = meet(R, VersionRange[Made->second]);
  return isNothing(R) ? rangeOf(E->Ty->Scalar) : R;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

Range KernelAnalysis::Impl::evalVersion(unsigned N) {
  const Version &V = Versions[N];
  Range Full = V.V->Ty->isInteger() ? rangeOf(V.V->Ty->Scalar) : Range();
  switch (V.K) {
  case Version::Entry:
    return Full;
  case Version::Undef:
    return Nothing; // reading it is undefined
  case Version::Unknown:
    if (V.In.empty())
      return Full;
    [[fallthrough]];
  case Version::Join:
  case Version::LoopHead:
  case Version::LoopExit: {
    Range R = Nothing;
    for (unsigned In : V.In)
      R = join(R, VersionRange[In]);
    return R;
  }
  case Version::Def: {
    if (!V.S->E || (V.S->K != StmtKind::Decl && V.S->K != StmtKind::Assign))
      return Full;
    Range R = eval(V.S->E, V.S, Info.lookup(V.S).Guards);
    return V.Prev == None ? R : join(R, VersionRange[V.Prev]);
  }
  }
  return Full;
}

/// Of Trips rounds of Loop, those that are over where User runs.
int64_t KernelAnalysis::Impl::roundsBefore(const Stmt *Loop, const Stmt *User,
                                           int64_t Trips) const {
  return User && Trips > 0 && isInside(User, Loop) ? Trips - 1 : Trips;
}

/// How far V can be from the value at Head, one round of Head's loop later.
/// Fits: the types that the sums were converted to on the way. User: the statement that
/// reads it; inside a loop it comes before that loop's last round is over.
std::optional<Range> KernelAnalysis::Impl::delta(unsigned N, unsigned Head, Range &Fits,
                                                 const Stmt *User, unsigned Depth) {
  if (N == Head)
    return Range{0, 0};
  if (Depth > 16)
    return std::nullopt;
  const Version &V = Versions[N];
  auto Scaled = [](Range R, int64_t Times) -> std::optional<Range> {
    int64_t Lo, Hi;
    if (llvm::MulOverflow(std::min<int64_t>(R.Lo, 0), Times, Lo) ||
        llvm::MulOverflow(std::max<int64_t>(R.Hi, 0), Times, Hi))
      return std::nullopt;
    return Range{Lo, Hi};
  };
  auto Sum = [](Range A, Range B) -> std::optional<Range> {
    int64_t Lo, Hi;
    if (llvm::AddOverflow(A.Lo, B.Lo, Lo) || llvm::AddOverflow(A.Hi, B.Hi, Hi))
      return std::nullopt;
    return Range{Lo, Hi};
  };
  switch (V.K) {
  case Version::Join:
  case Version::LoopExit: {
    Range R = Nothing;
    for (unsigned In : V.In) {
      std::optional<Range> D = delta(In, Head, Fits, User, Depth + 1);
      if (!D)
        return std::nullopt;
      R = join(R, *D);
    }
    return R;
  }
  case Version::LoopHead: {
    // An inner loop: what came in, and its own rounds.
    std::optional<int64_t> Trips = mostTrips(V.S);
    if (!Trips || V.In.size() != 2)
      return std::nullopt;
    std::optional<Range> In = delta(V.In[0], Head, Fits, User, Depth + 1);
    std::optional<Range> Round = delta(V.In[1], N, Fits, nullptr, Depth + 1);
    if (!In || !Round)
      return std::nullopt;
    std::optional<Range> Rounds = Scaled(*Round, roundsBefore(V.S, User, *Trips));
    return Rounds ? Sum(*In, *Rounds) : std::nullopt;
  }
  case Version::Def: {
    if (V.Prev != None || !V.S->E || V.S->K != StmtKind::Assign)
      return std::nullopt;
    const GuardLink *G = Info.lookup(V.S).Guards;
    auto Peel = [&](const Expr *E) {
      while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger() &&
             E->Ty->Scalar != ScalarKind::Bool) {
        Fits = meet(Fits, rangeOf(E->Ty->Scalar));
        E = E->Ops[0];
      }
      return E;
    };
    // x = ((x + a) + b) - c, in any order.
    Range Added{0, 0};
    const Expr *E = Peel(V.S->E);
    while (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub)) {
      Fits = meet(Fits, rangeOf(E->Ty->Scalar));
      auto Leads = [&](const Expr *X) {
        bool Found = false;
        walk(X, [&](const Expr *Y) {
          Found |= Y->K == ExprKind::VarRef && Y->V == V.V;
          return !Found && (Y->K == ExprKind::Binary || Y->K == ExprKind::Cast);
        });
        return Found;
      };
      bool Left = Leads(E->Ops[0]);
      if (!Left && E->O == Op::Sub)
        return std::nullopt;
      Range Term = eval(E->Ops[Left ? 1 : 0], V.S, G);
      if (isNothing(Term) || Term.Lo < -INT32_MAX * int64_t(2) || Term.Hi > INT32_MAX * int64_t(2))
        return std::nullopt;
      if (E->O == Op::Sub)
        Term = {-Term.Hi, -Term.Lo};
      std::optional<Range> S = Sum(Added, Term);
      if (!S)
        return std::nullopt;
      Added = *S;
      const Expr *Inner = E->Ops[Left ? 0 : 1];
      E = Peel(Inner);
      // A conversion in the middle of a sum may wrap where the sum does not.
      if (E != Inner && E->K == ExprKind::Binary)
        return std::nullopt;
    }
    if (E->K != ExprKind::VarRef)
      return std::nullopt;
    std::optional<Range> D = delta(versionAt(E->V, V.S), Head, Fits, V.S, Depth + 1);
    return D ? Sum(*D, Added) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

Range KernelAnalysis::Impl::evalArray(const Var *V, const std::vector<const Stmt *> &Stores) {
  Range R = Nothing;
  if (!V->Ints.empty()) {
    auto [Lo, Hi] = std::minmax_element(V->Ints.begin(), V->Ints.end());
    R = {*Lo, *Hi};
  }
  for (const Stmt *S : Stores)
    R = join(R, eval(S->E, S, Info.lookup(S).Guards));
  Range Full = rangeOf(elementOf(V->Ty)->Scalar);
  return isNothing(R) || Full.contains(R) ? R : Full;
}

void KernelAnalysis::Impl::findRanges() {
  if (RangesReady)
    return;
  RangesReady = true;
  findArrays();
  size_t N = Versions.size();
  VersionRange.assign(N, Nothing);
  auto IsInt = [&](unsigned I) {
    return !Versions[I].V->isMemory() && Versions[I].V->Ty->isInteger();
  };
  // Upwards, from nothing. What still grows after three rounds jumps to the
  // end of its type.
  bool Changed = true;
  unsigned Round = 0;
  for (; Changed && Round < 40; ++Round) {
    Changed = false;
    for (unsigned I = 0; I < N; ++I) {
      // What may be anything stays so.
      if (!IsInt(I) || VersionRange[I] == rangeOf(Versions[I].V->Ty->Scalar))
        continue;
      Range Old = VersionRange[I], New = join(Old, evalVersion(I));
      if (New == Old)
        continue;
      Changed = true;
      if (Round >= 3 && !isNothing(Old)) {
        Range Full = rangeOf(Versions[I].V->Ty->Scalar);
        bool Head = Versions[I].K == Version::LoopHead;
        if (Head && New.Lo < Old.Lo)
          New.Lo = Full.Lo;
        if (Head && New.Hi > Old.Hi)
          New.Hi = Full.Hi;
      }
      VersionRange[I] = New;
    }
    for (const auto &[V, Stores] : Arrays) {
      Range &Old = ArrayRange[V];
      Range New = join(Old, evalArray(V, Stores));
      if (New == Old)
        continue;
      Changed = true;
      Range Full = rangeOf(elementOf(V->Ty)->Scalar);
      Old = Round >= 3 && !isNothing(Old)
                ? Range{New.Lo < Old.Lo ? Full.Lo : New.Lo, New.Hi > Old.Hi ? Full.Hi : New.Hi}
                : New;
    }
  }
  if (Changed) {
    for (unsigned I = 0; I < N; ++I)
      if (IsInt(I))
        VersionRange[I] = rangeOf(Versions[I].V->Ty->Scalar);
    ArrayRange.clear();
  }
  RangesFinal = true;

  // Downwards: every further evaluation of sound ranges is sound.
  bool Narrows = true; // more than the last time
  auto Narrow = [&] {
    if (!std::exchange(Narrows, false))
      return;
    for (unsigned I = 0; I < N; ++I) {
      if (!IsInt(I) || isNothing(VersionRange[I]))
        continue;
      Range R = meet(VersionRange[I], evalVersion(I));
      if (isNothing(R) || R == VersionRange[I])
        continue;
      Narrows = true;
      VersionRange[I] = R;
    }
    for (const auto &[V, Stores] : Arrays)
      if (auto Held = ArrayRange.find(V); Held != ArrayRange.end())
        if (Range R = meet(Held->second, evalArray(V, Stores));
            !isNothing(R) && R != Held->second) {
          Narrows = true;
          Held->second = R;
        }
  };
  Narrow();
  Narrow();
  // Loops of known length: start + trips * step. The inner ones need the
  // outer ones' results and the other way round, so two rounds.
  for (unsigned Times = 0; Times < 2; ++Times) {
    for (unsigned I = 0; I < N; ++I) {
      const Version &V = Versions[I];
      if (V.K != Version::LoopHead || V.In.size() != 2 || !IsInt(I) || !V.V->Ty->isInteger())
        continue;
      std::optional<int64_t> Trips = mostTrips(V.S);
      if (!Trips)
        continue;
      Range Fits = rangeOf(V.V->Ty->Scalar), Start = VersionRange[V.In[0]];
      std::optional<Range> D = delta(V.In[1], I, Fits, nullptr, 0);
      if (!D || isNothing(Start))
        continue;
      // The value At: so many rounds on, and so far into the next.
      auto Bound = [&](unsigned At, int64_t Rounds, Range Further) {
        Wide Lo = Wide(Start.Lo) + Wide(std::min<int64_t>(D->Lo, 0)) * Rounds + Further.Lo;
        Wide Hi = Wide(Start.Hi) + Wide(std::max<int64_t>(D->Hi, 0)) * Rounds + Further.Hi;
        if (Lo < Fits.Lo || Hi > Fits.Hi)
          return false;
        Range R = meet(VersionRange[At], {int64_t(Lo), int64_t(Hi)});
        if (!isNothing(R) && R != VersionRange[At]) {
          Narrows = true;
          VersionRange[At] = R;
        }
        return true;
      };
      if (!Bound(I, *Trips, {0, 0}))
        continue;
      for (unsigned Inner = 0; Inner < N; ++Inner) {
        const Version &W = Versions[Inner];
        if (W.K != Version::Def || W.V != V.V || !isInside(W.S, V.S))
          continue;
        if (std::optional<Range> R = delta(Inner, I, Fits, W.S, 0))
          Bound(Inner, roundsBefore(V.S, W.S, *Trips), *R);
      }
    }
    Narrow();
    Narrow();
  }
  for (const auto &A : Arrays)
    if (auto Held = ArrayRange.find(A.first); Held != ArrayRange.end() && isNothing(Held->second))
      ArrayRange.erase(Held);
  for (unsigned I = 0; I < N; ++I)
    if (isNothing(VersionRange[I]))
      VersionRange[I] =
          Versions[I].V->Ty->isInteger() ? rangeOf(Versions[I].V->Ty->Scalar) : Range();
}

} // namespace clmali::model
