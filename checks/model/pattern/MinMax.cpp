//===-- checks/model/pattern/MinMax.cpp - Choices that limit a value ----------------===//

#include "checks/model/pattern/MinMax.h"
#include "checks/model/analysis/RangeArithmetic.h"
#include "checks/model/ir/Comparison.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace clmali::model::pattern {
using ranges::Wide;

static bool keepsValues(ScalarKind From, ScalarKind To) {
  if (!isInteger(From) || !isInteger(To) || To == ScalarKind::Bool)
    return From == To;
  if (isSigned(From) && !isSigned(To))
    return false;
  return sizeInBits(From) + (isSigned(To) && !isSigned(From) ? 1 : 0) <= sizeInBits(To);
}

const Expr *withoutExtensions(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger() &&
         E->Ops[0]->Ty->Lanes == E->Ty->Lanes && keepsValues(E->Ops[0]->Ty->Scalar, E->Ty->Scalar))
    E = E->Ops[0];
  return E;
}

std::optional<__int128> integerConstant(const Expr *E) {
  E = withoutExtensions(E);
  if (E->K == ExprKind::Cast && E->C == CastOp::Splat)
    E = E->Ops[0];
  std::optional<int64_t> V = constantValue(E);
  if (!V)
    return std::nullopt;
  return E->Ty->Scalar == ScalarKind::ULong ? Wide(uint64_t(*V)) : Wide(*V);
}

static const Expr *withoutCasts(const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  return E;
}

namespace {

/// How far the operands are taken apart.
enum Depth : uint8_t {
  Whole,     ///< as they are
  Sums,      ///< into the terms of integer sums
  Converted, ///< and conversions that may change values are left out
};

/// A sum of terms and a constant.
struct Linear {
  llvm::SmallVector<std::pair<const Expr *, int>, 4> Terms;
  Wide Constant = 0;
  const Expr *Wraps = nullptr; ///< a sum that its type may not hold

  void addTerm(const Expr *E, int Sign) {
    auto Same = [&](const auto &T) {
      return equal(T.first, E) || (T.first->K == ExprKind::FloatConst &&
                                   E->K == ExprKind::FloatConst && T.first->Float == E->Float);
    };
    auto *Found = llvm::find_if(Terms, Same);
    if (Found == Terms.end())
      Terms.push_back({E, Sign});
    else if (!(Found->second += Sign))
      Terms.erase(Found);
  }
};

class Reader {
public:
  Reader(Depth D, RangeOf Of) : D(D), Of(Of) {}

  /// To += Sign * E. Compared: E is an operand of the comparison.
  void add(Linear &To, const Expr *E, int Sign, bool Compared) const {
    E = stripped(E, Compared);
    if (std::optional<Wide> C = number(E)) {
      To.Constant += Sign * *C;
      return;
    }
    bool IsSum = E->Ty->isInteger() && ((E->K == ExprKind::Binary && isAddOrSub(E->O)) ||
                                        (E->K == ExprKind::Unary && E->O == Op::Neg));
    if (D == Whole || !IsSum)
      return To.addTerm(E, Sign);
    if (mayWrap(E))
      To.Wraps = E;
    bool Negates = E->O != Op::Add;
    add(To, E->Ops[0], E->K == ExprKind::Unary ? -Sign : Sign, Compared);
    if (E->K == ExprKind::Binary)
      add(To, E->Ops[1], Negates ? -Sign : Sign, Compared);
  }

private:
  Depth D;
  RangeOf Of;

  static bool isAddOrSub(Op O) { return O == Op::Add || O == Op::Sub; }

  /// The comparison of converted values decides as one of the values does.
  static bool comparesAlike(const Expr *From, const Type *To) {
    const Type *T = From->Ty;
    if (To->isFloat() || constantValue(From).value_or(-1) >= 0)
      return true;
    return T->isInteger() && keepsValues(T->Scalar, To->Scalar);
  }

  const Expr *stripped(const Expr *E, bool Compared) const {
    for (;;) {
      E = withoutExtensions(E);
      if (E->K != ExprKind::Cast || E->C != CastOp::Convert)
        return E;
      const Expr *From = E->Ops[0];
      bool Fits = From->Ty->isInteger() && E->Ty->isInteger() &&
                  E->Ty->Scalar != ScalarKind::Bool && fits(Of(From), E->Ty->Scalar);
      if (!Fits && (D != Converted || (Compared && !comparesAlike(From, E->Ty))))
        return E;
      E = From;
    }
  }

  /// Does K hold the range? That of ulong is cut.
  static bool fits(Range R, ScalarKind K) { return rangeOf(K).contains(R) && R.Hi != INT64_MAX; }

  static std::optional<Wide> number(const Expr *E) {
    if (std::optional<Wide> C = integerConstant(E))
      return C;
    const Expr *X = withoutCasts(E);
    if (E->Ty->isFloat() && X->K == ExprKind::FloatConst && std::fabs(X->Float) < 1e9 &&
        std::floor(X->Float) == X->Float)
      return Wide(X->Float);
    return E->Ty->isFloat() ? integerConstant(X) : std::nullopt;
  }

  bool mayWrap(const Expr *E) const {
    ScalarKind K = E->Ty->Scalar;
    Wide Lo = -Wide(ranges::top(Of(E->Ops[0]), E->Ops[0]->Ty->Scalar)),
         Hi = -Wide(Of(E->Ops[0]).Lo);
    if (E->K == ExprKind::Binary) {
      Range A = Of(E->Ops[0]), B = Of(E->Ops[1]);
      Wide BHi = ranges::top(B, E->Ops[1]->Ty->Scalar);
      Lo = E->O == Op::Add ? Wide(A.Lo) + B.Lo : Wide(A.Lo) - BHi;
      Hi = ranges::top(A, E->Ops[0]->Ty->Scalar) + (E->O == Op::Add ? BHi : -Wide(B.Lo));
    }
    return Lo < rangeOf(K).Lo || Hi > ranges::typeTop(K);
  }
};

/// A chosen value, and what it is itself.
struct Operand {
  const Expr *E; ///< null: what an `if` makes of its target
  std::optional<MinMax> Inner;
};

/// Nested: operands may be minima and maxima themselves, so that the result may be a clamp.
class Recognizer {
public:
  Recognizer(RangeOf Of, bool Nested) : Of(Of), Nested(Nested) {}

  std::optional<MinMax> of(const Expr *E) const {
    E = withoutExtensions(E);
    if (E->K == ExprKind::Select)
      return choice(E->Ops[0], operand(E->Ops[1]), operand(E->Ops[2]));
    llvm::StringRef Name =
        E->K == ExprKind::Call && E->Ops.size() == 2 ? llvm::StringRef(E->Name) : "";
    Name.consume_front("f");
    if (Name != "min" && Name != "max")
      return std::nullopt;
    MinMax M;
    M.F = Name == "min" ? MinMax::Min : MinMax::Max;
    M.IsFloat = E->Ty->isFloat();
    M.P = M.IsFloat || E->Ops[0]->Ty != E->Ops[1]->Ty ? MinMax::Unproved : MinMax::Exact;
    bool Swap = integerConstant(E->Ops[0]).has_value();
    M.Value = E->Ops[Swap];
    (M.F == MinMax::Max ? M.Low : M.High) = E->Ops[!Swap];
    return ofInner(M);
  }

  Operand operand(const Expr *E) const {
    return {E, Nested ? Recognizer(Of, false).of(E) : std::nullopt};
  }

  /// Cond ? Then : Else
  std::optional<MinMax> choice(const Expr *Cond, const Operand &Then, const Operand &Else) const {
    while (Cond->K == ExprKind::Cast && Cond->C != CastOp::Splat)
      Cond = Cond->Ops[0];
    if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot && Cond->Ty->isScalar())
      return choice(Cond->Ops[0], Else, Then);
    if (Cond->K != ExprKind::Binary || Cond->O < Op::LT || Cond->O > Op::GE || !mayRepeat(Cond))
      return std::nullopt;
    for (Depth D : {Whole, Sums, Converted}) {
      if (std::optional<MinMax> M = Else.E ? plain(Cond, Then.E, Else.E, D) : std::nullopt)
        return ofInner(*M);
      // v < lo ? lo : v > hi ? hi : v
      if (std::optional<MinMax> M = both(Cond, Then, Else, D))
        return M;
    }
    return std::nullopt;
  }

  /// min(max(x, lo), hi) is clamp(x, lo, hi) if the limits are constants in order.
  std::optional<MinMax> ofInner(MinMax M) const {
    for (const Expr *E : {M.Value, M.limit()}) {
      std::optional<MinMax> Inner = operand(E).Inner;
      const Expr *Limit = E == M.Value ? M.limit() : M.Value;
      if (Inner && isOpposite(*Inner, M.F) && inOrder(M.F, Limit, Inner->limit()))
        return clamp(M, *Inner, Limit);
    }
    return M;
  }

private:
  RangeOf Of;
  bool Nested;

  static bool mayRepeat(const Expr *E) {
    return llvm::none_of(exprs(E), [](ExprAt X) {
      return X->K == ExprKind::Opaque || (X->K == ExprKind::Load && X->Acc.Volatile);
    });
  }

  static bool isOpposite(const MinMax &M, MinMax::Form F) {
    return M.F == (F == MinMax::Max ? MinMax::Min : MinMax::Max);
  }

  /// Are the limits of an outer minimum or maximum and of the inner one constants in order?
  static bool inOrder(MinMax::Form Outer, const Expr *Limit, const Expr *InnerLimit) {
    const Expr *Low = Outer == MinMax::Max ? Limit : InnerLimit,
               *High = Outer == MinMax::Max ? InnerLimit : Limit;
    if (Low->Ty->isFloat())
      return withoutCasts(Low)->K == ExprKind::FloatConst &&
             withoutCasts(High)->K == ExprKind::FloatConst;
    std::optional<Wide> L = integerConstant(Low), H = integerConstant(High);
    return L && H && *L <= *H;
  }

  static MinMax clamp(const MinMax &Outer, const MinMax &Inner, const Expr *Limit) {
    MinMax M = Outer;
    M.F = MinMax::Clamp;
    M.Value = Inner.Value;
    M.Low = Outer.F == MinMax::Max ? Limit : Inner.Low;
    M.High = Outer.F == MinMax::Max ? Inner.High : Limit;
    M.P = std::max(Outer.P, Inner.P);
    M.Overflows = Outer.Overflows ? Outer.Overflows : Inner.Overflows;
    M.IsFloat |= Inner.IsFloat;
    return M;
  }

  /// One branch chooses the limit, the other one limits the value from the other side.
  std::optional<MinMax> both(const Expr *Cond, const Operand &Then, const Operand &Else,
                             Depth D) const {
    for (bool Swap : {false, true}) {
      const std::optional<MinMax> &Inner = Swap ? Then.Inner : Else.Inner;
      const Expr *Limit = Swap ? Else.E : Then.E;
      if (!Inner || Inner->F == MinMax::Clamp || !Limit)
        continue;
      std::optional<MinMax> M =
          plain(Cond, Swap ? Inner->Value : Then.E, Swap ? Else.E : Inner->Value, D);
      if (!M || !isOpposite(*Inner, M->F))
        continue;
      if (!inOrder(M->F, Limit, Inner->limit()))
        M->P = MinMax::Unproved;
      return clamp(*M, *Inner, Limit);
    }
    return std::nullopt;
  }

  /// The constant K of Chosen = Factor * Compared + K; nothing where they are no such sums.
  static std::optional<Wide> offset(const Linear &Chosen, const Linear &Compared, int Factor) {
    if (Chosen.Terms.size() != Compared.Terms.size() || Chosen.Terms.empty())
      return std::nullopt;
    Linear Rest = Chosen;
    for (const auto &[E, Sign] : Compared.Terms)
      Rest.addTerm(E, -Factor * Sign);
    return Rest.Terms.empty() ? std::optional(Rest.Constant - Factor * Compared.Constant)
                              : std::nullopt;
  }

  std::optional<MinMax> plain(const Expr *Cond, const Expr *Then, const Expr *Else, Depth D) const {
    const Expr *First = Cond->Ops[0], *X = First, *Y = Cond->Ops[1];
    bool Greater = Cond->O == Op::GT || Cond->O == Op::GE;
    if (Greater)
      std::swap(X, Y);
    if (!Then->Ty->isValue() || Then->Ty->Lanes != X->Ty->Lanes || !mayRepeat(Then) ||
        !mayRepeat(Else) || Then->Ty->Scalar == ScalarKind::Bool)
      return std::nullopt;
    // X < Y chooses Then: the difference of X and Y is at most Most there, and above it for Else.
    Wide Most = Cond->O == Op::LT || Cond->O == Op::GT ? -1 : 0;
    Reader R(D, Of);
    Linear Compared, Chosen;
    R.add(Compared, X, 1, true);
    R.add(Compared, Y, -1, true);
    R.add(Chosen, Then, 1, false);
    R.add(Chosen, Else, -1, false);
    bool IsFloat = First->Ty->isFloat() || Then->Ty->isFloat();
    for (int Factor : {1, -1}) {
      std::optional<Wide> K = offset(Chosen, Compared, Factor);
      Wide Least = Factor == 1 ? -Most - 1 : Most;
      if (!K || (IsFloat ? *K != 0 : *K < Least || *K > Least + 1))
        continue;
      MinMax M;
      M.F = Factor == 1 ? MinMax::Min : MinMax::Max;
      M.IsFloat = IsFloat;
      M.Overflows = Compared.Wraps ? Compared.Wraps : Chosen.Wraps;
      M.P = IsFloat || D == Converted || Then->Ty != Else->Ty ? MinMax::Unproved
            : M.Overflows                                     ? MinMax::IfNoOverflow
                                                              : MinMax::Exact;
      // u > 0 ? u - 1 : 0 is no max: an unsigned value below 0 is large.
      if (Chosen.Wraps && !isSigned(Chosen.Wraps->Ty->Scalar) && Chosen.Wraps->O == Op::Sub &&
          (integerConstant(Then) || integerConstant(Else)))
        continue;
      bool ValueIsThen = (First == X) == (Factor == 1);
      if (integerConstant(ValueIsThen ? Then : Else))
        ValueIsThen = !ValueIsThen;
      M.Value = ValueIsThen ? Then : Else;
      (M.F == MinMax::Max ? M.Low : M.High) = ValueIsThen ? Else : Then;
      return M;
    }
    return std::nullopt;
  }
};

/// The only assignment or store of a block; null if it does anything else.
const Stmt *onlyAssignment(const StmtList &B) {
  const Stmt *S = B.size() == 1 ? B[0] : nullptr;
  bool Sets =
      S && ((S->K == StmtKind::Assign && S->LaneIdx.size() <= 1) || S->K == StmtKind::Store);
  return Sets && S->E ? S : nullptr;
}

/// Does E read what S sets?
bool reads(const Expr *E, const Stmt *S) {
  if (S->K == StmtKind::Store)
    return E->K == ExprKind::Load && equal(E->Acc, S->Acc);
  if (!S->LaneIdx.empty())
    return E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1 && E->LaneIdx[0] == S->LaneIdx[0] &&
           E->Ops[0]->K == ExprKind::VarRef && E->Ops[0]->V == S->V;
  return E->K == ExprKind::VarRef && E->V == S->V;
}

} // namespace

bool isSameTarget(const Stmt *A, const Stmt *B) {
  return A->K == B->K && (A->K == StmtKind::Store ? equal(A->Acc, B->Acc)
                                                  : A->V == B->V && A->LaneIdx == B->LaneIdx);
}

std::optional<MinMax> asMinMax(const Expr *E, RangeOf Of) { return Recognizer(Of, true).of(E); }

std::optional<LimitedTarget> asLimitedTarget(const Stmt *If, RangeOf Of,
                                             llvm::function_ref<bool(const Stmt *)> IsOwn) {
  if (If->K != StmtKind::If || !If->E || If->EarlyReturn)
    return std::nullopt;
  const Stmt *Then = onlyAssignment(If->Body), *Else = onlyAssignment(If->Else);
  const Expr *Cond = withoutCasts(If->E);
  if (!Then || (Then->K == StmtKind::Store && Then->Acc.Volatile))
    return std::nullopt;
  Recognizer R(Of, /*Nested=*/true);
  Operand Other{nullptr, std::nullopt};
  if (Else && isSameTarget(Then, Else)) {
    Other = R.operand(Else->E);
  } else if (If->Else.empty() && Cond->K == ExprKind::Binary) {
    for (const Expr *X : Cond->Ops)
      if (reads(withoutCasts(X), Then) && (Then->K != StmtKind::Store || IsOwn(Then)))
        Other.E = withoutCasts(X);
  } else if (If->Else.size() == 1) {
    // v < lo, else v > hi: both limits.
    std::optional<LimitedTarget> Next = asLimitedTarget(If->Else[0], Of, IsOwn);
    if (Next && isSameTarget(Then, Next->Set))
      Other.Inner = Next->M;
  }
  if (!Other.E && !Other.Inner)
    return std::nullopt;
  std::optional<MinMax> M = R.choice(Cond, R.operand(Then->E), Other);
  return M ? std::optional(LimitedTarget{Then, *M}) : std::nullopt;
}

} // namespace clmali::model::pattern
