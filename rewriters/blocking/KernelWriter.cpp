//===-- rewriters/blocking/KernelWriter.cpp - Where new code goes ---------------===//

#include "rewriters/blocking/KernelWriter.h"

namespace clmali::rewrite {

using namespace model;

void KernelWriter::start(const Kernel &Old, llvm::function_ref<bool(const Var *)> LeftOut) {
  New = M.newKernel(Old.Name);
  New->Params = Old.Params;
  New->ReqdWorkGroupSize = Old.ReqdWorkGroupSize;
  New->VecTypeHint = Old.VecTypeHint;
  New->Range = Old.Range;
  New->NameRange = Old.NameRange;
  New->BodyRange = Old.BodyRange;
  New->UsesFp16 = Old.UsesFp16;
  New->UsesFp64 = Old.UsesFp64;
  Cur = &New->Body;
  for (Var *P : Old.Params)
    Names.insert(P->Name);
  for (Var *V : Old.Vars)
    if (V->K == Var::SamplerConst || (V->K == Var::Memory && !LeftOut(V))) {
      New->Vars.push_back(V);
      Names.insert(V->Name);
    }
}

std::string KernelWriter::unique(llvm::StringRef Name) {
  std::string Try = Name.str();
  unsigned &Next = NextName.try_emplace(Name, 2).first->second;
  while (!Names.insert(Try).second)
    Try = (Name + "_" + llvm::Twine(Next++)).str();
  return Try;
}

Var *KernelWriter::newVar(llvm::StringRef Name, const Type *Ty) {
  Var *V = M.newVar(Var::Temp, unique(Name), Ty);
  New->Vars.push_back(V);
  return V;
}

Var *KernelWriter::copyVar(const Var *V) {
  Var *NV = newVar(V->Name, V->Ty);
  NV->Spelling = V->Spelling;
  NV->Range = V->Range;
  NV->IsPointerOffset = V->IsPointerOffset;
  NV->FromHelper = V->FromHelper;
  return NV;
}

Var *KernelWriter::newArray(llvm::StringRef Name, const Type *Ty, const Var *Of) {
  Var *W = M.newVar(Var::Memory, unique(Name), Ty);
  W->Range = Of->Range;
  New->Vars.push_back(W);
  return W;
}

Stmt *KernelWriter::makeDecl(Var *V, const Expr *E) {
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = V;
  D->E = E;
  return D;
}

Stmt *KernelWriter::makeAssign(Var *V, const Expr *E, SourceRange At) {
  Stmt *D = M.newStmt(StmtKind::Assign, At);
  D->V = V;
  D->E = E;
  return D;
}

const Expr *KernelWriter::temp(const Expr *E, llvm::StringRef Hint) {
  if (E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst)
    return E;
  Var *V = newVar(Hint, E->Ty);
  declare(V, E);
  return M.ref(V);
}

Stmt *KernelWriter::copyStmt(const Stmt *St) {
  Stmt *C = M.newStmt(St->K, St->Range);
  C->V = St->V;
  C->LaneIdx = St->LaneIdx;
  C->Form = St->Form;
  C->EarlyReturn = false;
  C->LocalFence = St->LocalFence;
  C->GlobalFence = St->GlobalFence;
  C->UnrollHint = St->UnrollHint;
  C->Name = St->Name;
  C->Text = St->Text;
  C->Comments = St->Comments;
  C->Args = St->Args;
  C->Image = St->Image;
  return C;
}

} // namespace clmali::rewrite
