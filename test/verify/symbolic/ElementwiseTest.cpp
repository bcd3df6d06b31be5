// Element-wise kernels with vloadN, vstoreN and tails: right ones are proved, wrong ones refuted.
#include "SymbolicTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;

namespace {

const char *const Axpy = R"(
__kernel void axpy(float a, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
})";

// One work-item does four, the last one the rest.
std::string axpy4(const std::string &Body) {
  return "__kernel void axpy4(float a, __global const float *x,"
         " __global float *y, int n) {\n"
         "  int i = get_global_id(0) * 4;\n"
         "  if (i + 3 < n) {\n" +
         Body +
         "  } else {\n"
         "    for (int j = i; j < n; ++j) y[j] = a * x[j] + y[j];\n"
         "  }\n}\n";
}

Pair axpyPair(const std::string &Rewritten, uint64_t N) {
  Pair P;
  P.Original = Axpy;
  P.Rewritten = Rewritten;
  P.Args = {freeScalar("a"), buffer("x", N), buffer("y", N), scalar("n", int64_t(N))};
  P.From = {"axpy", shape({(N + 15) / 16 * 16, 1, 1}), {}};
  P.To = {{"axpy4", shape({(N + 3) / 4, 1, 1}), {}}};
  return P;
}

const char *const GoodBody = "    float4 v = vload4(0, x + i), w = vload4(0, y + i);\n"
                             "    vstore4(a * v + w, 0, y + i);\n";

TEST(SymbolicElementwise, VectorWithTailIsProvedAtEverySize) {
  for (uint64_t N : {1, 3, 4, 5, 17, 64, 101}) {
    SymbolicResult R = axpyPair(axpy4(GoodBody), N).prove();
    EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
    EXPECT_EQ(R.ElementsCompared, N);
    EXPECT_EQ(R.Structural, N);
    // x is not written.
    EXPECT_EQ(R.ElementsUnchanged, N);
  }
}

TEST(SymbolicElementwise, WrongOperandIsOnlyACandidateInFloats) {
  SymbolicResult R = axpyPair(axpy4("    float4 v = vload4(0, x + i), w = vload4(0, y + i);\n"
                                    "    vstore4(a * v - w, 0, y + i);\n"),
                              8)
                         .prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  ASSERT_TRUE(R.Example);
  EXPECT_TRUE(R.Example->MustBeReplayed);
  EXPECT_EQ(R.Example->Argument, "y");
  EXPECT_EQ(R.Example->Inputs.at("y").size(), 32u);
}

TEST(SymbolicElementwise, HoistedTemporaryLosesTheContraction) {
  // a * x + y may fuse; t = a * x; t + y may not.
  SymbolicResult R = axpyPair(axpy4("    float4 v = vload4(0, x + i), w = vload4(0, y + i);\n"
                                    "    float4 t = a * v;\n"
                                    "    vstore4(t + w, 0, y + i);\n"),
                              8)
                         .prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicElementwise, OverReadAtTheEndIsFound) {
  SymbolicResult R = axpyPair(R"(
__kernel void axpy4(float a, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0) * 4;
  float4 v = vload4(0, x + i);
  if (i + 3 < n) vstore4(a * v + vload4(0, y + i), 0, y + i);
  else for (int j = i; j < n; ++j) y[j] = a * x[j] + y[j];
})",
                              6)
                         .prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  ASSERT_TRUE(R.Example);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::OutOfBounds);
  EXPECT_EQ(R.Example->Argument, "x");
  EXPECT_EQ(R.Example->Element, 6u);
}

TEST(SymbolicElementwise, MissingTailIsFound) {
  Pair P = axpyPair(axpy4(GoodBody), 10);
  P.Rewritten = R"(
__kernel void axpy4(float a, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n) vstore4(a * vload4(0, x + i) + vload4(0, y + i), 0, y + i);
})";
  SymbolicResult R = P.prove();
  // Floating point: a candidate, with the element that is not written.
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  ASSERT_TRUE(R.Example);
  EXPECT_EQ(R.Example->Element, 8u);
}

TEST(SymbolicElementwise, SplitLaunchWithOffset) {
  Pair P = axpyPair(std::string(Axpy) + R"(
__kernel void axpy4(float a, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  vstore4(a * vload4(i, x) + vload4(i, y), i, y);
})",
                    11);
  P.From.Shape = shape({11, 1, 1});
  P.To = {{"axpy4", shape({2, 1, 1}), {}}, {"axpy", shape({3, 1, 1}, {0, 0, 0}, {8, 0, 0}), {}}};
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.To[1].Shape.Offset[0] = 7;
  EXPECT_NE(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicElementwise, IntegerDifferenceHasACounterexample) {
  Pair P;
  P.Original = "__kernel void k(__global const int *a, __global int *o) {"
               " int i = get_global_id(0); o[i] = a[i] > 7 ? a[i] : -a[i]; }";
  P.Rewritten = "__kernel void k(__global const int *a, __global int *o) {"
                " int i = get_global_id(0) * 2; int2 v = vload2(0, a + i);"
                " vstore2(select(-v, v, v >= 7), 0, o + i); }";
  P.Args = {buffer("a", 6), buffer("o", 6)};
  P.From = {"k", shape({6, 1, 1}), {}};
  P.To = {{"k", shape({3, 1, 1}), {}}};
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  ASSERT_TRUE(R.Example);
  EXPECT_EQ(R.Example->Inputs.at("a")[0], 7);
  EXPECT_EQ(R.Example->Expected, "-7");
  EXPECT_EQ(R.Example->Got, "7");
  EXPECT_FALSE(R.Example->MustBeReplayed);
  EXPECT_NE(R.Example->WorkItem.find("(0, 0, 0)"), std::string::npos);

  P.Rewritten.replace(P.Rewritten.find(">= 7"), 4, "> 7");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicElementwise, VectorMathFunctionIsAnotherFunction) {
  Pair P;
  P.Original = "__kernel void k(__global const float *a, __global float *o) {"
               " int i = get_global_id(0); o[i] = exp(a[i]); }";
  P.Rewritten = "__kernel void k(__global const float *a, __global float *o) {"
                " int i = get_global_id(0); vstore4(exp(vload4(i, a)), i, o); }";
  P.Args = {buffer("a", 8), buffer("o", 8)};
  P.From = {"k", shape({8, 1, 1}), {}};
  P.To = {{"k", shape({2, 1, 1}), {}}};
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
  P.Rewritten = "__kernel void k(__global const float *a, __global float *o) {"
                " int i = get_global_id(0); float4 v = vload4(i, a);"
                " vstore4((float4)(exp(v.x), exp(v.y), exp(v.z), exp(v.w)), i, o);"
                " }";
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  for (std::string F : {"fabs", "floor", "sqrt"}) {
    P.Original = "__kernel void k(__global const float *a, __global float *o) {"
                 " int i = get_global_id(0); o[i] = " +
                 F + "(a[i]); }";
    P.Rewritten = "__kernel void k(__global const float *a, __global float *o) {"
                  " int i = get_global_id(0); vstore4(" +
                  F + "(vload4(i, a)), i, o); }";
    EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  }
}

TEST(SymbolicElementwise, ReassociationIsNotProvedAndNotRefuted) {
  Pair P;
  P.Original = "__kernel void k(__global const float *a, __global float *o) {"
               " int i = get_global_id(0);"
               " o[i] = a[3*i] + a[3*i+1] + a[3*i+2]; }";
  P.Rewritten = "__kernel void k(__global const float *a, __global float *o) {"
                " int i = get_global_id(0);"
                " o[i] = a[3*i] + (a[3*i+1] + a[3*i+2]); }";
  P.Args = {buffer("a", 12), buffer("o", 4)};
  P.From = {"k", shape({4, 1, 1}), {}};
  P.To = {{"k", shape({4, 1, 1}), {}}};
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
  // The same order, the operands of one addition swapped: the same value.
  P.Rewritten = "__kernel void k(__global const float *a, __global float *o) {"
                " int i = get_global_id(0);"
                " o[i] = a[3*i+2] + (a[3*i+1] + a[3*i]); }";
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

} // namespace
