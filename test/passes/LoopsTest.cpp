//===-- test/passes/LoopsTest.cpp - Unrolling, merge-loads, narrow ----------===//

#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

Launch launch(uint64_t N, std::map<std::string, std::vector<uint8_t>> Buffers,
              std::map<std::string, std::vector<double>> Scalars = {}) {
  Launch L;
  L.Global = {N, 1, 1};
  L.Buffers = std::move(Buffers);
  L.Scalars = std::move(Scalars);
  return L;
}

unsigned loops(const Source &S) {
  unsigned N = 0;
  model::walk(S.New->Body, [&](model::Stmt *T) {
    N += T->K == model::StmtKind::Loop;
    return true;
  });
  return N;
}

unsigned unrollAll(Source &S) { return unrollConstantLoops({S.module(), *S.New}, 16, 2000); }

TEST(Unroll, WindowOfNine) {
  Source S = parse(
      "kernel void k(global const int *a, global int *o) { int x = get_global_id(0); int s = 0;"
      " for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; ++dx) { int t = a[(dy + 1) * "
      "20 + x + dx + 1]; s += t * (dx + 2); }"
      " o[x] = s; }");
  EXPECT_GT(unrollAll(S), 0u);
  EXPECT_EQ(loops(S), 0u) << S.text();
  expectSame(S, launch(16, {{"a", data<int>(60, 1, -9, 9)}, {"o", data<int>(16, 2, 0, 1)}}));
}

TEST(Unroll, BoundsThatMoveTogether) {
  Source S = parse(
      "kernel void k(global const int *a, global int *o) { int x = get_global_id(0) + 1; int s = 0;"
      " for (int j = x - 1; j <= x + 1; j++) s = s * 3 + a[j]; o[x - 1] = s; }");
  EXPECT_GT(unrollAll(S), 0u);
  EXPECT_EQ(loops(S), 0u) << S.text();
  expectSame(S, launch(16, {{"a", data<int>(18, 1, -9, 9)}, {"o", data<int>(16, 2, 0, 1)}}));
}

TEST(Unroll, VariableReadAfterwards) {
  Source S = parse("kernel void k(global int *o) { int x = get_global_id(0), j; for (j = 0; j < 5; "
                   "j += 2) o[x] += j; o[x] += 100 * j; }");
  EXPECT_GT(unrollAll(S), 0u);
  expectSame(S, launch(4, {{"o", data<int>(4, 2, 0, 9)}}));
}

TEST(Unroll, WhileThatCountsInside) {
  Source S = parse("kernel void k(global int *o) { int x = get_global_id(0), j = 0; while (j < 4) "
                   "{ o[x] += j; j++; o[x] += 10 * j; } }");
  unrollAll(S);
  expectSame(S, launch(4, {{"o", data<int>(4, 2, 0, 9)}}));
}

TEST(Unroll, BreakStays) {
  Source S = parse("kernel void k(global int *o) { int x = get_global_id(0); for (int j = 0; j < "
                   "4; j++) { if (o[x] > 5) break; o[x] += j; } }");
  EXPECT_EQ(unrollAll(S), 0u);
}

/// A loop of items of four elements, for numbers of elements that end it anywhere or nowhere.
void expectRuns(const char *Loop, unsigned Left) {
  Source S = parse("kernel void k(global const int *a, global int *o, int n) {"
                   " int x = get_global_id(0), s = 0; " +
                   std::string(Loop) + " o[32 + x] = s; }");
  normalize({S.module(), *S.New});
  unrollAll(S);
  EXPECT_EQ(loops(S), Left) << S.text();
  for (int N : {0, 1, 3, 4, 6, 8, 29, 32})
    expectSame(S, launch(8, {{"a", data<int>(32, 1, -9, 9)}, {"o", data<int>(40, 2, 0, 9)}},
                         {{"n", {double(N)}}}));
}

TEST(Unroll, LoopsThatEndAtABound) {
  expectRuns("for (int k = 0; k < 4 && 4 * x + k < n; ++k) o[4 * x + k] = a[4 * x + k];", 0);
  expectRuns("for (int k = 0; 4 * x + k < n && k <= 3; ++k) o[4 * x + k] = a[4 * x + k];", 0);
  expectRuns("for (int j = 4 * x; j < min(4 * x + 4, n); ++j) o[j] = a[j];", 0);
  expectRuns("int end = min(n, 4 * x + 4); for (int j = 4 * x; j < end; ++j) o[j] = a[j];", 0);
  expectRuns("for (int k = 0; k < 4; ++k) { if (4 * x + k >= n) break; o[4 * x + k] = k; s = k; }",
             0);
  expectRuns("for (int k = 0; k < 4; ++k) { s += 2; if (4 * x + k >= n) { s += k; break; }"
             " o[4 * x + k] = k; }",
             0);
  expectRuns(
      "for (int j = 4 * x; j < 4 * x + 4; j += 2) { if (j + 1 >= n) break; o[j] = a[j + 1]; }", 0);
}
TEST(Unroll, LoopsThatEndElsewhereStay) {
  expectRuns("for (int k = 0; k < 4; ++k) { if (a[4 * x + k] > 5) break; s += k; }", 1);
  expectRuns("int k = 0; for (; k < 4 && 4 * x + k < n; ++k) o[4 * x + k] = 1; s = k;", 1);
  expectRuns("for (int k = 0; k < n && 4 * x + k < 32; ++k) s += a[4 * x + k];", 1);
  expectRuns("for (int k = 0; k < 4; ++k) { s += k; if (s > 2) { s -= 7; if (x + k > n) break; } }",
             1);
}

// Eight iterations, whatever variables the bounds are in.
TEST(Unroll, RunsOfConstantLength) {
  for (const char *Loop :
       {"for (int j = i; j < i + 8; ++j)", "int end = i + 8; for (int j = i; j < end; ++j)",
        "int last = i + 7, j = i; for (; j <= last; j += 1)",
        "int base = 2 * i - n, end = base + n + 8; for (int j = end - 8 - i; j < i + 8; ++j)"}) {
    Source S = parse("kernel void k(global int *o, int n) { int i = get_global_id(0) * 8; " +
                     std::string(Loop) + " o[j] += j * n; }");
    EXPECT_GT(unrollAll(S), 0u) << Loop;
    EXPECT_EQ(loops(S), 0u) << S.text();
    expectSame(S, launch(4, {{"o", data<int>(32, 2, 0, 9)}}, {{"n", {5}}}));
  }
}

// An unsigned end may wrap around below its start.
TEST(Unroll, UnsignedRunsMayBeEmpty) {
  Source S = parse("kernel void k(global int *o, uint i) { uint end = i + 8; for (uint j = i; j < "
                   "end; ++j) o[j & 15u] += 1; }");
  EXPECT_EQ(unrollAll(S), 0u);
}

TEST(Unroll, LongLoopStays) {
  Source S = parse("kernel void k(global int *o) { int x = get_global_id(0); for (int j = 0; j < "
                   "17; j++) o[x] += j; }");
  EXPECT_EQ(unrollAll(S), 0u);
}

TEST(Unroll, TablesBecomeConstants) {
  Source S = parse(
      "constant int w[3] = {1, -2, 1};\n"
      "kernel void k(global const int *a, global int *o) { int x = get_global_id(0); int s = 0;"
      " for (int j = 0; j < 3; j++) s += w[j] * a[x + j]; o[x] = s; }");
  EXPECT_GT(unrollAll(S), 0u);
  EXPECT_EQ(S.text().find("load w"), std::string::npos) << S.text();
  expectSame(S, launch(16, {{"a", data<int>(18, 1, -9, 9)}, {"o", data<int>(16, 2, 0, 1)}}));
}

TEST(Unroll, ArraysBecomeVariables) {
  Source S = parse("kernel void k(global const float *a, global float *o) { int x = "
                   "get_global_id(0); float m[2][2] = {{0}};"
                   " for (int j = 0; j < 2; j++) for (int i = 0; i < 2; i++) m[j][i] = a[x + i] * "
                   "m[1 - j][i] + j;"
                   " o[x] = m[0][0] + m[0][1] + m[1][0] + m[1][1]; }");
  unrollAll(S);
  EXPECT_EQ(scalarizeArrays(S.module(), *S.New), 1u);
  EXPECT_NE(S.text().find("m1_0"), std::string::npos) << S.text();
  expectSame(S, launch(16, {{"a", data<float>(17, 1, -9, 9)}, {"o", data<float>(16, 2, 0, 1)}}));
}

TEST(Unroll, IndexedArrayStays) {
  Source S = parse("kernel void k(global int *o) { int x = get_global_id(0); int m[2]; m[0] = 3; "
                   "m[1] = 4; o[x] = m[x & 1]; }");
  EXPECT_EQ(scalarizeArrays(S.module(), *S.New), 0u);
}

//===----------------------------------------------------------------------===//

class InnerBound : public ::testing::TestWithParam<std::pair<const char *, int64_t>> {};
TEST_P(InnerBound, SameForEveryBound) {
  auto [Type, N] = GetParam();
  Source S = parse("kernel void k(global const float *a, global float *o, T n) { float s = 0; for "
                   "(T k = 0; k < n; k++) s += a[k] * (float)k; o[0] = s; }",
                   {std::string("-DT=") + Type});
  EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 1u);
  EXPECT_EQ(loops(S), 2u) << S.text();
  expectSame(S, launch(1, {{"a", data<float>(40, 1, -9, 9)}, {"o", data<float>(1, 2, 0, 1)}},
                       {{"n", {double(N)}}}));
}
INSTANTIATE_TEST_SUITE_P(Types, InnerBound,
                         ::testing::Values(std::pair("int", 0), std::pair("int", 3),
                                           std::pair("int", 4), std::pair("int", 13),
                                           std::pair("int", -7), std::pair("int", INT32_MIN),
                                           std::pair("uint", 0), std::pair("uint", 3),
                                           std::pair("uint", 22), std::pair("ulong", 0),
                                           std::pair("ulong", 2), std::pair("ulong", 9),
                                           std::pair("long", -1), std::pair("long", 17)));

TEST(UnrollInner, UpToTheLargestInt) {
  // The last iterations before INT_MAX: k + 4 must not pass it.
  Source S = parse("kernel void k(global int *o) { for (int k = 2147483632; k < 2147483647; k++) "
                   "o[k - 2147483632] = k; }");
  EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 1u);
  expectSame(S, launch(1, {{"o", data<int>(15, 2, 0, 1)}}));
}

// No unrolling where the unrolled loop, or the remainder loop, would have one iteration only.
TEST(UnrollInner, ConstantTripsInWholeLoops) {
  auto Unrolled = [](int Trips, unsigned Factor) {
    Source S = parse("kernel void k(global int *o) { for (int k = 0; k < " + std::to_string(Trips) +
                     "; k++) o[k] = k; }");
    return unrollInner({S.module(), *S.New}, Factor);
  };
  EXPECT_EQ(Unrolled(3, 2), 0u);
  EXPECT_EQ(Unrolled(5, 2), 0u);
  EXPECT_EQ(Unrolled(7, 4), 0u);
  EXPECT_EQ(Unrolled(6, 2), 1u);
  EXPECT_EQ(Unrolled(11, 4), 1u);
  EXPECT_EQ(Unrolled(4, 4), 1u);
}

// How often a loop runs is what the launches say.
TEST(UnrollInner, TripsAsLaunched) {
  auto Unrolled = [](int64_t Dim, unsigned Factor) {
    Source S = parse("kernel void k(global const float *a, global float *o, int dim) { float s = 0;"
                     " int last = dim - 1; for (int k = 0; k <= last; k++) s += a[k]; o[0] = s; }");
    model::LaunchFacts Launch;
    Launch.KnownScalars = {{"dim", "dim", Dim}};
    return unrollInner({S.module(), *S.New}, Factor, Launch);
  };
  EXPECT_EQ(Unrolled(5, 16), 0u);
  EXPECT_EQ(Unrolled(5, 4), 0u);
  EXPECT_EQ(Unrolled(32, 16), 1u);
  EXPECT_EQ(Unrolled(8, 4), 1u);
}

// Of a run of at most 8 elements, 16 iterations at once would never run.
TEST(UnrollInner, NotBeyondTheMostTrips) {
  const char *Text = "__kernel void k(__global const int *a, __global int *b, int n) {\n"
                     "  int base = get_global_id(0) * 8, end = min(base + 8, n);\n"
                     "  for (int i = base; i < end; ++i) b[i] = a[i] * 3;\n}\n";
  Source Longer = parse(Text), Fitting = parse(Text);
  EXPECT_EQ(unrollInner({Longer.module(), *Longer.New}, 16), 0u);
  EXPECT_EQ(unrollInner({Fitting.module(), *Fitting.New}, 8), 1u);
}

TEST(UnrollInner, ConstantMultiple) {
  Source S = parse("kernel void k(global int *o) { for (int k = 0; k < 16; k++) o[k] = k; }");
  EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 1u);
  EXPECT_EQ(loops(S), 1u) << S.text();
  expectSame(S, launch(1, {{"o", data<int>(16, 2, 0, 1)}}));
}

std::vector<uint8_t> ints(std::vector<int> Values) {
  std::vector<uint8_t> Bytes(Values.size() * sizeof(int));
  __builtin_memcpy(Bytes.data(), Values.data(), Bytes.size());
  return Bytes;
}

/// From anywhere to anywhere: the distance may be more than the type holds.
struct Bounds {
  const char *Type;
  int64_t From, To;
};
class InnerStart : public ::testing::TestWithParam<Bounds> {};
TEST_P(InnerStart, SameFromEveryStart) {
  Bounds B = GetParam();
  Source S = parse("kernel void k(global int *o, T a, T n) { int c = 0; for (T k = a; k < n; k++) "
                   "{ o[(uint)k & 15u] = (int)k; c++; } o[16] = c; }",
                   {std::string("-DT=") + B.Type});
  EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 1u);
  expectSame(S, launch(1, {{"o", data<int>(17, 2, 0, 1)}},
                       {{"a", {double(B.From)}}, {"n", {double(B.To)}}}));
}
INSTANTIATE_TEST_SUITE_P(Types, InnerStart,
                         ::testing::Values(Bounds{"int", 3, 14}, Bounds{"int", -6, 5},
                                           Bounds{"int", 5, 5}, Bounds{"int", 5, 4},
                                           Bounds{"int", 2000000000, -2000000000},
                                           Bounds{"int", INT32_MIN, INT32_MIN + 7},
                                           Bounds{"int", INT32_MAX - 9, INT32_MAX},
                                           Bounds{"uint", 7, 30}, Bounds{"uint", 30, 7},
                                           Bounds{"uint", 4294967280, 4294967295},
                                           Bounds{"long", -3, 10}, Bounds{"ulong", 2, 13}));

class InnerInclusive : public ::testing::TestWithParam<Bounds> {};
TEST_P(InnerInclusive, SameUpToTheBound) {
  Bounds B = GetParam();
  for (const char *From : {"a", "0", "-n"}) {
    if (*From == '-' && (B.To > 1000 || B.To < -1000))
      continue; // a loop of many iterations
    if (*From == '0' && std::abs(B.To) > 1000)
      continue;
    Source S = parse(
        "kernel void k(global int *o, T a, T n) { int c = 0; for (T k = " + std::string(From) +
            "; k <= n; k++) { o[(uint)k & 15u] = (int)k; c++; } o[16] = c; }",
        {std::string("-DT=") + B.Type});
    EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 1u);
    expectSame(S, launch(1, {{"o", data<int>(17, 2, 0, 1)}},
                         {{"a", {double(B.From)}}, {"n", {double(B.To)}}}));
  }
}
INSTANTIATE_TEST_SUITE_P(Types, InnerInclusive,
                         ::testing::Values(Bounds{"int", 3, 14}, Bounds{"int", -6, 5},
                                           Bounds{"int", 5, 5}, Bounds{"int", 5, 4},
                                           Bounds{"int", 2000000000, -2000000000},
                                           Bounds{"int", INT32_MIN, INT32_MIN + 7},
                                           Bounds{"int", INT32_MAX - 9, INT32_MAX - 1},
                                           Bounds{"int", -4, 0}, Bounds{"uint", 30, 7},
                                           Bounds{"uint", 4294967280, 4294967294},
                                           Bounds{"long", -3, 10}, Bounds{"ulong", 2, 13}));

// A wider bound may be beyond what the counter reaches, but not by one more.
TEST(UnrollInner, InclusiveBoundOfAWiderType) {
  Source S =
      parse("kernel void k(global int *o, long n) { for (int k = 0; k <= n; k++) o[k] = k; }");
  EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 0u);
}

TEST(UnrollInner, BoundInMemory) {
  Source S = parse(
      "kernel void k(global const int *p, global const int *a, global int *o) { int i = "
      "get_global_id(0); int s = 0; for (int k = p[i]; k < p[i + 1]; k++) s += a[k]; o[i] = s; }");
  EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 1u);
  EXPECT_EQ(loops(S), 2u) << S.text();
  expectSame(S, launch(3, {{"p", ints({2, 9, 4, 30})},
                           {"a", data<int>(32, 1, -9, 9)},
                           {"o", data<int>(3, 2, 0, 1)}}));
}

TEST(UnrollInner, BoundThatTheLoopWritesStays) {
  Source S = parse(
      "kernel void k(global int *p, global int *o) { for (int k = 0; k < p[0]; k++) o[k] = k; }");
  EXPECT_EQ(unrollInner({S.module(), *S.New}, 4), 0u);
}

//===----------------------------------------------------------------------===//

unsigned count(const Source &S, const char *What) {
  unsigned N = 0;
  std::string T = S.text();
  for (size_t At = T.find(What); At != std::string::npos; At = T.find(What, At + 1))
    ++N;
  return N;
}

TEST(MergeLoads, FourNeighbours) {
  Source S =
      parse("kernel void k(global const float *a, global float *o) { int i = get_global_id(0);"
            " float x = a[4 * i], y = a[4 * i + 1], z = a[4 * i + 2], w = a[4 * i + 3]; o[i] = x * "
            "y - z / w; }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 4u);
  EXPECT_EQ(count(S, "load "), 1u) << S.text();
  expectSame(S, launch(8, {{"a", data<float>(32, 1, 1, 9)}, {"o", data<float>(8, 2, 0, 1)}}));
}

TEST(MergeLoads, ThreeTogether) {
  Source S = parse("kernel void k(global const uchar *a, global uchar *o) { int i = "
                   "get_global_id(0); o[i] = a[3 * i] + a[3 * i + 1] + a[3 * i + 2]; }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 3u);
  expectSame(S, launch(8, {{"a", data<uint8_t>(24, 1, 0, 255)}, {"o", data<uint8_t>(8, 2, 0, 1)}}));
}

TEST(MergeLoads, StoreBetween) {
  // The second load reads what was stored.
  Source S = parse("kernel void k(global int *a) { int i = get_global_id(0); int x = a[2 * i]; a[2 "
                   "* i + 1] = x + 1; int y = a[2 * i + 1]; a[2 * i] = y; }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 0u) << S.text();
}

TEST(MergeLoads, StoreElsewhere) {
  Source S = parse("kernel void k(global int *a) { int i = get_global_id(0); int x = a[4 * i]; a[4 "
                   "* i + 2] = x + 1; int y = a[4 * i + 1]; a[4 * i + 3] = y; }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 2u) << S.text();
  expectSame(S, launch(8, {{"a", data<int>(32, 1, 1, 9)}}));
}

TEST(MergeLoads, StoreThroughAnotherPointer) {
  Source S = parse("kernel void k(global int *a, global int *b, int m) { int i = get_global_id(0); "
                   "int x = a[2 * i]; b[m] = x; int y = a[2 * i + 1]; b[m + 1] = y; }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 0u) << S.text();
}

TEST(MergeLoads, ConditionalStays) {
  Source S =
      parse("kernel void k(global const int *a, global int *o, int n) { int i = get_global_id(0); "
            "o[i] = 2 * i + 1 < n ? a[2 * i] + a[2 * i + 1] : a[2 * i]; }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 0u) << S.text();
}

TEST(MergeLoads, BehindAnExit) {
  Source S = parse("kernel void k(global const int *a, global int *o, int n) { for (int i = 0; i < "
                   "4; i++) { int x = a[2 * i]; if (x > n) break; o[i] = x + a[2 * i + 1]; } }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 0u) << S.text();
}

TEST(MergeLoads, Repeated) {
  Source S = parse("kernel void k(global const int *a, global int *o) { int i = get_global_id(0); "
                   "o[i] = a[i] * a[i]; }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, false), 2u);
  EXPECT_EQ(count(S, "load "), 1u) << S.text();
  expectSame(S, launch(8, {{"a", data<int>(8, 1, 1, 9)}, {"o", data<int>(8, 2, 0, 1)}}));
}

TEST(MergeLoads, OverlappingRows) {
  Source S =
      parse("kernel void k(global const uchar *a, global uchar *o) { int i = get_global_id(0) * 16;"
            " uchar16 l = vload16(0, a + i), m = vload16(0, a + i + 3), r = vload16(0, a + i + 6);"
            " vstore16(l + m * r, 0, o + i); }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, true), 3u);
  EXPECT_EQ(count(S, "load "), 2u) << S.text();
  EXPECT_EQ(count(S, ":uchar8"), 1u) << S.text();
  // a has not one byte more than what was read.
  expectSame(
      S, launch(4, {{"a", data<uint8_t>(48 + 22, 1, 0, 256)}, {"o", data<uint8_t>(64, 2, 0, 1)}}));
}

TEST(MergeLoads, TwoDoNotPay) {
  Source S = parse(
      "kernel void k(global const uchar *a, global uchar *o) { int i = get_global_id(0) * 16;"
      " uchar16 l = vload16(0, a + i), m = vload16(0, a + i + 3); vstore16(l + m, 0, o + i); }");
  EXPECT_EQ(mergeLoads({S.module(), *S.New}, true), 0u) << S.text();
}

//===----------------------------------------------------------------------===//

/// Body works on uchar16 p and q of the input, and makes uchar16 r.
Source bytes(const std::string &Body) {
  return parse("kernel void k(global const uchar *a, global const uchar *b, global uchar *o) { int "
               "i = get_global_id(0) * 16;"
               " uchar16 p = vload16(0, a + i), q = vload16(0, b + i), r;" +
               Body + " vstore16(r, 0, o + i); }");
}
Launch byteLaunch() {
  return launch(16, {{"a", data<uint8_t>(256, 1, 0, 256)},
                     {"b", data<uint8_t>(256, 7, 0, 256)},
                     {"o", data<uint8_t>(256, 2, 0, 1)}});
}

struct NarrowCase {
  const char *Body;
  bool Narrowed; ///< no int16 is left
};
class NarrowTo16 : public ::testing::TestWithParam<NarrowCase> {};
TEST_P(NarrowTo16, ExactlyAsFarAsItFits) {
  Source S = bytes(GetParam().Body);
  unsigned N = narrow({S.module(), *S.New}, S.Refusals);
  EXPECT_TRUE(N > 0 || !GetParam().Narrowed) << S.text();
  EXPECT_EQ(S.text().find("int16") == std::string::npos, GetParam().Narrowed) << S.text();
  expectSame(S, byteLaunch());
}
INSTANTIATE_TEST_SUITE_P(
    Bytes, NarrowTo16,
    ::testing::Values(
        NarrowCase{"int16 t = convert_int16(p) * 9 - convert_int16(q) * 8; r = "
                   "convert_uchar16(clamp(t, 0, 255));",
                   true},
        NarrowCase{
            "r = convert_uchar16((convert_int16(p) * 77 + convert_int16(q) * 150 + 128) >> 8);",
            true},
        NarrowCase{"r = convert_uchar16(min(convert_int16(p), convert_int16(q)));", true},
        NarrowCase{"r = convert_uchar16(select((int16)0, (int16)255, convert_int16(p) > "
                   "convert_int16(q)));",
                   true},
        NarrowCase{
            "r = convert_uchar16(convert_int16(abs_diff(convert_int16(p), convert_int16(q))));",
            true},
        NarrowCase{"int16 s = (int16)0; for (int j = 0; j < 8; j++) s += convert_int16(p); r = "
                   "convert_uchar16(s >> 3);",
                   true},
        // 255 * 255 + 255 * 255 does not fit.
        NarrowCase{
            "int16 t = convert_int16(p) * convert_int16(q) * 2; r = convert_uchar16(t >> 9);",
            false},
        // Bits above 16 come back down.
        NarrowCase{"r = convert_uchar16((convert_int16(p) << 12) >> 6);", false}));

TEST(Narrow, SignedAndUnsignedMeet) {
  Source S = bytes("int16 t = convert_int16(p) * 255; int16 u = convert_int16(q) - 300; r = "
                   "convert_uchar16((t + u) >> 8);");
  narrow({S.module(), *S.New}, S.Refusals);
  expectSame(S, byteLaunch());
}

// A scalar that is compared may be clamped; one that is tested for zero may not.
TEST(Narrow, ScalarsOfAnyRange) {
  for (const char *Body :
       {"int16 t = convert_int16(p) + 10; r = convert_uchar16(t > n ? (int16)(7) : (int16)(1));",
        "int16 t = convert_int16(p) + 10; r = convert_uchar16((n <= t) & 1);",
        "int16 t = convert_int16(p) + 10; r = convert_uchar16((t == n) & 3);",
        "int16 t = convert_int16(p) + 10; r = convert_uchar16((t && n) & 1);",
        "int16 t = convert_int16(p) + 10; r = convert_uchar16((n || t) & 1);"})
    for (double N : {-70000., -1., 0., 1., 9., 10., 265., 266., 70000., 2147483647.}) {
      Source S =
          parse(std::string("kernel void k(global const uchar *a, global uchar *o, int n) { "
                            "int i = get_global_id(0) * 16; uchar16 p = vload16(0, a + i), r;") +
                Body + " vstore16(r, 0, o + i); }");
      narrow({S.module(), *S.New}, S.Refusals);
      Launch L =
          launch(4, {{"a", data<uint8_t>(64, 1, 0, 256)}, {"o", data<uint8_t>(64, 2, 0, 1)}});
      L.Scalars = {{"n", {N}}};
      expectSame(S, L);
    }
}

TEST(Narrow, LongSumIsRefusedByName) {
  Source S = parse(
      "kernel void k(global const uchar *a, global uint *o, int n) { uint16 s = (uint16)0;"
      " for (int j = 0; j < n; j++) s += convert_uint16(vload16(j, a)); vstore16(s, 0, o); }");
  EXPECT_EQ(narrow({S.module(), *S.New}, S.Refusals), 0u) << S.text();
  Source T =
      bytes("int16 t = convert_int16(p) * convert_int16(q) * 2; r = convert_uchar16(t >> 9);");
  narrow({T.module(), *T.New}, T.Refusals);
  ASSERT_FALSE(T.Refusals.empty());
  EXPECT_EQ(T.Refusals[0].Why, Refusal::NarrowingOverflow);
  EXPECT_NE(T.Refusals[0].Detail.find("130050"), std::string::npos) << T.Refusals[0].Detail;
}

TEST(Narrow, ScalarsStay) {
  Source S = parse("kernel void k(global const uchar *a, global uchar *o) { int i = "
                   "get_global_id(0); o[i] = (a[i] * 3) >> 2; }");
  EXPECT_EQ(narrow({S.module(), *S.New}, S.Refusals), 0u);
}

} // namespace
} // namespace clmali::testing
