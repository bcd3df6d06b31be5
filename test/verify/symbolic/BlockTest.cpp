// Matrix products in blocks, stencils staged in local memory, barriers and
// races, asynchronous copies.
#include "SymbolicTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;

namespace {

const char *const Product = R"(
__kernel void product(__global const float *a, __global const float *b,
                      __global float *c, int n, float alpha, float beta) {
  int i = get_global_id(1), j = get_global_id(0);
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = alpha * s + beta * c[i * n + j];
})";

// A block of 4 x 4 for each work-item.
const char *const Blocked = R"(
__kernel void product44(__global const float *a, __global const float *b,
                        __global float *c, int n, float alpha, float beta) {
  int i = get_global_id(1) * 4, j = get_global_id(0) * 4;
  float4 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int k = 0; k < n; ++k) {
    float4 v = vload4(0, b + k * n + j);
    s0 += a[i * n + k] * v;
    s1 += a[(i + 1) * n + k] * v;
    s2 += a[(i + 2) * n + k] * v;
    s3 += a[(i + 3) * n + k] * v;
  }
  vstore4(alpha * s0 + beta * vload4(0, c + i * n + j), 0, c + i * n + j);
  vstore4(alpha * s1 + beta * vload4(0, c + (i + 1) * n + j), 0, c + (i + 1) * n + j);
  vstore4(alpha * s2 + beta * vload4(0, c + (i + 2) * n + j), 0, c + (i + 2) * n + j);
  vstore4(alpha * s3 + beta * vload4(0, c + (i + 3) * n + j), 0, c + (i + 3) * n + j);
})";

Pair productPair(uint64_t N) {
  Pair P;
  P.Original = Product;
  P.Rewritten = Blocked;
  P.Args = {buffer("a", N * N),      buffer("b", N * N),  buffer("c", N * N),
            scalar("n", int64_t(N)), freeScalar("alpha"), freeScalar("beta")};
  P.From = {"product", shape({N, N, 1}, {4, 4, 1}), {}};
  P.To = {{"product44", shape({N / 4, N / 4, 1}), {}}};
  return P;
}

std::string replaced(std::string Text, const std::string &From, const std::string &To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  return Text.replace(At, From.size(), To);
}

TEST(SymbolicProduct, BlockIsProved) {
  for (uint64_t N : {4, 8, 16}) {
    SymbolicResult R = productPair(N).prove();
    EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
    EXPECT_EQ(R.ElementsCompared, N * N);
    EXPECT_EQ(R.Structural, N * N);
    EXPECT_EQ(R.LongestLoop, N);
  }
}

TEST(SymbolicProduct, TransposedReadIsNotProved) {
  Pair P = productPair(8);
  P.Rewritten = replaced(P.Rewritten, "a[(i + 2) * n + k]", "a[(i + 1) * n + k]");
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  ASSERT_TRUE(R.Example);
  EXPECT_TRUE(R.Example->MustBeReplayed);
}

TEST(SymbolicProduct, TwoPartialSumsAreAnotherOrder) {
  Pair P = productPair(4);
  P.Rewritten = replaced(P.Rewritten, "s0 += a[i * n + k] * v;", "s0 = a[i * n + k] * v + s0;");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P = productPair(4);
  P.Rewritten =
      replaced(P.Rewritten, "for (int k = 0; k < n; ++k)", "for (int k = n - 1; k >= 0; --k)");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

const char *const Direct = R"(
__kernel void blur(__global const int *in, __global int *out, int n,
                   __local int *tile) {
  int i = get_global_id(0);
  int l = i == 0 ? 0 : in[i - 1], r = i == n - 1 ? 0 : in[i + 1];
  out[i] = l + 2 * in[i] + r;
})";

const char *const Staged = R"(
__kernel void blur(__global const int *in, __global int *out, int n,
                   __local int *tile) {
  int i = get_global_id(0), t = get_local_id(0), m = get_local_size(0);
  tile[t + 1] = in[i];
  if (t == 0) tile[0] = i == 0 ? 0 : in[i - 1];
  if (t == m - 1) tile[m + 1] = i == n - 1 ? 0 : in[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[t] + 2 * tile[t + 1] + tile[t + 2];
})";

Pair blurPair(const std::string &Original, const std::string &Rewritten) {
  Pair P;
  P.Original = Original;
  P.Rewritten = Rewritten;
  P.Args = {buffer("in", 24), buffer("out", 24), scalar("n", 24), local("tile", 10 * 4)};
  P.From = P.To.emplace_back(SymbolicLaunch{"blur", shape({24, 1, 1}, {8, 1, 1}), {}});
  return P;
}

TEST(SymbolicLocal, StagedIsTheSameAsDirectBothWays) {
  EXPECT_EQ(blurPair(Staged, Direct).prove().Outcome, SymbolicOutcome::Proved);
  EXPECT_EQ(blurPair(Direct, Staged).prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicLocal, MissingBarrierIsARace) {
  SymbolicResult R =
      blurPair(Direct, replaced(Staged, "barrier(CLK_LOCAL_MEM_FENCE);", "")).prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  ASSERT_TRUE(R.Example);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::Race);
  EXPECT_EQ(R.Example->Argument, "tile");
}

TEST(SymbolicLocal, RacyOriginalIsNotClimbed) {
  SymbolicResult R =
      blurPair(replaced(Staged, "barrier(CLK_LOCAL_MEM_FENCE);", ""), Direct).prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("original: a race on tile"), std::string::npos);
}

TEST(SymbolicLocal, MissingHaloIsNotProved) {
  SymbolicResult R = blurPair(Direct, replaced(Staged, "if (t == 0)", "if (i == 0)")).prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("uninitialised"), std::string::npos);
}

TEST(SymbolicLocal, WrongHaloHasACounterexample) {
  SymbolicResult R = blurPair(Direct, replaced(Staged, "i == 0 ? 0 : in[i - 1]", "in[i]")).prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->Argument, "out");
}

TEST(SymbolicLocal, FenceOfTheWrongMemoryIsARace) {
  SymbolicResult R =
      blurPair(Direct, replaced(Staged, "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE")).prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::Race);
  EXPECT_EQ(blurPair(Direct, replaced(Staged, "CLK_LOCAL_MEM_FENCE",
                                      "CLK_GLOBAL_MEM_FENCE |"
                                      " CLK_LOCAL_MEM_FENCE"))
                .prove()
                .Outcome,
            SymbolicOutcome::Proved);
}

TEST(SymbolicLocal, TooSmallLocalMemoryIsFound) {
  Pair P = blurPair(Direct, Staged);
  P.Args[3].LocalBytes = 9 * 4;
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::OutOfBounds);
  P.To[0].LocalBytes["tile"] = 10 * 4;
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicLocal, GroupSizeOfTheRuntimeIsNotGuessed) {
  Pair P = blurPair(Direct, Staged);
  P.To[0].Shape.Local = {0, 0, 0};
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicLocal, AsynchronousCopy) {
  const std::string Async = R"(
__kernel void blur(__global const int *in, __global int *out, int n,
                   __local int *tile) {
  int t = get_local_id(0), m = get_local_size(0), i = get_global_id(0);
  event_t e = async_work_group_copy(tile + 1, in + get_group_id(0) * m, (size_t)m, 0);
  if (t == 0) tile[0] = i == 0 ? 0 : in[i - 1];
  if (t == m - 1) tile[m + 1] = i == n - 1 ? 0 : in[i + 1];
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[t] + 2 * tile[t + 1] + tile[t + 2];
})";
  EXPECT_EQ(blurPair(Direct, Async).prove().Outcome, SymbolicOutcome::Proved);
  SymbolicResult R =
      blurPair(Direct,
               replaced(Async, "wait_group_events(1, &e);\n  barrier(CLK_LOCAL_MEM_FENCE);", ""))
          .prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::Race);
}

TEST(SymbolicLocal, LocalArraysAndReductions) {
  // A tree with a barrier for each level; the rewritten one without modulo.
  const std::string Tree = R"(
__kernel void sum(__global const int *in, __global int *out) {
  __local int x[8];
  int t = get_local_id(0);
  x[t] = in[get_global_id(0)];
  for (int s = 1; s < 8; s *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t % (2 * s) == 0) x[t] += x[t + s];
  }
  if (t == 0) out[get_group_id(0)] = x[0];
})";
  const std::string Halves = R"(
__kernel void sum(__global const int *in, __global int *out) {
  __local int x[8];
  int t = get_local_id(0);
  x[t] = in[get_global_id(0)];
  for (int s = 4; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < s) x[t] += x[t + s];
  }
  if (t == 0) out[get_group_id(0)] = x[0];
})";
  Pair P;
  P.Original = Tree;
  P.Rewritten = Halves;
  P.Args = {buffer("in", 16), buffer("out", 2)};
  P.From = P.To.emplace_back(SymbolicLaunch{"sum", shape({16, 1, 1}, {8, 1, 1}), {}});
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  // In floating point the order of a tree matters.
  for (std::string *Text : {&P.Original, &P.Rewritten}) {
    *Text = replaced(*Text, "const int *in", "const float *in");
    *Text = replaced(*Text, "int *out", "float *out");
    *Text = replaced(*Text, "__local int", "__local float");
  }
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicLocal, BarrierThatNotAllReach) {
  SymbolicResult R = blurPair(Direct, replaced(Direct, "out[i] =",
                                               "if (get_local_id(0) < 7)"
                                               " barrier(CLK_LOCAL_MEM_FENCE);\n  out[i] ="))
                         .prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("same barrier"), std::string::npos);
}

TEST(SymbolicRaces, TwoWorkItemsOnOneElement) {
  Pair P;
  P.Original = "__kernel void k(__global const int *a, __global int *o) {"
               " int i = get_global_id(0); o[i] = a[i]; }";
  P.Rewritten = "__kernel void k(__global const int *a, __global int *o) {"
                " int i = get_global_id(0); o[i] = a[i];"
                " if (i > 0) o[i - 1] = a[i]; }";
  P.Args = {buffer("a", 4), buffer("o", 4)};
  P.From = P.To.emplace_back(SymbolicLaunch{"k", shape({4, 1, 1}), {}});
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::Race);
  // Two work-items that store the same value: no race, since the result does not depend on it.
  P.Rewritten = replaced(P.Rewritten, "o[i - 1] = a[i]", "o[i - 1] = a[i - 1]");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicRaces, InPlaceNeighbourIsARace) {
  Pair P;
  P.Original = P.Rewritten = "__kernel void k(__global int *a, int n) {"
                             " int i = get_global_id(0); if (i + 1 < n) a[i] = a[i + 1]; }";
  P.Args = {buffer("a", 4), scalar("n", 4)};
  P.From = P.To.emplace_back(SymbolicLaunch{"k", shape({4, 1, 1}), {}});
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("race"), std::string::npos);
}

} // namespace
