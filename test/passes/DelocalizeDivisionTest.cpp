//===-- test/passes/DelocalizeDivisionTest.cpp - tiles filled by one flat loop ---===//
//
// Copies whose indices are quotients and remainders of a running number, in the ways that
// they are written; and what looks like them.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

/// Groups of 8 x 4 work-items over a tile of 10 x 6: Fill copies a[(y0 + row) * 20 + x0 + column]
/// to where Read finds it.
Source tile(const std::string &Fill,
            const std::string &Read = "t[ly][lx] + 3 * t[ly + 2][lx + 1] + 5 * t[ly + 1][lx + 2]",
            const std::string &Tile = "t[6][10]") {
  return parse(
      "__attribute__((reqd_work_group_size(8, 4, 1)))\n"
      "kernel void k(global const int *restrict a, global int *restrict o, int n) {\n  local int " +
      Tile +
      ";\n"
      "  int lx = get_local_id(0), ly = get_local_id(1), lid = ly * 8 + lx;\n"
      "  int x0 = get_group_id(0) * 8, y0 = get_group_id(1) * 4;\n" +
      Fill +
      "\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  o[get_global_id(1) * 16 + get_global_id(0)] = " +
      Read + ";\n}\n");
}

void expectGone(Source &S) {
  EXPECT_EQ(delocalize({S.module(), *S.New}, S.Refusals, &S.Needs), 1u)
      << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_EQ(S.text().find("barrier"), std::string::npos) << S.text();
  Launch L;
  L.Global = {16, 8, 1};
  L.Local = {8, 4, 1};
  L.Buffers = {{"a", data<int>(240, 1, -99, 99)}, {"o", data<int>(128, 2, 0, 1)}};
  L.Scalars = {{"n", {200}}};
  expectSame(S, L);
}

void expectRefused(Source &S, Refusal Why) {
  EXPECT_EQ(delocalize({S.module(), *S.New}, S.Refusals, &S.Needs), 0u) << S.text();
  ASSERT_FALSE(S.Refusals.empty());
  EXPECT_EQ(unsigned(S.Refusals[0].Why), unsigned(Why)) << S.Refusals[0].Detail;
}

const std::string From = "a[(y0 + r) * 20 + x0 + c]";

TEST(DelocalizeDivision, InManyWays) {
  for (std::string Fill : {
           "for (int k = lid; k < 60; k += 32) t[k / 10][k % 10] = a[(y0 + k / 10) * 20 + x0 + k % "
           "10];",
           "for (int k = lid; k < 60; k += 32) { int r = k / 10, c = k - r * 10; t[r][c] = A; }",
           "int k = lid; while (k < 60) { int r = k / 10, c = k % 10; t[r][c] = A; k += "
           "get_local_size(0) * 4; }",
           "for (uint k = lid; k < 60u; k += 32u) { uint r = k / 10u, c = k % 10u; t[r][c] = A; }",
           "{ int k = lid, r = k / 10, c = k % 10; t[r][c] = A; k += 32; r = k / 10; c = k % 10; "
           "if (k < 60) t[r][c] = A; }",
           "for (int i = 0; i < 2; i++) { int k = i * 32 + lid; if (k < 60) { int r = k / 10, c = "
           "k % 10; t[r][c] = A; } }",
           "for (int k = lid; k < 60; k += 32) { int c = k / 6, r = k % 6; t[r][c] = A; }",
           "for (int k = lid; k < 60; k += 32) { int r = k / 10, c = k % 10, v = 0; if (r + c < n) "
           "v = A; t[r][c] = v; }",
       }) {
    for (size_t At; (At = Fill.find("A;")) != std::string::npos;)
      Fill.replace(At, 1, From);
    SCOPED_TRACE(Fill);
    Source S = tile(Fill);
    expectGone(S);
  }
}

TEST(DelocalizeDivision, RowsWithPadding) {
  Source S = tile(
      "for (int k = lid; k < 60; k += 32) { int r = k / 10, c = k % 10; t[r * 11 + c] = " + From +
          "; }",
      "t[ly * 11 + lx] + 3 * t[(ly + 2) * 11 + lx + 1]", "t[66]");
  expectGone(S);
}

TEST(DelocalizeDivision, ByAPointerToTheFirstElement) {
  // Rows are one behind the other, for the copy or for the reads.
  Source S = tile("local int *p = &t[0][0] + lid; for (int k = lid; k < 60; k += 32, p += 32) *p = "
                  "a[(y0 + k / 10) * 20 + x0 + k % 10];");
  expectGone(S);
  Source R = tile("for (int k = lid; k < 60; k += 32) t[k / 10][k % 10] = a[(y0 + k / 10) * 20 + "
                  "x0 + k % 10]; local int *p = &t[0][0];",
                  "p[ly * 10 + lx] + 3 * p[ly * 10 + lx + 12] - t[5][lx]");
  expectGone(R);
}

TEST(DelocalizeDivision, RowsByHandAndByPointer) {
  Source S = tile("t[ly][lx] = a[(y0 + ly) * 20 + x0 + lx]; local int *p = &t[0][0];",
                  "p[ly * 8 + lx] - p[31 - (ly * 8 + lx)]", "t[4][8]");
  expectGone(S);
}

TEST(DelocalizeDivision, ByAConstantThatIsAVariable) {
  Source S = tile("int r = 1, tw = 8 + 2 * r; for (int k = lid; k < tw * 6; k += 32) t[k / tw][k % "
                  "tw] = a[(y0 + k / tw) * 20 + x0 + k % tw];");
  expectGone(S);
}

TEST(DelocalizeDivision, LoopsThatAreLeftEarlyByTheLast) {
  Source S = tile("for (int b = 0; b < 60; b += 32) { int k = b + lid; if (k >= 60) break; int r = "
                  "k / 10, c = k % 10; t[r][c] = " +
                  From + "; }");
  expectGone(S);
  EXPECT_EQ(S.text().find("for"), std::string::npos) << S.text();
}

TEST(DelocalizeDivision, ShiftsAndMasks) {
  Source S = tile("for (int k = lid; k < 96; k += 32) t[k >> 4][k & 15] = a[(y0 + (k >> 4)) * 20 + "
                  "x0 + (k & 15)];",
                  "t[ly + 1][lx + 2] - t[ly][15 - lx]", "t[6][16]");
  expectGone(S);
}

TEST(DelocalizeDivision, ThreeDimensions) {
  for (const char *Where : {"int z = k / 15, y = k / 5 % 3, x = k % 5;",
                            "int z = k / 15, m = k % 15, y = m / 5, x = m % 5;",
                            "int x = k % 5, q = k / 5, y = q % 3, z = q / 3;"}) {
    SCOPED_TRACE(Where);
    Source S = tile("for (int k = lid; k < 60; k += 32) { " + std::string(Where) +
                        " t[z][y][x] = a[y0 * 20 + x0 + z * 30 + y * 7 + x]; }",
                    "t[ly][lx & 1][lx >> 1] + t[3 - ly][2][4]", "t[4][3][5]");
    expectGone(S);
  }
}

TEST(DelocalizeDivision, ReadByDivision) {
  Source S = tile("t[lid >> 3][lid & 7] = a[(y0 + lid / 8) * 20 + x0 + lid % 8];",
                  "t[3 - lid / 8][7 - (lid & 7)]", "t[4][9]");
  expectGone(S);
}

TEST(DelocalizeDivisionRefused, AnotherRemainder) {
  // Elements that two numbers share: which one was last is not known.
  Source S = tile("for (int k = lid; k < 60; k += 32) t[k / 10][k % 9] = a[k];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeDivisionRefused, BelowZero) {
  // -3 / 10 is 0 and -3 % 10 is -3.
  Source S = tile("for (int k = lid - 3; k < 57; k += 32) t[(k + 9) / 10][k % 10 + 3] = a[k + 9];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeDivisionRefused, ARowIsMissing) {
  Source S = tile("for (int k = lid; k < 50; k += 32) t[k / 10][k % 10] = a[(y0 + k / 10) * 20 + "
                  "x0 + k % 10];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeDivisionRefused, StepsThatOverlap) {
  // 24 further on, not 32: what the second iteration stores differs from the first.
  Source S = tile("{ int k = lid, r = k / 10, c = k % 10; t[r][c] = a[k]; k += 24; r = k / 10; c = "
                  "k % 10; t[r][c] = a[k + 1]; }");
  EXPECT_EQ(delocalize({S.module(), *S.New}, S.Refusals, &S.Needs), 0u) << S.text();
}

TEST(DelocalizeDivisionRefused, DivisorIsAnArgument) {
  Source S = tile("for (int k = lid; k < 60; k += 32) t[k / n][k % n] = a[k];");
  expectRefused(S, Refusal::StagingNotACopy);
}

TEST(DelocalizeDivisionRefused, Changed) {
  Source S = tile(
      "for (int k = lid; k < 60; k += 32) t[k / 10][k % 10] = a[k]; t[ly][lx] = t[ly][lx] / 2;");
  expectRefused(S, Refusal::StagingModified);
}

} // namespace
} // namespace clmali::testing
