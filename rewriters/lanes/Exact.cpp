//===-- rewriters/lanes/Exact.cpp - Integers that do not wrap -----------------===//

#include "rewriters/lanes/Exact.h"
#include "checks/model/analysis/RangeArithmetic.h"
#include "checks/model/ir/Simplify.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;
using ranges::Wide;

/// No lower limit is demanded: launches of 16 million work-items along one dimension are ordinary
/// (each with a pixel of a 4096 x 4096 image, or four elements of a buffer of 256 MB).
static constexpr int64_t LeastLimit = int64_t(1) << 24;
/// Deeper expressions have the range of their type.
static constexpr unsigned MaxDepth = 24;

/// The greatest result of type K that counts as exact: size_t may have 32 bits.
static Wide mostExact(ScalarKind K) {
  return std::min<Wide>(ranges::typeTop(K), isSigned(K) ? INT64_MAX : UINT32_MAX);
}

static bool isInt(const Expr *E) { return E->Ty->isScalar() && E->Ty->isInteger(); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Range ExactInts::workItem(const Expr *E) {
  if (E->Dim > 2 || E->Query == WorkItemQuery::WorkDim)
    return {0, 3}; // ids of such dimensions are 0, sizes 1
  ReadsId = true;
  const int64_t Items = Ids.ItemsPerId[E->Dim], Local = Ids.LocalItems[E->Dim];
  switch (E->Query) {
  case WorkItemQuery::GlobalId:
    return {0, IdLimit / Items - 1};
  case WorkItemQuery::LocalId:
    return {0, (Local ? Local : IdLimit) / Items - 1};
  case WorkItemQuery::LocalSize:
    return {1, (Local ? Local : IdLimit) / Items};
  case WorkItemQuery::GroupId:
    return {0, IdLimit / std::max<int64_t>(Local, 1)};
  case WorkItemQuery::GlobalSize:
    return {1, IdLimit / Items};
  default:
    return {0, IdLimit};
  }
}

/// The values of E, an operation, from those of its operands.
Range ExactInts::operation(const Expr *E, unsigned Depth) {
  const ScalarKind K = E->Ty->Scalar;
  auto Of = [&](unsigned I) { return values(E->Ops[I], Depth + 1); };
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && isInt(E->Ops[0]))
    return ranges::converted(Of(0), E->Ops[0]->Ty->Scalar, K);
  if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar())
    return ranges::join(Of(1), Of(2));
  if (E->K == ExprKind::Call && (E->Name == "min" || E->Name == "max") && E->Ops.size() == 2) {
    Range X = Of(0), Y = Of(1);
    return E->Name == "min" ? Range{std::min(X.Lo, Y.Lo), std::min(X.Hi, Y.Hi)}
                            : Range{std::max(X.Lo, Y.Lo), std::max(X.Hi, Y.Hi)};
  }
  if (E->K == ExprKind::Call && E->Name == "abs" && isInt(E->Ops[0])) {
    Range X = Of(0);
    Wide Lo = std::max<Wide>({0, X.Lo, -Wide(X.Hi)}), Hi = std::max<Wide>(X.Hi, -Wide(X.Lo));
    return isSigned(E->Ops[0]->Ty->Scalar) ? ranges::fitted(Lo, Hi, K) : X;
  }
  if (E->K != ExprKind::Binary || !isInt(E->Ops[0]) || !isInt(E->Ops[1]))
    return rangeOf(K);
  auto Result = [&](Wide Lo, Wide Hi) {
    return OverflowIsUndefined ? ranges::fitted(Lo, Hi, K) : ranges::wrapped(Lo, Hi, K);
  };
  Range X = Of(0), Y = Of(1);
  Wide XH = ranges::top(X, K), YH = ranges::top(Y, K);
  switch (E->O) {
  case Op::Add:
    return Result(Wide(X.Lo) + Y.Lo, XH + YH);
  case Op::Sub:
    return Result(X.Lo - YH, XH - Y.Lo);
  case Op::Mul:
    if (XH > INT64_MAX || YH > INT64_MAX)
      return rangeOf(K);
    return ranges::hull({Wide(X.Lo) * Y.Lo, X.Lo * YH, XH * Y.Lo, XH * YH}, K,
                        !OverflowIsUndefined);
  case Op::Div:
    return ranges::divided(X, Y, K);
  case Op::Rem:
    return ranges::remainder(X, Y, K);
  case Op::Shl:
  case Op::Shr:
    return ranges::shifted(E->O, X, Y, K);
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return ranges::bitwise(E->O, X, Y, K);
  default:
    return isComparison(E->O) ? Range{0, 1} : rangeOf(K);
  }
}

/// The values of E, an integer scalar, with what the program computes where operations wrap.
Range ExactInts::values(const Expr *E, unsigned Depth) {
  const ScalarKind K = E->Ty->Scalar;
  if (auto C = constantValue(E))
    return K == ScalarKind::ULong && *C < 0 ? Range{INT64_MAX, INT64_MAX} : Range{*C, *C};
  if (E->K == ExprKind::WorkItem)
    return workItem(E);
  Range R = Known ? Known(E) : rangeOf(K);
  if (Depth >= MaxDepth)
    return R;
  if (E->K == ExprKind::VarRef) {
    const Expr *D = Definition(E->V);
    return D && D->Ty == E->Ty ? ranges::meet(R, values(D, Depth + 1)) : R;
  }
  Range Computed = ranges::meet(R, operation(E, Depth));
  return ranges::isNothing(Computed) ? R : Computed;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// Tries Holds for lower and lower limits on ids, and demands the highest one that is enough.
bool ExactInts::underSomeLimit(llvm::function_ref<bool()> Holds) {
  for (IdLimit = IdsThatFitInt; IdLimit >= LeastLimit; IdLimit /= 2) {
    ReadsId = false;
    bool Yes = Holds();
    if (Yes && ReadsId)
      lowerTo(IdsBelow, IdLimit);
    if (Yes || !ReadsId)
      return Yes;
  }
  return false;
}

bool ExactInts::isExactHere(const Expr *E) {
  const ScalarKind K = E->Ty->Scalar;
  if (E->K == ExprKind::Cast) {
    ScalarKind From = E->Ops[0]->Ty->Scalar;
    Range X = values(E->Ops[0], 0);
    return X.Lo >= rangeOf(K).Lo && ranges::top(X, From) <= ranges::typeTop(K);
  }
  Range X = values(E->Ops[0], 0);
  Wide XH = ranges::top(X, K), Lo, Hi;
  const Wide Most = mostExact(K);
  if (E->K == ExprKind::Unary) {
    Lo = -XH, Hi = -Wide(X.Lo);
  } else {
    Range Y = values(E->Ops[1], 0);
    Wide YH = ranges::top(Y, K);
    if (XH > INT64_MAX || YH > INT64_MAX)
      return false;
    if (E->O == Op::Shl) {
      if (Y.Lo < 0 || Y.Hi >= int64_t(sizeInBits(K)))
        return false;
      Y = {int64_t(1) << std::min<int64_t>(Y.Lo, 62), int64_t(1) << std::min<int64_t>(Y.Hi, 62)};
      YH = Y.Hi;
    }
    if (E->O == Op::Add) {
      Lo = Wide(X.Lo) + Y.Lo, Hi = XH + YH;
    } else if (E->O == Op::Sub) {
      Lo = X.Lo - YH, Hi = XH - Y.Lo;
    } else {
      auto Products = {Wide(X.Lo) * Y.Lo, X.Lo * YH, XH * Y.Lo, XH * YH};
      Lo = std::min(Products), Hi = std::max(Products);
    }
  }
  return Lo >= rangeOf(K).Lo && Hi <= Most;
}

bool ExactInts::isExact(const Expr *E) {
  if (!isInt(E) || E->Ty->Scalar == ScalarKind::Bool || E->Ops.empty() || !isInt(E->Ops[0]))
    return false;
  if (E->K == ExprKind::Cast)
    return E->C == CastOp::Convert && underSomeLimit([&] { return isExactHere(E); });
  bool Arithmetic = (E->K == ExprKind::Unary && E->O == Op::Neg) ||
                    (E->K == ExprKind::Binary &&
                     (E->O == Op::Add || E->O == Op::Sub || E->O == Op::Mul || E->O == Op::Shl));
  if (!Arithmetic)
    return false;
  if (isSigned(E->Ty->Scalar) && E->O != Op::Shl && OverflowIsUndefined)
    return true;
  return underSomeLimit([&] { return isExactHere(E); });
}

/// Larger intervals are not computed.
static bool isSmall(Wide Lo, Wide Hi) {
  constexpr Wide Most = Wide(1) << 62;
  return Lo > -Most && Hi < Most;
}

bool ExactInts::fitsHere(const Poly &P, ScalarKind K,
                         llvm::function_ref<const Expr *(unsigned)> Symbol) {
  auto Is = [&](unsigned S, WorkItemQuery Q) {
    return Symbol(S)->K == ExprKind::WorkItem && Symbol(S)->Query == Q && Symbol(S)->Dim < 3;
  };
  Wide Lo = 0, Hi = 0;
  for (const auto &[Mono, Factor] : P.Terms) {
    Wide L = Factor, H = Factor;
    auto Times = [&](Wide A, Wide B) {
      auto Products = {L * A, L * B, H * A, H * B};
      L = std::min(Products), H = std::max(Products);
      return isSmall(L, H);
    };
    Monomial Left = Mono;
    // The first id of a group is an id: get_group_id(0) * get_local_size(0).
    for (unsigned G : Mono)
      for (unsigned S : Mono)
        if (Is(G, WorkItemQuery::GroupId) && Is(S, WorkItemQuery::LocalSize) &&
            Symbol(G)->Dim == Symbol(S)->Dim && llvm::is_contained(Left, G) &&
            llvm::is_contained(Left, S)) {
          ReadsId = true;
          Left.erase(llvm::find(Left, G));
          Left.erase(llvm::find(Left, S));
          if (!Times(0, IdLimit / Ids.ItemsPerId[Symbol(G)->Dim]))
            return false;
        }
    for (unsigned S : Left) {
      Range R = values(Symbol(S), 0);
      if (!Times(R.Lo, ranges::top(R, Symbol(S)->Ty->Scalar)))
        return false;
    }
    Lo += L, Hi += H;
    if (!isSmall(Lo, Hi))
      return false;
  }
  return Lo >= rangeOf(K).Lo && Hi <= mostExact(K);
}

bool ExactInts::fits(const Poly &P, ScalarKind K,
                     llvm::function_ref<const Expr *(unsigned)> Symbol) {
  return underSomeLimit([&] { return fitsHere(P, K, Symbol); });
}

bool ExactInts::isNotNegative(const Expr *E) {
  return !isSigned(E->Ty->Scalar) || underSomeLimit([&] { return values(E, 0).Lo >= 0; });
}

} // namespace clmali::rewrite
