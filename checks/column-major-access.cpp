//===- column-major-access.cpp ------------------------------------------------------------===//
//
// Before: y = get_global_id(0); x = get_global_id(1); out[y * width + x]
// After:  x = get_global_id(0); y = get_global_id(1); out[y * width + x]   (swap-dimensions)
// Limits: information if dimension 0 steps along the rows of another buffer, as in a transposition.
//
// One criterion: dimension 0 steps by a cache line or by a length that is not known, and something
// else by a pixel at most (Mover), so that in another order a group touches fewer lines.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Packing.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// What moves the address of an access by an element or a pixel.
enum class Mover : uint8_t {
  Loop,      ///< the innermost loop: in[id * n + k]; or a counter: list[id * n + found++]
  Quotient,  ///< of the id, whose remainder steps far: out[id % h * w + id / h]
  Outer,     ///< a loop around others, or the group: in[k * n + get_group_id(0)]
  Dimension, ///< out[get_global_id(0) * w + get_global_id(1)]
  Argument,  ///< in[id * n + k]: a column that is the same for all work-items
};

/// An access whose neighbours in dimension 0 are far apart.
struct Walk {
  const AccessSite *Site;
  Poly Along; ///< the distance of neighbours in dimension 0, in bytes
  Mover Near = Mover::Loop;
  unsigned Dim = 0; ///< of Mover::Dimension
  bool IsInfo = false;
  bool IsGuessed = false; ///< the distance is, and is not told
};

class Walks {
public:
  explicit Walks(Context &C) : C(C), K(C.analysis()), MaxPixel(C.option("MaxPixelElements")) {}
  void collect();
  void report() const;

private:
  bool isWhole(const Access &A) const { return widthInBytes(A) * 8 >= C.device().IdealAccessBits; }
  bool isFar(const Access &A, const Poly &Along) const;
  bool isNear(const Access &A, int64_t Step) const;
  bool isNearDimension(const Walk &W, unsigned Dim) const;
  std::optional<unsigned> counter(const AccessSite &Site) const;
  std::optional<Mover> mover(const AccessSite &Site, unsigned Symbol, int64_t Factor) const;
  std::optional<Poly> coveredBytes(const AccessSite &Site) const;
  bool isPartOfRow(const Walk &W) const;
  bool isLengthOfRow(const Monomial &Pitch) const;
  bool isColumnOfRows(Walk &W) const;
  bool isRow(Walk &W) const;
  std::optional<Walk> walk(const AccessSite &Site) const;
  void keepDimensions(const AccessSite &Site);
  void report(const Walk &W, bool Swaps) const;
  void reportSwap() const;

  Context &C;
  const KernelAnalysis &K;
  int64_t MaxPixel;
  /// Buffers that the kernel accesses by vectors. Narrower accesses to them handle the remainder.
  std::set<const Var *> Vectorized;
  std::vector<Walk> Found; ///< one for each buffer
  /// Dimensions that some buffer would lose by in a swap; bit 0: dimension 0 steps along its rows.
  uint8_t Kept = 0;
};
} // namespace

/// True if a factor of M is the size of the launch or of its groups: a step by it (grid-stride
/// loop) belongs to the id.
static bool hasLaunchSize(const KernelAnalysis &K, const Monomial &M) {
  return any_of(M, [&](unsigned S) {
    const SymbolInfo &Of = K.symbol(S);
    return Of.K == SymbolInfo::WorkItem &&
           (Of.E->Query == WorkItemQuery::GlobalSize || Of.E->Query == WorkItemQuery::NumGroups ||
            Of.E->Query == WorkItemQuery::LocalSize);
  });
}

/// Global memory, or a buffer argument in constant memory, which is stored there, too.
static bool isBuffer(const Access &A) {
  return A.Base->space() == AddressSpace::Global ||
         (A.Base->space() == AddressSpace::Constant && A.Base->isPointerParam());
}

/// in[y * pitch + x * (pitch / width)]: true if Step is the size of a pixel, which the host sets,
/// and Row the length of a row of pixels.
static bool isPixelOf(const KernelAnalysis &K, const Poly &Step, const Poly &Row) {
  // width * height is the size of a plane.
  if (any_of(Step.Terms, [](const auto &T) { return T.first.size() > 1; }))
    return false;
  if (isMultipleOf(Row, Step))
    return !(Row == Step);
  if (Step.Terms.size() != 1 || Step.Terms.begin()->first.size() != 1)
    return false;
  const auto &[M, Bytes] = *Step.Terms.begin();
  const Expr *E = K.symbol(M.front()).E;
  return E && E->K == ExprKind::Binary && E->O == Op::Div &&
         K.poly(E->Ops[0], K.placeOf(M.front())) * Bytes == Row;
}

/// True if a stride of Bytes in dimension 0 is the length of a row in another buffer with elements
/// of the same size: in[y * LENGTH + x] and out[x * LENGTH + y].
static bool isRowOfOthers(const KernelAnalysis &K, const AccessSite &Site, int64_t Bytes) {
  int64_t Element = widthInBytes(*Site.A);
  return any_of(K.accesses(), [&](const AccessSite &Other) {
    if (Other.A->Base == Site.A->Base || Other.A->Base->space() != AddressSpace::Global ||
        widthInBytes(*Other.A) != Element || constantStride(K, *Other.A, 0) != Element)
      return false;
    for (unsigned Dim = 1; Dim < 3; ++Dim)
      if (constantStride(K, *Other.A, Dim) == Bytes && constantStride(K, *Site.A, Dim) == Element)
        return true;
    return false;
  });
}

/// part[k] += in[id * UNIT + k]: true if a private array holds the row that the innermost loop
/// accesses. Then the row is a unit of a few elements.
static bool isHeldByItem(const KernelAnalysis &K, const AccessSite &Site) {
  return any_of(K.accesses(), [&](const AccessSite &Other) {
    return Other.A->Base->space() == AddressSpace::Private && Other.A->Base->isMemory() &&
           !Other.Loops.empty() && Other.Loops.back() == Site.Loops.back() &&
           stepsByElement(K, Other);
  });
}

/// True if V is a counter of what a work-item has found, or the top of its stack: it is set to
/// values that are the same for all work-items, and counted by one in Loop.
static bool countsByOne(const KernelAnalysis &K, const Var *V, const Stmt *Loop) {
  auto Counts = [&](const Stmt *Def) {
    const Expr *Sum = stripCasts(Def->E);
    return Sum->K == ExprKind::Binary && (Sum->O == Op::Add || Sum->O == Op::Sub) &&
           stripCasts(Sum->Ops[0])->K == ExprKind::VarRef && stripCasts(Sum->Ops[0])->V == V &&
           constantValue(stripCasts(Sum->Ops[1])) == 1;
  };
  return all_of(K.defs(V),
                [&](const Stmt *Def) {
                  return !Def->E || Counts(Def) || K.varies(Def->E, Def).uniform();
                }) &&
         any_of(K.defs(V), [&](const Stmt *Def) {
           return Def->E && Counts(Def) && is_contained(stmts(Loop->Body), Def);
         });
}

/// list[get_global_id(0) * most + found++] = ..: what counts; none: nothing does.
std::optional<unsigned> Walks::counter(const AccessSite &Site) const {
  for (const auto &[M, Bytes] : Site.Bytes.Terms)
    if (Site.IsWrite && !Site.Loops.empty() && M.size() == 1 && K.symbol(M.front()).E &&
        Bytes == sizeInBytes(Site.A->Elem))
      if (const Expr *E = stripCasts(K.symbol(M.front()).E);
          E->K == ExprKind::VarRef && countsByOne(K, E->V, Site.Loops.back()))
        return M.front();
  return std::nullopt;
}

/// True if adjacent work-items of dimension 0 are a row apart, and not just adjacent vectors.
bool Walks::isFar(const Access &A, const Poly &Along) const {
  int64_t Distance = std::abs(Along.constantTerm());
  return !Along.isConstant() ||
         (Distance >= C.device().CacheLineBytes && Distance > int64_t(widthInBytes(A)));
}

bool Walks::isNear(const Access &A, int64_t Step) const {
  return Step &&
         std::abs(Step) <= std::max<int64_t>(MaxPixel * sizeInBytes(A.Elem), widthInBytes(A));
}

/// How Symbol moves the address by itself, times Factor; none: along dimension 0, or by more than a
/// pixel.
std::optional<Mover> Walks::mover(const AccessSite &Site, unsigned Symbol, int64_t Factor) const {
  const SymbolInfo &Info = K.symbol(Symbol);
  std::optional<CountedLoop> Loop =
      Info.K == SymbolInfo::LoopVar ? K.countedLoop(Info.Loop) : std::nullopt;
  // Where each group begins with its own iteration, the next group takes the next one.
  bool OfGroup = Loop && K.varies(Loop->Lower, Info.Loop).Group;
  if (Loop && !OfGroup)
    Factor *= Loop->Step; // 0 if the step is not a constant
  if (!isNear(*Site.A, Factor))
    return std::nullopt;
  bool Alone = Site.Bytes.coefficient(Symbol).isConstant();
  if (Alone && (Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration))
    return Info.Loop == Site.Loops.back() && !OfGroup ? Mover::Loop : Mover::Outer;
  if (Alone && Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GroupId)
    return Mover::Outer;
  if (Info.K == SymbolInfo::Atom && Info.E && Info.E->K == ExprKind::Binary && Info.E->O == Op::Div)
    return Mover::Quotient;
  return Info.Varies.Item || Info.Varies.Data ? std::nullopt : std::optional(Mover::Argument);
}

/// The bytes that the loop along the row covers. It is not the one over the components of a pixel.
/// None: the loop does not count.
std::optional<Poly> Walks::coveredBytes(const AccessSite &Site) const {
  int64_t Element = sizeInBytes(Site.A->Elem);
  for (const Stmt *S : reverse(Site.Loops)) {
    std::optional<CountedLoop> Loop = K.countedLoop(S);
    bool IsPixel = Loop && Loop->TripCount && *Loop->TripCount >= 1 && *Loop->TripCount <= MaxPixel;
    if (IsPixel && S != Site.Loops.front()) {
      Element *= *Loop->TripCount;
      continue;
    }
    if (!Loop)
      return std::nullopt;
    // The first elements may be accessed before the loop.
    Poly Lower = K.poly(Loop->Lower, S);
    Poly Length = K.poly(Loop->Bound, S) - (Lower.isConstant() ? Poly() : Lower);
    return (Loop->Compare == Op::LE ? Length + Poly::constant(1) : Length) * Element;
  }
  return std::nullopt;
}

/// in[(y * s + r) * w + x * s + c]: true if the stride of dimension 0, which is not known, is a
/// part of a row, and another loop or dimension steps by rows. False if the loop along the row
/// covers as much: then it is a row of its own.
bool Walks::isPartOfRow(const Walk &W) const {
  auto Degree = [](const Poly &P) {
    size_t Max = 0;
    for (const auto &[M, Coefficient] : P.Terms)
      Max = std::max<size_t>(Max, M.size());
    return Max;
  };
  const AccessSite &Site = *W.Site;
  std::optional<Poly> Covered = coveredBytes(Site);
  // x[i] = x[i + 1] has one iteration less.
  if (Covered && (isMultipleOf(W.Along, *Covered) ||
                  isMultipleOf(W.Along, *Covered + Poly::constant(sizeInBytes(Site.A->Elem)))))
    return false;
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    bool IsItem = Info.K == SymbolInfo::WorkItem && Info.E->Dim > 0;
    bool IsLoop = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration;
    Poly Pitch = Site.Bytes.degree(S) == 1 ? Site.Bytes.coefficient(S) : Poly();
    // Multiples are rows of neighbours that are further away, in loops often behind the group.
    bool IsRow = Degree(Pitch) > 0 && Degree(Pitch) >= Degree(W.Along) &&
                 !isMultipleOf(W.Along, Pitch) &&
                 !(isMultipleOf(Pitch, W.Along) && Degree(Pitch) == Degree(W.Along));
    // If the rows of an outer loop are adjacent, they form one row.
    bool GoesOn = Pitch == Covered ||
                  any_of(Pitch.Terms, [&](const auto &T) { return hasLaunchSize(K, T.first); });
    if (IsRow && (IsItem || (IsLoop && !GoesOn)))
      return true;
  }
  return false;
}

/// True if an access of the kernel steps by Pitch, times a value that is the same for all
/// work-items.
bool Walks::isLengthOfRow(const Monomial &Pitch) const {
  return any_of(K.accesses(), [&](const AccessSite &Site) {
    return any_of(Site.Bytes.Terms, [&](const auto &T) {
      const Monomial &M = T.first;
      return M.size() > Pitch.size() &&
             std::includes(M.begin(), M.end(), Pitch.begin(), Pitch.end()) &&
             !hasLaunchSize(K, M) &&
             all_of(M, [&](unsigned S) { return K.symbol(S).Varies.uniform(); });
    });
  });
}

/// `a[i * n + k] /= a[k * n + k]`, `x[i * n + (n - 1)]`: true if the column that all work-items
/// access is one of rows. A stride that is an argument may also be that of a vector or of a pixel's
/// channels. It is the length of rows if another term of an address steps by it, too; it may be
/// that of segments if the address only counts from their end.
bool Walks::isColumnOfRows(Walk &W) const {
  const AccessSite &Site = *W.Site;
  for (unsigned Dim : {1, 2})
    if (std::optional<Poly> By = K.stride(*Site.A, Dim); !By || !By->isZero())
      return false;
  if (W.Along.Terms.size() != 1 || any_of(Site.Bytes.Terms, [&](const auto &T) {
        return any_of(T.first, [&](unsigned S) { return K.symbol(S).Varies.Data; });
      }))
    return false;
  const Monomial &Pitch = W.Along.Terms.begin()->first;
  if (Pitch.empty() || isLengthOfRow(Pitch))
    return true;
  W.IsInfo = true;
  return Site.Bytes.Terms.count(Pitch);
}

/// True if one access could take adjacent work-items of dimension Dim, or they are pixels. In a
/// pixel's elements it could, but dimension 0 then steps by pixels.
bool Walks::isNearDimension(const Walk &W, unsigned Dim) const {
  std::optional<Poly> Step = K.stride(*W.Site->A, Dim);
  return Step && !Step->isZero() && !isPixelElement(K, *W.Site, Dim) &&
         (Step->isConstant()
              ? std::abs(Step->constantTerm()) <=
                    std::max<int64_t>(C.device().IdealAccessBits / 8, widthInBytes(*W.Site->A))
              : isPixelOf(K, *Step, W.Along));
}

/// True if the distance of neighbours is the length of a row, as far as what moves the address near
/// tells. A guessed number is a question of its own, not evidence: it counts only if the loop or
/// the launch, or another buffer, has rows of that length.
bool Walks::isRow(Walk &W) const {
  const AccessSite &Site = *W.Site;
  switch (W.Near) {
  case Mover::Loop:
    return W.IsGuessed ? coveredBytes(Site) == W.Along && !isHeldByItem(K, Site)
                       : W.Along.isConstant() || !isPartOfRow(W);
  case Mover::Quotient:
    return !W.IsGuessed;
  case Mover::Outer:
    return !W.IsGuessed && (W.Along.isConstant() || !isPartOfRow(W));
  case Mover::Dimension:
    if (W.IsGuessed && isRowOfOthers(K, Site, W.Along.constantTerm()))
      W.IsInfo = isWhole(*Site.A);
    else if (W.IsGuessed && !isRowOfLaunch(K, Site))
      return false;
    for (W.Dim = 1; W.Dim < 3; ++W.Dim)
      if (isNearDimension(W, W.Dim))
        return true;
    return false;
  case Mover::Argument:
    return isColumnOfRows(W);
  }
  return false;
}

std::optional<Walk> Walks::walk(const AccessSite &Site) const {
  std::optional<unsigned> Counter = counter(Site);
  Poly Bytes = Counter ? Site.Bytes.substitute(*Counter, Poly()) : Site.Bytes;
  std::optional<Poly> Along = dominantStep(K, Bytes, 0);
  if (!Along || Along->isZero() || !isRegular(K, Bytes))
    return std::nullopt;
  bool Guessed = Along->isConstant() && guessed(C).isGuessed(Site);
  if (!Guessed && !isFar(*Site.A, *Along))
    return std::nullopt;
  std::set<Mover> Movers = {Mover::Dimension};
  if (Counter)
    Movers.insert(Mover::Loop);
  for (const auto &[M, Factor] : Bytes.Terms)
    if (std::optional<Mover> By = M.size() == 1 ? mover(Site, M.front(), Factor) : std::nullopt)
      Movers.insert(*By);
  for (Mover M : Movers) {
    // Vectors of a row are whole accesses; elements of a structure are a matter of its layout.
    bool IsUnit = !Site.A->Path.empty() || Vectorized.count(Site.A->Base) ||
                  (Site.A->Lanes > 1 && (Site.A->F != Access::Subscript || M != Mover::Loop));
    Walk W{&Site, *Along, M, 0, Guessed || isWhole(*Site.A), Guessed};
    if ((M == Mover::Dimension || !IsUnit) && isRow(W))
      return W;
  }
  return std::nullopt;
}

/// Where dimension 0 steps along the rows of Site, it would step down the columns after a swap with
/// a dimension of a larger stride.
void Walks::keepDimensions(const AccessSite &Site) {
  std::optional<Poly> Along = K.stride(*Site.A, 0);
  if (!Along || Along->isZero() || !Along->isConstant() ||
      (isFar(*Site.A, *Along) && !guessed(C).isGuessed(Site)))
    return;
  Kept |= 1;
  for (unsigned Dim = 1; Dim < 3; ++Dim)
    if (std::optional<Poly> Other = K.stride(*Site.A, Dim);
        !Other || !Other->isConstant() ||
        std::abs(Other->constantTerm()) > std::abs(Along->constantTerm()))
      Kept |= 1 << Dim;
}

/// The first walk of each buffer; one by a loop comes before others.
void Walks::collect() {
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Lanes > 1 && Site.A->F != Access::Subscript)
      Vectorized.insert(Site.A->Base);
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || (A.Lanes == 1 && Vectorized.count(A.Base)))
      continue;
    std::optional<Walk> W = isPinned(K, Site, 0) ? std::nullopt : walk(Site);
    if (!W) {
      keepDimensions(Site);
      continue;
    }
    auto Known = find_if(Found, [&](const Walk &X) { return X.Site->A->Base == A.Base; });
    if (Known == Found.end())
      Found.push_back(*W);
    else if (W->Near == Mover::Loop && Known->Near != Mover::Loop)
      *Known = *W;
  }
}

/// How the accesses of neighbours in dimension 0 lie, up to their distance.
static StringRef how(Mover Near) {
  switch (Near) {
  case Mover::Loop:
    return " is walked along a row by each work-item of dimension 0: neighbours are ";
  case Mover::Outer:
    return " is walked down its columns by each group: neighbours in dimension 0 are ";
  case Mover::Argument:
    return " is walked down a column: neighbours in dimension 0 are ";
  case Mover::Quotient:
  case Mover::Dimension:
    return " is walked down its columns: neighbours in dimension 0 are ";
  }
  return "";
}

static std::string apart(const Walk &W) {
  return W.Along.isConstant() && !W.IsGuessed
             ? itostr(std::abs(W.Along.constantTerm())) + " bytes apart"
             : "a row apart";
}

void Walks::report(const Walk &W, bool Swaps) const {
  const Access &A = *W.Site->A;
  Finding &F = C.report(
      A.Range, nameOf(A) + how(W.Near) + apart(W) +
                   (Swaps ? ", those in dimension " + utostr(W.Dim) + " are contiguous" : ""));
  F.cost("each work-item of a group touches another cache line");
  F.share(shareOfWork(C, *A.Base));
  // 128-bit accesses use a larger part of each line, and all of it if the group extends in both
  // dimensions. In the other order of a quotient and its remainder, another buffer would lose.
  if (W.IsInfo || (W.Near == Mover::Quotient && (Kept & 1)))
    F.atMost(rules::Severity::Info);
  if (W.Near == Mover::Argument)
    F.restsOn(*W.Site);
  if (Swaps)
    F.fix(Applicability::Verify, "clmali-rewrite --passes=swap-dimensions");
}

/// One finding for the dimensions that should be swapped, at the first access that is narrower than
/// an access can be. Information at each other buffer that the swap changes, unless it is on the
/// line of the previous finding; and at each buffer if another one would lose by the swap.
void Walks::reportSwap() const {
  std::vector<const Walk *> Swapped;
  for (const Walk &W : Found)
    if (W.Near == Mover::Dimension)
      Swapped.push_back(&W);
  if (Swapped.empty())
    return;
  const Walk &First = **std::min_element(Swapped.begin(), Swapped.end(), [&](auto *X, auto *Y) {
    const Access &A = *X->Site->A, &B = *Y->Site->A;
    return isWhole(A) != isWhole(B) ? isWhole(B) : isEarlier(K.kernel(), A.Range, B.Range);
  });
  bool Transposes = Kept & (1 << First.Dim);
  if (!Transposes)
    report(First, /*Swaps=*/true);
  SourceRange Last = First.Site->A->Range;
  for (const Walk *W : Swapped) {
    const Access &A = *W->Site->A;
    if (Transposes) {
      // A guessed number may be that of a pixel's channels.
      if ((Kept & (1 << W->Dim)) &&
          (!W->IsGuessed || isRowOfOthers(K, *W->Site, W->Along.constantTerm())))
        C.report(A.Range, nameOf(A) +
                              " is walked down its columns, and another buffer is not: "
                              "neighbours in dimension 0 are " +
                              apart(*W))
            .cost("each work-item of a group touches another cache line; a block of rows and "
                  "columns for each of them touches fewer")
            .atMost(rules::Severity::Info);
      continue;
    }
    StringRef Between =
        C.text({Last.File, std::min(Last.Begin, A.Range.Begin), std::max(Last.End, A.Range.End)});
    if (W == &First || W->Dim != First.Dim ||
        (Last.File == A.Range.File && !Between.contains('\n')))
      continue;
    Last = A.Range;
    C.report(A.Range, nameOf(A) + " is walked down its columns, too").atMost(rules::Severity::Info);
  }
}

void Walks::report() const {
  for (const Walk &W : Found)
    if (W.Near != Mover::Dimension)
      report(W, /*Swaps=*/false);
  reportSwap();
}

/// read_imagef(in, s, (int2)(plane * width + x, y)), where dimension 0 is the plane and dimension 1
/// is x. Once for each image.
static void reportImages(const KernelAnalysis &K, Context &C) {
  std::set<StringRef> Reported;
  for (const ImageAccess &A : imageAccesses(C)) {
    auto Step = [&](unsigned Part, unsigned Dim) {
      return K.stride(K.poly(A.Parts[Part], A.S), Dim).value_or(Poly::constant(0));
    };
    if (A.Parts.size() < 2 || !A.Parts[0]->Ty->isInteger() || Reported.count(A.Image))
      continue;
    Poly Along = Step(0, 0);
    if (Along.isConstant())
      continue;
    for (unsigned Dim = 1; Dim < 3; ++Dim)
      if (Step(0, Dim) == Poly::constant(1) && Step(1, Dim).isZero()) {
        Reported.insert(A.Image);
        C.report(A.Range, "neighbours in dimension 0 access texels of '" + A.Image + "' that are " +
                              K.text(Along) + " apart, those in dimension " + utostr(Dim) +
                              " adjacent ones")
            .cost("work-items of a group share few lines of the texture cache")
            .atMost(rules::Severity::Info);
        break;
      }
  }
}

static void run(const Kernel &, Context &C) {
  // A group of one work-item in dimension 0, such as (1, 64, 1), has no neighbours there.
  if (const auto &Size = C.analysis().kernel().ReqdWorkGroupSize; Size && (*Size)[0] == 1)
    return;
  reportImages(C.analysis(), C);
  Walks All(C);
  All.collect();
  All.report();
}

CLMALI_KERNEL_CHECK("column-major-access", run);
