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
// or tables of vectors.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Components.h"
#include "rewriters/lanes/Pieces.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

class Splitter {
public:
  explicit Splitter(const EditedKernel &E)
      : Edited(E), M(E.module()), K(E.kernel()),
        Parts(
            M, [this](const Expr *E, unsigned L) { return leaf(E, L); },
            [this](const Expr *E) { return held(E); }) {}
  bool run() {
    if (!any())
      return false;
    SavedKernel Original(Edited);
    block(K.Body);
    if (!ok())
      Original.restore();
    return ok();
  }

private:
  const EditedKernel Edited;
  Module &M;
  Kernel &K;
  Components Parts;
  bool Ok = true;
  llvm::DenseMap<const Var *, llvm::SmallVector<Var *, 4>> Scalars;

  bool ok() const { return Ok && !Parts.failed(); }
  bool any();
  void block(StmtList &B);
  void statement(Stmt *S, StmtList &Out);
  llvm::SmallVector<Var *, 4> &scalarsOf(Var *V);
  const Expr *leaf(const Expr *E, unsigned L);
  Access part(Access A, unsigned L);
  const Expr *held(const Expr *E);
  StmtList Held; ///< statements that must precede the current one
  Var *fresh(llvm::StringRef Name, const Type *Ty, SourceRange R) {
    Var *V = newTemp(M, K, Name, Ty);
    V->Range = R;
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
    Fits &= T->Lanes <= 4 && V->Ints.empty() && V->Floats.empty();
  }
  walk(K.Body, [&](Stmt *S) {
    // A texel is read and written as a whole.
    if (S->K == StmtKind::Opaque || S->K == StmtKind::AsyncCopy || S->K == StmtKind::ImageWrite)
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

llvm::SmallVector<Var *, 4> &Splitter::scalarsOf(Var *V) {
  auto &New = Scalars[V];
  if (New.empty())
    for (unsigned L = 0; L < V->Ty->Lanes; ++L)
      New.push_back(fresh(named(V->Name, L), M.value(V->Ty->Scalar), V->Range));
  return New;
}

/// E, a product, in a variable that is set before the current statement. Null: it loads, and may
/// not be evaluated at all.
const Expr *Splitter::held(const Expr *E) {
  if (llvm::any_of(exprs(E), [](ExprAt X) { return X->K == ExprKind::Load; }))
    return nullptr;
  Held.push_back(declareTemp(M, K, "product", E, E->Range));
  return M.ref(Held.back()->V);
}

/// Component L of E, a variable or a load.
const Expr *Splitter::leaf(const Expr *E, unsigned L) {
  if (E->K == ExprKind::Load)
    return E->Acc.Volatile ? nullptr : M.load(part(E->Acc, L));
  return E->V->K == Var::Param ? M.swizzle(E, {uint8_t(L)}) : M.ref(scalarsOf(E->V)[L]);
}

/// Component L of what A accesses.
Access Splitter::part(Access A, unsigned L) {
  for (const Expr *&Ix : A.Index)
    Ix = Parts.scalar(Ix);
  A.Lanes = 1;
  A.F = Access::Subscript;
  return movedBy(M, A, L);
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
    llvm::SmallVector<Var *, 4> New = scalarsOf(S->V);
    llvm::SmallVector<unsigned, 4> Which;
    if (S->LaneIdx.empty())
      for (unsigned L = 0; L < New.size(); ++L)
        Which.push_back(L);
    else
      Which.assign(S->LaneIdx.begin(), S->LaneIdx.end());
    llvm::SmallVector<const Expr *, 4> Values;
    for (unsigned I = 0; I < Which.size(); ++I)
      Values.push_back(S->E ? Parts.component(S->E, I) : nullptr);
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
      const Expr *E = Parts.component(S->E, L);
      Flush();
      if (E->K != ExprKind::VarRef && E->K != ExprKind::IntConst && E->K != ExprKind::FloatConst) {
        Var *T = fresh(named(S->Acc.Base->Name, L), E->Ty, {});
        Define(T, E, StmtKind::Decl);
        E = M.ref(T);
      }
      Values.push_back(E);
    }
    for (unsigned L = 0; L < S->Acc.Lanes && ok(); ++L) {
      Stmt *N = Make(StmtKind::Store, Values[L]);
      N->Acc = part(S->Acc, L);
    }
  } else {
    for (StmtList *B : {&S->Init, &S->Body, &S->Else, &S->Step})
      block(*B);
    if (S->V && S->V->K == Var::Temp && S->V->Ty->isVector())
      Ok = false;
    mapExprs(M, *S, [&](const Expr *E) { return ok() ? Parts.scalar(E) : E; });
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
    if (ok())
      statement(S, Out);
  B = std::move(Out);
}

} // namespace

bool splitComponents(const EditedKernel &E) { return Splitter(E).run(); }

} // namespace clmali::rewrite
