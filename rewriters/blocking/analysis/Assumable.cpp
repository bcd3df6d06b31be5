//===-- rewriters/blocking/analysis/Assumable.cpp - What the fast path may assume ------===//
//
// Part of BlockAnalysis: which conditions can be tested once for a whole block, before its body.
//
//   if (x < w && y < h)       holds for the block if it holds at its last lane and row
//   p[max(x - 1, 0)]          max does nothing if the block's first lane is not at 0
//   for (k..n) x + k < w      holds in every iteration if it holds in the last one
//
// Such a condition depends on ids, arguments and the variables of loops around it only.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

static bool isInt(const Expr *E) { return E->Ty->isScalar() && E->Ty->isInteger(); }

/// E reads V.
static bool reads(const Expr *E, const Var *V) {
  return llvm::any_of(exprs(E), [&](ExprAt X) { return X->K == ExprKind::VarRef && X->V == V; });
}

/// Which value of C holds in the interior of the index space: x is not equal to one certain
/// coordinate, not below a constant, and not beyond an argument. Nothing: not known.
std::optional<bool> BlockAnalysis::inside(const Expr *C) {
  if (C->K == ExprKind::Cast && C->Implicit)
    return inside(C->Ops[0]);
  if (C->K == ExprKind::Unary && C->O == Op::LogicalNot) {
    std::optional<bool> In = inside(C->Ops[0]);
    return In ? std::optional(!*In) : std::nullopt;
  }
  if (C->K == ExprKind::VarRef && C->V->K == Var::Temp) {
    const Stmt *D = A.singleDef(C->V);
    return D && D->E && D->LaneIdx.empty() ? inside(D->E) : std::nullopt;
  }
  if (C->K != ExprKind::Binary)
    return std::nullopt;
  if (C->O == Op::LogicalAnd || C->O == Op::LogicalOr) {
    std::optional<bool> X = inside(C->Ops[0]), Y = inside(C->Ops[1]);
    bool All = C->O == Op::LogicalAnd;
    return X == std::optional(All) && Y == X ? X : std::nullopt;
  }
  if (!isComparison(C->O) || !isInt(C->Ops[0]))
    return std::nullopt;
  if (C->O == Op::EQ || C->O == Op::NE)
    return C->O == Op::NE;
  VShape S0 = shape(C->Ops[0]), S1 = shape(C->Ops[1]);
  if (S0.K == VShape::Vector || S1.K == VShape::Vector || varies(S0) == varies(S1))
    return std::nullopt;
  bool Mirrored = varies(S1);
  bool Below = (C->O == Op::LT || C->O == Op::LE) != Mirrored;
  bool Falls = (Mirrored ? S1 : S0).Stride < 0;
  bool FromZero = constantValue(C->Ops[Mirrored ? 0 : 1]).has_value() != Falls;
  return Below != FromZero;
}

/// E, a selection or abs() that corrects a coordinate, or min, max, clamp, / or %, by its kind.
bool BlockAnalysis::coordinateOp(const Expr *E, unsigned &Winner) {
  if (!MayAssume || !isInt(E) || sizeInBits(E->Ty->Scalar) < 32)
    return false;
  if (E->K == ExprKind::Select) {
    if (!Corrections.count(E) || !varies(shape(E->Ops[0])))
      return false;
    std::optional<bool> In = inside(E->Ops[0]);
    if (!In || !assumable(E->Ops[0], *In))
      return false;
    Winner = *In ? 1 : 2;
    return true;
  }
  if (E->K == ExprKind::Call && E->Name == "abs") {
    Winner = 0;
    return Corrections.count(E) && varies(shape(E->Ops[0])) &&
           shape(E->Ops[0]).K != VShape::Vector &&
           assumableCompare(E->Ops[0], M.intConst(0, E->Ops[0]->Ty), Op::GE);
  }
  auto EntryOk = [&](const Expr *X) { return atEntry(X) != nullptr; };
  auto Assumable = [&](Op O, unsigned X, unsigned Y) {
    return assumableCompare(E->Ops[X], E->Ops[Y], O);
  };
  if (E->K == ExprKind::Call && (E->Name == "min" || E->Name == "max") && E->Ops.size() == 2) {
    VShape A0 = shape(E->Ops[0]), A1 = shape(E->Ops[1]);
    if (A0.K == VShape::Vector || A1.K == VShape::Vector || varies(A0) == varies(A1))
      return false;
    Winner = varies(A0) ? 0 : 1;
    return Assumable(E->Name == "max" ? Op::GE : Op::LE, Winner, 1 - Winner);
  }
  if (E->K == ExprKind::Call && E->Name == "clamp" && E->Ops.size() == 3) {
    VShape A0 = shape(E->Ops[0]);
    if (A0.K == VShape::Vector || !varies(A0) || varies(shape(E->Ops[1])) ||
        varies(shape(E->Ops[2])))
      return false;
    Winner = 0;
    return Assumable(Op::GE, 0, 1) && Assumable(Op::LE, 0, 2);
  }
  if (E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem)) {
    VShape A0 = shape(E->Ops[0]);
    if (A0.K != VShape::Linear || A0.Stride <= 0 || A0.Rows || varies(shape(E->Ops[1])))
      return false;
    if (E->O == Op::Div && A0.Stride != 1)
      return false;
    // No block lies within one run of as many or fewer.
    if (auto C = constantValue(E->Ops[1]); C && int64_t(N - 1) * A0.Stride >= *C)
      return false;
    Winner = 0;
    return EntryOk(E->Ops[0]) && EntryOk(E->Ops[1]);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Values before the body
//===----------------------------------------------------------------------===//

/// True if V is set before the assumptions are tested; what the fast path sets comes too late.
bool BlockAnalysis::inPrologue(const Var *V) const {
  return llvm::any_of(Prologue, [&](const Stmt *S) { return S->V == V; });
}

const Expr *BlockAnalysis::atEntry(const Expr *E) {
  switch (E->K) {
  case ExprKind::Load:
  case ExprKind::ImageRead:
  case ExprKind::Opaque:
  case ExprKind::VectorCtor:
    return nullptr;
  case ExprKind::Call:
    if (E->Name != "abs")
      break;
    [[fallthrough]];
  case ExprKind::Select: {
    // Where E is computed, this is assumed.
    unsigned Winner = 0;
    if (coordinateOp(E, Winner))
      if (const Expr *X = atEntry(E->Ops[Winner]))
        return X->Ty == E->Ty ? X : M.cast(X, E->Ty);
    break;
  }
  case ExprKind::Swizzle: {
    const Var *V = E->Ops[0]->K == ExprKind::VarRef ? E->Ops[0]->V : nullptr;
    return V && V->K == Var::Param && A.defs(V).empty() && E->LaneIdx.size() == 1 ? E : nullptr;
  }
  case ExprKind::VarRef: {
    if (E->V->K == Var::Param)
      return A.defs(E->V).empty() && E->V->Ty->isScalar() ? E : nullptr;
    const Stmt *D = A.singleDef(E->V);
    if (E->V == TripCounter || (KeepLoopVars && countedBy(E->V)))
      return E;
    if (!D || !D->E || !D->LaneIdx.empty())
      return nullptr;
    if (AtEntry && inPrologue(E->V))
      return E;
    return atEntry(D->E);
  }
  default:
    break;
  }
  bool Ok = true;
  const Expr *Mapped = mapOperands(M, E, [&](const Expr *X) {
    const Expr *Y = Ok ? atEntry(X) : nullptr;
    Ok &= Y != nullptr;
    return Y ? Y : X;
  });
  return Ok ? Mapped : nullptr;
}

/// The loop in Around that counts V up or down by a constant, if V stays within the loop's bounds
/// as long as the body runs.
std::optional<CountedLoop> BlockAnalysis::countedBy(const Var *V) const {
  for (const Stmt *L : llvm::reverse(Around)) {
    auto C = A.countedLoop(L);
    if (!C || C->V != V)
      continue;
    bool Last = llvm::all_of(A.defs(V), [&](const Stmt *D) {
      bool Inside = false;
      walk(L->Body, [&](Stmt *S) { return !(Inside |= S == D); });
      return !Inside || D == L->Body.back();
    });
    bool Starts = C->Lower && !(C->Lower->K == ExprKind::VarRef && C->Lower->V == V);
    return Last && Starts && C->Step && isSigned(V->Ty->Scalar) && C->Bound->Ty == V->Ty &&
                   (C->Compare != Op::NE || std::abs(C->Step) == 1)
               ? C
               : std::nullopt;
  }
  return std::nullopt;
}

/// As atEntry, with the variables of the loops around left in.
const Expr *BlockAnalysis::overLoops(const Expr *E) {
  bool Was = KeepLoopVars;
  KeepLoopVars = true;
  const Expr *X = atEntry(E);
  KeepLoopVars = Was;
  return X ? simplify(M, X) : nullptr;
}

/// The variable of the innermost loop in Around that X or Y reads; inner bounds may depend on the
/// variables of outer loops.
const Var *BlockAnalysis::innermostLoopVar(const Expr *X, const Expr *Y) const {
  for (const Stmt *L : llvm::reverse(Around))
    if (auto C = A.countedLoop(L); C && (reads(X, C->V) || reads(Y, C->V)))
      return C->V;
  return nullptr;
}

namespace {
/// How a polynomial depends on one variable.
struct Dependence {
  bool Linear = true;
  bool Depends = false;
  int Sign = 0; ///< of the one factor, if it is a constant; 2: not known
};
} // namespace

/// How X - Y, whose comparison is linear in V only if neither wraps, depends on V. IdsBelow: as for
/// ExactInts.
static Dependence dependenceOn(const Var *V, const Expr *X, const Expr *Y, IdSpace Ids,
                               int64_t &IdsBelow) {
  Polynomials Polys(Ids, IdsBelow);
  Dependence Dep;
  for (const auto &[Mono, Factor] : (Polys.exact(X) - Polys.exact(Y)).Terms) {
    unsigned Power = 0;
    for (unsigned Sym : Mono) {
      const Expr *S = Polys.symbol(Sym);
      if (S->K == ExprKind::VarRef && S->V == V)
        ++Power;
      else if (reads(S, V))
        Dep.Linear = false;
    }
    Dep.Linear &= Power <= 1;
    Dep.Depends |= Power > 0;
    if (Power)
      Dep.Sign = Mono.size() == 1 && !Dep.Sign ? (Factor > 0 ? 1 : -1) : 2;
  }
  return Dep;
}

/// Tests such that Cond, a comparison of signed integers, holds in every iteration of the loops
/// around if all of them hold: Cond in the first and in the last iteration, of which one may be
/// enough. False: Cond does not depend on a loop's variable, or is not linear in it.
bool BlockAnalysis::atLoopEnds(const Expr *Cond, llvm::SmallVectorImpl<const Expr *> &Tests) {
  if (Around.empty() || Cond->O == Op::EQ || Cond->O == Op::NE || !isInt(Cond->Ops[0]) ||
      !isSigned(Cond->Ops[0]->Ty->Scalar))
    return false;
  const Expr *X = overLoops(Cond->Ops[0]), *Y = overLoops(Cond->Ops[1]);
  if (!X || !Y)
    return false;
  const Var *V = innermostLoopVar(X, Y);
  auto C = V ? countedBy(V) : std::nullopt;
  if (!C)
    return false;
  const Expr *First = overLoops(C->Lower), *Bound = overLoops(C->Bound);
  if (!First || !Bound)
    return false;
  const Expr *Last = Bound;
  if (C->Compare == Op::LT || C->Compare == Op::GT || C->Compare == Op::NE)
    Last = M.binary(Op::Add, Bound, M.intConst(C->Step > 0 ? -1 : 1, Bound->Ty));
  Dependence Dep = dependenceOn(V, X, Y, idSpace(Old), IdsBelow);
  if (!Dep.Linear)
    return false;
  auto TestAt = [&](const Expr *Value) {
    auto By = [&](const Expr *E) -> const Expr * {
      return E->K == ExprKind::VarRef && E->V == V ? Value : nullptr;
    };
    Tests.push_back(
        M.binary(Cond->O, simplify(M, substitute(M, X, By)), simplify(M, substitute(M, Y, By))));
  };
  // `<` must hold where the difference is largest: at V's greatest value if it grows with V.
  bool Less = Cond->O == Op::LT || Cond->O == Op::LE;
  bool AtGreatest = (Dep.Sign > 0) == Less, LastIsGreatest = C->Step > 0;
  bool Both = Dep.Sign == 2;
  if (!Dep.Depends || Both || AtGreatest == LastIsGreatest)
    TestAt(Last);
  if (Dep.Depends && (Both || AtGreatest != LastIsGreatest))
    TestAt(First);
  return true;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// True if the fast path may assume X O Y for all work-items of a block.
bool BlockAnalysis::assumableCompare(const Expr *X, const Expr *Y, Op O) {
  return (atEntry(X) && atEntry(Y)) || assumable(M.binary(O, X, Y), true);
}

/// True if X O Y holds for no block whose work-items are Span apart: l + 15 < 4 with a local id,
/// (x & 1) != 0.
static bool never(Op O, Range X, Range Y, int64_t Span) {
  // All below or all above.
  if (O == Op::NE)
    return never(Op::LT, X, Y, Span) && never(Op::GT, X, Y, Span);
  bool Less = O == Op::LT || O == Op::LE;
  int64_t Worst;
  if (llvm::AddOverflow(Less ? X.Lo : X.Hi, Less ? Span : -Span, Worst))
    return false;
  switch (O) {
  case Op::LT:
    return Worst >= Y.Hi;
  case Op::LE:
    return Worst > Y.Hi;
  case Op::GT:
    return Worst <= Y.Lo;
  case Op::GE:
    return Worst < Y.Lo;
  default:
    return false;
  }
}

/// True if E is a remainder by no more than there are lanes or rows: each block has all values.
bool BlockAnalysis::isPhase(const Expr *E) const {
  if (E->K == ExprKind::Cast)
    return isPhase(E->Ops[0]);
  if (E->K == ExprKind::VarRef) {
    const Stmt *D = E->V->K == Var::Temp ? A.singleDef(E->V) : nullptr;
    return D && D->E && D->LaneIdx.empty() && isPhase(D->E);
  }
  auto C = E->K == ExprKind::Binary ? constantValue(E->Ops[1]) : std::nullopt;
  const int64_t Most = std::max(N, *llvm::max_element(S.Rows));
  return C &&
         ((E->O == Op::Rem && *C > 0 && *C <= Most) || (E->O == Op::And && *C >= 0 && *C < Most));
}

/// True if the fast path may assume that C is Holds for all work-items of a block.
bool BlockAnalysis::assumable(const Expr *C, bool Holds) {
  if (!varies(shape(C)) && atEntry(C))
    return true;
  if (C->K == ExprKind::Cast && C->Implicit)
    return assumable(C->Ops[0], Holds);
  // bool inside = x < w && y < h;
  if (C->K == ExprKind::VarRef && C->V->K == Var::Temp && C->Ty->isScalar()) {
    const Stmt *D = A.singleDef(C->V);
    return D && D->E && D->LaneIdx.empty() && assumable(D->E, Holds);
  }
  if (C->K == ExprKind::Unary && C->O == Op::LogicalNot)
    return assumable(C->Ops[0], !Holds);
  if (C->K == ExprKind::Select && C->Ty->isScalar())
    return assumable(C->Ops[1], Holds) && assumable(C->Ops[2], Holds);
  if (C->K != ExprKind::Binary)
    return false;
  if (C->O == Op::LogicalAnd || C->O == Op::LogicalOr ||
      ((C->O == Op::And || C->O == Op::Or) && isInt(C) && C->Ops[0]->K == ExprKind::Binary &&
       isComparison(C->Ops[0]->O) && C->Ops[1]->K == ExprKind::Binary &&
       isComparison(C->Ops[1]->O)))
    return assumable(C->Ops[0], Holds) && assumable(C->Ops[1], Holds);
  if (!isComparison(C->O) || !isInt(C->Ops[0]))
    return false;
  // Equality with a moving value never holds for a whole block.
  Op O = C->O;
  bool Equal = (O == Op::EQ) == Holds && (O == Op::EQ || O == Op::NE);
  VShape A0 = comparedShape(C->Ops[0]), A1 = comparedShape(C->Ops[1]);
  if (A0.K == VShape::Vector || A1.K == VShape::Vector)
    return false;
  if (isPhase(C->Ops[0]) || isPhase(C->Ops[1]))
    return false;
  bool Steps = A0.K == VShape::Stepped || A1.K == VShape::Stepped;
  if (Equal && (A0.Stride != A1.Stride || Steps || A0.Rows || A1.Rows))
    return false;
  if (!Holds)
    O = inverse(O);
  LaneSteps Apart = offsets(A0), Offsets = offsets(A1);
  for (unsigned L = 0; L < N; ++L)
    Apart[L] -= Offsets[L];
  int64_t Span = *llvm::max_element(Apart) - *llvm::min_element(Apart);
  if (A0.Rows != A1.Rows) // rows are at least 1 apart
    Span += *llvm::max_element(S.Rows) - 1;
  if (never(O, A.range(C->Ops[0]), A.range(C->Ops[1]), Span))
    return false;
  if (atEntry(C->Ops[0]) && atEntry(C->Ops[1]))
    return true;
  llvm::SmallVector<const Expr *, 2> Tests;
  if (O == Op::NE)
    return assumable(M.binary(Op::LT, C->Ops[0], C->Ops[1]), true) &&
           assumable(M.binary(Op::GT, C->Ops[0], C->Ops[1]), true);
  return atLoopEnds(M.binary(O, C->Ops[0], C->Ops[1]), Tests) &&
         llvm::all_of(Tests, [&](const Expr *T) { return assumable(T, true); });
}

} // namespace clmali::rewrite
