//===- out-of-bounds-vector-access.cpp --------------------------------------------------------===//
//
// Before: if (i < n) vload4(0, a + i)          the last work-item reads a[n] .. a[n + 2]
// After:  if (i + 3 < n) vload4(0, a + i)
// Limits: four cases, each proved by the kernel alone:
//   1. an array of known size;
//   2. a guard or a loop that bounds the index at which the vector begins;
//   3. no guard at all: the stores show the stride of a work-item, and the vector reaches further
//   (a
//      warning: the host may have padded the buffer);
//   4. the first work-item begins before the buffer (a warning: the launch may have an offset).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

//===------------------------------------------------------------------------------------------===//
// Guards as polynomials that are not negative
//===------------------------------------------------------------------------------------------===//

/// Appends the comparisons of a guard as polynomials that are not negative where Cond is Holds.
static void collect(const KernelAnalysis &K, const Expr *Cond, bool Holds, std::vector<Poly> &Out) {
  Cond = stripCasts(Cond);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return collect(K, Cond->Ops[0], !Holds, Out);
  if (Cond->K != ExprKind::Binary)
    return;
  if (Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr)) {
    collect(K, Cond->Ops[0], Holds, Out);
    collect(K, Cond->Ops[1], Holds, Out);
    return;
  }
  if (!isComparison(Cond->O) || !Cond->Ops[0]->Ty->isInteger() || !Cond->Ops[0]->Ty->isScalar())
    return;
  Poly A = K.poly(Cond->Ops[0]), B = K.poly(Cond->Ops[1]), One = Poly::constant(1);
  switch (Cond->O) {
  case Op::LT:
    Out.push_back(Holds ? B - A - One : A - B);
    break;
  case Op::LE:
    Out.push_back(Holds ? B - A : A - B - One);
    break;
  case Op::GT:
    Out.push_back(Holds ? A - B - One : B - A);
    break;
  case Op::GE:
    Out.push_back(Holds ? A - B : B - A - One);
    break;
  default:
    break;
  }
}

/// The constant factor of symbol S in P; nothing if S occurs otherwise.
static std::optional<int64_t> linear(const Poly &P, unsigned S) {
  if (!P.has(S) || P.degree(S) != 1)
    return std::nullopt;
  Poly C = P.coefficient(S);
  if (!C.isConstant())
    return std::nullopt;
  return C.constantTerm();
}

/// By how many elements the vector reaches past the last one that Bound (>= 0) allows for symbol S;
/// nothing if the bound does not apply to the address.
static std::optional<int64_t> reach(const KernelAnalysis &K, const AccessSite &Site,
                                    const Poly &Bound, unsigned S) {
  const Access &A = *Site.A;
  int64_t Element = sizeInBytes(A.Elem);
  std::optional<int64_t> InBound = linear(Bound, S), InAddress = linear(Site.Bytes, S);
  if (!InBound || !InAddress || *InBound >= 0 || *InAddress <= 0 || *InAddress % Element)
    return std::nullopt;
  int64_t Unit = -*InBound, Step = *InAddress / Element;
  if (Step % Unit)
    return std::nullopt;
  int64_t Ratio = Step / Unit;

  // If a sum is compared, `x + dx < width`, all of it must be in the address. So must the steps of
  // a loop: `for (i = local id; i < n; i += 64)`.
  auto OfLoop = [&](unsigned Symbol) {
    SymbolInfo::Kind Kind = K.symbol(Symbol).K;
    return Kind == SymbolInfo::LoopVar || Kind == SymbolInfo::Iteration;
  };
  Poly Sum, Limit;
  for (const auto &Term : Bound.Terms) {
    Poly One;
    One.Terms.insert(Term);
    bool OfAddress =
        is_contained(Term.first, S) || any_of(Term.first, OfLoop) || !isUniform(K, One);
    (OfAddress ? Sum : Limit).Terms.insert(Term);
  }
  int64_t Slack = Limit.constantTerm();
  Limit = Limit - Poly::constant(Slack);
  // The bound must be an argument; a plain number is no size of a buffer.
  if (Limit.isZero())
    return std::nullopt;

  Poly Rest = Site.Bytes + Sum * (Ratio * Element);
  int64_t Offset = Rest.constantTerm();
  Rest = Rest - Poly::constant(Offset);
  if (Offset % Element)
    return std::nullopt;
  Offset /= Element;
  // The remaining terms of the address must be whole rows of the bound's length.
  for (const auto &[M, Coefficient] : Rest.Terms)
    for (const auto &[LimitM, LimitCoefficient] : Limit.Terms)
      for (unsigned Symbol : LimitM)
        if (!is_contained(M, Symbol))
          return std::nullopt;
  // `if (4 * i < n) vload4(i, a)`: n is assumed to be a multiple.
  if (Unit > 1 && Offset + A.Lanes <= Step)
    return std::nullopt;
  return Ratio * Slack + Offset + A.Lanes;
}

/// Case 2: reports a vector that reaches past its guard or loop bound.
static bool guardCase(const KernelAnalysis &K, const AccessSite &Site, Context &C) {
  const Access &A = *Site.A;
  if (A.F == Access::Subscript) // a guard that is wrong by a whole element is another error
    return false;
  std::vector<Poly> Bounds;
  for (const Guard &G : Site.Guards)
    collect(K, G.Cond, G.Holds, Bounds);
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    if (!Site.Bytes.has(S))
      continue;
    const SymbolInfo &Info = K.symbol(S);
    std::vector<Poly> Mine = Bounds;
    std::string What;
    if (Info.K == SymbolInfo::WorkItem) {
      What = "guard";
    } else if (Info.K == SymbolInfo::LoopVar) {
      std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
      if (!L || L->Step != 1 || (L->Compare != Op::LT && L->Compare != Op::LE))
        continue;
      Poly P = K.poly(L->Bound) - Poly::symbol(S);
      Mine.push_back(L->Compare == Op::LT ? P - Poly::constant(1) : P);
      What = "loop";
    } else {
      continue;
    }
    std::optional<int64_t> Least;
    for (const Poly &Bound : Mine)
      if (std::optional<int64_t> R = reach(K, Site, Bound, S))
        Least = std::min(Least.value_or(*R), *R);
    // A vector that begins a whole vector or more behind the bound belongs to another part of the
    // buffer: the bound is not about it.
    if (!Least || *Least <= 0 || *Least >= 2 * int64_t(A.Lanes))
      continue;
    Finding &F = C.report(
        A.Range, "the " + typeOf(A) + (Site.IsWrite ? " store to " : " load of ") + nameOf(A) +
                     " reaches " + itostr(*Least) + (*Least == 1 ? " element" : " elements") +
                     " past what its " + What + " allows");
    if (What == "guard" && !Site.Guards.empty())
      F.note(Site.Guards.back().Cond->Range, "the guard");
    return true;
  }
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Arrays of known size
//===------------------------------------------------------------------------------------------===//

/// Case 1: reports an access outside of an array of known size.
static bool arrayCase(const KernelAnalysis &K, const AccessSite &Site, Context &C) {
  const Access &A = *Site.A;
  // The condition of a loop without early exits is no additional guard.
  auto IsOfLoop = [&](const Guard &G) {
    return any_of(Site.Loops, [&](const Stmt *Loop) {
      return G.Holds && Loop->E == G.Cond && !leaves(C).count(Loop);
    });
  };
  if (A.Base->K != Var::Memory || A.Base->Ty->K != Type::Array || Site.Conditional ||
      !all_of(Site.Guards, IsOfLoop))
    return false;
  int64_t Low = 0, High = 0;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms) {
    if (M.empty()) {
      Low += Coefficient;
      High += Coefficient;
      continue;
    }
    if (M.size() != 1)
      return false;
    const SymbolInfo &Info = K.symbol(M[0]);
    Range R;
    if (Info.K == SymbolInfo::LoopVar) {
      std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
      if (!L || !L->TripCount || *L->TripCount < 1 || L->Step <= 0)
        return false;
      std::optional<int64_t> From = constantValue(L->Lower);
      if (!From)
        return false;
      R = {*From, *From + (*L->TripCount - 1) * L->Step};
    } else if (Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::LocalId &&
               K.kernel().ReqdWorkGroupSize) {
      R = {0, int64_t((*K.kernel().ReqdWorkGroupSize)[Info.E->Dim]) - 1};
    } else {
      return false;
    }
    Low += Coefficient * (Coefficient > 0 ? R.Lo : R.Hi);
    High += Coefficient * (Coefficient > 0 ? R.Hi : R.Lo);
  }
  int64_t Size = A.Base->Ty->Size, End = High + widthInBytes(A);
  if (Low >= 0 && End <= Size)
    return false;
  return C
      .report(A.Range, "the " + typeOf(A) + (Site.IsWrite ? " store to " : " load of ") +
                           nameOf(A) +
                           (Low < 0 ? " begins " + itostr(-Low) + " bytes before the array"
                                    : " reaches " + itostr(End - Size) +
                                          " bytes past the array's " + itostr(Size)))
      .restsOn(Site)
      .restsOn(*A.Base)
      .stands();
}

//===------------------------------------------------------------------------------------------===//
// No guard, and a stride for each work-item
//===------------------------------------------------------------------------------------------===//

/// True if the distance is a number of rows given by arguments, and maybe a constant: width + 8
static bool isFurther(const KernelAnalysis &K, const Poly &By) {
  bool Rows = false;
  for (const auto &[M, Factor] : By.Terms) {
    if (M.empty())
      continue;
    if (Factor < 0 || any_of(M, [&](unsigned S) { return K.symbol(S).K != SymbolInfo::Param; }))
      return false;
    Rows = true;
  }
  return Rows;
}

/// Case 3: reports a vector load that reaches past the part of a work-item.
static void shareCase(const KernelAnalysis &K, Context &C) {
  // Any guard that depends on a work-item may exclude the last one.
  for (const AccessSite &Site : K.accesses())
    if (!Site.Guards.empty() || Site.Conditional)
      return;
  std::set<const Var *> Reported;
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    for (const AccessSite &W : K.accesses()) {
      if (!W.IsWrite || !W.Affine || W.A->Base->space() != AddressSpace::Global)
        continue;
      std::optional<int64_t> Step = constantStride(K, *W.A, Dim);
      if (!Step || *Step <= 0)
        continue;
      // The stores of one work-item are contiguous: the first of them begins its part.
      int64_t Begin = 0, End = widthInBytes(*W.A);
      for (const AccessSite &Other : K.accesses())
        if (Other.IsWrite && Other.A->Base == W.A->Base)
          if (std::optional<int64_t> D = K.distance(*W.A, *Other.A)) {
            Begin = std::min(Begin, *D);
            End = std::max<int64_t>(End, *D + widthInBytes(*Other.A));
          }
      if (End - Begin != *Step)
        continue;
      const AccessSite *Worst = nullptr;
      int64_t Most = 0;
      for (const AccessSite &R : K.accesses()) {
        if (R.A->Lanes < 2 || !R.Load || !R.Affine || R.A->Base->space() != AddressSpace::Global ||
            constantStride(K, *R.A, Dim) != Step || Reported.count(R.A->Base))
          continue;
        Poly Difference = R.Bytes - W.Bytes;
        if (!Difference.isConstant())
          continue;
        int64_t Past = Difference.constantTerm() + widthInBytes(*R.A) - (Begin + *Step);
        if (Past > Most) {
          Most = Past;
          Worst = &R;
        }
      }
      if (!Worst)
        continue;
      Reported.insert(Worst->A->Base);
      Finding &F =
          C.report(Worst->A->Range,
                   "the " + typeOf(*Worst->A) + " load of " + nameOf(*Worst->A) + " reaches " +
                       itostr(Most) + (Most == 1 ? " byte" : " bytes") + " past the " +
                       itostr(*Step) + " that one work-item of dimension " + utostr(Dim) +
                       " steps over, and no guard keeps the last one from the end");
      F.atMost(rules::Severity::Warning);
      F.note(W.A->Range, "the store that shows the step");
      // input + offset + width + 2: loads of the rows below have the same error in the last row.
      for (const AccessSite &R : K.accesses())
        if (R.A->Lanes > 1 && R.Load && R.Affine && R.A->Base == Worst->A->Base &&
            isFurther(K, R.Bytes - W.Bytes))
          F.note(R.A->Range, "a row or more further, for the work-items of the last row, too");
    }
  }
}

//===------------------------------------------------------------------------------------------===//
// The first work-item
//===------------------------------------------------------------------------------------------===//

/// The iteration number of each loop around an access.
using Iterations = std::map<const Stmt *, int64_t>;

/// P with all ids 0 and the loops in the iterations At; quotients and remainders of constants are
/// evaluated.
static Poly atFirst(const KernelAnalysis &K, Poly P, const Iterations &At, unsigned Depth = 0) {
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    if (!P.has(S))
      continue;
    const SymbolInfo &Info = K.symbol(S);
    std::optional<int64_t> Value;
    switch (Info.K) {
    case SymbolInfo::WorkItem:
      if (is_contained({WorkItemQuery::GlobalId, WorkItemQuery::LocalId, WorkItemQuery::GroupId},
                       Info.E->Query))
        Value = 0;
      break;
    case SymbolInfo::LoopVar:
    case SymbolInfo::Iteration:
      if (auto Round = At.find(Info.Loop); Round != At.end()) {
        std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
        std::optional<int64_t> From =
            Info.K == SymbolInfo::LoopVar && L ? constantValue(L->Lower) : 0;
        if (L && From)
          Value = Info.K == SymbolInfo::LoopVar ? *From + Round->second * L->Step : Round->second;
      }
      break;
    case SymbolInfo::Atom: {
      if (!Info.E || Info.E->K != ExprKind::Binary ||
          (Info.E->O != Op::Div && Info.E->O != Op::Rem) || Depth == limits::DivisionDepth)
        break;
      Poly Of[2];
      for (unsigned I = 0; I < 2; ++I)
        Of[I] = atFirst(K, K.poly(Info.E->Ops[I], K.placeOf(S)), At, Depth + 1);
      int64_t A = Of[0].constantTerm(), B = Of[1].constantTerm();
      if (Of[0].isConstant() && Of[1].isConstant() && A >= 0 && B > 0)
        Value = Info.E->O == Op::Div ? A / B : A % B;
      break;
    }
    default:
      break;
    }
    if (Value)
      P = P.substitute(S, Poly::constant(*Value));
  }
  return P;
}

/// True if the first work-item certainly runs code under Cond == Holds: decided by constants, or
/// because no size of a launch is 0.
static bool letsFirst(const KernelAnalysis &K, const Expr *Cond, bool Holds, const Iterations &At) {
  Cond = stripCasts(Cond);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return letsFirst(K, Cond->Ops[0], !Holds, At);
  if (Cond->K != ExprKind::Binary)
    return false;
  if (Cond->O == Op::LogicalAnd || Cond->O == Op::LogicalOr) {
    bool Left = letsFirst(K, Cond->Ops[0], Holds, At),
         Right = letsFirst(K, Cond->Ops[1], Holds, At);
    return Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr) ? Left && Right : Left || Right;
  }
  if (!isComparison(Cond->O) || !Cond->Ops[0]->Ty->isInteger() || !Cond->Ops[0]->Ty->isScalar())
    return false;
  Poly A = atFirst(K, K.poly(Cond->Ops[0]), At), B = atFirst(K, K.poly(Cond->Ops[1]), At);
  Op O = Holds ? Cond->O : inverse(Cond->O);
  auto IsSize = [&](const Poly &P) {
    return P.Terms.size() == 1 && !P.isConstant() && P.Terms.begin()->second > 0 &&
           all_of(P.Terms.begin()->first, [&](unsigned S) {
             return K.symbol(S).K == SymbolInfo::Param || K.symbol(S).K == SymbolInfo::WorkItem;
           });
  };
  // 0 < n: sizes of a launched kernel are positive.
  if ((O == Op::LT && A.isZero() && IsSize(B)) || (O == Op::GT && B.isZero() && IsSize(A)))
    return true;
  Poly D = A - B;
  if (!D.isConstant())
    return false;
  int64_t V = D.constantTerm();
  switch (O) {
  case Op::LT:
    return V < 0;
  case Op::LE:
    return V <= 0;
  case Op::GT:
    return V > 0;
  case Op::GE:
    return V >= 0;
  case Op::EQ:
    return V == 0;
  case Op::NE:
    return V != 0;
  default:
    return false;
  }
}

/// Case 4: the first work-item begins before the buffer in some iteration of the loops around the
/// access, all of known trip count.
static bool firstCase(const KernelAnalysis &K, const AccessSite &Site, Context &C) {
  const Access &A = *Site.A;
  if (!A.Base->isPointerParam() || A.Base->space() != AddressSpace::Global || Site.Conditional ||
      none_of(Site.Bytes.Terms, [](const auto &T) { return T.second < 0; }))
    return false;
  int64_t All = 1;
  std::vector<int64_t> Trips;
  for (const Stmt *Loop : Site.Loops) {
    std::optional<CountedLoop> L = K.countedLoop(Loop);
    if (!L || !L->TripCount || *L->TripCount < 1 || *L->TripCount > limits::EnumeratedIterations ||
        leaves(C).count(Loop))
      return false;
    Trips.push_back(*L->TripCount);
    if ((All *= *L->TripCount) > limits::EnumeratedIterations)
      return false;
  }
  for (int64_t N = 0; N < All; ++N) {
    Iterations At;
    int64_t Rest = N;
    for (unsigned I = 0; I < Trips.size(); Rest /= Trips[I++])
      At[Site.Loops[I]] = Rest % Trips[I];
    Poly First = atFirst(K, Site.Bytes, At);
    if (!First.isConstant())
      return false;
    if (First.constantTerm() >= 0 ||
        !all_of(Site.Guards, [&](const Guard &G) { return letsFirst(K, G.Cond, G.Holds, At); }))
      continue;
    return C
        .report(A.Range, "the " + typeOf(A) + (Site.IsWrite ? " store to " : " load of ") +
                             nameOf(A) + " begins " + itostr(-First.constantTerm()) +
                             " bytes before the buffer in the first work-item")
        .restsOn(Site)
        .atMost(rules::Severity::Warning)
        .stands();
  }
  return false;
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  std::set<const Var *> Before;
  for (const AccessSite &Site : K.accesses()) {
    if (Site.A->Lanes < 2 || !Seen.insert({Site.A->Range.File, Site.A->Range.Begin}).second)
      continue;
    if (Site.Affine && (arrayCase(K, Site, C) || guardCase(K, Site, C)))
      continue;
    if (!Before.count(Site.A->Base) && firstCase(K, Site, C))
      Before.insert(Site.A->Base); // one finding for a stencil
  }
  shareCase(K, C);
}

CLMALI_KERNEL_CHECK("out-of-bounds-vector-access", run);
