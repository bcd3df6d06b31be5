//===-- rewriters/blocking/BlockPass.cpp - block() as a pass -----------------===//
//
// What vectorize and coarsen share: does the shape fit the launches, and what does the block
// require of its launch.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/BlockPass.h"
#include "rewriters/blocking/Block.h"
#include "rewriters/lanes/Exact.h"
#include "rewriters/pass/LaunchUse.h"
#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

using namespace model;

RefusalAt groupsLeftOpen(const PassContext &C) {
  return {Refusal::LocalIdUse, "vectorize",
          "the kernel depends on its work-groups, and the launch leaves the local size to the "
          "runtime",
          groupUse(C.Original).value_or(C.Original.NameRange)};
}

/// Does some launch begin where a block does, and have a whole one?
static bool hasBlocks(const LaunchFacts &Launch, const BlockShape &Shape) {
  return Launch.Ranges.empty() || llvm::any_of(Launch.Ranges, [&](const LaunchRange &R) {
           for (unsigned D = 0; D < 3; ++D)
             if (R.Global[D] < Shape.factor(D) || R.Offset[D] % Shape.factor(D))
               return false;
           return true;
         });
}

/// Is no block larger than the launch, and does the local size divide where groups are kept?
static bool fitsLaunch(PassState &S) {
  const BlockShape &Shape = S.How.Shape;
  const LaunchFacts &Launch = S.launch();
  if (!hasBlocks(Launch, Shape))
    return false;
  for (unsigned D = 0; D < 3; ++D)
    if (uint64_t Global = Launch.LargestGlobal[D]; Global && Shape.factor(D) > Global)
      return false;
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t Local = Launch.KnownLocal[D];
    if (!Local || Shape.factor(D) == 1 || Local % Shape.factor(D) == 0)
      continue;
    std::optional<SourceRange> At = groupUse(S.kernel());
    if (!At)
      continue;
    // The smallest block has two items: an odd local size allows none at all.
    if (Local % 2)
      S.refuse({Refusal::GroupGeometry, "vectorize",
                "the local size of " + std::to_string(Local) + " does not divide into blocks",
                At->isValid() ? *At : S.context().Original.NameRange});
    return false;
  }
  return true;
}

unsigned makeBlock(PassState &S) {
  if (!fitsLaunch(S))
    return 0;
  const BlockShape &Shape = S.How.Shape;
  BlockOutcome Block = (Shape.phases() > 1 ? blockOfPhases : block)(S.module(), S.kernel(),
                                                                    S.analysis(), Shape, S.Short);
  for (const RefusalAt &R : Block.Refusals)
    S.refuse(R);
  if (!Block.K)
    return 0;
  if (Block.Needs.GroupSemantics && S.launch().NoLocalSize) {
    S.refuse(groupsLeftOpen(S.context()));
    return 0;
  }
  if (Block.K->ReqdWorkGroupSize)
    for (unsigned D = 0; D < 3; ++D)
      (*Block.K->ReqdWorkGroupSize)[D] /= Shape.factor(D);
  // What is constant in a block only needs no name.
  propagateConstants(S.module(), *Block.K, namedConstants(S.kernel()));
  S.replaceKernel(Block.K);
  S.Blocked = Shape;
  S.Border = Block.Border;
  if (Block.Needs.IdsBelow)
    lowerTo(S.Contract.IdsBelow, Block.Needs.IdsBelow);
  S.Contract.WholeBlocks = Block.Needs.WholeBlocks;
  S.Contract.GroupSemantics = Block.Needs.GroupSemantics;
  // The block's own obligations come first.
  std::swap(S.Contract.Obligations, Block.Needs.Obligations);
  S.Contract.oblige(Block.Needs.Obligations);
  if (Shape.Lanes > 1)
    S.record("vectorize:" + std::to_string(Shape.Lanes));
  if (unsigned Rows = Shape.rows() * Shape.phases(); Rows > 1)
    S.record("coarsen:" + std::to_string(Rows));
  return 1;
}

} // namespace clmali::rewrite
