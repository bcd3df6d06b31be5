//===-- test/passes/DelocalizeTest.cpp - delocalize: hits and near misses ---===//

#include "Kernels.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

Launch groups(uint64_t N, uint64_t L, std::map<std::string, std::vector<uint8_t>> Buffers,
              std::map<std::string, std::vector<double>> Scalars = {}) {
  Launch R;
  R.Global = {N, 1, 1};
  R.Local = {L, 1, 1};
  R.Buffers = std::move(Buffers);
  R.Scalars = std::move(Scalars);
  return R;
}

Launch inAndOut(uint64_t Extra = 0) {
  return groups(64, 16, {{"a", data<int>(64 + Extra, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}});
}

/// Body may use l, g, tile[18] and barrier(1).
Source staged(const std::string &Body, const std::string &Params = "") {
  return parse("kernel void k(global const int *restrict a, global int *restrict o" + Params +
               ") {\n  local int tile[18];\n  int l = get_local_id(0), g = get_global_id(0);\n" +
               Body + "\n}\n");
}

unsigned apply(Source &S) { return delocalize({S.module(), *S.New}, S.Refusals, &S.Needs); }

void expectGone(Source &S) {
  EXPECT_EQ(apply(S), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_EQ(S.text().find("tile"), std::string::npos) << S.text();
  EXPECT_EQ(S.text().find("barrier"), std::string::npos) << S.text();
}

void expectRefused(Source &S, Refusal Why) {
  EXPECT_EQ(apply(S), 0u) << S.text();
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Why)) << S.Refusals[0].Detail;
  EXPECT_TRUE(S.Refusals[0].Range.isValid());
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

bool says(const std::vector<std::string> &Texts, const char *What) {
  return llvm::any_of(Texts,
                      [&](const std::string &T) { return T.find(What) != std::string::npos; });
}

constexpr const char *Fence = "barrier(CLK_LOCAL_MEM_FENCE);";
const std::string B = Fence;

// A barrier in a loop that writes no local memory keeps the group on the same cache lines.
TEST(Delocalize, BarrierForTheCacheStays) {
  Source S = staged("int s = 0; tile[l] = a[g];" + B +
                    "s = tile[l]; for (int b = 0; b < 64; b += 16) { for (int k = b; k < b + 16; "
                    "++k) s += a[k]; barrier(CLK_GLOBAL_MEM_FENCE); } o[g] = s;");
  EXPECT_EQ(apply(S), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_EQ(S.text().find("tile"), std::string::npos) << S.text();
  size_t Barrier = S.text().find("barrier");
  ASSERT_NE(Barrier, std::string::npos) << S.text();
  EXPECT_EQ(S.text().find("barrier", Barrier + 1), std::string::npos) << S.text();
  expectSame(S, inAndOut());
}

// Near miss: the loop stages a tile in each iteration.
TEST(Delocalize, BarriersOfTilesGo) {
  Source S = staged("int s = 0; for (int b = 0; b < 64; b += 16) { tile[l] = a[b + l];" + B +
                    "for (int k = 0; k < 16; ++k) s += tile[k];" + B + "} o[g] = s;");
  expectGone(S);
  expectSame(S, inAndOut());
}

/// Rows of 16 for the groups one after another, reversed into columns of o.
std::string rowsByGroups(const std::string &Fence, const std::string &Value = "tile[15 - i]") {
  return "for (int r = get_group_id(0); r < 4; r += get_num_groups(0)) {"
         " for (int i = l; i < 16; i += get_local_size(0)) tile[i] = a[r * 16 + i];" +
         Fence + "for (int i = l; i < 16; i += get_local_size(0)) o[i * 4 + r] = " + Value + ";" +
         Fence + "}";
}

// A local fence orders no writes to global memory, and nothing reads them.
TEST(Delocalize, BarriersThatOrderNothingGo) {
  Source S = staged(rowsByGroups(B));
  expectGone(S);
  expectSame(S, inAndOut());
}
TEST(Delocalize, BarriersThatOrderGlobalMemoryStay) {
  for (const std::string &Body :
       {rowsByGroups("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"),
        rowsByGroups(B, "tile[15 - i] + o[i * 4 + r]")}) {
    Source S = staged(Body);
    EXPECT_EQ(apply(S), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
    EXPECT_NE(S.text().find("barrier"), std::string::npos) << S.text();
    expectSame(S, inAndOut());
  }
}

TEST(Delocalize, OwnElement) {
  Source S = staged("tile[l] = a[g];" + B + "o[g] = tile[l] * 2;");
  expectGone(S);
  expectSame(S, inAndOut());
}

TEST(Delocalize, NeighboursWithinTheGroup) {
  Source S = staged("tile[l] = a[g];" + B + "o[g] = l > 0 ? tile[l - 1] + tile[l] : tile[15];");
  expectGone(S);
  expectSame(S, inAndOut());
}

TEST(Delocalize, HaloOnBothSides) {
  Source S = staged(
      "tile[l + 1] = a[g + 1]; if (l == 0) tile[0] = a[g]; if (l == 15) tile[17] = a[g + 2];" + B +
      "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];");
  expectGone(S);
  EXPECT_EQ(S.text().find("?"), std::string::npos) << S.text();
  expectSame(S, inAndOut(2));
}

TEST(Delocalize, HaloOfAnotherPlace) {
  // The left halo is not the neighbour: it must be distinguished.
  Source S = staged(
      "tile[l + 1] = a[g + 1]; if (l == 0) tile[0] = a[0]; if (l == 15) tile[17] = a[g + 2];" + B +
      "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];");
  expectGone(S);
  EXPECT_NE(S.text().find("?"), std::string::npos) << S.text();
  expectSame(S, inAndOut(2));
}

TEST(Delocalize, GuardedCopyIsAskedAgain) {
  // Items beyond n copy nothing: their elements must not be read from a.
  Source S = staged("if (g < n) tile[l] = a[g];" + B + "if (g < n) o[g] = tile[l];", ", int n");
  expectGone(S);
  expectSame(S, groups(64, 16, {{"a", data<int>(50, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}},
                       {{"n", {50}}}));
}

TEST(Delocalize, GuardThatDoesNotFollow) {
  // The other item may lie beyond n: then nothing may be read for it.
  Source S = staged("if (g < n) tile[l] = a[g];" + B +
                        "int v = tile[15 - l]; if (g - l + 15 - l < n) o[g] = v;",
                    ", int n");
  expectGone(S);
  expectSame(S, groups(64, 16, {{"a", data<int>(50, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}},
                       {{"n", {50}}}));
}

TEST(Delocalize, ZeroFirst) {
  for (const char *Copy :
       {"tile[l] = 0; if (g < n) tile[l] = a[g];",
        "tile[l] = 0; int h = n; if (g >= 0) if (g < h) { int at = g; tile[l] = a[at]; }"}) {
    Source S = staged(Copy + B + "o[g] = tile[15 - l];", ", int n");
    expectGone(S);
    expectSame(S, groups(64, 16, {{"a", data<int>(50, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}},
                         {{"n", {50}}}));
  }
}

TEST(DelocalizeRefused, FilledTwice) {
  for (const char *Copy : {"tile[l] = 0; if (g < n) tile[15 - l] = a[g];",
                           "tile[l] = 7; int was = tile[l]; if (g < n) tile[l] = a[g + was];",
                           "tile[l] = 0; if (tile[l] < n) tile[l] = a[g];"}) {
    Source S = staged(Copy + B + "o[g] = tile[l];", ", int n");
    expectRefused(S, Refusal::StagingModified);
  }
}

TEST(DelocalizeRefused, FirstByAFew) {
  Source S = staged("if (l < 4) tile[l] = a[0]; tile[l] = a[g];" + B + "o[g] = tile[15 - l];");
  expectRefused(S, Refusal::StagingModified);
}

TEST(Delocalize, ZeroFilled) {
  Source S = staged("tile[l] = g < n ? a[g] : 0;" + B + "o[g] = tile[15 - l];", ", int n");
  expectGone(S);
  expectSame(S, groups(64, 16, {{"a", data<int>(50, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}},
                       {{"n", {50}}}));
}

TEST(Delocalize, Converted) {
  Source S = parse(
      "kernel void k(global const uchar *restrict a, global float *restrict o) { local float "
      "tile[16]; int l = get_local_id(0);"
      " tile[l] = a[get_global_id(0)]; barrier(1); o[get_global_id(0)] = tile[l ^ 1] * 0.5f; }");
  expectGone(S);
  expectSame(
      S, groups(64, 16, {{"a", data<uint8_t>(64, 1, 0, 256)}, {"o", data<float>(64, 2, 0, 1)}}));
}

TEST(Delocalize, InALoop) {
  Source S = staged("int s = 0; for (int t = 0; t < 64; t += 16) { tile[l] = a[t + l];" + B +
                    "for (int j = 0; j < 16; j++) s = s * 3 + tile[j];" + B + "} o[g] = s;");
  expectGone(S);
  expectSame(S, inAndOut());
}

TEST(Delocalize, RowsOfATile) {
  Source S = parse(
      "kernel void k(global const int *restrict a, global int *restrict o, int w) { local int "
      "tile[64];"
      " int x = get_global_id(0), y = get_global_id(1), l = get_local_id(1) * 16 + get_local_id(0);"
      " tile[l] = a[y * w + x]; barrier(1);"
      " o[y * w + x] = get_local_id(0) < 15 ? tile[l + 1] : tile[get_local_id(0)]; }");
  expectGone(S);
  ASSERT_TRUE(S.Needs.LocalMax[0].has_value());
  EXPECT_EQ(*S.Needs.LocalMax[0], 16);
  Launch L;
  L.Global = {32, 8, 1};
  L.Local = {16, 4, 1};
  L.Buffers = {{"a", data<int>(256, 1, -99, 99)}, {"o", data<int>(256, 2, 0, 1)}};
  L.Scalars = {{"w", {32}}};
  expectSame(S, L);
}

TEST(Delocalize, RowsWithoutNeedsAreRefused) {
  Source S = parse(
      "kernel void k(global const int *restrict a, global int *restrict o, int w) { local int "
      "tile[64];"
      " int x = get_global_id(0), y = get_global_id(1), l = get_local_id(1) * 16 + get_local_id(0);"
      " tile[l] = a[y * w + x]; barrier(1); o[y * w + x] = tile[l]; }");
  EXPECT_EQ(delocalize({S.module(), *S.New}, S.Refusals), 0u);
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Refusal::GroupGeometry));
}

TEST(Delocalize, BuffersThatMayOverlap) {
  Source S =
      parse("kernel void k(global const int *a, global int *o) { local int tile[16]; int l = "
            "get_local_id(0);"
            " tile[l] = a[get_global_id(0)]; barrier(1); o[get_global_id(0)] = tile[15 - l]; }");
  EXPECT_EQ(apply(S), 1u);
  EXPECT_TRUE(says(S.Needs.Obligations, "'a' and 'o' do not overlap"));
}

TEST(Delocalize, OtherLocalMemoryKeepsItsBarrier) {
  Source S = staged("local int sum[16]; tile[l] = a[g];" + B + "sum[l] = tile[15 - l] * 3;" + B +
                    "o[g] = sum[15 - l];");
  EXPECT_EQ(apply(S), 1u);
  EXPECT_NE(S.text().find("barrier"), std::string::npos) << S.text();
  expectSame(S, inAndOut());
}

//===----------------------------------------------------------------------===//

TEST(DelocalizeRefused, Modified) {
  Source S = staged("tile[l] = a[g]; tile[l] += 1;" + B + "o[g] = tile[15 - l];");
  expectRefused(S, Refusal::StagingModified);
}

TEST(DelocalizeRefused, ModifiedByWayOfAVariable) {
  Source S = staged("tile[l] = a[g];" + B + "int v = tile[15 - l];" + B +
                    "int u = v / 2; tile[l] = u;" + B + "o[g] = tile[l ^ 1];");
  expectRefused(S, Refusal::StagingModified);
}

TEST(DelocalizeRefused, ModifiedBehindTheBarrier) {
  Source S = staged("tile[l] = a[g];" + B + "o[g] = tile[15 - l];" + B + "tile[l] = a[0];" + B +
                    "o[g] += tile[l];");
  expectRefused(S, Refusal::StagingModified);
}

TEST(DelocalizeRefused, Computed) {
  Source S = staged("tile[l] = a[g] * 2;" + B + "o[g] = tile[15 - l];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeRefused, SourceWritten) {
  Source S = parse("kernel void k(global int *a) { local int tile[16]; int l = get_local_id(0), g "
                   "= get_global_id(0);"
                   " tile[l] = a[g]; barrier(1); a[g] = tile[15 - l]; }");
  expectRefused(S, Refusal::StagingSourceWritten);
}

TEST(DelocalizeRefused, NoBarrier) {
  Source S = staged("tile[l] = a[g]; o[g] = tile[l];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeRefused, DivergentBarrier) {
  Source S = staged("if (g < n) { tile[l] = a[g];" + B + "o[g] = tile[l]; }", ", int n");
  expectRefused(S, Refusal::DivergentBarrier);
}

TEST(DelocalizeRefused, DataDependentPlace) {
  Source S = staged("tile[a[g] & 15] = a[g];" + B + "o[g] = tile[l];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeRefused, OlderRoundsStay) {
  // What an iteration does not copy is still there from the previous iteration.
  Source S =
      staged("int s = 0; for (int t = 0; t < 64; t += 16) { if (t + l < n) tile[l] = a[t + l];" +
                 B + "s = s * 3 + tile[15 - l];" + B + "} o[g] = s;",
             ", int n");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeRefused, DoubleBuffer) {
  Source S = parse("kernel void k(global const int *restrict a, global int *restrict o) { local "
                   "int tile[32]; int l = get_local_id(0), s = 0;"
                   " for (int t = 0; t < 4; t++) { tile[(t % 2) * 16 + l] = a[t * 16 + l]; "
                   "barrier(1); s += tile[l] + tile[16 + l]; barrier(1); }"
                   " o[get_global_id(0)] = s; }");
  EXPECT_EQ(apply(S), 0u) << S.text();
}

TEST(DelocalizeRefused, Volatile) {
  Source S =
      parse("kernel void k(global const int *a, global int *o) { volatile local int tile[16]; int "
            "l = get_local_id(0);"
            " tile[l] = a[get_global_id(0)]; barrier(1); o[get_global_id(0)] = tile[15 - l]; }");
  expectRefused(S, Refusal::VolatileAccess);
}

//===----------------------------------------------------------------------===//
// Several elements at once, sizes that the launch gives, what was not copied
//===----------------------------------------------------------------------===//

/// The launch file gives groups of 16.
Source known(Source S) {
  S.Needs.KnownLocal = {16, 0, 0};
  return S;
}

TEST(Delocalize, AsyncCopy) {
  Source S = staged("event_t e = async_work_group_copy(tile, a + get_group_id(0) * 16, 18, 0); "
                    "wait_group_events(1, &e);"
                    "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];");
  expectGone(S);
  EXPECT_EQ(S.text().find("copied"), std::string::npos) << S.text();
  expectSame(S, inAndOut(2));
}

TEST(Delocalize, AsyncCopyOfTheResultStays) {
  // The tile is copied out again: it is no copy of what a work-item reads.
  Source S = parse(
      "kernel void k(global const int *restrict a, global int *restrict o) { local int tile[16];"
      " event_t e = async_work_group_copy(tile, a + get_group_id(0) * 16, 16, 0); "
      "wait_group_events(1, &e);"
      " e = async_work_group_copy(o + get_group_id(0) * 16, tile, 16, 0); wait_group_events(1, "
      "&e); }");
  EXPECT_EQ(apply(S), 0u) << S.text();
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

TEST(Delocalize, VectorCopy) {
  Source S = parse(
      "kernel void k(global const int *restrict a, global int *restrict o) { local int tile[64];"
      " int l = get_local_id(0), b = get_group_id(0) * 64; vstore4(vload4(l, a + b), l, tile); "
      "barrier(1);"
      " for (int i = 0; i < 4; i++) o[b + l + 16 * i] = tile[63 - l - 16 * i]; }");
  expectGone(S);
  expectSame(S,
             groups(32, 16, {{"a", data<int>(128, 1, -99, 99)}, {"o", data<int>(128, 2, 0, 1)}}));
}

TEST(Delocalize, EveryThirdElement) {
  // Three alternating copies; the reader's remainder selects the element.
  Source S = parse(
      "kernel void k(global const int *restrict a, global const int *restrict b, global const int "
      "*restrict c,"
      " global int *restrict o) { local int tile[48]; int l = get_local_id(0), g = "
      "get_global_id(0);"
      " tile[3 * l] = a[g]; tile[3 * l + 1] = b[g]; tile[3 * l + 2] = c[g]; barrier(1);"
      " int m = 15 - l; o[g] = tile[3 * m] + 10 * tile[3 * m + 1] + 100 * tile[3 * m + 2]; }");
  expectGone(S);
  Launch L = groups(64, 16, {{"a", data<int>(64, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}});
  L.Buffers["b"] = data<int>(64, 3, -99, 99);
  L.Buffers["c"] = data<int>(64, 4, -99, 99);
  expectSame(S, L);
}

/// tile is filled from three buffers, in parts of 16.
Source parts(const char *Copies, const char *Read) {
  return parse(std::string("kernel void k(global const int *restrict a, global const int *restrict "
                           "b, global const int *restrict c,"
                           " global int *restrict o) { local int tile[48]; int l = "
                           "get_local_id(0), g = get_global_id(0);") +
               Copies + " barrier(1); o[g] = " + Read + "; }");
}
Launch partsLaunch() {
  Launch L = groups(64, 16, {{"a", data<int>(64, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}});
  L.Buffers["b"] = data<int>(64, 3, -99, 99);
  L.Buffers["c"] = data<int>(64, 4, -99, 99);
  return L;
}

TEST(Delocalize, PartsInAnyOrder) {
  for (const char *Copies : {"tile[l] = a[g]; tile[l + 16] = b[g]; tile[l + 32] = c[g];",
                             "tile[l + 32] = c[g]; tile[l + 16] = b[g]; tile[l] = a[g];",
                             "tile[l + 16] = b[g]; tile[l + 32] = c[g]; tile[l] = a[g];"}) {
    Source S = known(parts(Copies, "tile[l * 3]"));
    if (apply(S))
      expectSame(S, partsLaunch());
  }
}

TEST(Delocalize, AFewOfAnotherPart) {
  // What the first ones say of elements must not reach into the other part.
  Source S = known(parts("tile[l + 32] = a[g]; if (l >= 4) tile[l] = b[g];", "tile[l + 32]"));
  expectGone(S);
  expectSame(S, partsLaunch());
}

TEST(Delocalize, LastOfTheGroupBySize) {
  Source S = staged("tile[l + 1] = a[g + 1]; if (l == 0) tile[0] = a[g]; if (l == "
                    "get_local_size(0) - 1) tile[get_local_size(0) + 1] = a[g + 2];" +
                    B + "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];");
  expectGone(S);
  EXPECT_EQ(S.text().find("?"), std::string::npos) << S.text();
  expectSame(S, inAndOut(2));
}

TEST(Delocalize, RowsOfALengthThatIsAnArgument) {
  Source S = parse(
      "kernel void k(global const int *restrict a, global int *restrict o, local int *tile, int p, "
      "int w) {"
      " int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);"
      " tile[ly * p + lx] = a[y * w + x]; if (lx == get_local_size(0) - 1) tile[ly * p + lx + 1] = "
      "a[y * w + x + 1];"
      " barrier(1); o[y * w + x] = tile[ly * p + lx + 1]; }");
  EXPECT_EQ(apply(S), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  ASSERT_FALSE(S.Needs.When.empty());
  Launch L;
  L.Global = {32, 8, 1};
  L.Local = {16, 4, 1};
  L.Buffers = {{"a", data<int>(33 * 8, 1, -99, 99)}, {"o", data<int>(33 * 8, 2, 0, 1)}};
  L.Scalars = {{"w", {33}}, {"p", {17}}};
  L.LocalBytes = {{"tile", 4 * 17 * 4}};
  expectSame(S, L);
}

TEST(Delocalize, FlatTileByDivision) {
  Source S = parse(
      "kernel void k(global const int *restrict a, global int *restrict o, int w) { local int "
      "tile[60];"
      " int lx = get_local_id(0), ly = get_local_id(1), bx = get_group_id(0) * 8, by = "
      "get_group_id(1) * 4;"
      " for (int i = ly * 8 + lx; i < 60; i += 32) tile[i] = a[(by + i / 10) * w + bx + i % 10];"
      " barrier(1); o[get_global_id(1) * w + get_global_id(0)] = tile[ly * 10 + lx] + tile[(ly + "
      "2) * 10 + lx + 2]; }");
  S.Needs.KnownLocal = {8, 4, 0};
  expectGone(S);
  EXPECT_EQ(S.text().find("/"), std::string::npos) << S.text();
  EXPECT_EQ(S.text().find("%"), std::string::npos) << S.text();
  Launch L;
  L.Global = {16, 8, 1};
  L.Local = {8, 4, 1};
  L.Buffers = {{"a", data<int>(18 * 10, 1, -99, 99)}, {"o", data<int>(18 * 10, 2, 0, 1)}};
  L.Scalars = {{"w", {18}}};
  expectSame(S, L);
}

TEST(Delocalize, BothSidesOfABranchCopy) {
  Source S = staged("if (n > 3) { tile[l] = a[g]; if (l == 0) tile[16] = a[g + 16]; } else { "
                    "tile[l] = 0; if (l == 0) tile[16] = 0; }" +
                        B + "o[g] = tile[l] + tile[l + 1];",
                    ", int n");
  expectGone(S);
  for (double N : {2, 5}) {
    Launch L = inAndOut(16);
    L.Scalars = {{"n", {N}}};
    expectSame(S, L);
  }
}

TEST(DelocalizeRefused, SidesOfABranchFillOneElementFromDifferentItems) {
  Source S = known(
      staged("if (n > 3) { if (l < 8) tile[l] = a[g]; } else { if (l >= 8) tile[l - 8] = a[g]; }" +
                 B + "o[g] = tile[l & 7];",
             ", int n"));
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(Delocalize, BothSidesReadOnePlace) {
  Source S = staged("tile[l] = a[g + 1];" + B +
                    "int v; if (l == 0) v = a[g]; else v = tile[l - 1]; o[g] = v;");
  expectGone(S);
  EXPECT_EQ(S.text().find("if "), std::string::npos) << S.text();
  expectSame(S, inAndOut(1));
}

TEST(Delocalize, BothSidesReadDifferentPlaces) {
  Source S = staged("tile[l] = a[g + 1];" + B +
                    "int v; if (l == 0) v = a[0]; else v = tile[l - 1]; o[g] = v;");
  expectGone(S);
  EXPECT_NE(S.text().find("if "), std::string::npos) << S.text();
  expectSame(S, inAndOut(1));
}

TEST(Delocalize, RowsOfAnArgumentWithAHalo) {
  Source S = parse(
      "kernel void k(global const int *restrict a, global int *restrict o, local int *t, int p, "
      "int w) {"
      " int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);"
      " t[(ly + 1) * p + lx] = a[(y + 1) * w + x]; if (ly == 0) t[lx] = a[y * w + x];"
      " barrier(1); o[y * w + x] = t[ly * p + lx] - t[(ly + 1) * p + lx]; }");
  EXPECT_EQ(apply(S), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_EQ(S.text().find("?"), std::string::npos) << S.text();
  Launch L;
  L.Global = {16, 8, 1};
  L.Local = {8, 4, 1};
  L.Buffers = {{"a", data<int>(16 * 9, 1, -99, 99)}, {"o", data<int>(16 * 8, 2, 0, 1)}};
  L.Scalars = {{"w", {16}}, {"p", {8}}};
  L.LocalBytes = {{"t", 5 * 8 * 4}};
  expectSame(S, L);
}

TEST(Delocalize, ZeroedHaloIsOneGuard) {
  // Beyond the first group's halo the guard holds by itself: one choice, not two.
  Source S = known(staged("int b = (int)get_group_id(0) * 16 - 16 + l; if (l < 2) tile[l] = b + 14 "
                          ">= 0 ? a[b + 14] : 0; tile[l + 2] = a[g];" +
                          B + "o[g] = tile[l];"));
  expectGone(S);
  expectSame(S, inAndOut());
}

TEST(DelocalizeCover, OwnElementIsProved) {
  Source S = staged("tile[l] = a[g];" + B + "o[g] = tile[l] * 2;");
  expectGone(S);
  EXPECT_TRUE(says(S.Needs.Facts, "every element of 'tile' that is read was copied before"));
  EXPECT_TRUE(S.Needs.Obligations.empty());
}

TEST(DelocalizeCover, HaloIsProvedForTheKnownSize) {
  Source S = known(staged(
      "tile[l + 1] = a[g + 1]; if (l == 0) tile[0] = a[g]; if (l == 15) tile[17] = a[g + 2];" + B +
      "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];"));
  expectGone(S);
  EXPECT_TRUE(says(S.Needs.Facts, "was copied before"));
}

TEST(DelocalizeCover, HaloIsAssumedForAnUnknownSize) {
  Source S = staged(
      "tile[l + 1] = a[g + 1]; if (l == 0) tile[0] = a[g]; if (l == 15) tile[17] = a[g + 2];" + B +
      "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];");
  expectGone(S);
  EXPECT_TRUE(says(S.Needs.Obligations, "was copied before"));
}

TEST(DelocalizeCover, ReadBehindWhatWasCopied) {
  Source S = known(staged("tile[l] = a[g];" + B + "o[g] = tile[l] + tile[l + 1];"));
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeCover, ReadBehindWhatWasCopiedButNotByTheLast) {
  Source S = known(staged("tile[l] = a[g];" + B + "o[g] = tile[l] + (l < 15 ? tile[l + 1] : 0);"));
  expectGone(S);
  EXPECT_TRUE(says(S.Needs.Facts, "was copied before"));
  expectSame(S, inAndOut());
}

TEST(DelocalizeCover, ALoopThatIsLeftEarlyShowsNothing) {
  Source S = known(staged("tile[l] = a[g];" + B +
                          "int s = 0; for (int i = 0; i < 4; i++) { if (l + i > 15) break; s += "
                          "tile[l + i]; } o[g] = s;"));
  expectGone(S);
  EXPECT_TRUE(says(S.Needs.Obligations, "was copied before"));
}

TEST(DelocalizeCover, ACopyThatIsLeftEarlyShowsNothing) {
  Source S = known(
      staged("for (int i = l; i < 18; i += 16) { if (i > n) break; tile[i] = a[g - l + i]; }" + B +
                 "o[g] = tile[l];",
             ", int n"));
  if (apply(S)) {
    EXPECT_TRUE(says(S.Needs.Obligations, "was copied before"));
  }
}

TEST(DelocalizeCover, DataSaysWhatIsRead) {
  // All of the tile is filled: wherever the data points, it was copied.
  Source S = parse("kernel void k(global const int *restrict a, global const uchar *restrict p, "
                   "global int *restrict o) { local int tile[256];"
                   " for (int i = get_local_id(0); i < 256; i += 16) tile[i] = a[i]; barrier(1);"
                   " o[get_global_id(0)] = tile[p[get_global_id(0)]]; }");
  S.Needs.KnownLocal = {16, 0, 0};
  expectGone(S);
  EXPECT_TRUE(says(S.Needs.Facts, "was copied before"));
  Launch L = groups(64, 16, {{"a", data<int>(256, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}});
  L.Buffers["p"] = data<uint8_t>(64, 3, 0, 256);
  expectSame(S, L);
}

} // namespace
} // namespace clmali::testing
