//===-- checks/model/analysis/eval/SampleLaunches.cpp - Launches to simulate -------------===//
//
// A launch in which two accesses do not conflict, although work-items execute both, indicates a
// relation between the arguments that the kernel relies on (a pitch as wide as the launch). So the
// arguments are larger than the launch in some launches, and smaller in others.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/eval/SampleLaunches.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

namespace clmali::model {

/// Arguments that are only compared with, and are part of no address and no loop's test:
/// if (i < n) ..
static std::set<const Var *> onlyBounds(const KernelAnalysis &K) {
  std::set<const Var *> Bounds;
  for (const Var *P : K.kernel().Params)
    if (P->K == Var::Param && P->Ty->isScalar() && P->Ty->isInteger() &&
        sizeInBytes(P->Ty->Scalar) >= 4)
      Bounds.insert(P);
  // Expressions that decide an address or a trip count, and the definitions that they use. Not a
  // Slice for each: they share most of what they use.
  std::vector<const Expr *> Pending;
  for (const AccessSite &Site : K.accesses())
    llvm::append_range(Pending, Site.A->Index);
  for (const Stmt *S : stmts(K.kernel().Body))
    if (S->K == StmtKind::Loop && S->E)
      Pending.push_back(S->E);
  std::set<const Var *> Seen;
  while (!Pending.empty()) {
    const Expr *Root = Pending.back();
    Pending.pop_back();
    for (ExprAt X : exprs(Root)) {
      if (X->K != ExprKind::VarRef || !Seen.insert(X->V).second)
        continue;
      Bounds.erase(X->V);
      for (const Stmt *Def : K.defs(X->V))
        if (Def->E)
          Pending.push_back(Def->E);
    }
  }
  return Bounds;
}

/// Arguments that are the radius r of a window: loops start at -r, and r is no factor of an
/// address.
static std::set<const Var *> radii(const KernelAnalysis &K) {
  std::set<const Var *> Result;
  for (const Stmt *S : stmts(K.kernel().Body)) {
    std::optional<CountedLoop> L = S->K == StmtKind::Loop ? K.countedLoop(S) : std::nullopt;
    const Expr *From = L ? L->Lower : nullptr;
    while (From && From->K == ExprKind::Cast)
      From = From->Ops[0];
    if (!From)
      continue;
    Poly P = K.poly(From, S);
    if (P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 && P.Terms.begin()->second == -1)
      if (const SymbolInfo &Info = K.symbol(P.Terms.begin()->first.front());
          Info.K == SymbolInfo::Param)
        Result.insert(Info.E->V);
  }
  for (const AccessSite &Site : K.accesses())
    for (const auto &[Mono, Coefficient] : Site.Bytes.Terms)
      for (unsigned S : Mono)
        if (Mono.size() > 1 && K.symbol(S).K == SymbolInfo::Param)
          Result.erase(K.symbol(S).E->V);
  return Result;
}

namespace {

/// What the launches depend on.
struct KernelTraits {
  unsigned Dims = 0, NumDims = 0; ///< dimensions of which the kernel uses ids
  bool UsesLocalMemory = false;
  int64_t Partition = 0; ///< the largest part of a group that the kernel addresses, in work-items
  std::set<const Var *> Radii;
};

} // namespace

/// Work-items of the largest part into which the kernel divides its groups: l / 32 * 32, l & ~31,
/// l ^ 16, l | 31. 0: none.
static int64_t partitionOf(const KernelAnalysis &K) {
  int64_t Most = 0;
  for (ExprAt X : exprs(K.kernel().Body)) {
    if (X->K != ExprKind::Binary || !X->Ty->isInteger() || !X->Ty->isScalar())
      continue;
    bool Shift = X->O == Op::Shr;
    if (!Shift && X->O != Op::Div && X->O != Op::Rem && X->O != Op::And && X->O != Op::Or &&
        X->O != Op::Xor)
      continue;
    const Expr *Id = origin(K, X->Ops[0]), *By = stripCasts(X->Ops[1]);
    if (By->K != ExprKind::IntConst || Id->K != ExprKind::WorkItem ||
        Id->Query != WorkItemQuery::LocalId)
      continue;
    int64_t Width = By->Int;
    if (Shift)
      Width = Width >= 0 && Width < 16 ? int64_t(1) << Width : 0;
    else if (X->O == Op::And || X->O == Op::Or || X->O == Op::Xor)
      Width = (Width < 0 || Width > 0x7fffffff ? int32_t(~Width) : Width) + 1;
    if (Width > 1 && Width <= 256)
      Most = std::max<int64_t>(Most, llvm::PowerOf2Ceil(Width));
  }
  return Most;
}

/// Sets extent and work-group size of launch Number; false: the required size is too large.
static bool setShape(Launch &L, size_t Number, const KernelTraits &T, const Kernel &K) {
  bool Even = Number % 2 == 0;
  for (unsigned D = 0; D < 3; ++D) {
    if (!(T.Dims >> D & 1))
      continue;
    L.Extent[D] = T.NumDims == 1 ? 160 : T.NumDims == 2 ? 12 : 6;
    // A reduction tree over local memory needs a group of more than two levels.
    L.Local[D] = T.NumDims == 3   ? 3
                 : T.NumDims == 2 ? (Even ? 4 : 2)
                                  : (Even ? 4 : 8) * (T.UsesLocalMemory ? 2 : 1);
    // Two parts of a group, and two groups.
    if (T.NumDims == 1 && T.Partition > L.Local[D]) {
      L.Local[D] = std::min<int64_t>(2 * T.Partition, 256);
      L.Extent[D] = 2 * L.Local[D];
    }
    if (const auto &Size = K.ReqdWorkGroupSize) {
      L.Local[D] = std::max<int64_t>((*Size)[D], 1);
      // Two groups, of large ones only one: a tree over 256 work-items ends in the same steps as
      // one over 32. A kernel with parts of groups needs two.
      L.Extent[D] = L.Local[D] <= 32 ? 2 * L.Local[D] : L.Local[D];
      if (T.NumDims == 1 && T.Partition && L.Local[D] <= 256)
        L.Extent[D] = 2 * L.Local[D];
    }
  }
  constexpr int64_t MaxItems = 4096;
  return L.Extent[0] * L.Extent[1] * L.Extent[2] <= MaxItems;
}

/// Gives the integer arguments alternating values of Pair.
static void setArguments(Launch &L, size_t Number, std::pair<int64_t, int64_t> Pair,
                         const KernelTraits &T, const Kernel &K) {
  unsigned At = 0;
  for (const Var *P : K.Params)
    if (P->K == Var::Param && P->Ty->isValue() && P->Ty->isInteger())
      for (unsigned Lane = 0; Lane < P->Ty->Lanes; ++Lane, ++At)
        L.Arguments[P].push_back((At % 2 ? Pair.second : Pair.first) +
                                 (L.AllDistinct ? At / 2 * 2 * (Pair.second - Pair.first) : 0));
  // for (dx = -r; dx <= r; ++dx) in[(y + dy) * w + x + dx]: the radius is small, all else is large.
  if (L.ForWindows && !T.Radii.empty())
    for (auto &[P, Lanes] : L.Arguments)
      Lanes.assign(Lanes.size(),
                   T.Radii.count(P) ? 1 + int64_t(Number % 2) : 250 + int64_t(Number));
  L.LongRows = !At || T.NumDims == 1 || std::min(Pair.first, Pair.second) > 200;
}

std::vector<Launch> launchesFor(const KernelAnalysis &K) {
  KernelTraits T;
  T.Dims = NDRangeUse::of(K.kernel()).ids() & 7;
  T.NumDims = llvm::popcount(T.Dims);
  std::set<const Var *> Bounds = onlyBounds(K);
  T.Radii = radii(K);
  T.UsesLocalMemory = llvm::any_of(K.accesses(), [](const AccessSite &Site) {
    return Site.A->Base->space() == AddressSpace::Local;
  });
  T.Partition = T.UsesLocalMemory ? partitionOf(K) : 0;
  // 512: of more than twice as many elements as there are work-items, each may process two.
  constexpr std::pair<int64_t, int64_t> Arguments[] = {{8, 10},    {10, 5},  {5, 8},   {211, 223},
                                                       {512, 512}, {7, 256}, {256, 7}, {211, 223}};
  std::vector<Launch> Result;
  for (auto [N, Pair] : llvm::enumerate(Arguments)) {
    auto [Less, More] = std::minmax(Pair.first, Pair.second);
    Launch New;
    if (!setShape(New, N, T, K.kernel()))
      return {};
    New.ForWindows = Less * 8 < More;
    New.AllDistinct = N + 1 == std::size(Arguments);
    New.ImageSize = New.ForWindows ? More : Pair.first;
    setArguments(New, N, Pair, T, K.kernel());
    Result.push_back(std::move(New));
  }
  // All work-items of a small launch lie within the data.
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
