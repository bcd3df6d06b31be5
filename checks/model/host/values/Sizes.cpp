//===-- checks/model/host/values/Sizes.cpp - Sizes of launches --------------------===//

#include "checks/model/host/values/Sizes.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

void HostSizes::enqueueArgs(const clang::Expr *E, HostLaunch &L, const HostFrame *Frame) {
  HostValues::Origin O = Known.source(E, Frame);
  SmallVector<const clang::Expr *, 8> Args;
  if (!O.Value)
    return;
  if (const auto *X = dyn_cast<CXXConstructExpr>(plain(O.Value)))
    Args.append(X->arg_begin(), X->arg_end());
  else if (const auto *X =
               dyn_cast<CXXMemberCallExpr>(plain(O.Value))) // kernel.bind(queue, global, local)
    Args.append(X->arg_begin(), X->arg_end());
  // The queue is of an unknown class.
  else if (const auto *X = dyn_cast<RecoveryExpr>(plain(O.Value)))
    append_range(Args, X->subExpressions());
  else if (const auto *X = dyn_cast<CXXUnresolvedConstructExpr>(plain(O.Value)))
    append_range(Args, X->arguments());
  SmallVector<const clang::Expr *, 3> NDRanges;
  for (const clang::Expr *A : Args) {
    const CXXRecordDecl *R = A->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (R && R->getQualifiedNameAsString() == "cl::NDRange")
      NDRanges.push_back(A);
  }
  if (NDRanges.empty())
    return;
  bool Ignored = false;
  unsigned LocalDims = 0;
  ndrange(NDRanges[NDRanges.size() == 3 ? 1 : 0], L.Dims, L.Global, L.GlobalRange, Ignored,
          L.GlobalByDefault, O.Frame);
  if (NDRanges.size() == 1)
    L.LocalIsNull = true;
  else
    ndrange(NDRanges.back(), LocalDims, L.Local, L.LocalRange, L.LocalIsNull, L.LocalByDefault,
            O.Frame);
}

/// E is the address of a single number, `&n` or `size_t n[1]`: the launch has one dimension.
static bool isOneNumber(const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  bool Address = false;
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf) {
    E = U->getSubExpr()->IgnoreParenImpCasts();
    Address = true;
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    if (!Address)
      return false;
    E = Sub->getBase()->IgnoreParenImpCasts();
  }
  if (!isa<DeclRefExpr>(E) && (Address || !isa<MemberExpr>(E)))
    return false;
  QualType T = E->getType();
  if (const auto *A = dyn_cast_or_null<ConstantArrayType>(T->getAsArrayTypeUnsafe()))
    return A->getSize() == 1;
  return Address && T->isIntegerType() && declOf(E) && !declOf(E)->getType()->isReferenceType();
}

void HostSizes::sizesC(const clang::Expr *Dims, const clang::Expr *Global, const clang::Expr *Local,
                       HostLaunch &L, const HostFrame *Frame) {
  if (std::optional<HostNumber> N = Known.number(Dims, Frame);
      N && !N->IsFloat && N->I >= 1 && N->I <= 3)
    L.Dims = N->I;
  else if (!N && isOneNumber(Global))
    L.Dims = 1;
  clang::SourceRange Null;
  L.LocalIsNull = Known.isNull(Local, Frame, &Null);
  sizes(Global, L.Dims, L.Global, L.GlobalRange, L.GlobalByDefault, Frame);
  if (L.LocalIsNull)
    L.LocalRange.fill(Locations.range(Null));
  else
    sizes(Local, L.Dims, L.Local, L.LocalRange, L.LocalByDefault, Frame);
  if (L.Dims == 1 && !L.Global[0] && !L.LocalIsNull)
    if (Source G = onlySize(Global, Frame); G.Of)
      L.OneGroup = isSame(G, onlySize(Local, Frame));
}

bool HostSizes::isSame(const Source &A, const Source &B) const {
  return A.Of == B.Of && isUnchanged(A.Of, A.Read, B.Read);
}

bool HostSizes::isUnchanged(const ValueDecl *D, const clang::Expr *First,
                            const clang::Expr *Second) const {
  uint32_t Begin = Locations.range(First->getSourceRange()).Begin,
           End = Locations.range(Second->getSourceRange()).Begin;
  if (Begin > End)
    std::swap(Begin, End);
  return none_of(Flow.writes(D), [&](const HostWrite &W) {
    uint32_t At = W.At ? Locations.range(W.At->getSourceRange()).Begin : 0;
    return At > Begin && At < End;
  });
}

HostSizes::Source HostSizes::onlySize(const clang::Expr *E, const HostFrame *Frame) const {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf)
    E = U->getSubExpr()->IgnoreParenImpCasts();
  else if (const ValueDecl *D = declOf(E); D && D->getType()->isArrayType())
    E = Known.origin(D, 0, E, Frame).Value;
  // size_t local = n;
  for (unsigned Depth = 0; E && Depth < 4; ++Depth) {
    const auto *D = dyn_cast_or_null<VarDecl>(declOf(E));
    if (!D || !D->getType()->isIntegerType() || (!D->isLocalVarDecl() && !isa<ParmVarDecl>(D)))
      return {};
    HostFlow::Reach R;
    if (!Flow.escapes(D))
      R = Flow.reach(D, std::nullopt, E, [](const clang::Expr *) { return std::nullopt; });
    const clang::Expr *From =
        R.May.empty() && R.Must && (R.Must->K == HostWrite::Start || R.Must->K == HostWrite::Assign)
            ? R.Must->Value
            : nullptr;
    if (!From || !declOf(From))
      return {D->getCanonicalDecl(), E};
    E = From;
  }
  return {};
}

void HostSizes::put(unsigned D, std::optional<HostNumber> N, Sizes &To, bool &ByDefault) {
  if (D >= 3 || !N || N->IsFloat || N->I <= 0)
    return;
  To[D] = N->I;
  ByDefault |= N->ByDefault;
}

SourceRange HostSizes::written(const clang::Expr *E, const HostFrame *Frame) {
  while (const auto *P = dyn_cast_or_null<ParmVarDecl>(declOf(E->IgnoreParenCasts()))) {
    const HostFrame *At = Frame;
    while (At && P->getDeclContext() != At->Callee)
      At = At->Up;
    if (!At || P->getFunctionScopeIndex() >= At->Args.size() || !Flow.writes(P).empty() ||
        isa<CXXDefaultArgExpr>(At->Args[P->getFunctionScopeIndex()]))
      break;
    E = At->Args[P->getFunctionScopeIndex()];
    Frame = At->Up;
  }
  return Locations.range(E->getSourceRange());
}

/// new size_t[2], malloc(2 * sizeof(size_t)): an array that is filled through this pointer.
static bool isFresh(const clang::Expr *E) {
  E = plain(E);
  while (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    E = plain(Cast->getSubExpr());
  if (const auto *New = dyn_cast<CXXNewExpr>(E))
    return New->isArray() && !New->getInitializer();
  const auto *C = dyn_cast<CallExpr>(E);
  StringRef Name = C ? calledName(C) : "";
  return Name == "malloc" || Name == "calloc";
}

void HostSizes::sizes(const clang::Expr *E, unsigned Dims, Sizes &To, Ranges &Where,
                      bool &ByDefault, const HostFrame *Frame, unsigned Depth) {
  if (Depth > 8)
    return;
  E = E->IgnoreParenCasts();
  if (!Depth)
    Where.fill(Locations.range(E->getSourceRange()));
  auto Element = [&](unsigned D, const clang::Expr *Value, const HostFrame *F) {
    put(D, Known.number(Value, F), To, ByDefault);
    Where[D] = written(Value, F);
  };
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf) {
    const clang::Expr *X = U->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(X)) // &global[0]
      if (Known.integer(Sub->getIdx(), Frame) == 0)
        return sizes(Sub->getBase(), Dims, To, Where, ByDefault, Frame, Depth + 1);
    if (X->getType()->isArrayType()) // (const size_t *)&global
      return sizes(X, Dims, To, Where, ByDefault, Frame, Depth + 1);
    put(0, Known.number(X, Frame), To, ByDefault);
    HostValues::Origin O = Known.origin(declOf(X), std::nullopt, X, Frame);
    if (O.Value)
      Where[0] = written(O.Value, O.Frame);
    return;
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    if (const clang::Expr *Taken = Known.taken(C, Frame))
      sizes(Taken, Dims, To, Where, ByDefault, Frame, Depth + 1);
    return;
  }
  const clang::Expr *List = nullptr;
  if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(E))
    List = Literal->getInitializer();
  else if (const auto *Braces = dyn_cast<InitListExpr>(E))
    List = Braces;
  if (List) {
    if (const auto *L = dyn_cast<InitListExpr>(List->IgnoreParenImpCasts()))
      for (unsigned D = 0; D < L->getNumInits() && D < 3; ++D)
        Element(D, L->getInit(D), Frame);
    return;
  }
  if (const auto *C = dyn_cast<CXXMemberCallExpr>(plain(E))) { // global.data()
    const CXXMethodDecl *Method = C->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() && Method->getName() == "data")
      return sizes(C->getImplicitObjectArgument(), Dims, To, Where, ByDefault, Frame, Depth + 1);
    return;
  }
  if (const ValueDecl *D = declOf(E))
    variableSizes(D, E, Dims, To, Where, ByDefault, Frame, Depth);
}

void HostSizes::variableSizes(const ValueDecl *D, const clang::Expr *E, unsigned Dims, Sizes &To,
                              Ranges &Where, bool &ByDefault, const HostFrame *Frame,
                              unsigned Depth) {
  if (const auto *P = dyn_cast<ParmVarDecl>(D); P && Frame && D->getType()->isPointerType()) {
    const HostFrame *At = Frame;
    while (At && P->getDeclContext() != At->Callee)
      At = At->Up;
    if (At && P->getFunctionScopeIndex() < At->Args.size()) {
      const clang::Expr *Given = At->Args[P->getFunctionScopeIndex()];
      Where.fill(Locations.range(Given->getSourceRange()));
      return sizes(Given, Dims, To, Where, ByDefault, At->Up, Depth + 1);
    }
    return;
  }
  if (D->getType()->isPointerType()) {
    const HostWrite *Made = nullptr; // the assignment of the pointer itself
    bool Once = true;
    for (const HostWrite &W : Flow.writes(D))
      if (!W.Element) {
        Once &= !Made;
        Made = &W;
      }
    if (!Once || !Made || !Made->Value || !isFresh(Made->Value)) {
      HostValues::Origin O = Known.origin(D, std::nullopt, E, Frame);
      if (O.Value)
        sizes(O.Value, Dims, To, Where, ByDefault, O.Frame, Depth + 1);
      return;
    }
  }
  for (unsigned I = 0; I < (Dims ? Dims : 3); ++I) {
    put(I, Known.number(D, I, E, Frame), To, ByDefault);
    HostValues::Origin O = Known.origin(D, I, E, Frame);
    if (O.Value)
      Where[I] = written(O.Value, O.Frame);
  }
}

void HostSizes::ndrange(const clang::Expr *E, unsigned &Dims, Sizes &To, Ranges &Where,
                        bool &IsNull, bool &ByDefault, const HostFrame *Frame) {
  Where.fill(Locations.range(E->getSourceRange()));
  HostValues::Origin O = Known.source(E, Frame);
  if (!O.Value)
    return;
  const clang::Expr *X = plain(O.Value);
  if (const ValueDecl *D = declOf(X);
      D && D->getDeclName().isIdentifier() && D->getName() == "NullRange") {
    IsNull = true;
    Where.fill(Locations.range(X->getSourceRange()));
    return;
  }
  auto One = [&](unsigned D, const clang::Expr *Value) {
    std::optional<HostNumber> N = Known.number(Value, O.Frame);
    if (N)
      N->ByDefault |= O.ByDefault;
    put(D, N, To, ByDefault);
    Where[D] = written(Value, O.Frame);
  };
  if (const auto *C = dyn_cast<CXXConstructExpr>(X)) {
    Dims = std::min(3u, C->getNumArgs());
    IsNull = Dims == 0;
    for (unsigned D = 0; D < Dims; ++D)
      One(D, C->getArg(D));
  } else if (const auto *L = dyn_cast<InitListExpr>(X)) {
    Dims = std::min(3u, L->getNumInits());
    IsNull = Dims == 0;
    for (unsigned D = 0; D < Dims; ++D)
      One(D, L->getInit(D));
  } else if (!X->getType().isNull() && X->getType()->isIntegralOrEnumerationType()) {
    Dims = 1;
    One(0, X);
  }
}

unsigned HostSizes::trips(ArrayRef<const clang::Stmt *> Loops) const {
  unsigned Trips = 1;
  for (const clang::Stmt *Loop : Loops)
    Trips *= iterations(Loop).Values.size();
  return Trips;
}

HostSizes::Iterations HostSizes::iterations(const clang::Stmt *Loop) const {
  const auto *For = dyn_cast_or_null<ForStmt>(Loop);
  const auto *Cond = For && For->getCond()
                         ? dyn_cast<BinaryOperator>(For->getCond()->IgnoreParenImpCasts())
                         : nullptr;
  if (!Cond || !For->getInc())
    return {};
  const ValueDecl *D = declOf(Cond->getLHS()->IgnoreParenImpCasts());
  std::optional<int64_t> End = Known.integer(Cond->getRHS());
  if (!D || !End || !D->getType()->isIntegerType())
    return {};
  std::optional<int64_t> Start;
  const HostWrite *Step = nullptr;
  for (const HostWrite &W : Flow.writes(D)) {
    bool First = (W.K == HostWrite::Start || W.K == HostWrite::Assign) && W.Value &&
                 For->getInit() && (W.K == HostWrite::Start || Flow.isInside(W.At, For->getInit()));
    if (First && !Start)
      Start = Known.integer(W.Value);
    else if ((W.K == HostWrite::Step || W.K == HostWrite::Compound) && !Step && W.At &&
             Flow.isInside(W.At, For->getInc()))
      Step = &W;
    else if (W.K != HostWrite::Start || W.Value)
      return {};
  }
  if (!Start || !Step)
    return {};
  std::optional<int64_t> By =
      Step->K == HostWrite::Compound ? Known.integer(Step->Value) : std::optional<int64_t>(1);
  bool Down = false;
  if (const auto *U = dyn_cast<UnaryOperator>(For->getInc()->IgnoreParenImpCasts()))
    Down = U->isDecrementOp();
  if (!By || *By <= 0 || *By > (1 << 30))
    return {};
  Iterations R{D, {}};
  constexpr unsigned Most = 128;
  for (int64_t V = *Start;;) {
    bool Holds = Cond->getOpcode() == BO_LT   ? V < *End
                 : Cond->getOpcode() == BO_LE ? V <= *End
                 : Cond->getOpcode() == BO_GT ? V > *End
                 : Cond->getOpcode() == BO_GE ? V >= *End
                                              : Cond->getOpcode() == BO_NE && V != *End;
    if (!Holds)
      return R;
    if (R.Values.size() == Most || V < 0 || V > (int64_t(1) << 32))
      return {};
    R.Values.push_back(V);
    int64_t Before = V;
    if (Step->K == HostWrite::Step)
      V += Down ? -1 : 1;
    else
      V = Step->Op == BO_Mul   ? V * *By
          : Step->Op == BO_Shl ? V << std::min<int64_t>(*By, 31)
          : Step->Op == BO_Div ? V / *By
          : Step->Op == BO_Shr ? V >> std::min<int64_t>(*By, 31)
          : Step->Op == BO_Add ? V + *By
          : Step->Op == BO_Sub ? V - *By
                               : Before;
    if (V == Before)
      return {};
  }
}

} // namespace clmali::model
