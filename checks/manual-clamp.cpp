//===- manual-clamp.cpp ----------------------------------------------------------------------===//
//
// Before: v < lo ? lo : (v > hi ? hi : v)
// After:  clamp(v, lo, hi)
// Before: if (v > hi) v = hi;    or   if (v > hi) out[i] = hi; else out[i] = v;
// After:  v = min(v, hi)
// Limits: conditional expressions, macros included, and statements that choose one value.
//         Floating point is not replaced: the conditional and fmin differ for NaN. A nested one
//         is reported once, at the outermost.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
struct MinMax {
  bool IsMax = false;
  const Expr *A = nullptr, *B = nullptr; ///< the operands, in the order of the comparison
  const Expr *Next = nullptr;            ///< w - 1 of x >= w ? w - 1 : x, unless it is a constant
};
} // namespace

/// Is Chosen what a whole number may be at most where it is less than Limit (or, with Up, at least
/// where it is more): w - 1 for x >= w ? w - 1 : x?
static bool isNextTo(const Expr *Chosen, const Expr *Limit, bool Up) {
  Chosen = stripCasts(Chosen), Limit = stripCasts(Limit);
  if (!Chosen->Ty->isScalar() || !isSigned(Chosen->Ty->Scalar) || !Limit->Ty->isScalar() ||
      !isSigned(Limit->Ty->Scalar))
    return false;
  std::optional<int64_t> A = constantValue(Chosen), B = constantValue(Limit);
  if (A && B)
    return *A == *B + (Up ? 1 : -1);
  return Chosen->K == ExprKind::Binary && Chosen->O == (Up ? Op::Add : Op::Sub) &&
         constantValue(Chosen->Ops[1]) == 1 && model::equal(stripCasts(Chosen->Ops[0]), Limit);
}

/// a < b ? a : b and its kin. The comparison is made in the type of the result, or else the two
/// would not choose alike.
static std::optional<MinMax> asMinMax(const Expr *E) {
  if (E->K == ExprKind::Cast && E->Implicit && E->C == CastOp::Convert)
    E = E->Ops[0];
  if (E->K != ExprKind::Select || !E->Ty->isValue() || hasOpaque(E))
    return std::nullopt;
  const Expr *Cond = E->Ops[0];
  while (Cond->K == ExprKind::Cast)
    Cond = Cond->Ops[0];
  if (Cond->K != ExprKind::Binary)
    return std::nullopt;
  bool Less = Cond->O == Op::LT || Cond->O == Op::LE;
  bool Greater = Cond->O == Op::GT || Cond->O == Op::GE;
  if (!Less && !Greater)
    return std::nullopt;
  const Expr *A = Cond->Ops[0], *B = Cond->Ops[1];
  const Expr *Then = E->Ops[1], *Else = E->Ops[2];
  // A comparison in one type and a choice in another would need a proof of its own.
  if (A->Ty != Then->Ty && stripCasts(A)->Ty != stripCasts(Then)->Ty)
    return std::nullopt;
  auto Same = [](const Expr *X, const Expr *Y) {
    return model::equal(X, Y) ||
           (X->Ty->Scalar == Y->Ty->Scalar && model::equal(stripCasts(X), stripCasts(Y)));
  };
  if (A->Ty->Scalar != Then->Ty->Scalar)
    return std::nullopt;
  if (Same(A, Then) && Same(B, Else))
    return MinMax{Greater, A, B};
  if (Same(A, Else) && Same(B, Then))
    return MinMax{Less, A, B};
  // x >= w ? w - 1 : x
  if (A->Ty->isScalar() && isSigned(A->Ty->Scalar) && (Cond->O == Op::GE || Cond->O == Op::LE))
    for (bool Swap : {false, true}) {
      const Expr *X = Swap ? B : A, *Limit = Swap ? A : B;
      bool IsMax = (Cond->O == Op::LE) != Swap;
      if (Same(X, Else) && isNextTo(Then, Limit, IsMax))
        return MinMax{IsMax, X, Then, constantValue(Then) ? nullptr : stripCasts(Then)};
    }
  // v < lo ? lo : v > hi ? hi : v is max(min(v, hi), lo) where the limits are known to be in order.
  for (bool Swap : {false, true}) {
    const Expr *X = Swap ? B : A, *Limit = Swap ? A : B;
    for (bool Inverse : {false, true}) {
      const Expr *Chosen = Inverse ? Else : Then, *Rest = Inverse ? Then : Else;
      bool IsMax = (Swap ? Greater : Less) != Inverse;
      std::optional<int64_t> Here = constantValue(Limit);
      std::optional<MinMax> Inner = Same(Limit, Chosen) && Here ? asMinMax(Rest) : std::nullopt;
      if (!Inner || Inner->IsMax == IsMax || !(Same(Inner->A, X) || Same(Inner->B, X)))
        continue;
      std::optional<int64_t> There = constantValue(Same(Inner->A, X) ? Inner->B : Inner->A);
      if (There && (IsMax ? *Here <= *There : *There <= *Here))
        return MinMax{IsMax, Rest, Limit};
    }
  }
  return std::nullopt;
}

/// The source of an operand as an argument of type T; empty where it cannot be written.
static std::string argument(Context &C, const Expr *E, SourceRange Whole) {
  const Type *T = E->Ty;
  bool Converted = false;
  const Expr *X = E;
  while (X->K == ExprKind::Cast && X->Implicit && X->C == CastOp::Convert) {
    Converted |= X->Ops[0]->Ty->Scalar != T->Scalar;
    X = X->Ops[0];
  }
  // size_t is 32 bits on some devices: a conversion to it cannot be spelled as ulong.
  if (Converted && sizeInBits(T->Scalar) == 64)
    return "";
  // In a helper, what the kernel passes stands for a parameter: it has no name here.
  bool Here = X->Range.isValid() && X->Range.File == Whole.File && X->Range.Begin >= Whole.Begin &&
              X->Range.End <= Whole.End;
  if (X->K == ExprKind::VarRef || X->K == ExprKind::IntConst) {
    if (!Here)
      return "";
    // Its own spelling, which in a helper is the parameter's.
    StringRef Spelled = C.text(X->Range);
    bool IsWord =
        !Spelled.empty() && all_of(Spelled, [](char Ch) { return isAlnum(Ch) || Ch == '_'; });
    if (IsWord && X->Range.End - X->Range.Begin < Whole.End - Whole.Begin)
      return Converted ? "(" + model::name(T->Scalar).str() + ")" + Spelled.str() : Spelled.str();
    // In a macro's argument: the name has to be there.
    if (X->K == ExprKind::VarRef && !C.text(Whole).contains(X->V->Name))
      return "";
  }
  if (X->K == ExprKind::VarRef && !X->V->FromHelper && !X->V->IsPointerOffset) {
    std::string Name = X->V->Name;
    return Converted ? "(" + model::name(T->Scalar).str() + ")" + Name : Name;
  }
  if (X->K == ExprKind::IntConst && X->Int >= INT32_MIN && X->Int <= INT32_MAX && !Converted &&
      T->Scalar == ScalarKind::Int)
    return X->Text.empty() ? std::to_string(X->Int) : X->Text;
  // MAX(MIN(v, hi), lo): what stands inside a macro's argument has no text of its own.
  if (std::optional<MinMax> Inner = asMinMax(X); Inner && !Converted) {
    std::string A = argument(C, Inner->A, Whole), B = argument(C, Inner->B, Whole);
    return A.empty() || B.empty() ? "" : (Inner->IsMax ? "max(" : "min(") + A + ", " + B + ")";
  }
  SourceRange R = X->Range;
  bool Inside = R.isValid() && R.File == Whole.File && R.Begin >= Whole.Begin &&
                R.End <= Whole.End && R.End - R.Begin < Whole.End - Whole.Begin;
  StringRef Text = C.text(R);
  if (!Inside || Text.empty() || Text.contains('\n'))
    return "";
  return Converted ? "(" + model::name(T->Scalar).str() + ")(" + Text.str() + ")" : Text.str();
}

/// Does a variable of the kernel hide one of the built-ins?
static bool areHidden(Context &C) {
  auto Hides = [](const Var *V) {
    return V->Name == "min" || V->Name == "max" || V->Name == "clamp";
  };
  const Kernel &K = C.analysis().kernel();
  return any_of(K.Vars, Hides) || any_of(K.Params, Hides);
}

static void report(const Expr *E, const MinMax &Outer, Context &C) {
  bool Float = E->Ty->isFloat();
  // clamp(x, lo, hi) is min(max(x, lo), hi).
  for (bool Swap : {false, true}) {
    const Expr *Nested = Swap ? Outer.B : Outer.A;
    const Expr *Limit = Swap ? Outer.A : Outer.B;
    std::optional<MinMax> Inner = asMinMax(Nested);
    if (!Inner || Inner->IsMax == Outer.IsMax)
      continue;
    for (bool InnerSwap : {false, true}) {
      const Expr *X = InnerSwap ? Inner->B : Inner->A;
      const Expr *Other = InnerSwap ? Inner->A : Inner->B;
      std::optional<int64_t> Low = constantValue(Outer.IsMax ? Limit : Other),
                             High = constantValue(Outer.IsMax ? Other : Limit);
      // With limits that are not known to be in order clamp is undefined, and the two differ.
      bool InOrder = Low && High && *Low <= *High;
      if (!InOrder && !(Float && stripCasts(Limit)->K == ExprKind::FloatConst &&
                        stripCasts(Other)->K == ExprKind::FloatConst))
        continue;
      Finding &F =
          C.report(E->Range, "a value is limited from both sides by conditional expressions");
      F.cost("clamp is a single instruction, on vectors too");
      if (Float)
        return;
      std::string XText = argument(C, X, E->Range),
                  LowText = argument(C, Outer.IsMax ? Limit : Other, E->Range),
                  HighText = argument(C, Outer.IsMax ? Other : Limit, E->Range);
      std::vector<Edit> Edits;
      if (!XText.empty() && !LowText.empty() && !HighText.empty() && !areHidden(C))
        Edits.push_back({E->Range, "clamp(" + XText + ", " + LowText + ", " + HighText + ")"});
      F.fix(Applicability::Safe, "use clamp", std::move(Edits));
      return;
    }
  }
  std::string Name = Outer.IsMax ? "max" : "min";
  if (Float)
    Name = "f" + Name;
  Finding &F = C.report(E->Range, "a conditional expression spells " + Name);
  F.cost("the built-in is a single instruction, on vectors too");
  if (Float)
    return;
  std::string A = argument(C, Outer.A, E->Range), B = argument(C, Outer.B, E->Range);
  std::vector<Edit> Edits;
  if (!A.empty() && !B.empty() && !areHidden(C))
    Edits.push_back({E->Range, Name + "(" + A + ", " + B + ")"});
  // Where w - 1 wraps around, x >= w does not choose what min chooses.
  Range Limit = Outer.Next ? C.analysis().range(Outer.Next->Ops[0]) : Range{0, 0};
  Range All = rangeOf(E->Ty->Scalar);
  if (Outer.Next && (Outer.IsMax ? Limit.Hi >= All.Hi : Limit.Lo <= All.Lo))
    F.fix(Applicability::Unsafe,
          "use " + Name + "; '" + C.text(Outer.Next->Range) + "' must not overflow",
          std::move(Edits));
  else
    F.fix(Applicability::Safe, "use " + Name, std::move(Edits));
}

/// May a value of type From be compared in type To without becoming another?
static bool holds(const Type *To, const Expr *From) {
  const Type *T = From->Ty;
  if (T->Scalar == To->Scalar || From->K == ExprKind::FloatConst || To->isFloat())
    return true;
  if (std::optional<int64_t> Value = constantValue(From))
    return *Value >= 0 || isSigned(To->Scalar);
  return !T->isFloat() && sizeInBits(T->Scalar) < sizeInBits(To->Scalar) &&
         (isSigned(To->Scalar) || !isSigned(T->Scalar));
}

/// The same value, whatever it was converted to: 255 and 255.0f are.
static bool isSameValue(const Expr *A, const Expr *B) {
  A = stripCasts(A), B = stripCasts(B);
  auto Number = [](const Expr *E) -> std::optional<double> {
    if (E->K == ExprKind::FloatConst)
      return E->Float;
    std::optional<int64_t> Value = constantValue(E);
    return Value ? std::optional<double>(double(*Value)) : std::nullopt;
  };
  std::optional<double> X = Number(A), Y = Number(B);
  return X && Y ? *X == *Y : model::equal(A, B);
}

namespace {
/// What a statement makes of one variable or element.
struct Choice {
  const Stmt *Target = nullptr; ///< an assignment or a store to it
  const Expr *Of = nullptr;     ///< the value that is limited
  bool IsMax = false, Both = false;
};
} // namespace

/// The only assignment or store of a block; null if it does anything else.
static const Stmt *onlyAssignment(const StmtList &B) {
  const Stmt *S = B.size() == 1 ? B[0] : nullptr;
  bool Sets =
      S && ((S->K == StmtKind::Assign && S->LaneIdx.size() <= 1) || S->K == StmtKind::Store);
  return Sets && S->E && S->E->Ty->isScalar() && !hasOpaque(S->E) ? S : nullptr;
}

static bool isSameTarget(const Stmt *A, const Stmt *B) {
  return A->K == B->K && (A->K == StmtKind::Store ? model::equal(A->Acc, B->Acc)
                                                  : A->V == B->V && A->LaneIdx == B->LaneIdx);
}

/// Does E read what S sets?
static bool reads(const Expr *E, const Stmt *S) {
  E = stripCasts(E);
  if (S->K == StmtKind::Store)
    return E->K == ExprKind::Load && model::equal(E->Acc, S->Acc);
  if (!S->LaneIdx.empty())
    return E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1 && E->LaneIdx[0] == S->LaneIdx[0] &&
           E->Ops[0]->K == ExprKind::VarRef && E->Ops[0]->V == S->V;
  return E->K == ExprKind::VarRef && E->V == S->V;
}

/// if (v > hi) v = hi; with or without what happens else. IsOwn: is what a statement stores to no
/// other work-item's?
static std::optional<Choice> asChoice(const Stmt *S, function_ref<bool(const Stmt *)> IsOwn) {
  if (S->K != StmtKind::If || !S->E || S->EarlyReturn)
    return std::nullopt;
  const Expr *Cond = stripCasts(S->E);
  const Stmt *Then = onlyAssignment(S->Body), *Else = onlyAssignment(S->Else);
  if (Cond->K != ExprKind::Binary || !isComparison(Cond->O) || Cond->O == Op::EQ ||
      Cond->O == Op::NE || !Then)
    return std::nullopt;
  const Expr *A = Cond->Ops[0], *B = Cond->Ops[1];
  if (!holds(A->Ty, stripCasts(A)) || !holds(B->Ty, stripCasts(B)))
    return std::nullopt;
  bool Greater = Cond->O == Op::GT || Cond->O == Op::GE;
  for (bool Swap : {false, true}) {
    const Expr *Chosen = Swap ? B : A, *Other = Swap ? A : B;
    bool IsMax = Greater != Swap;
    bool MayTouch = Cond->O == Op::GE || Cond->O == Op::LE;
    // if (x >= w) x = w - 1; is found where w is what it is compared with.
    if (!isSameValue(Chosen, Then->E) && !(MayTouch && isNextTo(Then->E, Chosen, IsMax)))
      continue;
    if (S->Else.empty()) {
      if (!reads(Other, Then) || (Then->K == StmtKind::Store && !IsOwn(Then)))
        continue;
      return Choice{Then, Other, IsMax, false};
    }
    if (Else && isSameTarget(Then, Else) && isSameValue(Other, Else->E))
      return Choice{Then, Other, IsMax, false};
    // v < lo, else v > hi: both limits.
    std::optional<Choice> Next = S->Else.size() == 1 ? asChoice(S->Else[0], IsOwn) : std::nullopt;
    if (Next && Next->IsMax != IsMax && isSameTarget(Then, Next->Target) &&
        isSameValue(Other, Next->Of))
      return Choice{Then, Other, IsMax, true};
  }
  return std::nullopt;
}

/// The statements of a block that limit a value, one after another.
static void reportStatements(const StmtList &B, Context &C) {
  // Where memory says which element it is, other work-items may mean the same one.
  auto IsOwn = [&](const Stmt *S) {
    return S->Acc.Base->space() == AddressSpace::Private ||
           any_of(C.analysis().accesses(), [&](const AccessSite &A) {
             return A.S == S && A.IsWrite && isRegular(C.analysis(), A);
           });
  };
  for (size_t I = 0; I < B.size(); ++I) {
    std::optional<Choice> First = asChoice(B[I], IsOwn);
    if (!First) {
      forEachStmtList(*B[I], [&](StmtList &Nested) { reportStatements(Nested, C); });
      continue;
    }
    const Stmt *S = B[I];
    std::optional<Choice> Second =
        I + 1 < B.size() && !First->Both ? asChoice(B[I + 1], IsOwn) : std::nullopt;
    bool Both = First->Both || (Second && Second->IsMax != First->IsMax &&
                                isSameTarget(First->Target, Second->Target));
    I += Both && !First->Both;
    std::string Name =
        (First->Target->E->Ty->isFloat() ? "f" : "") + std::string(First->IsMax ? "max" : "min");
    C.report(S->E->Range.isValid() ? S->E->Range : S->Range,
             Both ? Twine("a value is limited from both sides by if statements")
                  : "an if statement spells " + Twine(Name))
        .cost(Both ? "clamp is a single instruction, on vectors too"
                   : "the built-in is a single instruction, on vectors too");
  }
}

/// min(max(x, lo), hi) with limits that are the same for all work-items.
static bool isClampOfTwo(const KernelAnalysis &K, const Expr *E, const Stmt *At) {
  auto Kind = [](const Expr *X) {
    StringRef Name = X->K == ExprKind::Call && X->Ops.size() == 2 ? StringRef(X->Name) : "";
    Name.consume_front("f");
    return Name == "min" ? -1 : Name == "max" ? 1 : 0;
  };
  auto IsLimit = [&](const Expr *X) { return K.varies(X, At).uniformInLaunch(); };
  int Outer = Kind(E);
  for (bool Swap : {false, true}) {
    if (!Outer || !IsLimit(E->Ops[Swap ? 0 : 1]))
      continue;
    const Expr *Inner = stripCasts(E->Ops[Swap ? 1 : 0]);
    if (Kind(Inner) == -Outer && IsLimit(Inner->Ops[0]) != IsLimit(Inner->Ops[1]))
      return true;
  }
  return false;
}

/// x > 0 ? x - 1 : 0 is max(x - 1, 0): what is chosen moves with what is compared, and meets the
/// other choice at the limit.
static std::optional<bool> asMovedMinMax(const KernelAnalysis &K, const Expr *E, const Stmt *At) {
  const Expr *Cond = stripCasts(E->Ops[0]);
  if (Cond->K != ExprKind::Binary || !isComparison(Cond->O) || Cond->O == Op::EQ ||
      Cond->O == Op::NE || hasOpaque(E) ||
      any_of(E->Ops, [](const Expr *X) { return !X->Ty->isInteger() || !X->Ty->isScalar(); }))
    return std::nullopt;
  for (bool SwapSides : {false, true})
    for (bool SwapChoice : {false, true}) {
      const Expr *X = Cond->Ops[SwapSides], *Limit = Cond->Ops[!SwapSides],
                 *Moved = E->Ops[SwapChoice ? 2 : 1], *Fixed = E->Ops[SwapChoice ? 1 : 2];
      if (!X->Ty->isInteger() || !X->Ty->isScalar() || constantValue(X) || constantValue(Moved))
        continue;
      // As if it were written X < Limit ? Moved : Fixed, or with <=, >, >=.
      bool Greater = (Cond->O == Op::GT || Cond->O == Op::GE) != SwapSides != SwapChoice;
      bool Touches = (Cond->O == Op::LE || Cond->O == Op::GE) != SwapChoice;
      Poly Value = K.poly(X, At), Taken = K.poly(Moved, At), Bound = K.poly(Limit, At);
      Poly By = Taken - Value;
      // x < 0 ? -x : 0 is max(-x, 0)
      if (Poly Sum = Taken + Value;
          !By.isConstant() && Sum.isConstant() && isSigned(Moved->Ty->Scalar)) {
        By = Sum;
        Bound = Poly() - Bound;
        Greater = !Greater;
      }
      Poly Over = K.poly(Fixed, At) - Bound - By;
      if (!By.isConstant() || !Over.isConstant())
        continue;
      // An unsigned value below 0 is large.
      if (By.constantTerm() < 0 && !isSigned(stripCasts(Moved)->Ty->Scalar))
        continue;
      int64_t Rest = Over.constantTerm() * (Greater ? -1 : 1);
      if (Touches ? Rest == 0 || Rest == 1 : Rest == 0 || Rest == -1)
        return Greater;
    }
  return std::nullopt;
}

/// v > 255 ? 255 : (uchar)v: what is compared in one type is chosen in another. The limits from
/// both sides, or one.
static std::optional<Choice> asConvertedMinMax(const Expr *E) {
  E = stripCasts(E);
  const Expr *Cond = E->K == ExprKind::Select ? stripCasts(E->Ops[0]) : E;
  if (E->K != ExprKind::Select || !E->Ty->isScalar() || Cond->K != ExprKind::Binary ||
      !isComparison(Cond->O) || Cond->O == Op::EQ || Cond->O == Op::NE || hasOpaque(E))
    return std::nullopt;
  const Expr *A = Cond->Ops[0], *B = Cond->Ops[1];
  if (!holds(A->Ty, stripCasts(A)) || !holds(B->Ty, stripCasts(B)))
    return std::nullopt;
  bool Greater = Cond->O == Op::GT || Cond->O == Op::GE;
  for (bool Swap : {false, true})
    for (bool Inverse : {false, true}) {
      const Expr *Limit = Swap ? A : B, *X = Swap ? B : A, *Chosen = E->Ops[Inverse ? 2 : 1],
                 *Rest = E->Ops[Inverse ? 1 : 2];
      bool IsMax = Greater == (Swap != Inverse);
      if (!isSameValue(Limit, Chosen))
        continue;
      if (isSameValue(X, Rest))
        return Choice{nullptr, X, IsMax, false};
      std::optional<Choice> Inner = asConvertedMinMax(Rest);
      if (Inner && !Inner->Both && Inner->IsMax != IsMax && isSameValue(X, Inner->Of))
        return Choice{nullptr, X, IsMax, true};
    }
  return std::nullopt;
}

static void run(const Kernel &K, Context &C) {
  reportStatements(K.Body, C);
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> Seen;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->Range.isValid() && isClampOfTwo(C.analysis(), E, S)) {
          if (Seen.insert({E->Range.File, E->Range.Begin, E->Range.End}).second)
            C.report(E->Range, "min and max together are clamp")
                .cost("clamp is a single instruction, on vectors too");
          return false;
        }
        if (E->K != ExprKind::Select || !E->Range.isValid())
          return true;
        std::optional<MinMax> M = asMinMax(E);
        if (!M) {
          std::optional<bool> Moved = asMovedMinMax(C.analysis(), E, S);
          std::optional<Choice> Other = Moved ? std::nullopt : asConvertedMinMax(E);
          if (!Moved && !Other)
            return true;
          std::string Name = (Other && stripCasts(Other->Of)->Ty->isFloat() ? "f" : "") +
                             std::string((Moved ? *Moved : Other->IsMax) ? "max" : "min");
          bool Both = Other && Other->Both;
          if (!Seen.insert({E->Range.File, E->Range.Begin, E->Range.End}).second)
            return false;
          Finding &F =
              C.report(E->Range,
                       Both ? Twine("a value is limited from both sides by conditional expressions")
                            : "a conditional expression spells " + Twine(Name));
          F.cost(Both ? "clamp is a single instruction, on vectors too"
                      : "the built-in is a single instruction, on vectors too");
          return false;
        }
        if (Seen.insert({E->Range.File, E->Range.Begin, E->Range.End}).second)
          report(E, *M, C);
        return false; // what is nested belongs to this one
      });
    });
    return true;
  });
}

CLMALI_KERNEL_CHECK("manual-clamp", run);
