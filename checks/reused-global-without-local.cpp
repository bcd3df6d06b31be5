//===- reused-global-without-local.cpp
//---------------------------------------------------------===//
//
// Before: in[i] + in[i + 1] + in[i + 2]        each element is read by three work-items
// After:  a tile in local memory, read once    (clmali-rewrite, localize)
// Limits: buffers of which the kernel stages nothing in local memory.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool enough(double Readers, Context &C) { return Readers >= double(C.option("MinReads")); }

/// The length of a row in a flat index, where other loads of the buffer are such a length away: the
/// shortest.
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
                                 Info.E->K == ExprKind::Opaque);
        return Number && Info.Varies.uniformInLaunch() && Info.K != SymbolInfo::LoopVar;
      });
    });
    if (Apart.Terms.size() != 1 || !Given || (Row && Size(*Row) <= Size(Apart)))
      continue;
    Row = Apart;
  }
  return Row;
}

/// Does the index rest on an id, through whatever variables? Numbers that had to be guessed may
/// have hidden it (id / 1).
static bool asksForIds(const KernelAnalysis &K, const Access &A) {
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

/// The first of those that run together, where most of them do: a border that is only copied may
/// come before.
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

/// Buffers of which something goes to local memory, whatever is computed of it on the way but sums.
/// Pixels: of an image.
static std::set<const Var *> staged(const KernelAnalysis &K, bool &Pixels) {
  std::set<const Var *> Result;
  std::set<const Var *> Seen;
  auto Sums = [](const Stmt *Def, const Var *V) {
    bool Found = false;
    walk(Def->E, [&](const Expr *E) { return !(Found |= E->K == ExprKind::VarRef && E->V == V); });
    return Found;
  };
  std::function<void(const Expr *)> Follow = [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      Pixels |= E->K == ExprKind::Opaque;
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

/// The dimensions along which what is written moves; Known: asked once.
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

static void run(const Kernel &, Context &C) {
  if (!C.device().LocalOnChip)
    return;
  const KernelAnalysis &K = C.analysis();
  bool Pixels = false;
  std::set<const Var *> Reported = staged(K, Pixels);
  // Who stages one buffer has thought of the others; but a window is a window.
  bool Stages = !Reported.empty() || Pixels;
  bool HasItems = asksForIds(K);
  bool GuessedFunctions =
      any_of(C.module().Notes, [](StringRef N) { return N.contains("(...)="); });
  bool UsesLocal = any_of(K.accesses(), [](const AccessSite &Site) {
    return Site.A->Base->space() == AddressSpace::Local;
  });
  std::optional<uint8_t> Used;
  for (const AccessSite &First : K.accesses()) {
    const Access &A = *First.A;
    // One work-item of a group that walks along for all of them shares nothing.
    if (!First.Load || A.Base->space() != AddressSpace::Global || Reported.count(A.Base) ||
        (UsesLocal && isPinned(K, First, 0)))
      continue;
    bool Regular = isRegular(K, First);
    for (unsigned Dim = 0; Dim < 3 && Regular; ++Dim) {
      std::optional<int64_t> Stride = constantStride(K, A, Dim);
      if (!Stride || *Stride == 0)
        continue;
      // Neighbours meet where two loads are a whole number of strides apart, along this dimension
      // and the one above it (a few rows).
      constexpr int64_t Rows = 4;
      std::optional<Poly> Row = Dim < 2 ? K.stride(A, Dim + 1) : std::nullopt;
      if (Row && Row->isZero())
        Row = std::nullopt;
      // in[i - w], in[i + 1] of a flat id: rows of which no dimension knows.
      bool Flat = !Row && (Row = flatRow(K, First)).has_value();
      std::set<std::pair<int64_t, int64_t>> Steps{{0, 0}};
      std::vector<const AccessSite *> Window{&First};
      for (const AccessSite &Other : K.accesses()) {
        if (!Other.Load || Other.A->Base != A.Base)
          continue;
        // However long the rows are, what the source says to be next to each other is so.
        constexpr int64_t Next = 4;
        bool Guessed = restsOnGuess(C.module(), K, Other);
        if (Guessed && (std::abs(*Stride) != widthInBytes(A) || !Other.Loops.empty()))
          continue;
        Poly Apart = Other.Bytes - First.Bytes;
        for (int64_t N = 0; N <= (Row ? 2 * Rows : 0); ++N) {
          int64_t R = N % 2 ? -(N + 1) / 2 : N / 2; // 0, -1, 1, -2, ..
          Poly P = R ? Apart - *Row * R : Apart;
          if (!P.isConstant() || P.constantTerm() % *Stride ||
              std::abs(P.constantTerm() / *Stride) > (Guessed ? Next : 16))
            continue;
          if (Steps.insert({P.constantTerm() / *Stride, R}).second)
            Window.push_back(&Other);
          break;
        }
      }
      // Planes that lie a row apart, and neighbours in none of them, are nobody else's.
      auto AreNext = [](const auto &S, const auto &O) {
        return O.second == S.second && O.first == S.first + 1;
      };
      // In a tile that a work-item holds in strides of the group, it reads alone.
      if (UsesLocal && none_of(Steps, [&](const auto &S) {
            return any_of(Steps, [&](const auto &O) { return AreNext(S, O); });
          }))
        continue;
      if (int64_t(Steps.size()) < C.option("MinReads") ||
          (Flat && none_of(Steps, [&](const auto &S) {
             return any_of(
                 Steps, [&](const auto &O) { return O.first != S.first && O.second == S.second; });
           })))
        continue;
      bool OneRow = all_of(Steps, [](const auto &S) { return S.second == 0; });
      Reported.insert(A.Base);
      C.report(mostOf(Window).A->Range,
               "each element of " + nameOf(A) + " is read by " + utostr(Steps.size()) +
                   " neighbouring work-items" +
                   (Flat     ? std::string()
                    : OneRow ? " of dimension " + utostr(Dim)
                             : " of dimensions " + utostr(Dim) + " and " + utostr(Dim + 1)))
          .cost("a tile in local memory is read from global memory once")
          .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
      break;
    }
    if (Reported.count(A.Base) || First.Loops.empty())
      continue;
    // A table that all work-items walk through alike, however long it is.
    if (!Stages && !isPinned(K, First, 0) && isAlike(K, First.Bytes) &&
        !isUniform(K, First.Bytes) && HasItems &&
        ((!asksForIds(K, A) && !GuessedFunctions) || !restsOnGuess(C.module(), K, First))) {
      Reported.insert(A.Base);
      C.report(A.Range, "each element of " + nameOf(A) +
                            " is read by all work-items, one after another in a loop")
          .cost("a tile in local memory is read from global memory once");
      continue;
    }
    // The same element for all work-items of one dimension, while another one walks along.
    bool Walks = false, Shared = false;
    unsigned SharedDim = 0;
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      if (!(dimensionsOfWrites(K, Used) & (1 << Dim)) || !Regular)
        continue;
      std::optional<Poly> Stride = K.stride(A, Dim);
      if (!Stride)
        continue;
      if (Stride->isZero()) {
        Shared = true;
        SharedDim = Dim;
      } else {
        Walks = true;
      }
    }
    if (!Walks || !Shared || UsesLocal) {
      // A window that a loop walks, clamped at the borders, or by a table of offsets.
      LaunchSimulator &Simulated = C.cached<LaunchSimulator>();
      if (restsOnGuess(C.module(), K, First) || !enough(Simulated.readers(&First), C))
        continue;
      Reported.insert(A.Base);
      C.report(A.Range, "each element of " + nameOf(A) +
                            " is read by several neighbouring work-items, in a loop")
          .cost("a tile in local memory is read from global memory once")
          .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
      continue;
    }
    Reported.insert(A.Base);
    C.report(A.Range, "each element of " + nameOf(A) + " is read by every work-item of dimension " +
                          utostr(SharedDim))
        .cost("a tile in local memory is read from global memory once")
        .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
  }
  // Windows without a loop whose places are wrapped or clamped.
  for (const AccessSite &First : K.accesses()) {
    const Access &A = *First.A;
    if (!First.Load || A.Base->space() != AddressSpace::Global || !Reported.insert(A.Base).second)
      continue;
    // Those outside of loops, and all together.
    std::vector<const AccessSite *> Single, All;
    bool Guessed = false;
    for (const AccessSite &Other : K.accesses())
      if (Other.Load && Other.A->Base == A.Base) {
        (Other.Loops.empty() ? Single : All).push_back(&Other);
        Guessed |= restsOnGuess(C.module(), K, Other);
      }
    size_t InLoops = All.size();
    All.insert(All.end(), Single.begin(), Single.end());
    if (Guessed || int64_t(All.size()) < C.option("MinReads"))
      continue;
    LaunchSimulator &Simulated = C.cached<LaunchSimulator>();
    bool Found =
        int64_t(Single.size()) >= C.option("MinReads") && enough(Simulated.readers(Single), C);
    if (Found || (InLoops && enough(Simulated.readers(All), C)))
      C.report(A.Range,
               "each element of " + nameOf(A) + " is read by several neighbouring work-items")
          .cost("a tile in local memory is read from global memory once")
          .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
  }
}

CLMALI_KERNEL_CHECK("reused-global-without-local", run);
