//===-- rewriters/normalize/Normalize.cpp - One form for all kernels ----------------===//
//
// Brings a lifted kernel into the form that the other passes expect.
//
//   before                                   after
//   void f(.., int n) { n = n - 1; .. n ..}  int n_2 = n - 1; .. n_2 ..
//   if (i < n && a[i] > 0) s;                if (i < n) { if (a[i] > 0) s; }
//   if (i >= n || a[i] == 0) return; s;      if (i < n) { if (a[i] != 0) s; }
//   x = i < n ? a[i] : 0;                    float v; if (i < n) v = a[i]; else v = 0; x = v;
//   t = i * 4; .. t = j;                     t = i * 4; .. t_2 = j;
//   if (p[i].x > 0) s += p[i].w;             float p_v = p[i].w; if (p[i].x > 0) s += p_v;
//   for (..) { if (c) continue; s; }         for (..) { if (c) {} else s; }
//   a[mad24(y, w, x)]                        a[y * w + x]
//   q = i / 3; .. i - q * 3                  q = i / 3; .. i % 3
//   if (i < 0) i = -i; .. a[i] ..            i_2 = i < 0 ? -i : i; .. a[i_2] ..
//   if (v > t) a[i] = 1; else a[i] = 0;      a[i] = v > t ? 1 : 0;
//   if (a[i] > t) a[i] = t;                  float a_v = a[i]; a[i] = a_v > t ? t : a_v;
//   a[i] = x; s += a[i];                     float a_new = x; a[i] = a_new; s += a_new;
//   while (k < n) { s; k++; }                for (; k < n; k++) s;
//   for (..; k++, q += n) s += b[q];         for (..; k++) s += b[q + k * n];
//
// The second to fourth line: LazyOperands.cpp. The sixth: Loads.cpp. The last five:
// SinkStores.cpp (two), ForwardStores.cpp, CountedLoops.cpp, InductionVariables.cpp. Pointers:
// PointerOffsets.cpp.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/StructureExits.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// Parameters that are assigned become variables, declared in front of the first statement that
/// assigns them.
void freezeParams(Module &M, Kernel &K) {
  llvm::MapVector<Var *, Var *> Own;
  llvm::DenseMap<Var *, size_t> From; ///< statement of the kernel
  for (size_t At = 0; At < K.Body.size(); ++At)
    for (const Stmt *S : stmts({K.Body[At]}))
      if ((S->K == StmtKind::Assign || S->K == StmtKind::Atomic) && S->V && S->V->K == Var::Param) {
        Own[S->V] = nullptr;
        From.try_emplace(S->V, At);
      }
  if (Own.empty())
    return;
  for (auto &[P, V] : Own) {
    V = newTemp(M, K, P->Name + "_now", P->Ty);
    V->Spelling = P->Spelling;
    V->Range = P->Range;
  }
  StmtList Body;
  for (size_t At = 0; At < K.Body.size(); ++At) {
    auto OwnOf = [&](Var *P) -> Var * {
      auto It = Own.find(P);
      return It == Own.end() || From.lookup(P) > At ? nullptr : It->second;
    };
    for (auto &[P, V] : Own)
      if (From.lookup(P) == At) {
        Stmt *D = M.newStmt(StmtKind::Decl);
        D->V = V;
        D->E = M.ref(P);
        Body.push_back(D);
      }
    StmtList One = {K.Body[At]};
    walk(One, [&](Stmt *S) {
      if (S->V)
        if (Var *V = OwnOf(S->V))
          S->V = V;
      mapExprs(M, *S, [&](const Expr *E) {
        return substitute(M, E, [&](const Expr *X) -> const Expr * {
          Var *V = X->K == ExprKind::VarRef ? OwnOf(X->V) : nullptr;
          return V ? M.ref(V) : nullptr;
        });
      });
      return true;
    });
    Body.push_back(K.Body[At]);
  }
  K.Body = std::move(Body);
}

/// `continue` becomes a condition on the rest of the loop's body.
void structureLoops(Module &M, Kernel &K) {
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Loop)
      structureContinues(M, S->Body, [&] {
        Var *Flag = newTemp(M, K, "skipped", M.value(ScalarKind::Int));
        return Flag;
      });
    return true;
  });
}

/// mul24 and mad24 become plain arithmetic where the operands are known to fit 24 bits, and in
/// coordinates made of ids and arguments: OpenCL does not define their value beyond 24 bits.
void plainProducts(const EditedKernel &Edited) {
  Module &M = Edited.module();
  Kernel &K = Edited.kernel();
  auto IsProduct = [](ExprAt E) {
    return E->K == ExprKind::Call && (E->Name == "mul24" || E->Name == "mad24") &&
           E->Ty->isScalar();
  };
  if (llvm::none_of(exprs(K.Body), IsProduct))
    return;
  const EditedKernel::Analysis Held = Edited.analysis();
  const KernelAnalysis &A = *Held;
  auto IsPlain = [&](ExprAt E) {
    bool Signed = isSigned(E->Ty->Scalar);
    Range Fits = {Signed ? -(1 << 23) : 0, Signed ? (1 << 23) - 1 : (1 << 24) - 1};
    Variation V = A.varies(E.E, E.S);
    if (V.Item && !V.Data)
      return true;
    return Fits.contains(A.range(E->Ops[0], E.S)) && Fits.contains(A.range(E->Ops[1], E.S)) &&
           rangeOf(E->Ty->Scalar).contains(A.range(E.E, E.S));
  };
  // Decided before anything changes; an expression may be shared by several statements.
  llvm::DenseMap<const Expr *, bool> Replaces;
  for (ExprAt E : exprs(K.Body))
    if (IsProduct(E))
      Replaces.try_emplace(E.E, true).first->second &= IsPlain(E);
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    const Expr *X = mapOperands(M, E, Replace);
    if (!Replaces.lookup(E))
      return X;
    const Expr *P = M.binary(Op::Mul, X->Ops[0], X->Ops[1]);
    return X->Ops.size() == 3 ? M.binary(Op::Add, P, X->Ops[2]) : P;
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Replace);
    return true;
  });
  Edited.edited();
}

/// x - x / c * c, also through variables, becomes x % c: what follows knows remainders.
void takeRemainders(const EditedKernel &Edited) {
  Module &M = Edited.module();
  const EditedKernel::Analysis Held = Edited.analysis();
  const KernelAnalysis &A = *Held;
  auto IsFixed = [&](const Expr *E) {
    return llvm::all_of(exprs(E), [&](ExprAt X) {
      return X->K == ExprKind::VarRef ? X->V->K == Var::Param || A.singleDef(X->V)
                                      : !isRead(X->K) && X->K != ExprKind::Opaque;
    });
  };
  auto ValueOf = [&](const Expr *E) {
    const Stmt *D = E->K == ExprKind::VarRef && E->V->K == Var::Temp ? A.singleDef(E->V) : nullptr;
    return D && D->LaneIdx.empty() && D->E && D->E->Ty == E->Ty ? D->E : E;
  };
  auto IsQuotientTimes = [&](const Expr *Quotient, const Expr *Divisor, const Expr *X) {
    const Expr *Q = ValueOf(Quotient);
    return Q->K == ExprKind::Binary && Q->O == Op::Div && Q->Ty == X->Ty && equal(Q->Ops[0], X) &&
           equal(Q->Ops[1], Divisor) && IsFixed(Q);
  };
  std::function<const Expr *(const Expr *)> Take = [&](const Expr *E) -> const Expr * {
    E = mapOperands(M, E, Take);
    if (E->K != ExprKind::Binary || E->O != Op::Sub || !E->Ty->isScalar() || !E->Ty->isInteger())
      return E;
    const Expr *X = E->Ops[0], *Product = ValueOf(E->Ops[1]);
    if (Product->K != ExprKind::Binary || Product->O != Op::Mul || Product->Ty != E->Ty)
      return E;
    for (unsigned I : {0u, 1u})
      if (const Expr *Divisor = Product->Ops[1 - I]; IsQuotientTimes(Product->Ops[I], Divisor, X))
        return M.binary(Op::Rem, X, Divisor);
    return E;
  };
  walk(Edited.kernel().Body, [&](Stmt *S) {
    mapExprs(M, *S, Take);
    return true;
  });
  Edited.edited();
}

//===----------------------------------------------------------------------===//
// Coordinates that are corrected at the border
//===----------------------------------------------------------------------===//

/// Variables whose values become addresses, or bound loops.
llvm::DenseMap<const Var *, bool> addressVars(const Kernel &K) {
  llvm::DenseMap<const Var *, bool> Known;
  llvm::DenseMap<const Var *, llvm::SmallVector<const Expr *, 2>> Defs;
  llvm::SmallVector<const Var *, 8> Work;
  auto Need = [&](const Expr *E) {
    walk(E, [&](const Expr *X) {
      if (X->K == ExprKind::VarRef && X->V->K == Var::Temp && Known.try_emplace(X->V, true).second)
        Work.push_back(X->V);
      return X->K != ExprKind::Load;
    });
  };
  for (const Stmt *S : stmts(K.Body)) {
    if ((S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->V && S->E)
      Defs[S->V].push_back(S->E);
    for (const Expr *Ix : S->Acc.Index)
      Need(Ix);
    if (S->K == StmtKind::Loop && S->E)
      Need(S->E);
    for (ExprAt E : exprs(*S))
      if (isRead(E->K))
        forEachOperand(*E.E, Need);
  }
  while (!Work.empty()) {
    const Var *V = Work.pop_back_val();
    for (const Expr *E : Defs.lookup(V))
      Need(E);
  }
  return Known;
}

/// A branch that only sets one coordinate, by a condition on coordinates, becomes a selection: the
/// coordinate then has one definition, which a block in the interior can simplify.
void selectCoordinates(const EditedKernel &E) {
  Module &M = E.module();
  Kernel &K = E.kernel();
  const EditedKernel::Analysis Held = E.analysis();
  const KernelAnalysis &A = *Held;
  llvm::DenseMap<const Var *, bool> Address = addressVars(K);
  auto Sets = [&](const StmtList &B) -> Var * {
    if (B.size() != 1 || B[0]->K != StmtKind::Assign || !B[0]->LaneIdx.empty() || mayFault(B[0]->E))
      return nullptr;
    Var *V = B[0]->V;
    return V->K == Var::Temp && V->Ty->isScalar() && V->Ty->isInteger() &&
                   sizeInBits(V->Ty->Scalar) >= 32 && Address.lookup(V)
               ? V
               : nullptr;
  };
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::If || mayFault(S->E) || (S->Body.empty() && S->Else.empty()))
      return true;
    Var *Then = Sets(S->Body), *Else = Sets(S->Else);
    Var *V = Then ? Then : Else;
    if (!V || (!Then && !S->Body.empty()) || (!Else && !S->Else.empty()) ||
        (Then && Else && Then != Else))
      return true;
    Variation By = A.varies(S->E, S);
    if (!By.Item || By.Data)
      return true;
    const Expr *X = Then ? S->Body[0]->E : M.ref(V), *Y = Else ? S->Else[0]->E : M.ref(V);
    S->E = M.select(S->E, X, Y);
    S->K = StmtKind::Assign;
    S->V = V;
    S->EarlyReturn = false;
    S->Body.clear();
    S->Else.clear();
    return true;
  });
}

} // namespace

void normalize(const EditedKernel &E, std::vector<std::string> *Obligations) {
  Module &M = E.module();
  Kernel &K = E.kernel();
  freezeParams(M, K);
  testComponents(M, K);
  normalization::splitCoordinates(M, K);
  normalization::splitVectors(M, K);
  leaveLoops(M, K);
  structureLoops(M, K);
  E.edited();
  plainProducts(E);
  takeRemainders(E);
  normalization::branchOnLazyOperands(E);
  normalization::sinkStores(E, Obligations);
  normalization::forwardStores(E);
  normalization::hoistLoads(E);
  selectCoordinates(E);
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *X) { return simplify(M, X); });
    return true;
  });
  splitLiveRanges(M, K);
  E.edited();
  normalization::countInHeaders(E);
  closeInductions(E);
  normalization::subscriptPointers(E);
}

} // namespace clmali::rewrite
