//===-- checks/model/host/loops/Loops.cpp - Loops of a host program ---------------===//

#include "checks/model/host/loops/Loops.h"
#include "checks/model/host/Api.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

bool isEnqueueArgs(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && R->getQualifiedNameAsString() == "cl::EnqueueArgs";
}

bool isFunctor(const CXXRecordDecl *R) {
  std::string Name = R->getQualifiedNameAsString();
  return Name == "cl::KernelFunctor" || Name == "cl::make_kernel" ||
         Name == "cl::compatibility::make_kernel";
}

bool isKernelType(QualType T) {
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto *P = T->getAs<clang::PointerType>())
    if (const auto *R = P->getPointeeType()->getAsRecordDecl())
      return R->getName() == "_cl_kernel";
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && R->getQualifiedNameAsString() == "cl::Kernel";
}

/// cl_command_queue, cl::CommandQueue, cl::NDRange: a function with one of them and a kernel may
/// launch it.
static bool isForLaunches(QualType T) {
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto *P = T->getAs<clang::PointerType>())
    T = P->getPointeeType();
  const RecordDecl *R = T->getAsRecordDecl();
  std::string Name = R ? R->getQualifiedNameAsString() : "";
  return Name == "_cl_command_queue" || Name == "cl::CommandQueue" || Name == "cl::NDRange";
}

bool isFunctorCall(const CXXOperatorCallExpr *C) {
  if (C->getOperator() != OO_Call || C->getNumArgs() < 2)
    return false;
  const CXXRecordDecl *Of = C->getArg(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return isEnqueueArgs(C->getArg(1)->getType()) && Of &&
         StringRef(Of->getQualifiedNameAsString()).starts_with("cl::");
}

bool isBoundFunctor(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && R->getQualifiedNameAsString() == "cl::KernelFunctor";
}

bool isBoundFunctorCall(const CXXOperatorCallExpr *C) {
  return C->getOperator() == OO_Call && C->getNumArgs() >= 1 &&
         isBoundFunctor(C->getArg(0)->getType()) &&
         (C->getNumArgs() == 1 || !isEnqueueArgs(C->getArg(1)->getType()));
}

bool HostLoops::ofFunction(DenseMap<const FunctionDecl *, bool> &Memo, const CallExpr *C,
                           function_ref<bool(const Stmt *)> Ask) {
  return any_of(Flow.bodiesOf(C), [&](const FunctionDecl *Definition) {
    auto [At, New] = Memo.try_emplace(Definition, false); // a recursive call adds nothing
    if (!New)
      return At->second;
    bool Answer = Ask(Definition->getBody());
    return Memo[Definition] = Answer;
  });
}

bool HostLoops::enqueuesWork(const Stmt *S, unsigned Depth) {
  if (!S)
    return false;
  if (StringRef Name = calledName(S);
      Name.starts_with("clEnqueue") || Name.starts_with("enqueue") || (glEffect(Name) & GlDraws))
    return true;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(C);
        Op && (isFunctorCall(Op) || isBoundFunctorCall(Op)))
      return true;
    if (Depth < 6 &&
        ofFunction(Working, C, [&](const Stmt *Body) { return enqueuesWork(Body, Depth + 1); }))
      return true;
  }
  return any_of(S->children(), [&](const Stmt *C) { return enqueuesWork(C, Depth); });
}

bool HostLoops::launches(const Stmt *S, unsigned Depth) {
  if (!S)
    return false;
  StringRef Name = calledName(S);
  if (StringSwitch<bool>(Name)
          .Cases("clEnqueueNDRangeKernel", "enqueueNDRangeKernel", "clEnqueueTask", "enqueueTask",
                 true)
          .Default(false))
    return true;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = calleeOf(C);
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(C);
        Op && (isFunctorCall(Op) || isBoundFunctorCall(Op)))
      return true;
    if (!Flow.bodiesOf(C).empty()) {
      if (Depth < 6 &&
          ofFunction(Launching, C, [&](const Stmt *Body) { return launches(Body, Depth + 1); }))
        return true;
    } else if (!Name.empty() && !(Name.starts_with("cl") && Name.size() > 2 && isUpper(Name[2]))) {
      // A function of another file: run(kernel, queue, ..).
      auto Is = [&](bool (*Type)(QualType)) {
        return any_of(C->arguments(), [&](const Expr *A) {
          return !A->getType().isNull() && Type(plain(A)->getType());
        });
      };
      const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
      bool OfApi =
          Method && StringRef(Method->getParent()->getQualifiedNameAsString()).starts_with("cl::");
      if (!OfApi && Is(isKernelType) && Is(isForLaunches))
        return true;
    }
  }
  return any_of(S->children(), [&](const Stmt *C) { return launches(C, Depth); });
}

const Stmt *HostLoops::launchBehind(const Expr *E) {
  const Stmt *Below = E;
  for (const Stmt *P = Flow.parent(E); P && !isa<SwitchStmt>(P); Below = P, P = Flow.parent(P)) {
    const auto *Block = dyn_cast<CompoundStmt>(P);
    if (!Block)
      continue;
    for (auto At = std::next(find(Block->body(), Below)); At != Block->body_end(); ++At) {
      if (launches(*At))
        return *At;
      if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(*At))
        return nullptr;
    }
  }
  return nullptr;
}

static bool mentions(const Stmt *S, const ValueDecl *D) {
  if (!S)
    return false;
  if (const auto *R = dyn_cast<DeclRefExpr>(S); R && declOf(R) == D)
    return true;
  return any_of(S->children(), [&](const Stmt *C) { return mentions(C, D); });
}

const Expr *HostLoops::launchAfter(const Expr *Made, const SourceManager &SM) {
  const FunctionDecl *F = Flow.functionOf(Made);
  // A kernel in a local variable is launched by a call that has the variable as argument.
  const ValueDecl *Kernel = nullptr;
  for (const Stmt *P = Flow.parent(Made); P && !isa<CompoundStmt>(P); P = Flow.parent(P)) {
    const Expr *To = nullptr;
    if (const auto *B = dyn_cast<BinaryOperator>(P); B && B->isAssignmentOp())
      To = B->getLHS();
    else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(P);
             Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2)
      To = Op->getArg(0);
    else if (const auto *Grow = dyn_cast<CXXMemberCallExpr>(P))
      To = Grow->getImplicitObjectArgument();
    for (const auto *Sub = dyn_cast_or_null<ArraySubscriptExpr>(To); Sub;
         Sub = dyn_cast<ArraySubscriptExpr>(To->IgnoreParenImpCasts()))
      To = Sub->getBase();
    Kernel = To ? declOf(To) : Kernel;
    if (const auto *D = dyn_cast<DeclStmt>(P))
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One);
            V && V->getInit() && Flow.isInside(Made, V->getInit()))
          Kernel = cast<ValueDecl>(V->getCanonicalDecl());
  }
  const auto *V = dyn_cast_or_null<VarDecl>(Kernel);
  bool Local = V && V->isLocalVarDecl() && !V->getType()->isReferenceType();
  unsigned Here = SM.getFileOffset(SM.getExpansionLoc(Made->getEndLoc()));
  const Expr *Found = nullptr;
  auto Visit = [&](const Stmt *S, auto &&Self) -> void {
    if (!S || Found)
      return;
    const auto *C = dyn_cast<CallExpr>(S);
    const FunctionDecl *Callee = C ? calleeOf(C) : nullptr;
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    bool Lambda = Method && Method->getParent()->isLambda();
    if (C && SM.getFileOffset(SM.getExpansionLoc(C->getBeginLoc())) > Here &&
        (!Local || Lambda || mentions(C, V)) &&
        (!Callee || Callee->getCanonicalDecl() != F->getCanonicalDecl()) && launches(C)) {
      Found = C;
      return;
    }
    for (const Stmt *Child : S->children())
      Self(Child, Self);
  };
  if (F)
    Visit(F->getBody(), Visit);
  return Found;
}

bool HostLoops::makesContext(const Stmt *S, bool Queues, unsigned Depth) {
  if (!S)
    return false;
  if (StringRef Name = calledName(S); Name.starts_with("clCreateContext") ||
                                      Name == "eglCreateContext" ||
                                      (Queues && Name.starts_with("clCreateCommandQueue")))
    return true;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    if (Depth < 3 && ofFunction(
                         Queues ? Starting : StartingContexts, C,
                         [&](const Stmt *Body) { return makesContext(Body, Queues, Depth + 1); }))
      return true;
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    std::string Name = C->getConstructor()->getParent()->getQualifiedNameAsString();
    if ((Name == "cl::Context" || (Queues && Name == "cl::CommandQueue")) && C->getNumArgs() &&
        !C->getConstructor()->isCopyOrMoveConstructor())
      return true;
  }
  return any_of(S->children(), [&](const Stmt *C) { return makesContext(C, Queues, Depth); });
}

bool HostLoops::makesContextOrQueue(const FunctionDecl *F) {
  if (!F || !F->hasBody())
    return false;
  if (auto At = MakesContextMemo.find(F); At != MakesContextMemo.end())
    return At->second;
  bool Answer = makesContext(F->getBody(), true);
  return MakesContextMemo[F] = Answer;
}

bool HostLoops::onlyMakesQueue(const FunctionDecl *F) {
  return makesContextOrQueue(F) && launches(F->getBody()) && !makesContext(F->getBody(), false);
}

bool HostLoops::worksForCallers(const FunctionDecl *F, unsigned Depth) {
  if (!F || !F->hasBody() || F->isMain() || isa<CXXConstructorDecl, CXXDestructorDecl>(F) ||
      Depth > 3 || makesContextOrQueue(F))
    return false;
  if (Depth == 0)
    if (auto At = ForCallers.find(F); At != ForCallers.end())
      return At->second;
  std::string Name = StringRef(F->getNameAsString()).lower();
  bool Works = !StringRef(Name).contains("main") && !StringRef(Name).contains("test") &&
               !StringRef(Name).contains("bench") && (Depth || launches(F->getBody())) &&
               all_of(Flow.callsOf(F), [&](const CallExpr *C) {
                 const FunctionDecl *Caller = Flow.functionOf(C);
                 return Caller == F || worksForCallers(Caller, Depth + 1);
               });
  if (Depth == 0)
    ForCallers[F] = Works;
  return Works;
}

/// S names a variable that outlives the function: a member, or a global or static variable.
static bool outlives(const Stmt *S) {
  if (!S)
    return false;
  if (isa<MemberExpr>(S) && isa<CXXThisExpr>(cast<MemberExpr>(S)->getBase()->IgnoreParenImpCasts()))
    return true;
  if (const auto *R = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(R->getDecl());
        V && V->hasGlobalStorage() && !V->getType().isConstQualified())
      return true;
  // Or a member of an object that a parameter points to: `if (!self->kernel)`.
  if (const auto *M = dyn_cast<MemberExpr>(S); M && M->isArrow())
    if (isa_and_nonnull<ParmVarDecl>(declOf(M->getBase())))
      return true;
  return any_of(S->children(), outlives);
}

static bool returns(const Stmt *S) {
  return S && (isa<ReturnStmt, CXXThrowExpr>(S) || any_of(S->children(), returns));
}

bool HostLoops::oncePerProcess(const Stmt *Call) const {
  for (const Stmt *P = Call; P; P = Flow.parent(P)) {
    if (const auto *D = dyn_cast<DeclStmt>(P))
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One);
            V && V->isStaticLocal() && V->getInit() && Flow.isInside(Call, V->getInit()))
          return true;
    if (const auto *C = dyn_cast<CallExpr>(P);
        C && P != Call && calledName(C).ends_with("call_once"))
      return true;
  }
  return false;
}

bool HostLoops::onlyOnce(const Stmt *Call) const {
  if (oncePerProcess(Call))
    return true;
  const Stmt *Below = Call;
  for (const Stmt *P = Flow.parent(Call); P; Below = P, P = Flow.parent(P)) {
    if (const auto *If = dyn_cast<IfStmt>(P);
        If && Below != If->getCond() && outlives(If->getCond()))
      return true;
    if (const auto *C = dyn_cast<CompoundStmt>(P))
      for (const Stmt *S : C->body()) {
        if (S == Below)
          break;
        if (const auto *If = dyn_cast<IfStmt>(S);
            If && outlives(If->getCond()) && returns(If->getThen()))
          return true;
      }
  }
  return false;
}

/// A variable in Cond that outlives the function is written inside Region.
static bool writesCondition(const HostFlow &Flow, const Stmt *Cond, const Stmt *Region) {
  if (!Cond)
    return false;
  if (const auto *E = dyn_cast<Expr>(Cond); E && isa<DeclRefExpr, MemberExpr>(E) && outlives(E))
    if (any_of(Flow.writes(declOf(E)),
               [&](const HostWrite &W) { return W.At && Flow.isInside(W.At, Region); }))
      return true;
  return any_of(Cond->children(), [&](const Stmt *C) { return writesCondition(Flow, C, Region); });
}

/// !x, x == NULL, x == 0 of a variable that outlives the function.
static bool isMissingTest(const Stmt *Cond) {
  const auto *E = dyn_cast<Expr>(Cond);
  E = E ? plain(E) : nullptr;
  if (const auto *U = dyn_cast_or_null<UnaryOperator>(E))
    return U->getOpcode() == UO_LNot && outlives(U);
  const auto *B = dyn_cast_or_null<BinaryOperator>(E);
  return B && B->getOpcode() == BO_EQ && outlives(B) && !B->getRHS()->isValueDependent() &&
         (isa<IntegerLiteral, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, GNUNullExpr>(
              B->getRHS()->IgnoreParenCasts()) ||
          isa<CXXMemberCallExpr>(plain(B->getRHS())));
}

bool HostLoops::whereMissing(const Stmt *Call) const {
  const Stmt *Below = Call;
  for (const Stmt *P = Flow.parent(Call); P; Below = P, P = Flow.parent(P)) {
    if (const auto *If = dyn_cast<IfStmt>(P);
        If && Below == If->getThen() &&
        (isMissingTest(If->getCond()) || writesCondition(Flow, If->getCond(), If->getThen())))
      return true;
    if (const auto *C = dyn_cast<CompoundStmt>(P))
      for (const Stmt *S : C->body()) {
        if (S == Below)
          break;
        // A write before the condition does not make the next call skip.
        if (const auto *If = dyn_cast<IfStmt>(S);
            If && outlives(If->getCond()) && returns(If->getThen()) &&
            any_of(make_range(std::next(find(C->body(), S)), C->body_end()),
                   [&](const Stmt *X) { return writesCondition(Flow, If->getCond(), X); }))
          return true;
      }
  }
  return false;
}

/// The variables that a loop declares or changes in its head.
static std::set<const ValueDecl *> loopVariables(const Stmt *Loop) {
  std::set<const ValueDecl *> Result;
  auto Collect = [&](const Stmt *S, auto &&Self) -> void {
    if (!S)
      return;
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One))
          Result.insert(cast<ValueDecl>(V->getCanonicalDecl()));
    if (const auto *U = dyn_cast<UnaryOperator>(S); U && U->isIncrementDecrementOp())
      if (const ValueDecl *D = declOf(U->getSubExpr()))
        Result.insert(D);
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
      if (const ValueDecl *D = declOf(B->getLHS()))
        Result.insert(D);
    for (const Stmt *C : S->children())
      Self(C, Self);
  };
  if (const auto *F = dyn_cast<ForStmt>(Loop)) {
    Collect(F->getInit(), Collect);
    Collect(F->getInc(), Collect);
  } else if (const auto *R = dyn_cast<CXXForRangeStmt>(Loop)) {
    if (R->getLoopVariable())
      Result.insert(cast<ValueDecl>(R->getLoopVariable()->getCanonicalDecl()));
  }
  return Result;
}

namespace {
/// Whether expressions name an element that the variables of a loop select.
struct ElementSelector {
  const Stmt *Loop;
  std::set<const ValueDecl *> Variables = loopVariables(Loop);

  bool mentions(const Stmt *S) const {
    if (!S)
      return false;
    if (const auto *E = dyn_cast<DeclRefExpr>(S); E && Variables.count(declOf(E)))
      return true;
    return any_of(S->children(), [&](const Stmt *C) { return mentions(C); });
  }
  /// An element by index, or the variable of a range.
  bool selects(const Stmt *S) const {
    if (!S)
      return false;
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(S); Sub && mentions(Sub->getIdx()))
      return true;
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
        Op && Op->getOperator() == OO_Subscript && Op->getNumArgs() == 2 && mentions(Op->getArg(1)))
      return true;
    if (const auto *At = dyn_cast<CXXMemberCallExpr>(S);
        At && At->getNumArgs() == 1 && At->getMethodDecl() &&
        At->getMethodDecl()->getDeclName().isIdentifier() &&
        At->getMethodDecl()->getName() == "at" && mentions(At->getArg(0)))
      return true;
    if (const auto *E = dyn_cast<DeclRefExpr>(S);
        E && isa<CXXForRangeStmt>(Loop) && Variables.count(declOf(E)))
      return true;
    return any_of(S->children(), [&](const Stmt *C) { return selects(C); });
  }
};
} // namespace

static bool deletes(const Stmt *S) {
  return S && (isa<CXXDeleteExpr>(S) || any_of(S->children(), deletes));
}

bool HostLoops::oncePerItem(const Stmt *Call, const Stmt *Loop) {
  ElementSelector Item{Loop};
  if (Item.selects(Call))
    return true;
  // An object on the heap that outlives the iteration: `layers = new Layer(layers)`.
  if (const auto *New = dyn_cast_or_null<CXXNewExpr>(Flow.parent(Call));
      New && New->getConstructExpr() == Call && !deletes(Loop))
    return true;
  for (const Stmt *P = Flow.parent(Call); P && P != Loop && !isa<CompoundStmt>(P);
       P = Flow.parent(P)) {
    if (const auto *B = dyn_cast<BinaryOperator>(P);
        B && B->isAssignmentOp() && Item.selects(B->getLHS()))
      return true;
    // An assignment to an element of an unknown type.
    if (const auto *R = dyn_cast<RecoveryExpr>(P); R && R->subExpressions().size() == 2 &&
                                                   !Flow.isInside(Call, R->subExpressions()[0]) &&
                                                   Item.selects(R->subExpressions()[0]))
      return true;
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(P);
        Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2 && Item.selects(Op->getArg(0)))
      return true;
    if (const auto *Grow = dyn_cast<CXXMemberCallExpr>(P);
        Grow && Grow->getMethodDecl() && Grow->getMethodDecl()->getDeclName().isIdentifier()) {
      StringRef Name = Grow->getMethodDecl()->getName();
      if (Name == "push_back" || Name == "emplace_back" || Name == "emplace" || Name == "insert")
        return true;
    }
  }
  return false;
}

/// S contains a statement of class Kind for the loop around S, and not for a loop inside S.
template <typename Kind> static bool holds(const HostFlow &Flow, const Stmt *S) {
  return S && (isa<Kind>(S) || (!Flow.isLoop(S) && any_of(S->children(), [&](const Stmt *C) {
                 return holds<Kind>(Flow, C);
               })));
}

SmallVector<const Stmt *, 4> HostLoops::around(const Stmt *S) const {
  SmallVector<const Stmt *, 4> Result;
  for (const Stmt *Loop = Flow.loopAround(S); Loop; S = Loop, Loop = Flow.loopAround(Loop)) {
    bool Once = false, Returns = false;
    const Stmt *Below = S;
    for (const Stmt *P = Flow.parent(S); P && Below != Loop && !Once;
         Below = P, P = Flow.parent(P)) {
      const auto *C = dyn_cast<CompoundStmt>(P);
      if (!C || C->body_empty())
        continue;
      const Stmt *Last = C->body_back();
      const auto *E = dyn_cast<Expr>(Last);
      bool Leaves = isa<ReturnStmt>(Last) || (E && isa<CXXThrowExpr>(E->IgnoreImplicit()));
      auto InSwitch = [&] {
        for (const Stmt *Q = P; Q != Loop; Q = Flow.parent(Q))
          if (isa<SwitchStmt>(Q))
            return true;
        return false;
      };
      if (Below == Last || !(Leaves || (isa<BreakStmt>(Last) && !InSwitch())))
        continue;
      // A `continue` in between may begin the next iteration instead.
      bool Behind = false, Again = false;
      for (const Stmt *X : C->body()) {
        Behind |= X == Below;
        Again |= Behind && holds<ContinueStmt>(Flow, X);
      }
      Once = !Again;
      Returns = Once && Leaves;
    }
    if (Returns)
      break;
    if (!Once)
      Result.push_back(Loop);
  }
  return Result;
}

} // namespace clmali::model
