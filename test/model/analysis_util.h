//===-- test/model/analysis_util.h - Small kernels, made by hand ----------===//
//
// Kernels for the tests of the analyses, built through the Module API so that
// they need no parser.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_TEST_MODEL_ANALYSIS_UTIL_H
#define CLMALI_TEST_MODEL_ANALYSIS_UTIL_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::model::testing {

/// A module with one kernel. Statements go to the innermost open block.
struct Builder {
  Module M;
  Kernel *K = M.newKernel("k");
  std::vector<StmtList *> Open{&K->Body};

  const Type *ty(ScalarKind S, unsigned Lanes = 1) { return M.value(S, Lanes); }

  Var *buffer(llvm::StringRef Name, ScalarKind Elem = ScalarKind::Float, unsigned Lanes = 1,
              AddressSpace AS = AddressSpace::Global) {
    Var *V = M.newVar(Var::Param, Name, M.pointer(ty(Elem, Lanes), AS));
    V->Index = K->Params.size();
    K->Params.push_back(V);
    return V;
  }
  Var *param(llvm::StringRef Name, ScalarKind S = ScalarKind::Int) {
    Var *V = M.newVar(Var::Param, Name, ty(S));
    V->Index = K->Params.size();
    K->Params.push_back(V);
    return V;
  }
  Var *array(llvm::StringRef Name, ScalarKind Elem, uint64_t Count, AddressSpace AS) {
    Var *V = M.newVar(Var::Memory, Name, M.array(ty(Elem), Count));
    V->AS = AS;
    K->Vars.push_back(V);
    return V;
  }
  Var *temp(llvm::StringRef Name, ScalarKind S = ScalarKind::Int, unsigned Lanes = 1) {
    Var *V = M.newVar(Var::Temp, Name, ty(S, Lanes));
    K->Vars.push_back(V);
    return V;
  }

  // Expressions
  const Expr *i(int64_t V, ScalarKind S = ScalarKind::Int) { return M.intConst(V, S); }
  const Expr *f(double V) { return M.floatConst(V, ty(ScalarKind::Float)); }
  const Expr *r(Var *V) { return M.ref(V); }
  const Expr *to(ScalarKind S, const Expr *E) { return M.cast(E, ty(S), true); }
  const Expr *gid(unsigned D) { return M.workItem(WorkItemQuery::GlobalId, D); }
  const Expr *lid(unsigned D) { return M.workItem(WorkItemQuery::LocalId, D); }
  const Expr *igid(unsigned D) { return to(ScalarKind::Int, gid(D)); }
  const Expr *ilid(unsigned D) { return to(ScalarKind::Int, lid(D)); }
  const Expr *op(Op O, const Expr *A, const Expr *B) { return M.binary(O, A, B); }
  const Expr *add(const Expr *A, const Expr *B) { return op(Op::Add, A, B); }
  const Expr *sub(const Expr *A, const Expr *B) { return op(Op::Sub, A, B); }
  const Expr *mul(const Expr *A, const Expr *B) { return op(Op::Mul, A, B); }
  const Expr *lt(const Expr *A, const Expr *B) { return op(Op::LT, A, B); }
  const Expr *both(const Expr *A, const Expr *B) { return op(Op::LogicalAnd, A, B); }
  Access at(Var *Base, const Expr *Index) {
    Access A;
    A.Base = Base;
    const Type *Elem = Base->Ty->Elem;
    A.Index = {Index};
    A.Stride = {uint32_t(Elem->Size)};
    A.Elem = Elem->Scalar;
    A.Lanes = Elem->Lanes;
    return A;
  }
  const Expr *load(Var *Base, const Expr *Index) { return M.load(at(Base, Index)); }

  // Statements
  Stmt *put(Stmt *S) {
    Open.back()->push_back(S);
    return S;
  }
  Stmt *decl(Var *V, const Expr *E = nullptr) {
    Stmt *S = M.newStmt(StmtKind::Decl);
    S->V = V;
    S->E = E;
    return put(S);
  }
  Stmt *assign(Var *V, const Expr *E) {
    Stmt *S = M.newStmt(StmtKind::Assign);
    S->V = V;
    S->E = E;
    return put(S);
  }
  Stmt *store(Var *Base, const Expr *Index, const Expr *E) {
    Stmt *S = M.newStmt(StmtKind::Store);
    S->Acc = at(Base, Index);
    S->E = E;
    return put(S);
  }
  Stmt *barrier() {
    Stmt *S = M.newStmt(StmtKind::Barrier);
    S->Name = "barrier";
    S->LocalFence = true;
    return put(S);
  }
  using Fill = llvm::function_ref<void()>;
  Stmt *branch(const Expr *C, Fill Then, Fill Else = nullptr) {
    Stmt *S = put(M.newStmt(StmtKind::If));
    S->E = C;
    inside(S->Body, Then);
    if (Else)
      inside(S->Else, Else);
    return S;
  }
  /// for (V = Lo; V < Hi; V += Step)
  Stmt *loop(Var *V, const Expr *Lo, const Expr *Hi, int64_t Step, Fill Body, bool Declare = true) {
    Stmt *S = put(M.newStmt(StmtKind::Loop));
    inside(S->Init, [&] {
      if (Declare)
        decl(V, Lo);
      else
        assign(V, Lo);
    });
    S->E = lt(r(V), Hi);
    inside(S->Body, Body);
    inside(S->Step, [&] { assign(V, add(r(V), M.intConst(Step, V->Ty))); });
    return S;
  }
  Stmt *whileLoop(const Expr *C, Fill Body) {
    Stmt *S = put(M.newStmt(StmtKind::Loop));
    S->Form = Stmt::While;
    S->E = C;
    inside(S->Body, Body);
    return S;
  }
  void inside(StmtList &B, Fill F) {
    Open.push_back(&B);
    F();
    Open.pop_back();
  }
  std::string text() { return dump(*K); }
};

} // namespace clmali::model::testing

#endif
