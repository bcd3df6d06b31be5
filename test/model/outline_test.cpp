//===-- test/model/outline_test.cpp - Call graph over host files -----------===//

#include "checks/model/host/summary/CallSummary.h"
#include "gtest/gtest.h"

using namespace clmali::model;

namespace {

CallSummary::Function function(const char *Name, const char *At, uint8_t Does = 0) {
  CallSummary::Function F;
  F.Is = {Name, ""};
  F.At = At;
  F.Effects = Does;
  F.HasCalls = true;
  return F;
}

CallSummary::CallSite site(const char *To, uint32_t From, bool LoopContext) {
  CallSummary::CallSite R;
  R.To = {To, ""};
  R.From = From;
  R.Begin = 10;
  R.End = 20;
  if (LoopContext)
    R.Loops.push_back({5, 30, false, false, 0});
  return R;
}

/// step() waits; frame() calls it; main() calls frame() in a loop.
struct Three {
  CallSummary Step, Frame, Main;
  Three() {
    Step.Files = {"a/step.c"};
    Step.Functions = {function("step()/0", "a/step.c:1", CallSummary::WaitsForGpu)};
    Frame.Files = {"a/frame.c"};
    Frame.Functions = {function("frame()/0", "a/frame.c:1")};
    Frame.CallSites = {site("step()/0", 0, false)};
    Main.Files = {"a/main.c"};
    Main.Functions = {
        function("at a/main.c:1", "a/main.c:1", CallSummary::IsMain | CallSummary::IsInternal)};
    Main.CallSites = {site("frame()/0", 0, true)};
  }
};

TEST(CallSummary, LoopInAnotherFile) {
  Three T;
  CrossFileFacts S = SummaryLinker({&T.Step, &T.Frame, &T.Main}).factsOf(0);
  ASSERT_EQ(S.Loops.count(0), 1u);
  EXPECT_EQ(S.Loops[0][0].File, "a/main.c");
  EXPECT_FALSE(S.Loops[0][0].OncePerItem);
  EXPECT_TRUE(SummaryLinker({&T.Step, &T.Main}).factsOf(0).Loops.empty()); // it has no caller
}

TEST(CallSummary, TwoFunctionsOfOneName) {
  Three T;
  CallSummary Other = T.Frame;
  Other.Files = {"a/other.c"};
  Other.Functions[0].At = "a/other.c:1";
  Other.CallSites.clear();
  EXPECT_TRUE(SummaryLinker({&T.Step, &T.Frame, &T.Main, &Other}).factsOf(0).Loops.empty());
  Other.Files = {"b/other.c"}; // in another folder: the function of the same folder counts
  Other.Functions[0].At = "b/other.c:1";
  EXPECT_EQ(SummaryLinker({&T.Step, &T.Frame, &T.Main, &Other}).factsOf(0).Loops.size(), 1u);
  Other.Functions[0].At = T.Frame.Functions[0].At; // one function, of a header that both include
  Other.Files = {"a/other.c"};
  EXPECT_EQ(SummaryLinker({&T.Step, &T.Frame, &T.Main, &Other}).factsOf(0).Loops.size(), 1u);
}

TEST(CallSummary, OwnContext) {
  Three T;
  CallSummary Setup;
  Setup.Files = {"a/setup.c"};
  Setup.Functions = {function("open()/0", "a/setup.c:1", CallSummary::MakesContext)};
  T.Frame.CallSites.push_back(
      site("open()/0", 0, false)); // frame() makes its own context, by another file
  EXPECT_TRUE(SummaryLinker({&T.Step, &T.Frame, &T.Main, &Setup}).factsOf(0).Loops.empty());
}

TEST(CallSummary, OncePerItem) {
  Three T;
  T.Main.CallSites[0].Loops[0].Item = true;
  EXPECT_TRUE(SummaryLinker({&T.Step, &T.Frame, &T.Main}).factsOf(0).Loops[0][1].OncePerItem);
  T.Step.Functions[0].Effects |= CallSummary::LaunchesKernels; // the loop launches, two files away
  EXPECT_FALSE(SummaryLinker({&T.Step, &T.Frame, &T.Main}).factsOf(0).Loops[0][1].OncePerItem);
}

TEST(CallSummary, OneProgram) {
  Three T;
  CallSummary Store, Alone;
  Store.Files = {"a/store.c"};
  Store.Functions = {function("load()/0", "a/store.c:1")};
  Store.LoadsBinaries = true;
  EXPECT_FALSE(SummaryLinker({&T.Step, &T.Frame, &T.Main, &Store}).factsOf(0).LoadsBinaries);
  T.Main.CallSites.push_back(site("load()/0", 0, false));
  EXPECT_TRUE(SummaryLinker({&T.Step, &T.Frame, &T.Main, &Store}).factsOf(0).LoadsBinaries);
}

TEST(CallSummary, Json) {
  Three T;
  for (CallSummary *O : {&T.Step, &T.Frame, &T.Main}) {
    std::optional<CallSummary> Again = callSummaryFromJSON(toJSON(*O));
    ASSERT_TRUE(Again);
    *O = std::move(*Again);
  }
  EXPECT_EQ(SummaryLinker({&T.Step, &T.Frame, &T.Main}).factsOf(0).Loops.size(), 1u);
  EXPECT_FALSE(callSummaryFromJSON(llvm::json::Array{1, 2}));
  T.Frame.CallSites[0].From = 7; // not a function
  EXPECT_FALSE(callSummaryFromJSON(toJSON(T.Frame)));
}

} // namespace
