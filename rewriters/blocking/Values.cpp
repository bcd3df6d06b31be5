//===-- rewriters/blocking/Values.cpp - Expressions of a whole block ----------===//
//
// Part of BlockValues: evaluates an expression of the original for one row of the block. Uniform
// and linear values stay scalar (lane 0); the others become vectors. Loads that are contiguous
// along the lanes become vector loads, held in variables so that rows and statements share them;
// others are gathered lane by lane.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/BlockValues.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::rewrite {

/// The offset of Row along Dim in work-items.
unsigned BlockValues::rowOffset(unsigned Row, unsigned Dim) const {
  for (unsigned D = 0; D < Dim; ++D)
    Row /= S.Rows[D];
  return Row % S.Rows[Dim];
}

const Expr *BlockValues::condition(const Expr *Cond, unsigned Row, const Type *Like) {
  return Convert.toMask(eval(Cond, Row), Like, Cond->Ty);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

LaneVal BlockValues::shape(const Expr *E) {
  const VShape Sh = Block.shape(E);
  return {LaneVal::Kind(Sh.K), nullptr, Sh.Stride, Sh.Steps};
}

void BlockValues::refuse(Refusal Why, llvm::StringRef Pass, llvm::StringRef Detail,
                         SourceRange At) {
  if (!Failed)
    Out.Refusals.push_back({Why, Pass.str(), Detail.str(), At});
  Failed = true;
}

void BlockValues::refuse(LaneFault Why, const Expr *E) {
  auto No = [&](Refusal R, llvm::StringRef Detail) { refuse(R, "vectorize", Detail, E->Range); };
  switch (Why) {
  case LaneFault::Opaque:
    return No(Refusal::OpaqueConstruct, E->Text);
  case LaneFault::VectorType:
    return No(Refusal::AlreadyVectorized, "the kernel computes on vectors already");
  case LaneFault::VectorComponent:
    return No(Refusal::UnsupportedType, "component of a vector that differs between lanes");
  case LaneFault::Diverging:
    return No(Refusal::OpaqueConstruct,
              "a load or division under a condition that differs between lanes");
  case LaneFault::NoLaneForm:
    return No(Refusal::OpaqueConstruct, "an operation without a vector form");
  }
}

void BlockValues::declareState(Var *V) {
  VarState &VS = States[V];
  VS.Live = true;
  VS.Shape = Block.shapeOf(V);
  const Type *Ty = V->Ty;
  if (VS.Shape.K == VShape::Vector) {
    if (Ty->isVector()) {
      refuse(Refusal::AlreadyVectorized, "vectorize", "vector variable " + V->Name, V->Range);
      Ty = M.value(Ty->Scalar, 1);
    }
    Ty = Convert.vectorType(Ty);
  }
  unsigned Count = VS.Shape.Rows ? R : 1;
  for (unsigned I = 0; I < Count; ++I) {
    std::string Name = sourceName(M, *V).str();
    Var *NV = W.newVar(Count > 1 ? Name + std::to_string(I) : Name, Ty);
    if (Ty == V->Ty)
      NV->Spelling = V->Spelling;
    NV->IsPointerOffset = V->IsPointerOffset;
    NV->FromHelper = V->FromHelper;
    NV->Range = V->Range;
    VS.New.push_back(NV);
  }
}

Var *BlockValues::varOfRow(const Var *V, unsigned Row) {
  const VarState &VS = States[V];
  return VS.New.size() > 1 ? VS.New[Row] : VS.New[0];
}

LaneVal BlockValues::evalVar(const Expr *E, unsigned Row) {
  if (E->V->K == Var::Param)
    return {LaneVal::Uniform, E};
  auto It = States.find(E->V);
  bool Live = It != States.end() && It->second.Live;
  if (Block.AtEntry && (!Live || !Block.inPrologue(E->V)) && A.singleDef(E->V) &&
      A.singleDef(E->V)->E)
    return eval(A.singleDef(E->V)->E, Row);
  if (!Live) {
    declareState(E->V);
    It = States.find(E->V);
  }
  const VarState &VS = It->second;
  const Expr *Ref = M.ref(VS.New.size() > 1 ? VS.New[Row] : VS.New[0]);
  if (!VS.Offset.empty() && VS.Offset[Row])
    Ref = Convert.sum(Ref, M.intConst(VS.Offset[Row], Ref->Ty), VS.OffsetWraps);
  switch (VS.Shape.K) {
  case VShape::Uniform:
    // y % 2 of a row
    if (const Expr *D = Ref->K == ExprKind::VarRef ? Polys.definition(Ref->V) : nullptr;
        D && D->K == ExprKind::IntConst && D->Ty == Ref->Ty && VS.Shape.Rows)
      return {LaneVal::Uniform, D};
    return {LaneVal::Uniform, Ref};
  case VShape::Linear:
    return {LaneVal::Linear, Ref, VS.Shape.Stride};
  case VShape::Stepped:
    return {LaneVal::Stepped, Ref, 0, VS.Shape.Steps};
  case VShape::Vector:
    return {E->V->Ty->Scalar == ScalarKind::Bool ? LaneVal::Mask : LaneVal::Vector, Ref};
  }
  return {LaneVal::Uniform, E};
}

LaneVal BlockValues::evalWorkItem(const Expr *E, unsigned Row) {
  unsigned F = S.factor(E->Dim);
  bool Id = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId;
  const Expr *V = E;
  if ((Id || countsItems(E->Query)) && F > 1)
    V = M.binary(Op::Mul, E, M.intConst(F, E->Ty));
  if (Id && E->Dim == S.LaneDim && N > 1)
    return {LaneVal::Linear, V, 1};
  if (Id && E->Dim != S.LaneDim)
    if (unsigned Off = rowOffset(Row, E->Dim))
      V = M.binary(Op::Add, V, M.intConst(Off, E->Ty));
  return {LaneVal::Uniform, V};
}

std::optional<LaneVal> BlockValues::evalKnown(const Expr *E, unsigned Row) {
  if (std::optional<BlockAnalysis::BitsOp> B = Block.bitsOp(E))
    return evalBits(E, *B, Row);
  if (std::optional<BlockAnalysis::Quotient> Q = Block.quotient(E))
    return evalQuotient(E, *Q, Row);
  if (Block.shape(E).K == VShape::Uniform)
    if (const Expr *X = quotientOfRow(E, Row))
      return LaneVal{LaneVal::Uniform, X};
  unsigned Winner = 0;
  if (Block.coordinateOp(E, Winner))
    return evalAssumed(E, Winner, Row);
  return std::nullopt;
}

/// E, an operation on the bits of ids. What it assumes of the other operand is recorded.
LaneVal BlockValues::evalBits(const Expr *E, const BlockAnalysis::BitsOp &B, unsigned Row) {
  const Expr *Mask = E->Ops[1 - B.Moving];
  if (B.Assumes &&
      AssumedOps.insert({E, Block.Around.empty() ? nullptr : Block.Around.back()}).second) {
    bool Was = std::exchange(Block.AtEntry, true);
    const Expr *M0 = eval(Block.atEntry(Mask), 0).E;
    Block.AtEntry = Was;
    const Type *Ty = M0->Ty;
    const Expr *Low = M.intConst(int64_t(N) - 1, Ty);
    if (E->O == Op::Shr) {
      // OpenCL takes the count modulo the width.
      Assumed.add(M.binary(Op::GE, M0, M.intConst(llvm::Log2_32(N), Ty)));
      Assumed.add(M.binary(Op::LT, M0, M.intConst(sizeInBits(E->Ty->Scalar), Ty)));
    } else
      Assumed.add(M.binary(Op::EQ, M.binary(Op::And, M0, Low), B.AllSet ? Low : M.intConst(0, Ty)));
  }
  LaneVal V[2];
  for (unsigned I : {0u, 1u})
    V[I] = eval(E->Ops[I], Row);
  const Expr *First = simplify(M, M.binary(E->O, V[0].E, V[1].E));
  if (B.Out.K == VShape::Uniform)
    return {LaneVal::Uniform, First};
  return {LaneVal::Linear, First, B.Out.Stride};
}

/// The value for lane 0 of this row of E, an operation with a constant on an aligned value.
LaneVal BlockValues::evalQuotient(const Expr *E, const BlockAnalysis::Quotient &Q, unsigned Row) {
  const Expr *X = eval(E->Ops[0], Row).E;
  const Expr *First = Q.Low ? M.intConst(0, E->Ty) : quotientOfRow(E, Row);
  if (!First)
    First = simplify(M, M.binary(E->O, X, eval(E->Ops[1], Row).E));
  return {LaneVal::Kind(Q.Out.K), First, Q.Out.Stride, Q.Out.Steps};
}

/// E for lane 0 of Row by its value in the first row: 2 * g + 1 over 2 is g, and 2 * g modulo 2 is
/// 0. Null: that is not known.
const Expr *BlockValues::quotientOfRow(const Expr *E, unsigned Row) {
  if (E->K != ExprKind::Binary || !constantValue(E->Ops[1]) || !Block.shape(E->Ops[0]).Rows ||
      Block.shape(E->Ops[0]).K == VShape::Vector)
    return nullptr;
  LaneVal X0 = eval(E->Ops[0], 0), X = Row ? eval(E->Ops[0], Row) : X0;
  Poly D = Polys.of(X.E) - Polys.of(X0.E);
  std::optional<BlockAnalysis::Quotient> Q;
  if (D.isConstant())
    Q = Block.quotientOfRow(E, D.constantTerm());
  if (!Q || (!Row && !Q->Low))
    return nullptr;
  const Expr *More = M.intConst(Q->By, E->Ty);
  if (Q->Low)
    return More;
  const Expr *First = simplify(M, M.binary(E->O, X0.E, eval(E->Ops[1], 0).E));
  return simplify(M, M.binary(Op::Add, First, More));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

const Expr *BlockValues::loadOnce(const Access &Acc, const Type *Ty, bool MayHold) {
  Poly Address = Polys.address(Acc);
  if (Var *V = Loads.find(Acc.Base, Address, Ty))
    return M.ref(V);
  const Expr *Load = M.load(Acc);
  if (!MayHold || Conditional)
    return Load;
  Var *V = W.newVar(Acc.Base->Name + "_v", Ty);
  W.declare(V, Load);
  Loads.add({Acc.Base, Address, Ty, V});
  return M.ref(V);
}

LaneVal BlockValues::evalLoad(const Expr *E, unsigned Row) {
  if (Block.inArrays(E->Acc))
    return evalArray(E, Row);
  if (auto It = GuardedLoads.find({E, Row}); It != GuardedLoads.end())
    return It->second;
  Access Lane0;
  std::optional<int64_t> Stride = laneStride(E->Acc, Row, Lane0);
  if (Failed)
    return {LaneVal::Uniform, E};
  if (Stride && *Stride == 0)
    return {LaneVal::Uniform,
            loadOnce(Lane0, E->Ty, ActiveRows.size() > 1 && !Block.shape(E).Rows)};
  if (E->Acc.Lanes > 1) {
    refuse(Refusal::AlreadyVectorized, "vectorize", "vector load of " + E->Acc.Base->Name,
           E->Range);
    return {LaneVal::Uniform, E};
  }
  const Type *VT = Convert.vectorType(E->Ty);
  if (Stride && *Stride == sizeInBytes(E->Acc.Elem)) {
    Lane0.F = Access::VLoad;
    Lane0.Lanes = N;
    ++VectorAccesses;
    return {LaneVal::Vector, loadOnce(Lane0, VT, true)};
  }
  if (auto It = P.Interleaved.find(E); It != P.Interleaved.end() && !Conditional)
    return deinterleave(E, It->second, Row);
  if (std::optional<LaneVal> V = loadSteps(E, Row))
    return *V;
  ++ScalarAccesses;
  return gatherOnce(E, Row);
}

/// Rows may gather the same elements.
LaneVal BlockValues::gatherOnce(const Expr *E, unsigned Row) {
  auto HasRead = [](const Expr *Index) {
    return llvm::any_of(exprs(Index), [](ExprAt X) { return isRead(X->K); });
  };
  if (Conditional || R == 1 || llvm::any_of(E->Acc.Index, HasRead))
    return gather(E, Row);
  KnownGather G{E->Acc.Base, {}, Convert.vectorType(E->Ty), nullptr};
  for (unsigned L = 0; L < N && !Failed; ++L) {
    Access One = E->Acc;
    for (const Expr *&Index : One.Index)
      Index = evalLane(Index, Row, L);
    G.At.push_back(Polys.address(One));
  }
  if (Var *V = Loads.find(G))
    return {LaneVal::Vector, M.ref(V)};
  const LaneVal Made = gather(E, Row);
  if (!Failed && Made.E->K == ExprKind::VarRef) {
    G.V = Made.E->V;
    Loads.add(std::move(G));
  }
  return Made;
}

/// Rows whose windows overlap share their texels.
LaneVal BlockValues::evalTexel(const Expr *E, unsigned Row) {
  const Expr *Read = LaneEvaluator::evalTexel(E, Row).E;
  if (Failed || Conditional || R == 1)
    return {LaneVal::Uniform, Read};
  KnownTexel Key{Read, {}, nullptr};
  for (const Expr *X : Read->Ops)
    if (X->K == ExprKind::VectorCtor)
      for (const Expr *Part : X->Ops)
        Key.At.push_back(Polys.of(Part));
    else
      Key.At.push_back(Polys.of(X));
  if (Var *V = Loads.find(Key))
    return {LaneVal::Uniform, M.ref(V)};
  Key.V = W.newVar(E->Image->Name + "_v", E->Ty);
  W.declare(Key.V, Read);
  Loads.add(Key);
  return {LaneVal::Uniform, M.ref(Key.V)};
}

bool BlockValues::covered(const Access &Acc) {
  if (Acc.Volatile || Acc.Lanes > 1 || Acc.Base->space() == AddressSpace::Private)
    return false;
  for (unsigned Row : ActiveRows) {
    for (const Expr *Ix : Acc.Index)
      if (Block.indexShape(Ix).K == VShape::Vector)
        return false;
    Access Lane0;
    std::optional<int64_t> Stride = laneStride(Acc, Row, Lane0);
    int64_t Size = sizeInBytes(Acc.Elem);
    if (Failed || !Stride || *Stride < 0)
      return false;
    Poly From = Polys.address(Lane0);
    int64_t Bytes = *Stride * int64_t(N - 1) + Size;
    bool Before = false, After = false;
    for (const KnownLoad &L : Loads.all()) {
      Poly D = L.Address - From;
      if (L.Base != Acc.Base || !D.isConstant())
        continue;
      int64_t Begin = D.constantTerm(),
              End = Begin + int64_t(sizeInBytes(L.Ty->Scalar)) * L.Ty->Lanes;
      Before |= Begin <= 0;
      After |= End >= Bytes;
    }
    if (!Before || !After)
      return false;
  }
  return true;
}

void BlockValues::findSafeLoads(const Stmt *St) {
  StmtList B = {const_cast<Stmt *>(St)};
  bool ComputesOnly = llvm::all_of(stmts(B), [](const Stmt *X) {
    return X->K == StmtKind::If || X->K == StmtKind::Assign || X->K == StmtKind::Decl;
  });
  if (!ComputesOnly || N == 1)
    return;
  for (ExprAt E : exprs(B))
    if (E->K == ExprKind::Load && covered(E->Acc))
      Block.SafeLoads.insert(E.E);
}

} // namespace clmali::rewrite
