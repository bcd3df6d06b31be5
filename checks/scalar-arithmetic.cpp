//===- scalar-arithmetic.cpp ------------------------------------------------------------------===//
//
// Before: out[i] = (3 * a[i] + 5 * b[i] + 4) >> 3;       one value for each operation
// After:  the same on 16 lanes                           (clmali-rewrite, vectorize)
// Limits: only operations between loads and stores of global memory or image writes. A kernel in
//         which arithmetic on whole vectors exceeds 1 / MinScalarRatio of its operations counts as
//         vectorized; above 1 / WarnScalarRatio the finding is information.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/TripCount.h"
#include "checks/model/pattern/LockstepItems.h"
#include "checks/model/pattern/MinMax.h"
#include "checks/query/Contiguity.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>
#include <utility>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// Computations of one work-item, each of whose steps continues what another iteration computed:
/// their operations have no neighbours that lanes could share.
struct Chains {
  explicit Chains(const KernelAnalysis &K);
  bool contains(const Stmt *S);

  /// s[k] = s[k] + s[k - 1]: a loop, and what it makes a scan of.
  std::set<std::pair<const Stmt *, const Var *>> Scans;
  std::set<const Stmt *> OfOne; ///< statements that one work-item executes

private:
  bool isStep(const Stmt *S) const;
  const KernelAnalysis &K;
  std::map<const Stmt *, bool> Steps; ///< answers so far
};
} // namespace

static bool isShared(const Var *Base) {
  return Base->space() == AddressSpace::Local || Base->space() == AddressSpace::Global;
}

Chains::Chains(const KernelAnalysis &K) : K(K) {
  for (const AccessSite &Site : K.accesses()) {
    if (Site.Loops.empty() || !isShared(Site.A->Base))
      continue;
    if (!isPinned(K, Site, 0) && !isPinned(K, Site, 1))
      continue;
    OfOne.insert(Site.S);
    if (Site.S->K == StmtKind::Store && Site.IsWrite &&
        any_of(Slice(K, Site.S->E, Site.S), [&](ExprAt X) {
          return X->K == ExprKind::Load && X->Acc.Base == Site.A->Base && !equal(X->Acc, *Site.A);
        }))
      for (const Stmt *Loop : Site.Loops)
        Scans.emplace(Loop, Site.A->Base);
  }
}

bool Chains::contains(const Stmt *S) {
  auto [It, New] = Steps.try_emplace(S);
  if (New)
    It->second = S && S->E && isStep(S);
  return It->second;
}

bool Chains::isStep(const Stmt *S) const {
  if (!OfOne.count(S))
    return false;
  if (S->K == StmtKind::Assign &&
      any_of(exprs(S->E), [&](ExprAt X) { return X->K == ExprKind::VarRef && X->V == S->V; }))
    return true;
  std::vector<const Stmt *> Loops = Scans.empty() ? std::vector<const Stmt *>() : K.loopsOf(S);
  return !Loops.empty() && any_of(Slice(K, S->E, S), [&](ExprAt X) {
    return X->K == ExprKind::Load &&
           any_of(Loops, [&](const Stmt *Loop) { return Scans.count({Loop, X->Acc.Base}); });
  });
}

namespace {
/// The counted operations of a work-item, with the state of the traversal that counts them.
struct Count {
  uint64_t Scalar = 0; ///< operations that a work-item executes at least
  uint64_t Narrow =
      0; ///< operations on vectors of at most half the width of the family's operations
  /// Scalar and Narrow, those of rare code left out, and operations on whole vectors, where loops
  /// of unknown trip count count with an assumed one.
  uint64_t Single = 0, Vector = 0;
  unsigned Widest = 0;   ///< largest width in bits of counted floating-point operations
  uint64_t Integers = 0; ///< of Scalar: integer operations, which may be as narrow as the data
  /// A counted operation and its location.
  struct Operation {
    const Expr *E;
    const Stmt *At;
    bool Decides;          ///< part of a condition only
    uint64_t Times;        ///< product of the trip counts of the loops around it
    bool Compares = false; ///< a comparison only
  };
  std::vector<Operation> Operations;
  bool Decides = false;   ///< the current expression is part of a condition
  uint64_t Mixed = 0;     ///< operations that mix bits, and need the full width
  unsigned MixedBits = 0; ///< the width of those in bits
  uint64_t Compared = 0;  ///< scalar operations that only compare
  std::function<unsigned(const Type *)> LanesOf; ///< of one operation of the family
  std::function<bool(const Stmt *)> IsRare;      ///< such as what vectors leave over
  /// True if one operation of the family does several of it; the number of bits that an integer
  /// needs, 0: as many as the data.
  std::function<bool(const Expr *, unsigned)> Pays;
  const Leaves *Left = nullptr; ///< branches that leave a loop
  const GuessedFacts *Guessed = nullptr;
  const Conditions *Around = nullptr; ///< the branches and loops around a statement
  const Stmt *At = nullptr;           ///< the statement of the current expression
  bool Alone = false;                 ///< the kernel uses no id
  bool OfIds = false;                 ///< stored integers that are computed from ids only count
  bool InIndex = false;               ///< the current expression is an index
  bool InCondition = false; ///< the current expression is the condition itself, not a definition
  bool ToFloat = false;     ///< the current expression is converted to floating point
  std::set<const Expr *> Masks;  ///< comparisons whose results are operands of arithmetic
  std::set<const Expr *> Chosen; ///< comparisons that belong to a minimum or maximum
  std::set<const Expr *> Seen;
  std::set<const Var *> SeenVars;
  Chains *Chained = nullptr;
};
} // namespace

static void collect(const KernelAnalysis &K, const Expr *E, Count &N);

/// True for operators and built-in functions. A comparison counts only if it compares
/// floating-point results of other operations.
static bool isComputed(const KernelAnalysis &K, const Expr *E) {
  if (E->K == ExprKind::Call)
    return E->Ty->isValue() && all_of(E->Ops, [](const Expr *X) { return X->Ty->isValue(); });
  if (E->K == ExprKind::Unary)
    return (E->O == Op::Neg || E->O == Op::BitNot) && !constantValue(E->Ops[0]) &&
           E->Ops[0]->K != ExprKind::FloatConst;
  if (E->K != ExprKind::Binary || E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
    return false;
  return !isComparison(E->O) || any_of(E->Ops, [&](const Expr *X) {
    const Expr *From = stripCasts(X);
    return From->Ty->isFloat() && (From->K == ExprKind::Binary || From->K == ExprKind::Call) &&
           isComputed(K, From);
  });
}

/// True if E depends on data that differ between work-items. A kernel without ids has one
/// work-item.
static bool hasVaryingData(const KernelAnalysis &K, const Expr *E, const Count &N) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    if (isRead(X->K) || X->K == ExprKind::VarRef || X->K == ExprKind::Opaque) {
      Variation V = K.varies(X);
      Found |= V.Data && (N.Alone || !V.uniformInLaunch());
    }
    return !Found && X->K != ExprKind::Load;
  });
  return Found;
}

/// True for a xor of varying values or data, and for what is computed from it: such values need all
/// bits, and are no addresses.
static bool mixes(const KernelAnalysis &K, const Expr *E, unsigned Deep = 0) {
  if (E->K != ExprKind::Binary || isComparison(E->O) || !E->Ty->isInteger() ||
      Deep > limits::MixDepth)
    return false;
  Variation V = K.varies(E);
  if (E->O == Op::Xor)
    return (V.Data || !V.uniform()) && !constantValue(E->Ops[0]) && !constantValue(E->Ops[1]);
  // (a ^ b) & 255 selects an element.
  if ((E->O == Op::And || E->O == Op::Shr || E->O == Op::Rem) && constantValue(E->Ops[1]))
    return false;
  return V.Data && any_of(E->Ops, [&](const Expr *X) { return mixes(K, origin(K, X), Deep + 1); });
}

/// True for a mask that changes nothing: byte & 0xff
static bool changesNothing(const KernelAnalysis &K, const Expr *E, const Stmt *At) {
  if (E->K != ExprKind::Binary || E->O != Op::And || !E->Ty->isScalar())
    return false;
  std::optional<int64_t> Mask = constantValue(E->Ops[1]);
  if (!Mask || *Mask < 0 || (*Mask & (*Mask + 1)))
    return false;
  Range R = K.range(E->Ops[0], At);
  return R.Lo >= 0 && R.Hi <= *Mask;
}

/// True for a counter: x[i]++
static bool isCounter(const Stmt *S) {
  const Expr *E = stripCasts(S->E);
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub) || !E->Ty->isInteger())
    return false;
  const Expr *Old = stripCasts(E->Ops[0]), *By = stripCasts(E->Ops[1]);
  return Old->K == ExprKind::Load && Old->Acc.Base == S->Acc.Base && By->K == ExprKind::IntConst &&
         By->Int == 1;
}

static void count(const KernelAnalysis &K, const Expr *E, Count &N);

/// True if the comparison and S form a maximum, if (a < b) a = b; or a selection of what is
/// compared, if (a < b) out = a; else out = b; or an exchange of the compared values.
static bool choosesBetween(const KernelAnalysis &K, const Expr *Comparison, const Stmt *S,
                           const StmtList &Otherwise) {
  if (Comparison->K != ExprKind::Binary || !isComparison(Comparison->O) || !S->E ||
      (S->K != StmtKind::Store && S->K != StmtKind::Assign))
    return false;
  auto IsTarget = [&](const Expr *X) {
    if (S->K == StmtKind::Assign)
      return X->K == ExprKind::VarRef && X->V == S->V;
    X = origin(K, X);
    return X->K == ExprKind::Load && equal(X->Acc, S->Acc);
  };
  const Expr *A = stripCasts(Comparison->Ops[0]), *B = stripCasts(Comparison->Ops[1]);
  auto IsValue = [&](const Expr *X, const Stmt *Of) {
    const Expr *Value = stripCasts(Of->E);
    return equal(X, Value) || equal(origin(K, X), origin(K, Value));
  };
  auto IsOtherwise = [&](const Expr *X) {
    bool Found = false;
    walk(Otherwise, [&](const Stmt *O) {
      Found |= O->K == S->K && O->E && O->V == S->V &&
               (O->K != StmtKind::Store || equal(O->Acc, S->Acc)) && IsValue(X, O);
      return !Found;
    });
    return Found;
  };
  for (bool Swap : {false, true})
    if (const Expr *Target = Swap ? B : A, *Other = Swap ? A : B;
        IsValue(Other, S) && (IsTarget(Target) || IsOtherwise(Target)))
      return true;
  return false;
}

/// True for a branch that selects a value: if (a > t) v = 1; else v = 0; or without the else.
static bool isSelection(const Stmt *If) {
  auto Only = [](const StmtList &B) {
    const Stmt *S = B.size() == 1 ? B[0] : nullptr;
    return S && S->E && (S->K == StmtKind::Assign || S->K == StmtKind::Store) ? S : nullptr;
  };
  const Stmt *Then = If->K == StmtKind::If ? Only(If->Body) : nullptr, *Else = Only(If->Else);
  if (!Then || (If->Else.empty() ? Then->K != StmtKind::Assign : !Else || Else->K != Then->K))
    return false;
  return !Else ||
         (Then->K == StmtKind::Store ? equal(Then->Acc, Else->Acc)
                                     : Then->V == Else->V && Then->LaneIdx == Else->LaneIdx);
}

/// Counts the comparison E of varying data, once.
static void compared(const KernelAnalysis &K, const Expr *E, Count &N) {
  if (E->K != ExprKind::Binary || !isComparison(E->O) || !hasVaryingData(K, E, N) ||
      !N.Chosen.insert(E).second)
    return;
  uint64_t Before = N.Scalar;
  size_t Known = N.Operations.size();
  uint64_t Integers = N.Integers;
  count(K, E, N);
  N.Integers = Integers; // a comparison does not make the computation narrow
  N.Compared += N.Scalar - Before;
  if (N.Operations.size() > Known)
    N.Operations.back().Compares = true;
}

/// True if a loop ends by a computed value, and not only by a counter: while (bits) { bits &= bits
/// - 1; .. }
static bool makesMoreThanSteps(const KernelAnalysis &K, const Expr *Condition) {
  bool Found = false;
  walk(Condition, [&](const Expr *E) {
    if (E->K == ExprKind::VarRef)
      Found |= any_of(K.defs(E->V), [&](const Stmt *S) {
        const Expr *To = S->K == StmtKind::Assign && S->E ? stripCasts(S->E) : nullptr;
        return To && To->K == ExprKind::Binary && !isComparison(To->O) && To->O != Op::Add &&
               To->O != Op::Sub;
      });
    return !Found;
  });
  return Found;
}

/// Counts the conditions under which S runs. The condition of a counted loop is no computation.
static void control(const KernelAnalysis &K, const Stmt *S, Count &N) {
  auto At = N.Around->find(S);
  if (At == N.Around->end())
    return;
  bool OuterDecides = std::exchange(N.Decides, true);
  bool OuterIndex = std::exchange(N.InIndex, false); // the guard of an address is no address
  bool OuterToFloat = std::exchange(N.ToFloat, false);
  const Stmt *Outer = N.At;
  for (const Stmt *Around : At->second) {
    if (auto Exits = N.Left->find(Around); Exits != N.Left->end())
      for (const Stmt *Branch : Exits->second) {
        N.At = Branch;
        collect(K, Branch->E, N);
        N.At = Outer;
      }
    if (!Around->E)
      continue; // only breaks end it
    bool Computes = Around->K != StmtKind::Loop;
    walk(Around->E, [&](const Expr *E) {
      Computes |= E->Ty->isFloat();
      return !Computes;
    });
    if (Computes || (Around->K == StmtKind::Loop && Around->E && makesMoreThanSteps(K, Around->E) &&
                     hasVaryingData(K, Around->E, N))) {
      if (Around->K == StmtKind::If)
        N.At = Around;
      N.InCondition = true;
      collect(K, Around->E, N);
      N.InCondition = false;
      N.At = Outer;
    }
    walk(Around->E, [&](const Expr *E) {
      const Stmt *Branch = std::exchange(N.At, Around->K == StmtKind::If ? Around : N.At);
      if (choosesBetween(K, E, S, Around->Else) && hasVaryingData(K, E, N) &&
          N.Chosen.insert(E).second)
        count(K, E, N);
      else if (isSelection(Around))
        compared(K, E, N);
      N.At = Branch;
      return true;
    });
  }
  N.Decides = OuterDecides;
  N.InIndex = OuterIndex;
  N.ToFloat = OuterToFloat;
}

/// The bits that the integer operation E needs, if its result is converted to floating point: a
/// narrower one would wrap. 0: as many as the data, because what is stored is cut off.
static unsigned wideBits(const KernelAnalysis &K, const Expr *E, const Count &N) {
  if (!N.ToFloat || !E->Ty->isInteger() || !E->Ty->isScalar())
    return 0;
  Range R = K.range(E, N.At);
  bool Fits = (R.Lo >= INT16_MIN && R.Hi <= INT16_MAX) || (R.Lo >= 0 && R.Hi <= UINT16_MAX);
  return Fits ? 0 : sizeInBits(E->Ty->Scalar);
}

/// Counts the operation E.
static void count(const KernelAnalysis &K, const Expr *E, Count &N) {
  if (N.Chained->contains(N.At))
    return;
  const Type *Vector = E->Ty->isVector() ? E->Ty : nullptr;
  for (const Expr *X : E->Ops)
    if (X->Ty->isVector() && (!Vector || sizeInBits(X->Ty->Scalar) > sizeInBits(Vector->Scalar)))
      Vector = X->Ty;
  bool Narrow = Vector && 2u * Vector->Lanes <= N.LanesOf(Vector);
  uint64_t Known = knownRounds(*N.Guessed, K, *N.Around, N.At),
           Times = std::min<double>(expectedExecutions(K, K.loopsOf(N.At)), limits::Iterations),
           Usual = N.IsRare(N.At) ? 0 : Times;
  if (Vector) {
    unsigned Operations = std::max(1u, Vector->Lanes / N.LanesOf(Vector));
    (Narrow ? N.Single : N.Vector) += (Narrow ? Usual : Times) * Operations;
    if (!Narrow)
      return;
    N.Narrow += Known * Operations;
  } else {
    unsigned Wide = wideBits(K, E, N);
    if (!N.Pays(E, Wide))
      return;
    N.Scalar += Known;
    N.Single += Usual;
    if (E->Ops.empty() || !E->Ops[0]->Ty->isFloat()) {
      N.Integers += Wide ? 0 : Known;
      N.Widest = std::max(N.Widest, Wide);
    } else {
      N.Widest = std::max(N.Widest, sizeInBits(E->Ops[0]->Ty->Scalar));
    }
  }
  if (E->Range.isValid())
    N.Operations.push_back({E, N.At, N.Decides, Times});
}

namespace {
/// The position of a statement in the kernel, and the loops around it.
using StatementOrder = std::map<const Stmt *, std::pair<unsigned, std::vector<const Stmt *>>>;
/// Order of locations: the kernel's own text first, then statement order, then source order.
using Rank = std::tuple<bool, unsigned, uint32_t>;
using Ranked = std::pair<Rank, const Expr *>;
} // namespace

static StatementOrder statementOrder(const Kernel &K) {
  StatementOrder Order;
  std::vector<const Stmt *> Loops;
  auto Visit = [&](const StmtList &B, auto &&Self) -> void {
    for (Stmt *S : B) {
      Order.emplace(S, std::make_pair(unsigned(Order.size()), Loops));
      if (S->K == StmtKind::Loop)
        Loops.push_back(S);
      forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Self); });
      if (S->K == StmtKind::Loop)
        Loops.pop_back();
    }
  };
  Visit(K.Body, Visit);
  return Order;
}

static unsigned positionOf(const StatementOrder &Order, const Stmt *S) {
  auto At = Order.find(S);
  return At == Order.end() ? ~0u : At->second.first;
}

/// Keeps the location of the lowest rank for each key.
template <typename Key> static void keepLowest(std::map<Key, Ranked> &Kept, Key Of, Ranked Mine) {
  auto [Known, New] = Kept.emplace(Of, Mine);
  if (!New && Mine.first < Known->second.first)
    Known->second = Mine;
}

/// The first substantial operation of each loop with nearly as many operations as the loop with the
/// most, in the kernel's own text if possible.
static std::vector<const Expr *> locationsInLoops(const Kernel &K, const Count &N,
                                                  const StatementOrder &Order) {
  auto InnermostLoop = [&](const Count::Operation &P) {
    auto At = Order.find(P.At);
    return At == Order.end() || At->second.second.empty() ? nullptr : At->second.second.back();
  };
  std::map<std::pair<const Stmt *, bool>, uint64_t>
      Weights; // by the loop, and whether it is part of a condition
  uint64_t Most = 0;
  for (const Count::Operation &P : N.Operations)
    Most = std::max(Most, Weights[{InnermostLoop(P), P.Decides}] += P.Times);
  auto IsHeavy = [&](const Count::Operation &P) {
    return limits::WeightShare * Weights[{InnermostLoop(P), P.Decides}] >= Most;
  };
  auto IsOutside = [&](const Expr *E) {
    SourceRange R = E->Range, Own = K.Range;
    return R.File != Own.File || R.Begin < Own.Begin || R.End > Own.End;
  };
  bool AllOutside = true;
  for (const Count::Operation &P : N.Operations)
    AllOutside &= !IsHeavy(P) || IsOutside(P.E);
  // In the loop, the first statement with a substantial part of its operations.
  std::map<const Stmt *, uint64_t> Sums;
  uint64_t Largest = 0;
  for (const Count::Operation &P : N.Operations)
    if (IsHeavy(P) && IsOutside(P.E) == AllOutside)
      Largest = std::max(Largest, Sums[P.At] += P.Times);
  std::map<const Stmt *, Ranked> First; // of each loop
  for (const Count::Operation &P : N.Operations)
    if (IsHeavy(P) && limits::StatementShare * Sums[P.At] >= Largest)
      keepLowest<const Stmt *>(
          First, InnermostLoop(P),
          {Rank(IsOutside(P.E), positionOf(Order, P.At), P.E->Range.Begin), P.E});
  std::vector<Ranked> Sorted;
  for (const auto &[Loop, Location] : First)
    if (IsOutside(Location.second) == AllOutside)
      Sorted.push_back(Location);
  llvm::sort(Sorted);
  std::vector<const Expr *> Result;
  for (const auto &[Mine, E] : Sorted)
    Result.push_back(E);
  return Result;
}

/// The first operations of the heaviest functions, the kernel included, without those in Reported.
static std::vector<const Expr *> locationsInFunctions(const Kernel &K, const Count &N,
                                                      const StatementOrder &Order,
                                                      const std::set<unsigned> &Reported) {
  std::map<unsigned, uint64_t> Weights;
  for (const Count::Operation &P : N.Operations)
    Weights[functionOf(K, P.E->Range)] += P.Times;
  uint64_t Most = 0;
  for (const auto &[Function, Weight] : Weights)
    Most = std::max(Most, Weight);
  std::map<unsigned, Ranked> First;
  for (const Count::Operation &P : N.Operations) {
    unsigned Function = functionOf(K, P.E->Range);
    if (!Reported.count(Function) && limits::WeightShare * Weights[Function] >= Most)
      keepLowest<unsigned>(First, Function,
                           {Rank(false, positionOf(Order, P.At), P.E->Range.Begin), P.E});
  }
  std::vector<std::tuple<uint64_t, Rank, const Expr *>> Heaviest;
  for (const auto &[Function, Location] : First)
    Heaviest.emplace_back(Weights[Function], Location.first, Location.second);
  llvm::sort(Heaviest, [](const auto &A, const auto &B) {
    return std::get<0>(A) != std::get<0>(B) ? std::get<0>(A) > std::get<0>(B)
                                            : std::get<1>(A) < std::get<1>(B);
  });
  std::vector<const Expr *> Result;
  for (size_t I = 0; I < std::min(limits::ReportedFunctions, Heaviest.size()); ++I)
    Result.push_back(std::get<2>(Heaviest[I]));
  return Result;
}

/// The locations to report: those in loops, then those in further functions.
static std::vector<const Expr *> reportedLocations(const Kernel &K, const Count &N) {
  StatementOrder Order = statementOrder(K);
  std::vector<const Expr *> Result = locationsInLoops(K, N, Order);
  std::set<unsigned> Reported; // functions
  for (const Expr *E : Result)
    Reported.insert(functionOf(K, E->Range));
  append_range(Result, locationsInFunctions(K, N, Order, Reported));
  return Result;
}

static void collect(const KernelAnalysis &K, const Expr *E, Count &N) {
  if (!N.Seen.insert(E).second)
    return;
  auto Assigned = [&](const Stmt *S) {
    const Stmt *Outer = std::exchange(N.At, S);
    bool OuterCondition = std::exchange(N.InCondition, false);
    if (S->K != StmtKind::Store || !isCounter(S))
      collect(K, S->E, N);
    control(K, S, N);
    N.At = Outer;
    N.InCondition = OuterCondition;
  };
  if (E->K == ExprKind::Load) {
    // Intermediate values may be in private or local arrays.
    const Var *Base = E->Acc.Base;
    if ((Base->space() == AddressSpace::Private || Base->space() == AddressSpace::Local) &&
        N.SeenVars.insert(Base).second)
      for (const AccessSite &A : K.accesses())
        if (A.A->Base == Base && A.IsWrite && A.S->K == StmtKind::Store)
          Assigned(A.S);
    // A table that is indexed by the result of the computation.
    if (!N.InIndex) {
      N.InIndex = true;
      for (const Expr *Index : E->Acc.Index)
        collect(K, Index, N);
      N.InIndex = false;
    }
    return;
  }
  if (E->K == ExprKind::ImageRead) // see collectCoordinates
    return;
  if (E->K == ExprKind::VarRef) {
    if (N.SeenVars.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        if (Def->E)
          Assigned(Def);
    return;
  }
  // Text that did not parse may contain vectors; v[i] is one.
  if (E->K == ExprKind::Opaque && (StringRef(E->Text).contains("did not parse") ||
                                   StringRef(E->Text).starts_with("vector component")))
    ++N.Vector;
  bool Arithmetic = isComputed(K, E) || N.Masks.count(E);
  if (Arithmetic && E->K == ExprKind::Binary && !isComparison(E->O))
    for (const Expr *X : E->Ops)
      if (const Expr *From = stripCasts(X); From->K == ExprKind::Binary && isComparison(From->O))
        N.Masks.insert(From);
  // Integers that are computed from ids only are addresses and counters. A minimum or maximum
  // counts: a < b ? b : a
  if (E->K == ExprKind::Select &&
      pattern::asMinMax(E, [&](const Expr *X) { return K.range(X, N.At); }) &&
      N.Chosen.insert(stripCasts(E->Ops[0])).second && hasVaryingData(K, E, N))
    count(K, stripCasts(E->Ops[0]), N);
  // A selection counts, a > t ? 255 : 0, as does a < b where it is stored or added.
  if (!Arithmetic && !N.Decides && (!N.InIndex || (N.At && N.At->K == StmtKind::Assign)))
    compared(K, E, N);
  Variation V = Arithmetic ? K.varies(E) : Variation();
  // Integers from a size in memory are addresses, too, in conditions. Values with mixed bits count
  // even as an index of a table, as in the rounds of a cipher.
  bool Mixed = Arithmetic && mixes(K, E);
  bool Stored = N.OfIds && !N.InIndex && !N.Decides && !V.uniform();
  bool Data = E->Ty->isInteger() ? (N.InIndex ? V.Data && Mixed : V.Data || Mixed || Stored) &&
                                       (!N.InCondition || hasVaryingData(K, E, N))
                                 : V.Data || !V.uniform();
  if (Arithmetic && E->Ty->isValue() && Data && !changesNothing(K, E, N.At)) {
    uint64_t Before = N.Scalar;
    count(K, E, N);
    Range R = Mixed ? K.range(E, N.At) : Range();
    if (Mixed && (R.Lo < INT16_MIN || R.Hi > UINT16_MAX)) {
      N.Mixed += N.Scalar - Before;
      N.MixedBits = std::max(N.MixedBits, sizeInBits(E->Ty->Scalar));
    }
  }
  bool Converts = E->K == ExprKind::Cast && E->Ty->isFloat() && E->Ops[0]->Ty->isInteger();
  bool OuterToFloat = std::exchange(N.ToFloat, N.ToFloat || Converts);
  forEachOperand(*E, [&](const Expr *X) { collect(K, X, N); });
  N.ToFloat = OuterToFloat;
}

namespace {
/// The accesses of global memory: widths and patterns.
struct Memory {
  std::vector<ContiguousBuffer> Buffers;
  unsigned Bits = 0;
  bool Regular = true; ///< no gathers and no vector accesses
};
} // namespace

/// Gathers leave little to vectorize; a kernel with vector loads is vectorized already.
static Memory memory(Context &C) {
  const KernelAnalysis &K = C.analysis();
  Memory M;
  for (const AccessSite &A : K.accesses())
    if (A.A->Base->space() == AddressSpace::Global) {
      M.Regular &= isRegular(K, A) && A.A->Lanes == 1;
      M.Bits = std::max(M.Bits, sizeInBits(A.A->Elem));
    }
  M.Buffers = contiguousScalars(C, {8, 16, 32, 64});
  if (!M.Buffers.empty())
    M.Bits = 8;
  for (const ContiguousBuffer &B : M.Buffers)
    M.Bits = std::max(M.Bits, sizeInBits(B.First->A->Elem));
  if (!M.Bits)
    M.Bits = 32; // the channels of an image are computed in 32 bits
  return M;
}

static Count emptyCount(Context &C, unsigned Bits) {
  Count N;
  // Integer operations may be as narrow as the data; operations in float are as wide as float.
  N.Pays = [&C, Bits](const Expr *E, unsigned Wide) {
    const Type *T = E->K == ExprKind::Binary && isComparison(E->O)
                        ? E->Ops[0]->Ty
                        : E->Ty; // the width of the operands, not of the result
    if (Wide)
      return C.device().arithmeticLanes(std::max(Bits, Wide)) > 1;
    return T->isInteger() || C.device().arithmeticLanes(std::max(Bits, sizeInBits(T->Scalar))) > 1;
  };
  N.LanesOf = [&C](const Type *T) { return C.device().arithmeticLanes(sizeInBits(T->Scalar)); };
  N.IsRare = [&C](const Stmt *S) { return isRare(C, S); };
  N.Alone = !usesIds(C.analysis());
  N.Guessed = &guessed(C);
  N.Around = &conditions(C);
  N.Left = &leaves(C);
  N.Chained = &C.cached<Chains>();
  return N;
}

/// Collects the values and indices of stores to global memory, and their conditions.
static void collectStores(const KernelAnalysis &K, Count &N) {
  for (const AccessSite &A : K.accesses())
    if (A.IsWrite && (A.S->K == StmtKind::Store || A.S->K == StmtKind::Atomic) &&
        A.A->Base->space() == AddressSpace::Global) {
      N.At = A.S;
      if (A.S->K == StmtKind::Atomic)
        for (const Expr *X : A.S->Args)
          collect(K, X, N);
      else if (!isCounter(A.S))
        collect(K, A.S->E, N);
      N.InIndex = true;
      for (const Expr *Index : A.A->Index)
        collect(K, Index, N);
      N.InIndex = false;
      control(K, A.S, N);
    }
}

/// Calls F for each statement that is a call which the model does not represent.
static void forEachOpaque(const KernelAnalysis &K, function_ref<void(const Stmt *)> F) {
  walk(K.kernel().Body, [&](Stmt *S) {
    if (S->K == StmtKind::Opaque && (S->E || !S->Args.empty()))
      F(S);
    return true;
  });
}

/// Collects the values of image writes, whose channels may be computed one by one.
static void collectPixels(const KernelAnalysis &K, Count &N) {
  for (const Stmt *S : stmts(K.kernel().Body))
    if (S->K == StmtKind::ImageWrite) {
      N.At = S;
      collect(K, S->E, N);
      control(K, S, N);
    }
}

/// Collects arguments of functions that are defined elsewhere, and values of unknown stores.
static void collectArguments(const KernelAnalysis &K, Count &N) {
  forEachOpaque(K, [&](const Stmt *S) {
    if (!S->E && (!S->Name.empty() || !StringRef(S->Text).starts_with("call of ")))
      return;
    N.At = S;
    if (S->E)
      collect(K, S->E, N);
    for (const Expr *X : S->Args)
      collect(K, X, N);
    control(K, S, N);
  });
}

/// Collects the coordinates of image reads.
static void collectCoordinates(const KernelAnalysis &K, Count &N) {
  for (ExprAt X : exprs(K.kernel().Body))
    if (X->K == ExprKind::ImageRead) {
      N.At = X.S;
      collect(K, X->Ops.back(), N);
    }
}

/// Counts the operations of a work-item. CoordinatesOnly is set if the kernel computes nothing but
/// the coordinates of pixels that it reads.
static Count countOperations(Context &C, unsigned Bits, bool &CoordinatesOnly) {
  const KernelAnalysis &K = C.analysis();
  Count N = emptyCount(C, Bits);
  collectStores(K, N);
  collectPixels(K, N);
  collectArguments(K, N);
  CoordinatesOnly = N.Operations.empty();
  if (!CoordinatesOnly)
    return N;
  // No operation on data: a long computation on ids is what the kernel is for, such as a generator
  // of random numbers or a benchmark.
  Count Ids = emptyCount(C, Bits);
  Ids.OfIds = true;
  collectStores(K, Ids);
  if (int64_t(Ids.Scalar + Ids.Narrow) >= C.option("MinIdOperations")) {
    CoordinatesOnly = false;
    return Ids;
  }
  // Otherwise it transforms the coordinates of an image.
  collectCoordinates(K, N);
  return N;
}

/// True if the result of P may exceed 8 bits, but not 16.
static bool needs16Bits(const KernelAnalysis &K, const Count::Operation &P) {
  bool Grows = P.E->K == ExprKind::Binary &&
               (P.E->O == Op::Add || P.E->O == Op::Sub || P.E->O == Op::Mul || P.E->O == Op::Shl);
  Range R = Grows && P.E->Ty->isInteger() && P.E->Ty->isScalar() ? K.range(P.E, P.At) : Range{0, 0};
  return (R.Lo < INT8_MIN || R.Hi > (R.Lo < 0 ? INT8_MAX : UINT8_MAX)) && R.Lo >= INT16_MIN &&
         R.Hi <= (R.Lo < 0 ? INT16_MAX : UINT16_MAX);
}

/// True if the kernel has another form with vectors, which the host can select.
static bool hasOtherForm(Context &C) {
  return any_of(C.analysis().accesses(), [&](const AccessSite &A) {
    return A.A->Base->space() == AddressSpace::Global && A.A->Lanes == 1 &&
           hasVectorForm(C, *A.A->Base);
  });
}

/// Reports the further locations of the work: callers of other files, other loops and functions.
static void reportOthers(Context &C, const Count &N, ArrayRef<const Expr *> Others, unsigned Bits,
                         const std::string &Kind) {
  const Kernel &K = C.analysis().kernel();
  // All of it is in functions of another file: report at the kernel's name, too.
  if (all_of(N.Operations,
             [&](const Count::Operation &P) { return P.E->Range.File != K.Range.File; }))
    C.report(K.NameRange, "what it calls computes on " + Kind).atMost(rules::Severity::Info);
  for (const Expr *Other : Others) {
    // Another function may compute in float what is then stored as bytes.
    bool IsFloat = !Other->Ops.empty() && Other->Ops[0]->Ty->isFloat();
    unsigned Own = IsFloat ? std::max(Bits, sizeInBits(Other->Ops[0]->Ty->Scalar)) : Bits;
    C.report(Other->Range, "the work here, too, is done on " +
                               (Own == Bits ? Kind : "single " + utostr(Own) + "-bit values"))
        .atMost(rules::Severity::Info);
  }
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  auto [Buffers, Bits, Regular] = memory(C);
  unsigned Lanes = C.device().arithmeticLanes(Bits);
  if (Lanes < 2)
    return;
  bool CoordinatesOnly = false;
  Count N = countOperations(C, Bits, CoordinatesOnly);
  const uint64_t All = N.Scalar + N.Narrow;
  // A kernel that computes mostly on vectors is vectorized; a pixel made of the result does not
  // change that.
  const bool SomeVectors = N.Single < uint64_t(C.option("WarnScalarRatio")) * N.Vector;
  if (CoordinatesOnly && (int64_t(All) < C.option("MinCoordinateOperations") || SomeVectors))
    return;
  if (N.Single < uint64_t(C.option("MinScalarRatio")) * N.Vector ||
      int64_t(All) < C.option("MinOperations") || N.Operations.empty())
    return;
  // A hash of bytes needs all bits of its words.
  if (N.MixedBits > Bits && limits::MixShare * N.Mixed >= N.Scalar) {
    Bits = N.MixedBits;
    Lanes = C.device().arithmeticLanes(Bits);
    if (Lanes < 2)
      return;
  }
  if (N.Scalar > N.Compared)
    erase_if(N.Operations, [](const Count::Operation &P) { return P.Compares; });
  if (N.Operations.empty())
    return; // the operations have no location in the source
  // Where most of it is computed in float, the width is that of float.
  if (N.Widest > Bits && 2 * N.Integers < N.Scalar) {
    Bits = N.Widest;
    Lanes = C.device().arithmeticLanes(Bits);
  }
  // Products and sums of bytes need more bits than the bytes in memory.
  if (Bits == 8 &&
      any_of(N.Operations, [&](const Count::Operation &P) { return needs16Bits(K, P); })) {
    Bits = 16;
    Lanes = C.device().arithmeticLanes(Bits);
  }
  std::string Kind =
      N.Scalar ? "single " + utostr(Bits) + "-bit values" + (N.Narrow ? " and short vectors" : "")
               : "short vectors";
  std::vector<const Expr *> Locations = reportedLocations(K.kernel(), N);
  reportOthers(C, N, ArrayRef(Locations).drop_front(), Bits, Kind);
  Finding &F = C.report(
      Locations.front()->Range,
      utostr(All) + (All == 1 ? " operation computes on " : " operations compute on ") + Kind);
  F.cost(N.Scalar ? "one operation takes " + utostr(Lanes) + " of them"
                  : "one operation takes " + utostr(Lanes * Bits) + " bits");
  if (pattern::mayBecomeLanes(K, C.cached<pattern::LockstepItems>()))
    F.fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
  if (hasOtherForm(C) || N.Scalar == N.Compared || CoordinatesOnly ||
      (Buffers.empty() && !Regular) || SomeVectors ||
      all_of(N.Operations, [&](const Count::Operation &P) { return isRare(C, P.At); }))
    F.atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("scalar-arithmetic", run);
