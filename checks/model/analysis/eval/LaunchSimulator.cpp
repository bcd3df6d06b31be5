//===-- checks/model/analysis/eval/LaunchSimulator.cpp - Facts seen in small launches -----===//
//
// See LaunchSimulator.h. The execution itself is in KernelSimulation.cpp.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/model/analysis/eval/KernelSimulation.h"
#include "checks/model/ir/Budget.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <set>

namespace clmali::model {

LaunchSimulator::LaunchSimulator(const KernelAnalysis &K)
    : Simulation(std::make_unique<KernelSimulation>(K)) {}
LaunchSimulator::~LaunchSimulator() = default;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

namespace {

/// What makes two touches of one byte a conflict.
struct ConflictRules {
  bool OneGroup = false;   ///< only work-items of one group conflict
  bool UsesGroups = false; ///< the kernel uses local or group ids, or the group's size
};

/// True if the two touches may be executed by one launch and nothing orders them. In a dimension
/// whose ids are not part of an address, a kernel may assume a single work-item, or, where it uses
/// local ids only, a single group.
bool areUnordered(const Launch &L, const Touch &X, const Touch &Y, const ConflictRules &Rules) {
  if (X.Item == Y.Item)
    return false;
  std::array<int64_t, 3> P = L.item(X.Item), Q = L.item(Y.Item);
  bool SameGroup = true;
  constexpr unsigned GroupBit = 4;
  // Ids that distinguish groups distinguish the work-items of different groups. For work-items of
  // one group it is enough that one of the addresses uses their ids: x[id] += x[i], for each i.
  unsigned Both = X.Ids & Y.Ids, Either = X.Ids | Y.Ids;
  unsigned ItemOrGroup = (X.Ids | X.Ids >> GroupBit) & (Y.Ids | Y.Ids >> GroupBit);
  for (unsigned D = 0; D < 3; ++D) {
    bool OtherItem = P[D] != Q[D], OtherGroup = P[D] / L.Local[D] != Q[D] / L.Local[D];
    SameGroup &= !OtherGroup;
    // A kernel that uses global ids alone does not depend on groups.
    bool OneItem = OtherItem && !((Rules.UsesGroups && OtherGroup ? ItemOrGroup : Either) >> D & 1);
    bool OnlyGroup = Rules.UsesGroups && OtherGroup && !(Both >> (GroupBit + D) & 1);
    if (OneItem || OnlyGroup)
      return false;
  }
  return SameGroup ? X.Epoch == Y.Epoch : !Rules.OneGroup;
}

int64_t widthOf(const Access &A) { return int64_t(sizeInBytes(A.Elem)) * A.Lanes; }

/// for (..) { tile[l] = ..; barrier(..); .. tile[k] ..; }: one loop with a barrier has both in it.
bool shareTileLoop(const AccessSite &A, const AccessSite &B) {
  return llvm::any_of(A.Loops, [&](const Stmt *Loop) {
    return llvm::is_contained(B.Loops, Loop) &&
           llvm::any_of(Loop->Body, [](const Stmt *S) { return S->K == StmtKind::Barrier; });
  });
}

/// Accesses sorted by address, and the work-items that make them. MaybeToo: those that depend on
/// data, too.
struct CountedTouches {
  CountedTouches(const std::vector<Touch> &All, bool MaybeToo) : Items(UINT16_MAX + 1) {
    for (const Touch &T : All)
      if (T.Sure || MaybeToo) {
        ByAddress.push_back(&T);
        Items.set(T.Item);
      }
    llvm::sort(ByAddress, [](const Touch *X, const Touch *Y) { return X->Address < Y->Address; });
  }
  std::vector<const Touch *> ByAddress;
  llvm::BitVector Items;
};

} // namespace

bool LaunchSimulator::conflicts(const AccessSite &Write, const AccessSite &Read, bool MaybeToo) {
  bool Local = Write.A->Base->space() == AddressSpace::Local;
  ConflictRules Rules;
  Rules.OneGroup = Local || Read.IsWrite;
  Rules.UsesGroups = Local || Simulation->usesGroups();
  bool NeedsTrips = Local && !Read.IsWrite && shareTileLoop(Write, Read);
  int64_t WrittenBytes = widthOf(*Write.A), ReadBytes = widthOf(*Read.A);
  unsigned Launches = 0; // with a conflict
  // Rows that are shorter than the launch overlap in any case: one launch with longer rows is
  // needed.
  bool LongRows = false;
  for (auto [N, L] : llvm::enumerate(Simulation->launches())) {
    const LaunchTrace *Trace = L.ForWindows ? nullptr : Simulation->trace(N);
    if (!Trace)
      continue;
    const auto *Writes = Trace->touchesOf(Write), *Reads = Trace->touchesOf(Read);
    if (!Writes || !Reads)
      continue;
    CountedTouches Written(*Writes, MaybeToo), ReadOnes(*Reads, MaybeToo);
    llvm::BitVector Items = Written.Items;
    Items |= ReadOnes.Items;
    size_t NumItems = Items.count();
    // A single work-item has no conflict, and a loop of one trip does not show how its trips
    // conflict.
    if (NumItems < 2 || (NeedsTrips && Writes->size() <= NumItems))
      continue;
    auto Begin = ReadOnes.ByAddress.begin(), End = ReadOnes.ByAddress.end();
    bool Any = llvm::any_of(Written.ByAddress, [&](const Touch *W) {
      // The written addresses ascend, so the first read that may overlap moves on.
      while (Begin != End && (*Begin)->Address <= W->Address - ReadBytes)
        ++Begin;
      for (auto It = Begin; It != End && (*It)->Address < W->Address + WrittenBytes; ++It) {
        spend();
        if (areUnordered(L, *W, **It, Rules))
          return true;
      }
      return false;
    });
    if (!Any)
      return false;
    Launches += !L.AllDistinct;
    LongRows |= L.LongRows;
  }
  return !Simulation->gaveUp() && Launches >= 2 && (LongRows || Local);
}

//===----------------------------------------------------------------------===//
// Reuse
//===----------------------------------------------------------------------===//

/// for (j = id + 1; j < n; ++j) x[j], or for (j = 0; j < id; ++j) x[j]: all elements before, or
/// behind, the work-item's own.
static bool isTriangle(const KernelAnalysis &K, const AccessSite &Site) {
  bool Moves = llvm::any_of(Site.Bytes.Terms, [&](const auto &Term) {
    return llvm::any_of(Term.first, [&](unsigned S) {
      return K.symbol(S).K == SymbolInfo::WorkItem && K.symbol(S).Varies.Item;
    });
  });
  return llvm::any_of(Site.Loops, [&](const Stmt *L) {
    std::optional<CountedLoop> Counted = K.countedLoop(L);
    if (!Counted || !Counted->Lower || !Counted->Bound || Counted->StepExpr)
      return false;
    bool From = K.varies(Counted->Lower, L).Item, To = K.varies(Counted->Bound, L).Item;
    return From != To && From == Moves;
  });
}

/// True if the address moves by constant steps both in a loop and with the ids, or has the launch's
/// size as its pitch: it is a window whatever the length of rows is.
static bool isWindowOfConstantSteps(const KernelAnalysis &K, const AccessSite &Read) {
  bool Steps = false, MovesWithIds = false;
  for (const auto &[Mono, Coefficient] : Read.Bytes.Terms) {
    if (Mono.size() > 1 && llvm::any_of(Mono, [&](unsigned S) {
          const SymbolInfo &Info = K.symbol(S);
          return Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GlobalSize;
        }))
      return true;
    SymbolInfo::Kind Kind = Mono.size() == 1 ? K.symbol(Mono.front()).K : SymbolInfo::Param;
    Steps |= Kind == SymbolInfo::LoopVar || Kind == SymbolInfo::Iteration;
    MovesWithIds |= Kind == SymbolInfo::WorkItem;
  }
  return Steps && MovesWithIds;
}

namespace {

/// For each element of the launch: the work-items that read it.
struct ReadSets {
  std::map<int64_t, std::vector<uint16_t>> Readers;       ///< work-items, by address
  std::map<uint16_t, std::pair<int64_t, int64_t>> Window; ///< first and last address of each item
  size_t All = 0, WithoutIds = 0;                         ///< touches

  ReadSets(const LaunchTrace &Trace, llvm::ArrayRef<const AccessSite *> Reads) {
    for (const AccessSite *Read : Reads)
      if (const auto *Touches = Trace.touchesOf(*Read))
        for (const Touch &T : *Touches)
          if (!T.Assumed)
            add(T);
  }

  void add(const Touch &T) {
    ++All;
    WithoutIds += !T.Ids;
    Readers[T.Address].push_back(T.Item);
    auto &[First, Last] = Window.try_emplace(T.Item, T.Address, T.Address).first->second;
    First = std::min(First, T.Address);
    Last = std::max(Last, T.Address);
  }

  size_t distinctWindows() const {
    std::set<std::pair<int64_t, int64_t>> Distinct;
    for (const auto &[Item, Range] : Window)
      Distinct.insert(Range);
    return Distinct.size();
  }

  /// Distinct work-items for each address, sorted by number.
  std::vector<size_t> counts() {
    std::vector<size_t> Counts;
    for (auto &[Address, Items] : Readers) {
      llvm::sort(Items);
      Counts.push_back(std::unique(Items.begin(), Items.end()) - Items.begin());
    }
    llvm::sort(Counts);
    return Counts;
  }
};

} // namespace

double LaunchSimulator::reuse(llvm::ArrayRef<const AccessSite *> Reads) {
  constexpr size_t MinItems = 8, MinElements = 2;
  const KernelAnalysis &K = Simulation->analysis();
  if (llvm::any_of(Reads, [&](const AccessSite *Read) { return isTriangle(K, *Read); }))
    return 0;
  // Rows that are shorter than the launch overlap without being windows: needed are constant steps,
  // or rows that are longer than the launch.
  bool IsWindow = llvm::any_of(
      Reads, [&](const AccessSite *Read) { return isWindowOfConstantSteps(K, *Read); });
  double Least = 0;
  unsigned Launches = 0;
  for (auto [N, L] : llvm::enumerate(Simulation->launches())) {
    const LaunchTrace *Trace = L.AllDistinct || L.Unbounded ? nullptr : Simulation->trace(N);
    if (!Trace)
      continue;
    ReadSets Sets(*Trace, Reads);
    if (Sets.WithoutIds * 2 > Sets.All)
      continue;
    // Most work-items have windows of their own, unless the rows are shorter than the launch.
    if (Sets.distinctWindows() * 2 < Sets.Window.size() || Sets.Window.size() < MinItems)
      continue;
    std::vector<size_t> Counts = Sets.counts();
    size_t Pairs = 0;
    for (size_t Count : Counts)
      Pairs += Count;
    if (Pairs < MinElements * Sets.Window.size())
      return 0;
    // The median: elements at the borders have fewer readers, a few that all share have more.
    double Median = double(Counts[Counts.size() / 2]);
    Least = Launches ? std::min(Least, Median) : Median;
    ++Launches;
    IsWindow |= L.ImageSize > *llvm::max_element(L.Extent);
  }
  return !Simulation->gaveUp() && Launches > 1 && IsWindow ? Least : 0;
}

//===----------------------------------------------------------------------===//
// Stride
//===----------------------------------------------------------------------===//

/// The distances of neighbours in dimension Dim and how often each occurs.
static std::map<int64_t, size_t> distances(const Launch &L, const std::vector<Touch> &Touches,
                                           unsigned Dim) {
  std::map<uint16_t, std::vector<int64_t>> Addresses; // of each work-item, in order of execution
  for (const Touch &T : Touches)
    if (!T.Assumed)
      Addresses[T.Item].push_back(T.Address);
  std::map<int64_t, size_t> Count;
  int64_t Next = Dim == 0 ? 1 : Dim == 1 ? L.Extent[0] : L.Extent[0] * L.Extent[1];
  for (const auto &[Item, Own] : Addresses) {
    if (L.item(Item)[Dim] + 1 == L.Extent[Dim])
      continue;
    auto Neighbour = Addresses.find(Item + Next);
    if (Neighbour == Addresses.end() || Neighbour->second.size() != Own.size())
      continue;
    for (auto [A, B] : llvm::zip_equal(Own, Neighbour->second))
      ++Count[B - A];
  }
  return Count;
}

std::optional<int64_t> LaunchSimulator::stride(const AccessSite &Site, unsigned Dim) {
  constexpr size_t MinPairs = 8;
  // Rows that are as long as the launch, or shorter, do not show what happens at their ends.
  auto ShowsStride = [&](const Launch &L) {
    return !L.ForWindows && !L.AllDistinct && !L.Unbounded && L.ImageSize > 2 * L.Extent[Dim];
  };
  if (llvm::count_if(Simulation->launches(), ShowsStride) < 2)
    return std::nullopt;
  std::optional<int64_t> Stride;
  unsigned Launches = 0;
  for (auto [N, L] : llvm::enumerate(Simulation->launches())) {
    const LaunchTrace *Trace = ShowsStride(L) ? Simulation->trace(N) : nullptr;
    const auto *Touches = Trace ? Trace->touchesOf(Site) : nullptr;
    if (!Touches)
      continue;
    std::map<int64_t, size_t> Count = distances(L, *Touches, Dim);
    size_t All = 0;
    for (const auto &[Distance, Pairs] : Count)
      All += Pairs;
    if (All < MinPairs)
      continue;
    auto Most =
        llvm::max_element(Count, [](const auto &A, const auto &B) { return A.second < B.second; });
    bool NearlyAll = Most->second * 4 >= All * 3;
    if (!NearlyAll || (Stride && *Stride != Most->first))
      return std::nullopt;
    Stride = Most->first;
    ++Launches;
  }
  return !Simulation->gaveUp() && Launches > 1 ? Stride : std::nullopt;
}

} // namespace clmali::model
