//===- manual-clamp.cpp ----------------------------------------------------------------------===//
//
// Before: v < lo ? lo : (v > hi ? hi : v)
// After:  clamp(v, lo, hi)
// Before: if (v > hi) v = hi;    or   if (v > hi) out[i] = hi; else out[i] = v;
// After:  v = min(v, hi)
// Limits: what the recogniser finds (pattern/MinMax.h), macros included. There is a fix where the
//         pass use-builtins makes the same change, or would if nothing overflowed. A nested one
//         is reported once, at the outermost.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/MinMax.h"
#include "checks/query/Query.h"
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;
using namespace clmali::model::pattern;

static std::string call(Context &C, const MinMax &M, SourceRange Whole);

static auto rangesAt(Context &C, const Stmt *At) {
  return [&A = C.analysis(), At](const Expr *E) { return A.range(E, At); };
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
  if (std::optional<MinMax> Inner = asMinMax(X, rangesAt(C, nullptr)); Inner && !Converted)
    return call(C, *Inner, Whole);
  SourceRange R = X->Range;
  bool Inside = R.isValid() && R.File == Whole.File && R.Begin >= Whole.Begin &&
                R.End <= Whole.End && R.End - R.Begin < Whole.End - Whole.Begin;
  StringRef Text = C.text(R);
  if (!Inside || Text.empty() || Text.contains('\n'))
    return "";
  return Converted ? "(" + model::name(T->Scalar).str() + ")(" + Text.str() + ")" : Text.str();
}

static StringRef name(const MinMax &M) {
  return M.F == MinMax::Clamp ? "clamp" : M.F == MinMax::Min ? "min" : "max";
}

/// The call that computes M; empty where an operand cannot be written.
static std::string call(Context &C, const MinMax &M, SourceRange Whole) {
  std::string Text = name(M).str();
  for (const Expr *E : {M.Value, M.Low, M.High})
    if (E) {
      std::string Operand = argument(C, E, Whole);
      if (Operand.empty())
        return "";
      Text += (E == M.Value ? "(" : ", ") + Operand;
    }
  return Text + ")";
}

/// Does a variable of the kernel hide one of the built-ins?
static bool areHidden(Context &C) {
  auto Hides = [](const Var *V) {
    return V->Name == "min" || V->Name == "max" || V->Name == "clamp";
  };
  const Kernel &K = C.analysis().kernel();
  return any_of(K.Vars, Hides) || any_of(K.Params, Hides);
}

/// What: "conditional expressions", of which one or two spell M.
static Finding &report(Context &C, SourceRange Range, const MinMax &M, StringRef One,
                       StringRef Several) {
  bool Both = M.F == MinMax::Clamp;
  return C
      .report(Range, Both ? ("a value is limited from both sides by " + Several).str()
                          : (One + " spells " + (M.IsFloat ? "f" : "") + name(M)).str())
      .cost(Both ? "clamp is a single instruction, on vectors too"
                 : "the built-in is a single instruction, on vectors too");
}

static void reportExpression(Context &C, const Expr *E, const MinMax &M) {
  Finding &F = report(C, E->Range, M, "a conditional expression", "conditional expressions");
  std::string Text = M.P == MinMax::Unproved || areHidden(C) ? "" : call(C, M, E->Range);
  if (M.P == MinMax::Unproved)
    return;
  std::vector<Edit> Edits;
  if (!Text.empty())
    Edits.push_back({E->Range, Text});
  // Where w - 1 wraps around, x >= w does not choose what min chooses.
  if (M.P == MinMax::IfNoOverflow)
    F.fix(Applicability::Unsafe,
          "use " + name(M).str() + "; '" + C.text(M.Overflows->Range).str() + "' must not overflow",
          std::move(Edits));
  else
    F.fix(Applicability::Safe, "use " + name(M).str(), std::move(Edits));
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
  auto At = [&](size_t I) {
    return I < B.size() ? asLimitedTarget(B[I], rangesAt(C, B[I]), IsOwn) : std::nullopt;
  };
  for (size_t I = 0; I < B.size(); ++I) {
    std::optional<LimitedTarget> First = At(I);
    if (!First || !First->Set->E->Ty->isScalar()) {
      forEachStmtList(*B[I], [&](StmtList &Nested) { reportStatements(Nested, C); });
      continue;
    }
    const Stmt *S = B[I];
    if (std::optional<LimitedTarget> Second = At(I + 1);
        Second && First->M.F != MinMax::Clamp && Second->M.F != MinMax::Clamp &&
        Second->M.F != First->M.F && isSameTarget(First->Set, Second->Set)) {
      First->M.F = MinMax::Clamp;
      ++I;
    }
    report(C, S->E->Range.isValid() ? S->E->Range : S->Range, First->M, "an if statement",
           "if statements");
  }
}

/// min(max(x, lo), hi) with limits that are the same for all work-items.
static bool isClampOfTwo(const KernelAnalysis &K, const Expr *E, const Stmt *At, RangeOf Of) {
  auto IsLimit = [&](const Expr *X) { return K.varies(X, At).uniformInLaunch(); };
  std::optional<MinMax> Outer = E->K == ExprKind::Call ? asMinMax(E, Of) : std::nullopt;
  if (!Outer || Outer->F == MinMax::Clamp)
    return Outer.has_value();
  for (auto [Nested, Limit] :
       {std::pair(Outer->Value, Outer->limit()), std::pair(Outer->limit(), Outer->Value)}) {
    const Expr *X = stripCasts(Nested);
    std::optional<MinMax> Inner =
        X->K == ExprKind::Call && IsLimit(Limit) ? asMinMax(X, Of) : std::nullopt;
    if (Inner && Inner->F != MinMax::Clamp && Inner->F != Outer->F &&
        IsLimit(Inner->Value) != IsLimit(Inner->limit()))
      return true;
  }
  return false;
}

static void run(const Kernel &K, Context &C) {
  reportStatements(K.Body, C);
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> Seen;
  auto IsNew = [&](SourceRange R) { return Seen.insert({R.File, R.Begin, R.End}).second; };
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        auto Of = rangesAt(C, S);
        if (!E->Range.isValid())
          return true;
        if (isClampOfTwo(C.analysis(), E, S, Of)) {
          if (IsNew(E->Range))
            C.report(E->Range, "min and max together are clamp")
                .cost("clamp is a single instruction, on vectors too");
          return false;
        }
        std::optional<MinMax> M = E->K == ExprKind::Select ? asMinMax(E, Of) : std::nullopt;
        if (M && IsNew(E->Range))
          reportExpression(C, E, *M);
        return !M; // what is nested belongs to this one
      });
    });
    return true;
  });
}

CLMALI_KERNEL_CHECK("manual-clamp", run);
