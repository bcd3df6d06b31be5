//===-- rewriters/pass/Internal.cpp - Steps that are not verbs ---------------===//
//
// Registers the transformations of normalize/, loops/ and memory/ that are steps of the pipeline.
// Those that work towards a verb are shown under its name; the others are internal.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// normalize/
//===----------------------------------------------------------------------===//

CLMALI_PASS(
        .Id = "drop-unused", .Does = "Variables that nothing reads go.",
        .Edit = [](PassState &S) { return dropUnused(S.editedKernel()); });

CLMALI_PASS(
        .Id = "split-components",
        .Does =
            "Vectors of the source become a scalar for each component, so that items are lanes.",
        .Edit = [](PassState &S) -> unsigned {
          return S.context().allows("vectorize") && splitComponents(S.editedKernel());
        });

static unsigned dropVolatile(PassState &S) {
  const RewriteOptions &O = S.context().Options;
  return dropLocalVolatile(S.editedKernel(), !O.ReassociateFloat && !O.FloatsReordered);
}
CLMALI_PASS(.Id = "drop-volatile",
            .Does = "Volatile local memory is ordinary where barriers order its accesses.",
            .Edit = dropVolatile);

static unsigned normalForm(PassState &S) {
  // Parameters that may be one buffer are not taken for two.
  normalize(S.editedKernel(), S.context().BuffersShared ? nullptr : &S.Contract.Obligations);
  return 1;
}
CLMALI_PASS(.Id = "normalize",
            .Does = "Splits live ranges, makes varying conditional loads statements, folds.",
            .Edit = normalForm, .Establishes = NormalForm);

CLMALI_PASS(
        .Id = "scalarize-arrays",
        .Does = "Private arrays that only constants index become a variable for each element.",
        .Edit = [](PassState &S) { return scalarizeArrays(S.module(), S.kernel()); },
        .ReusesVariables = true, .Requires = NormalForm);

CLMALI_PASS(
        .Id = "share-values",
        .Does = "What is computed twice from the same values becomes one variable.",
        .Edit = [](PassState &S) { return shareValues(S.module(), S.kernel()); },
        .Requires = NormalForm);

CLMALI_PASS(
        .Id = "merge-arms",
        .Does = "Branches whose arms give a variable the same value become one branch.",
        .Edit = [](PassState &S) { return mergeArms(S.editedKernel()); }, .Requires = NormalForm);

CLMALI_PASS(
        .Id = "cleanup", .Does = "Unused variables, empty branches and copies go.",
        .Edit = [](PassState &S) { return cleanup(S.editedKernel()); });

CLMALI_PASS(
        .Id = "compose-shuffles",
        .Does = "Vectors that only put lanes of other vectors together go.",
        .Edit = [](PassState &S) { return composeShuffles(S.module(), S.kernel()); },
        .Requires = NormalForm);

//===----------------------------------------------------------------------===//
// loops/
//===----------------------------------------------------------------------===//

CLMALI_PASS(
        .Id = "share-in-loops", .ShownAs = "merge-loads",
        .Does = "A value that was loaded before a loop is not loaded in each iteration.",
        .Edit = [](PassState &S) { return shareInLoops(S.module(), S.kernel()); },
        .Requires = NormalForm);

static unsigned unroll(PassState &S) {
  constexpr unsigned MaxTrips = 32, MaxNodes = 4000;
  return unrollConstantLoops(S.editedKernel(), MaxTrips, MaxNodes);
}
CLMALI_PASS(.Id = "unroll", .Does = "Loops of constant trip count are unrolled.", .Edit = unroll,
            .ReusesVariables = true, .Requires = NormalForm);

CLMALI_PASS(
        .Id = "unroll-inner",
        .Does = "Innermost counted loops are unrolled by a factor, with a remainder loop.",
        .Edit = [](PassState &S) { return unrollInner(S.editedKernel(), S.How.Inner, S.launch()); },
        .ReusesVariables = true, .Requires = NormalForm);

static unsigned sums(PassState &S) {
  return sumInLanes(S.editedKernel(), S.How.Sums, S.context().Options.ReassociateFloat, S.launch());
}
CLMALI_PASS(.Id = "sum-in-lanes", .ShownAs = "vectorize",
            .Does = "Reductions take several iterations at once, with a partial sum in each lane.",
            .Edit = sums, .ReusesVariables = true, .Requires = NormalForm);

//===----------------------------------------------------------------------===//
// memory/
//===----------------------------------------------------------------------===//

static unsigned pack(PassState &S) {
  model::pattern::Apart Assumed;
  unsigned Packed =
      packStores(S.editedKernel(), Assumed, /*AssumeApart=*/!S.context().BuffersShared);
  S.oblige(Assumed);
  return Packed;
}
CLMALI_PASS(.Id = "pack-stores", .ShownAs = "vectorize",
            .Does = "Stores to neighbouring elements become one vector store.", .Edit = pack,
            .Requires = NormalForm);

} // namespace clmali::rewrite
