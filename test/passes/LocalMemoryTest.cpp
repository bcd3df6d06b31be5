//===-- test/passes/LocalMemoryTest.cpp - passes for local memory on chip ---===//

#include "Kernels.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

const rules::DeviceFacts &rogue() { return *rules::findFamily("powervr-rogue"); }

Launch inAndOut(uint64_t N, uint64_t L, uint64_t Extra = 0) {
  Launch R;
  R.Global = {N, 1, 1};
  R.Local = {L, 1, 1};
  R.Buffers = {{"a", data<int>(N + Extra, 1, -99, 99)}, {"o", data<int>(N, 2, 0, 1)}};
  return R;
}

Source kernel(const std::string &Body, const std::string &Params = "") {
  return parse("kernel void k(global const int *restrict a, global int *restrict o" + Params +
               ") {\n  int l = get_local_id(0), g = get_global_id(0);\n" + Body + "\n}\n");
}

bool has(const Source &S, const char *Text) { return S.text().find(Text) != std::string::npos; }

//===----------------------------------------------------------------------===//
// localize
//===----------------------------------------------------------------------===//

unsigned stage(Source &S, std::array<uint64_t, 3> Local) {
  return localize({S.module(), *S.New}, rogue().AsyncCopyWorkGroup, Local, S.Refusals, S.Needs);
}

void expectStaged(Source &S, std::array<uint64_t, 3> Local, const Launch &L) {
  EXPECT_EQ(stage(S, Local), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_TRUE(has(S, "async_work_group_copy")) << S.text();
  expectSame(S, L);
}

void expectKept(Source &S, std::array<uint64_t, 3> Local, Refusal Why) {
  EXPECT_EQ(stage(S, Local), 0u) << S.text();
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Why)) << S.Refusals[0].Detail;
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

TEST(Localize, OneRun) {
  Source S = kernel("local int t[64]; t[l] = a[g]; barrier(1); o[g] = t[63 - l];");
  expectStaged(S, {64, 0, 0}, inAndOut(128, 64));
  EXPECT_FALSE(has(S, "barrier")) << S.text();
  EXPECT_TRUE(llvm::is_contained(S.Needs.When, "ox == 0"));
}

TEST(Localize, FromTheGroup) {
  // Counted from the group's number: any offset will do.
  Source S =
      kernel("local int t[64]; t[l] = a[get_group_id(0) * 64 + l]; barrier(1); o[g] = t[63 - l];");
  expectStaged(S, {64, 0, 0}, inAndOut(128, 64));
  EXPECT_TRUE(S.Needs.When.empty());
}

TEST(Localize, Halo) {
  Source S = kernel("local int t[66]; t[l + 1] = a[g + 1]; if (l == 0) t[0] = a[g]; if (l == 63) "
                    "t[65] = a[g + 2];"
                    " barrier(1); o[g] = t[l] + 2 * t[l + 1] + t[l + 2];");
  expectStaged(S, {64, 0, 0}, inAndOut(128, 64, 2));
}

TEST(Localize, InTurns) {
  Source S = kernel(
      "local int t[100]; for (int i = l; i < 100; i += 32) t[i] = a[get_group_id(0) * 32 + i];"
      " barrier(1); o[g] = t[l] + t[l + 68];");
  expectStaged(S, {32, 0, 0}, inAndOut(64, 32, 68));
}

TEST(Localize, Rows) {
  Source S = parse("kernel void k(global const int *restrict a, global int *restrict o, int w) { "
                   "local int t[4][8];"
                   " int x = get_global_id(0), y = get_global_id(1); "
                   "t[get_local_id(1)][get_local_id(0)] = a[y * w + x];"
                   " barrier(1); o[y * w + x] = t[3 - get_local_id(1)][7 - get_local_id(0)]; }");
  Launch L;
  L.Global = {16, 8, 1};
  L.Local = {8, 4, 1};
  L.Buffers = {{"a", data<int>(128, 1, -99, 99)}, {"o", data<int>(128, 2, 0, 1)}};
  L.Scalars = {{"w", {16}}};
  expectStaged(S, {8, 4, 0}, L);
}

TEST(Localize, InALoop) {
  // The barrier after the use stays; the one after the copy is removed.
  Source S = kernel(
      "local int t[32]; int s = 0; for (int b = 0; b < 96; b += 32) { t[l] = a[b + l]; barrier(1);"
      " for (int j = 0; j < 32; j++) s = s * 3 + t[j]; barrier(1); } o[g] = s;");
  expectStaged(S, {32, 0, 0}, inAndOut(96, 32));
  EXPECT_TRUE(has(S, "barrier")) << S.text();
}

TEST(Localize, BarrierForOthersStays) {
  Source S = kernel("local int t[64], u[64]; t[l] = a[g]; u[l] = l * g; barrier(1); o[g] = t[63 - "
                    "l] + u[l ^ 1];");
  expectStaged(S, {64, 0, 0}, inAndOut(128, 64));
  EXPECT_TRUE(has(S, "barrier")) << S.text();
}

TEST(LocalizeRefused, SmallGroup) {
  Source S = kernel("local int t[16]; t[l] = a[g]; barrier(1); o[g] = t[15 - l];");
  expectKept(S, {16, 0, 0}, Refusal::GroupGeometry);
}

TEST(LocalizeRefused, UnknownGroup) {
  Source S = kernel("local int t[64]; t[l] = a[g]; barrier(1); o[g] = t[63 - l];");
  expectKept(S, {0, 0, 0}, Refusal::GroupGeometry);
}

TEST(LocalizeRefused, UnderAConditionOverTheData) {
  Source S = kernel("local int t[64]; if (g < n) t[l] = a[g]; barrier(1); if (g < n) o[g] = t[l];",
                    ", int n");
  expectKept(S, {64, 0, 0}, Refusal::StagingNotACopy);
}

TEST(LocalizeRefused, Strided) {
  Source S = kernel("local int t[64]; t[l] = a[2 * g]; barrier(1); o[g] = t[63 - l];");
  expectKept(S, {64, 0, 0}, Refusal::StagingNotACopy);
}

TEST(LocalizeRefused, WithGaps) {
  Source S = kernel("local int t[128]; t[2 * l] = a[g]; barrier(1); o[g] = t[126 - 2 * l];");
  expectKept(S, {64, 0, 0}, Refusal::StagingNotACopy);
}

TEST(LocalizeRefused, Computed) {
  Source S = kernel("local int t[64]; t[l] = a[g] * 2; barrier(1); o[g] = t[63 - l];");
  expectKept(S, {64, 0, 0}, Refusal::StagingNotACopy);
}

TEST(LocalizeRefused, SourceWritten) {
  Source S = parse("kernel void k(global int *a) { local int t[64]; int l = get_local_id(0); t[l] "
                   "= a[get_global_id(0)];"
                   " barrier(1); a[get_global_id(0)] = t[63 - l]; }");
  expectKept(S, {64, 0, 0}, Refusal::StagingSourceWritten);
}

//===----------------------------------------------------------------------===//
// spread-banks
//===----------------------------------------------------------------------===//

unsigned spread(Source &S, std::array<uint64_t, 3> Local, bool *Needs = nullptr) {
  bool Dummy = false;
  return spreadBanks({S.module(), *S.New}, rogue(), Local, S.Refusals, Needs ? *Needs : Dummy);
}

TEST(SpreadBanks, MultiplesAreClosedUp) {
  Source S = kernel("local int t[1024]; t[l * 16] = a[g]; barrier(1); o[g] = t[l * 16] + t[0];");
  double Before = bankConflicts({S.module(), *S.New}, rogue(), {64, 0, 0});
  EXPECT_EQ(spread(S, {64, 0, 0}), 1u);
  EXPECT_LT(bankConflicts({S.module(), *S.New}, rogue(), {64, 0, 0}), Before);
  EXPECT_FALSE(has(S, "1024")) << S.text();
  expectSame(S, inAndOut(128, 64));
}

TEST(SpreadBanks, ColumnsArePadded) {
  Source S = kernel(
      "local int t[32][32]; for (int i = 0; i < 32; i++) t[i][l] = a[g + i]; barrier(1); int s = 0;"
      " for (int i = 0; i < 32; i++) s = s * 3 + t[l][i]; o[g] = s;");
  bool Needs = false;
  EXPECT_EQ(spread(S, {32, 0, 0}, &Needs), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_TRUE(Needs);
  expectSame(S, inAndOut(64, 32, 32));
}

// A flat id is divided into row and column: the conflicts count, but nothing proves that the
// remainder of a signed id stays inside of a row.
TEST(SpreadBanksRefused, DividedIdsConflict) {
  Source S =
      kernel("local int t[16][16]; t[l / 16][l % 16] = a[g]; barrier(1); o[g] = t[l % 16][3];");
  EXPECT_GT(bankConflicts({S.module(), *S.New}, rogue(), {256, 0, 0}), 0);
  EXPECT_EQ(spread(S, {256, 0, 0}), 0u);
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(S.Refusals[0].Detail, "'t' may be accessed behind the end of a row");
}

TEST(SpreadBanksRefused, OneWorkItem) {
  Source S = kernel("local int t[1024]; t[l] = a[g]; barrier(1); if (!l) t[l * 16] = 0; barrier(1);"
                    " o[g] = t[l];");
  EXPECT_EQ(spread(S, {64, 0, 0}), 0u);
  EXPECT_TRUE(S.Refusals.empty());
}

TEST(SpreadBanksRefused, RowsMayBeLeft) {
  Source S = kernel(
      "local int t[32][32]; for (int i = 0; i < 32; i++) t[i][l] = a[g + i]; barrier(1); int s = 0;"
      " for (int i = 0; i < 32; i++) s = s * 3 + t[l][i]; o[g] = s;");
  EXPECT_EQ(spread(S, {0, 0, 0}), 0u);
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Refusal::GroupGeometry));
}

TEST(SpreadBanksRefused, OneAccessOfAnotherMultiple) {
  Source S = kernel("local int t[1024]; t[l * 16] = a[g]; t[l * 16 + 1] = g; barrier(1); o[g] = "
                    "t[l * 16] + t[1];");
  EXPECT_EQ(spread(S, {64, 0, 0}), 0u) << S.text();
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

TEST(SpreadBanksRefused, NoConflict) {
  Source S = kernel("local int t[64]; t[l] = a[g]; barrier(1); o[g] = t[63 - l];");
  EXPECT_EQ(spread(S, {64, 0, 0}), 0u);
  EXPECT_TRUE(S.Refusals.empty());
}

TEST(SpreadBanksRefused, TooMuchLocalMemory) {
  Source S = kernel(
      "local int t[64][64]; for (int i = 0; i < 64; i++) t[i][l] = a[g + i]; barrier(1); int s = 0;"
      " for (int i = 0; i < 64; i++) s = s * 3 + t[l][i]; o[g] = s;");
  EXPECT_EQ(spread(S, {64, 0, 0}), 0u) << S.text();
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Refusal::NothingPays));
}

//===----------------------------------------------------------------------===//
// hoist-arithmetic
//===----------------------------------------------------------------------===//

TEST(HoistArithmetic, BeforeTheBarrier) {
  Source S = kernel("local int t[64]; t[l] = a[g]; barrier(1); int v = t[63 - l]; barrier(1); int "
                    "w = g * 3 + l; w = w * w;"
                    " t[l] = v + w; barrier(1); o[g] = t[l ^ 1];");
  EXPECT_EQ(hoistArithmetic(S.module(), *S.New), 1u);
  expectSame(S, inAndOut(128, 64));
  std::string Text = S.text();
  size_t Second = Text.find("barrier", Text.find("barrier") + 1);
  EXPECT_LT(Text.find("w = "), Second) << Text;
}

TEST(HoistArithmeticRefused, WhatReadsMemory) {
  Source S = kernel(
      "local int t[64]; t[l] = a[g]; barrier(1); int v = t[63 - l]; barrier(1); int w = a[l] * 3;"
      " t[l] = v + w; barrier(1); o[g] = t[l ^ 1];");
  EXPECT_EQ(hoistArithmetic(S.module(), *S.New), 0u);
}

TEST(HoistArithmeticRefused, NoReadBeforeTheBarrier) {
  Source S =
      kernel("local int t[64]; t[l] = a[g]; barrier(1); int w = g * 3 + l; o[g] = t[l ^ 1] + w;");
  EXPECT_EQ(hoistArithmetic(S.module(), *S.New), 0u);
}

TEST(HoistArithmeticRefused, NothingToCompute) {
  Source S = kernel("local int t[64]; t[l] = a[g]; barrier(1); int v = t[63 - l]; barrier(1); t[l] "
                    "= v; barrier(1); o[g] = t[l ^ 1];");
  EXPECT_EQ(hoistArithmetic(S.module(), *S.New), 0u);
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

void expectSelected(Source &S) {
  EXPECT_EQ(selectBranches({S.module(), *S.New}), 1u) << S.text();
  EXPECT_FALSE(has(S, "if ")) << S.text();
  expectSame(S, inAndOut(64, 16));
}
void expectBranch(Source &S) {
  EXPECT_EQ(selectBranches({S.module(), *S.New}), 0u) << S.text();
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

TEST(Select, OneSide) {
  Source S = kernel("int v = a[g]; if (v < 0) v = -2 * v; o[g] = v;");
  expectSelected(S);
}
TEST(Select, TwoSides) {
  Source S = kernel("int v = a[g], w; if (v < 0) w = v - 1; else w = v + 1; o[g] = w;");
  expectSelected(S);
}
TEST(Select, ConditionOverWhatIsAssigned) {
  Source S = kernel("int v = a[g], w = 0; if (v < 0) { v = 7; w = 9; } o[g] = v * 100 + w;");
  expectSelected(S);
}
TEST(Select, SidesThatReadEachOther) {
  Source S =
      kernel("int v = a[g], w = l, c = v; if (c < 0) v = w; else w = v; o[g] = v * 100 + w;");
  expectSelected(S);
}
TEST(SelectRefused, OneAssignmentReadsTheOther) {
  Source S =
      kernel("int v = a[g], w = 0; if (v < 0) { w = v + 1; v = w * 2; } o[g] = v * 100 + w;");
  expectBranch(S);
}
TEST(SelectRefused, UniformCondition) {
  Source S = kernel("int v = a[g]; if (n < 0) v = -2 * v; o[g] = v;", ", int n");
  expectBranch(S);
}
TEST(SelectRefused, Memory) {
  Source S = kernel("int v = a[g]; if (v < 0) v = a[l]; o[g] = v;");
  expectBranch(S);
}
TEST(SelectRefused, Division) {
  Source S = kernel("int v = a[g]; if (v != 0) v = 1000 / v; o[g] = v;");
  expectBranch(S);
}
TEST(SelectRefused, Store) {
  Source S = kernel("int v = a[g]; if (v < 0) o[g] = v;");
  expectBranch(S);
}
TEST(SelectRefused, Long) {
  Source S = kernel("int v = a[g], w = 1, x = 2, y = 3; if (v < 0) { v = -v; w = 4; x = 5; y = 6; "
                    "} o[g] = v + w + x + y;");
  expectBranch(S);
}

} // namespace
} // namespace clmali::testing
