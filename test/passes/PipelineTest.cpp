//===-- test/passes/PipelineTest.cpp - The registry and the pass manager ---===//

#include "Kernels.h"
#include "rewriters/pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clmali;
using namespace clmali::rewrite;

namespace {

TEST(Registry, IsSortedAndComplete) {
  llvm::ArrayRef<Pass> All = allPasses();
  ASSERT_FALSE(All.empty());
  for (size_t I = 0; I + 1 < All.size(); ++I)
    EXPECT_LT(All[I].Id, All[I + 1].Id);
  for (const Pass &P : All) {
    EXPECT_EQ(findPass(P.Id), &P);
    EXPECT_TRUE(P.Edit) << P.Id.str();
  }
  EXPECT_EQ(findPass("frobnicate"), nullptr);
  EXPECT_TRUE(llvm::is_contained(publicPasses(), "vectorize"));
  EXPECT_FALSE(llvm::is_contained(publicPasses(), "normalize"));
}

TEST(Pipeline, EachStepFindsWhatItRequires) {
  llvm::ArrayRef<Step> Parts[] = {normalFormSteps(), blockSteps(), finishSteps()};
  EXPECT_EQ(pipelineErrors(Parts), std::vector<std::string>());
  // Every pass is part of the pipeline.
  for (const Pass &P : allPasses())
    EXPECT_TRUE(llvm::any_of(Parts, [&](llvm::ArrayRef<Step> Part) {
      return llvm::any_of(Part, [&](const Step &S) { return S.Pass == P.Id; });
    })) << P.Id.str();
}

TEST(Pipeline, ErrorsAreFound) {
  llvm::ArrayRef<Step> Late[] = {blockSteps(), normalFormSteps()};
  EXPECT_EQ(pipelineErrors(Late).front(),
            "vectorize requires normal form, which no earlier step establishes");
  const Step Unknown[] = {{"frobnicate", When::Always, When::Never, ""}};
  llvm::ArrayRef<Step> Parts[] = {Unknown};
  EXPECT_EQ(pipelineErrors(Parts).front(), "no pass is registered as frobnicate");
}

/// A state over a kernel with a loop of four iterations that loads neighbours.
struct State {
  clmali::testing::Source Parsed = clmali::testing::parse(R"(
    kernel void k(global float *out, global const float *in) {
      int g = get_global_id(0);
      float s = 0;
      for (int i = 0; i < 4; i++)
        s += in[4 * g + i];
      out[g] = s;
    })");
  RewriteOptions Options;
  rules::DeviceFacts Device = *rules::findFamily("generic");
  PassContext Context{Parsed.module(), *Parsed.Old, Device, Options};
  PassState S{Context, Parsed.New};
};

constexpr Step Merge[] = {{"unroll", When::Unroll, When::Unroll, ""},
                          {"merge-loads", When::Always, When::Inner, ""}};

TEST(PassManager, RunsStepsByChoice) {
  State T;
  PassManager Manager(T.Options.Pipeline);
  EXPECT_TRUE(Manager.run(Merge, T.S));
  EXPECT_TRUE(T.S.Applied.empty()); // in a loop there is nothing to merge
  T.S.How.Unroll = true;
  EXPECT_TRUE(Manager.run(Merge, T.S));
  EXPECT_EQ(T.S.Applied, std::vector<std::string>{"merge-loads"});
}

TEST(PassManager, DropsWhatMustChange) {
  State T;
  PassManager Manager(T.Options.Pipeline);
  T.S.How.Inner = 4;
  EXPECT_FALSE(Manager.run(Merge, T.S));
}

TEST(PassManager, RunsWhatTheUserNamedAndWhatIsDemanded) {
  State T;
  T.Options.Passes = {"narrow"};
  PassManager Manager(T.Options.Pipeline);
  T.S.How.Unroll = true;
  EXPECT_TRUE(Manager.run(Merge, T.S));
  EXPECT_TRUE(T.S.Applied.empty());
  T.S.demand("merge-loads");
  EXPECT_TRUE(Manager.run(llvm::ArrayRef(Merge).drop_front(), T.S));
  EXPECT_EQ(T.S.Applied, std::vector<std::string>{"merge-loads"});
}

TEST(PassManagerDeathTest, VerifierNamesThePassThatBreaksTheKernel) {
  State T;
  T.Options.Pipeline.VerifyIR = true;
  PassManager Manager(T.Options.Pipeline);
  T.S.kernel().Body.push_back(T.S.kernel().Body.front());
  EXPECT_DEATH(Manager.run(Merge, T.S),
               "broken after the pass merge-loads .*\n.*a statement is in two lists");
}

TEST(PassState, RecordsEachNameOnce) {
  State T;
  T.S.record("vectorize:4");
  T.S.record("vectorize");
  EXPECT_EQ(T.S.Applied, std::vector<std::string>{"vectorize:4"});
}

TEST(EditedKernel, AnalysisIsKeptUntilAnEdit) {
  clmali::testing::Source Parsed =
      clmali::testing::parse("kernel void k(global int *o) { o[0] = 1; }");
  EditedKernel K(Parsed.module(), *Parsed.New), Same = K;
  const EditedKernel::Analysis First = K.analysis();
  EXPECT_EQ(K.analysis(), First);
  EXPECT_EQ(Same.analysis(), First);
  Same.edited();
  EXPECT_NE(K.analysis(), First);
  EXPECT_EQ(First->accesses().size(), 1u); // a copy stays valid after the edit
  // The statements are others.
  const EditedKernel::Analysis Before = K.analysis();
  SavedKernel(K).restore();
  EXPECT_NE(K.analysis(), Before);
}

TEST(PassState, CopiesShareTheAnalysisUntilOneReplacesTheKernel) {
  State T;
  const model::KernelAnalysis *First = &T.S.analysis();
  PassState Copy = T.S;
  EXPECT_EQ(&Copy.analysis(), First);
  Copy.replaceKernel(cloneKernel(Copy.module(), Copy.kernel(), "k"));
  EXPECT_NE(&Copy.analysis(), First);
  EXPECT_EQ(&T.S.analysis(), First);
}

// What constants of the launch do away with is not the reason.
TEST(RefusalList, WhatStandsWithKnownValuesComesFirst) {
  auto At = [](Refusal Why, unsigned Begin) {
    RefusalAt R{Why, "vectorize", "", {}};
    R.Range.Begin = Begin;
    return R;
  };
  RefusalList Mixed;
  Mixed.add(At(Refusal::CrossItemDependence, 1));
  Mixed.add(At(Refusal::AlreadyVectorized, 2));
  Mixed.add(At(Refusal::Atomic, 3));
  Mixed.add(At(Refusal::AlreadyVectorized, 2), /*WithValues=*/true);
  std::vector<RefusalAt> All = Mixed.take();
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0].Why, Refusal::AlreadyVectorized);
  EXPECT_EQ(All[1].Why, Refusal::CrossItemDependence);
  EXPECT_EQ(All[2].Why, Refusal::Atomic);

  RefusalList Plain; // no values are known: in the order of the reports
  Plain.add(At(Refusal::CrossItemDependence, 1));
  Plain.add(At(Refusal::AlreadyVectorized, 2));
  All = Plain.take();
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Why, Refusal::CrossItemDependence);
}

TEST(LaunchFacts, SameBuffersAreTransitive) {
  State T;
  model::LaunchFacts F;
  F.SameBuffers = {{"a", "b"}, {"c", "b"}};
  model::Module &M = T.Parsed.module();
  auto Buffer = [&](const char *Name) {
    return M.newVar(model::Var::Param, Name, M.value(model::ScalarKind::Int));
  };
  EXPECT_TRUE(F.maySameBuffer(*Buffer("a"), *Buffer("c")));
  EXPECT_FALSE(F.maySameBuffer(*Buffer("a"), *Buffer("d")));
}

} // namespace
