//===-- rewriters/normalize/SplitComponents.cpp - Vectors of the source as scalars ---------===//
//
// What it does: vectors that the source computes with become a scalar for each
// component, so that work-items, not components, become the lanes:
//
//   before                              after
//   float2 v = x[i];                    float v_x = x[i].x;
//   y[i] = v.yx * a;                    float v_y = x[i].y;
//                                       float y_x = v_y * a; float y_y = v_x * a;
//                                       y[i].x = y_x;
//                                       y[i].y = y_y;
//
// Pack.cpp makes lanes of the channels of an interleaved element, so uchar4 pixels become uchar16
// vectors of four pixels, and float4 bodies become four of x, four of y ...
//
// Limits: 2 to 4 components. All vectors of a kernel or none: not with functions that round
// differently for vectors, geometric functions (the device chooses the order of their additions),
// or private arrays of vectors.
//
//===----------------------------------------------------------------------===//

#include "rewriters/lanes/Operations.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

class Splitter {
public:
  Splitter(Module &M, Kernel &K) : M(M), K(K) {}
  bool run() {
    if (!any())
      return false;
    SavedKernel Original(M, K);
    block(K.Body);
    if (!Ok)
      Original.restore(K);
    return Ok;
  }

private:
  Module &M;
  Kernel &K;
  bool Ok = true;
  llvm::DenseMap<const Var *, llvm::SmallVector<Var *, 4>> Scalars;

  bool any();
  void block(StmtList &B);
  void statement(Stmt *S, StmtList &Out);
  llvm::SmallVector<Var *, 4> &of(Var *V);
  const Expr *scalar(const Expr *E);
  const Expr *component(const Expr *E, unsigned L);
  const Expr *truth(const Expr *E, unsigned L);
  static bool isMask(const Expr *E);
  Access part(Access A, unsigned L);
  const Expr *held(const Expr *E);
  StmtList Held; ///< statements that must precede the current one
  const Expr *fail(const Expr *E) {
    Ok = false;
    return E;
  }
  Var *fresh(llvm::StringRef Name, const Type *Ty, SourceRange R) {
    Var *V = M.newVar(Var::Temp, uniqueName(K, Name), Ty);
    V->Range = R;
    K.Vars.push_back(V);
    return V;
  }
  static std::string named(llvm::StringRef Base, unsigned L) {
    return (Base + "_" + llvm::Twine("xyzw"[L])).str();
  }
};

/// True if there are vectors, and all of them can be split.
bool Splitter::any() {
  bool Found = false, Fits = true;
  for (const Var *V : K.Vars) {
    const Type *T = V->Ty;
    while (T->K == Type::Array)
      T = T->Elem;
    if (!T->isVector())
      continue;
    Fits &= T->Lanes <= 4 && (V->K == Var::Temp || V->AS != AddressSpace::Private);
  }
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Opaque || S->K == StmtKind::AsyncCopy)
      Fits = false;
    if (S->K == StmtKind::Store && S->Acc.Lanes > 1) {
      Found = true;
      Fits &= S->Acc.Lanes <= 4 && !S->Acc.Volatile;
    }
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->Ty->isVector()) {
          Found = true;
          Fits &= E->Ty->Lanes <= 4;
        }
        return Fits;
      });
    });
    return Fits;
  });
  return Found && Fits && K.Opaques.empty();
}

llvm::SmallVector<Var *, 4> &Splitter::of(Var *V) {
  auto &New = Scalars[V];
  if (New.empty())
    for (unsigned L = 0; L < V->Ty->Lanes; ++L)
      New.push_back(fresh(named(V->Name, L), M.value(V->Ty->Scalar), V->Range));
  return New;
}

/// E, taken out of a vector: a product that was no summand must not become one, since it could then
/// be contracted.
const Expr *Splitter::held(const Expr *E) {
  const Expr *P = E;
  while (P->K == ExprKind::Unary && P->O == Op::Neg)
    P = P->Ops[0];
  if (P->K != ExprKind::Binary || P->O != Op::Mul || !P->Ty->isFloat())
    return E;
  walk(E, [&](const Expr *X) {
    Ok &= X->K != ExprKind::Load; // it may not be evaluated at all
    return Ok;
  });
  Stmt *D = M.newStmt(StmtKind::Decl, E->Range);
  D->V = fresh("product", E->Ty, {});
  D->E = E;
  Held.push_back(D);
  return M.ref(D->V);
}

/// Component L of what A accesses.
Access Splitter::part(Access A, unsigned L) {
  unsigned Size = sizeInBytes(A.Elem);
  const Type *Elem = A.Base->Ty;
  while (Elem->K == Type::Array || Elem->K == Type::Pointer)
    Elem = Elem->Elem;
  for (const Expr *&Ix : A.Index)
    Ix = scalar(Ix);
  A.Lanes = 1;
  A.F = Access::Subscript;
  if (!L)
    return A;
  if (Elem->isScalar() && A.Path.empty() && !A.Disp && !A.Index.empty() && A.Stride.back() == Size)
    A.Index.back() =
        simplify(M, M.binary(Op::Add, A.Index.back(), M.intConst(L, A.Index.back()->Ty)));
  else
    A.Disp += L * Size;
  return A;
}

/// E, a scalar, without vectors inside.
const Expr *Splitter::scalar(const Expr *E) {
  if (E->Ty->isVector())
    return fail(E);
  if (E->K == ExprKind::Swizzle)
    return held(component(E->Ops[0], E->LaneIdx[0]));
  if (E->K == ExprKind::Cast && E->C == CastOp::Bitcast && E->Ops[0]->Ty->isVector())
    return fail(E);
  // any(pos >= size): evaluates all components, although one may be enough.
  if (E->K == ExprKind::Call && (E->Name == "any" || E->Name == "all") &&
      E->Ops[0]->Ty->isVector()) {
    const Expr *Sum = nullptr;
    for (unsigned L = 0; L < E->Ops[0]->Ty->Lanes; ++L) {
      const Expr *T = truth(E->Ops[0], L);
      Sum = Sum ? M.binary(E->Name == "any" ? Op::LogicalOr : Op::LogicalAnd, Sum, T) : T;
    }
    return Sum;
  }
  return mapOperands(M, E, [&](const Expr *X) { return scalar(X); });
}

/// True if each component of E is 0 or -1, and E need not be evaluated.
bool Splitter::isMask(const Expr *E) {
  if (E->K == ExprKind::Binary &&
      (E->O == Op::And || E->O == Op::Or || E->O == Op::LogicalAnd || E->O == Op::LogicalOr))
    return isMask(E->Ops[0]) && isMask(E->Ops[1]);
  return E->K == ExprKind::Binary && isComparison(E->O);
}

/// Component L of E, a mask, as a scalar condition.
const Expr *Splitter::truth(const Expr *E, unsigned L) {
  if (E->K == ExprKind::Binary && isComparison(E->O))
    return M.binary(E->O, component(E->Ops[0], L), component(E->Ops[1], L));
  // & and | of masks are masks.
  if (E->K == ExprKind::Binary &&
      (E->O == Op::And || E->O == Op::Or || E->O == Op::LogicalAnd || E->O == Op::LogicalOr) &&
      isMask(E->Ops[0]) && isMask(E->Ops[1])) {
    bool And = E->O == Op::And || E->O == Op::LogicalAnd;
    return M.binary(And ? Op::LogicalAnd : Op::LogicalOr, truth(E->Ops[0], L), truth(E->Ops[1], L));
  }
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ops[0]->Ty->isVector() &&
      isSigned(E->Ty->Scalar) && isSigned(E->Ops[0]->Ty->Scalar) &&
      sizeInBits(E->Ty->Scalar) >= sizeInBits(E->Ops[0]->Ty->Scalar))
    return truth(E->Ops[0], L);
  const Expr *C = component(E, L);
  return M.binary(Op::LT, C, M.intConst(0, C->Ty));
}

const Expr *Splitter::component(const Expr *E, unsigned L) {
  if (!Ok)
    return E;
  const Type *Ty = M.value(E->Ty->Scalar);
  if (E->Ty->isScalar())
    return scalar(E);
  switch (E->K) {
  case ExprKind::VarRef:
    return E->V->K == Var::Param ? M.swizzle(E, {uint8_t(L)}) : M.ref(of(E->V)[L]);
  case ExprKind::Load:
    return E->Acc.Volatile ? fail(E) : M.load(part(E->Acc, L));
  case ExprKind::Swizzle:
    return held(component(E->Ops[0], E->LaneIdx[L]));
  case ExprKind::VectorCtor: {
    unsigned At = 0;
    for (const Expr *X : E->Ops) {
      if (L < At + X->Ty->Lanes)
        return held(component(X, L - At));
      At += X->Ty->Lanes;
    }
    return fail(E);
  }
  case ExprKind::Cast: {
    if (E->C == CastOp::Splat)
      return held(scalar(E->Ops[0]));
    const Type *From = E->Ops[0]->Ty;
    if (From->Lanes != E->Ty->Lanes ||
        (E->C == CastOp::Bitcast && sizeInBits(From->Scalar) != sizeInBits(Ty->Scalar)))
      return fail(E);
    Expr *C = M.newExpr(ExprKind::Cast, Ty, E->Range);
    C->C = E->C;
    C->Text = E->Text;
    C->Ops = {component(E->Ops[0], L)};
    return C;
  }
  case ExprKind::Unary:
    return E->O == Op::LogicalNot ? fail(E) : M.unary(E->O, component(E->Ops[0], L));
  case ExprKind::Binary: {
    if (E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
      return fail(E);
    if (isComparison(E->O))
      return M.cast(M.unary(Op::Neg, truth(E, L)), Ty);
    const Expr *X = component(E->Ops[0], L), *Y = component(E->Ops[1], L);
    // C promotes what vectors compute in 8 and 16 bits.
    if (Ty->isInteger() && sizeInBits(Ty->Scalar) < 32) {
      const unsigned Bits = sizeInBits(Ty->Scalar);
      auto Count = constantValue(Y);
      // Counts are taken modulo the width.
      if ((E->O == Op::Shl || E->O == Op::Shr) && (!Count || *Count < 0 || *Count >= int64_t(Bits)))
        Y = M.binary(Op::And, Y, M.intConst(int64_t(Bits) - 1, Y->Ty));
      const Type *Int = M.value(isSigned(Ty->Scalar) ? ScalarKind::Int : ScalarKind::UInt);
      return M.cast(M.binary(E->O, M.cast(X, Int, true), M.cast(Y, Int, true)), Ty);
    }
    return M.binary(E->O, X, Y);
  }
  case ExprKind::Select: {
    const Expr *C = E->Ops[0]->Ty->isVector() ? truth(E->Ops[0], L) : scalar(E->Ops[0]);
    return M.select(C, component(E->Ops[1], L), component(E->Ops[2], L));
  }
  case ExprKind::Call: {
    if (!isLanewise(E->Name))
      return fail(E);
    llvm::SmallVector<const Expr *, 3> Ops;
    for (const Expr *X : E->Ops)
      Ops.push_back(component(X, L));
    return M.call(E->Name, Ty, Ops);
  }
  default:
    return fail(E);
  }
}

void Splitter::statement(Stmt *S, StmtList &Out) {
  auto Make = [&](StmtKind Kind, const Expr *E) {
    Stmt *N = M.newStmt(Kind, S->Range);
    N->E = E;
    Out.push_back(N);
    return N;
  };
  auto Define = [&](Var *V, const Expr *E, StmtKind Kind) {
    Stmt *N = Make(Kind, E);
    N->V = V;
    return N;
  };
  auto Flush = [&] {
    Out.insert(Out.end(), Held.begin(), Held.end());
    Held.clear();
  };
  size_t First = Out.size();
  if ((S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->V && S->V->K == Var::Temp &&
      S->V->Ty->isVector()) {
    llvm::SmallVector<Var *, 4> New = of(S->V);
    llvm::SmallVector<unsigned, 4> Which;
    if (S->LaneIdx.empty())
      for (unsigned L = 0; L < New.size(); ++L)
        Which.push_back(L);
    else
      Which.assign(S->LaneIdx.begin(), S->LaneIdx.end());
    llvm::SmallVector<const Expr *, 4> Values;
    for (unsigned I = 0; I < Which.size(); ++I)
      Values.push_back(S->E ? component(S->E, I) : nullptr);
    Flush();
    // v = v.yx: all are read before any is set.
    bool Crosses = false;
    for (unsigned I = 0; I < Which.size() && S->E; ++I)
      for (unsigned J = 0; J < I; ++J)
        walk(Values[I], [&](const Expr *X) {
          Crosses |= X->K == ExprKind::VarRef && X->V == New[Which[J]];
          return !Crosses;
        });
    if (Crosses)
      for (unsigned I = 0; I < Which.size(); ++I) {
        Var *T = fresh(New[Which[I]]->Name + "_next", New[Which[I]]->Ty, {});
        Define(T, Values[I], StmtKind::Decl);
        Values[I] = M.ref(T);
      }
    for (unsigned I = 0; I < Which.size(); ++I)
      Define(New[Which[I]], Values[I], S->K);
  } else if (S->K == StmtKind::Store && S->Acc.Lanes > 1) {
    // All components are computed before any is stored.
    llvm::SmallVector<const Expr *, 4> Values;
    for (unsigned L = 0; L < S->Acc.Lanes; ++L) {
      const Expr *E = component(S->E, L);
      Flush();
      if (E->K != ExprKind::VarRef && E->K != ExprKind::IntConst && E->K != ExprKind::FloatConst) {
        Var *T = fresh(named(S->Acc.Base->Name, L), E->Ty, {});
        Define(T, E, StmtKind::Decl);
        E = M.ref(T);
      }
      Values.push_back(E);
    }
    for (unsigned L = 0; L < S->Acc.Lanes && Ok; ++L) {
      Stmt *N = Make(StmtKind::Store, Values[L]);
      N->Acc = part(S->Acc, L);
    }
  } else {
    for (StmtList *B : {&S->Init, &S->Body, &S->Else, &S->Step})
      block(*B);
    if (S->V && S->V->K == Var::Temp && S->V->Ty->isVector())
      Ok = false;
    mapExprs(M, *S, [&](const Expr *E) { return Ok ? scalar(E) : E; });
    Ok &= Held.empty() || S->K != StmtKind::Loop; // each iteration would need them
    Flush();
    Out.push_back(S);
    return;
  }
  if (Out.size() > First)
    Out[First]->Comments = S->Comments;
}

void Splitter::block(StmtList &B) {
  StmtList Out;
  for (Stmt *S : B)
    if (Ok)
      statement(S, Out);
  B = std::move(Out);
}

} // namespace

bool splitComponents(Module &M, Kernel &K) { return Splitter(M, K).run(); }

} // namespace clmali::rewrite
