//===-- checks/model/host/values/Values.cpp - What host variables hold ------------===//

#include "checks/model/host/values/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

static HostNumber whole(int64_t I, bool ByDefault = false) {
  HostNumber N;
  N.I = I;
  N.ByDefault = ByDefault;
  return N;
}
static HostNumber real(double F, bool ByDefault = false) {
  HostNumber N;
  N.IsFloat = true;
  N.F = F;
  N.ByDefault = ByDefault;
  return N;
}
static bool same(const HostNumber &A, const HostNumber &B) {
  return A.IsFloat == B.IsFloat && (A.IsFloat ? A.F == B.F : A.I == B.I);
}

/// Where another function, or another file, may write between two places of this one.
static bool isShared(const ValueDecl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return !V || !(isa<ParmVarDecl>(V) || (V->isLocalVarDecl() && !V->isStaticLocal()));
}

bool HostValues::isForeign(const ValueDecl *D) const {
  const auto *V = dyn_cast<VarDecl>(D);
  if (!V || !V->hasGlobalStorage() || V->getType().isConstQualified())
    return false;
  const SourceManager &SM = Ctx.getSourceManager();
  return any_of(V->redecls(), [&](const VarDecl *R) {
    // Of what a missing header declares, most are members of a class.
    if (SM.getFilename(SM.getExpansionLoc(R->getLocation())) == MissingNamesFile)
      return false;
    // What a header defines is that of the one file that may include it.
    return R->isThisDeclarationADefinition() == VarDecl::DeclarationOnly ||
           (R->isStaticDataMember() &&
            SM.getFileID(SM.getExpansionLoc(R->getLocation())) != SM.getMainFileID());
  });
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<HostNumber> HostValues::number(const Expr *E, const HostFrame *F) const {
  Question Q(*this);
  Maybe N = eval(E, F, 0, nullptr);
  return N && SawLargest && !N->AtMost ? std::nullopt : N;
}

std::optional<HostNumber> HostValues::number(const ValueDecl *D, uint64_t Element, const Expr *Use,
                                             const HostFrame *F) const {
  Question Q(*this);
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

/// Nothing: Op is no comparison.
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
    // What grows with both, and of a difference or a quotient with the first.
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
  auto Truth = [&](bool B) { return whole(B, Default); };
  if (L.IsFloat || R.IsFloat) {
    double A = L.asFloat(), B = R.asFloat();
    if (std::optional<bool> Holds = compare(Op, A, B))
      return Truth(*Holds);
    switch (Op) {
    case BO_Add:
      return real(A + B, Default);
    case BO_Sub:
      return real(A - B, Default);
    case BO_Mul:
      return real(A * B, Default);
    case BO_Div:
      return B != 0 ? Maybe(real(A / B, Default)) : std::nullopt;
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
    return AddOverflow(A, B, V) ? std::nullopt : Maybe(whole(V, Default));
  case BO_Sub:
    return SubOverflow(A, B, V) ? std::nullopt : Maybe(whole(V, Default));
  case BO_Mul:
    return MulOverflow(A, B, V) ? std::nullopt : Maybe(whole(V, Default));
  case BO_Div:
    return B > 0 && A >= 0 ? Maybe(whole(A / B, Default)) : std::nullopt;
  case BO_Rem:
    return B > 0 && A >= 0 ? Maybe(whole(A % B, Default)) : std::nullopt;
  case BO_Shl:
    return B >= 0 && B < 31 && A >= 0 && A <= INT32_MAX ? Maybe(whole(A << B, Default))
                                                        : std::nullopt;
  case BO_Shr:
    return B >= 0 && B < 63 && A >= 0 ? Maybe(whole(A >> B, Default)) : std::nullopt;
  case BO_And:
    return whole(A & B, Default);
  case BO_Or:
    return whole(A | B, Default);
  case BO_Xor:
    return whole(A ^ B, Default);
  default:
    return std::nullopt;
  }
}

HostValues::Maybe HostValues::eval(const Expr *E, const HostFrame *F, unsigned Depth,
                                   Env *Run) const {
  if (!E || Depth > 40 || !Budget)
    return std::nullopt;
  --Budget;
  QualType T = E->getType();
  if (T.isNull()) // what a template initialises with
    return std::nullopt;
  if (!E->isInstantiationDependent() && !E->containsErrors() && T->isIntegralOrEnumerationType()) {
    Expr::EvalResult R;
    if (E->EvaluateAsInt(R, Ctx, Expr::SE_NoSideEffects) && R.Val.isInt()) {
      const APSInt &V = R.Val.getInt();
      if (V.isRepresentableByInt64())
        return whole(V.getExtValue());
    }
  }
  E = E->IgnoreParens();
  auto Down = [&](const Expr *X) { return eval(X, F, Depth + 1, Run); };
  if (const auto *L = dyn_cast<FloatingLiteral>(E))
    return real(L->getValueAsApproximateDouble());
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
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    Maybe V = Down(C->getSubExpr());
    if (!V)
      return std::nullopt;
    if (T->isRealFloatingType())
      return real(V->asFloat(), V->ByDefault);
    if (T->isBooleanType())
      return whole(V->asFloat() != 0, V->ByDefault);
    if (T->isDependentType())
      return V;
    if (!T->isIntegralOrEnumerationType())
      return std::nullopt;
    if (V->IsFloat) {
      if (!(V->F > -9e15 && V->F < 9e15))
        return std::nullopt;
      V = whole(int64_t(V->F), V->ByDefault);
    }
    // Casts that could change a value need the type; sizes are small and positive.
    bool Fits =
        V->I >= 0 && (Ctx.getTypeSize(T) >= 64 || V->I <= INT32_MAX) && Ctx.getTypeSize(T) >= 32;
    bool Narrow =
        V->I >= 0 && Ctx.getTypeSize(T) < 32 && V->I < (int64_t(1) << (Ctx.getTypeSize(T) - 1));
    return Fits || Narrow || (V->I < 0 && T->isSignedIntegerType()) ? V : std::nullopt;
  }
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
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    Maybe V = Down(U->getSubExpr());
    if (!V)
      return std::nullopt;
    switch (U->getOpcode()) {
    case UO_Plus:
    case UO_PostInc: // clSetKernelArg(kernel, i++, ...)
    case UO_PostDec:
      return V;
    case UO_PreInc:
    case UO_PreDec:
      return V->IsFloat ? std::nullopt
                        : Maybe(whole(V->I + (U->isIncrementOp() ? 1 : -1), V->ByDefault));
    case UO_Minus:
      return V->IsFloat ? real(-V->F, V->ByDefault) : whole(-V->I, V->ByDefault);
    case UO_LNot:
      return whole(V->asFloat() == 0, V->ByDefault);
    case UO_Not:
      return V->IsFloat ? std::nullopt : Maybe(whole(~V->I, V->ByDefault));
    default:
      return std::nullopt;
    }
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp())
      return B->getOpcode() == BO_Assign ? Down(B->getRHS()) : std::nullopt;
    Maybe L = Down(B->getLHS()), R = Down(B->getRHS());
    if (!L || !R)
      return std::nullopt;
    return binary(B->getOpcode(), *L, *R);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    Maybe Cond = Down(C->getCond());
    if (Cond && !Cond->ByDefault)
      return Down(Cond->asFloat() != 0 ? C->getTrueExpr() : C->getFalseExpr());
    // argc > 1 ? atoi(argv[1]) : 1009
    Maybe L = Down(C->getTrueExpr()), R = Down(C->getFalseExpr());
    if (L && R && same(*L, *R))
      return whole(L->I, L->ByDefault || R->ByDefault);
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

HostValues::Maybe HostValues::call(const CallExpr *C, const HostFrame *F, unsigned Depth,
                                   Env *Run) const {
  const FunctionDecl *Callee = calleeOf(C);
  if (!Callee)
    return std::nullopt;
  auto Arg = [&](unsigned I) {
    return I < C->getNumArgs() ? eval(C->getArg(I), F, Depth + 1, Run) : std::nullopt;
  };
  if (Callee->getDeclName().isIdentifier()) {
    StringRef Name = Callee->getName();
    // v.size()
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(C); M && (Name == "size" || Name == "length")) {
      const ValueDecl *D = declOf(M->getImplicitObjectArgument());
      Origin O = D ? origin(D, std::nullopt, M->getImplicitObjectArgument(), F) : Origin();
      if (!O.Value)
        return std::nullopt;
      uint64_t Count = 0;
      const Expr *N = sizeOf(O.Value, Count);
      if (!N)
        return Count ? Maybe(whole(Count)) : std::nullopt;
      Maybe V = eval(N, O.Frame, Depth + 1, nullptr);
      if (V)
        V->ByDefault |= O.ByDefault;
      return V;
    }
    bool Ours = Callee->hasBody();
    if (!Ours && C->getNumArgs() == 1) {
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
      if (V && Math)
        return real(Math(V->asFloat()), V->ByDefault);
      if (V && Name == "abs" && !V->IsFloat)
        return whole(std::abs(V->I), V->ByDefault);
    }
    if (!Ours && C->getNumArgs() == 2 &&
        StringSwitch<bool>(Name)
            .Cases("min", "max", "fmin", "fmax", "pow", "fminf", "fmaxf", "powf", true)
            .Default(false)) {
      Maybe L = Arg(0), R = Arg(1);
      if (!L || !R)
        return std::nullopt;
      if (Name.starts_with("pow"))
        return real(std::pow(L->asFloat(), R->asFloat()), L->ByDefault || R->ByDefault);
      bool First =
          Name.contains("min") ? L->asFloat() <= R->asFloat() : L->asFloat() >= R->asFloat();
      Maybe V = First ? L : R;
      V->ByDefault = L->ByDefault || R->ByDefault;
      return V;
    }
  }
  // roundUp(n, 64): a function that is run.
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
    Maybe V = Arg(I);
    // A roundUp of a template computes with integers all the same.
    if (!V)
      return std::nullopt;
    Default |= V->ByDefault;
    if (P->getType()->isRealFloatingType())
      V = real(V->asFloat(), V->ByDefault);
    Inner[cast<ValueDecl>(P->getCanonicalDecl())] = *V;
  }
  Maybe Result;
  if (run(Definition->getBody(), F, Depth + 1, Inner, Result) != Done || !Result)
    return std::nullopt;
  Result->ByDefault |= Default;
  QualType R = Definition->getReturnType();
  if (Result->IsFloat && !R->isDependentType() && R->isIntegralOrEnumerationType())
    Result = whole(int64_t(Result->F), Result->ByDefault);
  return Result;
}

HostValues::Outcome HostValues::run(const Stmt *S, const HostFrame *F, unsigned Depth, Env &Run,
                                    Maybe &Result) const {
  if (!S)
    return GoesOn;
  if (!Budget)
    return NotKnown;
  --Budget;
  auto Truth = [&](const Expr *E) -> std::optional<bool> {
    Maybe V = eval(E, F, Depth, &Run);
    return V ? std::optional(V->asFloat() != 0) : std::nullopt;
  };
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
    std::optional<bool> Cond =
        I->getInit() || I->getConditionVariable() ? std::nullopt : Truth(I->getCond());
    if (!Cond)
      return NotKnown;
    return run(*Cond ? I->getThen() : I->getElse(), F, Depth, Run, Result);
  }
  auto Loop = [&](const Expr *Cond, const Stmt *Body, const Stmt *Step, bool First) {
    for (unsigned Turn = 0;; ++Turn) {
      if (Turn || !First) {
        std::optional<bool> Goes = Cond ? Truth(Cond) : std::optional(true);
        if (!Goes || Turn > 4096)
          return NotKnown;
        if (!*Goes)
          return GoesOn;
      }
      if (Outcome O = run(Body, F, Depth, Run, Result); O != GoesOn)
        return O;
      if (Outcome O = run(Step, F, Depth, Run, Result); O != GoesOn)
        return O;
    }
  };
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return Loop(W->getCond(), W->getBody(), nullptr, false);
  if (const auto *W = dyn_cast<DoStmt>(S))
    return Loop(W->getCond(), W->getBody(), nullptr, true);
  if (const auto *L = dyn_cast<ForStmt>(S)) {
    if (Outcome O = run(L->getInit(), F, Depth, Run, Result); O != GoesOn)
      return O;
    return Loop(L->getCond(), L->getBody(), L->getInc(), false);
  }
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *One : D->decls()) {
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
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return isa<NullStmt>(S) ? GoesOn : NotKnown;
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

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

const Expr *HostValues::elementOf(const Expr *Init, uint64_t Element, bool &IsList) {
  Init = plain(Init);
  for (unsigned Depth = 0; Init && Depth < 8; ++Depth) {
    if (const auto *L = dyn_cast<CompoundLiteralExpr>(Init)) {
      Init = plain(L->getInitializer());
    } else if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(Init)) {
      Init = plain(L->getSubExpr());
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(Init)) {
      if (C->getNumArgs() == 0 || !isa<CXXStdInitializerListExpr>(plain(C->getArg(0))))
        return nullptr;
      Init = plain(C->getArg(0));
    } else if (const auto *L = dyn_cast<InitListExpr>(Init)) {
      if (const InitListExpr *Semantic = L->getSemanticForm())
        L = Semantic;
      // std::array<size_t, 2> holds a list in a list.
      if (L->getType()->isRecordType() && L->getNumInits() == 1 &&
          isa<InitListExpr>(L->getInit(0)->IgnoreParenImpCasts())) {
        Init = L->getInit(0)->IgnoreParenImpCasts();
        continue;
      }
      IsList = true;
      if (Element < L->getNumInits())
        return isa<ImplicitValueInitExpr>(L->getInit(Element)) ? nullptr : L->getInit(Element);
      return nullptr;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

HostValues::Maybe HostValues::written(const HostWrite &W, const ValueDecl *D,
                                      std::optional<uint64_t> Element, const HostFrame *F,
                                      unsigned Depth) const {
  switch (W.K) {
  case HostWrite::Start:
  case HostWrite::Assign: {
    if (!W.Value)
      return std::nullopt;
    if (!Element || W.Element)
      return eval(W.Value, F, Depth + 1, nullptr);
    bool IsList = false;
    const Expr *E = elementOf(W.Value, *Element, IsList);
    return E ? eval(E, F, Depth + 1, nullptr) : std::nullopt;
  }
  case HostWrite::Compound:
  case HostWrite::Step: {
    const auto *At = dyn_cast_or_null<Expr>(W.At);
    Maybe Old = At ? variable(D, Element, At, F, Depth + 1) : std::nullopt;
    Maybe By = W.K == HostWrite::Step ? Maybe(whole(1)) : eval(W.Value, F, Depth + 1, nullptr);
    return Old && By ? binary(W.Op, *Old, *By) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

const Expr *HostValues::defaultOf(const ParmVarDecl *P) const {
  const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
  if (!F || !P->hasDefaultArg() || P->hasUnparsedDefaultArg() || P->hasUninstantiatedDefaultArg())
    return nullptr;
  auto LeftOut = [&](const Expr *Run) {
    unsigned I = P->getFunctionScopeIndex();
    if (const auto *C = dyn_cast<CXXConstructExpr>(Run))
      return I < C->getNumArgs() && isa<CXXDefaultArgExpr>(C->getArg(I));
    const auto *C = dyn_cast<CallExpr>(Run);
    return C && !isa<CXXOperatorCallExpr>(C) &&
           (I >= C->getNumArgs() || isa<CXXDefaultArgExpr>(C->getArg(I)));
  };
  return llvm::all_of(Flow.runsOf(F), LeftOut) ? P->getDefaultArg() : nullptr;
}

HostValues::Maybe HostValues::variable(const ValueDecl *D, std::optional<uint64_t> Element,
                                       const Expr *Use, const HostFrame *F, unsigned Depth) const {
  if (D && D == RoundOf && !Element)
    return whole(Round, false);
  if (!D || Depth > 40 || !Budget || Flow.escapes(D) || isForeign(D))
    return std::nullopt;
  --Budget;
  auto Cond = [&](const Expr *E) { return condition(E, F, Depth); };
  HostFlow::Reach R = Flow.reach(D, Element, Use, Cond);
  Maybe Base;
  bool Open = false; ///< no value from before
  if (R.Must) {
    Base = written(*R.Must, D, Element, F, Depth);
  } else if (const auto *P = dyn_cast<ParmVarDecl>(D); P && R.Entry) {
    const HostFrame *At = F;
    while (At && P->getDeclContext() != At->Callee)
      At = At->Up;
    if (At && P->getFunctionScopeIndex() < At->Args.size()) {
      const Expr *A = At->Args[P->getFunctionScopeIndex()];
      if (!Element) {
        Base = eval(A, At->Up, Depth + 1, nullptr);
      } else if (const ValueDecl *Array = declOf(A)) {
        Base = variable(Array, Element, A, At->Up, Depth + 1);
      } else if (const auto *U = dyn_cast<UnaryOperator>(plain(A));
                 U && U->getOpcode() == UO_AddrOf && *Element == 0) {
        Base = eval(U->getSubExpr(), At->Up, Depth + 1, nullptr);
      }
    } else if (const Expr *Default = At || Element ? nullptr : defaultOf(P)) {
      Base = eval(Default, nullptr, Depth + 1, nullptr);
      if (Base)
        Base->ByDefault = true;
    }
  } else if (isShared(D)) {
    // Whatever the file gives it, if that is always the same; a start of zero is none.
    std::optional<HostNumber> Only;
    for (const HostWrite &W : Flow.writes(D)) {
      if (W.Element && Element && *W.Element != *Element)
        continue;
      if (W.K == HostWrite::Start && !W.Value)
        continue;
      Maybe V = W.K == HostWrite::Assign || W.K == HostWrite::Start
                    ? written(W, D, Element, nullptr, Depth)
                    : std::nullopt;
      if (W.K == HostWrite::Start && V && V->asFloat() == 0)
        continue;
      if (!V && W.K == HostWrite::Start && Element)
        continue;
      if (!V && (W.At || W.Value) &&
          Flow.isInput(W.Value ? static_cast<const Stmt *>(W.Value) : W.At)) {
        Open = true;
        continue;
      }
      if (!V || (Only && !same(*Only, *V)))
        return std::nullopt;
      bool Default = V->ByDefault || (Only && Only->ByDefault);
      Only = V;
      Only->ByDefault = Default;
    }
    if (Only && Open)
      Only->ByDefault = true;
    return Only;
  } else if (R.May.empty()) {
    return std::nullopt;
  }
  for (const HostWrite *W : R.May) {
    // What a loop divides or subtracts from grows no more.
    if (TakesLargest && Base && W->K == HostWrite::Compound &&
        (W->Op == BO_Div || W->Op == BO_Shr || W->Op == BO_Sub) && Base->asFloat() >= 0) {
      Base->AtMost = SawLargest = true;
      continue;
    }
    Maybe V = written(*W, D, Element, F, Depth);
    if (!Base && !R.Must && !R.Entry && V) { // both branches of an if write it
      Base = V;
      continue;
    }
    if (!Base)
      return std::nullopt;
    if (V && same(*V, *Base)) {
      Base->ByDefault |= V->ByDefault;
      continue;
    }
    if (TakesLargest && V && !V->IsFloat && !Base->IsFloat) {
      V->ByDefault |= Base->ByDefault;
      Base = V->I > Base->I ? V : Base;
      Base->AtMost = SawLargest = true;
      continue;
    }
    const Stmt *Says =
        W->Value && !isa<CompoundStmt>(W->At) ? static_cast<const Stmt *>(W->Value) : W->At;
    if (!Flow.isInput(Says))
      return std::nullopt;
    Base->ByDefault = true;
  }
  return Base;
}

HostValues::Origin HostValues::origin(const ValueDecl *D, std::optional<uint64_t> Element,
                                      const Expr *Use, const HostFrame *F) const {
  Question Q(*this);
  if (!D || !Budget || Flow.escapes(D) || isForeign(D))
    return {};
  --Budget;
  auto Cond = [&](const Expr *E) { return condition(E, F, 0); };
  HostFlow::Reach R = Flow.reach(D, Element, Use, Cond);
  auto Of = [&](const HostWrite &W, const HostFrame *Frame) -> Origin {
    if (W.K != HostWrite::Start && W.K != HostWrite::Assign)
      return {};
    if (!W.Value || !Element || W.Element)
      return {W.Value, Frame, false};
    bool IsList = false;
    return {elementOf(W.Value, *Element, IsList), Frame, false};
  };
  Origin Base;
  if (R.Must)
    Base = Of(*R.Must, F);
  else if (const auto *P = dyn_cast<ParmVarDecl>(D); P && R.Entry) {
    const HostFrame *At = F;
    while (At && P->getDeclContext() != At->Callee)
      At = At->Up;
    if (At && P->getFunctionScopeIndex() < At->Args.size() && !Element)
      Base = {At->Args[P->getFunctionScopeIndex()], At->Up, false};
  } else if (isShared(D)) {
    for (const HostWrite &W : Flow.writes(D)) {
      if (W.Element && Element && *W.Element != *Element)
        continue;
      if (W.K == HostWrite::Start) {
        const Expr *V = W.Value ? plain(W.Value) : nullptr;
        const auto *Made = dyn_cast_or_null<CXXConstructExpr>(V);
        if (!V || (Made && Made->getNumArgs() == 0) || isa<ImplicitValueInitExpr>(V) ||
            (isa<InitListExpr>(V) && cast<InitListExpr>(V)->getNumInits() == 0) ||
            V->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull)
          continue;
      }
      Origin O = Of(W, nullptr);
      if (!O.Value || Base.Value)
        return {};
      Base = O;
    }
    return Base;
  }
  // Another one may have been taken instead.
  for (const HostWrite *W : R.May) {
    if (W->K == HostWrite::Append)
      continue;
    Origin O = Of(*W, F);
    if (!Base.Value && !R.Must && !R.Entry && O.Value && R.May.size() == 1)
      return {};
    const Stmt *Says =
        W->Value && !isa<CompoundStmt>(W->At) ? static_cast<const Stmt *>(W->Value) : W->At;
    if (!Base.Value || !Flow.isInput(Says))
      return {};
    Base.ByDefault = true;
  }
  return Base;
}

HostValues::Origin HostValues::source(const Expr *E, const HostFrame *F) const {
  Question Q(*this);
  Origin O{E, F, false};
  for (unsigned Depth = 0; O.Value && Depth < 16; ++Depth) {
    const Expr *X = plain(O.Value);
    if (const auto *C = dyn_cast<CXXConstructExpr>(X); C && C->getNumArgs() == 1) {
      // A class made of another of its kind, or by conversion.
      const ValueDecl *D = declOf(C->getArg(0));
      if (!D || !D->getType().getNonReferenceType()->isRecordType())
        return {X, O.Frame, O.ByDefault};
    }
    std::optional<uint64_t> Element;
    const Expr *Base = X;
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(X)) {
      std::optional<int64_t> At = integer(Sub->getIdx(), O.Frame);
      if (!At || *At < 0)
        return {};
      Element = *At;
      Base = Sub->getBase();
    } else if (const auto *Sub = dyn_cast<CXXOperatorCallExpr>(X);
               Sub && Sub->getOperator() == OO_Subscript && Sub->getNumArgs() == 2) {
      std::optional<int64_t> At = integer(Sub->getArg(1), O.Frame);
      if (!At || *At < 0)
        return {};
      Element = *At;
      Base = Sub->getArg(0);
    }
    const ValueDecl *D = declOf(Base);
    if (!D)
      return {X, O.Frame, O.ByDefault};
    // What the API's own headers name (cl::NullRange) has no origin of interest.
    if (const auto *V = dyn_cast<VarDecl>(D); V && !isUsers(V, Ctx.getSourceManager()))
      return {X, O.Frame, O.ByDefault};
    Origin Next = origin(D, Element, X, O.Frame);
    Next.ByDefault |= O.ByDefault;
    O = Next;
  }
  return {};
}

const Expr *HostValues::taken(const ConditionalOperator *C, const HostFrame *F) const {
  // local ? local : NULL
  if (const ValueDecl *D = declOf(C->getCond()->IgnoreParenImpCasts());
      D && D->getType()->isPointerType() && D == declOf(C->getTrueExpr()->IgnoreParenCasts()))
    return C->getTrueExpr();
  Question Q(*this);
  std::optional<bool> Holds = condition(C->getCond(), F, 0);
  return !Holds ? nullptr : *Holds ? C->getTrueExpr() : C->getFalseExpr();
}

bool HostValues::isNull(const Expr *E, const HostFrame *Frame, clang::SourceRange *Where) const {
  for (unsigned Depth = 0; E && Depth < 8; ++Depth) {
    if (!E->isValueDependent() &&
        E->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull) {
      if (Where)
        *Where = E->getSourceRange();
      return true;
    }
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E->IgnoreParenImpCasts());
        Cast && Cast->getType()->isPointerType()) {
      E = Cast->getSubExpr(); // (const size_t *)NULL
      continue;
    }
    if (const auto *C =
            dyn_cast<ConditionalOperator>(E->IgnoreParenImpCasts())) { // n ? local : NULL
      E = taken(C, Frame);
      continue;
    }
    const ValueDecl *D = declOf(E->IgnoreParenCasts());
    if (!D || !D->getType()->isPointerType())
      return false;
    HostValues::Origin O = origin(D, std::nullopt, E, Frame);
    if (!O.Value)
      return false;
    E = O.Value;
    Frame = O.Frame;
  }
  return false;
}

} // namespace clmali::model
