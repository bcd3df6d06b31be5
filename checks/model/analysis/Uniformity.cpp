//===-- checks/model/analysis/Uniformity.cpp - Uniform and divergent values ---===//
//
// What it does: for each version, the dimensions along which work-items may see different values:
// from its operands, from the branches that it depends on, and, behind a loop, from the conditions
// under which work-items leave it. A least fixpoint: uniform until shown otherwise.
//
//   int i = get_global_id(0);  int n = w / 2;  if (i < n) k = 1;     i and k vary in x, n does not
//
// What is the same for a group because of its size, such as get_global_id(0) / 32 with a required
// local size of 32, or get_global_id(0) / get_local_size(0), differs between groups only.
//
// Limits: private arrays count as one variable. A load from a uniform address is uniform within a
// group, for work-items in lockstep.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"

namespace clmali::model {

static const Variation Everything{7, 7, true};

/// E as C computes it, through conversions that keep 32 bits and variables with one definition.
std::pair<const Expr *, const Stmt *> KernelAnalysis::Impl::computedAs(const Expr *E,
                                                                       const Stmt *At) {
  constexpr unsigned MostSteps = 16;
  for (unsigned I = 0; I < MostSteps; ++I) {
    if (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E) &&
        isIntScalar(E->Ops[0]) && sizeInBits(E->Ty->Scalar) >= 32) {
      E = E->Ops[0];
      continue;
    }
    unsigned N = E->K == ExprKind::VarRef ? versionAt(E->V, At) : None;
    if (N == None || N >= Versions.size() || !isWholeDef(Versions[N]) || !isIntScalar(E))
      break;
    At = Versions[N].S;
    E = Versions[N].S->E;
  }
  return {E, At};
}

/// The number of consecutive values from 0 on that E, a binary operation on integers, makes one: k
/// for X / k, 2^n for X >> n and for X & m where m is a multiple of 2^n. 0: E is none of these.
static int64_t valuesMadeOne(const Expr *E) {
  constexpr int64_t MostBits = 31; // of a local size
  std::optional<int64_t> C = constantValue(E->Ops[1]);
  if (!C)
    return 0;
  if (E->O == Op::Div)
    return std::max<int64_t>(*C, 0);
  if (E->O == Op::Shr)
    return *C >= 0 && *C < MostBits ? int64_t(1) << *C : 0;
  return E->O == Op::And ? *C & -*C : 0;
}

/// The same of X - X % k and X - (X & k - 1), where Rest is what is subtracted.
static int64_t valuesMadeOneWithout(const Expr *Rest) {
  std::optional<int64_t> C =
      Rest->K == ExprKind::Binary ? constantValue(Rest->Ops[1]) : std::nullopt;
  if (!C || *C <= 0)
    return 0;
  if (Rest->O == Op::Rem)
    return *C;
  return Rest->O == Op::And && llvm::isPowerOf2_64(uint64_t(*C) + 1) ? *C + 1 : 0;
}

/// True if E is get_local_size(Dim).
bool KernelAnalysis::Impl::isLocalSize(const Expr *E, const Stmt *At, unsigned Dim) {
  const Expr *Size = computedAs(E, At).first;
  return Size->K == ExprKind::WorkItem && Size->Query == WorkItemQuery::LocalSize &&
         Size->Dim == Dim;
}

/// The dimension of the id that E is made of, if E is the same for a whole group although the id is
/// not: get_global_id(d) / k, where k is get_local_size(d) or the required local size divides it;
/// get_global_id(d) - get_local_id(d). A global offset counts as whole groups, and all groups as
/// equally large: barriers under E are undefined else.
std::optional<unsigned> KernelAnalysis::Impl::sameInGroup(const Expr *E, const Stmt *At) {
  if (E->K != ExprKind::Binary || !isIntScalar(E) || !isIntScalar(E->Ops[0]))
    return std::nullopt;
  auto [Id, IdAt] = computedAs(E->Ops[0], At);
  if (Id->K != ExprKind::WorkItem || Id->Dim > 2)
    return std::nullopt;
  const bool IsGlobal = Id->Query == WorkItemQuery::GlobalId;
  if (!IsGlobal && Id->Query != WorkItemQuery::LocalId)
    return std::nullopt;
  if (E->O == Op::Div && isLocalSize(E->Ops[1], At, Id->Dim))
    return Id->Dim;
  int64_t MadeOne = valuesMadeOne(E);
  if (E->O == Op::Sub) {
    auto [Rest, RestAt] = computedAs(E->Ops[1], At);
    bool IsLocalId = Rest->K == ExprKind::WorkItem && Rest->Query == WorkItemQuery::LocalId;
    if (IsGlobal && IsLocalId && Rest->Dim == Id->Dim)
      return Id->Dim;
    const bool IsRemainder = Rest->K == ExprKind::Binary && Rest->O == Op::Rem;
    const bool OfGroup = IsRemainder && isLocalSize(Rest->Ops[1], RestAt, Id->Dim);
    MadeOne = valuesMadeOneWithout(Rest);
    if ((MadeOne || OfGroup) && !equal(computedAs(Rest->Ops[0], RestAt).first, Id))
      return std::nullopt;
    if (OfGroup)
      return Id->Dim;
  }
  if (!MadeOne || !K.ReqdWorkGroupSize)
    return std::nullopt;
  const int64_t Size = (*K.ReqdWorkGroupSize)[Id->Dim];
  return IsGlobal ? (Size && MadeOne % Size == 0 ? std::optional<unsigned>(Id->Dim) : std::nullopt)
                  : (MadeOne >= Size ? std::optional<unsigned>(Id->Dim) : std::nullopt);
}

Variation KernelAnalysis::Impl::variationOf(unsigned Version) {
  if (VariationPass)
    VariationPass->read(Version);
  return VersionVaries[Version];
}

/// Of the content of a private object.
Variation KernelAnalysis::Impl::variationIn(const Var *Memory) {
  if (VariationPass)
    VariationPass->read(VersionVaries.size() + SlotOf.lookup(Memory));
  return MemoryVaries.lookup(Memory);
}

Variation KernelAnalysis::Impl::varies(const Expr *E, const Stmt *At) {
  spend();
  Variation R;
  if (std::optional<unsigned> Dim = sameInGroup(E, At)) {
    R.Group = uint8_t(1u << *Dim);
    return R;
  }
  if (Following::mayGoOn(*this))
    if (auto C = componentOf(E, At)) {
      Following Now(*this);
      return varies(C->first, C->second);
    }
  switch (E->K) {
  case ExprKind::VarRef: {
    unsigned V = versionAt(E->V, At);
    return V < VersionVaries.size() ? variationOf(V) : Everything;
  }
  case ExprKind::WorkItem:
    if (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId)
      R.Item = uint8_t(1u << E->Dim);
    if (E->Query == WorkItemQuery::GroupId)
      R.Group = uint8_t(1u << E->Dim);
    return R;
  case ExprKind::Opaque:
    return Everything;
  case ExprKind::ImageRead:
    R.Data = true;
    break;
  case ExprKind::Load: {
    const Var *Base = E->Acc.Base;
    // A struct argument is like its members as single arguments.
    bool Argument = Base->K == Var::Param && !Base->isPointerParam() && !Written.contains(Base);
    R.Data = !Argument && (Written.contains(Base) || (Base->Ints.empty() && Base->Floats.empty()));
    if (!Argument && Base->space() == AddressSpace::Private)
      R = R | (HasOpaque && Base->Ints.empty() ? Everything : variationIn(Base));
    else if (Base->space() == AddressSpace::Local)
      R.Group = 7;
    break;
  }
  default:
    break;
  }
  forEachOperand(*E, [&](const Expr *X) { R = R | varies(X, At); });
  return R;
}

/// The conditions of the branches between S and Loop, which contains it.
Variation KernelAnalysis::Impl::branches(const Stmt *S, const Stmt *Loop) {
  Variation R;
  for (const Stmt *P = Info.lookup(S).Parent; P && P != Loop; P = Info.lookup(P).Parent)
    if (P->E)
      R = R | varies(P->E, P);
  return R;
}

/// The conditions under which a `continue` of Loop before S ends the iteration; S null: any.
Variation KernelAnalysis::Impl::continues(const Stmt *Loop, const Stmt *S) {
  Variation R;
  for (const Stmt *Leave : Leaves.lookup(Loop))
    if (Leave->K == StmtKind::Continue && (!S || Info.lookup(Leave).Time < Info.lookup(S).Time))
      R = R | branches(Leave, Loop);
  return R;
}

/// The conditions under which work-items leave Loop. A `continue` counts only if it skips a break:
/// what else it skips changes the trip count through the variables of the loop's condition.
Variation KernelAnalysis::Impl::leaves(const Stmt *Loop) {
  Variation R;
  if (Loop->E)
    R = varies(Loop->E, Loop);
  for (const Stmt *Leave : Leaves.lookup(Loop))
    if (Leave->K == StmtKind::Break)
      R = R | branches(Leave, Loop) | continues(Loop, Leave);
  return R;
}

Variation KernelAnalysis::Impl::control(const Stmt *S, const Stmt *Outermost, bool ByRanges) {
  Variation R;
  const Stmt *At = S;
  StmtInfo I = Info.lookup(S);
  while (const Stmt *P = I.Parent) {
    if (P == Outermost)
      break;
    if (P->K == StmtKind::If && !(ByRanges && isIntScalar(P->E) && rangeAt(P->E, P).isConstant()))
      R = R | varies(P->E, P);
    else if (P->K == StmtKind::Loop && !I.InHead)
      R = R | leaves(P) | continues(P, At);
    At = P;
    I = Info.lookup(P);
  }
  return R;
}

/// True if both branches assign the same value of the same variables:
/// if (..) { n /= 2; .. } else n /= 2;
bool KernelAnalysis::Impl::isSameInBoth(const Version &V) {
  if (V.S->K != StmtKind::If || V.In.size() != 2)
    return false;
  const Version &A = Versions[V.In[0]], &B = Versions[V.In[1]];
  auto IsWhole = [](const Version &X) {
    return X.K == Version::Def && X.S->K == StmtKind::Assign && X.S->E && X.S->LaneIdx.empty();
  };
  if (!IsWhole(A) || !IsWhole(B) || !equal(A.S->E, B.S->E))
    return false;
  return llvm::all_of(exprs(A.S->E), [&](ExprAt E) {
    return E->K == ExprKind::VarRef ? versionAt(E->V, A.S) == versionAt(E->V, B.S)
                                    : !isRead(E->K) && E->K != ExprKind::Opaque;
  });
}

Variation KernelAnalysis::Impl::evalVariation(const Version &V) {
  Variation R;
  auto All = [&] {
    for (unsigned In : V.In)
      R = R | variationOf(In);
  };
  switch (V.K) {
  case Version::Entry:
  case Version::Undef:
    return R;
  case Version::Unknown:
  case Version::LoopHead:
    All();
    return R;
  case Version::LoopExit:
    All();
    return R | leaves(V.S);
  case Version::Join:
    All();
    if (isSameInBoth(V))
      return R;
    return R | (V.S->K == StmtKind::Loop ? leaves(V.S) | continues(V.S) : varies(V.S->E, V.S));
  case Version::Def:
    switch (V.S->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
      R = V.S->E ? varies(V.S->E, V.S) : R;
      return V.Prev == None ? R : R | variationOf(V.Prev);
    case StmtKind::AsyncCopy:
      return R;
    default:
      return Everything;
    }
  }
  return Everything;
}

static bool same(const Variation &A, const Variation &B) {
  return A.Item == B.Item && A.Group == B.Group && A.Data == B.Data;
}

/// What S, a store, a declaration or another access to private memory, adds to the variation of
/// what it changes.
Variation KernelAnalysis::Impl::storedVariation(const Stmt *S) {
  if (S->K != StmtKind::Store && S->K != StmtKind::Decl)
    return Everything;
  Variation R = control(S, nullptr);
  forEachExpr(*S, [&](const Expr *E) { R = R | varies(E, S); });
  // An initialiser of which only the text is known.
  if (S->K == StmtKind::Decl && !S->Text.empty() && !S->E && S->Args.empty() &&
      S->V->Ints.empty() && S->V->Floats.empty())
    R = R | Everything;
  return R;
}

void KernelAnalysis::Impl::findVariation() {
  if (UniformReady)
    return;
  UniformReady = true;
  VersionVaries.assign(Versions.size(), Variation());
  std::vector<std::pair<const Stmt *, const Var *>> Stores;
  for (const Stmt *S : Order)
    if (const Var *Base = S->K == StmtKind::Decl ? S->V : S->Acc.Base;
        Base && Base->isMemory() && Base->space() == AddressSpace::Private)
      Stores.push_back({S, Base});
  unsigned FirstStore = Versions.size() + Slots.size();
  VariationPass.emplace(FirstStore + Stores.size());
  bool Changed = true;
  // Computes result N again, a part of Held, which others read as Node.
  auto Update = [&](unsigned N, unsigned Node, Variation &Held, auto Compute) {
    VariationPass->begin(N);
    Variation New = Held | Compute();
    if (same(New, Held))
      return;
    Held = New;
    Changed = true;
    VariationPass->changed(Node);
  };
  auto Next = [&](unsigned From, unsigned End) { return VariationPass->next(From, End); };
  while (Changed) {
    Changed = false;
    const unsigned Versioned = VersionVaries.size();
    for (unsigned N = Next(0, Versioned); N < Versioned; N = Next(N + 1, Versioned))
      Update(N, N, VersionVaries[N],
             [&] { return Versions[N].V->isMemory() ? Variation() : evalVariation(Versions[N]); });
    const unsigned End = FirstStore + Stores.size();
    for (unsigned N = Next(FirstStore, End); N < End; N = Next(N + 1, End)) {
      auto [S, Base] = Stores[N - FirstStore];
      Update(N, Versioned + SlotOf.lookup(Base), MemoryVaries[Base],
             [&, S = S] { return storedVariation(S); });
    }
  }
  VariationPass.reset();
}

} // namespace clmali::model
