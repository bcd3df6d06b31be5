//===-- rewriters/normalize/HalfInMemory.cpp - Halves that are only stored ------------===//
//
// What it does: without cl_khr_fp16 there is no arithmetic on half, and no variable of it;
// vload_half and vstore_half convert between half in memory and float. Passes that know nothing of
// that make variables of what is loaded, and these become float:
//
//   before                                        after
//   half4 p_v = vload4(0, p);                     float4 p_v = vload_half4(0, p);
//   y = (float)p_v.x + (float)p_v.y;              y = p_v.x + p_v.y;
//
// Legal if: each half is a float, so nothing but a conversion to half rounds. That stays in the
// store; a value that is rounded and used elsewhere has no such form.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/HalfInMemory.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clmali::rewrite {

using namespace model;

namespace {

class HalfInMemory {
public:
  HalfInMemory(Module &M, Kernel &K) : M(M), K(K) {}
  bool run();

private:
  Module &M;
  Kernel &K;
  llvm::DenseMap<const Var *, Var *> Floats;
  bool Ok = true;

  static bool isHalf(const Type *Ty) { return Ty->isValue() && Ty->Scalar == ScalarKind::Half; }
  const Type *floatOf(const Type *Ty) { return M.value(ScalarKind::Float, Ty->Lanes); }
  const Expr *plain(const Expr *E);
  const Expr *asFloat(const Expr *E, const Expr *Rounded = nullptr);
  const Expr *stored(const Expr *E);
  void statement(Stmt *S);
};

} // namespace

/// E, not of half, without halves but those that it loads.
const Expr *HalfInMemory::plain(const Expr *E) {
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && isHalf(E->Ops[0]->Ty))
    return M.cast(asFloat(E->Ops[0]), E->Ty, E->Implicit);
  return mapOperands(M, E, [&](const Expr *X) {
    Ok &= !isHalf(X->Ty);
    return plain(X);
  });
}

/// E, of half, as float. Rounded: the conversion to half that a store makes of all of it; null: E
/// must need none.
const Expr *HalfInMemory::asFloat(const Expr *E, const Expr *Rounded) {
  switch (E->K) {
  case ExprKind::Load:
    return M.cast(mapOperands(M, E, [&](const Expr *X) { return plain(X); }), floatOf(E->Ty));
  case ExprKind::VarRef:
    if (Var *V = Floats.lookup(E->V))
      return M.ref(V);
    break;
  case ExprKind::FloatConst:
    return M.floatConst(E->Float, floatOf(E->Ty));
  case ExprKind::Swizzle:
    return M.swizzle(asFloat(E->Ops[0], Rounded), E->LaneIdx);
  case ExprKind::VectorCtor: {
    llvm::SmallVector<const Expr *, 16> Ops;
    for (const Expr *X : E->Ops)
      Ops.push_back(asFloat(X, Rounded));
    return M.vectorCtor(floatOf(E->Ty), Ops);
  }
  case ExprKind::Select:
    return M.select(plain(E->Ops[0]), asFloat(E->Ops[1], Rounded), asFloat(E->Ops[2], Rounded));
  case ExprKind::Cast:
    if (Rounded && E->C == Rounded->C && E->Text == Rounded->Text &&
        E->Ops[0]->Ty->Scalar == ScalarKind::Float)
      return plain(E->Ops[0]);
    if (E->C == CastOp::Splat && isHalf(E->Ops[0]->Ty))
      return M.cast(asFloat(E->Ops[0], Rounded), floatOf(E->Ty), E->Implicit);
    break;
  default:
    break;
  }
  Ok = false;
  return E;
}

/// E, of half and stored, as a conversion of floats.
const Expr *HalfInMemory::stored(const Expr *E) {
  const Expr *Rounded = nullptr;
  walk(E, [&](const Expr *X) {
    if (!Rounded && X->K == ExprKind::Cast && isHalf(X->Ty) && !isHalf(X->Ops[0]->Ty))
      Rounded = X;
    return X->K != ExprKind::Load;
  });
  const Expr *Value = asFloat(E, Rounded);
  if (!Rounded || Rounded->C == CastOp::Convert)
    return M.cast(Value, E->Ty);
  Expr *X = M.newExpr(ExprKind::Cast, E->Ty, E->Range);
  X->C = Rounded->C;
  X->Text = Rounded->Text;
  X->Ops = {Value};
  return X;
}

void HalfInMemory::statement(Stmt *S) {
  Var *V = S->V ? Floats.lookup(S->V) : nullptr;
  mapExprs(M, *S, [&](const Expr *E) {
    if (E != S->E || !isHalf(E->Ty))
      return plain(E);
    return S->K == StmtKind::Store ? stored(E) : V ? asFloat(E) : (Ok = false, E);
  });
  if (V)
    S->V = V;
}

bool HalfInMemory::run() {
  for (Var *&V : K.Vars) {
    if (V->K != Var::Temp || !isHalf(V->Ty))
      continue;
    Var *New = M.newVar(Var::Temp, V->Name, floatOf(V->Ty));
    New->Range = V->Range;
    New->FromHelper = V->FromHelper;
    Floats[V] = New;
    V = New;
  }
  walk(K.Body, [&](Stmt *S) {
    statement(S);
    return Ok;
  });
  return Ok;
}

/// True if K loads halves to convert them, stores what it has converted, and has no other halves.
static bool hasHalfInMemoryOnly(const Kernel &K) {
  auto IsHalf = [](const Type *Ty) { return Ty->isValue() && Ty->Scalar == ScalarKind::Half; };
  auto Converts = [](const Expr *E) { return E->K == ExprKind::Cast && !E->Implicit; };
  llvm::DenseSet<const Expr *> Known;
  bool Any = false, Only = true;
  for (const Stmt *S : stmts(K.Body)) {
    Only &= !S->V || !IsHalf(S->V->Ty);
    if (S->K == StmtKind::Store && S->E && Converts(S->E))
      Known.insert(S->E);
    for (ExprAt E : exprs(*S))
      if (Converts(E.E) && E->C == CastOp::Convert && E->Ops[0]->K == ExprKind::Load &&
          E->Ty->Scalar == ScalarKind::Float)
        Known.insert(E->Ops[0]);
    for (ExprAt E : exprs(*S))
      if (IsHalf(E->Ty)) {
        Any = true;
        Only &= Known.contains(E.E);
      }
  }
  return Any && Only;
}

bool keepHalfInMemory(Module &M, const Kernel &Original, Kernel &K) {
  return !hasHalfInMemoryOnly(Original) || HalfInMemory(M, K).run();
}

} // namespace clmali::rewrite
