//===- strided-local-access.cpp
//-------------------------------------------------------------------===//
//
// Before: part[lid * 16]     16 work-items, one bank: 16 cycles
// After:  part[lid]          16 work-items, 4 banks:   1 cycle
//
// The banks are those of checks/model/cost/Banks.h.
// Limits: strides that are constants, or that a loop doubles from 1, and quotients and remainders
// of the local id. Which work-items access memory in one cycle follows from reqd_work_group_size;
// without it, dimension 0 is taken to fill the lanes.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/Banks.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// If P is a constant times a variable that a loop doubles from 1 (2 * offset), the constant.
static std::optional<int64_t> doubledFromOne(const KernelAnalysis &K, const Poly &P) {
  if (P.Terms.size() != 1 || P.isConstant())
    return std::nullopt;
  const auto &[M, Factor] = *P.Terms.begin();
  // Uniform, and not an argument, which may be any number.
  const Expr *E = M.size() == 1 ? K.symbol(M.front()).E : nullptr;
  if (!E || E->K != ExprKind::VarRef || E->V->K == Var::Param || K.symbol(M.front()).Varies.Data)
    return std::nullopt;
  bool Doubles = false, StartsAtOne = false;
  for (const Stmt *Def : K.defs(E->V)) {
    const Expr *By = Def->E ? stripCasts(Def->E) : nullptr;
    if (!By)
      continue;
    bool Up = By->K == ExprKind::Binary && (By->O == Op::Mul || By->O == Op::Shl);
    // A second loop may halve it again.
    bool Down = By->K == ExprKind::Binary && (By->O == Op::Div || By->O == Op::Shr);
    bool Shifts = (Up || Down) && stripCasts(By->Ops[0])->K == ExprKind::VarRef &&
                  stripCasts(By->Ops[0])->V == E->V;
    std::optional<int64_t> Times = Shifts ? constantValue(stripCasts(By->Ops[1])) : std::nullopt;
    if (Times && (By->O == Op::Mul || By->O == Op::Div ? *Times == 2 : *Times == 1))
      Doubles |= Up;
    else if (constantValue(By) == 1)
      StartsAtOne = true;
    else
      return std::nullopt;
  }
  return Doubles && StartsAtOne ? std::optional(Factor) : std::nullopt;
}

/// The smallest value of a stride that a loop doubles.
static std::optional<int64_t> leastStride(const KernelAnalysis &K, const Access &A, unsigned Dim) {
  std::optional<Poly> Stride = K.stride(A, Dim);
  return Stride ? doubledFromOne(K, *Stride) : std::nullopt;
}

/// if (lid % (2 * s) == 0) part[lid] += part[lid + s]; with an s that a loop doubles from 1: the
/// work-items that execute the access are 2 * s apart. Returns the factor of s; nullopt: there is
/// no such guard.
static std::optional<int64_t> distanceByGuard(const KernelAnalysis &K, const AccessSite &Site) {
  for (const Guard &G : Site.Guards) {
    const Expr *E = stripCasts(G.Cond), *Rest = nullptr;
    bool IsZero = G.Holds;
    while (E->K == ExprKind::Unary && E->O == Op::LogicalNot) {
      IsZero = !IsZero;
      E = stripCasts(E->Ops[0]);
    }
    if (E->K == ExprKind::Binary && (E->O == Op::EQ || E->O == Op::NE) &&
        constantValue(stripCasts(E->Ops[1])) == 0) {
      IsZero = (E->O == Op::EQ) == IsZero;
      Rest = stripCasts(E->Ops[0]);
    } else {
      IsZero = !IsZero;
      Rest = E;
    }
    if (!IsZero || Rest->K != ExprKind::Binary || (Rest->O != Op::Rem && Rest->O != Op::And))
      continue;
    const Expr *Id = origin(K, Rest->Ops[0]);
    if (Id->K != ExprKind::WorkItem || Id->Query != WorkItemQuery::LocalId || Id->Dim != 0)
      continue;
    // x & (2 * s - 1)
    Poly By = K.poly(Rest->Ops[1], Site.S) + Poly::constant(Rest->O == Op::And ? 1 : 0);
    if (std::optional<int64_t> Factor = doubledFromOne(K, By))
      return Factor;
  }
  return std::nullopt;
}

/// The finding rests on the stride. Guards, and the part of the address that all lanes share, do
/// not matter.
static void addEvidence(Finding &F, const KernelAnalysis &K, const Access &A, unsigned Dims) {
  for (auto [Index, Bytes] : zip(A.Index, A.Stride)) {
    if (!(K.varies(Index).Item & ((1u << Dims) - 1)))
      continue;
    F.restsOn(Index);
    if (Bytes != widthInBytes(A))
      F.restsOn(*A.Base);
  }
}

/// True if A is one component of a vector in memory: tile[i].x
static bool isLaneOfVector(const Access &A) {
  const Type *T = A.Base->Ty;
  while (T->K == Type::Array || T->K == Type::Pointer)
    T = T->Elem;
  return T->isVector() && A.Lanes == 1 && !A.Path.empty();
}

namespace {
/// Bytes between work-items that are neighbours in dimension 0 and 1.
struct Strides {
  std::array<int64_t, 2> Bytes{};
  bool Grows = false; ///< a loop doubles them, and these are the first ones
};
} // namespace

/// The distance between neighbouring lanes of an address with quotients or remainders of the local
/// id; nullopt: not known, or not the same for all lanes.
static std::optional<int64_t> dividedStride(const KernelAnalysis &K, const Poly &Bytes,
                                            unsigned Lanes) {
  std::vector<int64_t> Offsets;
  for (unsigned L = 0; L < Lanes; ++L) {
    std::optional<int64_t> At = valueInLane(K, Bytes, {L, 0}, /*Rows=*/false);
    if (!At || (L > 1 && *At - Offsets[L - 1] != Offsets[1] - Offsets[0]))
      return std::nullopt;
    Offsets.push_back(*At);
  }
  return Lanes > 1 ? std::optional(Offsets[1] - Offsets[0]) : std::nullopt;
}

static std::optional<Strides> stridesOf(const KernelAnalysis &K, const AccessSite &Site,
                                        unsigned Lanes, bool Rows) {
  Strides Result;
  for (unsigned Dim = 0; Dim < (Rows ? 2u : 1u); ++Dim) {
    std::optional<int64_t> Stride = constantStride(K, *Site.A, Dim);
    if (Dim == 0) {
      if (!Stride && (Stride = leastStride(K, *Site.A, Dim)))
        Result.Grows = true;
      if (std::optional<int64_t> Factor = Stride ? distanceByGuard(K, Site) : std::nullopt) {
        Result.Grows = true;
        *Stride *= *Factor;
      }
      if (!Stride && !Rows)
        Stride = dividedStride(K, Site.Bytes, Lanes);
    }
    if (!Stride)
      return std::nullopt;
    Result.Bytes[Dim] = *Stride;
  }
  return Result;
}

/// True if spread-banks has another layout for the array: rows of its own that can be padded, or
/// only every n-th element is used. A flat array with rows by arithmetic (tile[lx * 16 + ly]) has
/// none.
static bool canBeSpread(const KernelAnalysis &K, const Access &A) {
  if (A.Index.size() > 1)
    return true;
  int64_t Common = 0;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Base == A.Base)
      for (const auto &[Mono, Factor] : Site.Bytes.Terms)
        Common = std::gcd(Common, Factor);
  return Common > int64_t(sizeInBytes(A.Elem)) * A.Lanes;
}

static void run(const Kernel &K, Context &C) {
  LocalBanks Banks(C.device());
  if (!Banks.known() || (K.ReqdWorkGroupSize && (*K.ReqdWorkGroupSize)[0] == 0))
    return;
  const KernelAnalysis &An = C.analysis();
  // A row of the group that is shorter than the lanes is followed by the next one.
  unsigned Columns = Banks.columns(K.ReqdWorkGroupSize ? (*K.ReqdWorkGroupSize)[0] : 0);
  bool Rows = Columns < Banks.lanes();
  std::set<const Var *> Reported;
  for (const AccessSite &Site : An.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->space() != AddressSpace::Local || !isRegular(An, Site) || Site.IsAtomic ||
        isPinned(An, Site, 0) || Reported.count(A.Base))
      continue;
    std::optional<Strides> Stride = stridesOf(An, Site, Banks.lanes(), Rows);
    if (!Stride)
      continue;
    // No source says whether the components of a uchar4 are padded. If one is accessed alone, they
    // are taken not to be, which makes fewer conflicts.
    int64_t Padding = isLaneOfVector(A) ? 1 : Banks.padding(A.Elem);
    int64_t InRow = Stride->Bytes[0] * Padding;
    auto [Taken, Needed] = Banks.cycles(Banks.offsets({InRow, Stride->Bytes[1] * Padding}, Columns),
                                        unsigned(widthInBytes(A) * Padding));
    unsigned Ways = unsigned(Taken) / unsigned(Needed);
    if (Ways < C.option("MinConflict"))
      continue;
    // Rows that are padded already (tile[16][17]): no other stride would be better.
    if (std::abs(InRow) > Banks.bytesPerCycle() && Taken == Banks.cyclesFarApart())
      continue;
    int64_t Elements = Stride->Bytes[0] / sizeInBytes(A.Elem);
    Finding &F =
        C.report(A.Range, "work-items next to each other access local " + nameOf(A) + " " +
                              itostr(Elements) + " elements apart" +
                              (Stride->Grows ? ", and twice as far in each iteration" : ""));
    addEvidence(F, An, A, Rows ? 2 : 1);
    if (F.stands())
      Reported.insert(A.Base);
    F.cost(utostr(Ways) + "-way bank conflict, " + percent(Needed, Taken) + " of the throughput");
    if (!Stride->Grows && canBeSpread(An, A))
      F.fix(Applicability::Verify, "clmali-rewrite --passes=spread-banks");
  }
}

CLMALI_KERNEL_CHECK("strided-local-access", run);
