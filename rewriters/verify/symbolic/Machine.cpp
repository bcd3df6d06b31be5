// Control flow of a work-item: calls, and branches that depend on data.
//
//   before   br i1 %c, label %then, label %else   where %c is not constant
//   after    both sides run up to the join (the nearest post-dominator).
//            Registers, memory and results that differ become
//            ite(%c, then, else)
//   limits   no barrier on a side; nesting up to SymbolicLimits::Depth

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/IR/Constants.h"

namespace clmali::verify::symbolic {

using namespace llvm;

/// The end of one side of a branch, and what it changed.
struct Machine::Side {
  bool HasReturned = false;
  std::vector<Lane> Registers;
  Lanes Returned;
  Journal Changes; ///< new cells
};

Machine::Machine(TermStore &T, const SymbolicLimits &Limits, const Module &M,
                 std::vector<BufferContents> Buffers,
                 std::chrono::steady_clock::time_point Deadline)
    : T(T), Limits(Limits), M(M), Layout(M.getDataLayout()), Deadline(Deadline) {
  for (unsigned I = 0; I < Buffers.size(); ++I) {
    Object O;
    O.K = Object::Kind::Buffer;
    O.Name = Buffers[I].Name;
    O.Buffer = I;
    O.ElementBytes = Buffers[I].ElementBytes;
    O.Shared = true;
    O.ReadOnly = Buffers[I].ReadOnly;
    O.Image = Buffers[I].Image;
    O.Cells = std::move(Buffers[I].Cells);
    if (!O.ReadOnly)
      O.Shadows.resize(O.Cells.size());
    Objects.push_back(std::move(O));
  }
}

void Machine::fail(const Twine &Why, StopKind K) {
  if (!Reason.empty())
    return;
  Reason = Why.str();
  Stop = K;
}

FunctionInfo &Machine::infoOf(const Function &F) {
  std::unique_ptr<FunctionInfo> &Info = Infos[&F];
  if (Info)
    return *Info;
  Info = std::make_unique<FunctionInfo>();
  auto slot = [&](const Value &V) {
    if (V.getType()->isVoidTy())
      return;
    Info->Slots[&V] = Info->Size;
    Info->Size += unsigned(partsOf(V.getType()).size());
  };
  for (const Argument &A : F.args())
    slot(A);
  for (const BasicBlock &B : F)
    for (const Instruction &I : B)
      slot(I);
  // The analyses only read.
  auto &Mutable = const_cast<Function &>(F);
  Info->Dominators.recalculate(Mutable);
  Info->PostDominators.recalculate(Mutable);
  for (const BasicBlock &B : F)
    for (const BasicBlock *Next : successors(&B))
      if (Info->Dominators.dominates(Next, &B))
        Info->BackEdges.insert({&B, Next});
  Info->Loops.analyze(Info->Dominators);
  return *Info;
}

bool Machine::enter(Item &W, const Function &F) {
  if (W.Frames.size() > 64) {
    fail("calls nested more than 64 deep");
    return false;
  }
  FunctionInfo &Info = infoOf(F);
  if (failed())
    return false;
  Frame New;
  New.F = &F;
  New.Info = &Info;
  New.Block = &F.getEntryBlock();
  New.Next = New.Block->begin();
  New.Registers.resize(Info.Size);
  W.Frames.push_back(std::move(New));
  return true;
}

void Machine::leave(Item &W) {
  for (uint32_t Id : W.Frames.back().Objects) {
    Objects[Id].Dead = true;
    Objects[Id].Cells.clear();
    FreeObjects.push_back(Id);
  }
  W.Frames.pop_back();
}

void Machine::jump(Frame &F, const BasicBlock *To) {
  const BasicBlock *From = F.Block;
  if (F.Info->BackEdges.contains({From, To}))
    LongestLoop = std::max(LongestLoop, ++F.Trips[To]);
  else
    F.Trips.erase(To);
  // Phis are parallel: all are read before any is written.
  SmallVector<std::pair<const PHINode *, Lanes>, 4> Values;
  for (const PHINode &P : To->phis())
    Values.push_back({&P, get(F, P.getIncomingValueForBlock(From))});
  for (auto &[P, L] : Values)
    set(F, P, L);
  F.enterBlock(To);
  F.AtLoop = Open && Open->Inductive.contains(To) && !F.Info->BackEdges.contains({From, To});
}

std::optional<bool> Machine::decide(Term Condition) {
  if (T.isConst(Condition))
    return T.value(Condition) != 0;
  Term Not = T.bitNot(Condition);
  auto implies = [&](Term P, Term C) {
    return P == C || (T.node(P).O == Op::And && (T.operands(P)[0] == C || T.operands(P)[1] == C));
  };
  for (Term P : Path) {
    if (implies(P, Condition))
      return true;
    if (implies(P, Not))
      return false;
  }
  return std::nullopt;
}

Machine::Halt Machine::returnFrom(Item &W, size_t BaseDepth, Lanes Value) {
  if (W.Frames.size() - 1 == BaseDepth) {
    W.Returned = std::move(Value);
    return Halt::Returned;
  }
  leave(W);
  Frame &Caller = W.Frames.back();
  const Instruction &Call = *std::prev(Caller.Next);
  if (!Call.getType()->isVoidTy())
    set(Caller, &Call, Value);
  return Halt::Finished; // go on
}

bool Machine::runStraight(Item &W, const Frame &Start, const BasicBlock *To, const BasicBlock *Join,
                          Side &Result) {
  size_t Depth = W.Frames.size() - 1;
  W.Frames[Depth] = Start;
  Journals.emplace_back();
  jump(W.Frames[Depth], To);
  if (To != Join && !failed()) {
    switch (run(W, Depth, Join)) {
    case Halt::Barrier:
      fail("a barrier that depends on data, in " + nameOf(W));
      break;
    case Halt::Returned:
      Result.HasReturned = true;
      Result.Returned = W.Returned;
      break;
    default:
      break;
    }
  }
  if (failed())
    return false;
  Result.Registers = std::move(W.Frames[Depth].Registers);
  // Undo the changes: the other side starts from the same memory.
  Result.Changes = std::move(Journals.back());
  Journals.pop_back();
  for (auto It = Result.Changes.begin(); It != Result.Changes.end();) {
    Object &O = Objects[It->first.first];
    if (O.Dead || It->first.second >= O.size()) {
      It = Result.Changes.erase(It);
      continue;
    }
    std::swap(It->second, O.Cells[It->first.second]);
    ++It;
  }
  return true;
}

bool Machine::runChoice(Item &W, const Frame &Start, ArrayRef<Case> Cases,
                        const BasicBlock *Otherwise, const BasicBlock *Join, Side &Result) {
  if (Cases.empty())
    return runStraight(W, Start, Otherwise, Join, Result);
  Term Condition = Cases.front().first;
  Side A, B;
  Path.push_back(Condition);
  bool Fine = runStraight(W, Start, Cases.front().second, Join, A);
  Path.back() = T.bitNot(Condition);
  Fine = Fine && runChoice(W, Start, Cases.drop_front(), Otherwise, Join, B);
  Path.pop_back();
  if (!Fine)
    return false;
  if (A.HasReturned != B.HasReturned) {
    fail("branches that depend on data and do not join again");
    return false;
  }
  mergeSides(Start, Condition, A, B, Join, Result);
  return !failed();
}

void Machine::mergeSides(const Frame &Start, Term Condition, Side &A, Side &B,
                         const BasicBlock *Join, Side &Result) {
  Result.HasReturned = A.HasReturned;
  for (size_t I = 0; I < A.Returned.size(); ++I)
    Result.Returned.push_back(choose(Condition, A.Returned[I], B.Returned[I]));

  // Only values that dominate the join can be used after it.
  Result.Registers = std::move(A.Registers);
  if (Join) {
    for (auto [V, Slot] : Start.Info->Slots) {
      const auto *I = dyn_cast<Instruction>(V);
      if (!I || !Start.Info->Dominators.dominates(I->getParent(), Join))
        continue;
      unsigned End = Slot + unsigned(partsOf(V->getType()).size());
      for (unsigned R = Slot; R < End; ++R) {
        Lane &X = Result.Registers[R], Y = B.Registers[R];
        if (X == Y)
          continue;
        X = X.T && Y.T ? choose(Condition, X, Y) : Lane();
      }
    }
  }
  mergeMemory(Condition, A, B, Result);
}

void Machine::mergeMemory(Term Condition, const Side &A, const Side &B, Side &Result) {
  auto cellIn = [&](const Side &S, std::pair<uint32_t, uint64_t> Key) {
    auto It = S.Changes.find(Key);
    return It != S.Changes.end() ? It->second : Objects[Key.first].Cells[Key.second];
  };
  std::set<std::pair<uint32_t, uint64_t>> Keys;
  for (const auto &Change : A.Changes)
    Keys.insert(Change.first);
  for (const auto &Change : B.Changes)
    Keys.insert(Change.first);
  for (auto It = Keys.begin(); It != Keys.end();) {
    auto Key = *It;
    Cell X = cellIn(A, Key), Y = cellIn(B, Key);
    // A whole lane on both sides is merged as one.
    unsigned Bytes = X.Bytes;
    bool Whole = X.Byte == 0 && Y.Byte == 0 && Y.Bytes == Bytes;
    for (unsigned N = 1; Whole && N < Bytes; ++N) {
      std::pair<uint32_t, uint64_t> Other{Key.first, Key.second + N};
      if (Other.second >= Objects[Key.first].size()) {
        Whole = false;
        break;
      }
      Cell P = cellIn(A, Other), Q = cellIn(B, Other);
      Whole =
          P == Cell{X.L, uint8_t(N), uint8_t(Bytes)} && Q == Cell{Y.L, uint8_t(N), uint8_t(Bytes)};
    }
    if (!Whole || Bytes > 8)
      Bytes = 1;
    Cell Merged = X;
    if (!(X == Y))
      Merged =
          Whole ? Cell{choose(Condition, X.L, Y.L), 0, uint8_t(Bytes)} : mergeCell(Condition, X, Y);
    for (unsigned N = 0; N < Bytes; ++N) {
      Cell C = Merged;
      if (Whole)
        C.Byte = uint8_t(N);
      Result.Changes[{Key.first, Key.second + N}] = C;
    }
    auto Past = std::pair<uint32_t, uint64_t>{Key.first, Key.second + Bytes};
    while (It != Keys.end() && *It < Past)
      ++It;
  }
}

Machine::Halt Machine::branch(Item &W, size_t BaseDepth, const BasicBlock *Stop,
                              ArrayRef<Case> Cases, const BasicBlock *Otherwise) {
  SmallVector<Case, 4> Undecided;
  for (auto [Condition, To] : Cases) {
    if (T.node(Condition).HasUndef) {
      fail("a branch depends on an uninitialised value, in " + nameOf(W), StopKind::Uninitialised);
      return Halt::Failed;
    }
    std::optional<bool> Known = decide(Condition);
    if (Known && !*Known)
      continue;
    if (Known) {
      Otherwise = To;
      break;
    }
    Undecided.push_back({Condition, To});
  }
  size_t Depth = W.Frames.size() - 1;
  if (!Undecided.empty() && leavesLongLoop(W.Frames.back()))
    return Halt::Failed;
  if (Undecided.empty()) {
    jump(W.Frames.back(), Otherwise);
    return Depth == BaseDepth && Otherwise == Stop ? Halt::Stopped : Halt::Finished;
  }
  if (Journals.size() >= Limits.Depth) {
    fail("more than " + Twine(Limits.Depth) + " nested branches that depend on data",
         StopKind::Limit);
    return Halt::Failed;
  }
  Frame Start = W.Frames.back();
  const DomTreeNode *Node = Start.Info->PostDominators.getNode(Start.Block);
  const DomTreeNode *Above = Node ? Node->getIDom() : nullptr;
  const BasicBlock *Join = Above ? Above->getBlock() : nullptr;
  Side Result;
  if (!runChoice(W, Start, Undecided, Otherwise, Join, Result))
    return Halt::Failed;
  for (const auto &[Key, NewCell] : Result.Changes)
    writeCell(Key.first, Key.second, NewCell);
  Frame &F = W.Frames[Depth];
  // The frame goes on at the join.
  F.Objects = Start.Objects;
  F.Registers = std::move(Result.Registers);
  if (Result.HasReturned)
    return returnFrom(W, BaseDepth, Result.Returned);
  F.enterBlock(Join);
  F.AtLoop = Open && Open->Inductive.contains(Join);
  return Depth == BaseDepth && Join == Stop ? Halt::Stopped : Halt::Finished;
}

Machine::Halt Machine::run(Item &W, size_t BaseDepth, const BasicBlock *Stop) {
  while (!failed()) {
    if (++Executed > Limits.Instructions) {
      fail("more than " + Twine(Limits.Instructions) + " instructions", StopKind::Limit);
      break;
    }
    if ((Executed & 1023) == 0) {
      if (T.size() > Limits.Terms)
        fail("more than " + Twine(Limits.Terms) + " terms", StopKind::Limit);
      if (std::chrono::steady_clock::now() > Deadline)
        fail("out of time while executing", StopKind::Time);
    }
    Frame &F = W.Frames.back();
    if (F.AtLoop) {
      if (!runLoop(W))
        break;
      if (W.Frames.size() - 1 == BaseDepth && W.Frames.back().Block == Stop)
        return Halt::Stopped;
      continue;
    }
    const Instruction &I = *F.Next;
    Current = &I;
    if (&I == Pause && W.Frames.size() - 1 == BaseDepth)
      return Halt::Stopped;
    Halt H = Halt::Finished;
    switch (I.getOpcode()) {
    case Instruction::Br: {
      const auto &B = cast<BranchInst>(I);
      if (B.isUnconditional()) {
        H = branch(W, BaseDepth, Stop, {}, B.getSuccessor(0));
        break;
      }
      Case Taken{getOne(F, B.getCondition()).T, B.getSuccessor(0)};
      if (!failed())
        H = branch(W, BaseDepth, Stop, Taken, B.getSuccessor(1));
      break;
    }
    case Instruction::Switch: {
      const auto &S = cast<SwitchInst>(I);
      Term X = getOne(F, S.getCondition()).T;
      SmallVector<Case, 8> Cases;
      for (const auto &C : S.cases())
        Cases.push_back({T.eq(X, T.constant(T.width(X), C.getCaseValue()->getZExtValue())),
                         C.getCaseSuccessor()});
      H = branch(W, BaseDepth, Stop, Cases, S.getDefaultDest());
      break;
    }
    case Instruction::Ret: {
      const Value *V = cast<ReturnInst>(I).getReturnValue();
      H = returnFrom(W, BaseDepth, V ? get(F, V) : Lanes());
      break;
    }
    case Instruction::Unreachable:
      fail("unreachable code was reached, in " + nameOf(W));
      break;
    case Instruction::Call: {
      ++F.Next;
      bool Entered = false;
      if (call(W, cast<CallInst>(I), Entered) && W.Waiting)
        return Halt::Barrier;
      break;
    }
    default:
      ++F.Next;
      step(W, I);
      break;
    }
    if (H != Halt::Finished)
      return failed() ? Halt::Failed : H;
  }
  return Halt::Failed;
}

} // namespace clmali::verify::symbolic
