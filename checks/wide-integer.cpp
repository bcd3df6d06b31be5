//===- wide-integer.cpp ----------------------------------------------------------------------===//
//
// Before: int v = 9 * in[i] - in[i + 1] - ...;      uchar elements: -2040..2295
// After:  short16 v = ...                            (clmali-rewrite, narrow with vectorize)
// Limits: values that are computed from memory and stored to memory. Silent about addresses,
//         loop counters and values that do not depend on data.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/LockstepItems.h"
#include "checks/model/pattern/NarrowRange.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"
#include <set>
#include <utility>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
struct Wide {
  uint64_t All = 0;    ///< operations on 32 bits and more that a work-item executes
  uint64_t Narrow = 0; ///< those that fit 16 bits
  const Expr *Largest = nullptr;
  const Stmt *LargestAt = nullptr;
  Range Values{0, 0};
  bool Short = true;      ///< do all of them fit short?
  uint64_t Lanes = 0;     ///< numbers that the narrow ones compute
  uint64_t Converted = 0; ///< numbers that are made floating point on their way
  const GuessedFacts *Guessed = nullptr;
  const Conditions *Control = nullptr;
  std::set<const Expr *> Seen;
  std::set<const Var *> SeenVars;
  std::set<const Var *> IndexVars; ///< variables that are part of an index
  bool InControl = false;          ///< what is collected decides whether something runs
};
} // namespace

static bool isArithmetic(const Expr *E) {
  if (E->K == ExprKind::Unary)
    return E->O == Op::Neg;
  if (E->K != ExprKind::Binary)
    return false;
  switch (E->O) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Shl:
  case Op::Shr:
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return true;
  default:
    return false;
  }
}

/// True if E can be computed in 16 bits. A shift or mask needs a narrow operand, too.
static bool isNarrow(const KernelAnalysis &K, const Expr *E, Range R, const Stmt *At) {
  bool TakesApart = E->O == Op::Shr || E->O == Op::And;
  return pattern::fits16Bits(R) && (!TakesApart || pattern::fits16Bits(K.range(E->Ops[0], At)));
}

/// True if E is made only of comparisons and constants: (x >= 0) - (x < 0), or a lane of
/// active & ~(x > y). A comparison of floats is as wide as they are.
static bool isMask(const KernelAnalysis &K, const Expr *E, std::set<const Var *> &Seen,
                   bool &OfFloats, bool &OfIntegers) {
  while (E->K == ExprKind::Cast || E->K == ExprKind::Swizzle ||
         (E->K == ExprKind::Unary && E->O == Op::BitNot))
    E = E->Ops[0];
  auto Same = [&](const Expr *X) { return isMask(K, X, Seen, OfFloats, OfIntegers); };
  if (E->K == ExprKind::VarRef) {
    ArrayRef<const Stmt *> Defs = K.defs(E->V);
    return !Defs.empty() && (!Seen.insert(E->V).second ||
                             all_of(Defs, [&](const Stmt *S) { return S->E && Same(S->E); }));
  }
  if (E->K == ExprKind::Binary && isComparison(E->O)) {
    (E->Ops[0]->Ty->isFloat() ? OfFloats : OfIntegers) = true;
    return true;
  }
  return E->K == ExprKind::IntConst || (isArithmetic(E) && all_of(E->Ops, Same));
}

/// True if E is a mask that is not computed for its value: one of floats, or a condition.
static bool isTruth(const KernelAnalysis &K, const Expr *E, bool InControl) {
  std::set<const Var *> Seen;
  bool OfFloats = false, OfIntegers = false;
  return isMask(K, E, Seen, OfFloats, OfIntegers) && ((OfFloats && !OfIntegers) || InControl);
}

/// (x >> 8) & 255: a few bits of x.
static std::optional<const Expr *> fieldOf(const Expr *E) {
  if (E->K != ExprKind::Binary || E->O != Op::And)
    return std::nullopt;
  for (unsigned I : {0u, 1u})
    if (std::optional<int64_t> Mask = constantValue(E->Ops[I]); Mask && *Mask > 0 && *Mask <= 255) {
      const Expr *From = stripCasts(E->Ops[1 - I]);
      return From->K == ExprKind::Binary && From->O == Op::Shr && constantValue(From->Ops[1])
                 ? From->Ops[0]
                 : From;
    }
  return std::nullopt;
}

/// Counts the narrow operations below E, through the variables that hold intermediate values.
static void collect(const KernelAnalysis &K, const Expr *E, const Stmt *At, Wide &W);

/// Counts the conditions of the branches around S; not those of loops.
static void control(const KernelAnalysis &K, const Stmt *S, Wide &W) {
  if (auto Found = W.Control->find(S); Found != W.Control->end())
    for (const Stmt *Around : Found->second)
      if (Around->K == StmtKind::If) {
        bool Outer = std::exchange(W.InControl, true);
        collect(K, Around->E, S, W);
        W.InControl = Outer;
      }
}

static void collect(const KernelAnalysis &K, const Expr *E, const Stmt *At, Wide &W) {
  if (!W.Seen.insert(E).second)
    return;
  if (E->K == ExprKind::Load)
    return; // its index is an address
  if (E->K == ExprKind::VarRef) {
    // x - disparity[i] >= 0 tests whether an index is in bounds.
    if (W.InControl && W.IndexVars.count(E->V))
      return;
    if (W.SeenVars.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        if (Def->E) {
          collect(K, Def->E, Def, W);
          control(K, Def, W);
        }
    return;
  }
  // Bytes that are extracted from a wide value count as loaded.
  if (std::optional<const Expr *> From = fieldOf(E);
      From && !pattern::fits16Bits(K.range(E->Ops[0], At))) {
    collect(K, *From, At, W);
    return;
  }
  if (isArithmetic(E) && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) >= 32 &&
      K.varies(E).Data && !isTruth(K, E, W.InControl)) {
    Range R = K.range(E, At);
    uint64_t Times = knownRounds(*W.Guessed, K, *W.Control, At);
    W.All += Times;
    if (sizeInBits(E->Ty->Scalar) == 32 && isNarrow(K, E, R, At)) {
      W.Short &= rangeOf(ScalarKind::Short).contains(R);
      W.Values = !W.Narrow ? R : Range{std::min(W.Values.Lo, R.Lo), std::max(W.Values.Hi, R.Hi)};
      W.Narrow += Times;
      W.Lanes += Times * std::max(1u, unsigned(E->Ty->Lanes));
      auto Length = [](const Expr *X) { return X->Range.End - X->Range.Begin; };
      if (E->Range.isValid() && (!W.Largest || Length(E) > Length(W.Largest)))
        std::tie(W.Largest, W.LargestAt) = std::make_tuple(E, At);
    }
  }
  if (E->K == ExprKind::Cast && E->Ty->isFloat() && E->Ops[0]->Ty->isInteger() && K.varies(E).Data)
    W.Converted +=
        knownRounds(*W.Guessed, K, *W.Control, At) * std::max(1u, unsigned(E->Ty->Lanes));
  forEachOperand(*E, [&](const Expr *X) { collect(K, X, At, W); });
}

/// Variables that are part of an index.
static std::set<const Var *> indexVariables(const KernelAnalysis &K) {
  std::set<const Var *> Result;
  for (const AccessSite &A : K.accesses())
    for (const Expr *Index : A.A->Index)
      walk(Index, [&](const Expr *E) {
        if (E->K == ExprKind::VarRef)
          Result.insert(E->V);
        return E->K != ExprKind::Load;
      });
  return Result;
}

/// Floating-point numbers that a work-item computes, with the known trip counts of loops.
static uint64_t floatsComputed(const GuessedFacts &G, const KernelAnalysis &K,
                               const Conditions &Control) {
  uint64_t All = 0;
  for (const Stmt *S : stmts(K.kernel().Body)) {
    uint64_t Here = 0;
    for (ExprAt X : exprs(*S))
      if (is_contained({ExprKind::Unary, ExprKind::Binary, ExprKind::Call}, X->K) &&
          X->Ty->isFloat())
        Here += std::max(1u, unsigned(X->Ty->Lanes));
    if (Here)
      All += Here * knownRounds(G, K, Control, S);
  }
  return All;
}

/// The operations behind what the kernel stores, with or without those of rare code.
static Wide operations(Context &C, bool WithRare) {
  const KernelAnalysis &K = C.analysis();
  Wide W;
  W.Guessed = &guessed(C);
  W.Control = &conditions(C);
  W.IndexVars = indexVariables(K);
  for (const AccessSite &A : K.accesses())
    if (A.IsWrite && A.S->K == StmtKind::Store && A.A->Base->space() == AddressSpace::Global &&
        (WithRare || !isRare(C, A.S))) {
      collect(K, A.S->E, A.S, W);
      control(K, A.S, W);
    }
  return W;
}

static bool isReported(Context &C, const Wide &W) {
  // Few narrow operations among wide ones: narrowing them costs conversions.
  return W.Largest && int64_t(W.Narrow) >= C.option("MinOperations") && 4 * W.Narrow >= 3 * W.All &&
         uint64_t(C.option("FloatShare")) * W.Lanes >=
             floatsComputed(*W.Guessed, C.analysis(), *W.Control);
}

static void run(const Kernel &, Context &C) {
  if (C.device().PadsSubword || C.device().arithmeticLanes(16) <= C.device().arithmeticLanes(32))
    return;
  const KernelAnalysis &K = C.analysis();
  Wide W = operations(C, false);
  bool Rare = !isReported(C, W);
  if (Rare)
    W = operations(C, true);
  if (Rare && !isReported(C, W))
    return;
  // Each operation fits short or ushort, but not all of them the same one: sums and products agree
  // in both; a wide value has one type.
  bool Mixed = !pattern::fits16Bits(W.Values) && W.Narrow != W.All;
  std::string Type = W.Short                                          ? "short"
                     : rangeOf(ScalarKind::UShort).contains(W.Values) ? "ushort"
                                                                      : "short or ushort";
  Finding &F =
      C.report(W.Largest->Range, utostr(W.Narrow) +
                                     (W.Narrow == 1 ? " 32-bit operation" : " 32-bit operations") +
                                     " on values in " + itostr(W.Values.Lo) + ".." +
                                     itostr(W.Values.Hi) + ", which fit " + Type);
  F.cost(utostr(C.device().arithmeticLanes(16)) + " " + Type + " values take the place of " +
         utostr(C.device().arithmeticLanes(32)) + " int" +
         (C.device().SimdWidth > 1 ? " once the code is vectorized" : " in one operation"));
  if (pattern::mayBecomeLanes(K, C.cached<pattern::LockstepItems>()))
    F.fix(Applicability::Verify, "clmali-rewrite --passes=vectorize,narrow");
  // The range follows from what is added, and from what the loops count to.
  F.restsOn(W.Largest);
  if (auto Around = W.Control->find(W.LargestAt); Around != W.Control->end())
    for (const Stmt *S : Around->second)
      F.restsOn(S->E);
  // The values are converted to floating point afterwards, where each takes 32 bits again.
  bool Prepares = W.Lanes <= W.Converted;
  if (Mixed || Prepares || Rare)
    F.atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("wide-integer", run);
