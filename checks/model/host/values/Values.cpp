//===-- checks/model/host/values/Values.cpp - Values of host variables ------------------===//

#include "checks/model/host/values/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

bool HostValues::isForeign(const ValueDecl *D) const {
  const auto *V = dyn_cast<VarDecl>(D);
  if (!V || !V->hasGlobalStorage() || V->getType().isConstQualified())
    return false;
  const SourceManager &SM = Ctx.getSourceManager();
  return any_of(V->redecls(), [&](const VarDecl *R) {
    // Most declarations of missing headers are members of a class.
    if (SM.getFilename(SM.getExpansionLoc(R->getLocation())) == MissingNamesFile)
      return false;
    // A variable that a header defines belongs to the only file that includes it.
    return R->isThisDeclarationADefinition() == VarDecl::DeclarationOnly ||
           (R->isStaticDataMember() &&
            SM.getFileID(SM.getExpansionLoc(R->getLocation())) != SM.getMainFileID());
  });
}

/// The value that W writes, or its statement.
static const Stmt *sourceOf(const HostWrite &W) {
  return W.Value && !isa<CompoundStmt>(W.At) ? static_cast<const Stmt *>(W.Value) : W.At;
}

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
      // The list of a std::array<size_t, 2> contains the list of its elements.
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
    Maybe By =
        W.K == HostWrite::Step ? Maybe(HostNumber::whole(1)) : eval(W.Value, F, Depth + 1, nullptr);
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

/// The argument that a frame gives for parameter P; null: no frame does. Caller: the frame under
/// which the argument holds.
static const Expr *argumentFor(const ParmVarDecl *P, const HostFrame *F, const HostFrame *&Caller,
                               bool &HasFrame) {
  while (F && P->getDeclContext() != F->Callee)
    F = F->Up;
  HasFrame = F != nullptr;
  if (!F || P->getFunctionScopeIndex() >= F->Args.size())
    return nullptr;
  Caller = F->Up;
  return F->Args[P->getFunctionScopeIndex()];
}

/// The value of a parameter (or of an element of it) at the entry of its function.
HostValues::Maybe HostValues::parameter(const ParmVarDecl *P, std::optional<uint64_t> Element,
                                        const HostFrame *F, unsigned Depth) const {
  const HostFrame *Caller = nullptr;
  bool HasFrame = false;
  if (const Expr *A = argumentFor(P, F, Caller, HasFrame)) {
    if (!Element)
      return eval(A, Caller, Depth + 1, nullptr);
    if (const ValueDecl *Array = declOf(A))
      return variable(Array, Element, A, Caller, Depth + 1);
    if (const auto *U = dyn_cast<UnaryOperator>(plain(A));
        U && U->getOpcode() == UO_AddrOf && *Element == 0)
      return eval(U->getSubExpr(), Caller, Depth + 1, nullptr);
    return std::nullopt;
  }
  const Expr *Default = HasFrame || Element ? nullptr : defaultOf(P);
  Maybe V = Default ? eval(Default, nullptr, Depth + 1, nullptr) : std::nullopt;
  if (V)
    V->ByDefault = true;
  return V;
}

/// The one value that the file gives to a variable which several functions may write; initialisers
/// of zero do not count.
HostValues::Maybe HostValues::sharedVariable(const ValueDecl *D, std::optional<uint64_t> Element,
                                             unsigned Depth) const {
  Maybe Only;
  bool HasInput = false; ///< the command line may give another value
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
      HasInput = true;
      continue;
    }
    if (!V || (Only && !sameValue(*Only, *V)))
      return std::nullopt;
    bool Default = V->ByDefault || (Only && Only->ByDefault);
    Only = V;
    Only->ByDefault = Default;
  }
  if (Only && HasInput)
    Only->ByDefault = true;
  return Only;
}

/// The value of D where it is Base, or what the write W gives, which may reach. Nothing: not known.
HostValues::Maybe HostValues::mergeWrite(Maybe Base, const HostWrite &W, const ValueDecl *D,
                                         std::optional<uint64_t> Element, bool HasBefore,
                                         const HostFrame *F, unsigned Depth) const {
  // A loop that divides or subtracts makes the value no larger.
  if (TakesLargest && Base && W.K == HostWrite::Compound &&
      (W.Op == BO_Div || W.Op == BO_Shr || W.Op == BO_Sub) && Base->asFloat() >= 0) {
    Base->AtMost = SawLargest = true;
    return Base;
  }
  Maybe V = written(W, D, Element, F, Depth);
  if (!Base && !HasBefore && V) // both branches of an if write it
    return V;
  if (!Base)
    return std::nullopt;
  if (V && sameValue(*V, *Base)) {
    Base->ByDefault |= V->ByDefault;
    return Base;
  }
  if (TakesLargest && V && !V->IsFloat && !Base->IsFloat) {
    V->ByDefault |= Base->ByDefault;
    Base = V->I > Base->I ? V : Base;
    Base->AtMost = SawLargest = true;
    return Base;
  }
  if (!Flow.isInput(sourceOf(W)))
    return std::nullopt;
  Base->ByDefault = true;
  return Base;
}

HostValues::Maybe HostValues::variable(const ValueDecl *D, std::optional<uint64_t> Element,
                                       const Expr *Use, const HostFrame *F, unsigned Depth) const {
  if (D && D == LoopVariable && !Element)
    return HostNumber::whole(LoopValue, false);
  if (!D || Depth > MaxDepth || !Budget || Flow.escapes(D) || isForeign(D))
    return std::nullopt;
  --Budget;
  auto Cond = [&](const Expr *E) { return condition(E, F, Depth); };
  HostFlow::Reach R = Flow.reach(D, Element, Use, Cond);
  Maybe Base;
  if (R.Must)
    Base = written(*R.Must, D, Element, F, Depth);
  else if (const auto *P = dyn_cast<ParmVarDecl>(D); P && R.Entry)
    Base = parameter(P, Element, F, Depth);
  else if (isShared(D))
    return sharedVariable(D, Element, Depth);
  else if (R.May.empty())
    return std::nullopt;
  for (const HostWrite *W : R.May) {
    Base = mergeWrite(Base, *W, D, Element, R.Must || R.Entry, F, Depth);
    if (!Base)
      return std::nullopt;
  }
  return Base;
}

HostValues::Origin HostValues::origin(const ValueDecl *D, std::optional<uint64_t> Element,
                                      const Expr *Use, const HostFrame *F) const {
  QueryScope Scope(*this);
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
    const HostFrame *Caller = nullptr;
    bool HasFrame = false;
    if (const Expr *A = Element ? nullptr : argumentFor(P, F, Caller, HasFrame))
      Base = {A, Caller, false};
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
  // Another write may reach instead.
  for (const HostWrite *W : R.May) {
    if (W->K == HostWrite::Append)
      continue;
    Origin O = Of(*W, F);
    if (!Base.Value && !R.Must && !R.Entry && O.Value && R.May.size() == 1)
      return {};
    if (!Base.Value || !Flow.isInput(sourceOf(*W)))
      return {};
    Base.ByDefault = true;
  }
  return Base;
}

HostValues::Origin HostValues::source(const Expr *E, const HostFrame *F) const {
  QueryScope Scope(*this);
  Origin O{E, F, false};
  for (unsigned Depth = 0; O.Value && Depth < 16; ++Depth) {
    const Expr *X = plain(O.Value);
    if (const auto *C = dyn_cast<CXXConstructExpr>(X); C && C->getNumArgs() == 1) {
      // An object that is made of another of its class, or by conversion.
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
    // Names of the API's headers (cl::NullRange) are not followed.
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
  QueryScope Scope(*this);
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
