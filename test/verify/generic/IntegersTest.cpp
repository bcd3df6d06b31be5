// Terms as integers: what follows there has to follow for bit-vectors.
#include "rewriters/verify/generic/IntegerTerms.h"

#include <gtest/gtest.h>

using namespace clmali::verify::generic;
using namespace clmali::verify::symbolic;

namespace {

struct Integers : testing::Test {
  TermStore T;
  IntegerTerms Z{T};
  Term X = T.variable(64), Y = T.variable(64);

  bool follows(Term Claim, llvm::ArrayRef<Term> Given = {}) { return Z.follows(Claim, Given, 5); }
  Term number(uint64_t V) { return T.constant(64, V); }
};

TEST_F(Integers, MasksKeepTheirBits) {
  for (unsigned Bits : {1u, 30u, 31u, 62u, 63u}) {
    const uint64_t Mask = (uint64_t(1) << Bits) - 1;
    for (uint64_t M : {Mask, ~Mask}) {
      Term Part = T.bitAnd(X, number(M));
      // X may be anything, so the masked value may be 0 and may be another number.
      EXPECT_FALSE(follows(T.eq(Part, number(0)))) << Bits;
      EXPECT_FALSE(follows(T.bitNot(T.eq(Part, number(0))))) << Bits;
    }
    // Not more than the number itself, and less by fewer than 2^Bits.
    Term High = T.bitAnd(X, number(~Mask)), NotNegative = T.bitNot(T.slt(X, number(0)));
    EXPECT_EQ(follows(T.bitNot(T.slt(X, High)), NotNegative), Bits <= 30) << Bits;
    EXPECT_EQ(follows(T.slt(T.sub(X, High), number(Mask + 1)), NotNegative), Bits <= 30) << Bits;
  }
}

TEST_F(Integers, SumsWrap) {
  Term Small = T.extend(T.variable(32), 64, false);
  EXPECT_TRUE(follows(T.ult(Small, T.addConst(Small, 1))));
  EXPECT_FALSE(follows(T.ult(X, T.addConst(X, 1))));
  EXPECT_FALSE(follows(T.slt(X, T.addConst(X, 1))));
  Term Narrow = T.variable(32), Next = T.addConst(Narrow, 1);
  EXPECT_FALSE(
      follows(T.eq(T.extend(Next, 64, false), T.addConst(T.extend(Narrow, 64, false), 1))));
  EXPECT_TRUE(follows(T.eq(T.extend(Next, 64, false), T.addConst(T.extend(Narrow, 64, false), 1)),
                      T.ult(Narrow, T.constant(32, 1000))));
}

TEST_F(Integers, ProductsThatMayWrapAreAnyNumber) {
  Term A = T.extend(T.variable(32), 64, true), B = T.extend(T.variable(32), 64, true);
  Term Positive[] = {T.slt(number(0), A), T.slt(number(0), B)};
  EXPECT_TRUE(follows(T.slt(number(0), T.mul(A, B)), Positive));
  Term Wide[] = {T.slt(number(0), X), T.slt(number(0), Y)};
  EXPECT_FALSE(follows(T.slt(number(0), T.mul(X, Y)), Wide));
}

TEST_F(Integers, SignsAndWidths) {
  Term N = T.variable(32);
  EXPECT_FALSE(follows(T.eq(T.extend(N, 64, true), T.extend(N, 64, false))));
  EXPECT_TRUE(
      follows(T.eq(T.extend(N, 64, true), T.extend(N, 64, false)), T.ult(N, T.constant(32, 9))));
  EXPECT_FALSE(follows(T.eq(T.extend(T.trunc(X, 32), 64, true), X)));
  Term Half = T.div(Op::SDiv, X, number(2));
  EXPECT_FALSE(follows(T.slt(Half, X), T.bitNot(T.eq(X, number(0)))));
}

} // namespace
