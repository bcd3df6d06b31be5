//===- reused-global-without-local.cpp --------------------------------------------------------===//
//
// Before: in[i] + in[i + 1] + in[i + 2]        each element is read by three work-items
// After:  a tile in local memory, read once    (clmali-rewrite, localize)
// Limits: only buffers that the kernel does not stage in local memory.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool enough(double Readers, Context &C) { return Readers >= double(C.option("MinReads")); }

/// The length of a row in a flat index: the shortest symbolic distance of another load of the
/// buffer.
static std::optional<Poly> flatRow(const KernelAnalysis &K, const AccessSite &First) {
  std::optional<Poly> Row;
  auto Size = [](const Poly &P) { return std::abs(P.Terms.begin()->second); };
  for (const AccessSite &Other : K.accesses()) {
    if (!Other.Load || Other.A->Base != First.A->Base)
      continue;
    Poly Apart = Other.Bytes - First.Bytes;
    Apart = Apart - Poly::constant(Apart.constantTerm());
    bool Given = all_of(Apart.Terms, [&](const auto &Term) {
      return all_of(Term.first, [&](unsigned S) {
        const SymbolInfo &Info = K.symbol(S);
        bool Number = Info.E && (Info.K != SymbolInfo::Atom || Info.E->K == ExprKind::Load ||
                                 Info.E->K == ExprKind::ImageQuery);
        return Number && Info.Varies.uniformInLaunch() && Info.K != SymbolInfo::LoopVar;
      });
    });
    if (Apart.Terms.size() != 1 || !Given || (Row && Size(*Row) <= Size(Apart)))
      continue;
    Row = Apart;
  }
  return Row;
}

/// True if the index depends on an id, through any variables.
static bool usesIds(const KernelAnalysis &K, const Access &A) {
  bool Asks = false;
  std::set<const Var *> Seen;
  std::function<void(const Expr *)> Follow = [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      Asks |= E->K == ExprKind::WorkItem;
      if (E->K == ExprKind::VarRef && Seen.insert(E->V).second)
        for (const Stmt *Def : K.defs(E->V))
          if (Def->E)
            Follow(Def->E);
      return !Asks;
    });
  };
  for (const Expr *Index : A.Index)
    Follow(Index);
  return Asks;
}

/// The first access of the largest group with the same guards and loops: an access that only copies
/// a border may come first.
static const AccessSite &mostOf(ArrayRef<const AccessSite *> Sites) {
  const AccessSite *Best = nullptr;
  size_t Most = 0;
  for (const AccessSite *A : Sites) {
    size_t With = count_if(Sites, [&](const AccessSite *B) { return sameControl(*A, *B); });
    if (!Best || With > Most || (With == Most && A->A->Range.Begin < Best->A->Range.Begin)) {
      Best = A;
      Most = With;
    }
  }
  return *Best;
}

/// Buffers of which elements are stored to local memory, also after computation, sums excepted.
static std::set<const Var *> staged(const KernelAnalysis &K) {
  std::set<const Var *> Result;
  std::set<const Var *> Seen;
  auto Sums = [](const Stmt *Def, const Var *V) {
    bool Found = false;
    walk(Def->E, [&](const Expr *E) { return !(Found |= E->K == ExprKind::VarRef && E->V == V); });
    return Found;
  };
  std::function<void(const Expr *)> Follow = [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::Load && Seen.insert(E->Acc.Base).second) {
        Result.insert(E->Acc.Base);
        for (const AccessSite &Site : K.accesses())
          if (Site.IsWrite && Site.A->Base == E->Acc.Base &&
              Site.A->Base->space() == AddressSpace::Private && Site.S->E)
            Follow(Site.S->E);
      }
      if (E->K == ExprKind::VarRef && Seen.insert(E->V).second &&
          none_of(K.defs(E->V), [&](const Stmt *Def) { return Def->E && Sums(Def, E->V); }))
        for (const Stmt *Def : K.defs(E->V))
          if (Def->E)
            Follow(Def->E);
      return true;
    });
  };
  for (const AccessSite &Site : K.accesses())
    if (Site.IsWrite && Site.A->Base->space() == AddressSpace::Local) {
      if (Site.S->K == StmtKind::AsyncCopy)
        Result.insert(Site.S->Source.Base);
      else if (Site.S->E)
        Follow(Site.S->E);
    }
  return Result;
}

/// The dimensions along which stores move. Known caches the result.
static uint8_t dimensionsOfWrites(const KernelAnalysis &K, std::optional<uint8_t> &Known) {
  if (Known)
    return *Known;
  Known = 0;
  for (const AccessSite &Site : K.accesses())
    for (unsigned Dim = 0; Dim < 3 && Site.IsWrite; ++Dim)
      if (std::optional<Poly> Moves = K.stride(*Site.A, Dim);
          Moves && !Moves->isZero() && isRegular(K, Site))
        *Known |= 1 << Dim;
  return *Known;
}

namespace {
/// What of the kernel decides about all of its loads.
struct KernelFacts {
  bool UsesLocal = false;      ///< it was tuned: only windows are reported
  bool HasIds = false;         ///< the kernel uses ids
  std::optional<uint8_t> Used; ///< see dimensionsOfWrites
};

/// Loads of a buffer that adjacent work-items share.
struct Window {
  /// The distances from the first load: work-items of a dimension, and rows.
  std::set<std::pair<int64_t, int64_t>> Steps{{0, 0}};
  std::vector<const AccessSite *> Sites;
  bool Flat = false; ///< rows of a flat id, which are no dimension of the launch
};
} // namespace

/// Loads of the buffer of First that are a whole number of strides from it along Dim, and along the
/// dimension above it (a few rows): there the elements of two work-items are the same.
static Window windowOf(Context &C, const AccessSite &First, unsigned Dim, int64_t Stride) {
  const KernelAnalysis &K = C.analysis();
  const Access &A = *First.A;
  const int64_t MaxRows = C.option("MaxRows"), MaxDistance = C.option("MaxDistance");
  Window W;
  W.Sites.push_back(&First);
  std::optional<Poly> Row = Dim < 2 ? K.stride(A, Dim + 1) : std::nullopt;
  if (Row && Row->isZero())
    Row = std::nullopt;
  // in[i - w], in[i + 1] of a flat id.
  W.Flat = !Row && (Row = flatRow(K, First)).has_value();
  for (const AccessSite &Other : K.accesses()) {
    if (!Other.Load || Other.A->Base != A.Base)
      continue;
    // A question of its own, not evidence: elements that are adjacent in the source are so for any
    // value of a guessed row length.
    bool Guessed = guessed(C).isGuessed(Other);
    if (Guessed && (std::abs(Stride) != widthInBytes(A) || !Other.Loops.empty()))
      continue;
    Poly Apart = Other.Bytes - First.Bytes;
    for (int64_t N = 0; N <= (Row ? 2 * MaxRows : 0); ++N) {
      int64_t R = N % 2 ? -(N + 1) / 2 : N / 2; // 0, -1, 1, -2, ..
      Poly P = R ? Apart - *Row * R : Apart;
      if (!P.isConstant() || P.constantTerm() % Stride ||
          std::abs(P.constantTerm() / Stride) > (Guessed ? limits::AdjacentElements : MaxDistance))
        continue;
      if (W.Steps.insert({P.constantTerm() / Stride, R}).second)
        W.Sites.push_back(&Other);
      break;
    }
  }
  return W;
}

/// True if W has enough loads that different work-items share.
static bool isShared(const Window &W, int64_t MinReads) {
  return int64_t(W.Steps.size()) >= MinReads && (!W.Flat || any_of(W.Steps, [&](const auto &S) {
           return any_of(W.Steps,
                         [&](const auto &O) { return O.first != S.first && O.second == S.second; });
         }));
}

static Finding &addCost(Finding &F) {
  return F.cost("a tile in local memory is read from global memory once");
}

/// The pass makes the tile for one size of the group, which the kernel or every launch must give.
static bool isGroupSizeKnown(Context &C) {
  auto IsFixed = [](const HostLaunch &L) { return L.Dims && L.Local[0].has_value(); };
  return C.analysis().kernel().ReqdWorkGroupSize ||
         (!C.launches().empty() && all_of(C.launches(), IsFixed));
}

static void addFix(Context &C, Finding &F) {
  if (isGroupSizeKnown(C))
    F.fix(Applicability::Verify, "clmali-rewrite --passes=localize");
}

/// Reports a window at constant distances: in[i] + in[i + 1] + in[i + 2].
static bool reportWindow(Context &C, const AccessSite &First) {
  const Access &A = *First.A;
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    std::optional<int64_t> Stride = constantStride(C.analysis(), A, Dim);
    if (!Stride || *Stride == 0)
      continue;
    Window W = windowOf(C, First, Dim, *Stride);
    if (!isShared(W, C.option("MinReads")))
      continue;
    bool OneRow = all_of(W.Steps, [](const auto &S) { return S.second == 0; });
    addFix(C, addCost(C.report(
                  mostOf(W.Sites).A->Range,
                  "each element of " + nameOf(A) + " is read by " + utostr(W.Steps.size()) +
                      " neighbouring work-items" +
                      (W.Flat   ? std::string()
                       : OneRow ? " of dimension " + utostr(Dim)
                                : " of dimensions " + utostr(Dim) + " and " + utostr(Dim + 1)))));
    return true;
  }
  return false;
}

/// The dimension along which all work-items load the same element, if the load moves along another
/// one (matrix product). Only dimensions along which the kernel writes count.
static std::optional<unsigned> sharedDimension(const KernelAnalysis &K, const Access &A,
                                               KernelFacts &Facts) {
  bool Moves = false;
  std::optional<unsigned> Shared;
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    if (!(dimensionsOfWrites(K, Facts.Used) & (1 << Dim)))
      continue;
    std::optional<Poly> Stride = K.stride(A, Dim);
    if (Stride && Stride->isZero())
      Shared = Dim;
    else if (Stride)
      Moves = true;
  }
  return Moves ? Shared : std::nullopt;
}

/// Reports a load in a loop whose elements several work-items read.
static bool reportInLoop(Context &C, const AccessSite &First, KernelFacts &Facts, bool Regular) {
  const KernelAnalysis &K = C.analysis();
  const Access &A = *First.A;
  // A table that all work-items read in the same order.
  if (!Facts.UsesLocal && isAlike(K, First.Bytes) && !isUniform(K, First.Bytes) && Facts.HasIds) {
    Finding &F =
        addCost(C.report(A.Range, "each element of " + nameOf(A) +
                                      " is read by all work-items, one after another in a loop"));
    // A guess may have removed an id from the index: id / N with N = 1, a macro with arguments.
    if (usesIds(K, A) || guessed(C).names().Functions)
      F.restsOn(First);
    if (F.stands())
      return true;
  }
  std::optional<unsigned> Shared;
  if (Regular)
    Shared = sharedDimension(K, A, Facts);
  if (Shared && !Facts.UsesLocal) {
    addFix(C, addCost(C.report(A.Range, "each element of " + nameOf(A) +
                                            " is read by every work-item of dimension " +
                                            utostr(*Shared))));
    return true;
  }
  // A window in a loop, clamped at borders, or with a table of offsets.
  LaunchSimulator &Simulated = C.cached<LaunchSimulator>();
  if (!enough(Simulated.readers(&First), C))
    return false;
  Finding &F =
      addCost(C.report(A.Range, "each element of " + nameOf(A) +
                                    " is read by several neighbouring work-items, in a loop"));
  addFix(C, F);
  return F.restsOn(First).stands();
}

/// Reports a window without a loop whose addresses are wrapped or clamped.
static void reportIrregularWindow(Context &C, const Access &A) {
  const KernelAnalysis &K = C.analysis();
  // The loads outside of loops, and all of them.
  std::vector<const AccessSite *> Single, All;
  for (const AccessSite &Other : K.accesses())
    if (Other.Load && Other.A->Base == A.Base)
      (Other.Loops.empty() ? Single : All).push_back(&Other);
  size_t InLoops = All.size();
  All.insert(All.end(), Single.begin(), Single.end());
  if (int64_t(All.size()) < C.option("MinReads"))
    return;
  LaunchSimulator &Simulated = C.cached<LaunchSimulator>();
  bool Found =
      int64_t(Single.size()) >= C.option("MinReads") && enough(Simulated.readers(Single), C);
  if (!Found && (!InLoops || !enough(Simulated.readers(All), C)))
    return;
  Finding &F = addCost(C.report(A.Range, "each element of " + nameOf(A) +
                                             " is read by several neighbouring work-items"));
  addFix(C, F);
  for (const AccessSite *Site : All)
    F.restsOn(*Site);
}

static void run(const Kernel &, Context &C) {
  if (!C.device().LocalOnChip)
    return;
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Reported = staged(K);
  KernelFacts Facts;
  Facts.HasIds = usesIds(K);
  Facts.UsesLocal = any_of(K.accesses(), [](const AccessSite &Site) {
    return Site.A->Base->space() == AddressSpace::Local;
  });
  auto IsLoad = [](const AccessSite &Site) {
    return Site.Load && Site.A->Base->space() == AddressSpace::Global;
  };
  std::map<const Var *, std::vector<const AccessSite *>> Loads;
  for (const AccessSite &Site : K.accesses())
    if (IsLoad(Site))
      Loads[Site.A->Base].push_back(&Site);
  // A tile of what takes little of the kernel's work saves little.
  for (const auto &[Buffer, Sites] : Loads)
    if (100 * shareOfWork(C, Sites) < C.option("LeastShare"))
      Reported.insert(Buffer);
  for (const AccessSite &First : K.accesses()) {
    // A load by one work-item for its group is not shared.
    if (!IsLoad(First) || Reported.count(First.A->Base) || isPinned(K, First, 0))
      continue;
    bool Regular = isRegular(K, First);
    if ((Regular && reportWindow(C, First)) ||
        (!First.Loops.empty() && reportInLoop(C, First, Facts, Regular)))
      Reported.insert(First.A->Base);
  }
  for (const AccessSite &First : K.accesses())
    if (IsLoad(First) && Reported.insert(First.A->Base).second)
      reportIrregularWindow(C, *First.A);
}

CLMALI_KERNEL_CHECK("reused-global-without-local", run);
