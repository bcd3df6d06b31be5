//===-- rewriters/print/TwoResults.cpp - Built-ins with two results -------------===//
//
// The model has a call for each result (Model.h, SecondResult):
//
//   before (model)              after (text)
//   c = sincos.second(x)        float c;
//   s = sincos(x)               float s = sincos(x, &c);
//   e = frexp.second(x)         int e;
//                               frexp(x, &e);
//   y = frexp(x)                y = KERNEL_frexp_float(x);   a function with a local variable
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/print/KernelPrinter.h"

using namespace clmali::model;

namespace clmali::rewrite {

std::string ExprPrinter::withBothResults(const Expr *Call, const std::string &To) const {
  std::string S = functionOf(Call->Name).str() + "(";
  for (const Expr *Op : Call->Ops)
    S += argument(Op) + ", ";
  return S + "&" + To + ")";
}

std::string ExprPrinter::helper(const Expr *Call) const {
  const llvm::StringRef Function = functionOf(Call->Name);
  const bool Second = Function != Call->Name;
  std::string HelperName = KernelName + "_" + Function.str() + (Second ? "_second" : "");
  std::string Text, Arguments;
  for (auto [I, Op] : llvm::enumerate(Call->Ops)) {
    HelperName += "_" + typeName(Op->Ty);
    const std::string Argument = I ? "y" : "x";
    Text += (Text.empty() ? "" : ", ") + typeName(Op->Ty) + " " + Argument;
    Arguments += Argument + ", ";
  }
  // The stored result has the type of the operand, or the integer of as many lanes.
  bool StoresInteger = Function == "frexp" || Function == "remquo" || Function == "lgamma_r";
  const Type *Operand = Call->Ops[0]->Ty;
  std::string Stored = Second || !StoresInteger ? typeName(Call->Ty)
                       : Operand->isVector()    ? "int" + std::to_string(Operand->Lanes)
                                                : "int";
  const std::string Result = typeName(Call->Ty);
  const std::string Body = Function.str() + "(" + Arguments + "&stored);";
  Text = Result + " " + HelperName + "(" + Text + ") {\n" + Stored + " stored;\n" +
         (Second ? Body + "\nreturn stored;\n" : "return " + Body + "\n") + "}\n";
  Helpers[HelperName] = Text;
  return HelperName;
}

std::string ExprPrinter::helpers() const {
  std::string Text;
  for (const auto &[HelperName, Definition] : Helpers)
    Text += Definition + "\n";
  return Text;
}

/// True if S sets a whole variable to the second result of a call.
bool KernelPrinter::takesSecondResult(const Stmt *S) const {
  return S->E && S->E->K == ExprKind::Call && hasTwoResults(functionOf(S->E->Name)) &&
         functionOf(S->E->Name) != S->E->Name && S->LaneIdx.empty() && S->V->Ty == S->E->Ty;
}

/// Prints A and B as one call, if they take the two results of one.
bool KernelPrinter::bothResults(const Stmt *A, const Stmt *B) {
  auto Sets = [&](const Stmt *S) {
    return (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->E &&
           S->E->K == ExprKind::Call && S->LaneIdx.empty() && S->V->Ty == S->E->Ty &&
           S->V->K == Var::Temp && hasTwoResults(functionOf(S->E->Name)) && !L.Skip.contains(S) &&
           !L.Before.count(S);
  };
  if (!Sets(A) || !Sets(B) || A->V == B->V || !B->Comments.empty() ||
      !llvm::equal(A->E->Ops, B->E->Ops,
                   [](const Expr *X, const Expr *Y) { return equal(X, Y); }) ||
      functionOf(A->E->Name) != functionOf(B->E->Name) || A->E->Name == B->E->Name)
    return false;
  // B's operands are those of A, unless they change in between.
  if (nameOf(A->V) == nameOf(B->V) || llvm::any_of(B->E->Ops, [&](const Expr *Op) {
        return llvm::any_of(exprs(Op), [&](ExprAt X) { return X->V == A->V; });
      }))
    return false;
  const bool FirstIsA = functionOf(A->E->Name) == A->E->Name;
  const Stmt *First = FirstIsA ? A : B, *Second = FirstIsA ? B : A;
  auto Declares = [&](const Stmt *S) {
    return S->K == StmtKind::Decl ? !L.AsAssign.contains(S) : L.AsDecl.contains(S);
  };
  Pending.insert(Pending.end(), A->Comments.begin(), A->Comments.end());
  flushComments();
  if (Declares(Second))
    line(declaration(Second->V) + ";");
  line((Declares(First) ? declaration(First->V) : nameOf(First->V)) + " = " +
       Print.withBothResults(First->E, nameOf(Second->V)) + ";");
  return true;
}

} // namespace clmali::rewrite
