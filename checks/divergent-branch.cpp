//===- divergent-branch.cpp ------------------------------------------------------------------===//
//
// Before: if (v < 0) v = -2 * v;
// After:  v = v < 0 ? -2 * v : v;
// Limits: assignments to variables and to small private arrays. No other memory, no expensive
//         calls, no nested control. The rewrite is offered where pattern/SelectableBranch
//         accepts the branch.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/SelectableBranch.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

using Registers = std::set<const Access *>;

/// Accesses that the model sees as memory and a compiler keeps in registers: variables whose
/// address an inlined function takes, and elements of small private arrays at known indices.
static Registers inRegisters(const KernelAnalysis &K, uint64_t Small) {
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
/// A built-in of a few instructions: one of them costs no more than the branch.
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

/// True if B only assigns. Both: counts its statements. The statements of an inlined function count
/// as one call. A variable that is only set counts once, for both sides and all components.
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
    for (ExprAt X : exprs(*S)) {
      const Expr *E = X.E;
      if (E->K == ExprKind::Call && isModest(E->Name)) {
        if (++Both.Modest > 1)
          return false;
        continue;
      }
      // A branch is worth its cost if it saves an integer division that differs between
      // work-items, a load, or an expensive call.
      if ((E->K == ExprKind::Load && !R.count(&E->Acc)) || E->K == ExprKind::Opaque ||
          E->K == ExprKind::ImageRead || (E->K == ExprKind::Call && !isCheap(E->Name)) ||
          (E->K == ExprKind::Binary && E->Ty->isInteger() && (E->O == Op::Div || E->O == Op::Rem) &&
           !K.varies(E, S).uniformInLaunch()))
        return false;
    }
  }
  return true;
}

/// Does a side only choose among values that exist or are uniform in the launch?
static bool onlyChooses(const KernelAnalysis &An, const StmtList &B) {
  for (const Stmt *S : B)
    for (ExprAt X : exprs(*S))
      if ((X->K == ExprKind::Binary || X->K == ExprKind::Unary || X->K == ExprKind::Call) &&
          !An.varies(X.E, S).uniformInLaunch())
        return false;
  return true;
}

/// True if B follows A within a few statements, as the limits of coordinates or the components of a
/// pixel do. Statements, not lines: a kernel in a string has no lines.
static bool areNear(Context &C, SourceRange A, SourceRange B) {
  return A.File == B.File && A.Begin <= B.Begin &&
         int64_t(C.text({A.File, A.Begin, B.Begin}).count(';')) <= C.option("NearStatements");
}

/// `a() && b()`, `c ? a() : b()`: one value in the source. The model has a branch, since it inlines
/// the functions.
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
  const Registers &R =
      C.cached<Registers>([&] { return inRegisters(An, C.option("RegisterBytes")); });
  Finding *Choice = nullptr; ///< the first of those that only choose
  SourceRange Last;          ///< the location of the last one
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::If || S->EarlyReturn || isOneValue(S) || !S->Range.isValid() || !S->E)
      return true;
    Sides Both;
    if (An.varies(S->E).uniform() || !isPureBlock(An, S->Body, R, Both) ||
        !isPureBlock(An, S->Else, R, Both) || Both.Count == 0 ||
        Both.Count > C.option("MaxStatements"))
      return true;
    SourceRange Where = S->E->Range.isValid() ? S->E->Range : S->Range;
    bool Chooses = onlyChooses(An, S->Body) && onlyChooses(An, S->Else);
    if (Chooses && Choice && areNear(C, Last, Where)) {
      Choice->note(Where, "another one");
      Last = Where;
      return true;
    }
    Finding &F = C.report(Where, "a short branch on a value that differs between work-items");
    F.cost("both sides run, and the branch costs on top");
    if (pattern::selectableBranch(An, *S))
      F.fix(Applicability::Verify, "clmali-rewrite --passes=select");
    if (Chooses)
      std::tie(Choice, Last) = std::make_tuple(&F, Where);
    return true;
  });
}

CLMALI_KERNEL_CHECK("divergent-branch", run);
