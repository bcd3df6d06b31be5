//===-- test/passes/LanesTest.cpp - what lanes are made of ------------------===//
//
// The rules of rewriters/lanes, each once: which integers wrap, which are polynomials, which are
// linear in the lane.

#include "Kernels.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Linear.h"
#include "rewriters/lanes/Polynomials.h"

namespace clmali::testing {
namespace {

using namespace rewrite;
using namespace model;

/// A kernel with integers x, w and u (unsigned), and an expression of it.
struct Expression {
  explicit Expression(const std::string &Text, const std::string &Type = "long")
      : S(parse("kernel void k(global " + Type +
                " *o, int x, int w, uint u, global uchar *b) { o[0] = " + Text + "; }")) {
    for (const Stmt *St : stmts(S.New->Body))
      if (St->K == StmtKind::Store)
        E = St->E;
    while (E && E->K == ExprKind::Cast && E->Implicit)
      E = E->Ops[0];
  }
  Source S;
  const Expr *E = nullptr;
};

/// The limit on ids under which Text is exact; 0: without one; -1: it is not.
int64_t limitOf(const std::string &Text, IdSpace Ids = {}) {
  Expression X(Text);
  int64_t Limit = 0;
  ExactInts Ints(Ids, [](const Var *) { return nullptr; }, nullptr, Limit);
  return Ints.isExact(X.E) ? Limit : -1;
}

const std::string Id = "(uint)get_global_id(0)";
constexpr int64_t TwoTo26 = int64_t(1) << 26, TwoTo30 = int64_t(1) << 30,
                  TwoTo31 = int64_t(1) << 31;

TEST(ExactInts, SignedOverflowIsUndefined) {
  EXPECT_EQ(limitOf("x + 1"), 0);
  EXPECT_EQ(limitOf("x * w"), 0);
  EXPECT_EQ(limitOf("-x"), 0);
}
TEST(ExactInts, ShiftsDropBits) {
  EXPECT_EQ(limitOf("x << 1"), -1);
  EXPECT_EQ(limitOf("(int)b[0] << 4"), 0);
  EXPECT_EQ(limitOf("(int)b[0] << 33"), -1);
  EXPECT_EQ(limitOf("(int)b[0] << x"), -1);
}
TEST(ExactInts, UnsignedWrapsUnlessRangesShowThatItDoesNot) {
  EXPECT_EQ(limitOf("u + 1u"), -1);
  EXPECT_EQ(limitOf("u - 1u"), -1);
  EXPECT_EQ(limitOf("(uint)b[0] * 3u + 1u"), 0);
  EXPECT_EQ(limitOf("(uint)b[0] - 1u"), -1);
}
TEST(ExactInts, IdsHaveALimit) {
  EXPECT_EQ(limitOf(Id + " + 15u"), TwoTo31);
  EXPECT_EQ(limitOf(Id + " * 4u"), TwoTo30);
  EXPECT_EQ(limitOf(Id + " * 64u"), TwoTo26);
  EXPECT_EQ(limitOf(Id + " * 256u"), TwoTo26 / 4);
  EXPECT_EQ(limitOf(Id + " * 1024u"), -1);
  EXPECT_EQ(limitOf(Id + " * 1000003u"), -1);
  EXPECT_EQ(limitOf(Id + " - 5001u"), -1);
  EXPECT_EQ(limitOf("get_global_id(0) * get_global_id(1)"), -1);
}
TEST(ExactInts, ConversionsKeepWhatTheTypeHolds) {
  EXPECT_EQ(limitOf("(long)x"), 0);
  EXPECT_EQ(limitOf("(ulong)x"), -1);
  EXPECT_EQ(limitOf("(int)u"), -1);
  EXPECT_EQ(limitOf("(int)get_global_id(0)"), TwoTo31);
  EXPECT_EQ(limitOf("(int)(u & 1023u)"), 0);
}
TEST(ExactInts, IdsOfBlocksAreFewer) {
  EXPECT_EQ(limitOf(Id + " * 16u", {{16, 1, 1}, {}}), TwoTo31);
  EXPECT_EQ(limitOf("(uint)get_global_id(1) * 16u", {{16, 1, 1}, {}}), TwoTo31 / 8);
}
TEST(ExactInts, LocalIdsAreBelowTheLocalSize) {
  EXPECT_EQ(limitOf("(uint)get_local_id(0) * 1000003u", {{1, 1, 1}, {64, 1, 1}}), TwoTo31);
  EXPECT_EQ(limitOf("(uint)get_local_id(0) * 1000003u"), -1);
}

/// Both as polynomials of one kind.
enum class Kind { Of, Exact, Address };
bool sameAs(const std::string &X, const std::string &Y, Kind K) {
  // Two values of one kernel: its symbols are the same.
  Expression E("(" + X + ") + (" + Y + ") * 3");
  const Expr *A = E.E->Ops[0], *B = E.E->Ops[1]->Ops[0];
  int64_t Limit = 0;
  Polynomials P({}, Limit);
  auto Index = [](const Expr *I) {
    Access Acc;
    Acc.Index = {I};
    Acc.Stride = {1};
    return Acc;
  };
  if (K == Kind::Address)
    return P.address(Index(A)) == P.address(Index(B));
  return K == Kind::Of ? P.of(A) == P.of(B) : P.exact(A) == P.exact(B);
}

TEST(Polynomials, SumsOfOneWidth) {
  EXPECT_TRUE(sameAs("(long)(x + 3)", "(long)x + 3", Kind::Of));
  EXPECT_TRUE(sameAs("(long)(x + 3)", "(long)x + 3", Kind::Exact));
  EXPECT_FALSE(sameAs("(long)(x + 3)", "(long)x + 2", Kind::Exact));
}
TEST(Polynomials, WhatWrapsBeforeItIsWidened) {
  EXPECT_FALSE(sameAs("(long)(u - 1u) + 1", "(long)u", Kind::Of));
  EXPECT_FALSE(sameAs("(long)(u - 1u) + 1", "(long)u", Kind::Exact));
  EXPECT_TRUE(sameAs("(long)(u - 1u) + 1", "(long)u", Kind::Address));
}
TEST(Polynomials, WhatWrapsAndIsCutComesOutRight) {
  EXPECT_TRUE(
      sameAs("(long)(int)(get_global_id(0) - 1)", "(long)(int)get_global_id(0) - 1", Kind::Exact));
  EXPECT_FALSE(sameAs("(long)(int)(get_global_id(0) * 1000003)",
                      "(long)(int)get_global_id(0) * 1000003", Kind::Exact));
}
TEST(Polynomials, AGroupsFirstIdIsAnId) {
  EXPECT_TRUE(sameAs("(long)(int)(get_group_id(0) * get_local_size(0))",
                     "(long)get_group_id(0) * (long)get_local_size(0)", Kind::Exact));
  EXPECT_FALSE(sameAs("(long)(int)(get_group_id(0) * get_local_size(1))",
                      "(long)get_group_id(0) * (long)get_local_size(1)", Kind::Exact));
}

TEST(Linear, StridesAreSumsOfThoseOfTheOperands) {
  auto Stride = [](const std::string &Text, int64_t X, int64_t Y) {
    Expression E(Text);
    return strideOf(E.E, {X, Y}).value_or(-99);
  };
  EXPECT_EQ(Stride("x + w", 1, 2), 3);
  EXPECT_EQ(Stride("x - w", 1, 1), 0);
  EXPECT_EQ(Stride("x * 5", 2, 0), 10);
  EXPECT_EQ(Stride("7 * x", 0, 1), 7);
  EXPECT_EQ(Stride("x << 3", 1, 0), 8);
  EXPECT_EQ(Stride("x << 20", 1, 0), -99);
  EXPECT_EQ(Stride("x * w", 1, 0), -99);
  EXPECT_EQ(Stride("x / 2", 2, 0), -99);
  EXPECT_EQ(Stride("x * 4194304", 1, 0), -99);
}
TEST(Linear, OnlyTheLowBitsOfAnIndexMatter) {
  Expression Wide("(ulong)(u + 1u)"), Narrow("(int)(get_global_id(0) + 1)"), Quotient("u / 3u");
  EXPECT_TRUE(extends(Wide.E, AllBits));
  EXPECT_FALSE(extends(Wide.E, IndexBits));
  EXPECT_FALSE(extends(Narrow.E, AllBits));
  EXPECT_EQ(bitsUsedOfOperands(Narrow.E, AllBits), 32u);
  EXPECT_EQ(bitsUsedOfOperands(Quotient.E, IndexBits), AllBits);
}

} // namespace
} // namespace clmali::testing
