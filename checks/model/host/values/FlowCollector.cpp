//===-- checks/model/host/values/FlowCollector.cpp - Collects writes and calls ------===//

#include "checks/model/frontend/AstVisitor.h"
#include "checks/model/host/values/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

class FlowCollector : public AstVisitor {
public:
  explicit FlowCollector(HostFlow &Flow) : Flow(Flow), Ctx(Flow.Ctx), SM(Ctx.getSourceManager()) {}

  bool enters(Decl *D) override { return mayHoldUsers(D, SM); }

  void visit(Decl *D) override {
    if (auto *F = dyn_cast<FunctionDecl>(D))
      collect(F);
    if (auto *F = dyn_cast<CXXMethodDecl>(D))
      collectOverridden(F);
    if (auto *F = dyn_cast<FieldDecl>(D))
      collect(F);
    if (auto *V = dyn_cast<VarDecl>(D))
      collect(V);
  }

  void visit(Stmt *S) override {
    if (auto *L = dyn_cast<LambdaExpr>(S))
      collect(L);
    if (auto *D = dyn_cast<DeclStmt>(S))
      collect(D);
    if (auto *F = dyn_cast<CXXForRangeStmt>(S))
      collect(F);
    if (auto *B = dyn_cast<BinaryOperator>(S))
      collect(B);
    if (auto *U = dyn_cast<UnaryOperator>(S))
      collect(U);
    if (auto *R = dyn_cast<RecoveryExpr>(S))
      addQueue(R);
    if (auto *C = dyn_cast<CallExpr>(S))
      collect(C);
    if (auto *C = dyn_cast<CXXConstructExpr>(S))
      collect(C);
  }

  void finish() {
    for (auto &[D, List] : Flow.Written)
      llvm::stable_sort(
          List, [&](const HostWrite &A, const HostWrite &B) { return orderOf(A) < orderOf(B); });
  }

private:
  HostFlow &Flow;
  ASTContext &Ctx;
  SourceManager &SM;

  void collect(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() && F->getBody()) {
      Flow.Bodies[F->getBody()] = F;
      link(F->getBody());
      if (!isa<CXXMethodDecl>(F) && F->getDeclName().isIdentifier() &&
          SM.isInMainFile(SM.getExpansionLoc(F->getLocation())))
        Flow.Defined[F->getName()].push_back(F);
    }
    if (const auto *C = dyn_cast<CXXConstructorDecl>(F); C && C->doesThisDeclarationHaveABody())
      for (const CXXCtorInitializer *I : C->inits())
        if (I->isWritten() && I->getAnyMember() && I->getInit()) {
          link(I->getInit());
          Flow.Bodies[I->getInit()] = F;
          add(I->getAnyMember(),
              {HostWrite::Assign, nullptr, I->getInit(), std::nullopt, BO_Assign});
        }
  }

  void collectOverridden(CXXMethodDecl *F) {
    for (const CXXMethodDecl *Base : F->overridden_methods())
      if (F->isFirstDecl())
        Flow.Overriders[definitionKey(Base)].push_back(F);
  }

  void collect(LambdaExpr *L) {
    if (L->getBody() && L->getCallOperator())
      Flow.Bodies[L->getBody()] = L->getCallOperator();
  }

  void collect(FieldDecl *D) {
    if (const Expr *Init = D->getInClassInitializer()) {
      link(Init);
      add(D, {HostWrite::Start, nullptr, Init, std::nullopt, BO_Assign});
    }
  }

  void collect(VarDecl *D) {
    if (isa<ParmVarDecl>(D))
      return;
    if (!D->isLocalVarDecl() || D->isStaticLocal()) {
      if (const Expr *Init = D->getInit()) {
        if (!D->isLocalVarDecl())
          link(Init);
        add(D, {HostWrite::Start, nullptr, Init, std::nullopt, BO_Assign});
      }
    }
    if (D->getType()->isReferenceType() && D->getInit() &&
        !D->getType()->getPointeeType().isConstQualified())
      addEscape(D->getInit());
  }

  void collect(DeclStmt *S) {
    for (Decl *One : S->decls())
      if (auto *D = dyn_cast<VarDecl>(One); D && D->isLocalVarDecl() && !D->isStaticLocal()) {
        const Expr *Init = D->getInit();
        add(D, {HostWrite::Start, Init ? static_cast<const Stmt *>(Init) : S, Init, std::nullopt,
                BO_Assign});
      }
  }

  void collect(CXXForRangeStmt *S) {
    if (VarDecl *D = S->getLoopVariable())
      add(D, {HostWrite::Unknown, S->getBody(), nullptr, std::nullopt, BO_Assign});
  }

  void collect(BinaryOperator *B) {
    if (!B->isAssignmentOp())
      return;
    const Expr *Left = B->getLHS()->IgnoreParenImpCasts();
    HostWrite W;
    W.At = B;
    W.Value = B->getRHS();
    W.K = B->getOpcode() == BO_Assign ? HostWrite::Assign : HostWrite::Compound;
    if (W.K == HostWrite::Compound)
      W.Op = BinaryOperator::getOpForCompoundAssignment(B->getOpcode());
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Left)) {
      const ValueDecl *D = declOf(Sub->getBase());
      if (!D)
        return;
      if (!element(Sub->getIdx(), W.Element))
        W = {HostWrite::Unknown, B, nullptr, std::nullopt, BO_Assign};
      add(D, W);
      return;
    }
    if (const ValueDecl *D = declOf(Left))
      add(D, W);
  }

  void collect(UnaryOperator *U) {
    if (U->isIncrementDecrementOp()) {
      const Expr *X = U->getSubExpr()->IgnoreParenImpCasts();
      HostWrite W{HostWrite::Step, U, nullptr, std::nullopt, U->isIncrementOp() ? BO_Add : BO_Sub};
      if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(X)) {
        if (!element(Sub->getIdx(), W.Element))
          W.K = HostWrite::Unknown;
        X = Sub->getBase();
      }
      if (const ValueDecl *D = declOf(X))
        add(D, W);
    }
  }

  void collect(CallExpr *C) {
    const FunctionDecl *F = calleeOf(C);
    if (F && isUsers(F, SM))
      Flow.Calls[definitionKey(F)].push_back(C);
    if (StringRef Missing = missingCallee(C, SM); !Missing.empty())
      Flow.MissingCalls[Missing].push_back(C);
    bool Named = F && F->getDeclName().isIdentifier();
    StringRef Name = Named ? F->getName() : "";
    addQueue(C);
    if (StringSwitch<bool>(Name)
            .Cases("sprintf", "snprintf", "strcpy", "strncpy", true)
            .Default(false) &&
        C->getNumArgs() >= 2) {
      if (const ValueDecl *D = declOf(C->getArg(0))) {
        add(D, {HostWrite::Format, C, C, std::nullopt, BO_Assign});
        return;
      }
      // sprintf(s + strlen(s), ...) appends.
      if (const auto *B = dyn_cast<BinaryOperator>(C->getArg(0)->IgnoreParenImpCasts());
          B && B->getOpcode() == BO_Add)
        if (const ValueDecl *D = declOf(B->getLHS())) {
          add(D, {HostWrite::Append, C, C, std::nullopt, BO_Assign});
          return;
        }
    }
    if (StringSwitch<bool>(Name).Cases("strcat", "strncat", true).Default(false) &&
        C->getNumArgs() >= 2)
      if (const ValueDecl *D = declOf(C->getArg(0))) {
        add(D, {HostWrite::Append, C, C->getArg(1), std::nullopt, BO_Assign});
        return;
      }
    unsigned First = 0;
    if (auto *Op = dyn_cast<CXXOperatorCallExpr>(C)) {
      if (operatorCall(Op))
        return;
      First = F && isa<CXXMethodDecl>(F) ? 1 : 0;
    }
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
      memberCall(M, Name);
    // The type of a function pointer shows which arguments may be written through.
    const FunctionProtoType *Proto = nullptr;
    if (QualType T = C->getCallee()->getType(); !F && !T.isNull() && T->isFunctionPointerType())
      Proto = T->getPointeeType()->getAs<FunctionProtoType>();
    auto Formal = [&](unsigned I) {
      return F && I < F->getNumParams()           ? F->getParamDecl(I)->getType()
             : Proto && I < Proto->getNumParams() ? Proto->getParamType(I)
                                                  : QualType();
    };
    for (unsigned I = First; I < C->getNumArgs(); ++I)
      addArgument(C->getArg(I), Formal(I - First), C);
  }

  void collect(CXXConstructExpr *C) {
    const CXXConstructorDecl *F = C->getConstructor();
    for (unsigned I = 0; I < C->getNumArgs() && I < F->getNumParams(); ++I)
      if (QualType T = F->getParamDecl(I)->getType();
          T->isLValueReferenceType() || T->isPointerType())
        addArgument(C->getArg(I), T, C);
    if (!C->isElidable() && F->isUserProvided() && !F->isCopyOrMoveConstructor() && isUsers(F, SM))
      Flow.Constructions[definitionKey(F)].push_back(C);
  }

  /// The position of a write in the order of the source.
  unsigned orderOf(const HostWrite &W) const {
    const Stmt *S = W.Value ? W.Value : W.At;
    if (!S)
      return 0;
    // `s << a << b`: both appends begin at s, their values do not.
    return SM.getFileOffset(SM.getExpansionLoc(S->getBeginLoc())) + 1;
  }

  void add(const ValueDecl *D, HostWrite W) {
    // `T x(a, b)` in a template has no type.
    if (const auto *List = dyn_cast_or_null<ParenListExpr>(W.Value))
      W.Value = List->getNumExprs() == 1 ? List->getExpr(0) : nullptr;
    Flow.Written[cast<ValueDecl>(D->getCanonicalDecl())].push_back(W);
  }

  void link(const Stmt *S) {
    for (const Stmt *Child : S->children())
      if (Child) {
        Flow.Parents[Child] = S;
        link(Child);
      }
    // The semantic form of an initialiser list is not among the children of its nodes.
    if (const auto *L = dyn_cast<InitListExpr>(S))
      if (const InitListExpr *Semantic = L->getSemanticForm())
        for (const Expr *E : Semantic->inits())
          if (E && Flow.Parents.try_emplace(E, S).second)
            link(E);
  }

  bool element(const Expr *Index, std::optional<uint64_t> &To) {
    Expr::EvalResult R;
    if (Index->isValueDependent() || !Index->EvaluateAsInt(R, Ctx))
      return false;
    To = R.Val.getInt().getZExtValue();
    return true;
  }

  /// The address of E outlives the expression.
  void addEscape(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      E = Sub->getBase();
    if (const ValueDecl *D = declOf(E))
      Flow.Escaped.insert(D);
  }

  /// Adds a write if A is the argument for a parameter that may be written through.
  void addArgument(const Expr *A, QualType Formal, const Stmt *At) {
    A = A->IgnoreParenCasts();
    if (!Formal.isNull() &&
        !((Formal->isPointerType() || Formal->isReferenceType()) &&
          !Formal->getPointeeType().isConstQualified() && !Formal->isRValueReferenceType()))
      return;
    const Expr *X = nullptr;
    std::optional<uint64_t> Element;
    if (const auto *U = dyn_cast<UnaryOperator>(A); U && U->getOpcode() == UO_AddrOf)
      X = U->getSubExpr()->IgnoreParenImpCasts();
    else if (A->getType()->isArrayType() || (!Formal.isNull() && Formal->isReferenceType()))
      X = A;
    if (!X)
      return;
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(X)) {
      if (!element(Sub->getIdx(), Element))
        Element = std::nullopt;
      X = Sub->getBase();
    }
    if (const ValueDecl *D = declOf(X))
      add(D, {HostWrite::Unknown, At, nullptr, Element, BO_Assign});
  }

  /// The object of an enqueuing call is a queue.
  void addQueue(const Stmt *Call) {
    if (StringRef Name = calledName(Call);
        Name.starts_with("enqueue") && Name.size() > 7 && isUpper(Name[7]))
      if (const ValueDecl *D = calledObject(Call))
        Flow.Queues.insert(D);
  }

  /// a = b, a += b, a << b of classes. False: another operator.
  bool operatorCall(const CXXOperatorCallExpr *C) {
    if (C->getNumArgs() != 2)
      return false;
    OverloadedOperatorKind Op = C->getOperator();
    const Expr *Left = C->getArg(0);
    if (Op == OO_LessLess) {
      while (const auto *Inner = dyn_cast<CXXOperatorCallExpr>(plain(Left))) {
        if (Inner->getOperator() != OO_LessLess || Inner->getNumArgs() != 2)
          break;
        Left = Inner->getArg(0);
      }
    }
    if (Op != OO_Equal && Op != OO_PlusEqual && Op != OO_LessLess)
      return false;
    HostWrite W{Op == OO_Equal ? HostWrite::Assign : HostWrite::Append, C, C->getArg(1),
                std::nullopt, BO_Assign};
    const Expr *To = plain(Left);
    if (const auto *Sub = dyn_cast<CXXOperatorCallExpr>(To);
        Sub && Sub->getOperator() == OO_Subscript && Sub->getNumArgs() == 2) {
      if (!element(Sub->getArg(1), W.Element))
        W = {HostWrite::Unknown, C, nullptr, std::nullopt, BO_Assign};
      To = Sub->getArg(0);
    } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(To)) {
      if (!element(Sub->getIdx(), W.Element))
        W = {HostWrite::Unknown, C, nullptr, std::nullopt, BO_Assign};
      To = Sub->getBase();
    }
    if (const ValueDecl *D = declOf(To)) {
      add(D, W);
      return true;
    }
    return false;
  }

  void memberCall(const CXXMemberCallExpr *C, StringRef Name) {
    const CXXMethodDecl *Method = C->getMethodDecl();
    const Expr *Object = C->getImplicitObjectArgument();
    const ValueDecl *D = Object && Method && !Method->isConst() ? declOf(Object) : nullptr;
    if (!D)
      return;
    if (Name == "append" && C->getNumArgs() == 1)
      add(D, {HostWrite::Append, C, C->getArg(0), std::nullopt, BO_Assign});
    else if (Name == "assign" && C->getNumArgs() == 1)
      add(D, {HostWrite::Assign, C, C->getArg(0), std::nullopt, BO_Assign});
    else if (StringSwitch<bool>(Name)
                 .Cases("push_back", "emplace_back", "resize", "clear", "insert", "erase",
                        "pop_back", true)
                 .Cases("swap", "str", "fill", true)
                 .Default(false))
      add(D, {HostWrite::Unknown, C, nullptr, std::nullopt, BO_Assign});
  }
};

void HostFlow::collect(Decl *D) {
  FlowCollector C(*this);
  C.traverse(D);
  C.finish();
}

} // namespace clmali::model
