//===- column-major-access.cpp ------------------------------------------------------------===//
//
// Before: y = get_global_id(0); x = get_global_id(1); out[y * width + x]
// After:  x = get_global_id(0); y = get_global_id(1); out[y * width + x]   (swap-dimensions)
// Limits: information if dimension 0 steps along the rows of another buffer, as in a transposition.
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

/// The number of iterations.
static Poly tripCount(const KernelAnalysis &K, const CountedLoop &Loop, const Stmt *At) {
  Poly Trips = K.poly(Loop.Bound, At) - K.poly(Loop.Lower, At);
  return Loop.Compare == Op::LE ? Trips + Poly::constant(1) : Trips;
}

/// The loop around Site that steps along the row. It is not the one over the components of a pixel,
/// of at most \p MaxPixel: that one scales Element to the pixel's bytes.
static const Stmt *rowLoop(const KernelAnalysis &K, const AccessSite &Site, int64_t MaxPixel,
                           int64_t &Element) {
  for (size_t I = Site.Loops.size(); I-- > 1;) {
    std::optional<CountedLoop> Loop = K.countedLoop(Site.Loops[I]);
    if (!Loop || !Loop->TripCount || *Loop->TripCount < 1 || *Loop->TripCount > MaxPixel)
      return Site.Loops[I];
    Element *= *Loop->TripCount;
  }
  return Site.Loops.front();
}

/// in[(y * s + r) * w + x * s + c]: true if Along, the stride of dimension 0, is a part of a row,
/// and another loop or dimension steps by rows. False if the loop covers as much as Along.
static bool isPartOfRow(const KernelAnalysis &K, const AccessSite &Site, const Poly &Along,
                        int64_t MaxPixel) {
  int64_t Element = sizeInBytes(Site.A->Elem);
  const Stmt *RowLoop = rowLoop(K, Site, MaxPixel, Element);
  Poly Whole; // bytes that the loop covers
  if (std::optional<CountedLoop> Loop = K.countedLoop(RowLoop)) {
    Poly Trips = tripCount(K, *Loop, RowLoop);
    // The first elements may be accessed before the loop.
    Poly Length = K.poly(Loop->Bound, RowLoop);
    Whole = Trips * Element;
    // x[i] = x[i + 1] has one iteration less.
    if (isMultipleOf(Along, Whole) || isMultipleOf(Along, Whole + Poly::constant(Element)) ||
        (!Length.isConstant() && (Trips - Length).isConstant() &&
         isMultipleOf(Along, Length * Element)))
      return false;
  }
  auto Degree = [](const Poly &P) {
    size_t Max = 0;
    for (const auto &[M, Coefficient] : P.Terms)
      Max = std::max<size_t>(Max, M.size());
    return Max;
  };
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    bool Moves = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration ||
                 (Info.K == SymbolInfo::WorkItem && Info.E->Dim > 0);
    if (Moves && Site.Bytes.degree(S) == 1)
      // If the rows of an outer loop are adjacent, they form one row.
      if (Poly Pitch = Site.Bytes.coefficient(S);
          Degree(Pitch) > 0 && Degree(Pitch) >= Degree(Along) && !isMultipleOf(Along, Pitch) &&
          (Info.K == SymbolInfo::WorkItem || !(Pitch == Whole)))
        return true;
  }
  return false;
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

/// Buffers that the kernel accesses by vectors. Scalar accesses to them handle the remainder.
static std::set<const Var *> vectorized(const KernelAnalysis &K) {
  std::set<const Var *> Result;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Lanes > 1 && Site.A->F != Access::Subscript)
      Result.insert(Site.A->Base);
  return Result;
}

/// True if the innermost loop covers the bytes between adjacent work-items.
static bool isWholeRow(const KernelAnalysis &K, const AccessSite &Site, const Poly &Along) {
  std::optional<CountedLoop> Loop = K.countedLoop(Site.Loops.back());
  return Loop && tripCount(K, *Loop, Site.Loops.back()) * sizeInBytes(Site.A->Elem) == Along;
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
  bool Counts = false;
  for (const Stmt *Def : K.defs(V)) {
    if (!Def->E)
      continue; // a declaration without a value
    const Expr *Sum = stripCasts(Def->E);
    if (Sum->K == ExprKind::Binary && (Sum->O == Op::Add || Sum->O == Op::Sub)) {
      const Expr *Old = stripCasts(Sum->Ops[0]), *By = stripCasts(Sum->Ops[1]);
      if (Old->K != ExprKind::VarRef || Old->V != V || constantValue(By) != 1)
        return false;
      Counts |= is_contained(stmts(Loop->Body), Def);
    } else if (K.varies(Def->E, Def).Item) {
      return false;
    }
  }
  return Counts;
}

/// list[get_global_id(0) * most + found++] = ..: the address without the counter of what the
/// work-item has found; none: there is no such counter.
static std::optional<Poly> withoutCounter(const KernelAnalysis &K, const AccessSite &Site) {
  if (Site.Loops.empty() || !Site.IsWrite)
    return std::nullopt;
  std::optional<unsigned> Found;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M)
      if (const Variation &V = K.symbol(S).Varies; V.Data && V.Item) {
        if (Found || M.size() != 1 || Coefficient != sizeInBytes(Site.A->Elem))
          return std::nullopt;
        Found = S;
      }
  const Expr *E = Found ? K.symbol(*Found).E : nullptr;
  if (E)
    E = stripCasts(E);
  if (!E || E->K != ExprKind::VarRef || !countsByOne(K, E->V, Site.Loops.back()))
    return std::nullopt;
  return Site.Bytes.substitute(*Found, Poly());
}

namespace {
/// How the access of a buffer goes through memory, if neighbours in dimension 0 are far apart.
struct Walk {
  StringRef
      How;    ///< which work-items are that far apart: "down a column: neighbours in dimension 0"
  Poly Along; ///< the distance of neighbours in dimension 0, in bytes
  bool IsInfo = false;
  bool IsGuessed = false; ///< the distance is, and is not told
  bool RestsOnAddress = false;
};
using Pattern = std::optional<Walk> (*)(const KernelAnalysis &, Context &, const AccessSite &);
} // namespace

static std::string distance(const Poly &Along, bool Guessed = false) {
  return Along.isConstant() && !Guessed ? itostr(std::abs(Along.constantTerm())) + " bytes"
                                        : "a row";
}

static bool isNear(const Context &C, const Poly &Along) {
  return Along.isConstant() && std::abs(Along.constantTerm()) < C.device().CacheLineBytes;
}

/// `for (k..) in[get_global_id(0) * n + k]`: each work-item has a row to itself.
static std::optional<Walk> rowPerItem(const KernelAnalysis &K, Context &C, const AccessSite &Site) {
  int64_t MaxPixel = C.option("MaxPixelElements");
  std::optional<Poly> List = withoutCounter(K, Site);
  std::optional<Poly> Along = List ? K.stride(*List, 0) : dominantStep(K, Site, 0);
  if (!List && (!isRegular(K, Site) || !stepsByElement(K, Site, MaxPixel)))
    return std::nullopt;
  // A question of its own, not evidence: rows that the loop covers are rows for any guess.
  bool Guessed = Along && Along->isConstant() && guessed(C).isGuessed(Site);
  if (!Along || Along->isZero() ||
      (Guessed ? !isWholeRow(K, Site, *Along) || isHeldByItem(K, Site) : isNear(C, *Along)) ||
      (!Along->isConstant() && isPartOfRow(K, Site, *Along, MaxPixel)))
    return std::nullopt;
  // A guessed row length may be short. 128-bit accesses use a larger part of each cache line.
  bool Info = Guessed || widthInBytes(*Site.A) * 8 >= C.device().IdealAccessBits;
  return Walk{"along a row by each work-item of dimension 0: neighbours", *Along, Info, Guessed};
}

/// `for (j = get_group_id(0)..) for (k = get_local_id(0); ..; k += get_local_size(0)) b[k * n +
/// j]`: the group steps down a column; the next group, or the next iteration of an outer loop,
/// takes the next column.
static std::optional<Walk> columnPerGroup(const KernelAnalysis &K, Context &C,
                                          const AccessSite &Site) {
  std::optional<Poly> Along = K.stride(*Site.A, 0);
  if (Site.Loops.empty() || !isRegular(K, Site) || !Along || isNear(C, *Along))
    return std::nullopt;
  bool Down = false, Next = false;
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    if (Site.Bytes.degree(S) != 1)
      continue;
    Poly Step = Site.Bytes.coefficient(S);
    bool Near = Step.isConstant() && std::abs(Step.constantTerm()) == sizeInBytes(Site.A->Elem);
    bool Counts = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration;
    if (Counts && Info.Loop == Site.Loops.back())
      Down = isMultipleOf(Step, *Along);
    else
      Next |= Near && (Counts ||
                       (Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GroupId));
  }
  if (!Down || !Next)
    return std::nullopt;
  return Walk{"down its columns by each group: neighbours in dimension 0", *Along, false, false,
              Along->isConstant()};
}

/// `x = id / height; y = id % height; out[y * width + x]`: one dimension counts the pixels column
/// by column.
static std::optional<Walk> columnsOfOneDimension(const KernelAnalysis &K, Context &C,
                                                 const AccessSite &Site) {
  auto IsOf = [&](unsigned S, Op O) {
    const Expr *E = K.symbol(S).K == SymbolInfo::Atom ? K.symbol(S).E : nullptr;
    return E && E->K == ExprKind::Binary && E->O == O && Site.Bytes.degree(S) == 1;
  };
  std::optional<unsigned> Quotient, Remainder;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M)
      if (IsOf(S, Op::Div))
        Quotient = S;
      else if (IsOf(S, Op::Rem))
        Remainder = S;
  if (!Quotient || !Remainder)
    return std::nullopt;
  const Expr *Of = K.symbol(*Quotient).E, *Rest = K.symbol(*Remainder).E;
  Poly Near = Site.Bytes.coefficient(*Quotient), Far = Site.Bytes.coefficient(*Remainder);
  std::optional<Poly> Id = K.stride(K.poly(Of->Ops[0], K.placeOf(*Quotient)), 0);
  if (!equal(Of->Ops[0], Rest->Ops[0]) || !equal(Of->Ops[1], Rest->Ops[1]) || !Id ||
      !(*Id == Poly::constant(1)) || !Near.isConstant() || Near.constantTerm() <= 0 ||
      Near.constantTerm() > C.option("MaxPixelElements") * sizeInBytes(Site.A->Elem) ||
      isNear(C, Far))
    return std::nullopt;
  // A few planes: they are the channels of an image.
  if (std::optional<int64_t> By = constantValue(stripCasts(Of->Ops[1]));
      By && *By < C.option("MinColumnElements"))
    return std::nullopt;
  return Walk{"down its columns: neighbours in dimension 0", Far};
}

static bool isLaunchSize(const Expr &E) {
  return E.Query == WorkItemQuery::GlobalSize || E.Query == WorkItemQuery::NumGroups ||
         E.Query == WorkItemQuery::LocalSize;
}

/// A column that is common to all work-items: of rows, of segments of a vector that may be rows, or
/// none.
enum class Column : uint8_t { No, OfParts, OfRows };

/// `a[i * n + k] /= a[k * n + k]`, `x[i * n + (n - 1)]`: whether the access takes one element of
/// each row, in a column that is the same for all work-items. A stride that is an argument may also
/// be that of a vector or of a pixel's channels. It is the length of rows if another term of an
/// address steps by it, too; it may be that of segments if the address only counts from their end.
static Column columnOf(const KernelAnalysis &K, const AccessSite &Site, const Poly &Along,
                       int64_t CacheLineBytes) {
  int64_t Element = widthInBytes(*Site.A);
  if (Along.Terms.size() != 1 || std::abs(Along.Terms.begin()->second) < Element)
    return Column::No;
  const Monomial &Pitch = Along.Terms.begin()->first;
  bool Within = false, Parts = false,
       Rows = Pitch.empty() && std::abs(Along.constantTerm()) >= CacheLineBytes;
  for (const auto &[M, Factor] : Site.Bytes.Terms) {
    if (any_of(M, [&](unsigned S) { return K.symbol(S).Varies.Item != 0; }))
      continue;
    if (any_of(M, [&](unsigned S) { return K.symbol(S).Varies.Data; }))
      return Column::No;
    Within |= M.size() == 1 && std::abs(Factor) == Element;
    Parts |= !Pitch.empty() && M == Pitch;
  }
  // By a value that is the same for all work-items. A step by the size of the launch (grid-stride
  // loop) belongs to the id.
  auto StepsByRows = [&](const Monomial &M) {
    return M.size() > Pitch.size() &&
           std::includes(M.begin(), M.end(), Pitch.begin(), Pitch.end()) &&
           none_of(M, [&](unsigned S) {
             const SymbolInfo &Of = K.symbol(S);
             return Of.Varies.Item != 0 || (Of.K == SymbolInfo::WorkItem && isLaunchSize(*Of.E));
           });
  };
  if (!Pitch.empty() && Within)
    Rows = any_of(K.accesses(), [&](const AccessSite &S) {
      return any_of(S.Bytes.Terms, [&](const auto &T) { return StepsByRows(T.first); });
    });
  return !Within ? Column::No : Rows ? Column::OfRows : Parts ? Column::OfParts : Column::No;
}

/// In kernels of one dimension: each work-item takes one element of a row, in a common column.
static std::optional<Walk> commonColumn(const KernelAnalysis &K, Context &C,
                                        const AccessSite &Site) {
  std::optional<Poly> Along = K.stride(*Site.A, 0);
  auto Moves = [&](unsigned Dim) {
    std::optional<Poly> By = K.stride(*Site.A, Dim);
    return !By || !By->isZero();
  };
  if (!isRegular(K, Site) || !Along || Along->isZero() || Moves(1) || Moves(2))
    return std::nullopt;
  Column Kind = columnOf(K, Site, *Along, C.device().CacheLineBytes);
  if (Kind == Column::No)
    return std::nullopt;
  return Walk{"down a column: neighbours in dimension 0", *Along, Kind == Column::OfParts, false,
              true};
}

/// Reports the first access of each buffer that has the pattern, unless the buffer is in Skipped;
/// adds those that it reports. Returns the buffers whose finding is no information.
static std::set<const Var *> reportWalks(Context &C, Pattern Find, bool Subscripts,
                                         std::set<const Var *> &Skipped) {
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Result;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || !A.Path.empty() || Skipped.count(A.Base) ||
        (A.Lanes > 1 && !(Subscripts && A.F == Access::Subscript)) || isPinned(K, Site, 0))
      continue;
    std::optional<Walk> W = Find(K, C, Site);
    if (!W)
      continue;
    Finding &F = C.report(A.Range, nameOf(A) + " is walked " + W->How.str() + " are " +
                                       distance(W->Along, W->IsGuessed) + " apart");
    F.cost("each work-item of a group touches another cache line");
    F.share(shareOfWork(C, *A.Base));
    if (W->RestsOnAddress)
      F.restsOn(Site);
    if (W->IsInfo)
      F.atMost(rules::Severity::Info);
    if (F.stands())
      Skipped.insert(A.Base);
    if (F.stands() && !W->IsInfo)
      Result.insert(A.Base);
  }
  return Result;
}

namespace {
/// The first access of a buffer for which dimension 0 steps by rows, and another dimension by
/// elements.
struct ColumnAccess {
  const AccessSite *Site;
  unsigned Dim;               ///< the dimension that steps along the rows
  std::optional<Poly> Stride; ///< of dimension 0; none: it rests on a guessed macro
};

/// What dimensions do to the buffers of a kernel. A swap of dimensions is a fix if it harms no
/// buffer.
class DimensionOrder {
public:
  explicit DimensionOrder(Context &C) : C(C), K(C.analysis()) {}
  void collect();
  void report(const std::set<const Var *> &Rows);

private:
  bool isFar(const AccessSite &Site, const Poly &Along, bool Guessed) const;
  bool isWhole(const AccessSite &Site) const {
    return widthInBytes(*Site.A) * 8 >= C.device().IdealAccessBits;
  }
  void addColumn(const AccessSite &Site, unsigned Dim, const Poly &Along, bool Guessed);
  void reportTransposition() const;
  void reportSwap() const;
  void reportOthers(const std::set<const Var *> &Rows) const;

  Context &C;
  const KernelAnalysis &K;
  std::vector<ColumnAccess> Columns; ///< one for each buffer
  uint8_t Kept = 0;                  ///< dimensions that some buffer would lose by in a swap
  // The access that is reported for all buffers:
  const AccessSite *First = nullptr;
  unsigned FirstDim = 0;
  bool Symbolic = false, ByLaunch = false;
  int64_t Bytes = 0;
};
} // namespace

/// True if adjacent work-items of dimension 0 are a row apart, and not just adjacent vectors. A
/// guessed number is a question of its own, not evidence: it counts only if the launch, or another
/// buffer, has rows of that length.
bool DimensionOrder::isFar(const AccessSite &Site, const Poly &Along, bool Guessed) const {
  if (!Along.isConstant())
    return true;
  int64_t Distance = std::abs(Along.constantTerm());
  return Guessed
             ? isRowOfLaunch(K, Site) || isRowOfOthers(K, Site, Along.constantTerm())
             : Distance >= C.device().CacheLineBytes && Distance > int64_t(widthInBytes(*Site.A));
}

void DimensionOrder::collect() {
  std::set<const Var *> Vectorized = vectorized(K);
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || (A.Lanes == 1 && Vectorized.count(A.Base)))
      continue;
    std::optional<Poly> Along = K.stride(A, 0);
    if (!Along)
      continue; // a gather: no evidence for either order
    int64_t Near = std::max<int64_t>(C.device().IdealAccessBits / 8, widthInBytes(A));
    bool Guessed = Along->isConstant() && guessed(C).isGuessed(Site); // see isFar
    bool Far = isFar(Site, *Along, Guessed);
    if (!Along->isZero() && !Far) {
      // Dimension 0 steps along the rows. After a swap with a dimension of a larger stride, it
      // would step down the columns.
      for (unsigned Dim = 1; Dim < 3; ++Dim)
        if (std::optional<Poly> Other = K.stride(A, Dim);
            !Other || !Other->isConstant() ||
            std::abs(Other->constantTerm()) > std::abs(Along->constantTerm()))
          Kept |= 1 << Dim;
      continue;
    }
    if (!Far)
      continue;
    for (unsigned Dim = 1; Dim < 3; ++Dim) {
      std::optional<Poly> Other = K.stride(A, Dim);
      if (!Other || Other->isZero() || isPixelElement(K, Site, Dim) ||
          (Other->isConstant() ? std::abs(Other->constantTerm()) > Near
                               : !isPixelOf(K, *Other, *Along)))
        continue;
      addColumn(Site, Dim, *Along, Guessed);
    }
  }
}

/// Adds the buffer, and chooses the access to report: one that is narrower than an access can be
/// loses more, else the earlier one.
void DimensionOrder::addColumn(const AccessSite &Site, unsigned Dim, const Poly &Along,
                               bool Guessed) {
  const Access &A = *Site.A;
  if (none_of(Columns, [&](const ColumnAccess &X) { return X.Site->A->Base == A.Base; }))
    Columns.push_back({&Site, Dim, Guessed ? std::optional<Poly>() : Along});
  bool Whole = isWhole(Site), WasWhole = First && isWhole(*First);
  if (First && !(Whole == WasWhole ? isEarlier(K.kernel(), A.Range, First->A->Range) : WasWhole))
    return;
  First = &Site;
  FirstDim = Dim;
  Symbolic = Guessed || !Along.isConstant();
  ByLaunch = Guessed && !isRowOfOthers(K, Site, Along.constantTerm());
  Bytes = Along.constantTerm();
}

/// \p Rows: buffers that were reported as rows of work-items.
void DimensionOrder::report(const std::set<const Var *> &Rows) {
  if (!First)
    return;
  if (Kept & (1 << FirstDim)) {
    reportTransposition();
  } else if (!Rows.count(First->A->Base)) {
    reportSwap();
    reportOthers(Rows);
  }
}

/// Another buffer would lose by a swap: information at each buffer.
void DimensionOrder::reportTransposition() const {
  for (const ColumnAccess &X : Columns)
    // A guessed number may be that of a pixel's channels.
    if ((Kept & (1 << X.Dim)) &&
        (X.Stride || isRowOfOthers(K, *X.Site, K.stride(*X.Site->A, 0)->constantTerm())))
      C.report(X.Site->A->Range, nameOf(*X.Site->A) +
                                     " is walked down its columns, and another buffer is not: "
                                     "neighbours in dimension 0 are " +
                                     (X.Stride ? distance(*X.Stride) : "a row") + " apart")
          .cost("each work-item of a group touches another cache line; a block of rows and "
                "columns for each of them touches fewer")
          .atMost(rules::Severity::Info);
}

void DimensionOrder::reportSwap() const {
  Finding &F =
      C.report(First->A->Range,
               nameOf(*First->A) + " is walked down its columns: neighbours in dimension 0 are " +
                   (Symbolic ? std::string("a row") : itostr(std::abs(Bytes)) + " bytes") +
                   " apart, those in dimension " + utostr(FirstDim) + " are contiguous");
  F.cost("each work-item of a group touches another cache line");
  F.share(shareOfWork(C, *First->A->Base));
  // 128-bit accesses use a larger part of each line, and all of it if the group extends in both
  // dimensions.
  if (ByLaunch || isWhole(*First))
    F.atMost(rules::Severity::Info);
  F.fix(Applicability::Verify, "clmali-rewrite --passes=swap-dimensions");
}

/// A swap changes other buffers, too: information at their first access, unless it is on the line
/// of the previous finding.
void DimensionOrder::reportOthers(const std::set<const Var *> &Rows) const {
  SourceRange Last = First->A->Range;
  for (const ColumnAccess &X : Columns) {
    SourceRange Here = X.Site->A->Range;
    if (X.Site->A->Base == First->A->Base || X.Dim != FirstDim || Rows.count(X.Site->A->Base))
      continue;
    StringRef Between =
        C.text({Last.File, std::min(Last.Begin, Here.Begin), std::max(Last.End, Here.End)});
    if (Last.File == Here.File && !Between.contains('\n'))
      continue;
    Last = Here;
    C.report(Here, nameOf(*X.Site->A) + " is walked down its columns, too")
        .atMost(rules::Severity::Info);
  }
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
  const KernelAnalysis &K = C.analysis();
  // A group of one work-item in dimension 0, such as (1, 64, 1), has no neighbours there.
  if (const auto &Size = K.kernel().ReqdWorkGroupSize; Size && (*Size)[0] == 1)
    return;
  reportImages(K, C);
  const std::set<const Var *> Vectorized = vectorized(K);
  std::set<const Var *> OfRows = Vectorized;
  std::set<const Var *> Rows = reportWalks(C, rowPerItem, /*Subscripts=*/true, OfRows);
  std::set<const Var *> Reported = Vectorized;
  Reported.insert(Rows.begin(), Rows.end());
  for (Pattern Find : {columnsOfOneDimension, columnPerGroup, commonColumn})
    reportWalks(C, Find, /*Subscripts=*/false, Reported);
  DimensionOrder Order(C);
  Order.collect();
  Order.report(Rows);
}

CLMALI_KERNEL_CHECK("column-major-access", run);
