//===- strided-local-access.cpp
//--------------------------------------------------------------------===//
//
// Before: part[lid * 16]     16 work-items, one bank: 16 cycles
// After:  part[lid]          16 work-items, 4 banks:   1 cycle
// Limits: strides that are constants, or begin with one and are doubled by a loop, and places that
// quotients and remainders of the local id say. Which work-items run in one cycle follows from the
// group's
//         shape where the kernel states it, else dimension 0 is taken to be long enough.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Cycles that one access of the lanes takes, and the fewest that their bytes need.
static std::pair<unsigned, unsigned> cycles(const Context &C, const Access &A,
                                            ArrayRef<int64_t> Addresses, unsigned Width) {
  const rules::DeviceFacts &D = C.device();
  unsigned Row = D.LocalBankBits / 8;
  std::map<int64_t, std::set<int64_t>> Registers; // by bank
  std::set<int64_t> Bytes;
  for (int64_t Address : Addresses)
    for (int64_t B = Address; B < Address + Width; B += 4) {
      Registers[(B / Row) % D.LocalBanks].insert(B / Row);
      Bytes.insert(B / 4);
    }
  size_t Most = 0;
  for (const auto &[Bank, Set] : Registers)
    Most = std::max(Most, Set.size());
  unsigned Least = divideCeil(Bytes.size() * 4, uint64_t(Row) * D.LocalBanks);
  return {Most, std::max(1u, Least)};
}

/// Is P a multiple of what a loop doubles from 1 (2 * offset)? The number of it.
static std::optional<int64_t> doubledFromOne(const KernelAnalysis &K, const Poly &P) {
  if (P.Terms.size() != 1 || P.isConstant())
    return std::nullopt;
  const auto &[M, Factor] = *P.Terms.begin();
  // What the group has in common, and no argument, which may be anything.
  const Expr *E = M.size() == 1 ? K.symbol(M.front()).E : nullptr;
  if (!E || E->K != ExprKind::VarRef || E->V->K == Var::Param || K.symbol(M.front()).Varies.Data)
    return std::nullopt;
  bool Doubles = false, Begins = false;
  for (const Stmt *Def : K.defs(E->V)) {
    const Expr *By = Def->E ? stripCasts(Def->E) : nullptr;
    if (!By)
      continue;
    bool Up = By->K == ExprKind::Binary && (By->O == Op::Mul || By->O == Op::Shl);
    // On the way back, it is halved.
    bool Down = By->K == ExprKind::Binary && (By->O == Op::Div || By->O == Op::Shr);
    bool Shifts = (Up || Down) && stripCasts(By->Ops[0])->K == ExprKind::VarRef &&
                  stripCasts(By->Ops[0])->V == E->V;
    std::optional<int64_t> Times = Shifts ? constantValue(stripCasts(By->Ops[1])) : std::nullopt;
    if (Times && (By->O == Op::Mul || By->O == Op::Div ? *Times == 2 : *Times == 1))
      Doubles |= Up;
    else if (constantValue(By) == 1)
      Begins = true;
    else
      return std::nullopt;
  }
  return Doubles && Begins ? std::optional(Factor) : std::nullopt;
}

/// A stride that a loop doubles: how far neighbours are apart at least, if all that it may be are
/// multiples.
static std::optional<int64_t> leastStride(const KernelAnalysis &K, const Access &A, unsigned Dim) {
  std::optional<Poly> Stride = K.stride(A, Dim);
  return Stride ? doubledFromOne(K, *Stride) : std::nullopt;
}

/// if (lid % (2 * s) == 0) part[lid] += part[lid + s]; with an s that a loop doubles from 1: those
/// that get there are 2 * s apart. Returns the factor of s; nothing: all get there, or others.
static std::optional<int64_t> apartByGuard(const KernelAnalysis &K, const AccessSite &Site) {
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

/// Does a number of the host's say how far apart neighbours are: it may be odd? Who gets there, and
/// in which of the array's rows they all are, does not matter.
static bool stepsByGuess(Context &C, const KernelAnalysis &K, const Access &A, unsigned Dims) {
  for (auto [Index, Bytes] : zip(A.Index, A.Stride)) {
    bool Moves = K.varies(Index).Item & ((1u << Dims) - 1);
    if (Moves && (restsOnGuess(C.module(), K, Index) ||
                  (Bytes != widthInBytes(A) && mentionsGuess(C.module(), C.text(A.Base->Range)))))
      return true;
  }
  return false;
}

/// Where a lane is that a quotient or a remainder of its local id places, but for what all of a row
/// share: tile[l / 8][l % 8].
static std::optional<int64_t> placeOf(const KernelAnalysis &K, unsigned S, int64_t Lane) {
  const SymbolInfo &Info = K.symbol(S);
  auto IsLocalId = [](const SymbolInfo &I) {
    return I.K == SymbolInfo::WorkItem && I.E->Query == WorkItemQuery::LocalId && I.E->Dim == 0;
  };
  if (IsLocalId(Info))
    return Lane;
  const Expr *E = Info.K == SymbolInfo::Atom && Info.E ? stripCasts(Info.E) : nullptr;
  if (!E || E->K != ExprKind::Binary)
    return std::nullopt;
  std::optional<int64_t> By = constantValue(stripCasts(E->Ops[1]));
  if (!By || *By <= 0)
    return std::nullopt;
  int64_t Of = 0;
  for (const auto &[M, Coefficient] : K.poly(E->Ops[0], K.placeOf(S)).Terms) {
    if (M.size() > 1 || (M.size() == 1 && !IsLocalId(K.symbol(M.front()))) || Coefficient < 0)
      return std::nullopt;
    Of += Coefficient * (M.empty() ? 1 : Lane);
  }
  switch (E->O) {
  case Op::Div:
    return Of / *By;
  case Op::Rem:
    return Of % *By;
  case Op::Shr:
    return *By < 31 ? std::optional(Of >> *By) : std::nullopt;
  case Op::And:
    return Of & *By;
  default:
    return std::nullopt;
  }
}

/// The same of a whole address, in bytes.
static std::optional<int64_t> placeOf(const KernelAnalysis &K, const Poly &Bytes, int64_t Lane) {
  int64_t At = 0;
  for (const auto &[M, Coefficient] : Bytes.Terms) {
    if (none_of(M, [&](unsigned S) { return K.symbol(S).Varies.Item & 1; }))
      continue; // the same for a row of the group
    int64_t Product = Coefficient;
    for (unsigned S : M) {
      std::optional<int64_t> Factor = placeOf(K, S, Lane);
      if (!Factor)
        return std::nullopt;
      Product *= *Factor;
    }
    At += Product;
  }
  return At;
}

/// tile[i].x: one component of a vector in memory.
static bool isLaneOfVector(const Access &A) {
  const Type *T = A.Base->Ty;
  while (T->K == Type::Array || T->K == Type::Pointer)
    T = T->Elem;
  return T->isVector() && A.Lanes == 1 && !A.Path.empty();
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  if (!D.LocalBanks || !D.LanesPerCycle)
    return;
  const KernelAnalysis &An = C.analysis();
  std::set<const Var *> Reported;
  for (const AccessSite &Site : An.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->space() != AddressSpace::Local || !isRegular(C.analysis(), Site) || Site.IsAtomic ||
        isPinned(An, Site, 0) || Reported.count(A.Base))
      continue;
    std::array<int64_t, 2> Stride{};
    unsigned Columns = K.ReqdWorkGroupSize ? (*K.ReqdWorkGroupSize)[0] : D.LanesPerCycle;
    bool Known = true, Grows = false;
    for (unsigned Dim = 0; Dim < 2; ++Dim) {
      if (Dim == 1 && Columns >= D.LanesPerCycle)
        continue; // one row of the group fills the lanes
      std::optional<int64_t> S = constantStride(An, A, Dim);
      if (!S && Dim == 0 && (S = leastStride(An, A, Dim)))
        Grows = true;
      if (S && Dim == 0)
        if (std::optional<int64_t> Apart = apartByGuard(An, Site)) {
          Grows = true;
          *S *= *Apart;
        }
      Known &= S.has_value();
      Stride[Dim] = S.value_or(0);
    }
    if (Columns == 0 || (!Known && Columns < D.LanesPerCycle))
      continue;
    if (stepsByGuess(C, An, A, Columns < D.LanesPerCycle ? 2 : 1))
      continue;
    // Narrow elements are padded: a char array has a 32-bit word for each element. Whether each
    // lane of a uchar4 has, nobody says.
    int64_t Scale = D.PadsSubword && sizeInBytes(A.Elem) < 4 && !isLaneOfVector(A)
                        ? 4 / sizeInBytes(A.Elem)
                        : 1;
    if (!Known) {
      // Rows that are as wide as the lanes, or follow one another.
      std::vector<int64_t> Places;
      for (unsigned L = 0; L < D.LanesPerCycle; ++L)
        if (std::optional<int64_t> At = placeOf(An, Site.Bytes, L);
            At && (L < 2 || *At - Places[L - 1] == Places[1] - Places[0]))
          Places.push_back(*At);
        else
          break;
      if (Places.size() != D.LanesPerCycle)
        continue;
      Stride[0] = Places[1] - Places[0];
    }
    std::vector<int64_t> Addresses;
    for (unsigned L = 0; L < D.LanesPerCycle; ++L) {
      int64_t At = (L % Columns) * Stride[0] * Scale + (L / Columns) * Stride[1] * Scale;
      Addresses.push_back(At);
    }
    int64_t Low = *std::min_element(Addresses.begin(), Addresses.end());
    for (int64_t &At : Addresses)
      At -= Low;
    auto [Taken, Needed] = cycles(C, A, Addresses, std::max(4u, unsigned(widthInBytes(A) * Scale)));
    unsigned Ways = Taken / Needed;
    if (Ways < C.option("MinConflict"))
      continue;
    // Rows that are padded already (tile[16][17]): no distance between them would be better.
    int64_t Row = D.LocalBankBits / 8;
    if (std::abs(Stride[0] * Scale) > Row * D.LocalBanks &&
        Taken == divideCeil(uint64_t(D.LanesPerCycle), uint64_t(D.LocalBanks)))
      continue;
    Reported.insert(A.Base);
    int64_t Elements = Stride[0] / sizeInBytes(A.Elem);
    Finding &F = C.report(A.Range, "work-items next to each other access local " + nameOf(A) + " " +
                                       itostr(Elements) + " elements apart" +
                                       (Grows ? ", and twice as far in each round" : ""));
    F.cost(utostr(Ways) + "-way bank conflict, " + percent(Needed, Taken) + " of the throughput");
    if (!Grows)
      F.fix(Applicability::Verify, "clmali-rewrite --passes=spread-banks");
  }
}

CLMALI_KERNEL_CHECK("strided-local-access", run);
