// The work-items of a block over terms.
#include "rewriters/verify/generic/Block.h"
#include "rewriters/verify/generic/SameFunction.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace clmali::verify::generic {

using namespace llvm;
using namespace symbolic;

/// Original work-items in the largest block that is tried: one group of the usual largest size.
static constexpr uint64_t MostItems = 256;

using Place = std::array<uint64_t, 3>;

static uint64_t countOf(const Place &P) { return P[0] * P[1] * P[2]; }

/// The places of parts of \p Step in a block of \p Size, x first.
static std::vector<Place> placesOf(const Place &Size, const Place &Step) {
  std::vector<Place> All;
  for (uint64_t Z = 0; Z < Size[2]; Z += Step[2])
    for (uint64_t Y = 0; Y < Size[1]; Y += Step[1])
      for (uint64_t X = 0; X < Size[0]; X += Step[0])
        All.push_back({X, Y, Z});
  return All;
}

static Reason reasonOf(StopKind K) {
  switch (K) {
  case StopKind::LocalMemory:
    return Reason::LocalMemory;
  case StopKind::Groups:
    return Reason::Groups;
  case StopKind::Race:
    return Reason::Interference;
  case StopKind::Atomics:
    return Reason::Atomics;
  case StopKind::Images:
    return Reason::Images;
  case StopKind::Pointer:
    return Reason::Pointer;
  case StopKind::Uninitialised:
    return Reason::Uninitialised;
  case StopKind::LoopForm:
    return Reason::LoopForm;
  case StopKind::StoreInLoop:
    return Reason::StoreInLoop;
  case StopKind::StoreOrder:
    return Reason::StoreOrder;
  case StopKind::Limit:
    return Reason::Limit;
  case StopKind::Time:
    return Reason::OutOfTime;
  case StopKind::None:
  case StopKind::Other:
    break;
  }
  return Reason::Instruction;
}

OpenItem Prover::originalItem(const std::array<Term, 3> &Id, const GroupSize &Group) {
  OpenItem Item;
  Item.Kernel = Manifest.Original;
  Item.Id = Id;
  Item.Size = Sizes;
  Item.Offset = Offsets;
  Item.Dimensions = T.constant(32, Host.Dimensions);
  Item.Local = Group;
  for (unsigned D = 0; D < 3 && Group[0]; ++D)
    Item.Groups[D] = T.div(Op::UDiv, Sizes[D], T.constant(64, Group[D]));
  return Item;
}

OpenItem Prover::rewrittenItem(const Block &B, const std::array<Term, 3> &Id) {
  OpenItem Item;
  Item.Kernel = B.Kernel;
  Item.Id = Id;
  Item.Size = ItsSizes;
  Item.Offset = ItsOffsets;
  Item.Local = B.Groups[1];
  for (unsigned D = 0; D < 3 && Item.Local[0]; ++D)
    if (ItsSizes[D])
      Item.Groups[D] = T.div(Op::UDiv, ItsSizes[D], T.constant(64, Item.Local[D]));
  for (const auto &[Name, E] : Manifest.Launches[B.Claims.front()->Index].LocalBytes)
    if (Term Bytes = valueOf(E); Bytes && T.isConst(Bytes))
      Item.LocalBytes[Name] = T.value(Bytes);
  return Item;
}

std::unique_ptr<Machine> Prover::execute(bool Rewritten, OpenItem Item, bool &Again,
                                         const Block *B) {
  Item.Granules = Granules;
  Item.Inductive = Inductive;
  Item.Loops = &Loops;
  Item.Wrapping = &Wrapping;
  Item.Kept = &Kept;
  if (B)
    Item.Apart = [B, this](unsigned Buffer, Term Load, Term Store, Term Path,
                           std::vector<Term> &Claims) {
      return B->areApart(T, {Buffer, Load}, {Buffer, Store}, Path, Claims);
    };
  std::vector<BufferContents> Buffers(BufferNames.size());
  for (size_t I = 0; I < Buffers.size(); ++I) {
    Buffers[I].Name = BufferNames[I];
    Buffers[I].Image = BufferImages[I];
  }
  auto Left = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::max(secondsLeft(), 0.0)));
  auto Run = std::make_unique<Machine>(T, Limits, *Programs[Rewritten].M, std::move(Buffers),
                                       std::chrono::steady_clock::now() + Left);
  const bool Fine = Run->runOpen(Item, Bound);
  Again = false;
  if (Fine)
    return Run;
  if (Item.TooLong)
    Again = Inductive.insert(Item.TooLong).second;
  if (Item.TooNarrow) {
    Granules[Item.TooNarrow->first] = Item.TooNarrow->second;
    Again = true;
  }
  if (!Again)
    stop(reasonOf(Run->stopKind()),
         Twine(Rewritten ? "rewritten: " : "original: ") + Run->reason());
  return nullptr;
}

bool Prover::groupOf(const LaunchClaim &C, GroupSize &Group) {
  const launch::ManifestLaunch &L = Manifest.Launches[C.Index];
  if (!L.Local)
    return false;
  Group = {1, 1, 1};
  for (unsigned D = 0; D < L.Local->size(); ++D) {
    Term Size = valueOf((*L.Local)[D]);
    if (!Size || !T.isConst(Size) || T.value(Size) == 0)
      return false;
    Group[D] = T.value(Size);
  }
  // One execution stands for all launches of the kernel.
  for (const auto &[Name, E] : L.LocalBytes)
    if (Term Bytes = valueOf(E); !Bytes || !T.isConst(Bytes))
      return false;
  return L.LocalBytes.empty() || Coverage.Claims.size() == 1 ||
         none_of(Coverage.Claims, [&](const LaunchClaim &Other) {
           return Other.Index != C.Index && Other.Kernel == C.Kernel;
         });
}

bool Prover::shapeBlock(Block &B) {
  const launch::Blocks &Shape = B.Claims.front()->Block;
  B.Size = Shape.Factor;
  if (launchUse(*Programs[0].M->getFunction(Manifest.Original)).Groups)
    B.Groups[0] = Host.Local;
  if (launchUse(*Programs[1].M->getFunction(B.Kernel)).Groups) {
    for (const LaunchClaim *C : B.Claims) {
      GroupSize Its{};
      if (!groupOf(*C, Its) || (B.Groups[1][0] && B.Groups[1] != Its))
        return stop(Reason::Groups, "rewritten: the size of the groups is not known");
      B.Groups[1] = Its;
    }
    for (unsigned D = 0; D < 3; ++D)
      B.Size[Shape.Axis[D]] *= B.Groups[1][D];
  }
  for (unsigned A = 0; A < 3; ++A) {
    if (B.Groups[0][0])
      B.Size[A] = std::lcm(B.Size[A], Host.Local[A]);
    B.Count[A] = B.Size[A] / Shape.Factor[A];
  }
  for (unsigned A = 0; A < 3; ++A)
    if (B.exceeds(A) && (B.Groups[0][0] || B.Groups[1][0]))
      return stop(Reason::Groups, "groups of blocks that reach beyond the original's range");
  if (countOf(B.Size) > MostItems)
    return stop(Reason::Limit, "a block of more than " + Twine(MostItems) + " work-items");
  for (const LaunchClaim *C : B.Claims)
    if (B.Size != Shape.Factor && !consistsOfBlocks(Manifest, *C, Host, scalarRanges(), B.Size))
      return stop(Reason::Groups,
                  "launch " + Twine(C->Index) + " does not consist of whole groups");
  std::array<std::optional<uint64_t>, 3> Largest;
  for (unsigned D = 0; D < 3; ++D) {
    std::optional<uint64_t> &Its = Largest[Shape.Axis[D]];
    Its = 0;
    for (const LaunchClaim *C : B.Claims)
      Its = Its && C->LargestId[D] ? std::max(Its, C->LargestId[D]) : std::nullopt;
    Its = Its.value_or(INT64_MAX / B.Size[Shape.Axis[D]]) / B.Count[Shape.Axis[D]];
  }
  B.Number = freshIds(Largest);
  return true;
}

Term Prover::existence(const Block &B, const std::array<Term, 3> &Id) {
  Term Exists = T.boolean(true);
  for (unsigned A = 0; A < 3; ++A)
    if (B.exceeds(A))
      Exists = T.bitAnd(Exists, T.ult(Id[A], T.add(Offsets[A], Sizes[A])));
  return Exists;
}

bool Prover::executeOriginals(Block &B, bool &Again) {
  const GroupSize &Group = B.Groups[0];
  const Place Step = Group[0] ? Group : Place{1, 1, 1};
  B.Originals.clear();
  B.FromAt.clear();
  B.From = Effects(T, Granules);
  for (const Place &At : placesOf(B.Size, Step)) {
    std::array<Term, 3> Id{}, Number{};
    for (unsigned A = 0; A < 3; ++A) {
      Id[A] = T.addConst(T.mul(B.Number[A], T.constant(64, B.Size[A])), At[A]);
      Number[A] =
          T.addConst(T.mul(B.Number[A], T.constant(64, B.Size[A] / Step[A])), At[A] / Step[A]);
    }
    OpenItem Item = originalItem(Id, Group);
    Item.Exists = existence(B, Id);
    if (Group[0]) {
      Item.Group = Number;
      for (Term O : Offsets)
        if (!T.isConst(O, 0))
          return stop(Reason::Groups, "groups of a launch with an offset");
    }
    B.Originals.push_back(execute(false, std::move(Item), Again));
    if (!B.Originals.back())
      return false;
    for (const Place &In : placesOf(Step, {1, 1, 1}))
      B.FromAt.push_back({At[0] + In[0], At[1] + In[1], At[2] + In[2]});
  }
  for (size_t I = 0; I < B.Originals.size(); ++I)
    B.From.add(B.Originals[I]->accesses(), unsigned(I * countOf(Step)));
  return true;
}

bool Prover::executeRewritten(Block &B, bool &Again) {
  const GroupSize &Group = B.Groups[1];
  const Place Step = Group[0] ? Group : Place{1, 1, 1};
  B.Rewritten.clear();
  B.ToAt.clear();
  B.To = Effects(T, Granules);
  Place Count{};
  for (unsigned D = 0; D < 3; ++D)
    Count[D] = B.Count[B.axis(D)];
  for (const Place &At : placesOf(Count, Step)) {
    std::array<Term, 3> Id{}, Number{};
    for (unsigned D = 0; D < 3; ++D) {
      Term Block = B.Number[B.axis(D)];
      Id[D] = T.addConst(T.mul(Block, T.constant(64, Count[D])), At[D]);
      Number[D] = T.addConst(T.mul(Block, T.constant(64, Count[D] / Step[D])), At[D] / Step[D]);
    }
    OpenItem Item = rewrittenItem(B, Id);
    if (Group[0]) {
      Item.Group = Number;
      for (Term O : ItsOffsets)
        if (!O || !T.isConst(O, 0))
          return stop(Reason::Groups, "groups of a launch with an offset");
    }
    B.Rewritten.push_back(execute(true, std::move(Item), Again, &B));
    if (!B.Rewritten.back())
      return false;
    for (const Place &In : placesOf(Step, {1, 1, 1})) {
      Place &Its = B.ToAt.emplace_back();
      for (unsigned D = 0; D < 3; ++D)
        Its[B.axis(D)] = At[D] + In[D];
    }
  }
  for (size_t I = 0; I < B.Rewritten.size(); ++I)
    B.To.add(B.Rewritten[I]->accesses(), unsigned(I * countOf(Step)));
  return true;
}

bool Prover::executeBlock(Block &B) {
  // Each of these loops and widths is found once.
  for (bool Again = true; Again;) {
    Again = false;
    if (executeOriginals(B, Again) && executeRewritten(B, Again))
      return true;
  }
  return false;
}

bool Prover::checkMath(const Block &B) {
  if (!Programs[0].RelaxedMath && !Programs[1].RelaxedMath)
    return true;
  auto isFloat = [](const Module &M) {
    for (const Function &F : M)
      for (const BasicBlock &Part : F)
        for (const Instruction &I : Part)
          if (I.getType()->isFPOrFPVectorTy())
            return true;
    return false;
  };
  if (isFloat(*Programs[0].M) || isFloat(*Programs[1].M))
    return stop(Reason::RelaxedMath,
                "the build options let the device change floating-point results");
  return true;
}

/// What makes the original undefined does not happen.
void Prover::assumeItem(Questions &Q, const Machine &M) {
  for (const Hazard &H : M.hazards()) {
    Q.assume(T.bitNot(T.bitAnd(H.Path, H.Bad)), H.Bad);
    // The same fact as an equation, for operations on the result.
    if (H.K == Hazard::Kind::Overflow && H.Exact) {
      Term Result = T.extend(H.Result, 64, true);
      Q.assume(T.bitOr(T.bitNot(H.Path), T.eq(Result, H.Exact)), Result);
    }
  }
  for (Term F : M.facts())
    Q.assume(F);
  // Accesses are inside their buffers. Those outside an image are hazards.
  for (const OpenAccess &A : M.accesses()) {
    if (BufferImages[A.Buffer])
      continue;
    Term Inside = T.ult(A.Offset, T.constant(64, MostBytes - A.Bytes + 1));
    Term Path = T.boolean(true);
    for (Term C : A.Path)
      Path = T.bitAnd(Path, C);
    Q.assume(T.bitOr(T.bitNot(Path), Inside), Inside);
  }
}

/// What the original does in the steps that one iteration of the rewritten kernel takes at once.
void Prover::assumeSteps(Questions &Q, Block &B) {
  for (const LoopValues::Step &S : Loops.steps()) {
    auto given = [&](Term Bit) { return T.bitOr(T.bitNot(S.Condition), Bit); };
    Q.assume(given(S.Fact));
    for (const std::unique_ptr<Machine> &M : B.Originals)
      for (const Hazard &H : M->hazards()) {
        Term Bad = T.bitAnd(H.Path, H.Bad), There = T.substitute(Bad, S.Map);
        if (There != Bad)
          Q.assume(given(T.bitNot(There)));
      }
    B.From.addStep(S.Condition, S.Map);
  }
}

bool Prover::Block::areApart(TermStore &T, Unit Load, Unit Store, Term Path,
                             std::vector<Term> &Claims) const {
  auto S = From.Stores.find(Store);
  auto L = From.Readers.find(Load);
  if (S == From.Stores.end() || L == From.Readers.end())
    return false;
  const std::optional<unsigned> Writer = S->second.item();
  for (const auto &[Item, Guard] : L->second)
    if (Writer && Item != *Writer) {
      // Another work-item's store: checkInterference() shows that it is elsewhere.
      Claims.push_back(T.bitOr(T.bitNot(Path), Guard));
      return true;
    }
  return false;
}

bool Prover::checkSplits(Questions &Q, const Block &B, bool &Again) {
  for (const auto *Of : {&B.Originals, &B.Rewritten}) {
    std::vector<SplitSum> All;
    for (const std::unique_ptr<Machine> &M : *Of)
      for (const SplitSum &S : M->splits())
        if (!T.isConst(S.Bit, 1))
          All.push_back(S);
    // Sums that may wrap are alike: after some of them the others are not asked for.
    constexpr size_t Together = 16, Enough = 3;
    size_t Found = 0;
    for (size_t I = 0; I < All.size(); I += Together) {
      SmallVector<Term, Together> Bits;
      ArrayRef<SplitSum> Some = ArrayRef(All).slice(I).take_front(Together);
      for (const SplitSum &S : Some)
        Bits.push_back(S.Bit);
      if (Found < Enough && Q.holdTogether(Bits))
        continue;
      if (Q.outOfTime())
        return stop(Reason::OutOfTime, "addresses that may wrap");
      for (const SplitSum &S : Some)
        if (Found >= Enough ||
            !(S.OfSizes ? Q.ask(S.Bit) == Truth::Always : Q.holdTogether(S.Bit))) {
          ++Found;
          Again |= S.InLoop ? Kept.insert(S.InLoop).second : Wrapping.insert(S.Extension).second;
        }
    }
    // What is shown of the original's addresses helps to show the rest.
    for (const SplitSum &S : All)
      if (!Again)
        Q.assume(S.Bit);
  }
  return !Again;
}

bool Prover::checkHazards(Questions &Q, const Block &B) {
  for (const std::unique_ptr<Machine> &M : B.Rewritten) {
    for (const Hazard &H : M->hazards())
      claim(T.bitNot(T.bitAnd(H.Path, H.Bad)),
            H.K == Hazard::Kind::Overflow ? Reason::Overflow : Reason::NewAccess,
            "the rewritten kernel " + H.What);
    for (Term Bit : M->claims())
      claim(Bit, Reason::StoreOrder, "a load may be from where another work-item stores");
  }
  return proveClaims(Q);
}

bool Prover::proveKernel(const std::string &Kernel, ArrayRef<const LaunchClaim *> Claims) {
  const launch::Blocks &Shape = Claims.front()->Block;
  const Function &Original = *Programs[0].M->getFunction(Manifest.Original);
  const Function &Rewritten = *Programs[1].M->getFunction(Kernel);
  const bool Same = Shape.Factor == std::array<uint64_t, 3>{1, 1, 1} &&
                    Shape.Axis == std::array<unsigned, 3>{0, 1, 2} &&
                    sameFunction(Original, Rewritten);
  if (Same && (all_of(Claims, [](const LaunchClaim *C) { return C->Whole; }) ||
               !launchUse(Rewritten).any())) {
    AnyRuns = true;
    return true;
  }
  bindLaunch(Claims);
  Block B(T, Granules);
  B.Kernel = Kernel;
  B.Claims = Claims;
  if (!shapeBlock(B))
    return false;
  for (bool Again = true; Again;) {
    Again = false;
    if (proveBlock(B, Again))
      return true;
  }
  return false;
}

bool Prover::proveBlock(Block &B, bool &Again) {
  if (!executeBlock(B) || !checkMath(B))
    return false;
  Questions Q(T, [this] { return secondsLeft(); });
  assumeHost(Q);
  assumeLaunch(Q, B);
  // A launch that the launch files exclude, such as that of a remainder that is always 0: a host
  // that makes it runs the original.
  if (!Q.mayHold(T.boolean(true))) {
    for (const LaunchClaim *C : B.Claims)
      if (C->Kernel != R.Manifest.Original)
        Result.Require.push_back("(" + R.Manifest.Launches[C->Index].When.text() + ") == 0");
    return true;
  }
  AnyRuns = true;
  for (const std::unique_ptr<Machine> &M : B.Originals)
    assumeItem(Q, *M);
  for (const std::unique_ptr<Machine> &M : B.Rewritten)
    for (Term F : M->facts())
      Q.assume(F);
  for (const Machine *M : {B.Originals.front().get(), B.Rewritten.front().get()})
    for (const std::string &A : M->assumptions())
      if (!is_contained(Result.Assumptions, A))
        Result.Assumptions.push_back(A);
  // Facts that exclude every launch would prove anything.
  Term Anything = T.boolean(B.From.Stores.empty() && B.From.Updates.empty());
  for (const auto &[At, S] : B.From.Stores)
    Anything = T.bitOr(Anything, S.Written);
  for (const Update &U : B.From.Updates)
    Anything = T.bitOr(Anything, U.Guard);
  if (!Q.mayHold(Anything))
    return stop(Reason::NeverRuns, "no launch of " + B.Kernel + " at which the original writes");
  assumeSteps(Q, B);
  if (!checkSplits(Q, B, Again) || !checkHazards(Q, B))
    return false;
  pairStores(Q, B);
  return checkUpdated(B) && compareStores(Q, B) && compareUpdates(Q, B) && checkOrder(Q, B) &&
         checkLoads(Q, B) && checkInterference(Q, B);
}

} // namespace clmali::verify::generic
