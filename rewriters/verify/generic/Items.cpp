// The work-items of a block over terms.
#include "rewriters/verify/generic/Block.h"
#include "rewriters/verify/generic/SameFunction.h"

#include "llvm/ADT/STLExtras.h"

namespace clmali::verify::generic {

using namespace llvm;
using namespace symbolic;

/// Original work-items in the largest block that is tried.
static constexpr uint64_t MostItems = 128;

static Reason reasonOf(StopKind K) {
  switch (K) {
  case StopKind::LocalMemory:
    return Reason::LocalMemory;
  case StopKind::Groups:
    return Reason::Groups;
  case StopKind::Atomics:
    return Reason::Atomics;
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

std::unique_ptr<Machine> Prover::execute(bool Rewritten, const std::string &Kernel,
                                         const std::array<Term, 3> &Ids, bool &Again,
                                         const Block *B) {
  OpenItem Item;
  Item.Kernel = Kernel;
  Item.Id = Ids;
  if (!Rewritten) {
    Item.Size = Sizes;
    Item.Offset = Offsets;
    Item.Dimensions = T.constant(32, Dimensions);
  }
  Item.Granules = Granules;
  Item.Inductive = Inductive;
  Item.Loops = &Loops;
  if (B)
    Item.Apart = [B, this](unsigned Buffer, Term Load, Term Store, Term Path,
                           std::vector<Term> &Claims) {
      return B->areApart(T, {Buffer, Load}, {Buffer, Store}, Path, Claims);
    };
  std::vector<BufferContents> Buffers(BufferNames.size());
  for (size_t I = 0; I < Buffers.size(); ++I)
    Buffers[I].Name = BufferNames[I];
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

bool Prover::executeBlock(Block &B) {
  const launch::Blocks &Shape = B.Claims.front()->Block;
  const std::array<uint64_t, 3> &F = Shape.Factor;
  if (F[0] * F[1] * F[2] > MostItems)
    return stop(Reason::Limit, "a block of more than " + Twine(MostItems) + " work-items");
  for (uint64_t N = 0; N < F[0] * F[1] * F[2]; ++N) {
    const std::array<uint64_t, 3> In{N % F[0], N / F[0] % F[1], N / F[0] / F[1]};
    std::array<Term, 3> Id{};
    for (unsigned D = 0; D < 3; ++D) {
      const unsigned Axis = Shape.Axis[D];
      Id[Axis] = T.addConst(T.mul(B.Own[D], T.constant(64, F[Axis])), In[Axis]);
    }
    B.Ids.push_back(Id);
  }
  // Each of these loops and widths is found once.
  for (bool Again = true; Again;) {
    Again = false;
    B.Originals.clear();
    for (const std::array<Term, 3> &Id : B.Ids) {
      B.Originals.push_back(execute(false, Manifest.Original, Id, Again));
      if (!B.Originals.back())
        break;
    }
    if (B.Originals.back()) {
      B.From = Effects(T, Granules);
      for (size_t I = 0; I < B.Originals.size(); ++I)
        B.From.add(B.Originals[I]->accesses(), unsigned(I));
      B.Rewritten = execute(true, B.Kernel, B.Own, Again, &B);
      if (B.Rewritten)
        break;
    }
    if (!Again)
      return false;
  }
  B.To.add(B.Rewritten->accesses(), 0);
  return true;
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
  for (const Hazard &H : M.hazards())
    Q.assume(T.bitNot(T.bitAnd(H.Path, H.Bad)));
  for (Term F : M.facts())
    Q.assume(F);
  // Accesses are inside their buffers.
  for (const OpenAccess &A : M.accesses()) {
    Term Inside = T.ult(A.Offset, T.constant(64, MostBytes - A.Bytes + 1));
    Term Path = T.boolean(true);
    for (Term C : A.Path)
      Path = T.bitAnd(Path, C);
    Q.assume(T.bitOr(T.bitNot(Path), Inside));
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
  for (const auto &[Item, Guard] : L->second)
    if (Item != S->second.Item) {
      // Another work-item's store: checkInterference() shows that it is elsewhere.
      Claims.push_back(T.bitOr(T.bitNot(Path), Guard));
      return true;
    }
  return false;
}

bool Prover::checkHazards(Questions &Q, const Block &B) {
  // What is shown of the original's addresses helps to show the rest.
  for (const std::unique_ptr<Machine> &M : B.Originals)
    for (Term Bit : M->claims())
      claim(Bit, Reason::NewAccess, "an address of the original may wrap around");
  if (!proveClaims(Q))
    return false;
  for (const std::unique_ptr<Machine> &M : B.Originals)
    for (Term Bit : M->claims())
      Q.assume(Bit);
  for (const Hazard &H : B.Rewritten->hazards())
    claim(T.bitNot(T.bitAnd(H.Path, H.Bad)),
          H.K == Hazard::Kind::Overflow ? Reason::Overflow : Reason::NewAccess,
          "the rewritten kernel " + H.What + (H.Argument.empty() ? "" : ", " + H.Argument));
  for (Term Bit : B.Rewritten->claims())
    claim(Bit, Reason::NewAccess, "an address of the rewritten kernel may wrap around");
  if (!proveClaims(Q))
    return false;
  for (Term Bit : B.Rewritten->claims())
    Q.assume(Bit);
  return true;
}

bool Prover::proveKernel(const std::string &Kernel, ArrayRef<const LaunchClaim *> Claims) {
  const launch::Blocks &Shape = Claims.front()->Block;
  const bool Same = Shape.Factor == std::array<uint64_t, 3>{1, 1, 1} &&
                    Shape.Axis == std::array<unsigned, 3>{0, 1, 2} &&
                    sameFunction(*Programs[0].M->getFunction(Manifest.Original),
                                 *Programs[1].M->getFunction(Kernel));
  if (Same && (all_of(Claims, [](const LaunchClaim *C) { return C->Whole; }) ||
               !dependsOnLaunch(*Programs[1].M->getFunction(Kernel))))
    return true;
  Block B(T, Granules);
  B.Kernel = Kernel;
  B.Claims = Claims;
  std::array<std::optional<uint64_t>, 3> Largest;
  for (unsigned D = 0; D < 3; ++D) {
    Largest[D] = 0;
    for (const LaunchClaim *C : Claims)
      Largest[D] =
          Largest[D] && C->LargestId[D] ? std::max(Largest[D], C->LargestId[D]) : std::nullopt;
  }
  B.Own = freshIds(Largest);
  if (!executeBlock(B) || !checkMath(B))
    return false;
  Questions Q(T, [this] { return secondsLeft(); });
  assumeHost(Q);
  assumeLaunch(Q, Claims, B.Own);
  for (const std::unique_ptr<Machine> &M : B.Originals)
    assumeItem(Q, *M);
  for (Term F : B.Rewritten->facts())
    Q.assume(F);
  for (const Machine *M : {B.Originals.front().get(), B.Rewritten.get()})
    for (const std::string &A : M->assumptions())
      if (!is_contained(Result.Assumptions, A))
        Result.Assumptions.push_back(A);
  // Facts that exclude every launch would prove anything.
  Term Anything = T.boolean(B.From.Stores.empty());
  for (const auto &[At, S] : B.From.Stores)
    Anything = T.bitOr(Anything, S.Written);
  if (!Q.mayHold(Anything))
    return stop(Reason::NeverRuns, "no launch of " + Kernel + " at which the original writes");
  assumeSteps(Q, B);
  return checkHazards(Q, B) && compareStores(Q, B) && checkOrder(Q, B) && checkLoads(Q, B) &&
         checkInterference(Q, B);
}

} // namespace clmali::verify::generic
