//===-- checks/model/host/values/Numbers.cpp - Evaluates host expressions ---------------===//

#include "checks/model/host/values/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

std::optional<HostNumber> HostValues::number(const Expr *E, const HostFrame *F) const {
  QueryScope Scope(*this);
  Maybe N = eval(E, F, 0, nullptr);
  return N && SawLargest && !N->AtMost ? std::nullopt : N;
}

std::optional<HostNumber> HostValues::number(const ValueDecl *D, uint64_t Element, const Expr *Use,
                                             const HostFrame *F) const {
  QueryScope Scope(*this);
  Maybe N = variable(D, Element, Use, F, 0);
  return N && SawLargest && !N->AtMost ? std::nullopt : N;
}

std::optional<int64_t> HostValues::integer(const Expr *E, const HostFrame *F) const {
  Maybe N = number(E, F);
  if (!N || N->IsFloat || N->ByDefault || N->AtMost)
    return std::nullopt;
  return N->I;
}

std::optional<bool> HostValues::condition(const Expr *E, const HostFrame *F, unsigned Depth) const {
  Maybe N = eval(E, F, Depth + 1, nullptr);
  if (!N || N->ByDefault || N->AtMost)
    return std::nullopt;
  return N->asFloat() != 0;
}

/// Nothing if Op is no comparison.
template <typename T> static std::optional<bool> compare(BinaryOperatorKind Op, T A, T B) {
  switch (Op) {
  case BO_LT:
    return A < B;
  case BO_LE:
    return A <= B;
  case BO_GT:
    return A > B;
  case BO_GE:
    return A >= B;
  case BO_EQ:
    return A == B;
  case BO_NE:
    return A != B;
  default:
    return std::nullopt;
  }
}

HostValues::Maybe HostValues::binary(BinaryOperatorKind Op, const HostNumber &L,
                                     const HostNumber &R) const {
  if (L.AtMost || R.AtMost) {
    // Operators that grow with both operands, or, of a known second one, with the first.
    bool Both = Op == BO_Add || Op == BO_Mul, First = Op == BO_Sub || Op == BO_Div || Op == BO_Shr;
    if (L.IsFloat || R.IsFloat || L.I < 0 || R.I < 0 || !(Both || (First && !R.AtMost)))
      return std::nullopt;
    HostNumber A = L, B = R;
    A.AtMost = B.AtMost = false;
    Maybe V = binary(Op, A, B);
    if (V)
      V->AtMost = true;
    return V;
  }
  bool Default = L.ByDefault || R.ByDefault;
  auto Truth = [&](bool B) { return HostNumber::whole(B, Default); };
  if (L.IsFloat || R.IsFloat) {
    double A = L.asFloat(), B = R.asFloat();
    if (std::optional<bool> Holds = compare(Op, A, B))
      return Truth(*Holds);
    switch (Op) {
    case BO_Add:
      return HostNumber::real(A + B, Default);
    case BO_Sub:
      return HostNumber::real(A - B, Default);
    case BO_Mul:
      return HostNumber::real(A * B, Default);
    case BO_Div:
      return B != 0 ? Maybe(HostNumber::real(A / B, Default)) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  int64_t A = L.I, B = R.I, V = 0;
  if (std::optional<bool> Holds = compare(Op, A, B))
    return Truth(*Holds);
  switch (Op) {
  case BO_LAnd:
    return Truth(A && B);
  case BO_LOr:
    return Truth(A || B);
  case BO_Add:
    return AddOverflow(A, B, V) ? std::nullopt : Maybe(HostNumber::whole(V, Default));
  case BO_Sub:
    return SubOverflow(A, B, V) ? std::nullopt : Maybe(HostNumber::whole(V, Default));
  case BO_Mul:
    return MulOverflow(A, B, V) ? std::nullopt : Maybe(HostNumber::whole(V, Default));
  case BO_Div:
    return B > 0 && A >= 0 ? Maybe(HostNumber::whole(A / B, Default)) : std::nullopt;
  case BO_Rem:
    return B > 0 && A >= 0 ? Maybe(HostNumber::whole(A % B, Default)) : std::nullopt;
  case BO_Shl:
    return B >= 0 && B < 31 && A >= 0 && A <= INT32_MAX ? Maybe(HostNumber::whole(A << B, Default))
                                                        : std::nullopt;
  case BO_Shr:
    return B >= 0 && B < 63 && A >= 0 ? Maybe(HostNumber::whole(A >> B, Default)) : std::nullopt;
  case BO_And:
    return HostNumber::whole(A & B, Default);
  case BO_Or:
    return HostNumber::whole(A | B, Default);
  case BO_Xor:
    return HostNumber::whole(A ^ B, Default);
  default:
    return std::nullopt;
  }
}

/// A cast of V to the type of E.
HostValues::Maybe HostValues::evalCast(const Expr *E, Maybe V) const {
  QualType T = E->getType();
  if (!V)
    return std::nullopt;
  if (T->isRealFloatingType())
    return HostNumber::real(V->asFloat(), V->ByDefault);
  if (T->isBooleanType())
    return HostNumber::whole(V->asFloat() != 0, V->ByDefault);
  if (T->isDependentType())
    return V;
  if (!T->isIntegralOrEnumerationType())
    return std::nullopt;
  if (V->IsFloat) {
    if (!(V->F > -9e15 && V->F < 9e15))
      return std::nullopt;
    V = HostNumber::whole(int64_t(V->F), V->ByDefault);
  }
  // Values that a cast could change are not known; sizes are small and positive.
  bool Fits =
      V->I >= 0 && (Ctx.getTypeSize(T) >= 64 || V->I <= INT32_MAX) && Ctx.getTypeSize(T) >= 32;
  bool Narrow =
      V->I >= 0 && Ctx.getTypeSize(T) < 32 && V->I < (int64_t(1) << (Ctx.getTypeSize(T) - 1));
  return Fits || Narrow || (V->I < 0 && T->isSignedIntegerType()) ? V : std::nullopt;
}

HostValues::Maybe HostValues::evalUnary(const UnaryOperator *U, Maybe V) const {
  if (!V)
    return std::nullopt;
  switch (U->getOpcode()) {
  case UO_Plus:
  case UO_PostInc: // clSetKernelArg(kernel, i++, ...)
  case UO_PostDec:
    return V;
  case UO_PreInc:
  case UO_PreDec:
    return V->IsFloat
               ? std::nullopt
               : Maybe(HostNumber::whole(V->I + (U->isIncrementOp() ? 1 : -1), V->ByDefault));
  case UO_Minus:
    return V->IsFloat ? HostNumber::real(-V->F, V->ByDefault)
                      : HostNumber::whole(-V->I, V->ByDefault);
  case UO_LNot:
    return HostNumber::whole(V->asFloat() == 0, V->ByDefault);
  case UO_Not:
    return V->IsFloat ? std::nullopt : Maybe(HostNumber::whole(~V->I, V->ByDefault));
  default:
    return std::nullopt;
  }
}

/// argc > 1 ? atoi(argv[1]) : 1009
HostValues::Maybe HostValues::evalConditional(const ConditionalOperator *C, const HostFrame *F,
                                              unsigned Depth, Env *Run) const {
  auto Down = [&](const Expr *X) { return eval(X, F, Depth + 1, Run); };
  Maybe Cond = Down(C->getCond());
  if (Cond && !Cond->ByDefault)
    return Down(Cond->asFloat() != 0 ? C->getTrueExpr() : C->getFalseExpr());
  Maybe L = Down(C->getTrueExpr()), R = Down(C->getFalseExpr());
  if (L && R && sameValue(*L, *R))
    return HostNumber::whole(L->I, L->ByDefault || R->ByDefault);
  if (Cond) {
    Maybe Taken = Cond->asFloat() != 0 ? L : R;
    if (Taken)
      Taken->ByDefault = true;
    return Taken;
  }
  if (L.has_value() != R.has_value() && Flow.isInput(C)) {
    Maybe Only = L ? L : R;
    Only->ByDefault = true;
    return Only;
  }
  return std::nullopt;
}

HostValues::Maybe HostValues::eval(const Expr *E, const HostFrame *F, unsigned Depth,
                                   Env *Run) const {
  if (!E || Depth > MaxDepth || !Budget)
    return std::nullopt;
  --Budget;
  QualType T = E->getType();
  if (T.isNull()) // the initialiser of a template
    return std::nullopt;
  if (!E->isInstantiationDependent() && !E->containsErrors() && T->isIntegralOrEnumerationType()) {
    Expr::EvalResult R;
    if (E->EvaluateAsInt(R, Ctx, Expr::SE_NoSideEffects) && R.Val.isInt()) {
      const APSInt &V = R.Val.getInt();
      if (V.isRepresentableByInt64())
        return HostNumber::whole(V.getExtValue());
    }
  }
  E = E->IgnoreParens();
  auto Down = [&](const Expr *X) { return eval(X, F, Depth + 1, Run); };
  if (const auto *L = dyn_cast<FloatingLiteral>(E))
    return HostNumber::real(L->getValueAsApproximateDouble());
  if (const auto *X = dyn_cast<ExprWithCleanups>(E))
    return Down(X->getSubExpr());
  if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
    return Down(X->getSubExpr());
  if (const auto *X = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return Down(X->getReplacement());
  if (const auto *X = dyn_cast<CXXDefaultArgExpr>(E))
    return Down(X->getExpr());
  if (const auto *X = dyn_cast<CXXDefaultInitExpr>(E))
    return Down(X->getExpr());
  if (const auto *X = dyn_cast<InitListExpr>(E)) // size_t n{1009}
    return X->getNumInits() == 1 && T->isScalarType() ? Down(X->getInit(0)) : std::nullopt;
  if (const auto *C = dyn_cast<CastExpr>(E))
    return evalCast(E, Down(C->getSubExpr()));
  if (const ValueDecl *D = isa<DeclRefExpr>(E) || isa<MemberExpr>(E) ? declOf(E) : nullptr) {
    if (Run)
      if (auto At = Run->find(D); At != Run->end())
        return At->second;
    return variable(D, std::nullopt, E, F, Depth + 1);
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    const ValueDecl *D = declOf(Sub->getBase());
    Maybe Index = D ? Down(Sub->getIdx()) : std::nullopt;
    return Index && !Index->IsFloat && Index->I >= 0 ? variable(D, Index->I, E, F, Depth + 1)
                                                     : std::nullopt;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return evalUnary(U, Down(U->getSubExpr()));
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp())
      return B->getOpcode() == BO_Assign ? Down(B->getRHS()) : std::nullopt;
    Maybe L = Down(B->getLHS()), R = Down(B->getRHS());
    if (!L || !R)
      return std::nullopt;
    return binary(B->getOpcode(), *L, *R);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return evalConditional(C, F, Depth, Run);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C, F, Depth, Run);
  return std::nullopt;
}

/// std::vector<float> v(1009): 1009. std::vector<int>{1, 2}: 2.
static const Expr *sizeOf(const Expr *Init, uint64_t &Count) {
  Init = plain(Init);
  const auto *C = dyn_cast_or_null<CXXConstructExpr>(Init);
  if (!C || C->getNumArgs() == 0)
    return nullptr;
  const Expr *First = plain(C->getArg(0));
  if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(First)) {
    if (const auto *List = dyn_cast<InitListExpr>(plain(L->getSubExpr())))
      Count = List->getNumInits();
    return nullptr;
  }
  return C->getArg(0)->getType()->isIntegralOrEnumerationType() ? C->getArg(0) : nullptr;
}

/// v.size()
HostValues::Maybe HostValues::containerSize(const CXXMemberCallExpr *C, const HostFrame *F,
                                            unsigned Depth) const {
  const ValueDecl *D = declOf(C->getImplicitObjectArgument());
  Origin O = D ? origin(D, std::nullopt, C->getImplicitObjectArgument(), F) : Origin();
  if (!O.Value)
    return std::nullopt;
  uint64_t Count = 0;
  const Expr *N = sizeOf(O.Value, Count);
  if (!N)
    return Count ? Maybe(HostNumber::whole(Count)) : std::nullopt;
  Maybe V = eval(N, O.Frame, Depth + 1, nullptr);
  if (V)
    V->ByDefault |= O.ByDefault;
  return V;
}

/// A function of the standard library with one or two arguments. IsKnown: it is one that is
/// evaluated here.
HostValues::Maybe HostValues::libraryCall(const CallExpr *C, StringRef Name, const HostFrame *F,
                                          unsigned Depth, Env *Run, bool &IsKnown) const {
  auto Arg = [&](unsigned I) { return eval(C->getArg(I), F, Depth + 1, Run); };
  if (C->getNumArgs() == 1) {
    using Function = double (*)(double);
    Function Math =
        StringSwitch<Function>(Name)
            .Cases("ceil", "ceilf", "__builtin_ceil", [](double X) { return std::ceil(X); })
            .Cases("floor", "floorf", [](double X) { return std::floor(X); })
            .Cases("round", "roundf", [](double X) { return std::round(X); })
            .Cases("sqrt", "sqrtf", [](double X) { return std::sqrt(X); })
            .Cases("log2", "log2f", [](double X) { return std::log2(X); })
            .Cases("fabs", "fabsf", [](double X) { return std::fabs(X); })
            .Default(nullptr);
    Maybe V = Math || Name == "abs" ? Arg(0) : std::nullopt;
    IsKnown = V && (Math || (Name == "abs" && !V->IsFloat));
    if (V && Math)
      return HostNumber::real(Math(V->asFloat()), V->ByDefault);
    if (V && Name == "abs" && !V->IsFloat)
      return HostNumber::whole(std::abs(V->I), V->ByDefault);
    return std::nullopt;
  }
  IsKnown = C->getNumArgs() == 2 &&
            StringSwitch<bool>(Name)
                .Cases("min", "max", "fmin", "fmax", "pow", "fminf", "fmaxf", "powf", true)
                .Default(false);
  if (!IsKnown)
    return std::nullopt;
  Maybe L = Arg(0), R = Arg(1);
  if (!L || !R)
    return std::nullopt;
  if (Name.starts_with("pow"))
    return HostNumber::real(std::pow(L->asFloat(), R->asFloat()), L->ByDefault || R->ByDefault);
  bool First = Name.contains("min") ? L->asFloat() <= R->asFloat() : L->asFloat() >= R->asFloat();
  Maybe V = First ? L : R;
  V->ByDefault = L->ByDefault || R->ByDefault;
  return V;
}

HostValues::Maybe HostValues::call(const CallExpr *C, const HostFrame *F, unsigned Depth,
                                   Env *Run) const {
  const FunctionDecl *Callee = calleeOf(C);
  if (!Callee)
    return std::nullopt;
  if (Callee->getDeclName().isIdentifier()) {
    StringRef Name = Callee->getName();
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(C); M && (Name == "size" || Name == "length"))
      return containerSize(M, F, Depth);
    bool IsKnown = false;
    if (!Callee->hasBody())
      if (Maybe V = libraryCall(C, Name, F, Depth, Run, IsKnown); IsKnown)
        return V;
  }
  // roundUp(n, 64): a function that is interpreted.
  const FunctionDecl *Definition = nullptr;
  if (const FunctionDecl *Pattern = Callee->getTemplateInstantiationPattern())
    Callee = Pattern;
  if (!Callee->hasBody(Definition) || Definition->isVariadic())
    return std::nullopt;
  unsigned First = isa<CXXOperatorCallExpr>(C) && isa<CXXMethodDecl>(Definition) ? 1 : 0;
  if (C->getNumArgs() - First != Definition->getNumParams())
    return std::nullopt;
  Env Inner;
  bool Default = false;
  for (unsigned I = First; I < C->getNumArgs(); ++I) {
    const ParmVarDecl *P = Definition->getParamDecl(I - First);
    Maybe V = eval(C->getArg(I), F, Depth + 1, Run);
    if (!V)
      return std::nullopt;
    Default |= V->ByDefault;
    if (P->getType()->isRealFloatingType())
      V = HostNumber::real(V->asFloat(), V->ByDefault);
    Inner[cast<ValueDecl>(P->getCanonicalDecl())] = *V;
  }
  Maybe Result;
  if (run(Definition->getBody(), F, Depth + 1, Inner, Result) != Done || !Result)
    return std::nullopt;
  Result->ByDefault |= Default;
  QualType R = Definition->getReturnType();
  if (Result->IsFloat && !R->isDependentType() && R->isIntegralOrEnumerationType())
    Result = HostNumber::whole(int64_t(Result->F), Result->ByDefault);
  return Result;
}

std::optional<bool> HostValues::truth(const Expr *E, const HostFrame *F, unsigned Depth,
                                      Env &Run) const {
  Maybe V = eval(E, F, Depth, &Run);
  return V ? std::optional(V->asFloat() != 0) : std::nullopt;
}

/// Cond: null for none. BodyFirst: the condition is tested after the body.
HostValues::Outcome HostValues::runLoop(const Expr *Cond, const Stmt *Body, const Stmt *Step,
                                        bool BodyFirst, const HostFrame *F, unsigned Depth,
                                        Env &Run, Maybe &Result) const {
  constexpr unsigned MaxTrips = 4096;
  for (unsigned Trip = 0;; ++Trip) {
    if (Trip || !BodyFirst) {
      std::optional<bool> Goes = Cond ? truth(Cond, F, Depth, Run) : std::optional(true);
      if (!Goes || Trip > MaxTrips)
        return NotKnown;
      if (!*Goes)
        return GoesOn;
    }
    if (Outcome O = run(Body, F, Depth, Run, Result); O != GoesOn)
      return O;
    if (Outcome O = run(Step, F, Depth, Run, Result); O != GoesOn)
      return O;
  }
}

HostValues::Outcome HostValues::runDeclarations(const DeclStmt *S, const HostFrame *F,
                                                unsigned Depth, Env &Run) const {
  for (const Decl *One : S->decls()) {
    const auto *V = dyn_cast<VarDecl>(One);
    if (!V || !(V->getType()->isDependentType() || V->getType()->isArithmeticType() ||
                V->getType()->isEnumeralType()))
      return NotKnown;
    if (!V->getInit())
      continue;
    Maybe Value = eval(V->getInit(), F, Depth, &Run);
    if (!Value)
      return NotKnown;
    Run[cast<ValueDecl>(V->getCanonicalDecl())] = *Value;
  }
  return GoesOn;
}

HostValues::Outcome HostValues::runExpression(const Expr *E, const HostFrame *F, unsigned Depth,
                                              Env &Run) const {
  E = plain(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->isIncrementDecrementOp()) {
    auto At = Run.find(declOf(U->getSubExpr()));
    if (At == Run.end() || At->second.IsFloat)
      return NotKnown;
    At->second.I += U->isIncrementOp() ? 1 : -1;
    return GoesOn;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp()) {
    const ValueDecl *D = declOf(B->getLHS());
    Maybe Value = eval(B->getRHS(), F, Depth, &Run);
    if (!D || !Value || isShared(D))
      return NotKnown;
    if (B->getOpcode() != BO_Assign) {
      auto At = Run.find(D);
      Value = At != Run.end() ? binary(BinaryOperator::getOpForCompoundAssignment(B->getOpcode()),
                                       At->second, *Value)
                              : std::nullopt;
      if (!Value)
        return NotKnown;
    }
    Run[D] = *Value;
    return GoesOn;
  }
  // assert(m > 0);
  return E->HasSideEffects(Ctx) ? NotKnown : GoesOn;
}

HostValues::Outcome HostValues::run(const Stmt *S, const HostFrame *F, unsigned Depth, Env &Run,
                                    Maybe &Result) const {
  if (!S)
    return GoesOn;
  if (!Budget)
    return NotKnown;
  --Budget;
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : C->body())
      if (Outcome O = run(Child, F, Depth, Run, Result); O != GoesOn)
        return O;
    return GoesOn;
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S)) {
    Result = eval(R->getRetValue(), F, Depth, &Run);
    return Result ? Done : NotKnown;
  }
  if (const auto *I = dyn_cast<IfStmt>(S)) {
    std::optional<bool> Cond = I->getInit() || I->getConditionVariable()
                                   ? std::nullopt
                                   : truth(I->getCond(), F, Depth, Run);
    if (!Cond)
      return NotKnown;
    return run(*Cond ? I->getThen() : I->getElse(), F, Depth, Run, Result);
  }
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return runLoop(W->getCond(), W->getBody(), nullptr, /*BodyFirst=*/false, F, Depth, Run, Result);
  if (const auto *W = dyn_cast<DoStmt>(S))
    return runLoop(W->getCond(), W->getBody(), nullptr, /*BodyFirst=*/true, F, Depth, Run, Result);
  if (const auto *L = dyn_cast<ForStmt>(S)) {
    if (Outcome O = run(L->getInit(), F, Depth, Run, Result); O != GoesOn)
      return O;
    return runLoop(L->getCond(), L->getBody(), L->getInc(), /*BodyFirst=*/false, F, Depth, Run,
                   Result);
  }
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return runDeclarations(D, F, Depth, Run);
  if (const auto *E = dyn_cast<Expr>(S))
    return runExpression(E, F, Depth, Run);
  return isa<NullStmt>(S) ? GoesOn : NotKnown;
}

} // namespace clmali::model
