// Launches, groups and barriers: work-items run one after the other from barrier to barrier.
#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/Support/raw_ostream.h"

namespace clmali::verify::symbolic {

using namespace llvm;

std::string Machine::nameOfItem(uint32_t Number) const {
  if (Number == Shadow::None)
    return "no work-item";
  if (Number == Shadow::Atomic)
    return "an atomic operation";
  if (Number == Shadow::GroupCopy)
    return "an asynchronous copy";
  const Run *R = &Runs.front();
  for (const Run &Candidate : Runs)
    if (Candidate.FirstItem <= Number)
      R = &Candidate;
  const launch::Geometry &G = R->Launch.Shape;
  // Work-items are numbered group by group.
  const std::array<uint64_t, 3> &LocalSize = R->LocalSize;
  uint64_t Local = LocalSize[0] * LocalSize[1] * LocalSize[2];
  uint64_t Group = (Number - R->FirstItem) / Local, Inside = (Number - R->FirstItem) % Local;
  std::string Text;
  raw_string_ostream OS(Text);
  OS << '(';
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t Groups = G.Global[D] / LocalSize[D];
    OS << (D ? ", " : "") << G.Offset[D] + Group % Groups * LocalSize[D] + Inside % LocalSize[D];
    Group /= Groups;
    Inside /= LocalSize[D];
  }
  OS << ") of kernel " << R->Launch.Kernel;
  return Text;
}

std::string Machine::nameOf(const Item &W) const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << '(' << W.Global[0] << ", " << W.Global[1] << ", " << W.Global[2] << ") of kernel "
     << Runs.back().Launch.Kernel;
  return Text;
}

bool Machine::runGroup(std::vector<Item> &Items) {
  LocalEpoch = GlobalEpoch = 0;
  AsyncCopies.clear();
  for (;;) {
    const Instruction *Barrier = nullptr;
    unsigned Fences = 3;
    bool First = true;
    for (Item &W : Items) {
      if (!W.Finished) {
        W.Waiting = nullptr;
        Halt H = run(W, 0, nullptr);
        if (H == Halt::Failed)
          return false;
        if (H == Halt::Returned) {
          W.Finished = true;
          leave(W);
        }
      }
      const Instruction *At = W.Finished ? nullptr : W.Waiting;
      if (!First && At != Barrier) {
        fail("not all work-items of a group come to the same barrier: " + nameOf(W));
        return false;
      }
      Barrier = At;
      Fences &= W.Fences;
      First = false;
    }
    if (!Barrier)
      return true;
    LocalEpoch += (Fences & 1) != 0;
    GlobalEpoch += (Fences & 2) != 0;
  }
}

bool Machine::setGroups(const launch::Geometry &G, std::array<uint64_t, 3> &GroupCount) {
  LocalKnown = G.hasLocal();
  for (unsigned D = 0; D < 3; ++D) {
    LocalSize[D] = LocalKnown ? std::max<uint64_t>(G.Local[D], 1) : 1;
    if (G.Global[D] == 0 || G.Global[D] % LocalSize[D]) {
      fail("a local size that does not divide the global size");
      return false;
    }
    GroupCount[D] = G.Global[D] / LocalSize[D];
  }
  return true;
}

void Machine::bindGroup(std::vector<uint32_t> &GroupObjects) {
  LocalGlobals.clear();
  BoundLanes.clear();
  const std::map<std::string, uint64_t> &LocalBytes = Runs.back().Launch.LocalBytes;
  for (const BoundArgument &A : Bound) {
    Lanes L;
    switch (A.K) {
    case BoundArgument::Kind::Buffer:
      L.push_back({T.constant(pointerBits(), 0), A.Buffer});
      break;
    case BoundArgument::Kind::Local: {
      auto It = LocalBytes.find(A.Name);
      uint64_t Bytes = It != LocalBytes.end() ? It->second : A.LocalBytes;
      uint32_t Id = newObject(Object::Kind::Local, A.Name, Bytes);
      GroupObjects.push_back(Id);
      L.push_back({T.constant(pointerBits(), 0), Id});
      break;
    }
    case BoundArgument::Kind::Scalar:
      for (Term C : A.Components)
        L.push_back({C, NoObject});
      break;
    }
    BoundLanes.push_back(std::move(L));
  }
}

bool Machine::enterKernel(Item &W, const Function &F) {
  if (!enter(W, F))
    return false;
  Frame &Top = W.Frames.back();
  for (const Argument &A : F.args()) {
    const BoundArgument &B = Bound[A.getArgNo()];
    Lanes L = BoundLanes[A.getArgNo()];
    if (!B.Bytes.empty()) {
      // A struct: each work-item has its own copy.
      uint32_t Id = newObject(Object::Kind::Private, B.Name, B.Bytes.size());
      Objects[Id].Cells = B.Bytes;
      Top.Objects.push_back(Id);
      L = {Lane{T.constant(pointerBits(), 0), Id}};
    }
    if (L.size() != partsOf(A.getType()).size()) {
      fail("argument " + B.Name + " does not fit its parameter");
      return false;
    }
    set(Top, &A, L);
  }
  return true;
}

bool Machine::startGroup(const Function &F, uint64_t Group,
                         const std::array<uint64_t, 3> &GroupCount, std::vector<Item> &Items) {
  const Run &R = Runs.back();
  for (uint64_t N = 0; N < Items.size(); ++N) {
    Item &W = Items[N];
    W.Number = uint32_t(ItemCount++);
    W.GroupNumber = R.FirstGroup + uint32_t(Group);
    uint64_t InGroup = N, OfLaunch = Group;
    for (unsigned D = 0; D < 3; ++D) {
      W.Local[D] = InGroup % LocalSize[D];
      W.Group[D] = OfLaunch % GroupCount[D];
      InGroup /= LocalSize[D];
      OfLaunch /= GroupCount[D];
      W.Global[D] = R.Launch.Shape.Offset[D] + W.Group[D] * LocalSize[D] + W.Local[D];
    }
    if (!enterKernel(W, F))
      return false;
  }
  return true;
}

void Machine::endGroup(ArrayRef<uint32_t> GroupObjects) {
  SmallVector<uint32_t, 8> All(GroupObjects);
  for (auto [G, Id] : LocalGlobals)
    All.push_back(Id);
  for (uint32_t Id : All) {
    Objects[Id].Dead = true;
    Objects[Id].Cells.clear();
    Objects[Id].Shadows.clear();
    FreeObjects.push_back(Id);
  }
}

bool Machine::launch(const SymbolicLaunch &L, ArrayRef<BoundArgument> Args) {
  const Function *F = M.getFunction(L.Kernel);
  if (!F || F->isDeclaration() || F->getCallingConv() != CallingConv::SPIR_KERNEL) {
    fail("no kernel named " + L.Kernel);
    return false;
  }
  std::array<uint64_t, 3> GroupCount{};
  if (!setGroups(L.Shape, GroupCount))
    return false;
  Run R;
  R.Launch = L;
  R.FirstItem = uint32_t(ItemCount);
  R.FirstGroup = Runs.empty() ? 0 : Runs.back().FirstGroup + 1'000'000;
  R.LocalSize = LocalSize;
  Runs.push_back(R);
  Bound.assign(Args.begin(), Args.end());
  if (Bound.size() != F->arg_size()) {
    fail("kernel " + L.Kernel + " has " + Twine(F->arg_size()) + " arguments, the launch gives " +
         Twine(Bound.size()));
    return false;
  }

  for (uint64_t Group = 0; Group < GroupCount[0] * GroupCount[1] * GroupCount[2]; ++Group) {
    std::vector<uint32_t> GroupObjects;
    bindGroup(GroupObjects);
    std::vector<Item> Items(LocalSize[0] * LocalSize[1] * LocalSize[2]);
    if (!startGroup(*F, Group, GroupCount, Items))
      return false;
    bool Completed = runGroup(Items);
    endGroup(GroupObjects);
    if (!Completed)
      return false;
  }
  return true;
}

} // namespace clmali::verify::symbolic
