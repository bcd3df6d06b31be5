//===-- rewriters/normalize/SplitVectors.cpp - Vectors of coordinates -----------------===//
//
//   int2 pos = (int2)(get_global_id(0), y);  int pos_x = get_global_id(0), pos_y = y;
//   a[pos.y * w + pos.x]                     a[pos_y * w + pos_x]
//
// Vector variables that are only read by component, and set by component or from scalars, become
// a scalar for each component.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite::normalization {

namespace {

class VectorSplitter {
public:
  VectorSplitter(Module &M, Kernel &K) : M(M), K(K) {}
  void run();

private:
  Module &M;
  Kernel &K;
  llvm::DenseMap<const Var *, bool> Splits;
  llvm::DenseMap<const Var *, llvm::SmallVector<Var *, 4>> Scalars;

  void findVectors();
  llvm::ArrayRef<Var *> scalarsOf(Var *V);
  const Expr *replace(const Expr *E);
  void rewrite(StmtList &B);
  void setScalars(const Stmt *S, StmtList &Out);
};

/// True if X reads one component of a variable.
bool isComponent(const Expr *X) {
  return X->K == ExprKind::Swizzle && X->Ops[0]->K == ExprKind::VarRef && X->LaneIdx.size() == 1;
}

/// True if E is a vector of scalars.
bool isOfScalars(const Expr *E) {
  if (E->K == ExprKind::VectorCtor)
    return E->Ops.size() == E->Ty->Lanes &&
           llvm::all_of(E->Ops, [](const Expr *X) { return X->Ty->isScalar(); });
  return E->K == ExprKind::Cast && E->C == CastOp::Splat;
}

} // namespace

void VectorSplitter::findVectors() {
  for (Stmt *S : stmts(K.Body)) {
    if (S->V && S->V->K == Var::Temp && S->V->Ty->isVector()) {
      bool Ok = (S->K == StmtKind::Decl || S->K == StmtKind::Assign) &&
                (S->LaneIdx.empty() ? !S->E || isOfScalars(S->E) : S->LaneIdx.size() == 1);
      auto [It, New] = Splits.try_emplace(S->V, Ok);
      It->second &= Ok;
    }
    ExprRange All = exprs(*S);
    for (auto It = All.begin(); It != All.end(); ++It) {
      const Expr *E = (*It).E;
      if (isComponent(E))
        It.skipOperands();
      else if (E->K == ExprKind::VarRef && E->Ty->isVector())
        Splits[E->V] = false;
    }
  }
}

llvm::ArrayRef<Var *> VectorSplitter::scalarsOf(Var *V) {
  auto &New = Scalars[V];
  if (New.empty())
    for (unsigned L = 0; L < V->Ty->Lanes; ++L) {
      std::string Name =
          V->Name + "_" + (V->Ty->Lanes <= 4 ? std::string(1, "xyzw"[L]) : std::to_string(L));
      Var *X = newTemp(M, K, Name, M.value(V->Ty->Scalar));
      X->Range = V->Range;
      New.push_back(X);
    }
  return New;
}

const Expr *VectorSplitter::replace(const Expr *E) {
  if (isComponent(E) && Splits.lookup(E->Ops[0]->V))
    return M.ref(scalarsOf(E->Ops[0]->V)[E->LaneIdx[0]]);
  return mapOperands(M, E, [&](const Expr *X) { return replace(X); });
}

/// S, which sets a whole vector, as statements that set its scalars.
void VectorSplitter::setScalars(const Stmt *S, StmtList &Out) {
  llvm::ArrayRef<Var *> New = scalarsOf(S->V);
  // All components are read before any is set: (a, b) = (b, a).
  llvm::SmallVector<const Expr *, 4> Values;
  for (unsigned L = 0; L < New.size(); ++L) {
    const Expr *V = !S->E ? nullptr : S->E->K == ExprKind::VectorCtor ? S->E->Ops[L] : S->E->Ops[0];
    if (V && S->K == StmtKind::Assign) {
      Stmt *D = M.newStmt(StmtKind::Decl, S->Range);
      D->V = newTemp(M, K, New[L]->Name + "_next", New[L]->Ty);
      D->E = V;
      Out.push_back(D);
      V = M.ref(D->V);
    }
    Values.push_back(V);
  }
  for (unsigned L = 0; L < New.size(); ++L) {
    Stmt *D = M.newStmt(S->K, S->Range);
    D->V = New[L];
    D->E = Values[L];
    if (!L)
      D->Comments = S->Comments;
    Out.push_back(D);
  }
}

void VectorSplitter::rewrite(StmtList &B) {
  StmtList Out;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { rewrite(Nested); });
    mapExprs(M, *S, [&](const Expr *E) { return replace(E); });
    if (!S->V || !Splits.lookup(S->V)) {
      Out.push_back(S);
    } else if (!S->LaneIdx.empty()) {
      S->V = scalarsOf(S->V)[S->LaneIdx[0]];
      S->LaneIdx.clear();
      Out.push_back(S);
    } else {
      setScalars(S, Out);
    }
  }
  B = std::move(Out);
}

void VectorSplitter::run() {
  findVectors();
  if (llvm::any_of(Splits, [](const auto &P) { return P.second; }))
    rewrite(K.Body);
}

void splitVectors(Module &M, Kernel &K) { VectorSplitter(M, K).run(); }

} // namespace clmali::rewrite::normalization
