//===-- test/model/analysis_partners_test.cpp - Partners by their bits ----===//
//
// x and x ^ m where one of the two does the work, and variants that differ in one point.

#include "checks/model/analysis/Analysis.h"
#include "checks/model/frontend/Frontend.h"
#include <gtest/gtest.h>

namespace clmali::model {
namespace {

/// The worst conflict of two work-items.
Conflict worst(const std::string &Body) {
  ParseResult P =
      parseOpenCL("k.cl",
                  "kernel void k(global float *a, global float *b, uint m, uint k, uint s) {"
                  " uint x = get_global_id(0); uint l = get_local_id(0); local float t[256]; " +
                      Body + " }",
                  ParseOptions());
  EXPECT_TRUE(P.M && !P.M->Kernels.empty()) << Body;
  if (!P.M || P.M->Kernels.empty())
    return Conflict::Must;
  KernelAnalysis A(*P.M, *P.M->Kernels[0]);
  Conflict Worst = Conflict::No;
  for (const AccessSite &X : A.accesses())
    for (const AccessSite &Y : A.accesses())
      if ((X.IsWrite || Y.IsWrite) && X.A->Base == Y.A->Base)
        Worst = std::max(Worst, A.conflict(X, Y));
  return Worst;
}

const std::string Swap = "float u = a[x]; a[x] = a[p]; a[p] = u;";

TEST(Partners, TheSmallerOneWorks) {
  EXPECT_EQ(worst("uint p = x ^ m; if (p > x) { " + Swap + " }"), Conflict::No);
  EXPECT_EQ(worst("uint p = x ^ m; if (x >= p) return; " + Swap), Conflict::No);
  EXPECT_EQ(worst("uint p = m ^ x; if (x > p) { " + Swap + " }"), Conflict::No);
  EXPECT_EQ(worst("uint p = x ^ m; if (p > x) if (x & k) { " + Swap + " }"), Conflict::No);
}

TEST(Partners, TheOneWithoutTheBitWorks) {
  EXPECT_EQ(worst("uint p = x ^ m; if ((x & m) == 0) { " + Swap + " }"), Conflict::No);
  EXPECT_EQ(worst("uint p = x ^ 32; if (x & 32) { " + Swap + " }"), Conflict::No);
  EXPECT_EQ(worst("uint p = x ^ (1u << s); if (!(x & (1u << s))) { " + Swap + " }"), Conflict::No);
}

TEST(Partners, AnotherPlaceForEach) {
  EXPECT_EQ(worst("b[x ^ m] = a[x];"), Conflict::No);
  EXPECT_EQ(worst("b[k + (x ^ m)] = a[x];"), Conflict::No);
}

TEST(Partners, BothWork) {
  EXPECT_NE(worst("uint p = x ^ m; " + Swap), Conflict::No);
  EXPECT_NE(worst("uint p = x ^ m; if (p > k) { " + Swap + " }"), Conflict::No);
  EXPECT_NE(worst("uint p = x ^ m; if (p > x) a[x] = 1; else a[p] = 2;"), Conflict::No);
  EXPECT_NE(worst("uint p = x ^ 3; if (x & 3) { " + Swap + " }"), Conflict::No)
      << "1 and 2 both have a bit of 3";
  EXPECT_NE(worst("uint p = x ^ m; if ((x & k) == 0) { " + Swap + " }"), Conflict::No);
  EXPECT_NE(worst("uint p = x ^ m; if (p > x) { a[x] = a[x ^ k]; }"), Conflict::No);
  EXPECT_NE(worst("b[x & m] = a[x];"), Conflict::No);
  EXPECT_NE(worst("b[(x / 2) ^ m] = a[x];"), Conflict::No);
}

TEST(Partners, BitsTakenOut) {
  const std::string Pair = "uint d = 1u << s, r = x & (d - 1), p = ((x - r) << 1) + r; ";
  EXPECT_EQ(worst(Pair + "a[p] = 1; a[p + d] = 2;"), Conflict::No);
  EXPECT_NE(worst(Pair + "a[p] = 1; a[p + d + 1] = 2;"), Conflict::No);
  EXPECT_EQ(worst("uint r = x % m; a[2 * (x - r) + r] = 1; a[2 * (x - r) + r + m] = 2;"),
            Conflict::No);
  EXPECT_NE(worst("uint r = x & (m - 1), p = 2 * x - r; a[p] = 1; a[p + m] = 2;"), Conflict::No)
      << "m need be no power of two";
  EXPECT_NE(worst("uint d = 1u << s, r = x & d, p = 2 * x - r; a[p] = 1; a[p + d] = 2;"),
            Conflict::No);
}

TEST(Partners, Meet) {
  EXPECT_EQ(worst("t[l] = a[x]; barrier(CLK_LOCAL_MEM_FENCE); t[l] += t[l ^ 32];"), Conflict::Must);
  EXPECT_EQ(worst("a[x] += a[x ^ 1];"), Conflict::Must);
  EXPECT_NE(worst("t[l] = a[x]; barrier(CLK_LOCAL_MEM_FENCE); if (l < 32) t[l] += t[l ^ 32];"),
            Conflict::Must);
}

} // namespace
} // namespace clmali::model
