//===-- rewriters/blocking/Shapes.cpp - What differs inside a block -----------===//
//
// Decides, before any code is made: may the kernel be blocked at all (legal),
// how each variable differs between lanes and rows (computeShapes), and which
// conditions the fast path assumes to be the same for all items.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"

namespace clmali::rewrite {

VShape join(VShape A, VShape B) {
  VShape J;
  J.Rows = A.Rows || B.Rows;
  if (A.K == B.K && A.Stride == B.Stride) {
    J.K = A.K;
    J.Stride = A.Stride;
  } else {
    J.K = VShape::Vector;
  }
  return J;
}

namespace {

bool varies(const VShape &S) { return S.K != VShape::Uniform || S.Rows; }

bool isInt(const Expr *E) { return E->Ty->isScalar() && E->Ty->isInteger(); }

} // namespace

VShape ItemBlocker::shapeOf(const Var *V) const {
  auto It = Shapes.find(V);
  return It == Shapes.end() ? VShape() : It->second;
}

//===----------------------------------------------------------------------===//
// Shapes of expressions
//===----------------------------------------------------------------------===//

/// Selections and the like in what becomes an address: x == 0 ? w - 1 : x - 1.
void ItemBlocker::findCorrections() {
  llvm::DenseSet<const Var *> Seen;
  std::function<void(const Expr *)> Visit = [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if ((E->K == ExprKind::Select && isInt(E) && E->Ops[0]->Ty->isScalar()) ||
          (E->K == ExprKind::Call && E->Name == "abs" && isInt(E) &&
           isSigned(E->Ops[0]->Ty->Scalar)))
        Corrections.insert(E);
      if (E->K == ExprKind::VarRef && E->V->K == Var::Temp && Seen.insert(E->V).second)
        for (const Stmt *D : A.defs(E->V))
          if (D->E)
            Visit(D->E);
      return E->K != ExprKind::Load;
    });
  };
  for (const AccessSite &X : A.accesses())
    for (const Expr *Ix : X.A->Index)
      Visit(Ix);
}

/// Which way a condition on coordinates goes away from the border: x is not one certain
/// place, not below a constant, and not beyond an argument.
std::optional<bool> ItemBlocker::inside(const Expr *C) {
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

/// An operation on coordinates that leaves one operand as it is in the inside
/// of the index space: max(x - 1, 0), min, clamp, x > 0 ? x - 1 : 0. Winner is that
/// operand. For i / w and i % w: inside a block that does not cross a row.
bool ItemBlocker::coordinateOp(const Expr *E, unsigned &Winner) {
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

VShape ItemBlocker::shape(const Expr *E) {
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return {};
  case ExprKind::VarRef:
    return shapeOf(E->V);
  case ExprKind::WorkItem:
    if (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId) {
      if (E->Dim == S.LaneDim)
        return N > 1 ? VShape{VShape::Linear, 1, false} : VShape();
      return {VShape::Uniform, 0, S.Rows[E->Dim] > 1};
    }
    return {};
  default:
    break;
  }
  // Each lane has its own.
  if (E->K == ExprKind::Load && inArrays(E->Acc))
    return {N > 1 ? VShape::Vector : VShape::Uniform, 0, R > 1};
  if (std::optional<BitsOp> B = bitsOp(E))
    return B->Out;
  unsigned Winner = 0;
  if (coordinateOp(E, Winner)) {
    VShape W = shape(E->Ops[Winner]);
    if (E->K == ExprKind::Binary && E->O == Op::Div)
      return {VShape::Uniform, 0, W.Rows};
    return W;
  }
  bool Rows = false, AllUniform = true;
  llvm::SmallVector<VShape, 3> Sh;
  forEachOperand(*E, [&](const Expr *X) {
    Sh.push_back(shape(X));
    Rows |= Sh.back().Rows;
    AllUniform &= Sh.back().K == VShape::Uniform;
  });
  if (E->K == ExprKind::Opaque)
    return {VShape::Vector, 0, true};
  if (AllUniform)
    return {VShape::Uniform, 0, Rows};
  VShape Vector{VShape::Vector, 0, Rows};
  switch (E->K) {
  case ExprKind::Binary: {
    if (!isInt(E) || Sh[0].K == VShape::Vector || Sh[1].K == VShape::Vector)
      return Vector;
    // x + i <= x + r: the same in all lanes, as long as neither wraps.
    if (isComparison(E->O) && Sh[0] == Sh[1] && isInt(E->Ops[0]) &&
        (isSigned(E->Ops[0]->Ty->Scalar) || (Sh[0].Stride == 1 && llvm::isPowerOf2_32(N) &&
                                             aligned(E->Ops[0], 0) && aligned(E->Ops[1], 0))))
      return {VShape::Uniform, 0, Rows};
    int64_t Stride;
    if (E->O == Op::Add)
      Stride = Sh[0].Stride + Sh[1].Stride;
    else if (E->O == Op::Sub)
      Stride = Sh[0].Stride - Sh[1].Stride;
    else if (E->O == Op::Mul && constantValue(E->Ops[1]))
      Stride = Sh[0].Stride * *constantValue(E->Ops[1]);
    else if (E->O == Op::Mul && constantValue(E->Ops[0]))
      Stride = Sh[1].Stride * *constantValue(E->Ops[0]);
    else if (E->O == Op::Shl && constantValue(E->Ops[1]) && *constantValue(E->Ops[1]) < 16 &&
             *constantValue(E->Ops[1]) >= 0)
      Stride = Sh[0].Stride << *constantValue(E->Ops[1]);
    else
      return Vector;
    if (Stride > (1 << 20) || Stride < -(1 << 20))
      return Vector;
    return {Stride ? VShape::Linear : VShape::Uniform, Stride, Rows};
  }
  case ExprKind::Unary:
    if (E->O == Op::Neg && isInt(E) && Sh[0].K == VShape::Linear)
      return {VShape::Linear, -Sh[0].Stride, Rows};
    return Vector;
  case ExprKind::Cast:
    if (E->C == CastOp::Convert && isInt(E) && isInt(E->Ops[0]) && Sh[0].K == VShape::Linear &&
        E->Ty->Scalar != ScalarKind::Bool && sizeInBits(E->Ty->Scalar) >= 32)
      return {VShape::Linear, Sh[0].Stride, Rows};
    return Vector;
  case ExprKind::Select:
    if (Sh[0].K == VShape::Uniform)
      return {join(Sh[1], Sh[2]).K, join(Sh[1], Sh[2]).Stride, Rows};
    return Vector;
  default:
    return Vector;
  }
}

//===----------------------------------------------------------------------===//
// Conditions that the fast path assumes
//===----------------------------------------------------------------------===//

/// Is V set before the test of the assumptions? What the fast path sets comes too late.
bool ItemBlocker::inPrologue(const Var *V) const {
  return llvm::any_of(Prologue, [&](const Stmt *S) { return S->V == V; });
}

const Expr *ItemBlocker::atEntry(const Expr *E) {
  switch (E->K) {
  case ExprKind::Load:
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
    if (E->V == RoundVar || (KeepLoopVars && countedBy(E->V)))
      return E;
    if (!D || !D->E || !D->LaneIdx.empty())
      return nullptr;
    if (States.count(E->V) && States[E->V].Live && AtEntry && inPrologue(E->V))
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

/// The loop around that counts V up or down by a constant, if V is one's variable
/// and stays within its bounds as long as the body runs.
std::optional<CountedLoop> ItemBlocker::countedBy(const Var *V) const {
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
const Expr *ItemBlocker::overLoops(const Expr *E) {
  bool Was = KeepLoopVars;
  KeepLoopVars = true;
  const Expr *X = atEntry(E);
  KeepLoopVars = Was;
  return X;
}

/// Cond, a comparison of signed integers, holds in every round of the loops around if
/// Tests do: those are of the first and the last round, of which one may be enough.
/// False: Cond speaks of no loop's variable, or cannot be said.
bool ItemBlocker::atLoopEnds(const Expr *Cond, llvm::SmallVectorImpl<const Expr *> &Tests) {
  if (Around.empty() || Cond->O == Op::EQ || Cond->O == Op::NE || !isInt(Cond->Ops[0]) ||
      !isSigned(Cond->Ops[0]->Ty->Scalar))
    return false;
  const Expr *X = overLoops(Cond->Ops[0]), *Y = overLoops(Cond->Ops[1]);
  if (!X || !Y)
    return false;
  // The innermost first: its bounds may speak of the others.
  const Var *V = nullptr;
  for (const Stmt *L : llvm::reverse(Around)) {
    auto C = A.countedLoop(L);
    for (const Expr *Side : {X, Y})
      walk(Side, [&](const Expr *E) {
        if (C && E->K == ExprKind::VarRef && E->V == C->V)
          V = E->V;
        return !V;
      });
    if (V)
      break;
  }
  auto C = V ? countedBy(V) : std::nullopt;
  if (!C)
    return false;
  const Expr *First = overLoops(C->Lower), *Bound = overLoops(C->Bound);
  if (!First || !Bound)
    return false;
  const Expr *Last = Bound;
  if (C->Compare == Op::LT || C->Compare == Op::GT || C->Compare == Op::NE)
    Last = M.binary(Op::Add, Bound, M.intConst(C->Step > 0 ? -1 : 1, Bound->Ty));
  // It must be linear in V.
  Poly D = polyOf(X) - polyOf(Y);
  unsigned Degree = 0;
  int Sign = 0;
  for (const auto &[Mono, Factor] : D.Terms) {
    unsigned Here = 0;
    for (unsigned Sym : Mono) {
      const Expr *S = PolySymbols[Sym];
      if (S->K == ExprKind::VarRef && S->V == V) {
        ++Here;
        continue;
      }
      bool Inside = false;
      walk(S, [&](const Expr *E) { return !(Inside |= E->K == ExprKind::VarRef && E->V == V); });
      if (Inside)
        return false;
    }
    Degree = std::max(Degree, Here);
    if (Here)
      Sign = Mono.size() == 1 && !Sign ? (Factor > 0 ? 1 : -1) : 2;
  }
  if (Degree > 1)
    return false;
  auto At = [&](const Expr *Value) {
    auto By = [&](const Expr *E) -> const Expr * {
      return E->K == ExprKind::VarRef && E->V == V ? Value : nullptr;
    };
    Tests.push_back(
        M.binary(Cond->O, simplify(M, substitute(M, X, By)), simplify(M, substitute(M, Y, By))));
  };
  bool Less = Cond->O == Op::LT || Cond->O == Op::LE;
  // Less must hold where the difference is largest: at the larger end if it grows with V.
  bool AtLarger = (Sign > 0) == Less;
  bool LastIsLarger = C->Step > 0;
  if (Degree == 0 || Sign == 2 || AtLarger == LastIsLarger)
    At(Last);
  if (Degree && (Sign == 2 || AtLarger != LastIsLarger))
    At(First);
  return true;
}

/// May the fast path assume X O Y for all items of a block?
bool ItemBlocker::assumableCompare(const Expr *X, const Expr *Y, Op O) {
  return (atEntry(X) && atEntry(Y)) || assumable(M.binary(O, X, Y), true);
}

/// X O Y holds for no block whose lanes are Span apart: l + 15 < 4 with a local id.
static bool never(Op O, Range X, Range Y, int64_t Span) {
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

bool ItemBlocker::assumable(const Expr *C, bool Holds) {
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
  VShape A0 = shape(C->Ops[0]), A1 = shape(C->Ops[1]);
  if (A0.K == VShape::Vector || A1.K == VShape::Vector)
    return false;
  if (Equal && (A0.Stride != A1.Stride || A0.Rows || A1.Rows))
    return false;
  if (!Holds)
    O = inverse(O);
  if (never(O, A.range(C->Ops[0]), A.range(C->Ops[1]),
            std::abs(A0.Stride - A1.Stride) * int64_t(N - 1)))
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

//===----------------------------------------------------------------------===//
// Shapes of variables
//===----------------------------------------------------------------------===//

bool ItemBlocker::updateShapes(const StmtList &B, VShape Control) {
  bool Changed = false;
  for (const Stmt *St : B) {
    switch (St->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
    case StmtKind::Atomic: {
      if (!St->V || St->V->K == Var::Memory)
        break;
      VShape Sh = St->E ? shape(St->E) : VShape();
      if (St->K == StmtKind::Atomic)
        Sh = {VShape::Vector, 0, true};
      // A 64-bit variable made from 32-bit unsigned arithmetic may wrap between
      // two lanes: as a variable it is a vector. An address in bounds cannot.
      if (Sh.K == VShape::Linear && St->E->K == ExprKind::Cast &&
          sizeInBits(St->E->Ty->Scalar) > sizeInBits(St->E->Ops[0]->Ty->Scalar) &&
          !isSigned(St->E->Ops[0]->Ty->Scalar))
        Sh = {VShape::Vector, 0, Sh.Rows};
      if (St->K == StmtKind::Assign || !St->E) {
        if (St->K == StmtKind::Assign && Control.K != VShape::Uniform && !Counters.count(St->V))
          Sh = {VShape::Vector, 0, Sh.Rows};
        if (St->K == StmtKind::Assign)
          Sh.Rows |= Control.Rows;
      }
      auto It = Shapes.find(St->V);
      if (St->K == StmtKind::Decl && !St->E) {
        if (It == Shapes.end())
          DeclaredOnly.insert(St->V);
        break;
      }
      VShape Joined = It == Shapes.end() ? Sh : join(It->second, Sh);
      if (It == Shapes.end() || !(It->second == Joined)) {
        Shapes[St->V] = Joined;
        Changed = true;
      }
      break;
    }
    case StmtKind::If: {
      VShape C = shape(St->E);
      VShape Inner = Control;
      if (varies(C)) {
        unsigned Cost = 0;
        bool Predicable = canPredicate(St->Body, Cost) && canPredicate(St->Else, Cost);
        bool Way = countNodes(St->Body) >= countNodes(St->Else);
        if (MayAssume && !InMasked && !Predicable) {
          if (!assumable(St->E, Way) && assumable(St->E, !Way) &&
              (Way ? St->Body : St->Else).size() < 3)
            Way = !Way;
          if (assumable(St->E, Way)) {
            AssumedIfs.insert(St);
            Decision[St] = Way;
            Changed |= updateShapes(Way ? St->Body : St->Else, Control);
            break;
          }
        }
        if (C.K != VShape::Uniform)
          Inner.K = VShape::Vector;
        Inner.Rows |= C.Rows;
      }
      Changed |= updateShapes(St->Body, Inner);
      Changed |= updateShapes(St->Else, Inner);
      break;
    }
    case StmtKind::Loop: {
      VShape Inner = Control;
      Changed |= updateShapes(St->Init, Control);
      if (St->E)
        Inner.Rows |= shape(St->E).Rows;
      // Lanes that leave it at different times have each its own values.
      bool Masked = divergent(St) && maskable(St), Was = InMasked;
      if (Masked) {
        if (const Var *V = commonCounter(St))
          Counters.insert(V);
        Inner.K = VShape::Vector;
        Inner.Rows |= R > 1;
        InMasked = true;
      }
      // What lanes that leave at different times hand on differs.
      if (!Masked && divergent(St)) {
        llvm::DenseSet<const Var *> Own;
        walk(StmtList{const_cast<Stmt *>(St)}, [&](Stmt *X) {
          if (X->K == StmtKind::Decl)
            Own.insert(X->V);
          if (X->K == StmtKind::Assign && !Own.count(X->V) && usedOutside(X->V, St))
            if (VShape &Sh = Shapes[X->V]; Sh.K != VShape::Vector) {
              Sh.K = VShape::Vector;
              Changed = true;
            }
          return true;
        });
      }
      const Var *Outer = RoundVar;
      if (const Var *V = Masked ? nullptr : ownRounds(St))
        RoundVar = V;
      Around.push_back(St);
      Changed |= updateShapes(St->Body, Inner);
      RoundVar = Outer;
      Changed |= updateShapes(St->Step, Inner);
      Around.pop_back();
      InMasked = Was;
      break;
    }
    default:
      break;
    }
  }
  return Changed;
}

void ItemBlocker::computeShapes() {
  MayAssume = !A.hasBarrier();
  findCorrections();
  for (unsigned I = 0; I < 64; ++I) {
    AssumedIfs.clear();
    Decision.clear();
    if (!updateShapes(Old.Body, {}))
      return;
  }
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

bool ItemBlocker::hasStoreOrBarrier(const StmtList &B) const {
  bool Found = false;
  walk(B, [&](Stmt *St) {
    Found |= St->K == StmtKind::Store || St->K == StmtKind::Barrier || St->K == StmtKind::Atomic ||
             St->K == StmtKind::AsyncCopy || St->K == StmtKind::Call || St->K == StmtKind::Opaque;
    return !Found;
  });
  return Found;
}

/// The conversion to 8 or 16 bits that may cut an index made of ids, or null.
const Expr *ItemBlocker::cutIndex(const Expr *E, const Stmt *At, unsigned Depth) const {
  const Expr *Found = nullptr;
  walk(E, [&](const Expr *X) {
    if (Found || X->K == ExprKind::Load)
      return false;
    if (X->K == ExprKind::VarRef && Depth)
      if (const Stmt *D = A.singleDef(X->V); D && D->E)
        Found = cutIndex(D->E, D, Depth - 1);
    if (X->K == ExprKind::Cast && X->C == CastOp::Convert && X->Ty->isInteger() &&
        X->Ty->Scalar != ScalarKind::Bool && sizeInBits(X->Ty->Scalar) < 32 &&
        X->Ops[0]->Ty->isInteger()) {
      Variation V = A.varies(X->Ops[0], At);
      if (V.Item && !V.Data && !rangeOf(X->Ty->Scalar).contains(A.range(X->Ops[0], At)))
        Found = X;
    }
    return !Found;
  });
  return Found;
}

/// What no block may hold: named each, at its first place, that a user need not find one
/// behind the other.
bool ItemBlocker::allowed() {
  auto Stands = [&](Refusal Why, llvm::StringRef What, SourceRange At) {
    if (llvm::none_of(Out.Refusals, [&](const RefusalAt &R) { return R.Why == Why; }))
      Out.Refusals.push_back({Why, "vectorize", What.str(), At});
    Failed = true;
  };
  auto Opaque = [&](llvm::StringRef What, SourceRange At) {
    Stands(What.contains("assembly")               ? Refusal::InlineAssembly
           : What.starts_with("volatile variable") ? Refusal::VolatileAccess
                                                   : Refusal::OpaqueConstruct,
           What, At);
  };
  walk(Old.Body, [&](Stmt *St) {
    if (St->K == StmtKind::Atomic)
      Stands(Refusal::Atomic, St->Name, St->Range);
    if (St->K == StmtKind::Barrier && !A.controlOf(St).uniform())
      Stands(Refusal::DivergentBarrier, St->Name, St->Range);
    if (St->K == StmtKind::Store && St->Acc.Volatile)
      Stands(Refusal::VolatileAccess, "store to volatile " + St->Acc.Base->Name, St->Range);
    forEachExpr(*St, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Load && E->Acc.Volatile)
          Stands(Refusal::VolatileAccess, "load of volatile " + E->Acc.Base->Name, E->Acc.Range);
        return true;
      });
    });
    if (St->K == StmtKind::Opaque)
      Opaque(St->Text, St->Range);
    return true;
  });
  for (const OpaqueNote &O : Old.Opaques)
    Opaque(O.What, O.Range);
  return !Failed;
}

bool ItemBlocker::legal() {
  auto No = [&](Refusal Why, const llvm::Twine &Detail, SourceRange At) {
    refuse(Why, "vectorize", Detail.str(), At);
    return false;
  };
  if (!allowed())
    return false;
  bool Ok = true;
  auto CheckExpr = [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::Opaque && Ok)
        Ok = No(Refusal::OpaqueConstruct, E->Text, E->Range);
      if (E->K == ExprKind::WorkItem) {
        if (E->Query == WorkItemQuery::GlobalSize && S.factor(E->Dim) > 1)
          Out.Needs.WholeBlocks = true;
        if (E->Query == WorkItemQuery::GroupId || E->Query == WorkItemQuery::LocalId ||
            E->Query == WorkItemQuery::LocalSize || E->Query == WorkItemQuery::NumGroups)
          Out.Needs.GroupSemantics = true;
        if (E->Query == WorkItemQuery::GlobalOffset && S.factor(E->Dim) > 1 && Ok)
          Ok = No(Refusal::LocalIdUse, "get_global_offset", E->Range);
      }
      if (E->K == ExprKind::Cast && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) <= 32 &&
          sizeInBits(E->Ops[0]->Ty->Scalar) == 64)
        walk(E->Ops[0], [&](const Expr *X) {
          Out.Needs.IdsBelow2G |= X->K == ExprKind::WorkItem;
          return X->K != ExprKind::Load;
        });
      return true;
    });
  };
  walk(Old.Body, [&](Stmt *St) {
    if (!Ok)
      return false;
    switch (St->K) {
    case StmtKind::AsyncCopy:
    case StmtKind::Call:
      Ok = No(Refusal::OpaqueConstruct, St->Name, St->Range);
      break;
    case StmtKind::Barrier:
      Out.Needs.GroupSemantics = true;
      break;
    case StmtKind::Return:
      Ok = No(Refusal::UnstructuredControl, "return inside a loop", St->Range);
      break;
    default:
      break;
    }
    forEachExpr(*St, CheckExpr);
    return Ok;
  });
  if (!Ok)
    return false;
  for (Var *V : Old.Vars) {
    if (V->K != Var::Memory || V->ProgramScope)
      continue;
    if (V->AS == AddressSpace::Local)
      Out.Needs.GroupSemantics = true;
  }
  if (!findArrays())
    return false;
  for (const Var *P : Old.Params)
    if (P->isPointerParam() && P->Ty->AS == AddressSpace::Local)
      Out.Needs.GroupSemantics = true;
  if (Old.ReqdWorkGroupSize) {
    Out.Needs.GroupSemantics = true;
    for (unsigned D = 0; D < 3; ++D)
      if ((*Old.ReqdWorkGroupSize)[D] % S.factor(D))
        return No(Refusal::GroupGeometry, "reqd_work_group_size does not divide into blocks",
                  Old.NameRange);
  }

  // Order between the items of a block: none is needed where no item touches
  // what another writes. Where that is not proved, a kernel that reads and
  // writes one buffer at different places is taken as dependent; the rest is
  // race-free by OpenCL's own rules.
  auto Sites = A.accesses();
  for (size_t I = 0; I < Sites.size(); ++I) {
    const AccessSite &W = Sites[I];
    if (!W.IsWrite || W.A->Base->space() == AddressSpace::Private)
      continue;
    for (const Expr *Ix : W.A->Index)
      if (const Expr *Cut = cutIndex(Ix, W.S, 8))
        return No(Refusal::IndexOverflow,
                  "the index of " + W.A->Base->Name + " is kept in " +
                      llvm::Twine(sizeInBits(Cut->Ty->Scalar)) + " bits, which may wrap",
                  Cut->Range.isValid() ? Cut->Range : W.A->Range);
    bool Scatters = false, Rows = false, Places = false, Taken = false, Id = false;
    for (const auto &[Mono, Coefficient] : W.Bytes.Terms)
      for (unsigned Sym : Mono) {
        const SymbolInfo &Info = A.symbol(Sym);
        // Unless each item has a part of its own, wherever in it the data send it.
        if (Info.Varies.Data && Info.Varies.Item && A.conflict(W, W) != Conflict::No)
          return No(Refusal::DataDependentStore, "store to " + W.A->Base->Name, W.A->Range);
        bool Atom = Info.K == SymbolInfo::Atom && Info.Varies.Item;
        Scatters |= Atom;
        Id |= Info.K == SymbolInfo::WorkItem && Mono.size() == 1;
        // i / w * pitch + i % w (or i - i / w * w), where a pitch below w would be a mistake
        // of the caller's.
        if (Atom && Info.E && Info.E->K == ExprKind::Binary && Info.E->O == Op::Rem)
          Places |= Mono.size() == 1;
        if (Atom && Info.E && Info.E->K == ExprKind::Binary && Info.E->O == Op::Div)
          (Coefficient < 0 ? Taken : Rows) |= llvm::any_of(
              Mono, [&](unsigned Other) { return A.symbol(Other).K == SymbolInfo::Param; });
      }
    // i % 8, i / 2, i ^ 1: which items meet is not known.
    if (Scatters && !(Places ? Rows || Taken : Rows && Taken && Id) &&
        A.conflict(W, W) != Conflict::No)
      return No(Refusal::CrossItemDependence, "two work-items may write " + W.A->Base->Name,
                W.A->Range);
    for (size_t J = 0; J < Sites.size(); ++J) {
      const AccessSite &X = Sites[J];
      if (X.A->Base != W.A->Base || (X.IsWrite && J < I) || X.Interval != W.Interval)
        continue;
      Conflict C = A.conflict(W, X);
      bool Dependent = C == Conflict::Must;
      // All that come here write one place, under a condition that tells nothing.
      if (C == Conflict::May && J == I && W.Affine && W.A->Base->space() == AddressSpace::Global)
        Dependent = llvm::all_of(W.Bytes.Terms, [&](const auto &Term) {
          return llvm::all_of(Term.first, [&](unsigned Sym) {
            return A.symbol(Sym).K != SymbolInfo::Atom && A.symbol(Sym).Varies.uniformInLaunch();
          });
        });
      if (C == Conflict::May && X.IsRead && W.A->Base->space() == AddressSpace::Global)
        Dependent |= !(X.Affine && W.Affine && X.Bytes == W.Bytes);
      if (Dependent)
        return No(Refusal::CrossItemDependence,
                  (X.IsWrite && !X.IsRead ? "two work-items may write "
                                          : "a work-item may read what another writes in ") +
                      W.A->Base->Name,
                  W.A->Range);
    }
  }
  return true;
}

} // namespace clmali::rewrite
