//===-- checks/model/lift/Calls.cpp - Calls of built-ins --------------------===//
//
// What it does: lifts calls of built-ins, which are known by name (Clang declares them implicitly,
// at their first use). Helper functions are inlined (Inline.cpp).
//
//   before                          after
//   vload4(i, p)                    load vp[i *16]:float4
//   atomic_inc(&n[0])               atomic_inc(&n[0])
//
//   s = sincos(x, &c)               c = sincos.second(x); s = sincos(x)
//
// Limits: pipes, device-side enqueue, C11 atomics and group functions are opaque.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace clmali::model {

bool Lifter::isEvent(clang::QualType T) { return T.getCanonicalType()->isEventT(); }

bool Lifter::isAsyncCopy(const clang::CallExpr *E) {
  StringRef Name = E && E->getDirectCallee() && E->getDirectCallee()->getIdentifier()
                       ? E->getDirectCallee()->getName()
                       : "";
  return Name == "async_work_group_copy" || Name == "async_work_group_strided_copy";
}

static std::optional<WorkItemQuery> workItemQuery(StringRef Name);

const Expr *Lifter::call(const clang::CallExpr *E, bool Want) {
  SourceRange R = range(E);
  const clang::FunctionDecl *FD = E->getDirectCallee();
  const Type *Ty = type(E->getType());
  if (!FD) {
    opaqueStmt("call through a pointer", R);
    return Want ? opaque("call through a pointer", Ty, R) : nullptr;
  }
  const clang::FunctionDecl *Def = nullptr;
  // A source that defines get_global_id itself (in assembly, for its own target) means the
  // built-in.
  if (!FD->hasBody(Def) ||
      (FD->getIdentifier() && E->getNumArgs() == 1 && workItemQuery(FD->getName())))
    return builtinCall(E, FD, Want);
  if (keepsCall(Def))
    return keptCall(E, Def);
  const Expr *V = inlineCall(E, Def, nullptr);
  return Want ? V : nullptr;
}

//===----------------------------------------------------------------------===//
// Built-ins
//===----------------------------------------------------------------------===//

static std::optional<WorkItemQuery> workItemQuery(StringRef Name) {
  return llvm::StringSwitch<std::optional<WorkItemQuery>>(Name)
      .Case("get_global_id", WorkItemQuery::GlobalId)
      .Case("get_local_id", WorkItemQuery::LocalId)
      .Case("get_group_id", WorkItemQuery::GroupId)
      .Case("get_global_size", WorkItemQuery::GlobalSize)
      .Case("get_local_size", WorkItemQuery::LocalSize)
      .Case("get_num_groups", WorkItemQuery::NumGroups)
      .Case("get_global_offset", WorkItemQuery::GlobalOffset)
      .Case("get_work_dim", WorkItemQuery::WorkDim)
      .Default(std::nullopt);
}

/// The name in messages of a built-in that the model does not represent.
static std::string opaqueName(StringRef Name) {
  if (Name.starts_with("read_image") || Name.starts_with("write_image") ||
      Name.starts_with("get_image"))
    return "image access";
  if (Name.starts_with("sub_group") || Name.starts_with("intel_sub_group") ||
      Name.starts_with("get_sub_group"))
    return "sub-group function";
  if (Name.starts_with("work_group_"))
    return "work-group function";
  if (Name.contains("pipe"))
    return "pipe";
  if (Name.starts_with("enqueue_") || Name.starts_with("get_kernel"))
    return "device-side enqueue";
  if (Name.starts_with("atomic_"))
    return "C11 atomic";
  return Name.str();
}

/// A built-in that the model does not represent: an opaque statement, and its value if Want.
const Expr *Lifter::opaqueCall(StringRef What, StringRef Name, const clang::CallExpr *E,
                               bool Want) {
  SourceRange R = range(E);
  opaqueStmt(What, R);
  if (!Want)
    return nullptr;
  Expr *X = M.newExpr(ExprKind::Opaque, type(E->getType()), R);
  X->Text = What.str();
  return X;
}

/// get_global_id(d) and the others.
const Expr *Lifter::workItemCall(WorkItemQuery Q, StringRef Name, const clang::CallExpr *E) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  unsigned Dim = 0;
  if (E->getNumArgs() == 1) {
    const Expr *D = expr(E->getArg(0));
    while (D->K == ExprKind::Cast)
      D = D->Ops[0];
    if (D->K != ExprKind::IntConst)
      return opaque(Name.str() + " of a dimension chosen at run time", Ty, R);
    // Beyond the third dimension the result is a constant.
    if (D->Int < 0 || D->Int > 2) {
      bool IsSize = Q == WorkItemQuery::GlobalSize || Q == WorkItemQuery::LocalSize ||
                    Q == WorkItemQuery::NumGroups;
      return M.intConst(IsSize ? 1 : 0, Ty);
    }
    Dim = static_cast<unsigned>(D->Int);
  }
  Expr *X = M.newExpr(ExprKind::WorkItem, Ty, R);
  X->Query = Q;
  X->Dim = static_cast<uint8_t>(Dim);
  return X;
}

/// __builtin_* of Clang.
const Expr *Lifter::clangBuiltin(StringRef Name, const clang::CallExpr *E, bool Want) {
  if (const Expr *X = evaluated(E)) {
    StringRef Macro;
    if (E->getBeginLoc().isMacroID())
      Macro = clang::Lexer::getImmediateMacroName(E->getBeginLoc(), SM, Ctx.getLangOpts());
    if (Macro == "INFINITY" || Macro == "NAN" || Macro == "HUGE_VALF" || Macro == "HUGE_VAL")
      const_cast<Expr *>(X)->Text = Macro.str();
    return X;
  }
  if (Name == "__builtin_expect" && E->getNumArgs() == 2)
    return expr(E->getArg(0));
  if (Name == "__builtin_assume" || Name == "__builtin_unreachable")
    return nullptr;
  return opaqueCall(Name, Name, E, Want);
}

/// True for a built-in whose result depends on its operands only.
static bool isPure(const clang::FunctionDecl *FD, StringRef Name) {
  static const char *const Effects[] = {"work_group_", "sub_group_", "intel_",   "get_",
                                        "enqueue_",    "create_",    "retain_",  "release_",
                                        "reserve_",    "commit_",    "is_valid_"};
  // Prototypes of built-ins that a header declares itself; functions with a body are inlined.
  bool Declared = !FD->isImplicit() && FD->hasAttr<clang::OverloadableAttr>() &&
                  (FD->hasAttr<clang::ConstAttr>() || FD->hasAttr<clang::PureAttr>());
  return (FD->isImplicit() || Declared) &&
         llvm::none_of(Effects, [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// A function that is declared but not defined in the sources.
const Expr *Lifter::undefinedCall(StringRef Name, const clang::CallExpr *E, bool Want) {
  // Without the address of a variable it cannot change one.
  bool PrivateAddress = llvm::any_of(E->arguments(), [&](const clang::Expr *A) {
    const Type *T = type(A->IgnoreParenImpCasts()->getType());
    return !(T->isValue() || T->K == Type::Other ||
             (T->K == Type::Pointer && T->AS != AddressSpace::Private));
  });
  llvm::SmallVector<const Expr *, 4> Args = valueArgs(E);
  const Expr *Result = opaqueCall("call of " + Name.str() + ", which is not defined here" +
                                      (PrivateAddress ? "" : ", and is given values"),
                                  Name, E, Want);
  Out->back()->Args.assign(Args.begin(), Args.end());
  return Result;
}

/// s = sincos(x, &c): a call for each result, and a store of the second one.
const Expr *Lifter::callWithTwoResults(StringRef Name, const clang::CallExpr *E, bool Want) {
  SourceRange R = range(E);
  const clang::Expr *Last = E->getArg(E->getNumArgs() - 1);
  const Type *Ty = type(E->getType());
  const Type *Second = type(Last->getType()->getPointeeType());
  llvm::SmallVector<const Expr *, 4> Args = valueArgs(E);
  size_t Mark = Out->size();
  Place To = pointer(Last);
  for (const Expr *&A : Args)
    A = protect(A, Mark);
  bool Writable = To.K == Place::Register || To.K == Place::Memory;
  if (!Writable || To.Ty != Second || !Ty->isValue() || !Second->isValue()) {
    const Expr *Result = opaqueCall(Name, Name, E, Want);
    Out->back()->Args.assign(Args.begin(), Args.end());
    return Result;
  }
  const Expr *First = nullptr;
  if (Want) {
    for (const Expr *&A : Args)
      if (A->K != ExprKind::VarRef && A->K != ExprKind::FloatConst)
        A = at(M.ref(temp("operand", A->Ty, A, A->Range)), A->Range);
    First = at(M.call(Name, Ty, Args), R);
  }
  Mark = Out->size();
  write(To, at(M.call((Name + SecondResult).str(), Second, Args), R), R);
  return protect(First, Mark);
}

/// An access of an unknown image, or a built-in that is not known.
const Expr *Lifter::otherBuiltin(StringRef Name, const clang::CallExpr *E, bool Want) {
  std::string What = opaqueName(Name);
  if (What != "image access")
    return opaqueCall(What, Name, E, Want);
  // Coordinates and pixels are computed like any other values.
  llvm::SmallVector<const Expr *, 4> Args = valueArgs(E);
  const Expr *Result = opaqueCall(What, Name, E, Want);
  Out->back()->Args.assign(Args.begin(), Args.end());
  return Result;
}

const Expr *Lifter::builtinCall(const clang::CallExpr *E, const clang::FunctionDecl *FD,
                                bool Want) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  StringRef Name = FD->getIdentifier() ? FD->getName() : "";
  if (std::optional<WorkItemQuery> Q = workItemQuery(Name))
    return workItemCall(*Q, Name, E);
  if (Name == "barrier" || Name == "work_group_barrier") {
    barrier(Name, E);
    return nullptr;
  }
  if (std::optional<VectorBuiltin> B = vectorBuiltin(Name)) {
    if (!B->Stores)
      return vectorLoad(E, *B);
    vectorStore(E, *B);
    return nullptr;
  }
  if (Name.starts_with("atomic_") || Name.starts_with("atom_"))
    return atomicCall(Name, E, Want);
  if (isAsyncCopy(E)) {
    asyncCopy(E, nullptr);
    return Want ? opaque("event", Ty, R) : nullptr;
  }
  if (Name == "mem_fence" || Name == "read_mem_fence" || Name == "write_mem_fence" ||
      Name == "printf" || Name == "prefetch" || Name == "wait_group_events") {
    plainCall(Name, E);
    return Want && Ty->isValue() ? M.intConst(0, Ty) : nullptr;
  }
  if (Name.starts_with("convert_"))
    if (const Expr *X = convertCall(Name, E))
      return X;
  if (Name.starts_with("__builtin_"))
    return clangBuiltin(Name, E, Want);
  if (const Expr *Value = nullptr; imageCall(Name, E, Want, Value))
    return Value;
  bool AllValues = Ty->isValue() && llvm::all_of(E->arguments(), [&](const clang::Expr *A) {
                     return type(A->getType())->isValue();
                   });
  if (AllValues && isPure(FD, Name))
    return at(M.call(Name, Ty, valueArgs(E)), R);
  if (hasTwoResults(Name) && isPure(FD, Name) && E->getNumArgs() > 1 &&
      E->getArg(E->getNumArgs() - 1)->getType()->isPointerType())
    return callWithTwoResults(Name, E, Want);
  if (!FD->isImplicit())
    return undefinedCall(Name, E, Want);
  return otherBuiltin(Name, E, Want);
}

/// The arguments that are numbers, in the order of their evaluation.
llvm::SmallVector<const Expr *, 4> Lifter::valueArgs(const clang::CallExpr *E) {
  llvm::SmallVector<const Expr *, 4> Args;
  for (const clang::Expr *A : E->arguments()) {
    if (!type(A->getType())->isValue())
      continue;
    size_t Mark = Out->size();
    const Expr *V = expr(A);
    for (const Expr *&Earlier : Args)
      Earlier = protect(Earlier, Mark);
    Args.push_back(V);
  }
  return Args;
}

/// convert_int4_sat_rte(x)
const Expr *Lifter::convertCall(StringRef Name, const clang::CallExpr *E) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  if (E->getNumArgs() != 1 || !Ty->isValue())
    return nullptr;
  StringRef Rest = Name;
  Rest.consume_front("convert_");
  size_t Suffix = Rest.find('_');
  StringRef How = Suffix == StringRef::npos ? "" : Rest.substr(Suffix);
  const Expr *V = expr(E->getArg(0));
  if (!V->Ty->isValue() || V->Ty->Lanes != Ty->Lanes)
    return nullptr;
  if (V->Ty == Ty)
    return V;
  Expr *X = M.newExpr(ExprKind::Cast, Ty, R);
  X->C = How.empty() ? CastOp::Convert : CastOp::Builtin;
  X->Text = How.str();
  X->Ops = {V};
  return X;
}

std::optional<Lifter::VectorBuiltin> Lifter::vectorBuiltin(StringRef Name) {
  VectorBuiltin B;
  B.Stores = Name.consume_front("vstore");
  if (!B.Stores && !Name.consume_front("vload"))
    return std::nullopt;
  const bool Aligned = Name.consume_front("a_half");
  B.Half = Aligned || Name.consume_front("_half");
  const size_t Digits = std::min(Name.find_first_not_of("0123456789"), Name.size());
  if (Digits ? Name.take_front(Digits).getAsInteger(10, B.Lanes) : !B.Half)
    return std::nullopt;
  B.Rounding = Name.drop_front(Digits);
  B.Step = Aligned && B.Lanes == 3 ? 4 : B.Lanes;
  const bool Rounds = llvm::is_contained({"_rte", "_rtz", "_rtp", "_rtn"}, B.Rounding);
  return B.Rounding.empty() || (Rounds && B.Half && B.Stores) ? std::optional(B) : std::nullopt;
}

/// vloadN(i, p): N elements from p + i * N, aligned as one element.
static const Expr *vectorIndex(Module &M, const Expr *I, unsigned N) {
  if (N == 1)
    return I;
  if (I->K == ExprKind::IntConst)
    return M.intConst(I->Int * N, I->Ty);
  if (I->K == ExprKind::Cast && I->Implicit && I->Ops[0]->K == ExprKind::IntConst)
    return M.intConst(I->Ops[0]->Int * int64_t(N), I->Ty);
  return M.binary(Op::Mul, I, M.intConst(N, I->Ty));
}

const Expr *Lifter::vectorLoad(const clang::CallExpr *E, const VectorBuiltin &B) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  if (E->getNumArgs() != 2 || !Ty->isValue() || Ty->Lanes != B.Lanes)
    return opaque("vload", Ty, R);
  const Expr *I = expr(E->getArg(0));
  size_t Mark = Out->size();
  Place P = pointer(E->getArg(1));
  I = protect(I, Mark);
  if (P && P.K != Place::Memory)
    P = castPointer(P, M.voidType(), false);
  if (!P)
    return opaque(P.Why, Ty, R);
  // The parameter's type is that of one element.
  P = castPointer(P, M.value(B.Half ? ScalarKind::Half : Ty->Scalar), false);
  if (!P)
    return opaque(P.Why, Ty, R);
  P.Range = R;
  addIndex(P, at(vectorIndex(M, I, B.Step), I->Range), P.Ty->Size);
  const Expr *Value = M.load(access(P, B.Lanes > 1 ? Access::VLoad : Access::Subscript, B.Lanes));
  return B.Half ? at(M.cast(Value, Ty), R) : Value;
}

void Lifter::vectorStore(const clang::CallExpr *E, const VectorBuiltin &B) {
  SourceRange R = range(E);
  if (E->getNumArgs() != 3)
    return opaqueStmt("vstore", R);
  const Expr *V = expr(E->getArg(0));
  size_t Mark = Out->size();
  const Expr *I = expr(E->getArg(1));
  V = protect(V, Mark);
  Mark = Out->size();
  Place P = pointer(E->getArg(2));
  V = protect(V, Mark);
  I = protect(I, Mark);
  if (P && P.K != Place::Memory)
    P = castPointer(P, M.voidType(), false);
  const bool Fits = V->Ty->isValue() && V->Ty->Lanes == B.Lanes &&
                    (!B.Half || V->Ty->Scalar == ScalarKind::Float);
  if (!P || !Fits)
    return opaqueStmt(P ? "vstore" : P.Why, R);
  P = castPointer(P, M.value(B.Half ? ScalarKind::Half : V->Ty->Scalar), false);
  if (!P)
    return opaqueStmt(P.Why, R);
  P.Range = R;
  addIndex(P, at(vectorIndex(M, I, B.Step), I->Range), P.Ty->Size);
  Stmt *S = emit(StmtKind::Store, R);
  S->Acc = access(P, B.Lanes > 1 ? Access::VLoad : Access::Subscript, B.Lanes);
  S->E = B.Half ? toHalf(V, B.Rounding) : V;
}

/// V, of floats, as halves in memory.
const Expr *Lifter::toHalf(const Expr *V, StringRef Rounding) {
  const Type *Ty = M.value(ScalarKind::Half, V->Ty->Lanes);
  if (Rounding.empty() || Rounding == "_rte")
    return M.cast(V, Ty);
  Expr *X = M.newExpr(ExprKind::Cast, Ty, V->Range);
  X->C = CastOp::Builtin;
  X->Text = Rounding.str();
  X->Ops = {V};
  return X;
}

const Expr *Lifter::atomicCall(StringRef Name, const clang::CallExpr *E, bool Want) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  StringRef What = Name;
  if (!What.consume_front("atomic_"))
    What.consume_front("atom_");
  bool Known = llvm::StringSwitch<bool>(What)
                   .Cases("add", "sub", "xchg", "inc", "dec", "cmpxchg", true)
                   .Cases("min", "max", "and", "or", "xor", true)
                   .Default(false);
  auto Opaque = [&](StringRef Why) -> const Expr * {
    opaqueStmt(Why, R);
    return Want && Ty->isValue() ? opaque(Why, Ty, R) : nullptr;
  };
  if (!Known || E->getNumArgs() < 1 || !E->getArg(0)->getType()->isPointerType())
    return Opaque(opaqueName(Name));
  Place P = pointer(E->getArg(0));
  llvm::SmallVector<const Expr *, 2> Args;
  for (unsigned I = 1; I < E->getNumArgs(); ++I) {
    size_t Mark = Out->size();
    const Expr *V = expr(E->getArg(I));
    protect(P, Mark);
    for (const Expr *&Earlier : Args)
      Earlier = protect(Earlier, Mark);
    Args.push_back(V);
  }
  if (!P || P.K != Place::Memory || !P.Ty->isScalar())
    return Opaque(P ? "atomic on a variable" : P.Why);
  P.Range = range(E->getArg(0));
  Var *V = nullptr;
  if (Want) {
    V = newVar(Var::Temp, "old", Ty, R);
    Stmt *D = emit(StmtKind::Decl, R);
    D->V = V;
  }
  Stmt *S = emit(StmtKind::Atomic, R);
  S->Name = Name.str();
  S->V = V;
  S->Acc = access(P);
  S->Args.assign(Args.begin(), Args.end());
  return V ? at(M.ref(V), R) : nullptr;
}

void Lifter::asyncCopy(const clang::CallExpr *E, Var *Event) {
  SourceRange R = range(E);
  StringRef Name = E->getDirectCallee()->getName();
  // The stride is that of the side in global memory.
  bool Strided = E->getNumArgs() == 5;
  if (!Strided && E->getNumArgs() != 4)
    return opaqueStmt(Name, R);
  Place To = pointer(E->getArg(0)), From = pointer(E->getArg(1));
  size_t Mark = Out->size();
  const Expr *N = expr(E->getArg(2));
  protect(To, Mark);
  protect(From, Mark);
  Mark = Out->size();
  const Expr *Stride = Strided ? expr(E->getArg(3)) : nullptr;
  protect(To, Mark);
  protect(From, Mark);
  N = protect(N, Mark);
  if (!To || !From)
    return opaqueStmt(To ? From.Why : To.Why, R);
  if (To.K != Place::Memory || From.K != Place::Memory || !To.Ty->isValue() || !From.Ty->isValue())
    return opaqueStmt(Name, R);
  To.Range = range(E->getArg(0));
  From.Range = range(E->getArg(1));
  Stmt *S = emit(StmtKind::AsyncCopy, R);
  S->Name = Name.str();
  S->V = Event;
  S->Acc = access(To);
  S->Source = access(From);
  S->Args = {N};
  if (Stride)
    S->Args.push_back(Stride);
}

/// Sets the fences that the flags name; both where they are not constant.
static void fences(Stmt *S, const Expr *Flags) {
  while (Flags && Flags->K == ExprKind::Cast)
    Flags = Flags->Ops[0];
  const Expr *A = Flags;
  if (A && A->K == ExprKind::Binary && (A->O == Op::Or || A->O == Op::Add)) {
    fences(S, A->Ops[0]);
    fences(S, A->Ops[1]);
    return;
  }
  bool Known = A && A->K == ExprKind::IntConst;
  S->LocalFence |= !Known || (A->Int & 1);
  S->GlobalFence |= !Known || (A->Int & 2);
}

void Lifter::barrier(StringRef Name, const clang::CallExpr *E) {
  const Expr *Flags = E->getNumArgs() ? settled(E->getArg(0)) : nullptr;
  Stmt *S = emit(StmtKind::Barrier, range(E));
  S->Name = Name.str();
  fences(S, Flags);
}

void Lifter::plainCall(StringRef Name, const clang::CallExpr *E) {
  SourceRange R = range(E);
  llvm::SmallVector<const Expr *, 4> Args;
  std::string Text;
  Access Where;
  for (const clang::Expr *A : E->arguments()) {
    size_t Mark = Out->size();
    const clang::Expr *Bare = A->IgnoreParenImpCasts();
    if (Name == "printf") {
      const auto *L = llvm::dyn_cast<clang::StringLiteral>(Bare);
      if (A == E->getArg(0) && L) {
        Text = L->getString().str();
        continue;
      }
      if (!type(A->getType())->isValue())
        return opaqueStmt("printf of what is no number", R);
    }
    if (A->getType()->isPointerType()) {
      if (Name == "prefetch") {
        Place P = pointer(A);
        if (P.K != Place::Memory || !P.Ty->isValue())
          return; // a hint for an unknown address
        Where = access(P);
      }
      continue; // an event, or an address that is printed
    }
    if (!type(A->getType())->isValue())
      continue;
    const Expr *V = expr(A);
    for (const Expr *&Earlier : Args)
      Earlier = protect(Earlier, Mark);
    Args.push_back(V);
  }
  Stmt *S = emit(StmtKind::Call, R);
  S->Name = Name.str();
  S->Text = Text;
  S->Acc = Where;
  S->Args.assign(Args.begin(), Args.end());
  if (Name == "wait_group_events" && !Args.empty())
    S->Args = {M.intConst(1, Args[0]->Ty)}; // an array of events is one event here
  if (Name.ends_with("mem_fence"))
    fences(S, Args.empty() ? nullptr : Args[0]);
}

} // namespace clmali::model
