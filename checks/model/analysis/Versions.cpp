//===-- checks/model/analysis/Versions.cpp - Variables become versions -----===//
//
// What it does: one structured walk over the kernel that numbers the versions of variables and
// memory objects (AnalysisImpl.h), and records for each statement its enclosing statements, the
// guards that hold there, and its barrier interval.
//
// Limits: memory has one version for each object, not for each element; two
// objects are assumed not to overlap. An opaque statement changes everything.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::model {

bool isWholeDef(const Version &V) {
  return V.K == Version::Def && !V.V->isMemory() && V.S->E && V.S->LaneIdx.empty() &&
         (V.S->K == StmtKind::Assign || V.S->K == StmtKind::Decl);
}

bool isIntScalar(const Expr *E) { return E->Ty->isScalar() && E->Ty->isInteger(); }

/// True for opaque statements that change none of the work-item's variables, by the text that the
/// lifter gives them.
static bool keepsVariables(const Stmt &S) {
  return S.K == StmtKind::Opaque &&
         (S.Text == "printf of what is no number" || S.Text == "sub-group function" ||
          S.Text == "work-group function" || S.Text == "pointer with two bases" ||
          S.Text == "pointer that changes its buffer" ||
          (llvm::StringRef(S.Text).starts_with("call of ") &&
           llvm::StringRef(S.Text).ends_with(", and is given values")) ||
          S.Text == "device-side enqueue");
}

/// True if text that did not parse may change the variable whose name is [Begin, End). False where
/// it is only read: as a subscript, an operand, or an argument of a function that is no macro.
static bool writesAt(llvm::StringRef Text, size_t Begin, size_t End) {
  llvm::StringRef Before = Text.take_front(Begin).rtrim(), After = Text.drop_front(End).ltrim();
  if (Before.ends_with("&") || Before.ends_with("++") || Before.ends_with("--"))
    return true;
  if (After.starts_with("++") || After.starts_with("--") || After.starts_with(".") ||
      After.starts_with("[") || After.starts_with("->"))
    return true;
  size_t Equals = After.find_first_not_of("+-*/%&|^<>");
  if (Equals <= 2 && After.drop_front(Equals).starts_with("=") &&
      !After.drop_front(Equals).starts_with("==") && !After.starts_with("<=") &&
      !After.starts_with(">="))
    return true;
  // MACRO(.., v, ..) may do anything.
  int Depth = 0;
  for (size_t I = Begin; I-- > 0;) {
    Depth += Text[I] == ')' ? 1 : Text[I] == '(' ? -1 : 0;
    if (Depth >= 0)
      continue;
    llvm::StringRef Callee = Text.take_front(I).rtrim();
    Callee = Callee.substr(
        Callee.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") +
        1);
    if (!Callee.empty() && llvm::none_of(Callee, llvm::isLower))
      return true;
    Depth = 0;
  }
  return false;
}

bool mayChange(const Stmt &S, const Var &V) {
  if (S.K != StmtKind::Opaque || keepsVariables(S))
    return false;
  if (S.V)
    return S.V == &V;
  if (S.Text != "text that did not parse" || S.Name.empty())
    return true;
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  llvm::StringRef Text = S.Name;
  for (size_t At = Text.find(V.Name); At != llvm::StringRef::npos; At = Text.find(V.Name, At + 1)) {
    size_t End = At + V.Name.size();
    bool Whole = (At == 0 || !IsWord(Text[At - 1])) && (End >= Text.size() || !IsWord(Text[End]));
    if (Whole && writesAt(Text, At, End))
      return true;
  }
  return false;
}

/// True for memory that other work-items may write: buffers, local memory, images.
static bool isSharedMemory(const Var &V) {
  if (V.isImage())
    return isWritable(V);
  return V.isMemory() && V.space() != AddressSpace::Private && V.space() != AddressSpace::Constant;
}

unsigned KernelAnalysis::Impl::slot(const Var *V) {
  auto [It, New] = SlotOf.try_emplace(V, Slots.size());
  if (New)
    Slots.push_back(V);
  return It->second;
}

unsigned KernelAnalysis::Impl::newVersion(Version::Kind Kind, unsigned Slot, const Stmt *S) {
  spend();
  Version V;
  V.K = Kind;
  V.V = Slots[Slot];
  V.S = S;
  Versions.push_back(V);
  return Versions.size() - 1;
}

void KernelAnalysis::Impl::set(State &St, unsigned Slot, unsigned Version) {
  St.set(Slot, Version);
  Logged.set(Slot, Version);
  Log[Slot].push_back({Time, Version});
}

void KernelAnalysis::Impl::become(State &Current, const State &New) {
  Current = New;
  if (New.empty())
    return;
  State::forEachDifference(Logged, New,
                           [&](unsigned Slot) { Log[Slot].push_back({Time, New[Slot]}); });
  Logged = New;
}

KernelAnalysis::Impl::State KernelAnalysis::Impl::merge(const std::vector<State> &States,
                                                        Version::Kind Kind, const Stmt *S) {
  std::vector<const State *> Live;
  for (const State &St : States)
    if (!St.empty())
      Live.push_back(&St);
  if (Live.empty())
    return {};
  State Result = *Live.front();
  std::vector<unsigned> Different;
  for (const State *Other : llvm::drop_begin(Live))
    State::forEachDifference(*Live.front(), *Other,
                             [&](unsigned Slot) { Different.push_back(Slot); });
  llvm::sort(Different);
  Different.erase(llvm::unique(Different), Different.end());
  for (unsigned I : Different) {
    llvm::SmallVector<unsigned, 2> In;
    for (const State *St : Live)
      if (!llvm::is_contained(In, (*St)[I]))
        In.push_back((*St)[I]);
    unsigned New = newVersion(Kind, I, S);
    Versions[New].In = In;
    Result.set(I, New);
  }
  return Result;
}

/// Finds all variables and memory objects, their definitions, and the
/// statement that each expression belongs to.
void KernelAnalysis::Impl::collect(const StmtList &B) {
  for (Stmt *S : stmts(B)) {
    if (S->V)
      slot(S->V);
    for (const Access *A : {&S->Acc, &S->Source})
      if (A->Base)
        slot(A->Base);
    if (S->K == StmtKind::Store || S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy)
      Written.insert(S->Acc.Base);
    if (S->K == StmtKind::ImageWrite) {
      slot(S->Image);
      Written.insert(S->Image);
    }
    HasOpaque |= S->K == StmtKind::Opaque && !S->V && !keepsVariables(*S);
    bool GivesValue = S->K == StmtKind::Assign || S->K == StmtKind::Atomic ||
                      S->K == StmtKind::AsyncCopy || (S->K == StmtKind::Decl && S->E);
    if (S->V && S->V->K != Var::Memory && GivesValue)
      DefsOf[S->V].push_back(S);
    for (ExprAt X : exprs(*S)) {
      auto [It, New] = Owner.try_emplace(X.E, S);
      if (!New && It->second != S)
        It->second = nullptr;
      for (const Var *V : {X->V, X->Acc.Base, X->Image})
        if (V)
          slot(V);
    }
  }
  constexpr uint8_t AllDims = 7;
  NDRangeUse Use = NDRangeUse::of(B);
  ItemDims = Use.itemIds() & AllDims;
  UsedDims = Use.ids() & AllDims;
  LocalDims = Use[WorkItemQuery::LocalId] & AllDims;
  UsesGroups = Use.usesGroups();
}

/// Visits the slots, ascending, that may have another value after S, a barrier (writes of other
/// work-items become visible), a call or an opaque statement. Private objects have no other
/// writers.
void KernelAnalysis::Impl::forEachClobbered(const Stmt &S,
                                            llvm::function_ref<void(unsigned)> Visit) const {
  if (S.K != StmtKind::Opaque || keepsVariables(S)) {
    llvm::for_each(WrittenShared, Visit);
    return;
  }
  for (unsigned I = 0; I < Slots.size(); ++I) {
    spend();
    const Var *V = Slots[I];
    bool Constant = V->isMemory() && V->space() == AddressSpace::Constant;
    bool Shared = isSharedMemory(*V);
    if ((!Constant && mayChange(S, *V)) || (Shared && Written.contains(V)))
      Visit(I);
  }
}

void KernelAnalysis::Impl::clobber(State &St, const Stmt *S) {
  if (!St.empty())
    forEachClobbered(*S, [&](unsigned I) { set(St, I, newVersion(Version::Def, I, S)); });
}

void KernelAnalysis::Impl::definedIn(const StmtList &B, llvm::DenseSet<unsigned> &Defined) {
  walk(B, [&](Stmt *S) {
    switch (S->K) {
    case StmtKind::Opaque:
    case StmtKind::Barrier:
    case StmtKind::Call:
      forEachClobbered(*S, [&](unsigned I) { Defined.insert(I); });
      break;
    case StmtKind::Store:
    case StmtKind::Atomic:
    case StmtKind::AsyncCopy:
      Defined.insert(SlotOf.lookup(S->Acc.Base));
      break;
    case StmtKind::ImageWrite:
      Defined.insert(SlotOf.lookup(S->Image));
      break;
    default:
      break;
    }
    if (S->V)
      Defined.insert(SlotOf.lookup(S->V));
    return true;
  });
}

/// The chain Outer with the parts of Cond added: both sides of a true &&, of a false ||.
const GuardLink *KernelAnalysis::Impl::guard(const Expr *Cond, bool Holds, const Stmt *At,
                                             const GuardLink *Outer) {
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot && Cond->Ty->isScalar())
    return guard(Cond->Ops[0], !Holds, At, Outer);
  if (Cond->K == ExprKind::Cast && Cond->C == CastOp::Convert && isIntScalar(Cond) &&
      isIntScalar(Cond->Ops[0]) &&
      (Cond->Ty->Scalar == ScalarKind::Bool ||
       sizeInBits(Cond->Ty->Scalar) >= sizeInBits(Cond->Ops[0]->Ty->Scalar)))
    return guard(Cond->Ops[0], Holds, At, Outer);
  if (Cond->K == ExprKind::Binary && Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr)) {
    Outer = guard(Cond->Ops[0], Holds, At, Outer);
    return guard(Cond->Ops[1], Holds, At, Outer);
  }
  Links.push_back({Cond, Holds, At, Outer, true});
  return &Links.back();
}

/// Guards from Inner up to Outer whose variables changed after Begin are not listed with accesses:
/// evaluated there, they would have another value.
void KernelAnalysis::Impl::unlistChanged(const GuardLink *Inner, const GuardLink *Outer,
                                         unsigned Begin) {
  for (const GuardLink *G = Inner; G != Outer; G = G->Outer)
    model::walk(G->Cond, [&](const Expr *E) {
      if (E->K == ExprKind::VarRef && Log[SlotOf.lookup(E->V)].back().first > Begin)
        const_cast<GuardLink *>(G)->Listed = false;
      return G->Listed;
    });
}

/// A new interval that is reached from each of From.
unsigned KernelAnalysis::Impl::meeting(llvm::ArrayRef<unsigned> From) {
  unsigned New = NumIntervals++;
  Intervals.grow(NumIntervals);
  for (unsigned I : From)
    Intervals.join(I, New);
  return New;
}

void KernelAnalysis::Impl::flow(const StmtList &B, State &St, Exits *Loop, const GuardLink *G,
                                unsigned &Interval, const Stmt *Parent, bool InHead) {
  for (const Stmt *S : B) {
    StmtInfo &I = Info[S];
    I.Parent = Parent;
    I.InHead = InHead;
    I.Interval = Interval;
    I.Guards = G;
    I.Time = ++Time;
    Order.push_back(S);
    flow(S, St, Loop, G, Interval);
  }
}

void KernelAnalysis::Impl::flow(const Stmt *S, State &St, Exits *Loop, const GuardLink *G,
                                unsigned &Interval) {
  ++Time;
  switch (S->K) {
  case StmtKind::If: {
    State Before = St;
    unsigned ThenInterval = Interval, Begin = Time;
    const GuardLink *Yes = guard(S->E, true, S, G), *Not = guard(S->E, false, S, G);
    flow(S->Body, St, Loop, Yes, ThenInterval, S, false);
    unlistChanged(Yes, G, Begin);
    State Then = St;
    ++Time;
    become(St, Before);
    Begin = Time;
    flow(S->Else, St, Loop, Not, Interval, S, false);
    unlistChanged(Not, G, Begin);
    ++Time;
    if (St.empty())
      Interval = ThenInterval;
    else if (!Then.empty() && ThenInterval != Interval)
      Interval = meeting({ThenInterval, Interval});
    become(St, merge({Then, St}, Version::Join, S));
    return;
  }
  case StmtKind::Loop:
    return flowLoop(S, St, G, Interval);
  case StmtKind::Break:
  case StmtKind::Continue:
    LeavesEarly = true;
    if (Loop && !St.empty()) {
      (S->K == StmtKind::Break ? Loop->Break : Loop->Continue).push_back(St);
      Leaves[LoopStack.back()].push_back(S);
      Breaks.push_back(Interval);
    }
    St.clear();
    return;
  case StmtKind::Return:
    LeavesEarly = true;
    Returns.push_back(S);
    St.clear();
    return;
  case StmtKind::Barrier:
    // A sub-group barrier does not order the whole work-group.
    if (!llvm::StringRef(S->Name).starts_with("sub_group")) {
      Barriers = true;
      Interval = NumIntervals++;
      Intervals.grow(NumIntervals);
    }
    clobber(St, S);
    return;
  case StmtKind::Call:
    if (S->Name != "printf" && S->Name != "prefetch")
      clobber(St, S);
    break;
  case StmtKind::Opaque:
    clobber(St, S);
    return;
  default:
    break;
  }
  if (St.empty())
    return;
  if (S->K == StmtKind::Store || S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy ||
      S->K == StmtKind::ImageWrite) {
    unsigned Slot = SlotOf.lookup(S->Image ? S->Image : S->Acc.Base);
    unsigned New = newVersion(Version::Def, Slot, S);
    Versions[New].Prev = St[Slot];
    set(St, Slot, New);
  }
  if (S->V) {
    unsigned Slot = SlotOf.lookup(S->V);
    bool Bare = S->K == StmtKind::Decl && !S->E;
    unsigned New = newVersion(Bare ? Version::Undef : Version::Def, Slot, S);
    if (!S->LaneIdx.empty())
      Versions[New].Prev = St[Slot];
    set(St, Slot, New);
    VersionMade[{S, Slot}] = New;
  }
}

void KernelAnalysis::Impl::flowLoop(const Stmt *S, State &St, const GuardLink *G,
                                    unsigned &Interval) {
  flow(S->Init, St, nullptr, G, Interval, S, true);
  ++Time;
  llvm::DenseSet<unsigned> DefinedSet;
  definedIn(S->Body, DefinedSet);
  definedIn(S->Step, DefinedSet);
  std::vector<unsigned> Defined(DefinedSet.begin(), DefinedSet.end());
  llvm::sort(Defined);
  bool Live = !St.empty();
  if (Live)
    for (unsigned I : Defined) {
      unsigned Head = newVersion(Version::LoopHead, I, S);
      Versions[Head].In.push_back(St[I]);
      HeadOf[{S, I}] = Head;
      set(St, I, Head);
    }
  unsigned HeadInterval = Interval, IntervalsBefore = NumIntervals;
  bool TestFirst = S->Form != Stmt::DoWhile;
  Exits E;
  std::vector<State> Out;
  const GuardLink *Inside = G;
  if (TestFirst) {
    Info[S].Time = ++Time;
    if (S->E) {
      Out.push_back(St);
      Inside = guard(S->E, true, S, G);
    }
  }
  unsigned Begin = ++Time;
  std::vector<unsigned> OuterBreaks;
  std::swap(Breaks, OuterBreaks);
  LoopStack.push_back(S);
  flow(S->Body, St, &E, Inside, Interval, S, false);
  unlistChanged(Inside, G, Begin);
  LoopStack.pop_back();
  std::vector<unsigned> Left;
  std::swap(Breaks, Left);
  std::swap(Breaks, OuterBreaks);
  for (unsigned I : Left)
    Intervals.join(I, Interval);
  ++Time;
  E.Continue.push_back(St);
  become(St, merge(E.Continue, Version::Join, S));
  flow(S->Step, St, nullptr, Inside, Interval, S, false);
  if (!TestFirst) {
    Info[S].Time = ++Time;
    if (S->E)
      Out.push_back(St);
  }
  if (Live && !St.empty()) {
    for (unsigned I : Defined)
      Versions[HeadOf.lookup({S, I})].In.push_back(St[I]);
    Intervals.join(HeadInterval, Interval);
  }
  // The interval behind the loop is reached from its end, from its head (no trip) and from its
  // breaks. It differs from the one before the loop if the loop has a barrier.
  if (NumIntervals != IntervalsBefore) {
    Left.push_back(Interval);
    if (TestFirst)
      Left.push_back(HeadInterval);
    Interval = meeting(Left);
  }
  Out.insert(Out.end(), E.Break.begin(), E.Break.end());
  llvm::erase_if(Out, [](const State &X) { return X.empty(); });
  ++Time;
  if (Out.empty()) {
    St.clear();
    return;
  }
  State After = Out.front();
  for (unsigned I : Defined) {
    unsigned Exit = newVersion(Version::LoopExit, I, S);
    for (const State &X : Out)
      if (!llvm::is_contained(Versions[Exit].In, X[I]))
        Versions[Exit].In.push_back(X[I]);
    After.set(I, Exit);
  }
  become(St, After);
}

void KernelAnalysis::Impl::buildVersions() {
  for (const Var *P : K.Params)
    slot(P);
  for (const Var *V : K.Vars)
    slot(V);
  collect(K.Body);
  Log.resize(Slots.size());
  UnknownOf.assign(Slots.size(), None);
  Intervals.grow(NumIntervals);
  for (unsigned I = 0; I < Slots.size(); ++I)
    if (const Var *V = Slots[I]; Written.contains(V) && isSharedMemory(*V))
      WrittenShared.push_back(I);
  State St(Slots.size());
  Logged = State(Slots.size());
  for (unsigned I = 0; I < Slots.size(); ++I) {
    bool HasContent = Slots[I]->K == Var::Param || Slots[I]->isMemory();
    set(St, I, newVersion(HasContent ? Version::Entry : Version::Undef, I, nullptr));
  }
  unsigned Interval = 0;
  flow(K.Body, St, nullptr, nullptr, Interval, nullptr, false);
  // "Any value of V": all definitions, and all versions that are read.
  llvm::DenseSet<unsigned> Used;
  for (const Stmt *S : Order)
    for (ExprAt X : exprs(*S)) {
      if (X->K == ExprKind::VarRef)
        Used.insert(versionAt(X->V, S));
      if (X->K == ExprKind::Load)
        Used.insert(versionAt(X->Acc.Base, S));
    }
  std::vector<unsigned> Count(Slots.size());
  for (unsigned I = 0; I < Slots.size(); ++I) {
    unsigned Any = newVersion(Version::Unknown, I, nullptr);
    llvm::SmallDenseSet<unsigned, 8> Listed;
    for (auto [T, Ver] : Log[I]) {
      Version::Kind Kind = Versions[Ver].K;
      bool Given = Kind == Version::Def || Kind == Version::Entry;
      if ((Given || Used.contains(Ver)) && Listed.insert(Ver).second)
        Versions[Any].In.push_back(Ver);
    }
    UnknownOf[I] = Any;
    // For a variable that is never read: its only version, if there is one.
    SeenOf.push_back(Log[I].size() == 1 ? Log[I].front().second : None);
  }
  for (unsigned Ver : Used) {
    unsigned I = SlotOf.lookup(Versions[Ver].V);
    SeenOf[I] = Count[I]++ ? None : Ver;
  }
}

unsigned KernelAnalysis::Impl::versionAt(const Var *V, const Stmt *S) {
  auto It = SlotOf.find(V);
  unsigned Slot = It == SlotOf.end() ? None : It->second;
  if (Slot == None) {
    // A variable that is not (yet) part of the kernel.
    Slot = slot(V);
    Log.emplace_back();
    UnknownOf.push_back(None);
    Log[Slot].push_back({0, newVersion(Version::Unknown, Slot, nullptr)});
  }
  const auto &L = Log[Slot];
  if (S) {
    auto InfoIt = Info.find(S);
    if (InfoIt != Info.end()) {
      unsigned At = InfoIt->second.Time;
      auto Next = llvm::partition_point(L, [At](const auto &X) { return X.first <= At; });
      return Next == L.begin() ? L.front().second : std::prev(Next)->second;
    }
  }
  // No statement, or several: the version that all reads see, if it is one.
  if (Slot < SeenOf.size() && SeenOf[Slot] != None)
    return SeenOf[Slot];
  return UnknownOf[Slot] == None ? L.front().second : UnknownOf[Slot];
}

bool KernelAnalysis::Impl::isInside(const Stmt *S, const Stmt *Loop) const {
  for (; S; S = Info.lookup(S).Parent) {
    if (S == Loop)
      return true;
    StmtInfo I = Info.lookup(S);
    if (I.Parent == Loop && I.InHead)
      return false;
  }
  return false;
}

std::vector<const Stmt *> KernelAnalysis::Impl::loopsOf(const Stmt *S) const {
  std::vector<const Stmt *> Loops;
  StmtInfo I = Info.lookup(S);
  while (const Stmt *P = I.Parent) {
    if (P->K == StmtKind::Loop && !I.InHead)
      Loops.insert(Loops.begin(), P);
    I = Info.lookup(P);
  }
  return Loops;
}

bool KernelAnalysis::Impl::invariant(unsigned Ver, const Stmt *Loop) {
  const Version &V = Versions[Ver];
  switch (V.K) {
  case Version::Entry:
  case Version::Undef:
    return true;
  case Version::Unknown:
    return false;
  case Version::LoopExit:
    return V.S == Loop || !isInside(V.S, Loop);
  case Version::Join:
  case Version::LoopHead:
    return !isInside(V.S, Loop);
  case Version::Def:
    if (!isInside(V.S, Loop))
      return true;
    if (V.V->isMemory() || (V.S->K != StmtKind::Assign && V.S->K != StmtKind::Decl) ||
        !V.S->LaneIdx.empty())
      return false;
    if (auto Known = Invariant.find({Ver, Loop}); Known != Invariant.end())
      return Known->second;
    return Invariant[{Ver, Loop}] = invariant(V.S->E, V.S, Loop);
  }
  return false;
}

bool KernelAnalysis::Impl::invariant(const Expr *E, const Stmt *At, const Stmt *Loop) {
  return llvm::all_of(exprs(E), [&](ExprAt X) {
    if (X->K == ExprKind::Opaque || (X->K == ExprKind::Load && X->Acc.Volatile))
      return false;
    if (X->K == ExprKind::VarRef)
      return invariant(versionAt(X->V, At), Loop);
    return !isRead(X->K) || invariant(versionAt(X->Image ? X->Image : X->Acc.Base, At), Loop);
  });
}

} // namespace clmali::model
