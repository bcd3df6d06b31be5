//===-- checks/model/host/loops/RenderPasses.cpp - Work with OpenGL ---------------===//

#include "checks/model/host/loops/RenderPasses.h"
#include "checks/model/host/Api.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

constexpr unsigned MaxDepth = 6; // of calls

/// The arguments of a call, also of one that did not parse.
static SmallVector<const Expr *, 8> argumentsOf(const Stmt *Call) {
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call))
    return SmallVector<const Expr *, 8>(llvm::drop_begin(Op->arguments()));
  if (const auto *C = dyn_cast<CallExpr>(Call))
    return SmallVector<const Expr *, 8>(C->arg_begin(), C->arg_end());
  if (const auto *R = dyn_cast<RecoveryExpr>(Call); R && !R->subExpressions().empty())
    return SmallVector<const Expr *, 8>(llvm::drop_begin(R->subExpressions()));
  return {};
}

static std::optional<int64_t> constant(const Expr *E, const ASTContext &Ctx) {
  Expr::EvalResult R;
  if (E->isValueDependent() || E->containsErrors() || E->getType().isNull() ||
      !E->getType()->isIntegralOrEnumerationType() || !E->EvaluateAsInt(R, Ctx))
    return std::nullopt;
  return R.Val.getInt().getExtValue();
}

uint8_t HostPasses::ofCall(const Stmt *Call) const {
  StringRef Name = calledName(Call);
  uint8_t Effect = Name.empty() ? 0 : glEffect(Name);
  if (!Effect && glName(Name) == "eglSwapInterval")
    if (auto Args = argumentsOf(Call); Args.size() == 2 && constant(Args[1], Ctx) == 0)
      return GlUnlimited;
  if (Effect == GlReadsBack && glName(Name).starts_with("glRead"))
    if (auto Args = argumentsOf(Call);
        Args.size() > 3 && constant(Args[2], Ctx) == 1 && constant(Args[3], Ctx) == 1)
      return 0;
  return Effect;
}

uint8_t HostPasses::ofFunction(const FunctionDecl *F, unsigned Depth) {
  if (Depth > MaxDepth)
    return 0;
  auto [At, New] = Functions.try_emplace(F, 0); // a recursive call adds nothing
  if (!New)
    return At->second;
  uint8_t Effects = always(F->getBody(), Depth + 1);
  return Functions[F] = Effects;
}

uint8_t HostPasses::always(const Stmt *S, unsigned Depth) {
  if (!S || !isa<CompoundStmt>(S))
    return S ? compute(S, Depth) : 0;
  if (auto At = Blocks.find(S); At != Blocks.end())
    return At->second;
  uint8_t Effects = compute(S, Depth);
  return Blocks[S] = Effects;
}

uint8_t HostPasses::compute(const Stmt *S, unsigned Depth) {
  auto Both = [&](const Stmt *A, const Stmt *B) -> uint8_t {
    return A && B ? always(A, Depth) & always(B, Depth) : 0;
  };
  if (const auto *If = dyn_cast<IfStmt>(S))
    return always(If->getInit(), Depth) | always(If->getCond(), Depth) |
           Both(If->getThen(), If->getElse());
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return always(Switch->getCond(), Depth);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(S))
    return always(C->getCond(), Depth) | Both(C->getTrueExpr(), C->getFalseExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isLogicalOp())
    return always(B->getLHS(), Depth);
  // What is done when a lambda is called is found at the call.
  if (const auto *L = dyn_cast<LambdaExpr>(S))
    return L->getBody() && Flow.loopAround(L->getBody()) ? always(L->getBody(), Depth) : 0;
  uint8_t Effects = ofCall(S);
  // Of several overriding methods, one of which is called: what all of them do.
  if (const auto *C = dyn_cast<CallExpr>(S))
    if (auto Bodies = Flow.bodiesOf(C); !Bodies.empty()) {
      uint8_t All = 0xFF;
      for (const FunctionDecl *F : Bodies)
        All &= ofFunction(F, Depth);
      Effects |= All;
    }
  if (const auto *C = dyn_cast<CXXConstructExpr>(S))
    for (const FunctionDecl *F : Flow.bodiesOf(C->getConstructor()))
      Effects |= ofFunction(F, Depth);
  for (const Stmt *Child : S->children())
    Effects |= always(Child, Depth);
  return Flow.isLoop(S) && (Effects & GlDraws) ? Effects | GlRepeats : Effects;
}

uint8_t HostPasses::around(const Stmt *S) {
  uint8_t Effects = 0;
  for (const Stmt *P = Flow.parent(S); P; P = Flow.parent(P))
    if (isa<CompoundStmt>(P))
      Effects |= always(P);
  return Effects | ofLoops(S);
}

/// S names a variable that a for loop steps.
static bool namesCounter(const Stmt *S, const Stmt *Loop) {
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *Step = For ? dyn_cast_or_null<UnaryOperator>(For->getInc()) : nullptr;
  const ValueDecl *Counter = Step ? declOf(Step->getSubExpr()) : nullptr;
  auto Names = [&](const Stmt *X, auto &&Self) -> bool {
    if (!X)
      return false;
    if (const auto *R = dyn_cast<DeclRefExpr>(X); R && declOf(R) == Counter)
      return true;
    return any_of(X->children(), [&](const Stmt *C) { return Self(C, Self); });
  };
  return For && (!Counter || Names(S, Names));
}

uint8_t HostPasses::ofBlocks(const Stmt *S, const Stmt *Loop) {
  constexpr uint8_t Both = GlDraws | GlReadsBack;
  uint8_t Effects = 0;
  for (const Stmt *P = Flow.parent(S); P && P != Loop; P = Flow.parent(P)) {
    if (const auto *If = dyn_cast<IfStmt>(P); If && namesCounter(If->getCond(), Loop))
      return 0;
    if (isa<CompoundStmt>(P) && (always(P) & Both) == Both)
      Effects |= always(P);
  }
  return Effects;
}

uint8_t HostPasses::ofLoops(const Stmt *S) {
  uint8_t Effects = 0;
  for (const Stmt *Loop : Loops.around(S))
    Effects |= always(Loop);
  if (Effects & (GlShows | GlInteracts))
    return Effects;
  for (const Stmt *Loop : Loops.around(S))
    Effects |= ofBlocks(S, Loop);
  return Effects;
}

bool HostPasses::isUnconditional(const Stmt *S) const {
  for (const Stmt *P = Flow.parent(S); P; S = P, P = Flow.parent(P)) {
    if (Flow.isLoop(P))
      return true;
    const auto *If = dyn_cast<IfStmt>(P);
    const auto *Pick = dyn_cast<AbstractConditionalOperator>(P);
    const auto *Logic = dyn_cast<BinaryOperator>(P);
    if ((If && S != If->getCond()) || (Pick && S != Pick->getCond()) || isa<SwitchStmt>(P) ||
        (Logic && Logic->isLogicalOp() && S != Logic->getLHS()))
      return false;
  }
  return true;
}

uint8_t HostPasses::first(const Stmt *S, unsigned Depth) {
  constexpr uint8_t Kinds = GlClears | GlDraws | GlTargets;
  if (!S || isa<LambdaExpr>(S) || Depth > MaxDepth)
    return 0;
  for (const Stmt *Child : S->children())
    if (uint8_t Found = first(Child, Depth))
      return Found;
  if (uint8_t Found = ofCall(S) & Kinds)
    return Found;
  if (const auto *C = dyn_cast<CallExpr>(S))
    for (const FunctionDecl *F : Flow.bodiesOf(C)) {
      auto [At, New] = Firsts.try_emplace(F, 0);
      uint8_t Found = At->second;
      if (New) {
        Found = first(F->getBody(), Depth + 1);
        Firsts[F] = Found;
      }
      if (Found)
        return Found;
    }
  return 0;
}

uint8_t HostPasses::next(const Stmt *S, unsigned Depth) {
  const FunctionDecl *F = Flow.functionOf(S);
  for (const Stmt *P = Flow.parent(S); P; S = P, P = Flow.parent(P)) {
    // The rest of an expression, or of a block; not the other branch of a condition.
    if (!isa<IfStmt>(P)) {
      bool Behind = false;
      for (const Stmt *Child : P->children()) {
        if (Behind)
          if (uint8_t Found = first(Child, Depth))
            return Found;
        Behind |= Child == S;
      }
    }
    // The next iteration selects another framebuffer, or the same again.
    if (Flow.isLoop(P))
      return 0;
  }
  ArrayRef<const CallExpr *> Calls = F ? Flow.callsOf(F) : ArrayRef<const CallExpr *>();
  if (Calls.empty() || Depth > MaxDepth)
    return 0;
  uint8_t All = next(Calls.front(), Depth + 1);
  return all_of(Calls, [&](const CallExpr *C) { return next(C, Depth + 1) == All; }) ? All : 0;
}

/// S names a variable that is declared or written inside Loop.
static bool writtenIn(const Stmt *S, const Stmt *Loop, const HostFlow &Flow) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && isa<DeclRefExpr, MemberExpr>(E))
    if (any_of(Flow.writes(declOf(E)),
               [&](const HostWrite &W) { return W.At && Flow.isInside(W.At, Loop); }))
      return true;
  return any_of(S->children(), [&](const Stmt *C) { return writtenIn(C, Loop, Flow); });
}

bool HostPasses::worksForCallers(const FunctionDecl *F, unsigned Depth) {
  constexpr unsigned MaxDepth = 4;
  if (!F || !F->hasBody() || F->isMain() || isa<CXXConstructorDecl, CXXDestructorDecl>(F) ||
      Depth > MaxDepth)
    return false;
  ArrayRef<const CallExpr *> Calls = Flow.callsOf(F);
  if (!Calls.empty())
    return all_of(Calls, [&](const CallExpr *C) {
      const FunctionDecl *Caller = Flow.functionOf(C);
      return Caller != F && worksForCallers(Caller, Depth + 1);
    });
  constexpr uint8_t Computes = GlDraws | GlReadsBack;
  uint8_t Does = ofFunction(F);
  // With a loop of its own it is all of a computation.
  return (Does & Computes) == Computes && !(Does & (GlShows | GlInteracts | GlRepeats));
}

bool HostPasses::variesInLoop(const Expr *E, const Stmt *S) const {
  return any_of(Loops.around(S), [&](const Stmt *Loop) { return writtenIn(E, Loop, Flow); });
}

bool HostPasses::isHostMemory(const Expr *Pointer, unsigned Depth) const {
  const Expr *E = plain(Pointer);
  while (const auto *Cast = dyn_cast_or_null<CastExpr>(E))
    E = plain(Cast->getSubExpr());
  if (!E || Depth > MaxDepth)
    return false;
  if (isa<InitListExpr, CompoundLiteralExpr, clang::StringLiteral>(E))
    return true;
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf) {
    const Expr *Of = U->getSubExpr()->IgnoreParens();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Of))
      return isHostMemory(Sub->getBase(), Depth + 1);
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Of)) // &vertices[0]
      return Op->getOperator() == OO_Subscript;
    if (const auto *M = dyn_cast<MemberExpr>(Of)) // &vertices[0].x, not &((Vertex *)0)->x
      return !M->isArrow() && isHostMemory(M->getBase(), Depth + 1);
    return isa_and_nonnull<VarDecl>(declOf(Of));
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    return isHostMemory(Sub->getBase(), Depth + 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp())
    return B->getType()->isPointerType() && isHostMemory(B->getLHS(), Depth + 1);
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    StringRef Name = calledName(C);
    return Name == "malloc" || Name == "calloc" ||
           (Name == "data" && isa<CXXMemberCallExpr>(C) && C->getNumArgs() == 0);
  }
  if (isa<CXXNewExpr>(E))
    return true;
  const ValueDecl *D = declOf(E);
  if (!D)
    return false;
  // An array of an object; `((Vertex *)0)->position` is an offset.
  if (D->getType()->isArrayType()) {
    const auto *M = dyn_cast<MemberExpr>(E);
    return !M || !M->isArrow() ||
           !isa<IntegerLiteral, GNUNullExpr, CXXNullPtrLiteralExpr>(
               M->getBase()->IgnoreParenCasts());
  }
  // A pointer whose only value is the address of such memory.
  const auto *V = dyn_cast<VarDecl>(D);
  ArrayRef<HostWrite> Writes = Flow.writes(D);
  return V && !isa<ParmVarDecl>(V) && V->getType()->isPointerType() && !Flow.escapes(D) &&
         any_of(Writes, [](const HostWrite &W) { return W.Value; }) &&
         all_of(Writes, [&](const HostWrite &W) {
           return W.K == HostWrite::Start && !W.Value ? true
                                                      : W.Value && isHostMemory(W.Value, Depth + 1);
         });
}

} // namespace clmali::model
