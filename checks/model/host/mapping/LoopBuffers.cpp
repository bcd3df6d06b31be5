//===-- checks/model/host/mapping/LoopBuffers.cpp - Buffers made in loops ----------===//

#include "checks/model/host/mapping/LoopBuffers.h"
#include "checks/model/host/mapping/Mapping.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {
namespace {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

// Flags of the standard.
constexpr int64_t UseHostPtr = 1 << 3, HostFlags = 7 << 7;
constexpr int64_t OutOfOrder = 1;

/// Visits S and all below it; Then returns false to leave out what is below.
void forEach(const Stmt *S, function_ref<bool(const Stmt *)> Then) {
  if (!S || !Then(S))
    return;
  for (const Stmt *Child : S->children())
    forEach(Child, Then);
}

class Finder {
public:
  Finder(const CallExpr *Call, ASTContext &Ctx, const HostFlow &Flow, const HostValues &Known)
      : Call(Call), Ctx(Ctx), Flow(Flow), Known(Known) {}

  std::optional<HostLoopBuffer> find() {
    if (!findLoop() || !findBuffer() || !findPointer() || !findRelease() || !findQueue() ||
        !argumentsStay() || !namesAreFree() || !spell())
      return std::nullopt;
    return Result;
  }

private:
  const CallExpr *Call;
  ASTContext &Ctx;
  const HostFlow &Flow;
  const HostValues &Known;
  const FunctionDecl *F = nullptr;
  const Stmt *Loop = nullptr;
  const CompoundStmt *Body = nullptr;
  SmallVector<const Stmt *, 32> Statements; ///< of Body
  size_t First = 0, Made = 0, Gone = 0;     ///< FirstUse, Creation, Release among them
  const VarDecl *Buffer = nullptr, *Pointer = nullptr, *Queue = nullptr;
  HostLoopBuffer Result;

  static const Expr *bare(const Expr *E) { return E->IgnoreParenCasts(); }
  static const VarDecl *variable(const Expr *E) {
    const auto *R = dyn_cast<DeclRefExpr>(bare(E));
    return R ? dyn_cast<VarDecl>(R->getDecl()->getCanonicalDecl()) : nullptr;
  }
  static bool isOwn(const VarDecl *D) {
    return D && D->isLocalVarDecl() && !D->isStaticLocal() && !D->getType()->isReferenceType();
  }
  bool isNull(const Expr *E) const { return Known.isNull(E, nullptr); }
  unsigned offset(SourceLocation L) const {
    return Ctx.getSourceManager().getFileOffset(Ctx.getSourceManager().getExpansionLoc(L));
  }
  bool isBeforeLoop(const Decl *D) const {
    return offset(D->getLocation()) < offset(Loop->getBeginLoc());
  }
  /// The references to D below S.
  SmallVector<const DeclRefExpr *, 16> references(const Stmt *S, const VarDecl *D) const {
    SmallVector<const DeclRefExpr *, 16> Found;
    forEach(S, [&](const Stmt *X) {
      if (const auto *R = dyn_cast<DeclRefExpr>(X); R && R->getDecl()->getCanonicalDecl() == D)
        Found.push_back(R);
      return true;
    });
    return Found;
  }
  /// The statement of the loop's body around S; its number of statements: none.
  size_t statementOf(const Stmt *S) const {
    return find_if(Statements, [&](const Stmt *X) { return Flow.isInside(S, X); }) -
           Statements.begin();
  }

  bool findLoop();
  bool findBuffer();
  bool findPointer();
  bool findRelease();
  bool findQueue();
  bool argumentsStay() const;
  bool stays(const Expr *E) const;
  bool runsInLoop(const Stmt *S) const;
  bool namesAreFree() const;
  bool spell();
  bool isAllocation(const Expr *E) const;
  bool isTestOrFree(const DeclRefExpr *R) const;
  bool isAccess(const Expr *Reference, unsigned Depth) const;
  bool keepsNoCopy(const CallExpr *C, const Stmt *Argument, unsigned Depth) const;
};

bool Finder::findLoop() {
  F = Flow.functionOf(Call);
  Loop = Flow.loopAround(Call);
  if (!F || !F->getBody() || !Loop || isa<CXXForRangeStmt>(Loop) ||
      !isa_and_nonnull<CompoundStmt>(Flow.parent(Loop)))
    return false;
  const Stmt *Of = nullptr;
  if (const auto *L = dyn_cast<ForStmt>(Loop))
    Of = L->getBody();
  else if (const auto *L = dyn_cast<WhileStmt>(Loop))
    Of = L->getBody();
  else if (const auto *L = dyn_cast<DoStmt>(Loop))
    Of = L->getBody();
  Body = dyn_cast_or_null<CompoundStmt>(Of);
  if (!Body)
    return false;
  append_range(Statements, Body->body());
  Made = statementOf(Call);
  return Made < Statements.size();
}

/// `cl_mem b = clCreateBuffer(..);` or `b = clCreateBuffer(..);`, and b is only an argument of
/// calls in this loop.
bool Finder::findBuffer() {
  if (const auto *D = dyn_cast<DeclStmt>(Statements[Made])) {
    const auto *V = D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    if (!V || !V->getInit() || bare(V->getInit()) != Call)
      return false;
    Buffer = V->getCanonicalDecl();
    Result.Declares = true;
  } else if (const auto *B = dyn_cast<clang::BinaryOperator>(Statements[Made]);
             B && B->getOpcode() == BO_Assign && bare(B->getRHS()) == Call) {
    Buffer = variable(B->getLHS());
    if (!Buffer || !isBeforeLoop(Buffer))
      return false;
  }
  if (!isOwn(Buffer) || Buffer->getType().getAsString() != "cl_mem" || Flow.escapes(Buffer))
    return false;
  for (const DeclRefExpr *R : references(F->getBody(), Buffer)) {
    size_t At = statementOf(R);
    if (At == Made && !Result.Declares)
      continue;
    if (At <= Made || At == Statements.size())
      return false;
    const Stmt *P = Flow.parent(R);
    while (isa_and_nonnull<clang::CastExpr, ParenExpr>(P) ||
           (isa_and_nonnull<clang::UnaryOperator>(P) &&
            cast<clang::UnaryOperator>(P)->getOpcode() == UO_AddrOf))
      P = Flow.parent(P);
    if (isa_and_nonnull<UnaryExprOrTypeTraitExpr>(P))
      continue;
    if (!is_contained({"clSetKernelArg", "clReleaseMemObject", "clEnqueueReadBuffer"},
                      calledName(P)))
      return false;
  }
  return true;
}

/// Memory with no contents yet.
bool Finder::isAllocation(const Expr *E) const {
  E = bare(E);
  if (const auto *New = dyn_cast<CXXNewExpr>(E))
    return New->isArray() && !New->getInitializer() && New->getAllocatedType().isPODType(Ctx);
  const auto *C = dyn_cast<CallExpr>(E);
  return C && is_contained({"malloc", "aligned_alloc", "memalign", "valloc", "_aligned_malloc"},
                           calledName(C));
}

bool Finder::isTestOrFree(const DeclRefExpr *R) const {
  const Stmt *P = Flow.parent(R);
  while (isa_and_nonnull<clang::CastExpr, ParenExpr>(P))
    P = Flow.parent(P);
  if (const auto *B = dyn_cast_or_null<clang::BinaryOperator>(P))
    return B->isEqualityOp() && (isNull(B->getLHS()) || isNull(B->getRHS()));
  if (const auto *U = dyn_cast_or_null<clang::UnaryOperator>(P))
    return U->getOpcode() == UO_LNot;
  if (isa_and_nonnull<CXXDeleteExpr, UnaryExprOrTypeTraitExpr, IfStmt>(P))
    return true;
  return is_contained({"free", "_aligned_free"}, calledName(P));
}

/// True if the function that C calls keeps no copy of Argument, a pointer to the memory.
bool Finder::keepsNoCopy(const CallExpr *C, const Stmt *Argument, unsigned Depth) const {
  StringRef Name = calledName(C);
  const FunctionDecl *Callee = calleeOf(C), *Definition = nullptr;
  if (Name.empty() || Name.starts_with("cl") || !Callee || isa<CXXOperatorCallExpr>(C) || Depth > 6)
    return false;
  if (Name == "free" || Name == "realloc")
    return false;
  if (!Callee->hasBody(Definition))
    return true; // of another file
  for (unsigned I = 0; I < C->getNumArgs() && I < Definition->getNumParams(); ++I) {
    if (C->getArg(I) != Argument)
      continue;
    const auto *P = Definition->getParamDecl(I)->getCanonicalDecl();
    return all_of(references(Definition->getBody(), P),
                  [&](const DeclRefExpr *R) { return isAccess(R, Depth + 1); });
  }
  return false;
}

/// The reference to a pointer is dereferenced, or an argument of a function that does not keep it.
bool Finder::isAccess(const Expr *Reference, unsigned Depth) const {
  const Stmt *Below = Reference;
  bool IsAddress = true; ///< Below points to the memory, or is the memory (an lvalue)
  for (const Stmt *P = Flow.parent(Reference); P; Below = P, P = Flow.parent(P)) {
    if (const auto *C = dyn_cast<clang::CastExpr>(P)) {
      if (C->getCastKind() == CK_LValueToRValue && !IsAddress)
        return !C->getType()->isPointerType(); // an element
      if (!C->getType()->isPointerType() && IsAddress)
        return C->getCastKind() == CK_PointerToBoolean || C->getCastKind() == CK_ToVoid;
      continue;
    }
    if (isa<ParenExpr>(P))
      continue;
    if (isa<UnaryExprOrTypeTraitExpr>(P))
      return true;
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(P)) {
      if (Sub->getBase() != Below)
        return false;
      IsAddress = Sub->getType()->isArrayType();
      continue;
    }
    if (isa<clang::MemberExpr>(P)) {
      IsAddress = cast<clang::MemberExpr>(P)->getType()->isArrayType();
      continue;
    }
    if (const auto *U = dyn_cast<clang::UnaryOperator>(P)) {
      if (U->getOpcode() == UO_Deref)
        IsAddress = U->getType()->isArrayType();
      else if (U->getOpcode() == UO_AddrOf && !IsAddress)
        IsAddress = true;
      else if (!U->isIncrementDecrementOp() || !IsAddress || !Depth)
        return !IsAddress && U->isIncrementDecrementOp();
      continue; // a parameter: *p++
    }
    if (const auto *B = dyn_cast<clang::BinaryOperator>(P)) {
      if (B->isComparisonOp())
        return true;
      bool Moves = IsAddress && Depth && B->isCompoundAssignmentOp(); // a parameter: p += 4
      if (B->isAssignmentOp() && B->getLHS() == Below && !Moves)
        return !IsAddress;
      if (Moves || (B->isAdditiveOp() && B->getType()->isPointerType() && IsAddress))
        continue;
      return false;
    }
    if (!isa<Expr>(P)) // a condition, or a value that is not used
      return !isa<DeclStmt, ReturnStmt>(P);
    const auto *C = dyn_cast<CallExpr>(P);
    return C && IsAddress && keepsNoCopy(C, Below, Depth);
  }
  return false;
}

/// The pointer is allocated before the loop, and only used in it before the buffer is made.
bool Finder::findPointer() {
  std::optional<int64_t> Flags = Known.integer(Call->getArg(1));
  Pointer = variable(Call->getArg(3));
  if (!Flags || !(*Flags & UseHostPtr) || (*Flags & HostFlags) || !isOwn(Pointer) ||
      !Pointer->getType()->isPointerType() || Flow.escapes(Pointer) || !isBeforeLoop(Pointer))
    return false;
  bool Allocated = false;
  for (const HostWrite &W : Flow.writes(Pointer)) {
    // To the memory, or in the loop: see the references below.
    if (W.Element || Flow.isInside(W.At, Loop) ||
        (W.K == HostWrite::Start && (!W.Value || isNull(W.Value))))
      continue;
    if (Allocated || !W.Value || !W.At || !isAllocation(W.Value) ||
        Flow.loopAround(W.Value) != Flow.loopAround(Loop) ||
        offset(W.Value->getBeginLoc()) > offset(Loop->getBeginLoc()))
      return false;
    Allocated = true;
  }
  First = Statements.size();
  for (const DeclRefExpr *R : references(F->getBody(), Pointer)) {
    size_t At = statementOf(R);
    if (At < Made && isAccess(R, 0)) {
      First = std::min(First, At);
      continue;
    }
    const Stmt *P = Flow.parent(R);
    bool IsAllocated = isa<clang::BinaryOperator>(P) &&
                       cast<clang::BinaryOperator>(P)->getOpcode() == BO_Assign &&
                       cast<clang::BinaryOperator>(P)->getLHS() == R;
    if (Flow.isInside(R, Call) || (!Flow.isInside(R, Loop) && (IsAllocated || isTestOrFree(R))))
      continue;
    return false;
  }
  // Every iteration that maps the buffer also comes to its launch.
  bool Leaves = false;
  for (size_t I = First; I < Made; ++I)
    forEach(Statements[I], [&](const Stmt *S) {
      Leaves |= isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, ReturnStmt, LabelStmt,
                    CXXThrowExpr, LambdaExpr>(S);
      return true;
    });
  return Allocated && First < Made && !Leaves;
}

/// One clReleaseMemObject(b); in the loop's body, behind all other uses.
bool Finder::findRelease() {
  for (const DeclRefExpr *R : references(Loop, Buffer)) {
    const Stmt *P = Flow.parent(R);
    while (isa_and_nonnull<clang::CastExpr, ParenExpr>(P))
      P = Flow.parent(P);
    if (calledName(P) != "clReleaseMemObject")
      continue;
    if (Gone)
      return false;
    Gone = statementOf(P);
    if (Gone == Statements.size() || bare(cast<Expr>(P)) != Statements[Gone])
      return false;
  }
  if (Gone <= Made)
    return false;
  // It is released in every iteration.
  bool Leaves = false;
  for (size_t I = Made; I < Gone; ++I)
    forEach(Statements[I], [&](const Stmt *S) {
      Leaves |= isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(S);
      return true;
    });
  return !Leaves && all_of(references(Loop, Buffer),
                           [&](const DeclRefExpr *R) { return statementOf(R) <= Gone; });
}

/// The file makes one queue, which runs in order, and the loop names no other.
bool Finder::findQueue() {
  unsigned Queues = 0;
  const CallExpr *Makes = nullptr;
  for (const FunctionDecl *Of : Flow.functions())
    forEach(Of->getBody(), [&](const Stmt *S) {
      if (calledName(S).starts_with("clCreateCommandQueue")) {
        ++Queues;
        Makes = dyn_cast<CallExpr>(S);
      }
      return true;
    });
  if (Queues != 1 || !Makes || Flow.loopAround(Makes) || Makes->getNumArgs() < 3)
    return false;
  if (calledName(Makes) == "clCreateCommandQueueWithProperties") {
    if (!isNull(Makes->getArg(2)))
      return false;
  } else if (std::optional<int64_t> P = Known.integer(Makes->getArg(2)); !P || *P & OutOfOrder) {
    return false;
  }
  const Stmt *P = Flow.parent(Makes);
  while (isa_and_nonnull<clang::CastExpr, ParenExpr>(P))
    P = Flow.parent(P);
  if (const auto *B = dyn_cast_or_null<clang::BinaryOperator>(P))
    Queue = B->getOpcode() == BO_Assign ? variable(B->getLHS()) : nullptr;
  else if (const auto *D = dyn_cast_or_null<DeclStmt>(P); D && D->isSingleDecl())
    if (const auto *V = dyn_cast<VarDecl>(D->getSingleDecl()))
      Queue = V->getCanonicalDecl();
  if (!Queue || !isBeforeLoop(Queue) || Flow.escapes(Queue) ||
      (Queue->hasLocalStorage() && Flow.functionOf(Makes) != F))
    return false;
  bool Other = false;
  forEach(Body, [&](const Stmt *S) {
    if (const auto *E = dyn_cast<Expr>(S))
      Other |= E->getType().getAsString() == "cl_command_queue" && variable(E) != Queue;
    return true;
  });
  return !Other && none_of(Flow.writes(Queue), [&](const HostWrite &W) {
    return !(W.K == HostWrite::Start && (!W.Value || isNull(W.Value))) &&
           !(W.Value && bare(W.Value) == Makes);
  });
}

/// S is in the loop, in one around it, or in a function that is called there.
bool Finder::runsInLoop(const Stmt *S) const {
  if (Flow.isInside(S, Loop))
    return true;
  const FunctionDecl *Of = Flow.functionOf(S);
  if (Of == F)
    return Flow.loopAround(S) != Flow.loopAround(Loop);
  SmallPtrSet<const FunctionDecl *, 16> Seen;
  SmallVector<const Stmt *, 16> Work{Loop};
  while (!Work.empty())
    forEach(Work.pop_back_val(), [&](const Stmt *X) {
      if (const auto *C = dyn_cast<CallExpr>(X))
        for (const FunctionDecl *Body : Flow.bodiesOf(C))
          if (Seen.insert(Body).second)
            Work.push_back(Body->getBody());
      return true;
    });
  return any_of(Seen, [&](const FunctionDecl *X) { return X == Of; });
}

/// E has one value before the loop and in all of its iterations.
bool Finder::stays(const Expr *E) const {
  bool Stays = true;
  forEach(E, [&](const Stmt *S) {
    if (isa<UnaryExprOrTypeTraitExpr>(S))
      return false;
    if (const auto *U = dyn_cast<clang::UnaryOperator>(S))
      Stays &= !U->isIncrementDecrementOp() && U->getOpcode() != UO_Deref;
    if (const auto *B = dyn_cast<clang::BinaryOperator>(S))
      Stays &= !B->isAssignmentOp() && B->getOpcode() != BO_Comma;
    if (const auto *R = dyn_cast<DeclRefExpr>(S); R && !isa<EnumConstantDecl>(R->getDecl())) {
      const auto *D = dyn_cast<VarDecl>(R->getDecl()->getCanonicalDecl());
      // Assumed: another file may write a number with external linkage, but not a context.
      Stays &= D && isBeforeLoop(D) && !Flow.escapes(D) &&
               (!D->hasExternalFormalLinkage() || D->getType().getAsString() == "cl_context");
      for (const HostWrite &W : D ? Flow.writes(D) : ArrayRef<HostWrite>())
        Stays &= !W.At || !runsInLoop(W.At);
      return true;
    }
    Stays &= isa<DeclRefExpr, IntegerLiteral, CharacterLiteral, clang::UnaryOperator,
                 clang::BinaryOperator, ParenExpr, clang::CastExpr>(S);
    return true;
  });
  return Stays;
}

bool Finder::argumentsStay() const {
  const auto *Status = dyn_cast<clang::UnaryOperator>(bare(Call->getArg(4)));
  const VarDecl *D =
      Status && Status->getOpcode() == UO_AddrOf ? variable(Status->getSubExpr()) : nullptr;
  if (!isNull(Call->getArg(4)) && !(D && isBeforeLoop(D)))
    return false;
  return stays(Call->getArg(0)) && stays(Call->getArg(1)) && stays(Call->getArg(2));
}

/// The declarations that the edits add hide no other variable that is used there, and in C++ no
/// goto jumps over them.
bool Finder::namesAreFree() const {
  bool Free = true;
  forEach(F->getBody(), [&](const Stmt *S) {
    Free &= !Ctx.getLangOpts().CPlusPlus || !isa<GotoStmt, IndirectGotoStmt>(S);
    auto Look = [&](const NamedDecl *D) {
      const Decl *Canonical = D->getCanonicalDecl();
      Free &= Canonical == Buffer || D->getDeclName() != Buffer->getDeclName();
      Free &= Canonical == Pointer || D->getDeclName() != Pointer->getDeclName();
    };
    if (const auto *R = dyn_cast<DeclRefExpr>(S))
      Look(R->getDecl());
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *One : D->decls())
        if (const auto *N = dyn_cast<NamedDecl>(One))
          Look(N);
    return true;
  });
  return Free;
}

bool Finder::spell() {
  auto At = [&](const Stmt *S) { return spelledInMainFile(S->getSourceRange(), Ctx); };
  const SourceManager &SM = Ctx.getSourceManager();
  StringRef File = SM.getBufferData(SM.getMainFileID());
  Result.Loop = At(Loop);
  if (isa<DoStmt>(Loop) && Result.Loop.isValid()) // its semicolon
    Result.Loop.End = std::min(File.find(';', Result.Loop.End), File.size() - 1) + 1;
  Result.FirstUse = At(Statements[First]);
  Result.Creation = At(Statements[Made]);
  Result.Release = At(Statements[Gone]);
  Result.Context = At(Call->getArg(0));
  Result.Flags = At(Call->getArg(1));
  Result.Size = At(Call->getArg(2));
  for (const SourceRange &R : {Result.Loop, Result.FirstUse, Result.Creation, Result.Release,
                               Result.Context, Result.Flags, Result.Size})
    if (!R.isValid())
      return false;
  if (!isNull(Call->getArg(4))) {
    Result.Status = At(Call->getArg(4));
    if (!Result.Status.isValid())
      return false;
  }
  // Other branches of the preprocessor are not seen.
  for (StringRef Rest = File.slice(Result.Loop.Begin, Result.Loop.End); !Rest.empty();
       Rest = Rest.split('\n').second)
    if (Rest.ltrim(" \t").starts_with("#"))
      return false;
  PrintingPolicy Policy(Ctx.getLangOpts());
  QualType T = Pointer->getType().getUnqualifiedType();
  Result.Type = T.getAsString(Policy);
  raw_string_ostream OS(Result.TypedPointer);
  T.print(OS, Policy, Pointer->getName());
  Result.Buffer = Buffer->getName();
  Result.Pointer = Pointer->getName();
  Result.Queue = Queue->getName();
  return true;
}

} // namespace

std::optional<HostLoopBuffer> loopBuffer(const CallExpr *Call, ASTContext &Ctx,
                                         const HostFlow &Flow, const HostValues &Known) {
  return Finder(Call, Ctx, Flow, Known).find();
}

} // namespace clmali::model
