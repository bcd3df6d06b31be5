//===-- checks/model/HostValues.cpp - What host variables hold ------------===//

#include "checks/model/HostValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

const ValueDecl *declOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    return dyn_cast<ValueDecl>(R->getDecl()->getCanonicalDecl());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return dyn_cast<ValueDecl>(M->getMemberDecl()->getCanonicalDecl());
  return nullptr;
}

namespace {

class ValueCollector : public RecursiveASTVisitor<ValueCollector> {
public:
  ValueCollector(ASTContext &Ctx, HostValues::Map &Map) : Ctx(Ctx), Map(Map) {}

  bool VisitVarDecl(VarDecl *D) {
    if (const Expr *Init = D->getInit())
      if (!isa<ParmVarDecl>(D))
        Map[D->getCanonicalDecl()].Whole.push_back(Init);
    if (D->getType()->isReferenceType() && D->getInit())
      escape(D->getInit());
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *B) {
    if (!B->isAssignmentOp())
      return true;
    const Expr *Left = B->getLHS()->IgnoreParenImpCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Left)) {
      const ValueDecl *D = declOf(Sub->getBase());
      if (!D)
        return true;
      Expr::EvalResult Index;
      if (B->getOpcode() == BO_Assign && !Sub->getIdx()->isValueDependent() &&
          Sub->getIdx()->EvaluateAsInt(Index, Ctx))
        Map[D].Element[Index.Val.getInt().getZExtValue()].push_back(B->getRHS());
      else
        Map[D].Escapes = true;
      return true;
    }
    if (const ValueDecl *D = declOf(Left)) {
      if (B->getOpcode() == BO_Assign)
        Map[D].Whole.push_back(B->getRHS());
      else {
        Map[D].Mixed.push_back(B->getRHS());
        Map[D].Escapes = true;
      }
    }
    return true;
  }

  /// kernel = cl::Kernel(program, "name")
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *C) {
    if (C->getNumArgs() == 2)
      if (const ValueDecl *D = declOf(C->getArg(0))) {
        if (C->getOperator() == OO_Equal)
          Map[D].Whole.push_back(C->getArg(1));
        else if (C->getOperator() == OO_PlusEqual || C->getOperator() == OO_LessLess)
          Map[D].Escapes = true;
      }
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp())
      escape(U->getSubExpr());
    return true;
  }

  /// What is passed by address to a parameter that may write through it is not known afterwards.
  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    // sprintf(options, "-DN=%d", n): the one value of options.
    if (F && F->getDeclName().isIdentifier() &&
        (F->getName() == "sprintf" || F->getName() == "snprintf") && C->getNumArgs() >= 2)
      if (const ValueDecl *D = declOf(C->getArg(0))) {
        Map[D].Whole.push_back(C);
        return true;
      }
    for (unsigned I = 0; I < C->getNumArgs(); ++I) {
      const Expr *A = C->getArg(I)->IgnoreParenImpCasts();
      QualType Formal =
          F && I < F->getNumParams() ? F->getParamDecl(I)->getType() : QualType();
      bool MayWrite = true;
      if (!Formal.isNull())
        MayWrite = (Formal->isPointerType() || Formal->isReferenceType()) &&
                   !Formal->getPointeeType().isConstQualified();
      if (!MayWrite)
        continue;
      if (const auto *U = dyn_cast<UnaryOperator>(A); U && U->getOpcode() == UO_AddrOf)
        escape(U->getSubExpr());
      else if (A->getType()->isArrayType() || (!Formal.isNull() && Formal->isReferenceType()))
        escape(A);
    }
    return true;
  }

private:
  ASTContext &Ctx;
  HostValues::Map &Map;
  void escape(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      E = Sub->getBase();
    if (const ValueDecl *D = declOf(E))
      Map[D].Escapes = true;
  }
};

} // namespace

void HostValues::collect(Decl *D) { ValueCollector(Ctx, Written).TraverseDecl(D); }

const HostValues::Writes *HostValues::writes(const ValueDecl *D) const {
  auto At = Written.find(cast<ValueDecl>(D->getCanonicalDecl()));
  return At == Written.end() ? nullptr : &At->second;
}

const Expr *HostValues::onlyValue(const ValueDecl *D) const {
  if (!D)
    return nullptr;
  const Writes *W = writes(D);
  if (!W || W->Escapes || W->Whole.size() != 1 || !W->Element.empty())
    return nullptr;
  if (const auto *V = dyn_cast<VarDecl>(D))
    // Another file could write to it.
    if (V->hasExternalStorage() || (V->hasGlobalStorage() && V->isExternallyVisible() &&
                                    !V->getType().isConstQualified()))
      return nullptr;
  return W->Whole.front();
}

std::optional<int64_t> HostValues::integer(const Expr *E, unsigned Depth, const Bindings *Env) const {
  if (!E || Depth > 16 || E->isValueDependent() || E->isTypeDependent())
    return std::nullopt;
  QualType T = E->getType();
  if (T->isIntegralOrEnumerationType()) {
    Expr::EvalResult R;
    if (E->EvaluateAsInt(R, Ctx, Expr::SE_NoSideEffects) && R.Val.isInt())
      return R.Val.getInt().getExtValue();
  }
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    // Casts that could change a value need the type; sizes are small and positive.
    std::optional<int64_t> V = integer(C->getSubExpr(), Depth + 1, Env);
    if (V && *V >= 0 && *V <= INT32_MAX && T->isIntegralOrEnumerationType() &&
        Ctx.getTypeSize(T) >= 32)
      return V;
    return std::nullopt;
  }
  if (const ValueDecl *D = isa<DeclRefExpr>(E) || isa<MemberExpr>(E) ? declOf(E) : nullptr) {
    if (Env)
      if (auto At = Env->find(D); At != Env->end())
        return At->second;
    return integer(onlyValue(D), Depth + 1, Env);
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    std::optional<int64_t> L = integer(B->getLHS(), Depth + 1, Env),
                           R = integer(B->getRHS(), Depth + 1, Env);
    if (!L || !R)
      return std::nullopt;
    int64_t V;
    switch (B->getOpcode()) {
    case BO_LT:
      return *L < *R;
    case BO_LE:
      return *L <= *R;
    case BO_GT:
      return *L > *R;
    case BO_GE:
      return *L >= *R;
    case BO_EQ:
      return *L == *R;
    case BO_NE:
      return *L != *R;
    case BO_Add:
      return AddOverflow(*L, *R, V) ? std::nullopt : std::optional(V);
    case BO_Sub:
      return SubOverflow(*L, *R, V) ? std::nullopt : std::optional(V);
    case BO_Mul:
      return MulOverflow(*L, *R, V) ? std::nullopt : std::optional(V);
    case BO_Div:
      return *R > 0 && *L >= 0 ? std::optional(*L / *R) : std::nullopt;
    case BO_Rem:
      return *R > 0 && *L >= 0 ? std::optional(*L % *R) : std::nullopt;
    case BO_Shl:
      return *R >= 0 && *R < 32 && *L >= 0 && *L < INT32_MAX ? std::optional(*L << *R)
                                                            : std::nullopt;
    case BO_Shr:
      return *R >= 0 && *R < 63 && *L >= 0 ? std::optional(*L >> *R) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    std::optional<int64_t> Cond = integer(C->getCond(), Depth + 1, Env);
    return Cond ? integer(*Cond ? C->getTrueExpr() : C->getFalseExpr(), Depth + 1, Env)
                : std::nullopt;
  }
  // roundUp(n, 64): a function without loops.
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    const FunctionDecl *Definition = nullptr;
    if (!F || !F->hasBody(Definition) || C->getNumArgs() != Definition->getNumParams())
      return std::nullopt;
    Bindings Inner;
    for (unsigned I = 0; I < C->getNumArgs(); ++I) {
      std::optional<int64_t> V = integer(C->getArg(I), Depth + 1, Env);
      if (!V)
        return std::nullopt;
      Inner[cast<ValueDecl>(Definition->getParamDecl(I)->getCanonicalDecl())] = *V;
    }
    std::optional<int64_t> Result;
    return run(Definition->getBody(), Depth + 1, Inner, Result) == Done ? Result : std::nullopt;
  }
  return std::nullopt;
}

HostValues::Outcome HostValues::run(const Stmt *S, unsigned Depth, Bindings &Env,
                                    std::optional<int64_t> &Result) const {
  if (!S)
    return GoesOn;
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : C->body())
      if (Outcome O = run(Child, Depth, Env, Result); O != GoesOn)
        return O;
    return GoesOn;
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S)) {
    Result = integer(R->getRetValue(), Depth, &Env);
    return Result ? Done : NotKnown;
  }
  if (const auto *I = dyn_cast<IfStmt>(S)) {
    std::optional<int64_t> Cond = integer(I->getCond(), Depth, &Env);
    if (!Cond || I->getInit() || I->getConditionVariable())
      return NotKnown;
    return run(*Cond ? I->getThen() : I->getElse(), Depth, Env, Result);
  }
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *One : D->decls()) {
      const auto *V = dyn_cast<VarDecl>(One);
      if (!V || !V->getType()->isIntegralOrEnumerationType())
        return NotKnown;
      if (!V->getInit())
        continue;
      std::optional<int64_t> Value = integer(V->getInit(), Depth, &Env);
      if (!Value)
        return NotKnown;
      Env[cast<ValueDecl>(V->getCanonicalDecl())] = *Value;
    }
    return GoesOn;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp()) {
    const ValueDecl *D = declOf(B->getLHS());
    std::optional<int64_t> Value = integer(B->getRHS(), Depth, &Env);
    if (!D || !Value || (B->getOpcode() != BO_Assign && !Env.count(D)))
      return NotKnown;
    int64_t &To = Env[D];
    switch (B->getOpcode()) {
    case BO_Assign:
      To = *Value;
      return GoesOn;
    case BO_AddAssign:
      return AddOverflow(To, *Value, To) ? NotKnown : GoesOn;
    case BO_SubAssign:
      return SubOverflow(To, *Value, To) ? NotKnown : GoesOn;
    case BO_MulAssign:
      return MulOverflow(To, *Value, To) ? NotKnown : GoesOn;
    default:
      return NotKnown;
    }
  }
  return NotKnown;
}

std::optional<std::string> HostValues::partly(const Expr *E, unsigned Depth) const {
  if (!E || Depth > 12)
    return std::nullopt;
  if (std::optional<std::string> S = string(E))
    return S;
  E = E->IgnoreParenImpCasts();
  auto OrUnknown = [&](const Expr *X) { return partly(X, Depth + 1).value_or("\1"); };
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getNumArgs() ? partly(C->getArg(0), Depth + 1) : std::nullopt;
  if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E))
    return partly(T->getSubExpr(), Depth + 1);
  if (const auto *T = dyn_cast<CXXBindTemporaryExpr>(E))
    return partly(T->getSubExpr(), Depth + 1);
  if (const auto *T = dyn_cast<ExprWithCleanups>(E))
    return partly(T->getSubExpr(), Depth + 1);
  if (const auto *T = dyn_cast<CXXFunctionalCastExpr>(E))
    return partly(T->getSubExpr(), Depth + 1);
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (C->getOperator() == OO_Plus && C->getNumArgs() == 2)
      return OrUnknown(C->getArg(0)) + OrUnknown(C->getArg(1));
    return std::nullopt;
  }
  if (const auto *C = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = C->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() && Method->getName() == "c_str")
      return partly(C->getImplicitObjectArgument(), Depth + 1);
    return std::nullopt;
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getDeclName().isIdentifier())
      return std::nullopt;
    if (F->getName() == "to_string" && C->getNumArgs() == 1) {
      std::optional<int64_t> N = integer(C->getArg(0));
      return N ? std::optional(itostr(*N)) : std::nullopt;
    }
    if (F->getName() == "sprintf" && C->getNumArgs() >= 2)
      return formatted(C, 1, Depth);
    if (F->getName() == "snprintf" && C->getNumArgs() >= 3)
      return formatted(C, 2, Depth);
    return std::nullopt;
  }
  if (isa<DeclRefExpr>(E) || isa<MemberExpr>(E))
    return partly(onlyValue(declOf(E)), Depth + 1);
  return std::nullopt;
}

std::optional<std::string> HostValues::formatted(const CallExpr *C, unsigned Format,
                                                 unsigned Depth) const {
  std::optional<std::string> Text = string(C->getArg(Format));
  if (!Text)
    return std::nullopt;
  std::string Result;
  unsigned Next = Format + 1;
  for (size_t I = 0; I < Text->size(); ++I) {
    if ((*Text)[I] != '%') {
      Result += (*Text)[I];
      continue;
    }
    size_t End = Text->find_first_of("diuxXfgeEscp%", I + 1);
    if (End == std::string::npos)
      return std::nullopt;
    char Conversion = (*Text)[End];
    bool Plain = StringRef(*Text).slice(I + 1, End).find_first_not_of("lzhj") == StringRef::npos;
    I = End;
    if (Conversion == '%') {
      Result += '%';
      continue;
    }
    const Expr *A = Next < C->getNumArgs() ? C->getArg(Next) : nullptr;
    ++Next;
    std::optional<int64_t> N =
        A && Plain && StringRef("diu").contains(Conversion) ? integer(A) : std::nullopt;
    if (N)
      Result += itostr(*N);
    else if (A && Plain && Conversion == 's')
      Result += partly(A, Depth + 1).value_or("\1");
    else
      Result += '\1';
  }
  return Result;
}

std::optional<std::string> HostValues::string(const Expr *E, unsigned Depth) const {
  if (!E || Depth > 8)
    return std::nullopt;
  E = E->IgnoreParenImpCasts();
  if (const auto *S = dyn_cast<clang::StringLiteral>(E))
    return S->getCharByteWidth() == 1 ? std::optional(S->getString().str()) : std::nullopt;
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getNumArgs() ? string(C->getArg(0), Depth + 1) : std::nullopt;
  if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E))
    return string(T->getSubExpr(), Depth + 1);
  if (const auto *T = dyn_cast<CXXBindTemporaryExpr>(E))
    return string(T->getSubExpr(), Depth + 1);
  if (const auto *T = dyn_cast<ExprWithCleanups>(E))
    return string(T->getSubExpr(), Depth + 1);
  if (const auto *T = dyn_cast<CXXFunctionalCastExpr>(E))
    return string(T->getSubExpr(), Depth + 1);
  if (const auto *C = dyn_cast<CXXMemberCallExpr>(E)) { // options.c_str()
    const CXXMethodDecl *Method = C->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() && Method->getName() == "c_str")
      return string(C->getImplicitObjectArgument(), Depth + 1);
    return std::nullopt;
  }
  if (isa<DeclRefExpr>(E) || isa<MemberExpr>(E))
    return string(onlyValue(declOf(E)), Depth + 1);
  return std::nullopt;
}

} // namespace clmali::model
