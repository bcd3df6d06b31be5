//===-- rewriters/blocking/analysis/Legality.cpp - Kernels that can be blocked ---------===//
//
// The work-items of a block run in lockstep (pattern/LockstepItems), and the block must be one that
// the launch and the private memory of a work-item can hold.
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/LockstepItems.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"

namespace clmali::rewrite {

using namespace model;

/// The private arrays of one new work-item may take this many bytes.
static constexpr uint64_t MaxArrayBytes = 16384;

static Refusal refusalOf(pattern::LockstepProblem::Kind Why) {
  using enum pattern::LockstepProblem::Kind;
  switch (Why) {
  case CrossItemDependence:
    return Refusal::CrossItemDependence;
  case DataDependentStore:
    return Refusal::DataDependentStore;
  case DivergentBarrier:
    return Refusal::DivergentBarrier;
  case VolatileAccess:
    return Refusal::VolatileAccess;
  case Atomic:
    return Refusal::Atomic;
  case InlineAssembly:
    return Refusal::InlineAssembly;
  case IndexOverflow:
    return Refusal::IndexOverflow;
  case OpaqueConstruct:
    return Refusal::OpaqueConstruct;
  case AlreadyVectorized:
    return Refusal::AlreadyVectorized;
  case UnsupportedType:
    return Refusal::UnsupportedType;
  case UnstructuredControl:
    return Refusal::UnstructuredControl;
  }
  llvm_unreachable("a problem of no kind");
}

bool isBlockable(const Kernel &Old, const KernelAnalysis &A, const BlockShape &S,
                 LaunchContract &Needs, std::vector<RefusalAt> &Refusals,
                 llvm::SmallVectorImpl<const Var *> &Arrays) {
  uint8_t Along = 0;
  for (unsigned D = 0; D < 3; ++D)
    Along |= (S.factor(D) > 1) << D;
  pattern::LockstepItems Items(A, Along);
  bool Legal = true;
  auto Refuse = [&](Refusal Why, const llvm::Twine &Detail, SourceRange At) {
    Legal = false;
    Refusals.push_back({Why, "vectorize", Detail.str(), At});
  };
  for (const pattern::LockstepProblem &P : Items.Problems)
    Refuse(refusalOf(P.Why), P.Detail, P.Range);
  for (unsigned D = 0; D < 3; ++D) {
    if (S.factor(D) < 2)
      continue;
    Needs.WholeBlocks |= Items.ReadsGlobalSize[D];
    if (Old.ReqdWorkGroupSize && (*Old.ReqdWorkGroupSize)[D] % S.factor(D))
      Refuse(Refusal::GroupGeometry, "reqd_work_group_size does not divide into blocks",
             Old.NameRange);
  }
  if (uint64_t Instances = uint64_t(S.Lanes) * S.rows();
      Instances > 1 && Items.ArrayBytes * Instances > MaxArrayBytes)
    Refuse(Refusal::UnsupportedType,
           "private array " + Items.Arrays.front()->Name +
               ", once for each work-item of a block, " + "takes more than " +
               llvm::Twine(MaxArrayBytes) + " bytes",
           Items.Arrays.front()->Range);
  if (Items.IdsBelow2G)
    lowerTo(Needs.IdsBelow, IdsThatFitInt);
  Needs.GroupSemantics |= Items.GroupSemantics;
  Arrays.append(Items.Arrays.begin(), Items.Arrays.end());
  return Legal;
}

} // namespace clmali::rewrite
