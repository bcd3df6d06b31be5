//===-- test/model/analysis_halves_test.cpp - Halves that are exchanged ----===//
//
// x and n - 1 - x with x < n / 2, and variants that differ in one point.

#include "checks/model/analysis/Analysis.h"
#include "checks/model/frontend/Frontend.h"
#include <gtest/gtest.h>

namespace clmali::model {
namespace {

/// The worst conflict of two work-items in buffer a.
Conflict worst(const std::string &Body) {
  bool Plane = Body.find("y ") != std::string::npos; // a dimension whose id is used counts
  ParseResult P = parseOpenCL(
      "k.cl",
      "kernel void k(global float *a, int n, uint m, int w, int h) { int x = get_global_id(0);" +
          std::string(Plane ? " int y = get_global_id(1); " : " ") + Body + " }",
      ParseOptions());
  EXPECT_TRUE(P.M && !P.M->Kernels.empty()) << Body;
  if (!P.M || P.M->Kernels.empty())
    return Conflict::Must;
  KernelAnalysis A(*P.M, *P.M->Kernels[0]);
  Conflict Worst = Conflict::No;
  for (const AccessSite &X : A.accesses())
    for (const AccessSite &Y : A.accesses())
      if (X.IsWrite || Y.IsWrite)
        Worst = std::max(Worst, A.conflict(X, Y));
  return Worst;
}

std::string swap(const std::string &I, const std::string &J) {
  return "float t = a[" + I + "]; a[" + I + "] = a[" + J + "]; a[" + J + "] = t;";
}

TEST(Halves, Reversed) {
  EXPECT_EQ(worst("if (x < n / 2) { " + swap("x", "n - 1 - x") + " }"), Conflict::No);
  EXPECT_EQ(worst("if (x >= n >> 1) return; " + swap("x", "n - x - 1")), Conflict::No);
  EXPECT_EQ(worst("uint u = x; if (u < m / 2) { " + swap("u", "m - 1 - u") + " }"), Conflict::No);
  EXPECT_EQ(worst("if (x < n / 3) { " + swap("x", "n - 1 - x") + " }"), Conflict::No);
}

TEST(Halves, NotReversed) {
  EXPECT_NE(worst("if (x < n / 2) { " + swap("x", "n - 2 - x") + " }"), Conflict::No);
  EXPECT_NE(worst("if (x < n) { " + swap("x", "n - 1 - x") + " }"), Conflict::No);
  EXPECT_NE(worst("if (x <= n / 2) { " + swap("x", "n - 1 - x") + " }"), Conflict::No);
  EXPECT_NE(worst("if (x < (n + 2) / 2) { " + swap("x", "n - 1 - x") + " }"), Conflict::No);
  EXPECT_NE(worst("if (x < n / 2) { " + swap("x", "h - 1 - x") + " }"), Conflict::No);
}

TEST(Halves, Flipped) {
  EXPECT_EQ(worst("if (x < w && y < h / 2) { " + swap("y * w + x", "(h - 1 - y) * w + x") + " }"),
            Conflict::No);
  EXPECT_EQ(worst("if (x < w / 2 && y < h) { " + swap("y * w + x", "y * w + w - 1 - x") + " }"),
            Conflict::No);
}

TEST(Halves, NotFlipped) {
  EXPECT_NE(worst("if (y < h / 2) { " + swap("y * w + x", "(h - 1 - y) * w + x") + " }"),
            Conflict::No)
      << "x may be beyond the row";
  EXPECT_NE(worst("if (x < w && y < h) { " + swap("y * w + x", "(h - 1 - y) * w + x") + " }"),
            Conflict::No);
  EXPECT_NE(worst("if (x < w && y < h) { " + swap("y * w + x", "y * w + w - 1 - x") + " }"),
            Conflict::No);
  EXPECT_NE(worst("if (x < w / 2 && y < h) { " + swap("y * w + x", "y * w + w - 2 - x") + " }"),
            Conflict::No);
}

TEST(Halves, HalfABufferApart) {
  EXPECT_EQ(worst("if (x < h) { " + swap("x", "x + h") + " }"), Conflict::No);
  EXPECT_NE(worst("if (x <= h) { " + swap("x", "x + h") + " }"), Conflict::No);
}

} // namespace
} // namespace clmali::model
