//===-- checks/model/cost/Banks.cpp - Bank conflicts in local memory -----------===//

#include "checks/model/cost/Banks.h"
#include "checks/model/analysis/Pinned.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/cost/TripCount.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace clmali::model {

/// Banks serve words of 32 bits: no access is narrower.
static constexpr unsigned WordBytes = 4;

//===----------------------------------------------------------------------===//
// One access of the lanes
//===----------------------------------------------------------------------===//

unsigned LocalBanks::padding(ScalarKind Element) const {
  return Pads && sizeInBytes(Element) < WordBytes ? WordBytes / sizeInBytes(Element) : 1;
}

uint64_t LocalBanks::storedBytes(const Type *Object) const {
  const Type *Element = Object;
  while (Element->K == Type::Array)
    Element = Element->Elem;
  return Object->Size * (Element->isValue() ? padding(Element->Scalar) : 1);
}

std::vector<int64_t> LocalBanks::offsets(std::array<int64_t, 2> Stride, unsigned Columns) const {
  std::vector<int64_t> Offsets;
  for (unsigned L = 0; L < Lanes; ++L)
    Offsets.push_back(int64_t(L % Columns) * Stride[0] + int64_t(L / Columns) * Stride[1]);
  int64_t First = *std::min_element(Offsets.begin(), Offsets.end());
  for (int64_t &Offset : Offsets)
    Offset -= First;
  return Offsets;
}

LocalBanks::Cycles LocalBanks::cycles(llvm::ArrayRef<int64_t> Offsets, unsigned Bytes) const {
  Bytes = std::max(WordBytes, Bytes);
  std::map<int64_t, std::set<int64_t>> Registers; // by bank
  std::set<int64_t> Words;
  for (int64_t Offset : Offsets)
    for (int64_t Byte = Offset; Byte < Offset + Bytes; Byte += WordBytes) {
      Registers[(Byte / BankBytes) % Banks].insert(Byte / BankBytes);
      Words.insert(Byte / WordBytes);
    }
  size_t Most = 0;
  for (const auto &[Bank, Set] : Registers)
    Most = std::max(Most, Set.size());
  return {double(Most),
          double(llvm::divideCeil(Words.size() * WordBytes, uint64_t(BankBytes) * Banks))};
}

double LocalBanks::cyclesWithoutConflicts(double BitsOfLane) const {
  return std::max(1.0, std::ceil(BitsOfLane * Lanes / (Banks * BankBytes * 8)));
}

//===----------------------------------------------------------------------===//
// Where the lanes access memory
//===----------------------------------------------------------------------===//

static bool isId(const SymbolInfo &Info, WorkItemQuery Query) {
  return Info.K == SymbolInfo::WorkItem && Info.E->Query == Query && Info.E->Dim < 2;
}

/// P, made of the local id of dimension 0 and constants, in the work-item with this id.
static std::optional<int64_t> ofLocalId(const KernelAnalysis &A, const Poly &P, int64_t Id) {
  int64_t Sum = 0;
  for (const auto &[M, Coefficient] : P.Terms) {
    if (Coefficient < 0 || M.size() > 1)
      return std::nullopt;
    if (M.size() == 1 &&
        (!isId(A.symbol(M.front()), WorkItemQuery::LocalId) || A.symbol(M.front()).E->Dim != 0))
      return std::nullopt;
    Sum += Coefficient * (M.empty() ? 1 : Id);
  }
  return Sum;
}

/// A local id, or the quotient or remainder of that of dimension 0 by a constant. A global id is a
/// local id plus a term that is the same for the group, so it counts as one, but not in a quotient.
static std::optional<int64_t> symbolInLane(const KernelAnalysis &A, unsigned S,
                                           std::array<int64_t, 2> Lane) {
  const SymbolInfo &Info = A.symbol(S);
  if (isId(Info, WorkItemQuery::LocalId) || isId(Info, WorkItemQuery::GlobalId))
    return Lane[Info.E->Dim];
  const Expr *E = Info.K == SymbolInfo::Atom && Info.E ? stripCasts(Info.E) : nullptr;
  if (!E || E->K != ExprKind::Binary)
    return std::nullopt;
  std::optional<int64_t> By = constantValue(stripCasts(E->Ops[1]));
  if (!By || *By <= 0)
    return std::nullopt;
  std::optional<int64_t> Of = ofLocalId(A, A.poly(E->Ops[0], A.placeOf(S)), Lane[0]);
  if (!Of)
    return std::nullopt;
  switch (E->O) {
  case Op::Div:
    return *Of / *By;
  case Op::Rem:
    return *Of % *By;
  case Op::Shr:
    return *By < 31 ? std::optional(*Of >> *By) : std::nullopt;
  case Op::And:
    return *Of & *By;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> valueInLane(const KernelAnalysis &A, const Poly &P,
                                   std::array<int64_t, 2> Lane, bool Rows) {
  unsigned Dimensions = Rows ? 3 : 1;
  auto Differs = [&](unsigned S) { return (A.symbol(S).Varies.Item & Dimensions) != 0; };
  int64_t Value = 0;
  for (const auto &[M, Coefficient] : P.Terms) {
    if (llvm::none_of(M, Differs))
      continue;
    int64_t Product = Coefficient;
    for (unsigned S : M) {
      std::optional<int64_t> Factor = Differs(S) ? symbolInLane(A, S, Lane) : std::nullopt;
      if (!Factor)
        return std::nullopt;
      Product *= *Factor;
    }
    Value += Product;
  }
  return Value;
}

//===----------------------------------------------------------------------===//
// All accesses to an array
//===----------------------------------------------------------------------===//

static const Type *elementOf(const Var *V) {
  const Type *T = V->Ty;
  while (T->K == Type::Array)
    T = T->Elem;
  return T;
}

bool isWholeElement(const Access &Acc) {
  const Type *T = elementOf(Acc.Base);
  unsigned Dims = 0;
  for (const Type *X = Acc.Base->Ty; X->K == Type::Array; X = X->Elem)
    ++Dims;
  return T->isValue() && T->Scalar == Acc.Elem && T->Lanes == Acc.Lanes && !Acc.Disp &&
         Acc.Path.empty() && Acc.Index.size() == Dims &&
         (Acc.F == Access::Subscript || Acc.Lanes == 1);
}

/// Where each lane accesses the array in a layout; empty: not known.
std::vector<int64_t> LocalBanks::offsets(const KernelAnalysis &A, const AccessSite &Site,
                                         unsigned Columns, LocalLayout Layout) const {
  const Access &Acc = *Site.A;
  std::vector<int64_t> Counts;
  for (const Type *T = Acc.Base->Ty; T->K == Type::Array; T = T->Elem)
    Counts.push_back(int64_t(T->Count));
  if (Acc.Index.size() != Counts.size())
    return {};
  // Bytes by which one step of each index moves.
  std::vector<int64_t> Scale(Counts.size(), int64_t(storedBytes(elementOf(Acc.Base))));
  for (size_t I = Scale.size(); I-- > 1;)
    Scale[I - 1] = Scale[I] * (Counts[I] + (I + 1 == Counts.size() ? Layout.Pad : 0));
  std::vector<Poly> Index;
  for (const Expr *E : Acc.Index)
    Index.push_back(A.poly(E, Site.S));
  std::vector<int64_t> Offsets;
  for (unsigned L = 0; L < Lanes; ++L) {
    int64_t Offset = 0;
    for (auto [I, P] : llvm::enumerate(Index)) {
      std::optional<int64_t> V = valueInLane(A, P, {L % Columns, L / Columns}, Columns < Lanes);
      if (!V)
        return {};
      Offset += *V * Scale[I] / Layout.Divisor;
    }
    Offsets.push_back(Offset);
  }
  int64_t First = *std::min_element(Offsets.begin(), Offsets.end());
  for (int64_t &Offset : Offsets)
    Offset -= First;
  return Offsets;
}

LocalBanks::Cycles LocalBanks::cycles(const KernelAnalysis &A,
                                      llvm::ArrayRef<const AccessSite *> Sites, const Var *V,
                                      uint64_t LocalSize, LocalLayout Layout) const {
  Cycles Sum;
  for (const AccessSite *Site : Sites) {
    if (isPinned(A, *Site, 0))
      continue;
    double Times = expectedExecutions(A, Site->Loops);
    Cycles Once =
        cycles(offsets(A, *Site, columns(LocalSize), Layout), unsigned(storedBytes(elementOf(V))));
    Sum.Taken += Times * Once.Taken;
    Sum.Needed += Times * Once.Needed;
  }
  return Sum;
}

double bankConflicts(const KernelAnalysis &A, const rules::DeviceFacts &D, uint64_t LocalSize) {
  LocalBanks Banks(D);
  if (!Banks.known())
    return 0;
  double Lost = 0;
  for (const Var *V : A.kernel().Vars) {
    if (V->K != Var::Memory || V->AS != AddressSpace::Local || V->Ty->K != Type::Array)
      continue;
    std::vector<const AccessSite *> Sites;
    for (const AccessSite &S : A.accesses())
      if (S.A->Base == V && isWholeElement(*S.A))
        Sites.push_back(&S);
    LocalBanks::Cycles C = Banks.cycles(A, Sites, V, LocalSize);
    Lost += C.Taken - C.Needed;
  }
  return Lost;
}

} // namespace clmali::model
