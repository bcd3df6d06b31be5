// The language: branches and addresses that depend on data, atomics, structs,
// three-component vectors, helper functions, 32-bit addresses, constructs that are not modelled.
#include "SymbolicTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;

namespace {

/// One-dimensional kernels "k" over N elements.
Pair pairOf(const std::string &Original, const std::string &Rewritten,
            std::vector<SymbolicArgument> Args, uint64_t N = 4, uint64_t Factor = 1) {
  Pair P;
  P.Original = Original;
  P.Rewritten = Rewritten;
  P.Args = std::move(Args);
  P.From = {"k", shape({N, 1, 1}), {}};
  P.To = {{"k", shape({N / Factor, 1, 1}), {}}};
  return P;
}

TEST(SymbolicLanguage, IfAgainstSelectAndNestedBranches) {
  Pair P = pairOf(R"(
__kernel void k(__global const int *a, __global int *o) {
  int i = get_global_id(0), v = a[i], r;
  if (v < 0) { r = -1; if (v < -100) r = -2; }
  else if (v > 50) r = v * 2;
  else { r = v; v = 3; r += v; }
  o[i] = r;
})",
                  R"(
__kernel void k(__global const int *a, __global int *o) {
  int i = get_global_id(0) * 2;
  int2 v = vload2(0, a + i);
  int2 r = select(v + 3, v << 1, v > 50);
  r = select(r, (int2)(-1), v < 0);
  vstore2(select(r, (int2)(-2), v < -100), 0, o + i);
})",
                  {buffer("a", 4), buffer("o", 4)}, 4, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Rewritten.replace(P.Rewritten.find("< -100"), 6, "<= -100");
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->Expected, "-1");
}

TEST(SymbolicLanguage, LoopWhoseEndDependsOnData) {
  // Steps of a Collatz walk, at most 12; the rewritten one counts down.
  Pair P = pairOf(R"(
__kernel void k(__global const uint *a, __global int *o) {
  int i = get_global_id(0), n = 0;
  uint v = a[i];
  while (v > 1 && n < 12) { v = v % 2 ? 3 * v + 1 : v / 2; ++n; }
  o[i] = n;
})",
                  R"(
__kernel void k(__global const uint *a, __global int *o) {
  int i = get_global_id(0), n = 12;
  uint v = a[i];
  for (; n > 0; --n) { if (v <= 1) break; v = (v & 1) ? 3 * v + 1 : v >> 1; }
  o[i] = 12 - n;
})",
                  {buffer("a", 4), buffer("o", 4)});
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  EXPECT_GE(R.LongestLoop, 12u);
}

TEST(SymbolicLanguage, EndlessLoopsEnd) {
  const char *Text = "__kernel void k(__global const int *a, __global int *o) {"
                     " int i = get_global_id(0), v = a[i];"
                     " while (v != 7) v = v * 3 + 1; o[i] = v; }";
  Pair P = pairOf(Text, Text, {buffer("a", 1), buffer("o", 1)}, 1);
  P.Limits.Depth = 40;
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("nested branches"), std::string::npos);
}

TEST(SymbolicLanguage, TimeLimitIsNoProof) {
  const char *Text = "__kernel void k(__global int *o) {"
                     " int s = 0; for (int j = 0; j < 100000000; ++j) s += j;"
                     " o[get_global_id(0)] = s; }";
  Pair P = pairOf(Text, Text, {buffer("o", 1)}, 1);
  P.Limits.Seconds = 0.5;
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_LT(R.Seconds, 2.0);
}

TEST(SymbolicLanguage, GatherThroughATable) {
  Pair P = pairOf(R"(
__kernel void k(__global const uchar *a, __constant uchar *lut, __global uchar *o) {
  int i = get_global_id(0); o[i] = lut[a[i]];
})",
                  R"(
__kernel void k(__global const uchar *a, __constant uchar *lut, __global uchar *o) {
  int i = get_global_id(0);
  uchar4 v = vload4(i, a);
  vstore4((uchar4)(lut[v.x], lut[v.y], lut[v.z], lut[v.w]), i, o);
})",
                  {buffer("a", 8), buffer("lut", 256), buffer("o", 8)}, 8, 4);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Rewritten.replace(P.Rewritten.find("lut[v.z]"), 8, "lut[v.y]");
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->Element, 2u);
  // A shorter table: the original may read outside it; those inputs are left out.
  P.Args[1].Count = 100;
  P.Rewritten.replace(P.Rewritten.find("lut[v.y], lut[v.y]"), 18, "lut[v.y], lut[v.z]");
  R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  EXPECT_FALSE(R.Assumptions.empty());
}

TEST(SymbolicLanguage, RewrittenGatherThatMayStray) {
  Pair P = pairOf(R"(
__kernel void k(__global const uchar *a, __constant uchar *lut, __global uchar *o) {
  int i = get_global_id(0); o[i] = lut[a[i] & 15];
})",
                  R"(
__kernel void k(__global const uchar *a, __constant uchar *lut, __global uchar *o) {
  int i = get_global_id(0); uchar v = lut[a[i] & 31]; o[i] = lut[a[i] & 15];
})",
                  {buffer("a", 4), buffer("lut", 16), buffer("o", 4)});
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::OutOfBounds);
  EXPECT_EQ(R.Example->Inputs.at("a")[0] & 16, 16);
}

TEST(SymbolicLanguage, DivisionThatTheOriginalGuards) {
  Pair P = pairOf(R"(
__kernel void k(__global const int *a, __global const int *b, __global int *o) {
  int i = get_global_id(0); o[i] = b[i] > 0 ? a[i] / b[i] : 0;
})",
                  R"(
__kernel void k(__global const int *a, __global const int *b, __global int *o) {
  int i = get_global_id(0); int q = a[i] / b[i]; o[i] = b[i] > 0 ? q : 0;
})",
                  {buffer("a", 2), buffer("b", 2), buffer("o", 2)}, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
  P.Rewritten = P.Original;
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicLanguage, DivisionByMultiplication) {
  // x / 5 for 16 bits by a multiplication; all values are tried or proved.
  Pair P = pairOf(R"(
__kernel void k(__global const ushort *a, __global ushort *o) {
  int i = get_global_id(0); o[i] = a[i] / 5;
})",
                  R"(
__kernel void k(__global const ushort *a, __global ushort *o) {
  int i = get_global_id(0); o[i] = (ushort)(((uint)a[i] * 52429u) >> 18);
})",
                  {buffer("a", 2), buffer("o", 2)}, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Rewritten.replace(P.Rewritten.find("52429u"), 6, "52428u");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
}

TEST(SymbolicLanguage, HistogramWithAtomics) {
  Pair P = pairOf(R"(
__kernel void k(__global const uchar *a, __global uint *h) {
  atomic_inc(&h[a[get_global_id(0)]]);
})",
                  R"(
__kernel void k(__global const uchar *a, __global uint *h) {
  uchar2 v = vload2(get_global_id(0), a);
  atomic_add(&h[v.y], 1u);
  atomic_inc(&h[v.x]);
})",
                  {buffer("a", 4), buffer("h", 256)}, 4, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Rewritten.replace(P.Rewritten.find("1u"), 2, "2u");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
  // The old value is used: the result depends on the order of work-items.
  P.Original = P.Rewritten = R"(
__kernel void k(__global uchar *a, __global uint *h) {
  a[get_global_id(0)] = atomic_inc(h);
})";
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicLanguage, PlainCounterIsARace) {
  const char *Text = "__kernel void k(__global int *c) { c[0] = c[0] + 1; }";
  Pair P = pairOf(Text, Text, {buffer("c", 1)});
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicLanguage, StructsAndVectorsOfThree) {
  Pair P = pairOf(R"(
typedef struct { int scale; short bias; } Setup;
__kernel void k(__global const int3 *a, __global int3 *o, Setup s) {
  int i = get_global_id(0);
  int3 v = a[i];
  o[i] = (int3)(v.z * s.scale, v.y + s.bias, v.x);
})",
                  R"(
typedef struct { int scale; short bias; } Setup;
__kernel void k(__global const int3 *a, __global int3 *o, Setup s) {
  int i = get_global_id(0);
  int3 r = a[i].zyx;
  r.x *= s.scale;
  r.y += s.bias;
  o[i] = r;
})",
                  {buffer("a", 3), buffer("o", 3), freeScalar("s")}, 3);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Rewritten.replace(P.Rewritten.find(".zyx"), 4, ".zxy");
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->Inputs.at("s").size(), 8u);
}

TEST(SymbolicLanguage, HelpersPrivateArraysAndSwitch) {
  Pair P = pairOf(R"(
int pick(int which, int x) {
  switch (which & 3) { case 0: return x; case 1: return x * 2;
                       case 2: return -x; default: return 5; }
}
__constant int Bias[4] = {1, 2, 3, 4};
__kernel void k(__global const int *a, __global int *o) {
  int i = get_global_id(0);
  int t[4] = {a[i], a[i] + 1, a[i] + 2, 0};
  t[3] = pick(a[i], t[1]);
  o[i] = t[a[i] & 3] + Bias[i];
})",
                  R"(
__kernel void k(__global const int *a, __global int *o) {
  int i = get_global_id(0), v = a[i], m = v & 3;
  int p = m == 0 ? v + 1 : m == 1 ? 2 * v + 2 : m == 2 ? -v - 1 : 5;
  o[i] = (m == 3 ? p : v + m) + i + 1;
})",
                  {buffer("a", 4), buffer("o", 4)});
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicLanguage, FreeIntegerArgument) {
  Pair P = pairOf("__kernel void k(__global int *o, int f) {"
                  " int i = get_global_id(0); o[i] = i * f; }",
                  "__kernel void k(__global int *o, int f) {"
                  " int i = get_global_id(0); vstore2((int2)(2*i, 2*i+1) * f, i, o); }",
                  {buffer("o", 4), freeScalar("f")}, 4, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicLanguage, SameBufferTwice) {
  const char *Text = "__kernel void k(__global const int *a, __global int *o) {"
                     " int i = get_global_id(0); o[i] = a[i] + 1; }";
  Pair P = pairOf(Text, Text, {buffer("a", 4), buffer("o", 4)});
  P.Args[1].SameAs = 0;
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  EXPECT_EQ(R.ElementsCompared, 4u);
  P.Original = P.Rewritten = "__kernel void k(__global const int *a, __global int *o) {"
                             " int i = get_global_id(0); o[i] = a[3 - i] + 1; }";
  R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("race"), std::string::npos);
}

TEST(SymbolicLanguage, RangesOfTheHost) {
  // Wrong for all integers, right for those that the host passes.
  Pair P = pairOf("__kernel void k(__global const int *a, __global int *o) {"
                  " int i = get_global_id(0); o[i] = a[i] * 3; }",
                  "__kernel void k(__global const int *a, __global int *o) {"
                  " int i = get_global_id(0); o[i] = (short)a[i] * (short)3; }",
                  {buffer("a", 2), buffer("o", 2)}, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
  P.Args[0].Range = {-32768, 32767};
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  EXPECT_FALSE(R.Assumptions.empty());
  P.Args[0].Range = {-32769, 0};
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
}

TEST(SymbolicLanguage, SizesOfThirtyTwoBits) {
  // size_t wraps at 2^32 on one of them.
  Pair P = pairOf("__kernel void k(__global ulong *o) {"
                  " size_t i = get_global_id(0); o[i] = i - 1; }",
                  "__kernel void k(__global ulong *o) {"
                  " int i = get_global_id(0); o[i] = (ulong)(long)(i - 1); }",
                  {buffer("o", 2)}, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.AddressBits = 32;
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
}

TEST(SymbolicLanguage, OptionsReachClang) {
  Pair P =
      pairOf("__kernel void k(__global T *o) { o[get_global_id(0)] = V; }",
             "__kernel void k(__global int *o) { o[get_global_id(0)] = 3; }", {buffer("o", 2)}, 2);
  P.Options = "-DT=int -D V=3";
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Options = "-DT=int -D V=4";
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
  P.Options = "";
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("original: Clang"), std::string::npos);
}

TEST(SymbolicLanguage, RelaxedMathIsNotProvedForFloats) {
  const char *Text = "__kernel void k(__global float *o) {"
                     " int i = get_global_id(0); o[i] = o[i] * 2.0f + 1.0f; }";
  Pair P = pairOf(Text, Text, {buffer("o", 2)}, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Options = "-cl-fast-relaxed-math";
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicLanguage, NothingWrittenIsSaid) {
  const char *Text = "__kernel void k(__global int *o, int n) {"
                     " int i = get_global_id(0); if (i < n) o[i] = 1; }";
  Pair P = pairOf(Text, Text, {buffer("o", 2), scalar("n", 0)}, 2);
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.ElementsCompared, 0u);
  EXPECT_EQ(R.Detail, "neither program writes anything at this size");
}

TEST(SymbolicLanguage, BuffersOfStructs) {
  Pair P = pairOf(R"(
typedef struct { float x, y; uchar tag; } Point;
__kernel void k(__global const Point *a, __global Point *o) {
  int i = get_global_id(0);
  o[i].x = a[i].y; o[i].y = a[i].x; o[i].tag = a[i].tag + 1;
})",
                  R"(
typedef struct { float x, y; uchar tag; } Point;
__kernel void k(__global const Point *a, __global Point *o) {
  int i = get_global_id(0);
  __global const float *f = (__global const float *)(a + i);
  vstore2(vload2(0, f).yx, 0, (__global float *)(o + i));
  o[i].tag = 1 + ((__global const uchar *)f)[8];
})",
                  {buffer("a", 3), buffer("o", 3)}, 3);
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  EXPECT_EQ(R.ElementsCompared, 3u);
  P.Rewritten.replace(P.Rewritten.find("[8]"), 3, "[4]");
  R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_EQ(R.Example->Inputs.at("a").size(), 36u);
}

TEST(SymbolicLanguage, InlineHelpers) {
  Pair P = pairOf("inline int twice(int x) { return x + x; }\n"
                  "__kernel void k(__global int *o) {"
                  " int i = get_global_id(0); o[i] = twice(o[i]); }",
                  "__kernel void k(__global int *o) {"
                  " int i = get_global_id(0); o[i] *= 2; }",
                  {buffer("o", 2)}, 2);
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicLanguage, MisalignedVectorsAreNoProof) {
  const std::string Scalar = "__kernel void k(__global const int *a, __global"
                             " int *o) { int i = get_global_id(0);"
                             " o[i] = a[i + 1]; }";
  Pair P = pairOf(Scalar,
                  "__kernel void k(__global const int *a, __global"
                  " int *o) { int i = get_global_id(0);"
                  " vstore4(*(__global const int4 *)(a + 4 * i + 1),"
                  " i, o); }",
                  {buffer("a", 9), buffer("o", 8)}, 8, 4);
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(R.Detail.find("multiple of 16 bytes"), std::string::npos);
  P.Rewritten = "__kernel void k(__global const int *a, __global int *o) {"
                " int i = get_global_id(0);"
                " vstore4(vload4(0, a + 4 * i + 1), i, o); }";
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicLanguage, RequiredGroupSizeMustBeThatOfTheLaunch) {
  const char *Text = "__attribute__((reqd_work_group_size(4, 1, 1)))"
                     "__kernel void k(__global int *o) {"
                     " o[get_global_id(0)] = 1; }";
  Pair P = pairOf(Text, Text, {buffer("o", 8)}, 8);
  P.From.Shape = shape({8, 1, 1}, {4, 1, 1});
  P.To[0].Shape = P.From.Shape;
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.To[0].Shape = shape({8, 1, 1}, {8, 1, 1});
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
  P.To[0].Shape = shape({8, 1, 1});
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicLanguage, RestrictOnABufferPassedTwice) {
  const char *Text = "__kernel void k(__global const int *a, __global int *o) {"
                     " int i = get_global_id(0); o[i] = a[i] + 1; }";
  Pair P = pairOf(Text,
                  "__kernel void k(__global const int *restrict a,"
                  " __global int *restrict o) {"
                  " int i = get_global_id(0); o[i] = a[i] + 1; }",
                  {buffer("a", 4), buffer("o", 4)});
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Args[1].SameAs = 0;
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::NotClimbed);
}

TEST(SymbolicLanguage, MacrosOfTheDeviceAreAnAssumption) {
  const char *Text = "#ifdef cl_khr_fp64\n#define T double\n#else\n"
                     "#define T float\n#endif\n"
                     "__kernel void k(__global float *o) {"
                     " int i = get_global_id(0); o[i] = (T)o[i] * (T)3; }";
  Pair P = pairOf(Text, Text, {buffer("o", 2)}, 2);
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  ASSERT_FALSE(R.Assumptions.empty());
  EXPECT_NE(R.Assumptions[0].find("macros"), std::string::npos);
}

TEST(SymbolicLanguage, WhatIsNotModelledIsNamed) {
  struct {
    const char *Text, *Reason;
  } const Kernels[] = {
      {"__kernel void k(__global int *o, read_only image2d_t i) { o[0] = 1; }", "another kind"},
      {"__kernel void k(__global int *o, read_only image2d_depth_t i) { o[0] = 1; }",
       "image2d_depth_t"},
      {"__kernel void k(__global int *o, int n) {"
       " printf(\"%d\", n); o[get_global_id(0)] = 1; }",
       "printf"},
      {"__kernel void k(__global float *o, int n) {"
       " float c; int i = get_global_id(0); o[i] = sincos(o[i], &c) + c; }",
       "sincos"},
      {"__kernel void k(__global int *o, int n) {"
       " int x; o[get_global_id(0)] = x; }",
       "uninitialised"},
      {"__kernel void k(__global int *o, int n) {"
       " o[get_global_id(0) + 1] = 1; }",
       "outside"},
  };
  for (const auto &K : Kernels) {
    Pair P = pairOf(K.Text, K.Text, {buffer("o", 2), scalar("n", 2)}, 2);
    SymbolicResult R = P.prove();
    EXPECT_EQ(R.Outcome, SymbolicOutcome::NotClimbed) << K.Text;
    EXPECT_NE(R.Detail.find(K.Reason), std::string::npos) << R.Detail;
  }
}

} // namespace
