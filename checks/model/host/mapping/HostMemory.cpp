//===-- checks/model/host/mapping/HostMemory.cpp - Uses of memory under a buffer ---------===//

#include "checks/model/host/mapping/HostMemory.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {
namespace {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

bool isLaunchName(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases("clEnqueueNDRangeKernel", "clEnqueueTask", "enqueueNDRangeKernel", "enqueueTask", true)
      .Default(false);
}

/// Calls Then on S and all below it.
void forEach(const Stmt *S, function_ref<void(const Stmt *)> Then) {
  if (!S)
    return;
  Then(S);
  for (const Stmt *Child : S->children())
    forEach(Child, Then);
}

bool mentions(const Stmt *S, const ValueDecl *D) {
  bool Found = false;
  forEach(S, [&](const Stmt *X) {
    if (const auto *R = dyn_cast<DeclRefExpr>(X))
      Found |= R->getDecl()->getCanonicalDecl() == D;
  });
  return Found;
}

/// How a function uses the memory that one of its arguments points to.
struct Effect {
  bool Reads = false, Writes = false;
};

class Finder {
public:
  Finder(const Expr *Creation, const VarDecl *Memory, const VarDecl *Buffer, const HostFlow &Flow,
         const SourceManager &SM)
      : Creation(Creation), Memory(Memory), Buffer(Buffer), Flow(Flow), SM(SM) {}

  std::vector<UnmappedUse> run() {
    const FunctionDecl *F = Flow.functionOf(Creation);
    if (!F || !F->getBody() || movesLater())
      return {};
    forEach(F->getBody(), [&](const Stmt *S) { visit(S); });
    std::vector<UnmappedUse> Result;
    for (const Expr *Launch : Launches) {
      auto First = [&](bool Writes) {
        auto At = find_if(Uses, [&](const Use &U) {
          return (Writes ? U.Does.Writes : U.Does.Reads) && isUnmapped(Launch, U.At, Writes);
        });
        if (At != Uses.end())
          Result.push_back({Launch, At->At, Writes});
      };
      First(false);
      First(true);
    }
    return Result;
  }

private:
  const Expr *Creation;
  const VarDecl *Memory, *Buffer;
  const HostFlow &Flow;
  const SourceManager &SM;
  struct Use {
    const Expr *At;
    Effect Does;
  };
  SmallVector<const Expr *, 8> Launches, Agreements;
  SmallVector<Use, 16> Uses; ///< in source order

  unsigned offset(const Stmt *S) const {
    return SM.getFileOffset(SM.getExpansionLoc(S->getBeginLoc()));
  }

  /// The pointer has another value behind the creation.
  bool movesLater() const {
    return any_of(Flow.writes(Memory), [&](const HostWrite &W) {
      return W.At && !W.Element && W.K != HostWrite::Start && W.K != HostWrite::Unknown &&
             Memory->getType()->isPointerType() && offset(W.At) > offset(Creation);
    });
  }

  void visit(const Stmt *S) {
    if (const auto *R = dyn_cast<DeclRefExpr>(S);
        R && R->getDecl()->getCanonicalDecl() == Memory && !Flow.isInside(R, Creation)) {
      if (Effect Does = effectOf(R, 0); Does.Reads || Does.Writes)
        Uses.push_back({R, Does});
      return;
    }
    StringRef Name = calledName(S);
    if (Name.empty() || S == Creation)
      return;
    const auto *E = cast<Expr>(S);
    if (isLaunchName(Name) || launches(E, 0))
      Launches.push_back(E);
    else if (agrees(E, Name))
      Agreements.push_back(E);
  }

  /// A call of a function of this file that launches.
  bool launches(const Expr *E, unsigned Depth) const {
    const auto *C = dyn_cast<CallExpr>(E);
    if (!C || Depth > 2)
      return false;
    bool Any = false;
    for (const FunctionDecl *F : Flow.bodiesOf(C))
      forEach(F->getBody(), [&](const Stmt *S) {
        if (const auto *Inner = dyn_cast<CallExpr>(S))
          Any |= isLaunchName(calledName(Inner)) || launches(Inner, Depth + 1);
      });
    return Any;
  }

  /// Behind E, the memory holds what the buffer holds, or E may see to it.
  bool agrees(const Expr *E, StringRef Name) const {
    bool HasBuffer = mentions(E, Buffer), HasMemory = mentions(E, Memory);
    if (Name.contains("nqueueMapBuffer")) {
      // Of another variable: it is another buffer.
      const auto *C = dyn_cast<CallExpr>(E);
      const ValueDecl *Of = nullptr;
      for (const Expr *A : C ? ArrayRef(C->getArgs(), C->getNumArgs()) : ArrayRef<const Expr *>())
        if (const ValueDecl *D = declOf(A);
            D && (StringRef(D->getType().getAsString()).contains("cl_mem") ||
                  StringRef(D->getType().getAsString()).contains("Buffer")))
          Of = D;
      return HasBuffer || !isa_and_nonnull<VarDecl>(Of) || isa<ParmVarDecl>(Of);
    }
    bool IsApi = Name.starts_with("cl") || Name.starts_with("enqueue") || Name == "setArg" ||
                 Name == "getInfo";
    if (IsApi)
      return (HasMemory && (Name.contains("nqueueRead") || Name.contains("nqueueWrite"))) ||
             (HasBuffer && (Name == "clReleaseMemObject" || Name.contains("nqueueMigrate")));
    return HasBuffer || Name.contains_insensitive("map");
  }

  /// What the reference to the memory is for.
  Effect effectOf(const Expr *Reference, unsigned Depth) const {
    const Stmt *Below = Reference;
    bool IsElement = false; ///< Below is an element, not the address of one
    for (const Stmt *P = Flow.parent(Reference); P; Below = P, P = Flow.parent(P)) {
      if (const auto *C = dyn_cast<clang::CastExpr>(P)) {
        if (C->getCastKind() == CK_LValueToRValue && IsElement)
          return {true, false};
        continue;
      }
      if (isa<ParenExpr, MaterializeTemporaryExpr, ExprWithCleanups>(P))
        continue;
      if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(P)) {
        if (Sub->getBase() != Below)
          return {};
        IsElement = !Sub->getType()->isArrayType();
        continue;
      }
      if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(P);
          Op && Op->getOperator() == OO_Subscript && Op->getArg(0) == Below) {
        IsElement = true;
        continue;
      }
      if (const auto *M = dyn_cast<clang::MemberExpr>(P)) {
        if (M->getMemberDecl()->getName() == "at") // of a container
          IsElement = true;
        else if (!IsElement && M->getMemberDecl()->getName() != "data")
          return {};
        continue;
      }
      if (const auto *U = dyn_cast<clang::UnaryOperator>(P)) {
        if (U->getOpcode() == UO_Deref)
          IsElement = true;
        else if (U->getOpcode() == UO_AddrOf && IsElement)
          IsElement = false;
        else
          return {IsElement, IsElement && U->isIncrementDecrementOp()};
        continue;
      }
      if (const auto *B = dyn_cast<clang::BinaryOperator>(P)) {
        if (IsElement && B->isAssignmentOp() && B->getLHS() == Below)
          return {B->isCompoundAssignmentOp(), true};
        if (!IsElement && B->isAdditiveOp())
          continue;
        return {};
      }
      if (const auto *Call = dyn_cast<CXXMemberCallExpr>(P); Call && Call->getCallee() == Below)
        continue; // v.data(), v.at(i)
      if (const auto *C = dyn_cast<CallExpr>(P))
        return IsElement ? Effect{true, false} : argumentOf(C, Below, Depth);
      return {};
    }
    return {};
  }

  /// What C does with the memory at its argument.
  Effect argumentOf(const CallExpr *C, const Stmt *Argument, unsigned Depth) const {
    StringRef Name = calledName(C);
    unsigned Index = find(C->arguments(), Argument) - C->arg_begin();
    const FunctionDecl *Callee = calleeOf(C), *Definition = nullptr;
    if (Name.starts_with("cl") || Name.starts_with("enqueue") || Depth > 2 || !Callee)
      return {};
    if (StringSwitch<bool>(Name).Cases("memcpy", "memmove", "memset", "fread", true).Default(false))
      return {Index == 1, Index == 0};
    if (Index >= Callee->getNumParams())
      return {};
    if (!Callee->hasBody(Definition)) {
      QualType To = Callee->getParamDecl(Index)->getType();
      return {To->isPointerType() && To->getPointeeType().isConstQualified(), false};
    }
    const auto *P = Definition->getParamDecl(Index)->getCanonicalDecl();
    Effect Result;
    forEach(Definition->getBody(), [&](const Stmt *S) {
      const auto *R = dyn_cast<DeclRefExpr>(S);
      if (!R || R->getDecl()->getCanonicalDecl() != P)
        return;
      Effect One = effectOf(R, Depth + 1);
      Result.Reads |= One.Reads;
      Result.Writes |= One.Writes;
    });
    return Result;
  }

  /// The innermost loop around A and B that does not make the buffer; null: none.
  const Stmt *loopAround(const Stmt *A, const Stmt *B) const {
    const Stmt *Loop = Flow.loopAround(A);
    while (Loop && !Flow.isInside(B, Loop))
      Loop = Flow.loopAround(Loop);
    return Loop && !Flow.isInside(Creation, Loop) ? Loop : nullptr;
  }

  /// A and B are in different branches of one statement.
  bool exclude(const Stmt *A, const Stmt *B) const {
    for (const Stmt *P = Flow.parent(A); P; P = Flow.parent(P)) {
      if (!Flow.isInside(B, P))
        continue;
      if (isa<SwitchStmt>(P))
        return true;
      if (const auto *If = dyn_cast<IfStmt>(P))
        return If->getElse() &&
               ((Flow.isInside(A, If->getThen()) && Flow.isInside(B, If->getElse())) ||
                (Flow.isInside(B, If->getThen()) && Flow.isInside(A, If->getElse())));
      return false;
    }
    return false;
  }

  /// A read behind the launch, or a write before it, with nothing between that makes memory and
  /// buffer agree.
  bool isUnmapped(const Expr *Launch, const Expr *Access, bool Writes) const {
    const Expr *First = Writes ? Access : Launch, *Second = Writes ? Launch : Access;
    if (exclude(Launch, Access))
      return false;
    unsigned From = offset(First), To = offset(Second), Made = offset(Creation);
    if (From > Made && From < To)
      return none_of(Agreements, [&](const Expr *A) { return offset(A) > From && offset(A) < To; });
    const Stmt *Loop = From > Made && To > Made ? loopAround(First, Second) : nullptr;
    return Loop && none_of(Agreements, [&](const Expr *A) { return Flow.isInside(A, Loop); });
  }
};

} // namespace

std::vector<UnmappedUse> unmappedUses(const Expr *Creation, const Expr *Memory,
                                      const VarDecl *Buffer, const HostFlow &Flow,
                                      const SourceManager &SM) {
  // data, &data[0], data.data()
  const Expr *E = plain(Memory->IgnoreParenCasts());
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf)
    E = U->getSubExpr()->IgnoreParenCasts();
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    E = Sub->getBase()->IgnoreParenCasts();
  else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
           Op && Op->getOperator() == OO_Subscript)
    E = Op->getArg(0)->IgnoreParenCasts();
  else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
           Call && calledName(Call) == "data" && Call->getImplicitObjectArgument())
    E = Call->getImplicitObjectArgument()->IgnoreParenCasts();
  const auto *D = dyn_cast_or_null<VarDecl>(declOf(E));
  if (!D || D->getType()->isReferenceType())
    return {};
  return Finder(Creation, D, Buffer, Flow, SM).run();
}

} // namespace clmali::model
