//===- scalar-arithmetic.cpp ------------------------------------------------------------------===//
//
// Before: out[i] = (3 * a[i] + 5 * b[i] + 4) >> 3;       one value for each operation
// After:  the same on 16 lanes                           (clmali-rewrite, vectorize)
// Limits: only operations between loads and stores of global memory or image writes. A kernel in
//         which arithmetic on whole vectors exceeds 1 / MinScalarRatio of its operations counts as
//         vectorized; above 1 / WarnScalarRatio the finding is information.
//
// The operations are those of the cost model (Lowering.h): equal ones, constant ones and those that
// nothing uses do not count.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/TripCount.h"
#include "checks/model/pattern/LockstepItems.h"
#include "checks/query/Contiguity.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "checks/query/flow/ValueFlow.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

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

namespace {
/// An operation on data that does not fill the lanes of the arithmetic unit.
struct Idle {
  const Expr *E;
  const Stmt *At;
  bool Compares;  ///< a comparison only
  bool IsScalar;  ///< one value, and not a short vector
  bool IsFloat;   ///< or computed for a conversion to it: as wide as its type
  unsigned Bits;  ///< of its type
  unsigned Mixed; ///< bits of a type all of which it needs; 0: no such operation
  uint64_t Known; ///< executions, those in loops of unknown length once
  uint64_t Times; ///< expected executions
};

/// The operations of a work-item, counted for one purpose.
class Work {
public:
  Work(Context &C, const ValueFlow &F, unsigned Bits) : C(C), K(C.analysis()), F(F), Bits(Bits) {}
  /// Those with a use in \p Wanted; \p OfIds: stored integers that are computed from ids, too.
  void collect(uint8_t Wanted, bool OfIds);
  uint64_t sum(function_ref<bool(const Idle &)> Which) const;
  uint64_t all() const {
    return sum([](const Idle &) { return true; });
  }
  bool isVectorized(uint64_t Ratio) const { return Single < Ratio * Vector; }

  std::vector<Idle> Operations;

private:
  void add(const Operation &O, unsigned N);
  bool isOnData(const Operation &O, unsigned N, uint8_t Use, bool OfIds) const;
  bool isChosen(const Operation &O) const;

  Context &C;
  const KernelAnalysis &K;
  const ValueFlow &F;
  unsigned Bits; ///< of the elements in memory
  /// Expected executions of these operations outside of rare code, and of those on whole vectors.
  uint64_t Single = 0, Vector = 0;
  std::set<const Expr *> Seen;
};
} // namespace

uint64_t Work::sum(function_ref<bool(const Idle &)> Which) const {
  uint64_t Sum = 0;
  for (const Idle &X : Operations)
    Sum += Which(X) ? X.Known : 0;
  return Sum;
}

/// True for operators and built-in functions; lanes, conversions and addresses are no arithmetic.
static bool isArithmetic(const Operation &O) {
  if (!O.E || !O.E->Range.isValid() || isUnknownValue(O.E) ||
      (O.E->K != ExprKind::Binary && O.E->K != ExprKind::Unary && O.E->K != ExprKind::Call) ||
      (O.E->K == ExprKind::Binary && (O.E->O == Op::LogicalAnd || O.E->O == Op::LogicalOr)))
    return false;
  return (O.Class >= OpClass::Add && O.Class <= OpClass::Average) ||
         (O.Class >= OpClass::Divide && O.Class <= OpClass::Function);
}

/// True if the comparison chooses what a branch sets.
bool Work::isChosen(const Operation &O) const {
  const Stmt *If = O.At;
  if (!If || If->K != StmtKind::If)
    return false;
  return isSelection(If) || any_of(stmts(If->Body), [&](const Stmt *S) {
           return choosesBetween(K, O.E, S, If->Else);
         });
}

/// v = v + step: the counter of a loop is no computation, whatever data it begins with.
static bool isStep(const Operation &O) {
  return O.Class == OpClass::Add && O.At->K == StmtKind::Assign && stripCasts(O.At->E) == O.E &&
         any_of(exprs(O.E), [&](ExprAt X) { return X->K == ExprKind::VarRef && X->V == O.At->V; });
}

/// True if O computes on data. Integers in addresses, and in the guards of addresses, do so only if
/// they mix bits, as in the rounds of a cipher; a comparison only if its result is a value, or
/// chooses one.
bool Work::isOnData(const Operation &O, unsigned N, uint8_t Use, bool OfIds) const {
  if (O.Class == OpClass::Compare)
    return F.OwnData[N] && ((Use & (Value | Coordinate)) ||
                            ((Use & Index) && O.At->K == StmtKind::Assign) || isChosen(O));
  if (!O.E->Ty->isInteger())
    return F.Data[N] || F.Varies[N];
  if (Use & Value)
    return F.Data[N] || F.Mixes[N] || (OfIds && F.Varies[N]);
  if (Use & Index)
    return F.Data[N] && F.Mixes[N];
  return F.Mixes[N] || (F.OwnData[N] && !isStep(O));
}

void Work::add(const Operation &O, unsigned N) {
  // The width of the operands, not of the result of a comparison.
  const Type *T = O.E->Ty;
  for (const Expr *X : O.E->Ops)
    if (O.Class == OpClass::Compare || X->Ty->Lanes > T->Lanes)
      T = X->Ty;
  unsigned OfType = sizeInBits(T->Scalar), Lanes = C.device().arithmeticLanes(OfType);
  uint64_t Known = knownRounds(guessed(C), K, conditions(C), O.At);
  uint64_t Times = std::min<double>(expectedExecutions(K, K.loopsOf(O.At)), limits::Iterations);
  uint64_t Packets = T->Lanes > 1 ? std::max(1u, T->Lanes / Lanes) : 1;
  if (O.Class == OpClass::MultiplyAdd && O.E->K == ExprKind::Binary)
    Packets *= 2; // a product and a sum of the source
  if (T->Lanes > 1 && 2u * T->Lanes > Lanes) {
    Vector += Times * Packets;
    return;
  }
  Range R = K.range(O.E, O.At);
  bool Fits16 = (R.Lo >= INT16_MIN && R.Hi <= INT16_MAX) || (R.Lo >= 0 && R.Hi <= UINT16_MAX);
  bool IsFloat = T->isFloat() || ((F.Uses[N] & Converted) && O.E->Ty->isInteger() && !Fits16);
  if (T->Lanes == 1 && IsFloat && C.device().arithmeticLanes(std::max(Bits, OfType)) < 2)
    return;
  Single += isRare(C, O.At) ? 0 : Times * Packets;
  Operations.push_back({O.E, O.At, O.Class == OpClass::Compare, T->Lanes == 1, IsFloat, OfType,
                        F.Mixes[N] && !(R.Lo >= INT16_MIN && R.Hi <= UINT16_MAX) ? OfType : 0,
                        Known * Packets, Times * Packets});
}

void Work::collect(uint8_t Wanted, bool OfIds) {
  Chains &Serial = C.cached<Chains>();
  for (auto [N, O] : enumerate(F.P.Ops)) {
    // Text that did not parse may contain vectors; v[i] is one.
    if (O.E && O.E->K == ExprKind::Opaque &&
        (StringRef(O.E->Text).contains("did not parse") ||
         StringRef(O.E->Text).starts_with("vector component")))
      Vector += Seen.insert(O.E).second;
    uint8_t Use = F.Uses[N] & Wanted;
    if (Use && isArithmetic(O) && isOnData(O, N, Use, OfIds) && !changesNothing(K, O.E, O.At) &&
        !Serial.contains(O.At) && Seen.insert(O.E).second)
      add(O, N);
  }
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

/// True if the kernel has another form with vectors, which the host can select.
static bool hasOtherForm(Context &C) {
  return any_of(C.analysis().accesses(), [&](const AccessSite &A) {
    return A.A->Base->space() == AddressSpace::Global && A.A->Lanes == 1 &&
           hasVectorForm(C, *A.A->Base);
  });
}

namespace {
/// The order in which locations are reported: the kernel's own text first, then that of statements.
using Rank = std::tuple<bool, unsigned, uint32_t>;
using Location = std::tuple<Rank, uint64_t, const Idle *>; ///< with the weight of its key
} // namespace

/// For each key (a loop, a function) with nearly as much work as the one with the most: the first
/// operation of a substantial statement, in the kernel's own text if there is one. Sorted.
template <typename Key>
static std::vector<Location> heaviest(ArrayRef<Idle> Operations,
                                      function_ref<Key(const Idle &)> KeyOf,
                                      function_ref<Rank(const Idle &)> RankOf) {
  std::map<Key, uint64_t> Weights;
  std::map<std::pair<Key, bool>, uint64_t> Largest; // statement, in other text or not
  std::map<std::tuple<Key, bool, const Stmt *>, uint64_t> OfStatement;
  uint64_t Most = 0;
  for (const Idle &X : Operations) {
    Key Of = KeyOf(X);
    bool Outside = std::get<0>(RankOf(X));
    Most = std::max(Most, Weights[Of] += X.Times);
    uint64_t &Known = Largest[{Of, Outside}];
    Known = std::max(Known, OfStatement[{Of, Outside, X.At}] += X.Times);
  }
  std::map<Key, Location> First;
  for (const Idle &X : Operations) {
    Key Of = KeyOf(X);
    Rank Mine = RankOf(X);
    bool Outside = std::get<0>(Mine);
    if (limits::WeightShare * Weights[Of] < Most ||
        limits::StatementShare * OfStatement[{Of, Outside, X.At}] < Largest[{Of, Outside}])
      continue;
    Location Here(Mine, Weights[Of], &X);
    auto [Known, New] = First.emplace(Of, Here);
    if (!New)
      Known->second = std::min(Known->second, Here);
  }
  std::vector<Location> Sorted;
  for (const auto &[Of, Here] : First)
    Sorted.push_back(Here);
  llvm::sort(Sorted);
  return Sorted;
}

/// The locations to report: those in the innermost loops, then those in further functions.
static std::vector<const Expr *> locations(const KernelAnalysis &A, ArrayRef<Idle> Operations) {
  const Kernel &K = A.kernel();
  std::map<const Stmt *, unsigned> Order;
  for (const Stmt *S : stmts(K.Body))
    Order.emplace(S, Order.size());
  auto RankOf = [&](const Idle &X) {
    SourceRange R = X.E->Range;
    bool Outside = R.File != K.Range.File || R.Begin < K.Range.Begin || R.End > K.Range.End;
    return Rank(Outside, Order[X.At], R.Begin);
  };
  auto LoopOf = [&](const Idle &X) {
    std::vector<const Stmt *> Loops = A.loopsOf(X.At);
    return Loops.empty() ? nullptr : Loops.back();
  };
  auto FunctionOf = [&](const Idle &X) { return functionOf(K, X.E->Range); };
  std::vector<Location> Loops = heaviest<const Stmt *>(Operations, LoopOf, RankOf);
  bool AllOutside = std::get<0>(std::get<0>(Loops.front()));
  std::vector<const Expr *> Result;
  std::set<unsigned> Reported; // functions
  for (const auto &[Mine, Weight, X] : Loops)
    if (std::get<0>(Mine) == AllOutside) {
      Result.push_back(X->E);
      Reported.insert(FunctionOf(*X));
    }
  std::vector<Location> Functions = heaviest<unsigned>(Operations, FunctionOf, RankOf);
  erase_if(Functions,
           [&](const Location &L) { return Reported.count(FunctionOf(*std::get<2>(L))); });
  llvm::stable_sort(Functions, [](const Location &X, const Location &Y) {
    return std::get<1>(X) > std::get<1>(Y);
  });
  for (const Location &L : ArrayRef(Functions).take_front(limits::ReportedFunctions))
    Result.push_back(std::get<2>(L)->E);
  return Result;
}

/// Reports the further locations of the work: callers of other files, other loops and functions.
static void reportOthers(Context &C, const Work &N, ArrayRef<const Expr *> Others, unsigned Bits,
                         const std::string &Kind) {
  const Kernel &K = C.analysis().kernel();
  // All of it is in functions of another file: report at the kernel's name, too.
  if (all_of(N.Operations, [&](const Idle &X) { return X.E->Range.File != K.Range.File; }))
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

/// True if the result may exceed 8 bits, but not 16.
static bool needs16Bits(const KernelAnalysis &K, const Idle &X) {
  bool Grows = X.E->K == ExprKind::Binary &&
               (X.E->O == Op::Add || X.E->O == Op::Sub || X.E->O == Op::Mul || X.E->O == Op::Shl);
  Range R = Grows && X.E->Ty->isInteger() && X.E->Ty->isScalar() ? K.range(X.E, X.At) : Range{0, 0};
  return (R.Lo < INT8_MIN || R.Hi > (R.Lo < 0 ? INT8_MAX : UINT8_MAX)) && R.Lo >= INT16_MIN &&
         R.Hi <= (R.Lo < 0 ? INT16_MAX : UINT16_MAX);
}

/// The bits of an element that most of the operations need: Bits, as the elements in memory, or
/// more.
static unsigned neededBits(const KernelAnalysis &K, const Work &N, unsigned Bits) {
  unsigned Mixed = 0, Widest = 0;
  for (const Idle &X : N.Operations) {
    Mixed = std::max(Mixed, X.Mixed);
    Widest = std::max(Widest, X.IsScalar && X.IsFloat ? X.Bits : 0);
  }
  uint64_t Scalar = N.sum([](const Idle &X) { return X.IsScalar; });
  // A hash of bytes needs all bits of its words.
  if (Mixed > Bits && limits::MixShare * N.sum([](const Idle &X) { return X.Mixed > 0; }) >= Scalar)
    Bits = Mixed;
  // Where most of it is computed in float, the width is that of float. A comparison does not make
  // the computation narrow.
  if (Widest > Bits &&
      2 * N.sum([](const Idle &X) { return X.IsScalar && !X.IsFloat && !X.Compares; }) < Scalar)
    Bits = Widest;
  // Products and sums of bytes need more bits than the bytes in memory.
  bool Grows = any_of(N.Operations, [&](const Idle &X) { return needs16Bits(K, X); });
  return Bits == 8 && Grows ? 16 : Bits;
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  auto [Buffers, Bits, Regular] = memory(C);
  if (C.device().arithmeticLanes(Bits) < 2)
    return;
  const ValueFlow F(K, C.device());
  Work N(C, F, Bits);
  N.collect(Value | Decision | Index, /*OfIds=*/false);
  bool CoordinatesOnly = false;
  if (N.Operations.empty()) {
    // A long computation on ids is what the kernel is for, such as a generator of random numbers or
    // a benchmark. Otherwise it transforms the coordinates of an image.
    Work Ids(C, F, Bits);
    Ids.collect(Value, /*OfIds=*/true);
    CoordinatesOnly = int64_t(Ids.all()) < C.option("MinIdOperations");
    if (CoordinatesOnly)
      N.collect(Coordinate, /*OfIds=*/false);
    else
      std::swap(N.Operations, Ids.Operations);
  }
  const uint64_t All = N.all();
  // A kernel that computes mostly on vectors is vectorized; a pixel made of the result does not
  // change that.
  const bool SomeVectors = N.isVectorized(C.option("WarnScalarRatio"));
  if ((CoordinatesOnly && (int64_t(All) < C.option("MinCoordinateOperations") || SomeVectors)) ||
      N.isVectorized(C.option("MinScalarRatio")) || int64_t(All) < C.option("MinOperations") ||
      N.Operations.empty())
    return;
  Bits = neededBits(K, N, Bits);
  const unsigned Lanes = C.device().arithmeticLanes(Bits);
  if (Lanes < 2)
    return;
  const bool AnyScalar = any_of(N.Operations, [](const Idle &X) { return X.IsScalar; });
  const bool OnlyCompares =
      all_of(N.Operations, [](const Idle &X) { return X.Compares || !X.IsScalar; });
  const bool AllRare = all_of(N.Operations, [&](const Idle &X) { return isRare(C, X.At); });
  std::string Kind = AnyScalar ? "single " + utostr(Bits) + "-bit values" : "short vectors";
  if (AnyScalar && any_of(N.Operations, [](const Idle &X) { return !X.IsScalar; }))
    Kind += " and short vectors";
  // Comparisons are no location if there is more.
  std::vector<Idle> Shown = N.Operations;
  if (!OnlyCompares)
    erase_if(Shown, [](const Idle &X) { return X.Compares; });
  std::vector<const Expr *> Locations = locations(K, Shown);
  reportOthers(C, N, ArrayRef(Locations).drop_front(), Bits, Kind);
  Finding &Found = C.report(
      Locations.front()->Range,
      utostr(All) + (All == 1 ? " operation computes on " : " operations compute on ") + Kind);
  Found.cost(AnyScalar ? "one operation takes " + utostr(Lanes) + " of them"
                       : "one operation takes " + utostr(Lanes * Bits) + " bits");
  if (pattern::mayBecomeLanes(K, C.cached<pattern::LockstepItems>()))
    Found.fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
  if (hasOtherForm(C) || OnlyCompares || CoordinatesOnly || (Buffers.empty() && !Regular) ||
      SomeVectors || AllRare)
    Found.atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("scalar-arithmetic", run);
