//===-- checks/model/lift/PureHelpers.cpp - Calls that stay calls ---------===//
//
// What it does: finds the helpers that are functions of scalars and have no effect
// (Module::PureHelpers), and keeps their calls in Kernel::WithCalls.
//
//   before                                   after
//   float sq(float a) { return a * a; }      store y[i] = (sq(load x[i]) + <float>1)
//   y[i] = sq(x[i]) + 1;
//
// Pure is what lifts to that: no memory but its own and constants of the program, no ids, nothing
// that the model does not represent.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/lift/Lifter.h"
#include "clang/AST/Attr.h"

namespace clmali::model {

/// True if to read Base gives the same to each caller.
static bool isOwnOrConstant(const Var *Base) {
  return Base->K == Var::Memory &&
         (Base->space() == AddressSpace::Private || Base->space() == AddressSpace::Constant);
}

static bool isPureStmt(const Stmt *S) {
  switch (S->K) {
  case StmtKind::Decl:
  case StmtKind::Assign:
  case StmtKind::If:
  case StmtKind::Loop:
  case StmtKind::Break:
  case StmtKind::Continue:
    return true;
  case StmtKind::Store:
    return isOwnOrConstant(S->Acc.Base);
  default:
    return false;
  }
}

static bool isPureExpr(const Expr *E) {
  switch (E->K) {
  case ExprKind::Opaque:
  case ExprKind::WorkItem:
  case ExprKind::ImageRead:
  case ExprKind::ImageQuery:
    return false;
  case ExprKind::Load:
    return isOwnOrConstant(E->Acc.Base) && !E->Acc.Volatile;
  default:
    return true;
  }
}

/// Helper's value is stored through a parameter of its own.
void Lifter::storeResult(Kernel &Helper) {
  Var *Value = Helper.Vars.front();
  Var *To = M.newVar(Var::Param, "result", M.pointer(Value->Ty, AddressSpace::Global));
  To->Index = Helper.Params.size();
  Helper.Params.push_back(To);
  Stmt *S = M.newStmt(StmtKind::Store);
  S->Acc.Base = To;
  S->Acc.Index = {M.intConst(0)};
  S->Acc.Stride = {sizeInBytes(Value->Ty->Scalar)};
  S->Acc.Elem = Value->Ty->Scalar;
  S->E = M.ref(Value);
  Helper.Body.push_back(S);
}

bool Lifter::isPureHelper(const clang::FunctionDecl *FD) {
  auto IsScalar = [&](clang::QualType T) { return type(T)->isScalar(); };
  // An overload is chosen by the types of the arguments as they are printed.
  if (!IsScalar(FD->getReturnType()) || !FD->getIdentifier() ||
      FD->hasAttr<clang::OverloadableAttr>() ||
      !llvm::all_of(FD->parameters(), [&](const auto *P) { return IsScalar(P->getType()); }))
    return false;
  Kernel Alone = liftFunction(FD);
  if (Statements > MaxStatements || !Alone.Opaques.empty() ||
      !llvm::all_of(stmts(Alone.Body), isPureStmt) ||
      !llvm::all_of(exprs(Alone.Body), [](ExprAt X) { return isPureExpr(X.E); }))
    return false;
  storeResult(Alone);
  M.PureHelpers.push_back(std::make_unique<Kernel>(std::move(Alone)));
  return true;
}

/// Of the functions that the last kernel calls.
void Lifter::findPureHelpers() {
  for (const clang::FunctionDecl *FD : Inlined.getArrayRef().vec())
    if (!Pure.contains(FD)) {
      bool Is = isPureHelper(FD);
      Pure[FD] = Is;
    }
}

/// True if a call of FD stays one here. A parameter of the kernel may have its name.
bool Lifter::keepsCall(const clang::FunctionDecl *FD) {
  return KeepsCalls && Pure.lookup(FD) &&
         llvm::none_of(K->Params, [&](const Var *V) { return V->Name == FD->getName(); });
}

/// A call of a pure function as a value.
const Expr *Lifter::keptCall(const clang::CallExpr *E, const clang::FunctionDecl *FD) {
  Expr *X = M.newExpr(ExprKind::HelperCall, type(E->getType()), range(E));
  X->Name = FD->getName().str();
  for (const Expr *Argument : valueArgs(E))
    X->Ops.push_back(Argument);
  return X;
}

} // namespace clmali::model
