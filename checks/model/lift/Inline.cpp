//===-- checks/model/lift/Inline.cpp - Helper functions inlined -----------===//
//
// What it does: replaces the call of a helper by its body. Each argument becomes a variable, unless
// the helper can use the caller's expression unchanged; each return is a jump to the end
// (StructureExits.cpp).
//
//   before                                   after
//   float sq(float a) { return a * a; }      float a = load x[i]
//   y[i] = sq(x[i]) + 1;                     float sq_result = (a * a)
//                                            store y[i] = (sq_result + <float>1)
//
// The result is a variable because contraction (a * a + 1 as one fma) does not cross a call.
//
// Limits: recursion, variable argument lists, and pointers returned from several places are opaque.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Budget.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

static unsigned countReturns(const clang::Stmt *S) {
  if (!S)
    return 0;
  unsigned N = llvm::isa<clang::ReturnStmt>(S);
  for (const clang::Stmt *Child : S->children())
    N += countReturns(Child);
  return N;
}

/// Why a call of FD cannot be inlined; empty: it can.
std::string Lifter::whyNotInlined(const clang::CallExpr *E, const clang::FunctionDecl *FD) {
  constexpr size_t MaxDepth = 64, MaxVars = 200000;
  const Type *Ty = type(E->getType());
  if (llvm::any_of(Frames, [&](const Frame &F) { return F.FD == FD; }))
    return "recursion";
  if (Skip(FD) || FD->isInvalidDecl())
    return "call of " + FD->getName().str() + ", which did not parse";
  if (Frames.size() > MaxDepth)
    return "calls nested too deep";
  // Helpers that call others twice grow exponentially.
  if (K->Vars.size() > MaxVars || outOfTime())
    return "calls with too much code to inline";
  if (E->getNumArgs() != FD->getNumParams())
    return "call with a variable number of arguments";
  // A pointer result must be the same object on every path: one return, at the end.
  const auto *Body = llvm::cast<clang::CompoundStmt>(FD->getBody());
  if (Ty->K == Type::Pointer &&
      (countReturns(Body) != 1 || !llvm::isa<clang::ReturnStmt>(Body->body_back())))
    return "pointer from a helper with several returns";
  if (Ty->K != Type::Void && Ty->K != Type::Value && Ty->K != Type::Pointer &&
      Ty->K != Type::Struct)
    return Ty->Name;
  return "";
}

/// The arguments as the caller computes them.
llvm::SmallVector<Lifter::Argument, 8> Lifter::arguments(const clang::CallExpr *E) {
  llvm::SmallVector<Argument, 8> Args;
  for (const clang::Expr *A : E->arguments()) {
    size_t Mark = Out->size();
    Argument New;
    const Type *AT = type(A->getType());
    if (AT->K == Type::Pointer)
      New.P = pointer(A);
    else if (AT->K == Type::Struct)
      New.P = structValue(A);
    else if (AT->isValue())
      New.V = expr(A);
    else if (AT->K == Type::Image || AT->K == Type::Sampler)
      New.P = handle(A);
    else
      New.P = Place::bad(AT->Name);
    for (Argument &Earlier : Args) {
      Earlier.V = protect(Earlier.V, Mark);
      protect(Earlier.P, Mark);
    }
    Args.push_back(New);
  }
  return Args;
}

/// True if a parameter that is never modified can be the caller's expression V itself. Pending:
/// side effects of the caller have not happened yet.
bool Lifter::canPassUnchanged(const Expr *V, bool HasPending) {
  while (V->K == ExprKind::Cast && V->C == CastOp::Convert && V->Ty->isInteger() &&
         V->Ops[0]->Ty->isInteger())
    V = V->Ops[0];
  if (V->K == ExprKind::IntConst || V->K == ExprKind::FloatConst || V->K == ExprKind::WorkItem)
    return true;
  // A variable whose address is taken may change in the helper.
  return V->K == ExprKind::VarRef && !HasPending && isStable(V);
}

/// Parameter P of Value type, given V.
void Lifter::bindValue(const clang::ParmVarDecl *P, const Expr *V, bool HasPending) {
  const FunctionFacts &Fx = *Frames.back().Facts;
  Bindings[P] = Binding();
  Binding B;
  B.K = Binding::Object;
  bool InMemory = Learnt.InMemory.contains(P);
  if (!InMemory && !Fx.Modified.contains(P) && !Fx.AddressTaken.contains(P) &&
      canPassUnchanged(V, HasPending)) {
    B.P.K = Place::Constant;
    B.P.E = V;
    B.P.Ty = B.P.NatTy = V->Ty;
    Bindings[P] = B;
    return;
  }
  StringRef Name = P->getName().empty() ? "argument" : P->getName();
  SourceRange R = range(P->getSourceRange());
  Var *T = nullptr;
  if (InMemory) {
    T = newVar(Var::Memory, Name, V->Ty, R);
    emit(StmtKind::Decl, R)->V = T;
    B.P = placeOf(T, T->Ty);
    write(B.P, V, R);
  } else {
    T = temp(Name, V->Ty, V, R);
    B.P = placeOf(T, T->Ty);
  }
  T->Spelling = spelling(P);
  DeclOf[T] = P;
  Bindings[P] = B;
}

/// Parameter P, a pointer or a struct, given what lies at From.
void Lifter::bindCopy(const clang::ParmVarDecl *P, Place From, SourceRange R) {
  const Type *PT = type(P->getType());
  if (PT->K == Type::Pointer && From) {
    pointerVar(P, nullptr, &From);
    return;
  }
  Bindings[P] = Binding();
  Binding B;
  if (From.K == Place::Handle) {
    B.K = Binding::Object;
    B.P = From;
  } else if (PT->K == Type::Struct && From) {
    Var *T = newVar(Var::Memory, P->getName().empty() ? "argument" : P->getName(), PT,
                    range(P->getSourceRange()));
    emit(StmtKind::Decl, T->Range)->V = T;
    B.K = Binding::Object;
    B.P = placeOf(T, PT);
    DeclOf[T] = P;
    copyStruct(B.P, From, R);
  } else { // reported where it is used
    B.K = Binding::Bad;
    B.P = Place::bad(From.Why.empty() ? "argument" : From.Why);
  }
  Bindings[P] = B;
}

void Lifter::bindArguments(const clang::FunctionDecl *FD, llvm::MutableArrayRef<Argument> Args,
                           bool HasPending, SourceRange R) {
  for (unsigned I = 0; I < Args.size(); ++I)
    if (Args[I].V)
      bindValue(FD->getParamDecl(I), Args[I].V, HasPending);
  size_t Mark = Out->size();
  flush();
  for (Argument &A : Args)
    protect(A.P, Mark);
  for (unsigned I = 0; I < Args.size(); ++I)
    if (!Args[I].V)
      bindCopy(FD->getParamDecl(I), Args[I].P, R);
}

/// Declares Result before Body, or turns the only assignment to it, if that is Body's last
/// statement, into its declaration.
void Lifter::declareResult(Var *Result, StmtList &Body, SourceRange R) {
  unsigned Assignments = 0;
  for (const Stmt *S : stmts(Body))
    Assignments += S->V == Result;
  Stmt *Last = Body.empty() ? nullptr : Body.back();
  if (Assignments == 1 && Last->K == StmtKind::Assign && Last->V == Result && Last->LaneIdx.empty())
    Last->K = StmtKind::Decl;
  else
    emit(StmtKind::Decl, R)->V = Result;
}

const Expr *Lifter::inlineCall(const clang::CallExpr *E, const clang::FunctionDecl *FD,
                               Place *Result) {
  SourceRange R = range(E);
  const Type *Ty = type(E->getType());
  if (std::string Why = whyNotInlined(E, FD); !Why.empty()) {
    opaqueStmt(Why, R);
    if (Result)
      *Result = Place::bad(Why);
    if (!Ty->isValue())
      return nullptr;
    Expr *X = M.newExpr(ExprKind::Opaque, Ty, R);
    X->Text = Why;
    return X;
  }
  std::string Name = FD->getName().str();
  const FunctionFacts &Fx = facts(FD);
  if (llvm::find(K->Helpers, Name) == K->Helpers.end()) {
    K->Helpers.push_back(Name);
    K->HelperRanges.push_back(range(FD->getDefinition()->getSourceRange()));
  }
  Inlined.insert(FD);
  llvm::SmallVector<Argument, 8> Args = arguments(E);

  // From here on the current frame is the helper's.
  bool HasPending = !Pending.empty();
  Frame Inner;
  Inner.FD = FD;
  Inner.Facts = &Fx;
  Inner.Region = newRegion();
  Frames.push_back(Inner);
  llvm::SmallVector<const clang::Stmt *, 16> OuterScopes;
  std::swap(OuterScopes, Scopes);
  std::string OuterBreak, OuterContinue;
  std::swap(OuterBreak, BreakRegion);
  std::swap(OuterContinue, ContinueRegion);
  bool OuterNeeds = NeedsContinue;
  bindArguments(FD, Args, HasPending, R);

  Var *Value = nullptr;
  Place ResultPlace;
  if (Ty->isValue() || Ty->K == Type::Struct) {
    Value = newVar(Ty->isValue() ? Var::Temp : Var::Memory, Name + "_result", Ty, R);
    ResultPlace = placeOf(Value, Ty);
  }
  Frames.back().Result = ResultPlace;
  StmtList Body = blockOf([&] { compound(llvm::cast<clang::CompoundStmt>(FD->getBody())); });
  structureExits(M, Body, Inner.Region, /*InLoops=*/true,
                 [&] { return newVar(Var::Temp, "returned", M.value(ScalarKind::Int)); });
  if (Ty->K == Type::Pointer)
    ResultPlace = Frames.back().Result;
  Frames.pop_back();
  std::swap(OuterScopes, Scopes);
  BreakRegion = OuterBreak;
  ContinueRegion = OuterContinue;
  NeedsContinue = OuterNeeds;

  if (Value)
    declareResult(Value, Body, R);
  Out->insert(Out->end(), Body.begin(), Body.end());
  if (Result)
    *Result = Ty->K == Type::Void ? Place::bad("call without a value") : ResultPlace;
  return Ty->isValue() ? at(M.ref(Value), R) : nullptr;
}

} // namespace clmali::model
