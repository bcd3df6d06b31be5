//===-- checks/model/host/values/Kernels.cpp - The kernel of an expression --------===//

#include "checks/model/host/values/Kernels.h"
#include "checks/model/host/loops/Loops.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

std::optional<std::string> HostKernels::name(const Expr *E, const HostFrame *Frame,
                                             unsigned Depth) const {
  HostValues::Origin O = Depth < 8 ? Known.source(E, Frame) : HostValues::Origin();
  if (!O.Value)
    return std::nullopt;
  const Expr *X = plain(O.Value);
  if (const auto *C =
          dyn_cast<CXXMemberCallExpr>(X)) { // functor.getKernel(), kernel.get(), kernel()
    const CXXMethodDecl *Method = C->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() &&
        (Method->getName() == "getKernel" || Method->getName() == "get" ||
         Method->getName() == "bind"))
      return name(C->getImplicitObjectArgument(), O.Frame, Depth + 1);
  }
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(X); C && C->getOperator() == OO_Call &&
                                                        C->getNumArgs() == 1 &&
                                                        isKernelType(C->getArg(0)->getType()))
    return name(C->getArg(0), O.Frame, Depth + 1);
  if (const auto *C = dyn_cast<CallExpr>(X)) {
    const FunctionDecl *F = calleeOf(C);
    if (!F || !F->getDeclName().isIdentifier())
      return std::nullopt;
    if (F->getName() == "clCreateKernel" && C->getNumArgs() > 1)
      return Known.string(C->getArg(1), O.Frame);
    return returned(C, F, O.Frame, Depth);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(X)) {
    const CXXRecordDecl *R = C->getConstructor()->getParent();
    if (C->getNumArgs() >= 4 && isFunctor(R) &&
        isKernelType(C->getArg(0)->getType())) // kernel, queue, sizes
      return name(C->getArg(0), O.Frame, Depth + 1);
    if (C->getNumArgs() >= 2 && (R->getQualifiedNameAsString() == "cl::Kernel" || isFunctor(R)))
      return Known.string(C->getArg(1), O.Frame);
    if (C->getNumArgs() >= 1)
      return name(C->getArg(0), O.Frame, Depth + 1);
  }
  return std::nullopt;
}

std::optional<std::string> HostKernels::returned(const CallExpr *C, const FunctionDecl *F,
                                                 const HostFrame *Frame, unsigned Depth) const {
  const FunctionDecl *Definition = nullptr;
  if (Flow.callsOf(F).empty() || !F->hasBody(Definition) || !isKernelType(F->getReturnType()))
    return std::nullopt;
  SmallVector<const Expr *, 8> Args(C->arg_begin(), C->arg_end());
  HostFrame Inner{Definition, C, Args, Frame};
  std::set<std::string> Names;
  auto Visit = [&](const Stmt *S, auto &&Self) -> void {
    if (!S)
      return;
    if (const auto *R = dyn_cast<ReturnStmt>(S);
        R && R->getRetValue() &&
        R->getRetValue()->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) ==
            Expr::NPCK_NotNull)
      Names.insert(name(R->getRetValue(), &Inner, Depth + 1).value_or(""));
    for (const Stmt *Child : S->children())
      Self(Child, Self);
  };
  Visit(Definition->getBody(), Visit);
  if (Names.size() != 1 || Names.begin()->empty())
    return std::nullopt;
  return *Names.begin();
}

bool HostKernels::makes(const CallExpr *C) const {
  const FunctionDecl *F = calleeOf(C), *Definition = nullptr;
  if (!F || isa<CXXOperatorCallExpr>(C) || !isKernelType(F->getReturnType()) ||
      F->getReturnType()->isReferenceType() || !F->hasBody(Definition))
    return false;
  bool Makes = false, Others = false;
  auto Visit = [&](const Stmt *S, auto &&Self) -> void {
    if (const auto *R = dyn_cast_or_null<ReturnStmt>(S); R && R->getRetValue()) {
      const auto *V = dyn_cast_or_null<VarDecl>(declOf(R->getRetValue()));
      const Expr *From = plain(
          V && !V->isLocalVarDecl() ? nullptr : Known.source(R->getRetValue(), nullptr).Value);
      const auto *Made = dyn_cast_or_null<CallExpr>(From);
      const auto *Built = dyn_cast_or_null<CXXConstructExpr>(From);
      bool Fresh = (Made && calledName(Made) == "clCreateKernel") ||
                   (Built && Built->getNumArgs() >= 2 && isKernelType(Built->getType()));
      Makes |= Fresh && !(V && V->isStaticLocal());
      Others |= !Fresh && R->getRetValue()->isNullPointerConstant(
                              Ctx, Expr::NPC_ValueDependentIsNotNull) == Expr::NPCK_NotNull;
      Others |= V && V->isStaticLocal();
    }
    if (S)
      for (const Stmt *Child : S->children())
        Self(Child, Self);
  };
  Visit(Definition->getBody(), Visit);
  return Makes && !Others;
}

} // namespace clmali::model
