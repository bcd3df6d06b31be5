//===-- test/passes/DelocalizeTest.cpp - delocalize: hits and near misses ---===//

#include "Kernels.h"

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
               ") {\n  local int tile[18];\n  int l = get_local_id(0), g = get_global_id(0);\n" + Body + "\n}\n");
}

unsigned apply(Source &S) { return delocalize(S.module(), *S.New, S.Refusals, &S.Needs); }

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

constexpr const char *Fence = "barrier(CLK_LOCAL_MEM_FENCE);";
const std::string B = Fence;

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
  Source S = staged("tile[l + 1] = a[g + 1]; if (l == 0) tile[0] = a[g]; if (l == 15) tile[17] = a[g + 2];" + B +
                    "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];");
  expectGone(S);
  EXPECT_EQ(S.text().find("?"), std::string::npos) << S.text();
  expectSame(S, inAndOut(2));
}

TEST(Delocalize, HaloOfAnotherPlace) {
  // The left halo is not the neighbour: it must be told apart.
  Source S = staged("tile[l + 1] = a[g + 1]; if (l == 0) tile[0] = a[0]; if (l == 15) tile[17] = a[g + 2];" + B +
                    "o[g] = tile[l] + 2 * tile[l + 1] + tile[l + 2];");
  expectGone(S);
  EXPECT_NE(S.text().find("?"), std::string::npos) << S.text();
  expectSame(S, inAndOut(2));
}

TEST(Delocalize, GuardedCopyIsAskedAgain) {
  // Items beyond n copy nothing: their elements must not be read from a.
  Source S = staged("if (g < n) tile[l] = a[g];" + B + "if (g < n) o[g] = tile[l];", ", int n");
  expectGone(S);
  expectSame(S, groups(64, 16, {{"a", data<int>(50, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}}, {{"n", {50}}}));
}

TEST(Delocalize, GuardThatDoesNotFollow) {
  // The other item may lie beyond n: then nothing may be read for it.
  Source S = staged("if (g < n) tile[l] = a[g];" + B + "int v = tile[15 - l]; if (g - l + 15 - l < n) o[g] = v;", ", int n");
  expectGone(S);
  expectSame(S, groups(64, 16, {{"a", data<int>(50, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}}, {{"n", {50}}}));
}

TEST(DelocalizeRefused, FilledTwice) {
  Source S = staged("tile[l] = 0; if (g < n) tile[l] = a[g];" + B + "o[g] = tile[l];", ", int n");
  expectRefused(S, Refusal::StagingModified);
}

TEST(DelocalizeRefused, FirstByAFew) {
  Source S = staged("if (l < 4) tile[l] = a[0]; tile[l] = a[g];" + B + "o[g] = tile[15 - l];");
  expectRefused(S, Refusal::StagingModified);
}

TEST(Delocalize, ZeroFilled) {
  Source S = staged("tile[l] = g < n ? a[g] : 0;" + B + "o[g] = tile[15 - l];", ", int n");
  expectGone(S);
  expectSame(S, groups(64, 16, {{"a", data<int>(50, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}}, {{"n", {50}}}));
}

TEST(Delocalize, Converted) {
  Source S = parse("kernel void k(global const uchar *restrict a, global float *restrict o) { local float tile[16]; int l = get_local_id(0);"
                   " tile[l] = a[get_global_id(0)]; barrier(1); o[get_global_id(0)] = tile[l ^ 1] * 0.5f; }");
  expectGone(S);
  expectSame(S, groups(64, 16, {{"a", data<uint8_t>(64, 1, 0, 256)}, {"o", data<float>(64, 2, 0, 1)}}));
}

TEST(Delocalize, InALoop) {
  Source S = staged("int s = 0; for (int t = 0; t < 64; t += 16) { tile[l] = a[t + l];" + B +
                    "for (int j = 0; j < 16; j++) s = s * 3 + tile[j];" + B + "} o[g] = s;");
  expectGone(S);
  expectSame(S, inAndOut());
}

TEST(Delocalize, RowsOfATile) {
  Source S = parse("kernel void k(global const int *restrict a, global int *restrict o, int w) { local int tile[64];"
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
  Source S = parse("kernel void k(global const int *restrict a, global int *restrict o, int w) { local int tile[64];"
                   " int x = get_global_id(0), y = get_global_id(1), l = get_local_id(1) * 16 + get_local_id(0);"
                   " tile[l] = a[y * w + x]; barrier(1); o[y * w + x] = tile[l]; }");
  EXPECT_EQ(delocalize(S.module(), *S.New, S.Refusals), 0u);
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Refusal::GroupGeometry));
}

TEST(Delocalize, BuffersThatMayOverlap) {
  Source S = parse("kernel void k(global const int *a, global int *o) { local int tile[16]; int l = get_local_id(0);"
                   " tile[l] = a[get_global_id(0)]; barrier(1); o[get_global_id(0)] = tile[15 - l]; }");
  EXPECT_EQ(apply(S), 1u);
  ASSERT_EQ(S.Needs.Obligations.size(), 1u);
  EXPECT_NE(S.Needs.Obligations[0].find("'a' and 'o' do not overlap"), std::string::npos);
}

TEST(Delocalize, OtherLocalMemoryKeepsItsBarrier) {
  Source S = staged("local int sum[16]; tile[l] = a[g];" + B + "sum[l] = tile[15 - l] * 3;" + B + "o[g] = sum[15 - l];");
  EXPECT_EQ(apply(S), 1u);
  EXPECT_NE(S.text().find("barrier"), std::string::npos) << S.text();
  expectSame(S, inAndOut());
}

//===----------------------------------------------------------------------===//

TEST(DelocalizeRefused, Modified) {
  Source S = staged("tile[l] = a[g]; tile[l] += 1;" + B + "o[g] = tile[15 - l];");
  expectRefused(S, Refusal::StagingModified);
}

TEST(DelocalizeRefused, ModifiedBehindTheBarrier) {
  Source S = staged("tile[l] = a[g];" + B + "o[g] = tile[15 - l];" + B + "tile[l] = a[0];" + B + "o[g] += tile[l];");
  expectRefused(S, Refusal::StagingModified);
}

TEST(DelocalizeRefused, Computed) {
  Source S = staged("tile[l] = a[g] * 2;" + B + "o[g] = tile[15 - l];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeRefused, SourceWritten) {
  Source S = parse("kernel void k(global int *a) { local int tile[16]; int l = get_local_id(0), g = get_global_id(0);"
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
  // What a round does not copy is still there from the round before.
  Source S = staged("int s = 0; for (int t = 0; t < 64; t += 16) { if (t + l < n) tile[l] = a[t + l];" + B +
                        "s = s * 3 + tile[15 - l];" + B + "} o[g] = s;",
                    ", int n");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeRefused, DoubleBuffer) {
  Source S = parse("kernel void k(global const int *restrict a, global int *restrict o) { local int tile[32]; int l = get_local_id(0), s = 0;"
                   " for (int t = 0; t < 4; t++) { tile[(t % 2) * 16 + l] = a[t * 16 + l]; barrier(1); s += tile[l] + tile[16 + l]; barrier(1); }"
                   " o[get_global_id(0)] = s; }");
  EXPECT_EQ(apply(S), 0u) << S.text();
}

TEST(DelocalizeRefused, Volatile) {
  Source S = parse("kernel void k(global const int *a, global int *o) { volatile local int tile[16]; int l = get_local_id(0);"
                   " tile[l] = a[get_global_id(0)]; barrier(1); o[get_global_id(0)] = tile[15 - l]; }");
  expectRefused(S, Refusal::VolatileAccess);
}

} // namespace
} // namespace clmali::testing
