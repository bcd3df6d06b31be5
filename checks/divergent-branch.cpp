//===- divergent-branch.cpp
//--------------------------------------------------------------------===//
//
// Before: if (v < 0) v = -2 * v;
// After:  v = v < 0 ? -2 * v : v;
// Limits: assignments to variables only: no memory, no expensive calls, no nested control.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

using Registers = std::set<const Access *>;

/// What is memory for the model, and a register for the compiler: a variable whose address an
/// inlined function gets, elements of a small array at places that are known.
static Registers inRegisters(const KernelAnalysis &K) {
  constexpr uint64_t Small = 256;
  std::set<const Var *> Arrays;
  Registers Result;
  auto IsCandidate = [](const Access &A) {
    return A.Base->K == Var::Memory && A.Base->space() == AddressSpace::Private;
  };
  for (const AccessSite &Site : K.accesses())
    if (IsCandidate(*Site.A) && Site.A->Base->Ty->K == Type::Array &&
        (Site.A->Base->Ty->Size > Small || !whyUnknown(K, Site).empty()))
      Arrays.insert(Site.A->Base);
  for (const AccessSite &Site : K.accesses())
    if (IsCandidate(*Site.A) && !Arrays.count(Site.A->Base))
      Result.insert(Site.A);
  return Result;
}

/// A built-in of an instruction or two.
static bool isCheap(StringRef Name) {
  static const StringSet<> Names{"abs",  "clamp", "fabs",   "floor", "fma",  "fmax",
                                 "fmin", "mad",   "mad24",  "max",   "min",  "mul24",
                                 "mix",  "rint",  "select", "sign",  "step", "trunc"};
  return Names.contains(Name);
}

namespace {
/// A built-in of a few: worth no more than the branch, once.
static bool isModest(StringRef Name) {
  static const StringSet<> Names{"distance", "dot", "length", "normalize", "rsqrt", "sqrt"};
  Name.consume_front("fast_") || Name.consume_front("native_") || Name.consume_front("half_");
  return Names.contains(Name);
}

/// What a branch does.
struct Sides {
  unsigned Count = 0;         ///< statements
  unsigned Modest = 0;        ///< calls of more than an instruction or two
  std::set<const Var *> Sets; ///< variables that get a number or another variable's value
};
} // namespace

/// v = k; or v.x = 0;
static bool onlySets(const Stmt *S) {
  const Expr *E = S->K == StmtKind::Assign && S->E ? stripCasts(S->E) : nullptr;
  if (E && (E->K == ExprKind::Swizzle || E->K == ExprKind::Unary))
    E = stripCasts(E->Ops[0]);
  return E &&
         (E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst);
}

/// Only assignments that compute; counts them, those of an inlined function as the call that was
/// written. A variable that is only set is one value that is chosen, on both sides and with all its
/// components.
static bool isPureBlock(const KernelAnalysis &K, const StmtList &B, const Registers &R,
                        Sides &Both) {
  for (const Stmt *S : B) {
    if (S->K != StmtKind::Assign && S->K != StmtKind::Decl &&
        !(S->K == StmtKind::Store && R.count(&S->Acc)))
      return false;
    if (onlySets(S))
      Both.Count += Both.Sets.insert(S->V).second;
    else
      Both.Count += !(S->K == StmtKind::Decl && S->V && S->V->FromHelper);
    bool Pure = true;
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Call && isModest(E->Name)) {
          Pure &= ++Both.Modest == 1;
          return Pure;
        }
        // A division of integers is left out for good reason, unless it is done once for all; so is
        // a load, and what is expensive.
        if ((E->K == ExprKind::Load && !R.count(&E->Acc)) || E->K == ExprKind::Opaque ||
            (E->K == ExprKind::Call && !isCheap(E->Name)) ||
            (E->K == ExprKind::Binary && E->Ty->isInteger() &&
             (E->O == Op::Div || E->O == Op::Rem) && !K.varies(E, S).uniformInLaunch()))
          Pure = false;
        return Pure;
      });
    });
    if (!Pure)
      return false;
  }
  return true;
}

/// What a side computes, in operations; choosing a value that is there, or one that is the same for
/// all work-items and so is computed once, is none.
static unsigned operations(const KernelAnalysis &An, const StmtList &B,
                           const rules::DeviceFacts &D) {
  // Operations in the time of a division of floats.
  unsigned Division = D.FloatDivideCycles * D.ArithmeticPerCycle;
  unsigned Count = 0;
  for (const Stmt *S : B)
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if ((E->K == ExprKind::Binary || E->K == ExprKind::Unary || E->K == ExprKind::Call) &&
            !An.varies(E, S).uniformInLaunch())
          Count += E->K == ExprKind::Binary && E->O == Op::Div ? Division : 1;
        return true;
      });
    });
  return Count;
}

/// Do two places stand within a few statements, as the limits of coordinates or the components of a
/// pixel do? (What stands in a string has no lines.)
static bool areNear(Context &C, SourceRange A, SourceRange B) {
  constexpr size_t Statements = 4;
  return A.File == B.File && A.Begin <= B.Begin &&
         C.text({A.File, A.Begin, B.Begin}).count(';') <= Statements;
}

/// `a() && b()`, `c ? a() : b()`: what the model branches for, because functions are inlined there,
/// and the source has as one value.
static bool isOneValue(const Stmt *If) {
  if (If->Body.empty() || If->Body.back()->K != StmtKind::Assign)
    return false;
  const SourceRange &Declared = If->Body.back()->V->Range, &Whole = If->Range;
  return Declared.isValid() && Declared.File == Whole.File && Declared.Begin == Whole.Begin &&
         Declared.End == Whole.End;
}

static void run(const Kernel &K, Context &C) {
  if (C.device().SimdWidth < 2)
    return;
  const KernelAnalysis &An = C.analysis();
  const Registers &R = C.cached<Registers>([&] { return inRegisters(An); });
  constexpr unsigned Few = 3;
  constexpr unsigned Speculated =
      4; // operations that compilers execute on both sides by themselves, and then choose
  Finding *Choice = nullptr; ///< the first of those that only choose
  SourceRange Last;          ///< and the place of the last one
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::If || S->EarlyReturn || isOneValue(S) || !S->Range.isValid() || !S->E)
      return true;
    Sides Both;
    if (An.varies(S->E).uniform() || !isPureBlock(An, S->Body, R, Both) ||
        !isPureBlock(An, S->Else, R, Both) || Both.Count == 0 ||
        Both.Count > C.option("MaxStatements"))
      return true;
    SourceRange Place = S->E->Range.isValid() ? S->E->Range : S->Range;
    unsigned Computed = operations(An, S->Body, C.device()) + operations(An, S->Else, C.device());
    // One word on what compilers choose by themselves is enough for places that stand together.
    if (!Computed && Choice && areNear(C, Last, Place)) {
      Choice->note(Place, "another one");
      Last = Place;
      return true;
    }
    Finding &F = C.report(Place, "a short branch on a value that differs between work-items");
    F.cost("both sides run, and the branch costs on top")
        .fix(Applicability::Verify, "clmali-rewrite --passes=select");
    // Several statements may be worth a branch that most work-items take alike.
    if (Computed <= Speculated || Both.Count > Few || Both.Modest)
      F.atMost(rules::Severity::Info);
    if (!Computed)
      std::tie(Choice, Last) = std::make_tuple(&F, Place);
    return true;
  });
}

CLMALI_KERNEL_CHECK("divergent-branch", run);
