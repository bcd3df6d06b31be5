//===-- checks/model/host/Buffers.cpp - What a file does with a buffer ------===//

#include "checks/model/host/Buffers.h"
#include "checks/model/host/mapping/HostMemory.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

/// The flags of cl_mem_flags (CL/cl.h).
enum MemoryFlags : int64_t {
  WriteOnlyFlag = 1 << 1,
  ReadOnlyFlag = 1 << 2,
  UseHostPtrFlag = 1 << 3,
  CopyHostPtrFlag = 1 << 5,
};

static const clang::Expr *withoutAddress(const clang::Expr *E) {
  E = plain(E->IgnoreParenCasts());
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf)
    E = U->getSubExpr()->IgnoreParenCasts();
  return E;
}

HostBuffers::Made HostBuffers::made(const clang::Expr *E) const {
  const auto *D = dyn_cast_or_null<VarDecl>(declOf(withoutAddress(E)));
  if (!D || isa<ParmVarDecl>(D) || D->getType()->isReferenceType() || D->getType()->isArrayType())
    return {};
  const clang::Expr *Only = nullptr;
  for (const HostWrite &W : Flow.writes(D)) {
    const clang::Expr *V = W.Value ? plain(W.Value) : nullptr;
    if (!V && W.K == HostWrite::Start)
      continue;
    // A null before it is made, or after its release.
    if (V && !V->getType()->isRecordType() && Known.isNull(V, nullptr))
      continue;
    if (const auto *Empty = dyn_cast_or_null<CXXConstructExpr>(V);
        Empty && Empty->getNumArgs() == 0)
      continue;
    if (!V) {
      // clSetKernelArg(k, 0, sizeof b, &b) takes a const pointer; others may write it.
      return {};
    }
    if (Only || (W.K != HostWrite::Start && W.K != HostWrite::Assign))
      return {};
    Only = V;
  }
  Made M;
  M.Holder = D;
  if (const auto *C = dyn_cast_or_null<CallExpr>(Only)) {
    if (calledName(C) != "clCreateBuffer" || C->getNumArgs() != 5)
      return {};
    M.Flags = C->getArg(1);
    M.Data = C->getArg(3);
  } else if (const auto *X = dyn_cast_or_null<CXXConstructExpr>(Only)) {
    if (X->getConstructor()->getParent()->getQualifiedNameAsString() != "cl::Buffer" ||
        X->getNumArgs() < 3 || !X->getArg(1)->getType()->isIntegralOrEnumerationType())
      return {};
    M.Flags = X->getArg(1);
    M.Data = X->getNumArgs() > 3 ? X->getArg(3) : nullptr;
  } else {
    return {};
  }
  std::optional<int64_t> Value = Known.integer(M.Flags);
  if (!Value)
    return {};
  M.Value = *Value;
  M.Call = Only;
  return M;
}

/// What a call does with a buffer that is its argument: by the position among the arguments.
static bool writesBuffer(StringRef Name, unsigned Index, bool IsMethod) {
  unsigned At = IsMethod ? Index + 1 : Index; // behind the queue
  Name.consume_front("cl");
  return StringSwitch<bool>(Name.drop_front(1)) // enqueue.., clEnqueue..
      .Cases("nqueueWriteBuffer", "nqueueWriteBufferRect", "nqueueFillBuffer", "nqueueMapBuffer",
             "nqueueMigrateMemObjects", At == 1)
      .Cases("nqueueCopyBuffer", "nqueueCopyBufferRect", "nqueueCopyImageToBuffer", At == 2)
      .Default(false);
}

static bool isHarmless(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases("clEnqueueReadBuffer", "enqueueReadBuffer", "clEnqueueReadBufferRect",
             "enqueueReadBufferRect", "clGetMemObjectInfo", "getInfo", true)
      .Cases("clEnqueueCopyBuffer", "enqueueCopyBuffer", "clEnqueueCopyBufferRect",
             "enqueueCopyBufferRect", "clReleaseMemObject", true)
      .Default(false);
}

void HostBuffers::addUse(const clang::Expr *Reference, Uses &To) const {
  const clang::Stmt *Below = Reference;
  for (const clang::Stmt *P = Flow.parent(Reference); P; Below = P, P = Flow.parent(P)) {
    if (isa<clang::CastExpr, ParenExpr, ExprWithCleanups, MaterializeTemporaryExpr,
            CXXBindTemporaryExpr>(P))
      continue;
    if (const auto *U = dyn_cast<clang::UnaryOperator>(P)) {
      if (U->getOpcode() == UO_AddrOf)
        continue;
      To.Other |= U->getOpcode() != UO_LNot;
      return;
    }
    if (isa<UnaryExprOrTypeTraitExpr, IfStmt>(P)) // sizeof b, if (b)
      return;
    if (const auto *B = dyn_cast<clang::BinaryOperator>(P)) {
      // b = clCreateBuffer(..), b == NULL
      To.Other |= !(B->isComparisonOp() || B->isLogicalOp() ||
                    (B->getOpcode() == BO_Assign && B->getLHS() == Below));
      return;
    }
    if (const auto *X = dyn_cast<CXXConstructExpr>(P);
        X && X->getConstructor()->isCopyOrMoveConstructor())
      continue; // an argument by value
    const auto *C = dyn_cast<CallExpr>(P);
    if (!C) {
      To.Other = true;
      return;
    }
    StringRef Name = calledName(C);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(C);
    if (Operator && Operator->getOperator() == OO_Equal && Operator->getArg(0) == Below)
      return;
    if (Operator && Operator->getOperator() == OO_Call) { // a functor of a kernel
      ++To.Bindings;
      return;
    }
    const FunctionDecl *F = calleeOf(C);
    std::string Full = F ? F->getQualifiedNameAsString() : "";
    bool IsMethod = isa<CXXMemberCallExpr>(C) && StringRef(Full).starts_with("cl::");
    bool IsApi = StringRef(Full).starts_with("cl") && (IsMethod || !StringRef(Full).contains("::"));
    unsigned Index = 0;
    while (Index < C->getNumArgs() && C->getArg(Index) != Below)
      ++Index;
    if (!IsApi)
      To.Other = true;
    else if (Name == "clSetKernelArg" || (Name == "setArg" && IsMethod))
      ++To.Bindings;
    else if (writesBuffer(Name, Index, IsMethod))
      To.Written = true;
    else if (!isHarmless(Name))
      To.Other = true;
    To.Released |= Name == "clReleaseMemObject";
    return;
  }
  To.Other = true;
}

HostBuffers::Uses HostBuffers::usesOf(const VarDecl *D) {
  if (auto At = Cache.find(D); At != Cache.end())
    return At->second;
  Uses U;
  const auto *F = dyn_cast_or_null<FunctionDecl>(D->getParentFunctionOrMethod());
  if (!D->isLocalVarDecl() || D->isStaticLocal() || !F || !F->getBody()) {
    U.Other = true;
    return Cache[D] = U;
  }
  SmallVector<const clang::Stmt *, 32> Work{F->getBody()};
  while (!Work.empty()) {
    const clang::Stmt *S = Work.pop_back_val();
    if (!S)
      continue;
    if (const auto *R = dyn_cast<DeclRefExpr>(S); R && R->getDecl()->getCanonicalDecl() == D)
      addUse(R, U);
    append_range(Work, S->children());
  }
  return Cache[D] = U;
}

void HostBuffers::argument(const clang::Expr *E, HostKernelArg &A) {
  Made M = made(E);
  if (!M.Call)
    return;
  A.Made.MadeAt = Locations.range(M.Call->getSourceRange());
  A.Made.ReadOnly = M.Value & ReadOnlyFlag;
  A.Made.WriteOnly = M.Value & WriteOnlyFlag;
  bool HasData = (M.Value & (UseHostPtrFlag | CopyHostPtrFlag)) ||
                 (M.Data && !isa<CXXDefaultArgExpr>(M.Data) && !Known.isNull(M.Data, nullptr));
  const auto *Holder = cast<VarDecl>(M.Holder->getCanonicalDecl());
  if (M.Data && (M.Value & UseHostPtrFlag))
    for (const UnmappedUse &U : unmappedUses(M.Call, M.Data, Holder, Flow, Locations.sources()))
      A.Made.Unmapped.push_back({Locations.range(U.Launch->getSourceRange()),
                                 Locations.range(U.Access->getSourceRange()), U.Writes});
  Uses U = usesOf(Holder);
  A.Made.Empty = !HasData && !U.Written && !U.Other && U.Bindings == 1;
}

void HostBuffers::transfer(StringRef Name, ArrayRef<const clang::Expr *> Args, HostCall &C) {
  bool IsMethod = !Name.starts_with("cl");
  unsigned First = IsMethod ? 0 : 1; // behind the queue
  bool Copies = Name.ends_with("CopyBuffer") || Name.ends_with("CopyBufferRect");
  bool ToBuffer = Name.ends_with("CopyImageToBuffer");
  bool FromBuffer = Name.ends_with("CopyBufferToImage");
  bool Fills = Name.ends_with("FillBuffer");
  auto Fill = [&](unsigned Index, HostCall::Transferred &To) {
    if (First + Index >= Args.size())
      return;
    if (Made M = made(Args[First + Index]); M.Call) {
      To.ReadOnly = M.Value & ReadOnlyFlag;
      To.WriteOnly = M.Value & WriteOnlyFlag;
      To.MadeAt = Locations.range(M.Call->getSourceRange());
    }
  };
  if (Copies || FromBuffer)
    Fill(0, C.SourceBuffer);
  if (Copies || ToBuffer)
    Fill(1, C.Target);
  if (Fills)
    Fill(0, C.Target);
}

bool HostBuffers::isReleasedHere(const clang::Expr *Call) const {
  const clang::Stmt *Below = Call;
  const VarDecl *Holder = nullptr;
  for (const clang::Stmt *P = Flow.parent(Call); P && !Holder; Below = P, P = Flow.parent(P)) {
    if (const auto *D = dyn_cast<DeclStmt>(P)) {
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One);
            V && V->getInit() && Flow.isInside(Call, V->getInit()))
          Holder = V;
      break;
    }
    if (const auto *B = dyn_cast<clang::BinaryOperator>(P)) {
      if (B->getOpcode() == BO_Assign &&
          B->getRHS()->IgnoreParenImpCasts() == cast<clang::Expr>(Below)->IgnoreParenImpCasts())
        Holder = dyn_cast_or_null<VarDecl>(declOf(B->getLHS()));
      break;
    }
    if (!isa<clang::Expr>(P))
      break;
  }
  if (!Holder || !Holder->isLocalVarDecl() || Holder->isStaticLocal())
    return false;
  Uses U = const_cast<HostBuffers *>(this)->usesOf(cast<VarDecl>(Holder->getCanonicalDecl()));
  // An object of the bindings ends with its scope, unless a copy of it stays.
  return U.Released || (Holder->getType()->isRecordType() && !U.Other);
}

bool HostBuffers::ignoresPitch(const clang::Expr *Call, ArrayRef<const clang::Expr *> Args,
                               bool IsMethod) const {
  unsigned Pitch = IsMethod ? 5 : 6;
  if (Args.size() <= Pitch)
    return false;
  const auto *U = dyn_cast<clang::UnaryOperator>(plain(Args[Pitch]->IgnoreParenCasts()));
  const auto *D = U && U->getOpcode() == UO_AddrOf
                      ? dyn_cast_or_null<VarDecl>(declOf(U->getSubExpr()))
                      : nullptr;
  const FunctionDecl *F = Flow.functionOf(Call);
  if (!D || !isa<DeclRefExpr>(U->getSubExpr()->IgnoreParens()) || !D->isLocalVarDecl() ||
      D->isStaticLocal() || Flow.escapes(D) || !F)
    return false;
  // The pointer must be walked here: stored or returned, its user may know the pitch.
  const clang::Stmt *P = Flow.parent(Call);
  while (P && isa<clang::CastExpr, ParenExpr, ExprWithCleanups>(P))
    P = Flow.parent(P);
  if (!P || isa<ReturnStmt, CompoundStmt>(P))
    return false;
  SmallVector<const clang::Stmt *, 32> Work{
      D->getParentFunctionOrMethod() && isa<FunctionDecl>(D->getParentFunctionOrMethod())
          ? cast<FunctionDecl>(D->getParentFunctionOrMethod())->getBody()
          : F->getBody()};
  while (!Work.empty()) {
    const clang::Stmt *S = Work.pop_back_val();
    if (!S)
      continue;
    append_range(Work, S->children());
    const auto *R = dyn_cast<DeclRefExpr>(S);
    if (!R || R->getDecl()->getCanonicalDecl() != D->getCanonicalDecl())
      continue;
    // Only `&pitch` of a mapping, and `pitch = 0`, are no reads.
    const clang::Stmt *Up = Flow.parent(R);
    while (Up && isa<ParenExpr>(Up))
      Up = Flow.parent(Up);
    if (const auto *A = dyn_cast_or_null<clang::UnaryOperator>(Up);
        A && A->getOpcode() == UO_AddrOf) {
      const clang::Stmt *User = Flow.parent(A);
      while (User && isa<clang::CastExpr, ParenExpr>(User))
        User = Flow.parent(User);
      if (User && calledName(User).ends_with_insensitive("EnqueueMapImage"))
        continue;
      return false;
    }
    if (const auto *B = dyn_cast_or_null<clang::BinaryOperator>(Up);
        B && B->getOpcode() == BO_Assign && B->getLHS()->IgnoreParens() == R)
      continue;
    return false;
  }
  return true;
}

} // namespace clmali::model
