//===- UniformTrips.cpp - loops with the same trip count for a whole group --------------------===//
//
//   for (i = local id; i < (n + 63) / 64 * 64; i += 64)     bound and step are multiples of 64
//   for (c = id % 4; c < 16; c += 4)                        the same count for each start
//   for (p = at; p < at + n; p += 16)                       the distance is uniform
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/UniformTrips.h"
#include "checks/query/Query.h"
#include <numeric>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// for (i = local id; i < size * (n / size + 1); i += size): true if bound, step and the group's
/// start are multiples of the group's size in the one dimension whose local id is in the start.
static bool stridesByGroupSize(const KernelAnalysis &An, const Poly &Start, const Poly &Bound,
                               const Poly &Step) {
  std::optional<unsigned> Dim;
  auto WorkItem = [&](unsigned S, WorkItemQuery Query) {
    const SymbolInfo &Info = An.symbol(S);
    return Info.K == SymbolInfo::WorkItem && Info.E->Query == Query
               ? std::optional<unsigned>(Info.E->Dim)
               : std::nullopt;
  };
  for (const auto &[Mono, Coefficient] : Start.Terms)
    if (Mono.size() == 1)
      if (std::optional<unsigned> Local = WorkItem(Mono[0], WorkItemQuery::LocalId)) {
        if (Dim || Coefficient != 1)
          return false;
        Dim = Local;
      }
  auto IsMultiple = [&](const Monomial &Mono) {
    return any_of(Mono, [&](unsigned S) { return WorkItem(S, WorkItemQuery::LocalSize) == Dim; }) &&
           none_of(Mono, [&](unsigned S) {
             return An.symbol(S).Varies.Item != 0 && !WorkItem(S, WorkItemQuery::GroupId);
           });
  };
  auto IsId = [&](const Monomial &Mono) {
    return Mono.size() == 1 && WorkItem(Mono[0], WorkItemQuery::LocalId) == Dim;
  };
  return Dim && all_of(Bound.Terms, [&](const auto &T) { return IsMultiple(T.first); }) &&
         all_of(Step.Terms, [&](const auto &T) { return IsMultiple(T.first); }) &&
         all_of(Start.Terms, [&](const auto &T) { return IsId(T.first) || IsMultiple(T.first); });
}

/// for (i = group * 8 + local id; i < 8 * n; i += 8 * groups): true if all work-items of a group
/// run the same number of iterations, because bound, step and the group's start are multiples of
/// one number, the work-items of a group start between two of its multiples, and the loop has no
/// other exit.
static bool hasUniformTripCount(const KernelAnalysis &An, Context &C, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (!L || L->Compare != Op::LT || leaves(C).count(Loop))
    return false;
  Poly Start = An.poly(L->Lower, Loop), Bound = An.poly(L->Bound, Loop);
  Poly Step = L->StepExpr ? An.poly(L->StepExpr, Loop) : Poly::constant(L->Step);
  if (Step.constantTerm() < 0)
    return false;
  if (stridesByGroupSize(An, Start, Bound, Step))
    return true;
  uint64_t Unit = 0;
  auto Divides = [&](int64_t Coefficient) {
    Unit = std::gcd(Unit, uint64_t(std::abs(Coefficient)));
  };
  auto Varies = [&](const Monomial &Mono) {
    return any_of(Mono, [&](unsigned S) { return An.symbol(S).Varies.Item != 0; });
  };
  for (const Poly *P : {&Bound, &Step})
    for (const auto &[Mono, Coefficient] : P->Terms) {
      if (Varies(Mono))
        return false;
      Divides(Coefficient);
    }
  // The position in the group: from 0 to the sum of the largest local ids.
  int64_t MaxOffset = 0;
  bool Known = true;
  for (const auto &[Mono, Coefficient] : Start.Terms) {
    const SymbolInfo *S = Mono.size() == 1 ? &An.symbol(Mono[0]) : nullptr;
    if (!S || S->K != SymbolInfo::WorkItem || S->E->Query != WorkItemQuery::LocalId) {
      if (Varies(Mono))
        return false;
      Divides(Coefficient);
      continue;
    }
    if (Coefficient < 0)
      return false;
    const auto &Size = An.kernel().ReqdWorkGroupSize;
    Known &= Size.has_value();
    if (Size)
      MaxOffset += Coefficient * (int64_t((*Size)[S->E->Dim]) - 1);
  }
  // Without a required size, assume groups as large as the step.
  return Unit > 1 && (Known ? uint64_t(MaxOffset) < Unit
                            : Step.isConstant() && uint64_t(Step.constantTerm()) == Unit);
}

/// A number of which P is a multiple, as the source shows: 16 for (n + 15) / 16 * 16, (n + 15) &
/// ~15.
static uint64_t unitOf(const KernelAnalysis &An, const Poly &P) {
  uint64_t Unit = 0;
  for (const auto &[Mono, Coefficient] : P.Terms) {
    const Expr *E = Mono.size() == 1 ? An.symbol(Mono[0]).E : nullptr;
    uint64_t Of = std::abs(Coefficient);
    if (E && E->K == ExprKind::VarRef)
      E = origin(An, E);
    if (E && E->K == ExprKind::Binary && E->O == Op::And)
      for (const Expr *Mask : E->Ops)
        if (std::optional<int64_t> Bits = constantValue(Mask); Bits && *Bits)
          Of *= uint64_t(*Bits & -*Bits);
    Unit = std::gcd(Unit, Of);
  }
  return Unit;
}

/// for (i = id % 4; i < n / 8 * 8; i += 4): true if the starts lie between two multiples of the
/// step and the bound is one, or if the smallest and the largest start give the same number of
/// trips up to a constant bound.
static bool startsWithinStep(const KernelAnalysis &An, Context &C, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (!L || L->Compare != Op::LT || L->StepExpr || L->Step < 1 || leaves(C).count(Loop))
    return false;
  Range Start = An.range(L->Lower, Loop);
  if (Start.Lo < 0 || Start.Hi > INT32_MAX)
    return false;
  Poly Bound = An.poly(L->Bound, Loop);
  int64_t Step = L->Step;
  if (Bound.isConstant()) {
    auto Trips = [&](int64_t From) {
      return std::max<int64_t>(0, (Bound.constantTerm() - From + Step - 1) / Step);
    };
    return Trips(Start.Lo) == Trips(Start.Hi);
  }
  return An.varies(L->Bound, Loop).uniform() && unitOf(An, Bound) % uint64_t(Step) == 0 &&
         Start.Lo / Step == Start.Hi / Step;
}

/// True for (i = get_global_id(0); i < whole; i += get_global_size(0)), where whole was rounded up
/// to whole groups.
static bool coversGroups(const KernelAnalysis &An, Context &C, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (!L || L->Compare != Op::LT || !L->StepExpr || leaves(C).count(Loop) ||
      !An.varies(L->Bound, Loop).uniform())
    return false;
  Poly Start = An.poly(L->Lower, Loop), Step = An.poly(L->StepExpr, Loop);
  auto Only = [&](const Poly &P) -> const Expr * {
    bool One =
        P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 && P.Terms.begin()->second == 1;
    const SymbolInfo *S = One ? &An.symbol(P.Terms.begin()->first[0]) : nullptr;
    return S && S->K == SymbolInfo::WorkItem ? S->E : nullptr;
  };
  const Expr *Id = Only(Start), *Size = Only(Step);
  if (!Id || !Size || Id->Query != WorkItemQuery::GlobalId ||
      Size->Query != WorkItemQuery::GlobalSize || Id->Dim != Size->Dim)
    return false;
  uint64_t Unit = unitOf(An, An.poly(L->Bound, Loop));
  const auto &Groups = An.kernel().ReqdWorkGroupSize;
  return Unit > 1 && (!Groups || Unit % (*Groups)[Id->Dim] == 0);
}

/// The definition of V that reaches Loop, a statement of \p Around; null: there are several.
static const Stmt *lastBefore(const KernelAnalysis &An, const StmtList &Around, const Stmt *Loop,
                              const Var *V) {
  ArrayRef<const Stmt *> Defs = An.defs(V);
  for (size_t I = size_t(find(Around, Loop) - Around.begin()); I-- > 0;) {
    if (is_contained(Defs, Around[I]))
      return Around[I];
    if (any_of(stmts({Around[I]}), [&](const Stmt *S) { return is_contained(Defs, S); }))
      return nullptr;
  }
  const Stmt *Only = An.singleDef(V);
  return Only && !is_contained(Loop->Body, Only) ? Only : nullptr;
}

/// The value of a side of Loop's condition before the first iteration; none: an iteration changes
/// it by a value that is not uniform.
static std::optional<Poly> initialValue(const KernelAnalysis &An, const StmtList &Around,
                                        const Stmt *Loop, const Expr *Side) {
  Side = stripCasts(Side);
  if (Side->K != ExprKind::VarRef || Side->V->K != Var::Temp)
    return An.poly(Side, Loop);
  const Stmt *Begin = lastBefore(An, Around, Loop, Side->V);
  if (!Begin || !Begin->E || !Begin->LaneIdx.empty())
    return std::nullopt;
  bool Alike = true;
  walk({const_cast<Stmt *>(Loop)}, [&](Stmt *Def) {
    if (Def->V != Side->V)
      return Alike;
    const Expr *Sum =
        Def->K == StmtKind::Assign && Def->LaneIdx.empty() ? stripCasts(Def->E) : nullptr;
    const Expr *Old = Sum && Sum->K == ExprKind::Binary && (Sum->O == Op::Add || Sum->O == Op::Sub)
                          ? stripCasts(Sum->Ops[0])
                          : nullptr;
    Alike &= Old && Old->K == ExprKind::VarRef && Old->V == Side->V &&
             An.varies(Sum->Ops[1], Def).uniform() &&
             (is_contained(Loop->Body, Def) || is_contained(Loop->Step, Def));
    return Alike;
  });
  return Alike ? std::optional(An.poly(Begin->E, Begin)) : std::nullopt;
}

/// last = p + n; while (p < last) { ..; p += 16; }: true if the distance from start to end is
/// uniform.
static bool hasUniformDistance(const KernelAnalysis &An, Context &C, const StmtList &Around,
                               const Stmt *Loop) {
  const Expr *E = Loop->E ? stripCasts(Loop->E) : nullptr;
  if (!E || E->K != ExprKind::Binary || !isComparison(E->O) || leaves(C).count(Loop))
    return false;
  std::optional<Poly> Left = initialValue(An, Around, Loop, E->Ops[0]),
                      Right = initialValue(An, Around, Loop, E->Ops[1]);
  return Left && Right && all_of((*Left - *Right).Terms, [&](const auto &Term) {
           return all_of(Term.first, [&](unsigned S) { return An.symbol(S).Varies.uniform(); });
         });
}

bool checks::hasEqualTrips(Context &C, const StmtList &Around, const Stmt *Loop) {
  const KernelAnalysis &An = C.analysis();
  return hasUniformTripCount(An, C, Loop) || coversGroups(An, C, Loop) ||
         startsWithinStep(An, C, Loop) || hasUniformDistance(An, C, Around, Loop);
}
