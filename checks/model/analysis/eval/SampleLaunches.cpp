//===-- checks/model/analysis/eval/SampleLaunches.cpp - Which launches are tried ---------===//
//
// A launch without a pair that meets, although work-items get to both places, speaks for a
// relation between the arguments (a pitch as wide as the launch) that the kernel counts on: then
// nothing is said. So the arguments are larger than the launch in some, and smaller in others.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/eval/SampleLaunches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <functional>
#include <set>

namespace clmali::model {

/// Arguments that are compared with, and decide neither an address nor how often a loop runs: if (i
/// < n) ..
static std::set<const Var *> onlyBounds(const KernelAnalysis &K) {
  std::set<const Var *> Bounds, Seen;
  for (const Var *P : K.kernel().Params)
    if (P->K == Var::Param && P->Ty->isScalar() && P->Ty->isInteger() &&
        sizeInBytes(P->Ty->Scalar) >= 4)
      Bounds.insert(P);
  std::function<void(const Expr *)> Decides = [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::VarRef && Seen.insert(E->V).second) {
        Bounds.erase(E->V);
        for (const Stmt *Def : K.defs(E->V))
          if (Def->E)
            Decides(Def->E);
      }
      return true;
    });
  };
  for (const AccessSite &Site : K.accesses())
    for (const Expr *Index : Site.A->Index)
      Decides(Index);
  walk(K.kernel().Body, [&](Stmt *S) {
    if (S->K == StmtKind::Loop && S->E)
      Decides(S->E);
    return true;
  });
  return Bounds;
}

/// Arguments that say how far a window reaches: loops go from -r on, and no address is multiplied
/// by them.
static std::set<const Var *> reaches(const KernelAnalysis &K) {
  std::set<const Var *> Result;
  walk(K.kernel().Body, [&](Stmt *S) {
    std::optional<CountedLoop> L = S->K == StmtKind::Loop ? K.countedLoop(S) : std::nullopt;
    const Expr *From = L ? L->Lower : nullptr;
    while (From && From->K == ExprKind::Cast)
      From = From->Ops[0];
    if (!From)
      return true;
    Poly P = K.poly(From, S);
    if (P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 && P.Terms.begin()->second == -1)
      if (const SymbolInfo &Info = K.symbol(P.Terms.begin()->first.front());
          Info.K == SymbolInfo::Param)
        Result.insert(Info.E->V);
    return true;
  });
  for (const AccessSite &Site : K.accesses())
    for (const auto &[M, Coefficient] : Site.Bytes.Terms)
      for (unsigned S : M)
        if (M.size() > 1 && K.symbol(S).K == SymbolInfo::Param)
          Result.erase(K.symbol(S).E->V);
  return Result;
}

std::vector<Launch> launchesFor(const KernelAnalysis &K) {
  // Dimensions of which the kernel asks ids.
  unsigned Dims = 0;
  walk(K.kernel().Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::WorkItem && E->Dim < 3 &&
            (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId ||
             E->Query == WorkItemQuery::GroupId))
          Dims |= 1 << E->Dim;
        return true;
      });
    });
    return true;
  });
  unsigned Count = llvm::popcount(Dims);
  std::set<const Var *> Bounds = onlyBounds(K), Reach = reaches(K);
  // A tree over local memory takes a group of more than two rounds.
  bool Shares = llvm::any_of(K.accesses(), [](const AccessSite &Site) {
    return Site.A->Base->space() == AddressSpace::Local;
  });
  // Of more than twice as much as there are work-items, each may take one from either end.
  constexpr std::pair<int64_t, int64_t> Arguments[] = {{8, 10},    {10, 5},  {5, 8},   {211, 223},
                                                       {512, 512}, {7, 256}, {256, 7}, {211, 223}};
  std::vector<Launch> Result;
  for (auto [N, Pair] : llvm::enumerate(Arguments)) {
    Launch New;
    for (unsigned D = 0; D < 3; ++D) {
      if (!(Dims >> D & 1))
        continue;
      New.Extent[D] = Count == 1 ? 160 : Count == 2 ? 12 : 6;
      New.Local[D] = Count == 3   ? 3
                     : Count == 2 ? (N % 2 == 0 ? 4 : 2)
                                  : (N % 2 == 0 ? 4 : 8) * (Shares ? 2 : 1);
      if (const auto &Size = K.kernel().ReqdWorkGroupSize) {
        New.Local[D] = std::max<int64_t>((*Size)[D], 1);
        New.Extent[D] = std::min<int64_t>(2 * New.Local[D], 64);
        if (New.Extent[D] % New.Local[D])
          return {};
      }
    }
    New.ForWindows = std::min(Pair.first, Pair.second) * 8 < std::max(Pair.first, Pair.second);
    New.ForPlaces = N + 1 == std::size(Arguments);
    New.ImageSize = New.ForWindows ? std::max(Pair.first, Pair.second) : Pair.first;
    unsigned At = 0;
    for (const Var *P : K.kernel().Params)
      if (P->K == Var::Param && P->Ty->isValue() && P->Ty->isInteger())
        for (unsigned Lane = 0; Lane < P->Ty->Lanes; ++Lane, ++At)
          New.Arguments[P].push_back((At % 2 ? Pair.second : Pair.first) +
                                     (New.ForPlaces ? At / 2 * 2 * (Pair.second - Pair.first) : 0));
    // for (dx = -r; dx <= r; ++dx) in[(y + dy) * w + x + dx]: the window is small, and all else is
    // large.
    if (New.ForWindows && !Reach.empty())
      for (auto &[P, Lanes] : New.Arguments)
        Lanes.assign(Lanes.size(), Reach.count(P) ? 1 + int64_t(N % 2) : 250 + int64_t(N));
    New.LongRows = !At || Count == 1 || std::min(Pair.first, Pair.second) > 200;
    Result.push_back(std::move(New));
  }
  // Where all of a small launch lie within the data.
  if (!Bounds.empty()) {
    Launch New = Result[1];
    New.Unbounded = true;
    for (const Var *P : Bounds)
      New.Arguments[P].assign(P->Ty->Lanes, int64_t(1) << 20);
    Result.push_back(std::move(New));
  }
  return Result;
}

} // namespace clmali::model
