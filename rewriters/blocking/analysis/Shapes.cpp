//===-- rewriters/blocking/analysis/Shapes.cpp - How values differ in a block ----------===//
//
// Part of BlockAnalysis: the shape of each variable and expression, which branches are assumed
// to go one way for all work-items, and which selections correct a coordinate at the border.
//
//   int x = get_global_id(0);     4 lanes: Linear, stride 1
//   int y = x / w;                Uniform, if the fast path may assume that no block crosses a row
//   float v = a[x] > t ? 1 : 0;   Vector
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"

namespace clmali::rewrite {

IdSpace idSpace(const Kernel &Old, const BlockShape &S) {
  IdSpace Ids;
  for (unsigned D = 0; D < 3; ++D) {
    Ids.ItemsPerId[D] = S.factor(D);
    if (Old.ReqdWorkGroupSize)
      Ids.LocalItems[D] = unsigned((*Old.ReqdWorkGroupSize)[D]);
  }
  return Ids;
}

BlockAnalysis::BlockAnalysis(Module &M, const Kernel &Old, const KernelAnalysis &A,
                             const BlockShape &S, LaunchContract &Needs, bool Guarded,
                             bool UseSteps)
    : M(M), Old(Old), A(A), S(S), N(S.Lanes), R(S.rows()), IdsBelow(Needs.IdsBelow),
      Olds(
          idSpace(Old), Needs.IdsBelow,
          [&A](const Var *V) -> const Expr * {
            const Stmt *D = V->K == Var::Temp ? A.singleDef(V) : nullptr;
            return D && D->LaneIdx.empty() ? D->E : nullptr;
          },
          // Guards limit only the lanes that pass them, so they count only where lanes agree.
          [this](const Expr *E) {
            return E->K == ExprKind::VarRef && !varies(shapeOf(E->V)) ? this->A.range(E)
                                                                      : rangeOf(E->Ty->Scalar);
          }),
      Guarded(Guarded), UseSteps(UseSteps) {}

VShape join(VShape A, VShape B) {
  VShape J;
  J.Rows = A.Rows || B.Rows;
  if (A.K == B.K && A.Stride == B.Stride && A.Steps == B.Steps) {
    J.K = A.K;
    J.Stride = A.Stride;
    J.Steps = A.Steps;
  } else {
    J.K = VShape::Vector;
  }
  return J;
}

static bool isInt(const Expr *E) { return E->Ty->isScalar() && E->Ty->isInteger(); }

VShape BlockAnalysis::shapeOf(const Var *V) const {
  auto It = Shapes.find(V);
  return It == Shapes.end() ? VShape() : It->second;
}

std::optional<bool> BlockAnalysis::assumedArm(const Stmt *If) const {
  auto It = AssumedIfs.find(If);
  return It == AssumedIfs.end() ? std::nullopt : std::optional(It->second);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Finds selections and abs() in the computation of an index: x == 0 ? w - 1 : x - 1.
void BlockAnalysis::findCorrections() {
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

VShape BlockAnalysis::indexShape(const Expr *E) {
  unsigned Was = std::exchange(BitsUsed, IndexBits);
  VShape Sh = shape(E);
  BitsUsed = Was;
  return Sh;
}

VShape BlockAnalysis::shape(const Expr *E) {
  unsigned Was = std::exchange(BitsUsed, bitsUsedOfOperands(E, BitsUsed));
  auto Restore = llvm::make_scope_exit([&] { BitsUsed = Was; });
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
  // Each lane has its own array.
  if (E->K == ExprKind::Load && inArrays(E->Acc))
    return {N > 1 ? VShape::Vector : VShape::Uniform, 0, R > 1};
  if (std::optional<BitsOp> B = bitsOp(E))
    return B->Out;
  if (std::optional<Quotient> Q = quotient(E))
    return Q->Out;
  unsigned Winner = 0;
  if (coordinateOp(E, Winner)) {
    VShape W = shape(E->Ops[Winner]);
    if (E->K == ExprKind::Binary && E->O == Op::Div)
      return {VShape::Uniform, 0, W.Rows};
    return W;
  }
  return operatorShape(E);
}

/// The shape of E by those of its operands.
VShape BlockAnalysis::operatorShape(const Expr *E) {
  bool Rows = false, AllUniform = true;
  llvm::SmallVector<VShape, 3> Sh;
  forEachOperand(*E, [&](const Expr *X) {
    Sh.push_back(E->K == ExprKind::Load ? indexShape(X) : shape(X));
    Rows |= Sh.back().Rows;
    AllUniform &= Sh.back().K == VShape::Uniform;
  });
  if (E->K == ExprKind::Opaque)
    return {VShape::Vector, 0, true};
  if (AllUniform)
    return {VShape::Uniform, 0, Rows};
  const VShape Vector{VShape::Vector, 0, Rows};
  switch (E->K) {
  case ExprKind::Binary:
    return binaryShape(E, Sh[0], Sh[1], Rows);
  case ExprKind::Unary:
    if (E->O == Op::Neg && isInt(E) && Sh[0].K == VShape::Linear)
      return {VShape::Linear, -Sh[0].Stride, Rows};
    return Vector;
  case ExprKind::Cast:
    return conversionShape(E, Sh[0]);
  case ExprKind::Select:
    if (VShape J = join(Sh[1], Sh[2]); Sh[0].K == VShape::Uniform && J.K != VShape::Stepped)
      return {J.K, J.Stride, Rows};
    return Vector;
  default:
    return Vector;
  }
}

/// The shape of E, a conversion of a value of shape Sh that differs between lanes.
VShape BlockAnalysis::conversionShape(const Expr *E, VShape Sh) {
  const VShape Vector{VShape::Vector, 0, Sh.Rows};
  if (Sh.K == VShape::Vector || !isLinearConversion(E))
    return Vector;
  return !extends(E, BitsUsed) || isExact(E->Ops[0]) ? Sh : Vector;
}

/// The shape of E, a binary operation of which an operand differs between lanes.
VShape BlockAnalysis::binaryShape(const Expr *E, VShape X, VShape Y, bool Rows) {
  const VShape Vector{VShape::Vector, 0, Rows};
  if (!isInt(E) || X.K == VShape::Vector || Y.K == VShape::Vector)
    return Vector;
  if (X.K == VShape::Stepped || Y.K == VShape::Stepped)
    return steppedBinary(E, X, Y, Rows);
  // x + i <= x + r is the same in all lanes, as long as neither side wraps.
  if (isComparison(E->O) && X == Y && isInt(E->Ops[0]) && isExact(E->Ops[0]) && isExact(E->Ops[1]))
    return {VShape::Uniform, 0, Rows};
  std::optional<int64_t> Stride = strideOf(E, {X.Stride, Y.Stride});
  if (!Stride)
    return Vector;
  return {*Stride ? VShape::Linear : VShape::Uniform, *Stride, Rows};
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Joins the shapes of what B assigns to those of its variables. Control: how the execution of B
/// differs between work-items. True if a shape changed.
bool BlockAnalysis::updateShapes(const StmtList &B, VShape Control) {
  bool Changed = false;
  bool Was = setMasked(Control.K != VShape::Uniform);
  auto Restore = llvm::make_scope_exit([&] { setMasked(Was); });
  for (const Stmt *St : B) {
    switch (St->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
    case StmtKind::Atomic:
      Changed |= updateVariable(St, Control);
      break;
    case StmtKind::If:
      Changed |= updateIf(St, Control);
      break;
    case StmtKind::Loop:
      Changed |= updateLoop(St, Control);
      break;
    default:
      break;
    }
  }
  return Changed;
}

bool BlockAnalysis::updateVariable(const Stmt *St, VShape Control) {
  if (!St->V || St->V->K == Var::Memory)
    return false;
  if (Control.K != VShape::Uniform)
    MaskedDefs.insert(St);
  VShape Sh = St->E ? shape(St->E) : VShape();
  if (St->K == StmtKind::Atomic)
    Sh = {VShape::Vector, 0, true};
  if (St->K == StmtKind::Assign) {
    if (Control.K != VShape::Uniform && !Counters.count(St->V))
      Sh = {VShape::Vector, 0, Sh.Rows};
    Sh.Rows |= Control.Rows;
  }
  if (St->K == StmtKind::Decl && !St->E)
    return false;
  auto It = Shapes.find(St->V);
  VShape Joined = It == Shapes.end() ? Sh : join(It->second, Sh);
  if (It != Shapes.end() && It->second == Joined)
    return false;
  Shapes[St->V] = Joined;
  return true;
}

/// Chooses an arm of If that the fast path assumes for all work-items. False: none can be.
bool BlockAnalysis::assumeArm(const Stmt *If) {
  unsigned Cost = 0;
  if (!MayAssume || InMasked || (canPredicate(If->Body, Cost) && canPredicate(If->Else, Cost)))
    return false;
  bool Then =
      countNodes(If->Body) >= countNodes(If->Else) || (!If->Else.empty() && If->Else.back()->Rare);
  if (!assumable(If->E, Then) && assumable(If->E, !Then) && (Then ? If->Body : If->Else).size() < 3)
    Then = !Then;
  if (!assumable(If->E, Then))
    return false;
  AssumedIfs[If] = Then;
  return true;
}

bool BlockAnalysis::updateIf(const Stmt *St, VShape Control) {
  VShape C = shape(St->E), Inner = Control;
  if (varies(C)) {
    if (assumeArm(St))
      return updateShapes(AssumedIfs[St] ? St->Body : St->Else, Control);
    if (C.K != VShape::Uniform)
      Inner.K = VShape::Vector;
    Inner.Rows |= C.Rows;
  }
  bool Changed = updateShapes(St->Body, Inner);
  Changed |= updateShapes(St->Else, Inner);
  return Changed;
}

bool BlockAnalysis::updateLoop(const Stmt *St, VShape Control) {
  VShape Inner = Control;
  bool Changed = updateShapes(St->Init, Control);
  if (St->E)
    Inner.Rows |= shape(St->E).Rows;
  // Lanes that leave the loop at different times have their own values.
  bool Divergent = divergent(St), Masked = Divergent && maskable(St), WasMasked = InMasked;
  if (Masked) {
    if (const Var *V = commonCounter(St))
      Counters.insert(V);
    Inner.K = VShape::Vector;
    Inner.Rows |= R > 1;
    InMasked = true;
  } else if (Divergent) {
    // So do variables that are read after the loop.
    llvm::DenseSet<const Var *> Own;
    for (const Stmt *X : stmts(StmtList{const_cast<Stmt *>(St)})) {
      if (X->K == StmtKind::Decl)
        Own.insert(X->V);
      if (X->K != StmtKind::Assign || Own.count(X->V) || !usedOutside(X->V, St))
        continue;
      if (VShape &Sh = Shapes[X->V]; Sh.K != VShape::Vector) {
        Sh.K = VShape::Vector;
        Changed = true;
      }
    }
  }
  const Var *Outer = TripCounter;
  if (const Var *V = Masked ? nullptr : independentTrips(St))
    TripCounter = V;
  Around.push_back(St);
  Changed |= updateShapes(St->Body, Inner);
  TripCounter = Outer;
  Changed |= updateShapes(St->Step, Inner);
  Around.pop_back();
  InMasked = WasMasked;
  return Changed;
}

void BlockAnalysis::computeShapes() {
  constexpr unsigned MaxIterations = 64;
  MayAssume = !A.hasBarrier();
  findCorrections();
  for (unsigned I = 0; I < MaxIterations; ++I) {
    AssumedIfs.clear();
    if (!updateShapes(Old.Body, {}))
      return;
  }
}

} // namespace clmali::rewrite
