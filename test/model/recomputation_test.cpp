// Which results of a fixpoint iteration are computed again.
#include "checks/model/analysis/Recomputation.h"
#include "gtest/gtest.h"

using clmali::model::Recomputation;

TEST(Recomputation, ReadersOfAChangedResultAreOutOfDate) {
  Recomputation R(4);
  // 1 reads 0; 2 reads 1; 3 reads nothing, and 9, which is no result.
  R.begin(0);
  R.begin(1);
  R.read(0);
  R.begin(2);
  R.read(1);
  R.read(1);
  R.begin(3);
  R.read(9);
  EXPECT_EQ(R.next(0, 4), 4u);
  R.changed(0);
  EXPECT_EQ(R.next(0, 4), 1u);
  EXPECT_EQ(R.next(2, 4), 4u) << "2 does not read 0";
  R.begin(1);
  R.read(0);
  EXPECT_EQ(R.next(0, 4), 4u) << "1 did not change";
  R.changed(3);
  EXPECT_EQ(R.next(0, 4), 4u) << "nothing reads 3";
  R.restart();
  EXPECT_EQ(R.next(0, 4), 0u);
}

TEST(Recomputation, AResultThatReadsItselfIsComputedUntilItStays) {
  Recomputation R(1);
  unsigned Value = 0, Times = 0;
  for (unsigned N = R.next(0, 1); N < 1; N = R.next(0, 1)) {
    R.begin(N);
    R.read(N);
    ++Times;
    if (Value < 3) {
      ++Value;
      R.changed(N);
    }
  }
  EXPECT_EQ(Times, 4u);
}
