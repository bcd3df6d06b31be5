//===-- test/model/budget_test.cpp - Time budgets and versions of slots ---===//

#include "checks/model/analysis/SlotVersions.h"
#include "checks/model/ir/Budget.h"
#include "test/model/analysis_util.h"
#include <gtest/gtest.h>
#include <random>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

constexpr double Tiny = 1e-9;

TEST(Budget, NoneOnlyCounts) {
  uint64_t Before = Work.Steps;
  for (int I = 0; I < 10000; ++I)
    spend(3);
  EXPECT_EQ(Work.Steps - Before, 30000u);
  EXPECT_FALSE(outOfTime());
  EXPECT_NO_THROW(readClock());
  TimeBudget Unlimited(0);
  EXPECT_NO_THROW(spend());
}

TEST(Budget, SpentThrows) {
  {
    TimeBudget Budget(Tiny);
    EXPECT_TRUE(outOfTime());
    EXPECT_THROW(spend(), OutOfTime);
    EXPECT_THROW(readClock(), OutOfTime);
  }
  EXPECT_FALSE(outOfTime());
  EXPECT_NO_THROW(spend());
}

TEST(Budget, EnoughDoesNotThrow) {
  TimeBudget Budget(1000);
  EXPECT_NO_THROW(spend(100000));
  EXPECT_FALSE(outOfTime());
}

TEST(Budget, OuterOneHolds) {
  TimeBudget Outer(Tiny);
  {
    TimeBudget Inner(1000), Unlimited(0);
    EXPECT_THROW(spend(), OutOfTime);
  }
  EXPECT_THROW(spend(), OutOfTime);
}

TEST(Budget, InnerOneEnds) {
  TimeBudget Outer(1000);
  {
    TimeBudget Inner(Tiny);
    EXPECT_THROW(spend(), OutOfTime);
  }
  EXPECT_NO_THROW(spend());
}

TEST(Budget, Pause) {
  TimeBudget Budget(Tiny);
  {
    BudgetPause Pause;
    EXPECT_NO_THROW(spend(100000));
    EXPECT_TRUE(outOfTime());
  }
  EXPECT_THROW(spend(100000), OutOfTime);
}

TEST(Budget, EndsAnAnalysis) {
  Builder B;
  Var *X = B.temp("x");
  B.decl(X, B.gid(0));
  {
    TimeBudget Budget(Tiny);
    EXPECT_THROW(KernelAnalysis(B.M, *B.K), OutOfTime);
  }
  EXPECT_NO_THROW(KernelAnalysis(B.M, *B.K));
}

/// The slots that differ, as the map and as plain vectors say.
std::vector<unsigned> differences(const SlotVersions &A, const SlotVersions &B) {
  std::vector<unsigned> Result;
  SlotVersions::forEachDifference(A, B, [&](unsigned Slot) { Result.push_back(Slot); });
  return Result;
}

TEST(SlotVersions, AgreesWithVectors) {
  std::mt19937 Random(1);
  for (unsigned Size : {1u, 15u, 16u, 17u, 255u, 256u, 257u, 5000u}) {
    std::vector<SlotVersions> Maps{SlotVersions(Size)};
    std::vector<std::vector<unsigned>> Plain{std::vector<unsigned>(Size)};
    for (unsigned Step = 0; Step < 2000; ++Step) {
      unsigned At = Random() % Maps.size();
      if (Random() % 8 == 0 && Maps.size() < 20) { // a copy, which must not change with its source
        Maps.push_back(Maps[At]);
        Plain.push_back(Plain[At]);
      }
      unsigned Slot = Random() % Size, Version = Random() % 5;
      Maps[At].set(Slot, Version);
      Plain[At][Slot] = Version;
      unsigned Other = Random() % Maps.size();
      std::vector<unsigned> Expected;
      for (unsigned I = 0; I < Size; ++I) {
        EXPECT_EQ(Maps[Other][I], Plain[Other][I]);
        if (Plain[At][I] != Plain[Other][I])
          Expected.push_back(I);
      }
      ASSERT_EQ(differences(Maps[At], Maps[Other]), Expected);
    }
  }
}

TEST(SlotVersions, Empty) {
  SlotVersions None, Some(3);
  EXPECT_TRUE(None.empty());
  EXPECT_FALSE(Some.empty());
  Some.set(2, 7);
  EXPECT_EQ(Some[2], 7u);
  EXPECT_EQ(Some[0], 0u);
  Some.clear();
  EXPECT_TRUE(Some.empty());
}

} // namespace
