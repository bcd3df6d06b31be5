//===- UniformTrips.cpp - conditions with one value for a whole group -------------------------===//
//
//   for (i = local id; i < (n + 63) / 64 * 64; i += 64)     bound and step are multiples of 64
//   for (c = id % 4; c < 16; c += 4)                        the same count for each start
//   for (p = at; p < at + n; p += 16)                       the distance is uniform
//   if (group * 64 + local id < n / 64 * 64)                no group reaches across the bound
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/UniformTrips.h"
#include "checks/model/analysis/Reachable.h"
#include "checks/query/Query.h"
#include <numeric>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

//===----------------------------------------------------------------------===//
// The sign of a difference
//===----------------------------------------------------------------------===//

static bool isUniform(const KernelAnalysis &An, const Monomial &Mono) {
  return all_of(Mono, [&](unsigned S) { return An.symbol(S).Varies.uniform(); });
}

static const Expr *workItem(const KernelAnalysis &An, const Monomial &Mono) {
  const SymbolInfo *S = Mono.size() == 1 ? &An.symbol(Mono[0]) : nullptr;
  return S && S->K == SymbolInfo::WorkItem ? S->E : nullptr;
}

static bool isId(const Expr *E) {
  return E && (E->Query == WorkItemQuery::LocalId || E->Query == WorkItemQuery::GlobalId);
}

/// A number that divides the term, as the source shows: 16 for 16 * (n / 16) and for (n + 15) &
/// ~15.
static uint64_t unitOf(const KernelAnalysis &An, const Monomial &Mono, int64_t Coefficient) {
  uint64_t Of = std::abs(Coefficient);
  const Expr *E = Mono.size() == 1 ? An.symbol(Mono[0]).E : nullptr;
  if (E && E->K == ExprKind::VarRef)
    E = origin(An, E);
  if (E && E->K == ExprKind::Binary && E->O == Op::And)
    for (const Expr *Mask : E->Ops)
      if (std::optional<int64_t> Bits = constantValue(Mask); Bits && *Bits)
        Of *= uint64_t(*Bits & -*Bits);
  return Of;
}

static uint64_t unitOf(const KernelAnalysis &An, const Poly &P) {
  uint64_t Unit = 0;
  for (const auto &[Mono, Coefficient] : P.Terms)
    Unit = std::gcd(Unit, unitOf(An, Mono, Coefficient));
  return Unit;
}

/// True if P is one id plus multiples of the group's size in its dimension, and so are the steps:
/// the ids of a group lie between two of the multiples.
static bool countsInGroups(const KernelAnalysis &An, const Poly &P, ArrayRef<Poly> Steps) {
  std::optional<unsigned> Dim;
  for (const auto &[Mono, Coefficient] : P.Terms)
    if (const Expr *E = workItem(An, Mono); isId(E)) {
      if (Dim || Coefficient != 1)
        return false;
      Dim = E->Dim;
    }
  auto IsMultiple = [&](const auto &Term) {
    return isUniform(An, Term.first) && any_of(Term.first, [&](unsigned S) {
             const Expr *E = workItem(An, {S});
             return E && E->Dim == *Dim &&
                    (E->Query == WorkItemQuery::LocalSize || E->Query == WorkItemQuery::GlobalSize);
           });
  };
  return Dim &&
         all_of(P.Terms,
                [&](const auto &T) { return isId(workItem(An, T.first)) || IsMultiple(T); }) &&
         all_of(Steps, [&](const Poly &Step) { return all_of(Step.Terms, IsMultiple); });
}

namespace {
/// Multiples of Unit, the same for all work-items of a group, and an offset from Lo to Hi.
struct Decomposed {
  uint64_t Unit = 0;
  int64_t Lo = 0, Hi = 0;
  int64_t Unsized = 0; ///< the factor of a local id whose number is not known; 0: none
  uint64_t Stride = 0; ///< the factor of the group's id, or a constant step
};
} // namespace

static std::optional<Decomposed> decompose(const KernelAnalysis &An, const Poly &P,
                                           ArrayRef<Poly> Steps) {
  Decomposed D;
  auto AddOffset = [&](int64_t Coefficient, int64_t Lo, int64_t Hi) {
    bool Small = Lo >= INT32_MIN && Hi <= INT32_MAX && std::abs(Coefficient) <= INT32_MAX;
    D.Lo += Small ? Coefficient * (Coefficient < 0 ? Hi : Lo) : 0;
    D.Hi += Small ? Coefficient * (Coefficient < 0 ? Lo : Hi) : 0;
    return Small;
  };
  for (const auto &[Mono, Coefficient] : P.Terms) {
    const Expr *E = workItem(An, Mono);
    const auto &Size = An.kernel().ReqdWorkGroupSize;
    if (Mono.empty()) {
      if (!AddOffset(1, Coefficient, Coefficient))
        return std::nullopt;
    } else if (isUniform(An, Mono)) {
      D.Unit = std::gcd(D.Unit, unitOf(An, Mono, Coefficient));
      if (E && E->Query == WorkItemQuery::GroupId)
        D.Stride = std::abs(Coefficient);
    } else if (isId(E) && Size) {
      int64_t Items = (*Size)[E->Dim];
      if (!AddOffset(Coefficient, 0, Items - 1))
        return std::nullopt;
      if (E->Query == WorkItemQuery::GlobalId)
        D.Unit = std::gcd(D.Unit, uint64_t(std::abs(Coefficient) * Items));
    } else if (isId(E) && E->Query == WorkItemQuery::LocalId && !D.Unsized && Coefficient > 0) {
      D.Unsized = Coefficient;
    } else if (const Range &R = An.symbol(Mono[0]).R;
               Mono.size() != 1 || !AddOffset(Coefficient, R.Lo, R.Hi)) {
      return std::nullopt;
    }
  }
  for (const Poly &Step : Steps) {
    if (!all_of(Step.Terms, [&](const auto &T) { return isUniform(An, T.first); }))
      return std::nullopt;
    D.Unit = std::gcd(D.Unit, unitOf(An, Step));
    if (Step.isConstant())
      D.Stride = std::abs(Step.constantTerm());
  }
  return D;
}

/// True if all work-items of a group find the same for P < 0 (or P >= 0), also after any number of
/// Steps were added. P is a multiple of some unit that they share, and an offset between two of its
/// multiples. Without a required size, a group has as many work-items as the stride says.
static bool hasOneSign(const KernelAnalysis &An, const Poly &P, ArrayRef<Poly> Steps) {
  if (countsInGroups(An, P, Steps))
    return true;
  std::optional<Decomposed> D = decompose(An, P, Steps);
  if (!D || D->Unit < 2 || D->Unit > INT32_MAX)
    return false;
  int64_t Unit = D->Unit;
  if (D->Unsized) {
    if (D->Stride != D->Unit || Unit % D->Unsized != 0)
      return false;
    D->Hi += Unit - D->Unsized;
  }
  auto Floor = [&](int64_t X) { return X >= 0 ? X / Unit : -((Unit - 1 - X) / Unit); };
  return Floor(D->Lo) == Floor(D->Hi);
}

/// True if `Difference O 0` is the same for all work-items of a group.
static bool isSame(const KernelAnalysis &An, Poly Difference, Op O, ArrayRef<Poly> Steps) {
  if (all_of(Difference.Terms, [&](const auto &T) { return isUniform(An, T.first); }) &&
      all_of(Steps, [&](const Poly &Step) {
        return all_of(Step.Terms, [&](const auto &T) { return isUniform(An, T.first); });
      }))
    return true;
  bool Below = O == Op::LT || O == Op::GE, Above = O == Op::GT || O == Op::LE;
  if (!Below && !Above)
    return false;
  // d > 0 is the opposite of d - 1 < 0, and of -d >= 0.
  bool Negative = any_of(
      Difference.Terms, [&](const auto &T) { return T.second < 0 && isId(workItem(An, T.first)); });
  if (Negative) {
    Difference = Poly() - Difference;
    std::swap(Below, Above);
  }
  return hasOneSign(An, Above ? Difference - Poly::constant(1) : Difference, Steps);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// for (c = id % 4; c < 18; c += 8): true if the smallest and the largest start give the same
/// number of trips up to a constant bound.
static bool hasEqualConstantTrips(const KernelAnalysis &An, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (!L || L->Compare != Op::LT || L->StepExpr || L->Step < 1)
    return false;
  Range Start = An.range(L->Lower, Loop);
  Poly Bound = An.poly(L->Bound, Loop);
  if (Start.Lo < 0 || Start.Hi > INT32_MAX || !Bound.isConstant())
    return false;
  auto Trips = [&](int64_t From) {
    return std::max<int64_t>(0, (Bound.constantTerm() - From + L->Step - 1) / L->Step);
  };
  return Trips(Start.Lo) == Trips(Start.Hi);
}

/// True for (i = get_global_id(0); i < whole; i += get_global_size(0)), where whole was rounded up
/// to whole groups.
static bool coversGroups(const KernelAnalysis &An, const Stmt *Loop) {
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (!L || L->Compare != Op::LT || !L->StepExpr || !An.varies(L->Bound, Loop).uniform())
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

namespace {
/// A side of a loop's condition: a variable or one component of it (Lane), or another expression.
struct Side {
  const Var *V = nullptr; ///< null: an expression that no iteration changes
  SmallVector<uint8_t, 1> Lane;
  Poly First;              ///< before the first iteration
  std::vector<Poly> Steps; ///< what an iteration may add
};
} // namespace

/// True if Def sets all that S is.
static bool defines(const Stmt *Def, const Side &S) {
  return Def->E && (Def->LaneIdx.empty() || ArrayRef(Def->LaneIdx) == ArrayRef(S.Lane));
}

/// True if Def sets another component of the variable.
static bool isElsewhere(const Stmt *Def, const Side &S) {
  return !S.Lane.empty() && !Def->LaneIdx.empty() && !is_contained(Def->LaneIdx, S.Lane[0]);
}

/// The definition of S that reaches Loop, a statement of \p Around; null: there are several.
static const Stmt *lastBefore(const KernelAnalysis &An, const StmtList &Around, const Stmt *Loop,
                              const Side &S) {
  std::vector<const Stmt *> Defs;
  for (const Stmt *Def : An.defs(S.V))
    if (!isElsewhere(Def, S))
      Defs.push_back(Def);
  auto Reaching = [&](const StmtList &B, size_t End) -> std::optional<const Stmt *> {
    while (End-- > 0) {
      if (is_contained(Defs, B[End]))
        return B[End];
      if (any_of(stmts({B[End]}), [&](const Stmt *D) { return is_contained(Defs, D); }))
        return nullptr;
    }
    return std::nullopt;
  };
  if (auto Def = Reaching(Loop->Init, Loop->Init.size()))
    return *Def;
  if (auto Def = Reaching(Around, size_t(find(Around, Loop) - Around.begin())))
    return *Def;
  const Stmt *Only = An.singleDef(S.V);
  return Only && !is_contained(Loop->Body, Only) ? Only : nullptr;
}

/// True if E reads what S is.
static bool reads(const Expr *E, const Side &S) {
  if (!S.Lane.empty())
    return E->K == ExprKind::Swizzle && ArrayRef(E->LaneIdx) == ArrayRef(S.Lane) &&
           E->Ops[0]->K == ExprKind::VarRef && E->Ops[0]->V == S.V;
  return E->K == ExprKind::VarRef && E->V == S.V;
}

/// Adds what the iterations of Loop add to S; false: they change it in another way.
static bool findSteps(const KernelAnalysis &An, const Stmt *Loop, Side &S) {
  bool Alike = true;
  walk({const_cast<Stmt *>(Loop)}, [&](Stmt *Def) {
    if (Def->V != S.V || isElsewhere(Def, S) || is_contained(Loop->Init, Def))
      return Alike;
    const Expr *Sum = Def->K == StmtKind::Assign && ArrayRef(Def->LaneIdx) == ArrayRef(S.Lane)
                          ? stripCasts(Def->E)
                          : nullptr;
    Alike &= Sum && Sum->K == ExprKind::Binary && (Sum->O == Op::Add || Sum->O == Op::Sub) &&
             reads(stripCasts(Sum->Ops[0]), S) && An.varies(Sum->Ops[1], Def).uniform() &&
             (is_contained(Loop->Body, Def) || is_contained(Loop->Step, Def));
    if (Alike)
      S.Steps.push_back(An.poly(Sum->Ops[1], Def));
    return Alike;
  });
  return Alike;
}

/// None: an iteration changes it by a value that is not uniform, or in another way.
static std::optional<Side> sideOf(const KernelAnalysis &An, const StmtList &Around,
                                  const Stmt *Loop, const Expr *E) {
  E = stripCasts(E);
  Side S;
  bool Component = E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1;
  const Expr *Ref = Component ? E->Ops[0] : E;
  if (Ref->K != ExprKind::VarRef || Ref->V->K != Var::Temp) {
    S.First = An.poly(E, Loop);
    return S;
  }
  S.V = Ref->V;
  if (Component)
    S.Lane.push_back(E->LaneIdx[0]);
  std::optional<CountedLoop> L = An.countedLoop(Loop);
  if (L && L->V == S.V && !Component) {
    S.First = An.poly(L->Lower, Loop);
    S.Steps.push_back(L->StepExpr ? An.poly(L->StepExpr, Loop) : Poly::constant(L->Step));
    bool Alike = !L->StepExpr || An.varies(L->StepExpr, Loop).uniform();
    return Alike ? std::optional(S) : std::nullopt;
  }
  const Stmt *Begin = lastBefore(An, Around, Loop, S);
  if (!Begin || !defines(Begin, S) || !findSteps(An, Loop, S))
    return std::nullopt;
  const Expr *First = Begin->E;
  if (Component && Begin->LaneIdx.empty()) {
    if (First->K != ExprKind::VectorCtor || First->Ops.size() != First->Ty->Lanes)
      return std::nullopt;
    First = First->Ops[S.Lane[0]];
  }
  S.First = An.poly(First, Begin);
  return S;
}

/// True if E, the condition of Loop or a part of it, is the same for all work-items of a group in
/// each iteration.
static bool isSameInIterations(const KernelAnalysis &An, const StmtList &Around, const Stmt *Loop,
                               const Expr *E) {
  E = stripCasts(E);
  if (An.varies(E, Loop).uniform())
    return true;
  if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr))
    return all_of(E->Ops, [&](const Expr *X) { return isSameInIterations(An, Around, Loop, X); });
  if (E->K != ExprKind::Binary || !isComparison(E->O))
    return false;
  std::optional<Side> Left = sideOf(An, Around, Loop, E->Ops[0]),
                      Right = sideOf(An, Around, Loop, E->Ops[1]);
  if (!Left || !Right)
    return false;
  std::vector<Poly> Steps = Left->Steps;
  for (const Poly &Step : Right->Steps)
    Steps.push_back(Poly() - Step);
  return isSame(An, Left->First - Right->First, E->O, Steps);
}

bool checks::exitDiverges(Context &C, const Stmt *Exit, const Stmt *Loop) {
  for (const Stmt *P = C.analysis().parentOf(Exit); P && P != Loop; P = C.analysis().parentOf(P))
    if (P->E && !isSameForGroup(C, P))
      return true;
  return false;
}

bool checks::hasDivergentExit(Context &C, const Stmt *Loop) {
  const KernelAnalysis &An = C.analysis();
  return any_of(stmts(Loop->Body), [&](const Stmt *S) {
    bool Leaves =
        S->K == StmtKind::Return || (S->K == StmtKind::Break && An.loopsOf(S).back() == Loop);
    return Leaves && exitDiverges(C, S, Loop);
  });
}

bool checks::hasEqualTrips(Context &C, const StmtList &Around, const Stmt *Loop) {
  const KernelAnalysis &An = C.analysis();
  if (!Loop->E || hasDivergentExit(C, Loop))
    return false;
  // A `continue` may skip a step that is not the loop's own.
  bool Skips = !An.countedLoop(Loop) && any_of(stmts(Loop->Body), [&](const Stmt *S) {
    return S->K == StmtKind::Continue && An.loopsOf(S).back() == Loop && exitDiverges(C, S, Loop);
  });
  return !Skips && (isSameInIterations(An, Around, Loop, Loop->E) || coversGroups(An, Loop) ||
                    hasEqualConstantTrips(An, Loop));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static bool isSame(const KernelAnalysis &An, const Expr *E, const Stmt *At) {
  E = origin(An, E);
  if (An.varies(E, At).uniform())
    return true;
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return isSame(An, E->Ops[0], At);
  if (E->K != ExprKind::Binary)
    return false;
  if (E->O == Op::LogicalOr || E->O == Op::LogicalAnd)
    return all_of(E->Ops, [&](const Expr *X) { return isSame(An, X, At); });
  return isComparison(E->O) && E->Ops[0]->Ty->isInteger() && E->Ops[0]->Ty->isScalar() &&
         isSame(An, An.poly(E->Ops[0], At) - An.poly(E->Ops[1], At), E->O, {});
}

bool checks::isSameForGroup(Context &C, const Stmt *S) {
  const KernelAnalysis &An = C.analysis();
  if (An.varies(S->E, S).uniform() || isDecided(An, S))
    return true;
  if (S->K == StmtKind::If)
    return isSame(An, S->E, S);
  const Stmt *Parent = An.parentOf(S);
  const StmtList *Around = &An.kernel().Body;
  if (Parent)
    forEachStmtList(*const_cast<Stmt *>(Parent), [&](StmtList &B) {
      if (is_contained(B, S))
        Around = &B;
    });
  return hasEqualTrips(C, *Around, S);
}
