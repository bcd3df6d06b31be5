//===- column-major-access.cpp
//---------------------------------------------------------------------===//
//
// Before: y = get_global_id(0); x = get_global_id(1); out[y * width + x]
// After:  x = get_global_id(0); y = get_global_id(1); out[y * width + x]   (swap-dimensions)
// Limits: information where another buffer is walked along dimension 0 (a transposition has one of
// each).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Global memory, or what is given as constant: that lies there, too.
static bool isBuffer(const Access &A) {
  return A.Base->space() == AddressSpace::Global ||
         (A.Base->space() == AddressSpace::Constant && A.Base->isPointerParam());
}

/// Is P a multiple of Of, by a number or by arguments? The division of polynomials, highest terms
/// first.
static bool isMultiple(Poly P, const Poly &Of) {
  if (Of.isZero() || P.isZero())
    return false;
  auto Highest = [](const Poly &X) {
    return std::max_element(X.Terms.begin(), X.Terms.end(), [](const auto &A, const auto &B) {
      return A.first.size() != B.first.size() ? A.first.size() < B.first.size() : A.first > B.first;
    });
  };
  auto By = Highest(Of);
  for (unsigned Steps = 0; !P.isZero(); ++Steps) {
    auto At = Highest(P);
    if (Steps > 16 || At->second % By->second != 0 ||
        !std::includes(At->first.begin(), At->first.end(), By->first.begin(), By->first.end()))
      return false;
    Monomial Rest;
    std::set_difference(At->first.begin(), At->first.end(), By->first.begin(), By->first.end(),
                        std::back_inserter(Rest));
    Poly Times;
    Times.Terms[Rest] = At->second / By->second;
    P = P - Of * Times;
  }
  return true;
}

/// in[y * pitch + x * (pitch / width)]: is one step a pixel of as many bytes as an argument says,
/// in rows of many pixels?
static bool isPixelOf(const KernelAnalysis &K, const Poly &Step, const Poly &Row) {
  // width * height is a plane.
  if (any_of(Step.Terms, [](const auto &T) { return T.first.size() > 1; }))
    return false;
  if (isMultiple(Row, Step))
    return !(Row == Step);
  if (Step.Terms.size() != 1 || Step.Terms.begin()->first.size() != 1)
    return false;
  const auto &[M, Bytes] = *Step.Terms.begin();
  const Expr *E = K.symbol(M.front()).E;
  return E && E->K == ExprKind::Binary && E->O == Op::Div &&
         K.poly(E->Ops[0], K.placeOf(M.front())) * Bytes == Row;
}

/// Elements: a walk by pixels is one, too.
static constexpr int64_t Pixel = 4;

/// The loop that walks, of those around Site: not the one over the components of a pixel, whose
/// bytes become the Element.
static const Stmt *walkOf(const KernelAnalysis &K, const AccessSite &Site, int64_t &Element) {
  for (size_t I = Site.Loops.size(); I-- > 1;) {
    std::optional<CountedLoop> Loop = K.countedLoop(Site.Loops[I]);
    if (!Loop || !Loop->TripCount || *Loop->TripCount < 1 || *Loop->TripCount > Pixel)
      return Site.Loops[I];
    Element *= *Loop->TripCount;
  }
  return Site.Loops.front();
}

/// in[(y * s + r) * w + x * s + c]: is what dimension 0 steps by a part of a row, of which there
/// are others? Not where the loop walks as far as that.
static bool isPartOfRow(const KernelAnalysis &K, const AccessSite &Site, const Poly &Along) {
  int64_t Element = sizeInBytes(Site.A->Elem);
  const Stmt *Walk = walkOf(K, Site, Element);
  Poly Whole; // what the loop walks
  if (std::optional<CountedLoop> Loop = K.countedLoop(Walk)) {
    Poly Rounds = K.poly(Loop->Bound, Walk) - K.poly(Loop->Lower, Walk);
    if (Loop->Compare == Op::LE)
      Rounds = Rounds + Poly::constant(1);
    // The first ones may stand before the loop.
    Poly Length = K.poly(Loop->Bound, Walk);
    Whole = Rounds * Element;
    // x[i] = x[i + 1] leaves out one.
    if (isMultiple(Along, Whole) || isMultiple(Along, Whole + Poly::constant(Element)) ||
        (!Length.isConstant() && (Rounds - Length).isConstant() &&
         isMultiple(Along, Length * Element)))
      return false;
  }
  auto Degree = [](const Poly &P) {
    size_t Most = 0;
    for (const auto &[M, Coefficient] : P.Terms)
      Most = std::max<size_t>(Most, M.size());
    return Most;
  };
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    bool Moves = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration ||
                 (Info.K == SymbolInfo::WorkItem && Info.E->Dim > 0);
    if (Moves && Site.Bytes.degree(S) == 1)
      // Not where the outer loop's rows follow one another: together they are one.
      if (Poly Pitch = Site.Bytes.coefficient(S);
          Degree(Pitch) > 0 && Degree(Pitch) >= Degree(Along) && !isMultiple(Along, Pitch) &&
          (Info.K == SymbolInfo::WorkItem || !(Pitch == Whole)))
        return true;
  }
  return false;
}

/// Is a step of Bytes in dimension 0 a row in another buffer of such elements: in[y * LENGTH + x]
/// beside out[x * LENGTH + y]?
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

/// Buffers that the kernel accesses by vectors; what it takes of them one by one is what these
/// leave over.
static std::set<const Var *> vectorized(const KernelAnalysis &K) {
  std::set<const Var *> Result;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Lanes > 1 && Site.A->F != Access::Subscript)
      Result.insert(Site.A->Base);
  return Result;
}

/// Does the innermost loop walk from a work-item's own elements as far as those of its neighbour?
static bool isWholeRow(const KernelAnalysis &K, const AccessSite &Site, const Poly &Along) {
  std::optional<CountedLoop> Loop = K.countedLoop(Site.Loops.back());
  if (!Loop)
    return false;
  Poly Rounds = K.poly(Loop->Bound, Site.Loops.back()) - K.poly(Loop->Lower, Site.Loops.back());
  if (Loop->Compare == Op::LE)
    Rounds = Rounds + Poly::constant(1);
  return Rounds * sizeInBytes(Site.A->Elem) == Along;
}

/// part[k] += in[id * UNIT + k]: does an array of the work-item's own hold the row that the
/// innermost loop walks? Then it is a unit, of a few elements.
static bool isHeldByItem(const KernelAnalysis &K, const AccessSite &Site) {
  return any_of(K.accesses(), [&](const AccessSite &Other) {
    return Other.A->Base->space() == AddressSpace::Private && Other.A->Base->isMemory() &&
           !Other.Loops.empty() && Other.Loops.back() == Site.Loops.back() &&
           stepsByElement(K, Other);
  });
}

/// Is V a counter of what a work-item has found, or the top of its stack: set to what is the same
/// for all, and counted by one in Loop?
static bool countsByOne(const KernelAnalysis &K, const Var *V, const Stmt *Loop) {
  bool Counts = false;
  for (const Stmt *Def : K.defs(V)) {
    if (!Def->E)
      continue; // declared, and set elsewhere
    const Expr *Sum = stripCasts(Def->E);
    if (Sum->K == ExprKind::Binary && (Sum->O == Op::Add || Sum->O == Op::Sub)) {
      const Expr *Old = stripCasts(Sum->Ops[0]), *By = stripCasts(Sum->Ops[1]);
      if (Old->K != ExprKind::VarRef || Old->V != V || constantValue(By) != 1)
        return false;
      walk(Loop->Body, [&](const Stmt *S) { return !(Counts |= S == Def); });
    } else if (K.varies(Def->E, Def).Item) {
      return false;
    }
  }
  return Counts;
}

/// list[get_global_id(0) * most + found++] = ..: where data say how many a work-item has found, the
/// address without that number.
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

/// `for (k..) in[get_global_id(0) * n + k]`: each work-item has a row to itself.
static std::set<const Var *> rowsOfTheirOwn(const KernelAnalysis &K, Context &C) {
  std::set<const Var *> Told = vectorized(K), Rows;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || !A.Path.empty() ||
        (A.Lanes > 1 && A.F != Access::Subscript) || Told.count(A.Base) || isPinned(K, Site, 0))
      continue;
    std::optional<Poly> List = withoutCounter(K, Site);
    std::optional<Poly> Along = List ? K.stride(*List, 0) : dominantStep(K, Site, 0);
    if (!List && (!isRegular(K, Site) || !stepsByElement(K, Site, Pixel)))
      continue;
    bool Guessed = Along && Along->isConstant() && restsOnGuess(C.module(), K, Site);
    if (!Along || Along->isZero() ||
        (Guessed
             ? !isWholeRow(K, Site, *Along) || isHeldByItem(K, Site)
             : Along->isConstant() && std::abs(Along->constantTerm()) < C.device().CacheLineBytes))
      continue;
    if (!Along->isConstant() && isPartOfRow(K, Site, *Along))
      continue;
    Told.insert(A.Base);
    Finding &F = C.report(
        A.Range,
        nameOf(A) + " is walked along a row by each work-item of dimension 0: neighbours are " +
            (Along->isConstant() && !Guessed ? itostr(std::abs(Along->constantTerm())) + " bytes"
                                             : std::string("a row")) +
            " apart");
    F.cost("each work-item of a group touches another cache line");
    // How long it is, the host knows; whole accesses of 128 bits lose a part of each line.
    if (Guessed || widthInBytes(A) * 8 >= C.device().IdealAccessBits)
      F.atMost(rules::Severity::Info);
    else
      Rows.insert(A.Base);
  }
  return Rows;
}

/// `for (j = get_group_id(0)..) for (k = get_local_id(0); ..; k += get_local_size(0)) b[k * n +
/// j]`: the group walks down a column, and the next column is the next group's, or that of the loop
/// around.
static std::set<const Var *> columnsOfGroups(const KernelAnalysis &K, Context &C) {
  std::set<const Var *> Told = vectorized(K);
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || A.Lanes != 1 || !A.Path.empty() || Site.Loops.empty() ||
        !isRegular(K, Site) || Told.count(A.Base) || isPinned(K, Site, 0))
      continue;
    std::optional<Poly> Along = K.stride(A, 0);
    if (!Along ||
        (Along->isConstant() && (std::abs(Along->constantTerm()) < C.device().CacheLineBytes ||
                                 restsOnGuess(C.module(), K, Site))))
      continue;
    bool Down = false, Next = false;
    for (unsigned S = 0; S < K.numSymbols(); ++S) {
      const SymbolInfo &Info = K.symbol(S);
      if (Site.Bytes.degree(S) != 1)
        continue;
      Poly Step = Site.Bytes.coefficient(S);
      bool Near = Step.isConstant() && std::abs(Step.constantTerm()) == sizeInBytes(A.Elem);
      bool Counts = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration;
      if (Counts && Info.Loop == Site.Loops.back())
        Down = isMultiple(Step, *Along);
      else
        Next |=
            Near &&
            (Counts || (Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GroupId));
    }
    if (!Down || !Next)
      continue;
    Told.insert(A.Base);
    C.report(
         A.Range,
         nameOf(A) +
             " is walked down its columns by each group: neighbours in dimension 0 are a row apart")
        .cost("each work-item of a group touches another cache line");
  }
  return Told;
}

/// `x = id / height; y = id % height; out[y * width + x]`: one dimension counts the pixels column
/// by column.
static void columnsOfOneDimension(const KernelAnalysis &K, Context &C,
                                  const std::set<const Var *> &Rows) {
  std::set<const Var *> Told = vectorized(K);
  Told.insert(Rows.begin(), Rows.end());
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || A.Lanes != 1 || !A.Path.empty() || Told.count(A.Base) ||
        isPinned(K, Site, 0))
      continue;
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
      continue;
    const Expr *Of = K.symbol(*Quotient).E, *Rest = K.symbol(*Remainder).E;
    Poly Near = Site.Bytes.coefficient(*Quotient), Far = Site.Bytes.coefficient(*Remainder);
    std::optional<Poly> Id = K.stride(K.poly(Of->Ops[0], K.placeOf(*Quotient)), 0);
    if (!equal(Of->Ops[0], Rest->Ops[0]) || !equal(Of->Ops[1], Rest->Ops[1]) || !Id ||
        !(*Id == Poly::constant(1)) || !Near.isConstant() || Near.constantTerm() <= 0 ||
        Near.constantTerm() > Pixel * sizeInBytes(A.Elem) ||
        (Far.isConstant() && Far.constantTerm() < C.device().CacheLineBytes))
      continue;
    // Rows of a few elements: channels behind one another.
    constexpr int64_t ShortRow = 16;
    if (std::optional<int64_t> By = constantValue(stripCasts(Of->Ops[1])); By && *By < ShortRow)
      continue;
    Told.insert(A.Base);
    C.report(A.Range,
             nameOf(A) + " is walked down its columns: neighbours in dimension 0 are " +
                 (Far.isConstant() ? itostr(Far.constantTerm()) + " bytes" : std::string("a row")) +
                 " apart")
        .cost("each work-item of a group touches another cache line");
  }
}

enum class Column : uint8_t { No, OfParts, OfRows };

/// `a[i * n + k] /= a[k * n + k]`, `x[i * n + (n - 1)]`: is it one element of each row, in a column
/// that all work-items have alike? A stride that an argument says may be that of a vector, or of a
/// pixel's channels: it is a row where the kernel counts others of that length, too, and a part of
/// a sequence, maybe, where the address only counts from the other end.
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
  auto Counts = [&](const Monomial &M) { // others of that length, by what all work-items have alike
    return M.size() > Pitch.size() &&
           std::includes(M.begin(), M.end(), Pitch.begin(), Pitch.end()) &&
           none_of(M, [&](unsigned S) { return K.symbol(S).Varies.Item != 0; });
  };
  if (!Pitch.empty() && Within)
    Rows = any_of(K.accesses(), [&](const AccessSite &S) {
      return any_of(S.Bytes.Terms, [&](const auto &T) { return Counts(T.first); });
    });
  return !Within ? Column::No : Rows ? Column::OfRows : Parts ? Column::OfParts : Column::No;
}

/// Of kernels of one dimension, what a work-item takes of a row is one element; but of what was
/// Told, or is taken by vectors.
static void columnsOfRows(const KernelAnalysis &K, Context &C, std::set<const Var *> Told) {
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || A.Lanes != 1 || !A.Path.empty() || Told.count(A.Base) ||
        !isRegular(K, Site) || isPinned(K, Site, 0))
      continue;
    std::optional<Poly> Along = K.stride(A, 0);
    auto Moves = [&](unsigned Dim) {
      std::optional<Poly> By = K.stride(A, Dim);
      return !By || !By->isZero();
    };
    if (!Along || Along->isZero() || Moves(1) || Moves(2) || restsOnGuess(C.module(), K, Site))
      continue;
    Column Kind = columnOf(K, Site, *Along, C.device().CacheLineBytes);
    if (Kind == Column::No)
      continue;
    Told.insert(A.Base);
    Finding &F = C.report(
        A.Range, nameOf(A) + " is walked down a column: neighbours in dimension 0 are " +
                     (Along->isConstant() ? itostr(std::abs(Along->constantTerm())) + " bytes"
                                          : std::string("a row")) +
                     " apart");
    F.cost("each work-item of a group touches another cache line");
    if (Kind == Column::OfParts)
      F.atMost(rules::Severity::Info);
  }
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  // In groups of one work-item, nobody walks beside another.
  if (const auto &Size = K.kernel().ReqdWorkGroupSize;
      Size && (*Size)[0] * (*Size)[1] * (*Size)[2] == 1)
    return;
  std::set<const Var *> Rows = rowsOfTheirOwn(K, C);
  columnsOfOneDimension(K, C, Rows);
  std::set<const Var *> Told = columnsOfGroups(K, C);
  Told.insert(Rows.begin(), Rows.end());
  columnsOfRows(K, C, std::move(Told));
  const AccessSite *First = nullptr;
  /// Of each buffer the first, the dimension that walks its rows, and a row's length, unless it was
  /// guessed.
  std::vector<std::tuple<const AccessSite *, unsigned, std::optional<Poly>>> Columns;
  unsigned FirstDim = 0;
  bool Symbolic = false, ByLaunch = false;
  int64_t Bytes = 0;
  uint8_t Kept = 0; ///< dimensions that some buffer would lose by
  std::set<const Var *> Vectorized = vectorized(K);
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (!isBuffer(A) || Site.IsAtomic || (A.Lanes == 1 && Vectorized.count(A.Base)))
      continue;
    std::optional<Poly> Along = K.stride(A, 0);
    if (!Along)
      continue; // a gather says nothing of either direction
    int64_t Near = std::max<int64_t>(C.device().IdealAccessBits / 8, widthInBytes(A));
    // Whole vectors one behind the other are near, and so is what is as wide as a number that had
    // to be guessed, unless the launch has rows of that length, or another buffer.
    bool Guessed = Along->isConstant() && restsOnGuess(C.module(), K, Site);
    bool Far = !Along->isConstant() ||
               (Guessed ? isRowOfLaunch(K, Site) || isRowOfOthers(K, Site, Along->constantTerm())
                        : std::abs(Along->constantTerm()) >= C.device().CacheLineBytes &&
                              std::abs(Along->constantTerm()) > int64_t(widthInBytes(A)));
    if (!Along->isZero() && !Far) {
      // Walked along dimension 0; what another dimension moves further, would be walked down its
      // columns after a swap.
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
      if (!Other || Other->isZero() ||
          (Other->isConstant() ? std::abs(Other->constantTerm()) > Near
                               : !isPixelOf(K, *Other, *Along)))
        continue;
      if (none_of(Columns,
                  [&](const auto &Known) { return std::get<0>(Known)->A->Base == A.Base; }))
        Columns.emplace_back(&Site, Dim, Guessed ? std::optional<Poly>() : Along);
      // What is narrower than an access can be, loses more.
      bool Whole = widthInBytes(A) * 8 >= C.device().IdealAccessBits,
           WasWhole = First && widthInBytes(*First->A) * 8 >= C.device().IdealAccessBits;
      if (!First ||
          (Whole == WasWhole ? isEarlier(K.kernel(), A.Range, First->A->Range) : WasWhole)) {
        First = &Site;
        FirstDim = Dim;
        Symbolic = Guessed || !Along->isConstant();
        ByLaunch = Guessed && !isRowOfOthers(K, Site, Along->constantTerm());
        Bytes = Along->constantTerm();
      }
    }
  }
  if (!First)
    return;
  if (Kept & (1 << FirstDim)) {
    for (const auto &[Site, Dim, Along] : Columns)
      // A number that had to be guessed may be that of a pixel's channels.
      if ((Kept & (1 << Dim)) &&
          (Along || isRowOfOthers(K, *Site, K.stride(*Site->A, 0)->constantTerm())))
        C.report(Site->A->Range, nameOf(*Site->A) +
                                     " is walked down its columns, and another buffer is not: "
                                     "neighbours in dimension 0 are " +
                                     (Along && Along->isConstant()
                                          ? itostr(std::abs(Along->constantTerm())) + " bytes"
                                          : std::string("a row")) +
                                     " apart")
            .cost("each work-item of a group touches another cache line; a block of rows and "
                  "columns for each of them touches fewer")
            .atMost(rules::Severity::Info);
    return;
  }
  if (Rows.count(First->A->Base))
    return; // told as a row
  Finding &F =
      C.report(First->A->Range,
               nameOf(*First->A) + " is walked down its columns: neighbours in dimension 0 are " +
                   (Symbolic ? std::string("a row") : itostr(std::abs(Bytes)) + " bytes") +
                   " apart, those in dimension " + utostr(FirstDim) + " are contiguous");
  F.cost("each work-item of a group touches another cache line");
  // Whole accesses of 128 bits lose a part of each line, and nothing where the group extends in
  // both dimensions.
  if (ByLaunch || widthInBytes(*First->A) * 8 >= C.device().IdealAccessBits)
    F.atMost(rules::Severity::Info);
  F.fix(Applicability::Verify, "clmali-rewrite --passes=swap-dimensions");
  // Other buffers change with it; where they are accessed, people look for it, too.
  auto IsBeside = [](SourceRange A, SourceRange B, StringRef Text) {
    return A.File == B.File && !Text.contains('\n');
  };
  SourceRange Last = First->A->Range;
  for (const auto &[Site, Dim, Along] : Columns) {
    SourceRange Here = Site->A->Range;
    if (Site->A->Base == First->A->Base || Dim != FirstDim || Rows.count(Site->A->Base) ||
        IsBeside(
            Last, Here,
            C.text({Last.File, std::min(Last.Begin, Here.Begin), std::max(Last.End, Here.End)})))
      continue;
    Last = Here;
    C.report(Here, nameOf(*Site->A) + " is walked down its columns, too")
        .atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("column-major-access", run);
