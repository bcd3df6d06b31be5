//===-- rewriters/blocking/Eval.cpp - Expressions of a whole block ------------===//
//
// Evaluates an expression of the original for one row of the block: uniform and
// linear values stay scalar (lane 0), the rest become vectors. Loads that are
// contiguous along the lanes become vector loads, held in variables so that
// rows and statements share them; others are gathered lane by lane.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Small helpers
//===----------------------------------------------------------------------===//

unsigned ItemBlocker::rowOffset(unsigned Row, unsigned Dim) const {
  for (unsigned D = 0; D < Dim; ++D)
    Row /= S.Rows[D];
  return Row % S.Rows[Dim];
}

const Type *ItemBlocker::vecTy(const Type *T) {
  ScalarKind K = T->Scalar == ScalarKind::Bool ? ScalarKind::Int : T->Scalar;
  return M.value(K, N);
}

const Expr *ItemBlocker::temp(const Expr *E, llvm::StringRef Hint) {
  if (E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst)
    return E;
  Var *V = newVar(Hint, E->Ty);
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = V;
  D->E = E;
  add(D);
  return M.ref(V);
}

bool isRelational(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("isnan", "isinf", "isfinite", "isnormal", "signbit", true)
      .Cases("isequal", "isnotequal", "isgreater", "isgreaterequal", true)
      .Cases("isless", "islessequal", "islessgreater", "isordered", "isunordered", true)
      .Default(false);
}

bool isLanewise(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("min", "max", "clamp", "abs", "abs_diff", "add_sat", "sub_sat", true)
      .Cases("hadd", "rhadd", "mad24", "mul24", "mul_hi", "mad_hi", "mad_sat", true)
      .Cases("rotate", "clz", "popcount", "fabs", "fmin", "fmax", "floor", true)
      .Cases("ceil", "trunc", "rint", "round", "sqrt", "fma", "copysign", true)
      .Cases("bitselect", "mad", true)
      .Default(false);
}

const Expr *ItemBlocker::vec(const LaneVal &V, const Type *Scalar) {
  const Type *VT = vecTy(Scalar);
  switch (V.K) {
  case LaneVal::Vector:
    return V.E;
  case LaneVal::Mask: {
    // 0 or 1 as an integer; floating point has no `&`.
    const Type *Ones = Scalar->isFloat() ? vecTy(M.value(ScalarKind::Int)) : VT;
    const Expr *E = mask(V, Scalar->isFloat() ? M.value(ScalarKind::Int) : Scalar, Scalar);
    if (E->Ty != Ones)
      E = M.cast(E, Ones);
    E = M.binary(Op::And, E, M.cast(M.intConst(1, Ones->Scalar), Ones));
    return Ones == VT ? E : M.cast(E, VT);
  }
  case LaneVal::Uniform:
  case LaneVal::Linear:
    break;
  }
  const Expr *Base = V.E;
  if (Base->Ty->Scalar != VT->Scalar)
    Base = M.cast(Base, M.value(VT->Scalar));
  Expr *Splat = M.newExpr(ExprKind::Cast, VT, V.E->Range);
  Splat->C = CastOp::Splat;
  Splat->Ops = {Base};
  if (V.K == LaneVal::Uniform)
    return Splat;
  llvm::SmallVector<const Expr *, 16> Steps;
  for (unsigned L = 0; L < N; ++L)
    Steps.push_back(M.intConst(int64_t(L) * V.Stride, M.value(VT->Scalar)));
  return M.binary(Op::Add, Splat, M.vectorCtor(VT, Steps));
}

/// Lane's value as a scalar of type Ty.
const Expr *ItemBlocker::scalarOf(const LaneVal &V, unsigned Lane, const Type *Ty) {
  switch (V.K) {
  case LaneVal::Uniform:
    return V.E;
  case LaneVal::Linear:
    if (Lane == 0)
      return V.E;
    return simplify(M, M.binary(Op::Add, V.E, M.intConst(int64_t(Lane) * V.Stride, V.E->Ty)));
  case LaneVal::Vector:
    return M.swizzle(V.E, {uint8_t(Lane)});
  case LaneVal::Mask: {
    const Expr *Bit = M.swizzle(V.E, {uint8_t(Lane)});
    const Expr *IsSet = M.binary(Op::NE, Bit, M.intConst(0, Bit->Ty));
    return Ty->Scalar == IsSet->Ty->Scalar ? IsSet : M.cast(IsSet, Ty, true);
  }
  }
  return V.E;
}

/// V, a truth value, as a mask whose lanes are as wide as Like's.
const Expr *ItemBlocker::mask(const LaneVal &V, const Type *Like, const Type *Of) {
  static const ScalarKind Kinds[] = {ScalarKind::Char, ScalarKind::Short, ScalarKind::Int,
                                     ScalarKind::Long};
  unsigned Bytes = Like->Scalar == ScalarKind::Bool ? 4 : sizeInBytes(Like->Scalar);
  ScalarKind K = Kinds[Bytes == 1 ? 0 : Bytes == 2 ? 1 : Bytes == 4 ? 2 : 3];
  const Type *MT = M.value(K, N);
  if (V.K == LaneVal::Mask)
    return V.E->Ty == MT ? V.E : M.cast(V.E, MT);
  const Expr *E = V.E;
  if (V.K != LaneVal::Vector)
    E = vec(V, Of);
  const Expr *Zero = M.cast(Of->isFloat() ? M.floatConst(0, M.value(E->Ty->Scalar))
                                          : M.intConst(0, M.value(E->Ty->Scalar)),
                            E->Ty);
  const Expr *NonZero = M.binary(Op::NE, E, Zero);
  return NonZero->Ty == MT ? NonZero : M.cast(NonZero, MT);
}

const Expr *ItemBlocker::condition(const Expr *Cond, unsigned Row, const Type *Like) {
  return mask(eval(Cond, Row), Like, Cond->Ty);
}

//===----------------------------------------------------------------------===//
// Addresses of the new kernel, as polynomials over its own variables
//===----------------------------------------------------------------------===//

namespace {
/// Mutable variables and anything that is not arithmetic are symbols.
struct NewPoly {
  std::vector<const Expr *> &Symbols;
  const llvm::DenseMap<const Var *, const Expr *> &Defs;
  unsigned Depth = 0;

  unsigned symbolOf(const Expr *E) {
    for (unsigned I = 0; I < Symbols.size(); ++I)
      if (equal(Symbols[I], E))
        return I;
    Symbols.push_back(E);
    return Symbols.size() - 1;
  }
  Poly of(const Expr *E) {
    if (auto C = constantValue(E))
      return Poly::constant(*C);
    if (Depth < 32) {
      ++Depth;
      std::optional<Poly> P = arithmetic(E);
      --Depth;
      if (P)
        return *P;
    }
    return Poly::symbol(symbolOf(E));
  }
  std::optional<Poly> arithmetic(const Expr *E) {
    if (E->K == ExprKind::VarRef) {
      auto It = Defs.find(E->V);
      if (It != Defs.end())
        return of(It->second);
      return std::nullopt;
    }
    if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ty->isScalar() &&
        E->Ty->isInteger() && E->Ops[0]->Ty->isInteger() && sizeInBits(E->Ty->Scalar) >= 32)
      return of(E->Ops[0]);
    if (E->K == ExprKind::Unary && E->O == Op::Neg)
      return of(E->Ops[0]) * -1;
    if (E->K != ExprKind::Binary || sizeInBits(E->Ty->Scalar) < 32)
      return std::nullopt;
    switch (E->O) {
    case Op::Add:
      return of(E->Ops[0]) + of(E->Ops[1]);
    case Op::Sub:
      return of(E->Ops[0]) - of(E->Ops[1]);
    case Op::Mul:
      return of(E->Ops[0]) * of(E->Ops[1]);
    case Op::Shl:
      if (auto C = constantValue(E->Ops[1]); C && *C >= 0 && *C < 31)
        return of(E->Ops[0]) * (int64_t(1) << *C);
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }
};
} // namespace

Poly ItemBlocker::address(const Access &Acc) {
  NewPoly NP{PolySymbols, NewDefs};
  Poly P = Poly::constant(Acc.Disp);
  for (unsigned D = 0; D < Acc.Index.size(); ++D)
    P = P + NP.of(Acc.Index[D]) * int64_t(Acc.Stride[D]);
  return P;
}

Poly ItemBlocker::polyOf(const Expr *E) {
  NewPoly NP{PolySymbols, NewDefs};
  return NP.of(E);
}

/// Forgets loaded values that a store to Base at Address (of Bytes bytes) may
/// have changed. Other buffers are treated as if they were Base itself (in
/// place), not as overlapping it by a shift.
void ItemBlocker::invalidate(const Var *Base, const Poly &Address, unsigned Bytes) {
  llvm::erase_if(Loads, [&](const Available &L) {
    for (const auto &[Mono, C] : L.Address.Terms)
      for (unsigned Sym : Mono) {
        bool ReadsMemory = false;
        walk(PolySymbols[Sym], [&](const Expr *E) {
          ReadsMemory |= E->K == ExprKind::Load;
          return true;
        });
        if (ReadsMemory)
          return true;
      }
    bool BaseLocal = Base->space() == AddressSpace::Local;
    if (BaseLocal != (L.Base->space() == AddressSpace::Local) ||
        L.Base->space() == AddressSpace::Constant)
      return false;
    if (L.Base != Base && (Base->K == Var::Memory || L.Base->K == Var::Memory))
      return false;
    Poly D = L.Address - Address;
    if (!D.isConstant())
      return true;
    int64_t Dist = D.constantTerm();
    int64_t LoadBytes = int64_t(sizeInBytes(L.Ty->Scalar)) * L.Ty->Lanes;
    bool Disjoint = Dist >= int64_t(Bytes) || -Dist >= LoadBytes;
    if (Disjoint && L.Base != Base)
      NeedsNoOverlap = true;
    return !Disjoint;
  });
}

void ItemBlocker::forgetVar(const Var *V) {
  auto Uses = [&](const Available &L) {
    for (const auto &[Mono, C] : L.Address.Terms)
      for (unsigned Sym : Mono) {
        bool Uses = false;
        walk(PolySymbols[Sym], [&](const Expr *E) {
          Uses |= E->K == ExprKind::VarRef && E->V == V;
          return true;
        });
        if (Uses)
          return true;
      }
    return false;
  };
  llvm::erase_if(Loads, Uses);
  llvm::erase_if(GuardedKnown, [&](const GuardedLoad &K) { return Uses(K.Load); });
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

LaneVal ItemBlocker::eval(const Expr *E, unsigned Row) {
  if (Failed)
    return {LaneVal::Uniform, E};
  if (E->Ty->isVector() && N > 1 && shape(E).K != VShape::Uniform) {
    refuse(Refusal::UnsupportedType, "vectorize", "the kernel computes on vectors already",
           E->Range);
    return {LaneVal::Uniform, E};
  }
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return {LaneVal::Uniform, E};
  case ExprKind::VarRef: {
    if (E->V->K == Var::Param)
      return {LaneVal::Uniform, E};
    auto It = States.find(E->V);
    bool Live = It != States.end() && It->second.Live;
    if (AtEntry && (!Live || !inPrologue(E->V)) && A.singleDef(E->V) && A.singleDef(E->V)->E)
      return eval(A.singleDef(E->V)->E, Row);
    if (!Live) {
      declareState(E->V);
      It = States.find(E->V);
    }
    const VarState &VS = It->second;
    const Expr *Ref = M.ref(VS.New.size() > 1 ? VS.New[Row] : VS.New[0]);
    if (!VS.Offset.empty() && VS.Offset[Row])
      Ref = M.binary(Op::Add, Ref, M.intConst(VS.Offset[Row], Ref->Ty));
    switch (VS.Shape.K) {
    case VShape::Uniform:
      return {LaneVal::Uniform, Ref};
    case VShape::Linear:
      return {LaneVal::Linear, Ref, VS.Shape.Stride};
    case VShape::Vector:
      return {E->V->Ty->Scalar == ScalarKind::Bool ? LaneVal::Mask : LaneVal::Vector, Ref};
    }
    break;
  }
  case ExprKind::WorkItem: {
    unsigned F = S.factor(E->Dim);
    bool Id = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId;
    bool Size = E->Query == WorkItemQuery::GlobalSize || E->Query == WorkItemQuery::LocalSize;
    const Expr *V = E;
    if ((Id || Size) && F > 1)
      V = M.binary(Op::Mul, E, M.intConst(F, E->Ty));
    if (Id && E->Dim == S.LaneDim && N > 1)
      return {LaneVal::Linear, V, 1};
    if (Id && E->Dim != S.LaneDim)
      if (unsigned Off = rowOffset(Row, E->Dim))
        V = M.binary(Op::Add, V, M.intConst(Off, E->Ty));
    return {LaneVal::Uniform, V};
  }
  case ExprKind::Load:
    return evalLoad(E, Row);
  case ExprKind::Call:
  case ExprKind::Cast:
  case ExprKind::Binary:
  case ExprKind::Unary:
  case ExprKind::Select: {
    if (std::optional<BitsOp> B = bitsOp(E))
      return evalBits(E, *B, Row);
    unsigned Winner = 0;
    if (coordinateOp(E, Winner))
      return evalAssumed(E, Winner, Row);
    bool Logical = E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr);
    llvm::SmallVector<LaneVal, 3> Ops;
    for (unsigned I = 0; I < E->Ops.size(); ++I) {
      bool Lazy = I > 0 && (Logical || E->K == ExprKind::Select);
      if (Lazy && Ops[0].K != LaneVal::Uniform && !speculable(E->Ops[I])) {
        refuse(Refusal::OpaqueConstruct, "vectorize",
               "a load or division under a condition that differs between lanes", E->Range);
        return Ops[0];
      }
      Conditional += Lazy;
      Ops.push_back(eval(E->Ops[I], Row));
      Conditional -= Lazy;
    }
    if (Failed)
      return {LaneVal::Uniform, E};
    return combine(E, Ops);
  }
  case ExprKind::Swizzle:
  case ExprKind::VectorCtor: {
    // Only uniform ones come here with lanes (checked above).
    const Expr *X = mapOperands(M, E, [&](const Expr *O) { return eval(O, Row).E; });
    if (N > 1 && shape(E).K != VShape::Uniform)
      refuse(Refusal::UnsupportedType, "vectorize",
             "component of a vector that differs between lanes", E->Range);
    return {LaneVal::Uniform, X};
  }
  case ExprKind::Opaque:
    refuse(Refusal::OpaqueConstruct, "vectorize", E->Text, E->Range);
    return {LaneVal::Uniform, E};
  }
  return {LaneVal::Uniform, E};
}

/// May E be evaluated for lanes that would not have evaluated it?
bool ItemBlocker::speculable(const Expr *E) {
  bool Ok = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Opaque || (X->K == ExprKind::Load && !Safe.count(X)))
      Ok = false;
    if (X->K == ExprKind::Binary && (X->O == Op::Div || X->O == Op::Rem) && X->Ty->isInteger()) {
      auto C = constantValue(X->Ops[1]);
      Ok &= C && *C != 0 && *C != -1;
    }
    return Ok;
  });
  return Ok;
}

/// Does all of what the lanes load from Acc lie between what has been loaded of it here?
bool ItemBlocker::covered(const Access &Acc) {
  if (Acc.Volatile || Acc.Lanes > 1 || Acc.Base->space() == AddressSpace::Private)
    return false;
  for (unsigned Row : ActiveRows) {
    Access Lane0;
    for (const Expr *Ix : Acc.Index)
      if (shape(Ix).K == VShape::Vector)
        return false;
    std::optional<int64_t> Stride = laneStride(Acc, Row, Lane0);
    int64_t Size = sizeInBytes(Acc.Elem);
    if (Failed || !Stride || *Stride < 0)
      return false;
    Poly From = address(Lane0);
    int64_t Bytes = *Stride * int64_t(N - 1) + Size;
    bool Before = false, Behind = false;
    for (const Available &L : Loads) {
      Poly D = L.Address - From;
      if (L.Base != Acc.Base || !D.isConstant())
        continue;
      int64_t Begin = D.constantTerm(),
              End = Begin + int64_t(sizeInBytes(L.Ty->Scalar)) * L.Ty->Lanes;
      Before |= Begin <= 0;
      Behind |= End >= Bytes;
    }
    if (!Before || !Behind)
      return false;
  }
  return true;
}

/// Finds the loads under St's condition that all lanes may make.
void ItemBlocker::findSafe(const Stmt *St) {
  bool ComputesOnly = true;
  walk(StmtList{const_cast<Stmt *>(St)}, [&](Stmt *X) {
    ComputesOnly &= X->K == StmtKind::If || X->K == StmtKind::Assign || X->K == StmtKind::Decl;
    return ComputesOnly;
  });
  if (!ComputesOnly || N == 1)
    return;
  walk(StmtList{const_cast<Stmt *>(St)}, [&](Stmt *X) {
    forEachExpr(*X, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Load && covered(E->Acc))
          Safe.insert(E);
        return true;
      });
    });
    return true;
  });
}

/// E's operation over operands that have been evaluated.
LaneVal ItemBlocker::combine(const Expr *E, llvm::ArrayRef<LaneVal> Ops) {
  switch (E->K) {
  case ExprKind::Binary:
    return combineBinary(E, Ops[0], Ops[1]);
  case ExprKind::Cast:
    return combineCast(E, Ops[0]);
  case ExprKind::Call:
    return combineCall(E, Ops);
  case ExprKind::Unary: {
    LaneVal V = Ops[0];
    const Type *OpTy = E->Ops[0]->Ty;
    if (V.K == LaneVal::Uniform)
      return {LaneVal::Uniform, simplify(M, M.unary(E->O, V.E))};
    if (E->O == Op::LogicalNot)
      return {LaneVal::Mask, M.unary(Op::BitNot, mask(V, maskLike(V, OpTy), OpTy))};
    if (E->O == Op::Neg && V.K == LaneVal::Linear)
      return {LaneVal::Linear, simplify(M, M.unary(Op::Neg, V.E)), -V.Stride};
    return {LaneVal::Vector, M.unary(E->O, vec(V, OpTy))};
  }
  case ExprKind::Select: {
    LaneVal C = Ops[0], X = Ops[1], Y = Ops[2];
    if (C.K == LaneVal::Uniform) {
      if (X.K == LaneVal::Uniform && Y.K == LaneVal::Uniform)
        return {LaneVal::Uniform, M.select(C.E, X.E, Y.E)};
      if (X.K == LaneVal::Linear && Y.K == LaneVal::Linear && X.Stride == Y.Stride)
        return {LaneVal::Linear, M.select(C.E, X.E, Y.E), X.Stride};
      return {LaneVal::Vector, M.select(C.E, vec(X, E->Ty), vec(Y, E->Ty))};
    }
    return {LaneVal::Vector, M.select(mask(C, E->Ty, E->Ops[0]->Ty), vec(X, E->Ty), vec(Y, E->Ty))};
  }
  default:
    return {LaneVal::Uniform, E};
  }
}

/// The type whose width a mask for V has by itself.
const Type *ItemBlocker::maskLike(const LaneVal &V, const Type *Of) {
  return V.K == LaneVal::Mask ? M.value(V.E->Ty->Scalar) : Of;
}

LaneVal ItemBlocker::combineBinary(const Expr *E, const LaneVal &X, const LaneVal &Y) {
  const Type *TX = E->Ops[0]->Ty, *TY = E->Ops[1]->Ty;
  if (X.K == LaneVal::Uniform && Y.K == LaneVal::Uniform)
    return {LaneVal::Uniform, simplify(M, M.binary(E->O, X.E, Y.E))};
  if (E->O == Op::LogicalAnd || E->O == Op::LogicalOr) {
    const Type *Like = X.K == LaneVal::Mask ? maskLike(X, TX) : maskLike(Y, TX);
    return {LaneVal::Mask, M.binary(E->O == Op::LogicalAnd ? Op::And : Op::Or, mask(X, Like, TX),
                                    mask(Y, Like, TY))};
  }
  if (isComparison(E->O) && X.K == LaneVal::Linear && Y.K == LaneVal::Linear &&
      X.Stride == Y.Stride && (isSigned(TX->Scalar) || shape(E).K == VShape::Uniform))
    return {LaneVal::Uniform, simplify(M, M.binary(E->O, X.E, Y.E))};
  if (isComparison(E->O))
    return {LaneVal::Mask, M.binary(E->O, vec(X, TX), vec(Y, TY))};
  // Truth values joined with & and | stay masks.
  if ((E->O == Op::And || E->O == Op::Or) && X.K == LaneVal::Mask && Y.K == LaneVal::Mask)
    return {LaneVal::Mask, M.binary(E->O, X.E, mask(Y, maskLike(X, TX), TY))};
  // A compiler may contract x * y + z into one operation, if the product stands
  // in the sum. It must still stand there when the product is the same for all
  // lanes: splat its factors, not the product.
  if (E->Ty->isFloat() && (E->O == Op::Add || E->O == Op::Sub))
    return {LaneVal::Vector, M.binary(E->O, term(X, TX), term(Y, TY))};
  bool Scalars = X.K <= LaneVal::Linear && Y.K <= LaneVal::Linear;
  VShape Sh = Scalars ? shape(E) : VShape{VShape::Vector, 0, false};
  if (Sh.K != VShape::Vector) {
    const Expr *Base = simplify(M, M.binary(E->O, X.E, Y.E));
    if (Sh.K == VShape::Linear)
      return {LaneVal::Linear, Base, Sh.Stride};
    return {LaneVal::Uniform, Base};
  }
  // 0 + y, 0 - y, x + 0, x - 0, 1 * y, x * 1 of integers.
  auto Is = [](const LaneVal &V, int64_t C) {
    return V.K == LaneVal::Uniform && constantValue(V.E) == std::optional<int64_t>(C);
  };
  if (E->Ty->isInteger()) {
    if ((E->O == Op::Add && Is(X, 0)) || (E->O == Op::Mul && Is(X, 1)))
      return {LaneVal::Vector, vec(Y, TY)};
    if (((E->O == Op::Add || E->O == Op::Sub) && Is(Y, 0)) || (E->O == Op::Mul && Is(Y, 1)))
      return {LaneVal::Vector, vec(X, TX)};
    if (E->O == Op::Sub && Is(X, 0))
      return {LaneVal::Vector, M.unary(Op::Neg, vec(Y, TY))};
  }
  return {LaneVal::Vector, M.binary(E->O, vec(X, TX), vec(Y, TY))};
}

/// V as a vector; a product stays a product.
const Expr *ItemBlocker::term(const LaneVal &V, const Type *Ty) {
  if (V.K != LaneVal::Uniform)
    return vec(V, Ty);
  if (V.E->K == ExprKind::Binary && V.E->O == Op::Mul)
    return M.binary(Op::Mul, vec({LaneVal::Uniform, V.E->Ops[0]}, Ty),
                    vec({LaneVal::Uniform, V.E->Ops[1]}, Ty));
  if (V.E->K == ExprKind::Unary && V.E->O == Op::Neg)
    return M.unary(Op::Neg, term({LaneVal::Uniform, V.E->Ops[0]}, Ty));
  return vec(V, Ty);
}

LaneVal ItemBlocker::combineCast(const Expr *E, const LaneVal &V) {
  auto Same = [&](const Expr *X, const Type *Ty) {
    Expr *C = M.newExpr(ExprKind::Cast, Ty, E->Range);
    C->C = E->C;
    C->Implicit = E->Implicit && !Ty->isVector();
    C->Text = E->Text;
    C->Ops = {X};
    return C;
  };
  const Type *From = E->Ops[0]->Ty;
  if (V.K == LaneVal::Uniform)
    return {LaneVal::Uniform, simplify(M, Same(V.E, E->Ty))};
  if (E->C == CastOp::Convert) {
    if (V.K == LaneVal::Linear && shape(E).K == VShape::Linear)
      return {LaneVal::Linear, simplify(M, Same(V.E, E->Ty)), V.Stride};
    if (E->Ty->Scalar == ScalarKind::Bool)
      return {LaneVal::Mask, mask(V, maskLike(V, From), From)};
    if (V.K == LaneVal::Mask)
      return {LaneVal::Vector, vec(V, E->Ty)};
    const Expr *X = vec(V, From);
    // A scalar conversion of floating point to 8 or 16 bits goes through int on
    // the devices that were looked at; do the same for the lanes.
    if (From->isFloat() && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) < 32)
      X = M.cast(X, M.value(ScalarKind::Int, N));
    return {LaneVal::Vector, X->Ty == vecTy(E->Ty) ? X : M.cast(X, vecTy(E->Ty))};
  }
  return {LaneVal::Vector, Same(vec(V, From), vecTy(E->Ty))};
}

LaneVal ItemBlocker::combineCall(const Expr *E, llvm::ArrayRef<LaneVal> Args) {
  if (llvm::all_of(Args, [](const LaneVal &V) { return V.K == LaneVal::Uniform; })) {
    llvm::SmallVector<const Expr *, 3> Ops;
    for (const LaneVal &V : Args)
      Ops.push_back(V.E);
    return {LaneVal::Uniform, M.call(E->Name, E->Ty, Ops)};
  }
  if (E->Name == "select" && E->Ops.size() == 3) {
    const Expr *X = vec(Args[0], E->Ops[0]->Ty), *Y = vec(Args[1], E->Ops[1]->Ty);
    return {LaneVal::Vector, M.select(mask(Args[2], E->Ty, E->Ops[2]->Ty), Y, X)};
  }
  if (isLanewise(E->Name) || isRelational(E->Name)) {
    llvm::SmallVector<const Expr *, 3> Ops;
    for (unsigned I = 0; I < Args.size(); ++I)
      Ops.push_back(vec(Args[I], E->Ops[I]->Ty));
    if (isRelational(E->Name))
      return {LaneVal::Mask, M.call(E->Name, M.comparisonType(Ops[0]->Ty), Ops)};
    return {LaneVal::Vector, M.call(E->Name, vecTy(E->Ty), Ops)};
  }
  llvm::SmallVector<LaneVal, 3> Held(Args);
  for (LaneVal &V : Held)
    if (V.K >= LaneVal::Vector && !Conditional)
      V.E = temp(V.E, "arg");
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N; ++L) {
    llvm::SmallVector<const Expr *, 3> Ops;
    for (unsigned I = 0; I < Held.size(); ++I)
      Ops.push_back(scalarOf(Held[I], L, E->Ops[I]->Ty));
    Lanes.push_back(M.call(E->Name, E->Ty, Ops));
  }
  ++ScalarCalls;
  return {LaneVal::Vector, M.vectorCtor(vecTy(E->Ty), Lanes)};
}

const Expr *ItemBlocker::evalLane(const Expr *E, unsigned Row, unsigned Lane) {
  VShape Sh = shape(E);
  if (Sh.K != VShape::Vector || E->K == ExprKind::VarRef || E->K == ExprKind::Load ||
      E->K == ExprKind::Call) {
    LaneVal V = eval(E, Row);
    if (V.K == LaneVal::Vector && V.E->K != ExprKind::VarRef && !Conditional)
      V.E = temp(V.E, "lanes");
    return scalarOf(V, Lane, E->Ty);
  }
  return simplify(M, mapOperands(M, E, [&](const Expr *X) { return evalLane(X, Row, Lane); }));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// The bytes from lane to lane, and the access of lane 0; nullopt: not linear.
std::optional<int64_t> ItemBlocker::laneStride(const Access &Acc, unsigned Row, Access &Lane0) {
  Lane0 = Acc;
  int64_t Stride = 0;
  for (unsigned D = 0; D < Acc.Index.size(); ++D) {
    if (shape(Acc.Index[D]).K == VShape::Vector)
      return std::nullopt;
    LaneVal V = eval(Acc.Index[D], Row);
    if (V.K == LaneVal::Vector || V.K == LaneVal::Mask)
      return std::nullopt;
    Lane0.Index[D] = V.E;
    if (V.K == LaneVal::Linear)
      Stride += V.Stride * int64_t(Acc.Stride[D]);
  }
  return Stride;
}

/// A load of the new kernel: from a variable that already holds it, or a new one.
const Expr *ItemBlocker::loadOnce(const Access &Acc, const Type *Ty, bool Hoist) {
  Poly Address = address(Acc);
  for (const Available &L : Loads)
    if (L.Base == Acc.Base && L.Ty == Ty && L.Address == Address)
      return M.ref(L.V);
  const Expr *Load = M.load(Acc);
  if (!Hoist || Conditional)
    return Load;
  Var *V = newVar(Acc.Base->Name + "_v", Ty);
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = V;
  D->E = Load;
  add(D);
  Loads.push_back({Acc.Base, Address, Ty, V});
  return M.ref(V);
}

LaneVal ItemBlocker::evalLoad(const Expr *E, unsigned Row) {
  if (inArrays(E->Acc))
    return evalArray(E, Row);
  if (auto It = GuardedLoads.find({E, Row}); It != GuardedLoads.end())
    return It->second;
  Access Lane0;
  std::optional<int64_t> Stride = laneStride(E->Acc, Row, Lane0);
  if (Failed)
    return {LaneVal::Uniform, E};
  if (Stride && *Stride == 0)
    return {LaneVal::Uniform, loadOnce(Lane0, E->Ty, ActiveRows.size() > 1 && !shape(E).Rows)};
  if (E->Acc.Lanes > 1) {
    refuse(Refusal::UnsupportedType, "vectorize", "vector load of " + E->Acc.Base->Name, E->Range);
    return {LaneVal::Uniform, E};
  }
  const Type *VT = vecTy(E->Ty);
  if (Stride && *Stride == sizeInBytes(E->Acc.Elem)) {
    Lane0.F = Access::VLoad;
    Lane0.Lanes = N;
    ++VectorAccesses;
    return {LaneVal::Vector, loadOnce(Lane0, VT, true)};
  }
  if (auto It = Interleaved.find(E); It != Interleaved.end() && !Conditional)
    return deinterleave(E, It->second, Row);
  ++ScalarAccesses;
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N; ++L) {
    Access One = E->Acc;
    for (unsigned D = 0; D < One.Index.size(); ++D)
      One.Index[D] = evalLane(E->Acc.Index[D], Row, L);
    Lanes.push_back(loadOnce(One, E->Ty, false));
  }
  const Expr *All = M.vectorCtor(VT, Lanes);
  return {LaneVal::Vector, Conditional ? All : temp(All, E->Acc.Base->Name + "_v")};
}

} // namespace clmali::rewrite
