// Loops of symbolic trip count.
//
//   before   the frame is at the header of a loop that may run any number of times
//   after    one iteration has been executed with a variable for each value that an iteration
//            changes; the frame is behind the loop, with the values that LoopValues gives them
//   limits   one exit, which every iteration comes to; no load of a buffer that the loop writes
//
// Which values an iteration changes is found by executing it, until no other value changes.

#include "rewriters/verify/symbolic/Machine.h"
#include "rewriters/verify/symbolic/loops/LoopValues.h"

#include "llvm/ADT/STLExtras.h"

namespace clmali::verify::symbolic {

using namespace llvm;

struct Machine::LoopRun {
  struct Place {
    uint32_t Object = 0;
    uint64_t Offset = 0;
    unsigned Bytes = 0;
    uint32_t Pointee = NoObject;
  };
  const Loop *L = nullptr;
  const BranchInst *Exit = nullptr; ///< the branch that leaves the loop
  bool StayIfTrue = true;
  std::vector<Place> Places;
  std::vector<LoopValues::Unit> Units; ///< one for each place
  Term Condition = 0;
  bool Grew = false;
  size_t FirstAccess = 0, FirstHazard = 0;

  const BasicBlock *inside() const { return Exit->getSuccessor(StayIfTrue ? 0 : 1); }
  const BasicBlock *outside() const { return Exit->getSuccessor(StayIfTrue ? 1 : 0); }
};

static const BranchInst *exitOf(const Loop &L, const DominatorTree &Dominators) {
  const BasicBlock *Exiting = L.getExitingBlock(), *Latch = L.getLoopLatch();
  if (!Exiting || !Latch || !Dominators.dominates(Exiting, Latch))
    return nullptr;
  const auto *Branch = dyn_cast<BranchInst>(Exiting->getTerminator());
  return Branch && Branch->isConditional() ? Branch : nullptr;
}

void Machine::dropAfter(size_t Access, size_t FirstHazard) {
  Accesses.resize(Access);
  for (size_t I = FirstHazard; I < Hazards.size(); ++I)
    KnownHazards.erase({Hazards[I].Path, Hazards[I].Bad});
  Hazards.resize(FirstHazard);
}

bool Machine::runToExit(Item &W, const Frame &Start, LoopRun &L, Term &Stay) {
  const size_t Depth = W.Frames.size() - 1;
  W.Frames[Depth] = Start;
  const Instruction *Outer = Pause;
  Pause = L.Exit;
  Halt H = run(W, Depth, nullptr);
  Pause = Outer;
  if (H != Halt::Stopped) {
    fail("a loop that may end the kernel", StopKind::LoopForm);
    return false;
  }
  Stay = getOne(W.Frames[Depth], L.Exit->getCondition()).T;
  if (!L.StayIfTrue)
    Stay = T.bitNot(Stay);
  if (T.node(Stay).HasUndef)
    fail("a loop depends on an uninitialised value", StopKind::Uninitialised);
  return !failed();
}

/// Adds the cells that the iteration has changed and that are not yet among the places.
void Machine::addPlaces(LoopRun &L) {
  auto isKnown = [&](std::pair<uint32_t, uint64_t> Key) {
    return any_of(L.Places, [&](const LoopRun::Place &P) {
      return P.Object == Key.first && Key.second >= P.Offset && Key.second < P.Offset + P.Bytes;
    });
  };
  for (const auto &[Key, Old] : Journals.back()) {
    const Object &O = Objects[Key.first];
    if (O.Dead || Key.second >= O.size() || O.Cells[Key.second] == Old || isKnown(Key))
      continue;
    const Cell &New = O.Cells[Key.second];
    bool Whole = New.Byte == 0 && Key.second + New.Bytes <= O.size();
    for (unsigned N = 1; Whole && N < New.Bytes; ++N)
      Whole = O.Cells[Key.second + N] == Cell{New.L, uint8_t(N), New.Bytes} &&
              !isKnown({Key.first, Key.second + N});
    LoopRun::Place P{Key.first, Key.second, Whole ? New.Bytes : 1u, New.L.Object};
    if (New.L.isPointer() && (!Whole || New.L.Object >= MixedObject))
      return fail("a pointer that depends on a loop", StopKind::Pointer);
    L.Places.push_back(P);
    L.Units.emplace_back().Variable = Open->Loops->fresh(P.Bytes * 8);
    L.Grew = true;
  }
}

bool Machine::runIteration(Item &W, const Frame &Start, LoopRun &L) {
  const size_t Depth = W.Frames.size() - 1;
  dropAfter(L.FirstAccess, L.FirstHazard);
  Journals.emplace_back();
  for (size_t I = 0; I < L.Places.size(); ++I) {
    const LoopRun::Place &P = L.Places[I];
    writeLane(P.Object, P.Offset, {L.Units[I].Variable, P.Pointee}, P.Bytes);
  }
  if (!runToExit(W, Start, L, L.Condition))
    return false;
  Path.push_back(L.Condition);
  jump(W.Frames[Depth], L.inside());
  if (L.inside() != Start.Block && !failed() && run(W, Depth, Start.Block) != Halt::Stopped)
    fail("a loop that may end the kernel", StopKind::LoopForm);
  Path.pop_back();
  L.Grew = false;
  if (!failed())
    addPlaces(L);
  for (size_t I = 0; I < L.Places.size() && !L.Grew && !failed(); ++I) {
    const LoopRun::Place &P = L.Places[I];
    Lane Next = peek(Objects[P.Object], P.Offset, P.Bytes);
    if (!Next.T || Next.Object != P.Pointee)
      fail("a pointer that depends on a loop", StopKind::Pointer);
    L.Units[I].Next = Next.T;
    L.Units[I].Wide = Next.Wide;
  }
  if (failed())
    return false;
  for (auto &[Key, Old] : Journals.back())
    if (Object &O = Objects[Key.first]; !O.Dead && Key.second < O.size())
      O.Cells[Key.second] = Old;
  Journals.pop_back();
  return true;
}

/// No value that an iteration loads may come from another iteration.
bool Machine::loadsWhatItStores(const LoopRun &L) const {
  for (size_t I = L.FirstAccess; I < Accesses.size(); ++I)
    for (size_t J = L.FirstAccess; J < Accesses.size(); ++J)
      if (Accesses[I].Write && !Accesses[J].Write && Accesses[I].Buffer == Accesses[J].Buffer)
        return true;
  return false;
}

void Machine::finishLoop(Item &W, const Frame &Start, LoopRun &L) {
  for (size_t I = 0; I < L.Places.size(); ++I) {
    const LoopRun::Place &P = L.Places[I];
    Lane Initial = peek(Objects[P.Object], P.Offset, P.Bytes);
    const bool Undefined = Initial.T && T.isUndef(Initial.T);
    if (!Initial.T || (Initial.Object != P.Pointee && !Undefined))
      return fail("a pointer that depends on a loop", StopKind::Pointer);
    L.Units[I].Initial = Initial.T;
  }
  Open->Loops->name(L.Units, L.Condition);
  for (const LoopValues::Unit &U : L.Units)
    if (Term Fact = Open->Loops->counterFact(U))
      Facts.push_back(T.bitOr(T.bitNot(pathCondition()), Fact));
  DenseMap<Term, Term> Map;
  for (const LoopValues::Unit &U : L.Units)
    Map[U.Variable] = U.Sequence;
  for (size_t I = L.FirstAccess; I < Accesses.size(); ++I) {
    OpenAccess &A = Accesses[I];
    A.Offset = T.substitute(A.Offset, Map);
    A.Value = A.Value ? T.substitute(A.Value, Map) : 0;
    for (Term &C : A.Path)
      C = T.substitute(C, Map);
  }
  for (size_t I = L.FirstHazard; I < Hazards.size(); ++I) {
    Hazards[I].Path = T.substitute(Hazards[I].Path, Map);
    Hazards[I].Bad = T.substitute(Hazards[I].Bad, Map);
    Hazards[I].Exact = Hazards[I].Exact ? T.substitute(Hazards[I].Exact, Map) : 0;
    Hazards[I].Result = Hazards[I].Result ? T.substitute(Hazards[I].Result, Map) : 0;
  }
  Open->Loops->substitute(Map);
  for (std::vector<Term> *Bits : {&Facts, &Claims})
    for (Term &Bit : *Bits)
      Bit = T.substitute(Bit, Map);
  for (SplitSum &S : Splits)
    S.Bit = T.substitute(S.Bit, Map);
  for (size_t I = 0; I < L.Places.size(); ++I)
    writeLane(L.Places[I].Object, L.Places[I].Offset, {L.Units[I].Final, L.Places[I].Pointee},
              L.Places[I].Bytes);
  // What the last evaluation of the condition accesses is among the accesses of the iterations.
  const size_t Access = Accesses.size(), FirstHazard = Hazards.size();
  Term Stay = 0;
  if (!runToExit(W, Start, L, Stay))
    return;
  dropAfter(Access, FirstHazard);
  Facts.push_back(T.bitNot(T.bitAnd(pathCondition(), Stay)));
  jump(W.Frames.back(), L.outside());
}

bool Machine::runLoop(Item &W) {
  constexpr unsigned MostRounds = 12;
  W.Frames.back().AtLoop = false;
  const Frame Start = W.Frames.back();
  LoopRun L;
  L.L = Start.Info->Loops.getLoopFor(Start.Block);
  L.Exit = exitOf(*L.L, Start.Info->Dominators);
  if (!L.Exit) {
    fail("a loop of symbolic trip count with several exits", StopKind::LoopForm);
    return false;
  }
  L.StayIfTrue = L.L->contains(L.Exit->getSuccessor(0));
  L.FirstAccess = Accesses.size();
  L.FirstHazard = Hazards.size();
  const size_t FirstFact = Facts.size(), FirstClaim = Claims.size(), FirstSplit = Splits.size();
  LoopNest.push_back(++LoopCount);
  for (unsigned Round = 0; !failed() && (Round == 0 || L.Grew); ++Round) {
    if (Round == MostRounds)
      fail("a loop whose state is not found", StopKind::LoopForm);
    Facts.resize(FirstFact);
    Claims.resize(FirstClaim);
    Splits.resize(FirstSplit);
    runIteration(W, Start, L);
  }
  if (!failed() && loadsWhatItStores(L))
    fail("a loop that loads from a buffer that it stores to", StopKind::StoreInLoop);
  if (!failed())
    finishLoop(W, Start, L);
  LoopNest.pop_back();
  return !failed();
}

} // namespace clmali::verify::symbolic
