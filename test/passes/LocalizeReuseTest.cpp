//===-- test/passes/LocalizeReuseTest.cpp - localize without prior staging --===//

#include "Kernels.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

const rules::DeviceFacts &rogue() { return *rules::findFamily("powervr-rogue"); }

Source kernel(const std::string &Body, const std::string &Params = "") {
  return parse("kernel void k(global const int *restrict a, global int *restrict o, int n" +
               Params + ") {\n  int g = get_global_id(0);\n" + Body + "\n}\n");
}

bool has(const Source &S, const char *Text) { return S.text().find(Text) != std::string::npos; }

unsigned stage(Source &S, std::array<uint64_t, 3> Local) {
  return stageReuse({S.module(), *S.New}, rogue(), Local, S.Refusals, S.Needs);
}

void expectStaged(Source &S, std::array<uint64_t, 3> Local,
                  std::map<std::string, std::vector<double>> Scalars, unsigned Tiles = 1) {
  EXPECT_EQ(stage(S, Local), Tiles) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_TRUE(has(S, "async_work_group_copy")) << S.text();
  Launch L;
  L.Global = {Local[1] ? 16u : 128u, Local[1] ? 8u : 1u, 1};
  L.Local = {Local[0], std::max<uint64_t>(1, Local[1]), 1};
  L.Buffers = {{"a", data<int>(400, 1, -99, 99)}, {"o", data<int>(400, 2, 0, 1)}};
  L.Scalars = std::move(Scalars);
  expectSame(S, L);
}

void expectKept(Source &S, std::array<uint64_t, 3> Local, Refusal Why) {
  EXPECT_EQ(stage(S, Local), 0u) << S.text();
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Why)) << S.Refusals[0].Detail;
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

TEST(LocalizeReuse, Window) {
  Source S = kernel("o[g] = a[g] + a[g + 1] + a[g + 2];");
  expectStaged(S, {64, 0, 0}, {{"n", {128}}});
  EXPECT_TRUE(llvm::is_contained(S.Needs.When, "ox == 0"));
  EXPECT_FALSE(has(S, "if")) << S.text();
}

TEST(LocalizeReuse, GroupsAtTheBorderReadAsBefore) {
  for (double N : {100.0, 128.0, 3.0}) {
    Source S = kernel("if (g > 0 && g < n - 1) { int s = 0; for (int k = -1; k <= 1; k++) s = s * "
                      "3 + a[g + k]; o[g] = s; }");
    expectStaged(S, {32, 0, 0}, {{"n", {N}}});
    EXPECT_TRUE(has(S, "else")) << S.text();
  }
}

TEST(LocalizeReuse, ClampedCoordinates) {
  Source S = kernel("int l = max(g - 1, 0), r = min(g + 1, n - 1); if (g < n) o[g] = a[l] + 5 * "
                    "a[g] - a[clamp(g + 2, 0, n - 1)] + a[r];");
  expectStaged(S, {32, 0, 0}, {{"n", {120}}});
}

TEST(LocalizeReuse, RowsOfTwoLengths) {
  Source S = kernel("int y = get_global_id(1); o[y * n + g] = a[(y + 1) * n + g] + a[y * n + g + "
                    "1] + a[(y + 1) * n + g + 1]"
                    " + a[(y + 1) * n + g + 2] + a[(y + 2) * n + g + 1];");
  expectStaged(S, {8, 4, 0}, {{"n", {20}}});
}

TEST(LocalizeReuse, RowsOfConstantLength) {
  Source S = kernel("int y = get_global_id(1); for (int j = 0; j < 3; j++) for (int i = 0; i < 3; "
                    "i++) o[y * 32 + g] += a[(y + j) * 32 + g + i] * (i - j);");
  expectStaged(S, {8, 4, 0}, {{"n", {20}}});
}

TEST(LocalizeReuse, AllReadOneRow) {
  // A sum of unknown length goes in strips, with a barrier after each.
  for (double N : {50.0, 16.0, 5.0, 0.0}) {
    Source S = kernel("int s = 0; for (int k = 0; k < n; k++) s = s * 3 + a[k] * g; o[g] = s;");
    expectStaged(S, {64, 0, 0}, {{"n", {N}}});
    EXPECT_TRUE(has(S, "barrier")) << S.text();
  }
}

TEST(LocalizeReuseRefused, UnknownGroup) {
  Source S = kernel("o[g] = a[g] + a[g + 1] + a[g + 2];");
  expectKept(S, {0, 0, 0}, Refusal::GroupGeometry);
}

TEST(LocalizeReuseRefused, SmallGroup) {
  Source S = kernel("o[g] = a[g] + a[g + 1] + a[g + 2];");
  expectKept(S, {16, 0, 0}, Refusal::GroupGeometry);
}

TEST(LocalizeReuseRefused, SourceWritten) {
  Source S = parse("kernel void k(global int *a, int n) { int g = get_global_id(0); a[g + n] = "
                   "a[g] + a[g + 1] + a[g + 2]; }");
  expectKept(S, {64, 0, 0}, Refusal::StagingSourceWritten);
}

TEST(LocalizeReuseRefused, ReadOnce) {
  Source S = kernel("o[g] = a[g] * 2;");
  expectKept(S, {64, 0, 0}, Refusal::NothingPays);
}

TEST(LocalizeReuseRefused, Gaps) {
  Source S = kernel("o[g] = a[2 * g] + a[2 * g + 2] + a[2 * g + 4];");
  expectKept(S, {64, 0, 0}, Refusal::NothingPays);
}

TEST(LocalizeReuseRefused, TooLarge) {
  Source S = kernel("int s = 0; for (int k = 0; k < 5000; k++) s += a[g + k]; o[g] = s;");
  expectKept(S, {64, 0, 0}, Refusal::NothingPays);
}

TEST(LocalizeReuseRefused, WhereTheDataSay) {
  Source S =
      kernel("int s = 0; for (int k = 0; k < 3; k++) if (o[g] > k) s += a[g + k]; o[g] = s;");
  expectKept(S, {64, 0, 0}, Refusal::LocalIdUse);
}

TEST(LocalizeReuseRefused, PlacesFromData) {
  Source S = kernel("o[g] = a[a[g] & 7] + a[a[g + 1] & 7];");
  expectKept(S, {64, 0, 0}, Refusal::LocalIdUse);
}

TEST(LocalizeReuseRefused, StagedByHand) {
  // That is for the other form of the pass.
  Source S = kernel("local int t[64]; t[get_local_id(0)] = a[g] + a[g + 1]; barrier(1); o[g] = "
                    "t[63 - get_local_id(0)];");
  EXPECT_EQ(stage(S, {64, 0, 0}), 0u);
}

} // namespace
} // namespace clmali::testing
