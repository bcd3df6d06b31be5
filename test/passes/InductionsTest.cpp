//===-- test/passes/InductionsTest.cpp - Offsets and counters of loops -------===//

#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

struct Walk {
  const char *Name;
  const char *Body; ///< x is the item, n a scalar of 0 to 7, w the row's length of 8
  unsigned Changes;
};
void PrintTo(const Walk &W, std::ostream *Out) { *Out << W.Name; }

class Inductions : public ::testing::TestWithParam<Walk> {};

/// The body for each n: the kernel before and after gives the same bytes, and no operation
/// overflows that did not before.
TEST_P(Inductions, GiveTheSame) {
  Source S = parse("kernel void k(global const int *a, global int *o, int n, int w) {\n"
                   "  int x = get_global_id(0), s = 0;\n" +
                   std::string(GetParam().Body) + "\n  o[x] = s;\n}\n");
  model::splitLiveRanges(S.module(), *S.New);
  EXPECT_EQ(closeInductions({S.module(), *S.New}), GetParam().Changes) << S.text();
  for (double N : {0, 1, 7}) {
    Launch L;
    L.Global = {4, 1, 1};
    L.Buffers = {{"a", data<int>(96, 1, -9, 9)}, {"o", data<int>(4, 2, 0, 1)}};
    L.Scalars = {{"n", {N}}, {"w", {8}}};
    expectSame(S, L);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Hits, Inductions,
    ::testing::Values(
        Walk{"Pointer", "global const int *p = a + x; for (int k = 0; k < n; ++k) s += *p++;", 1},
        Walk{"PointerByRows",
             "global const int *p = a + x; for (int k = 0; k < n; ++k, p += w) s += *p;", 1},
        Walk{"TwoPointers",
             "global const int *p = a, *q = a + x;"
             " for (int k = 0; k < n; ++k, q += w) s += *p++ * *q;",
             2},
        Walk{"ReadAfterItsStep",
             "global const int *p = a + x; for (int k = 0; k < n; ++k) { s += *p; p += w; s -= *p;"
             " }",
             1},
        Walk{"OffsetFromZero", "size_t i = 0; for (int k = 2; k < n; k++) { s += a[i]; i += 8; }",
             1},
        Walk{
            "Backwards",
            "global const int *p = a + 60; for (int k = 0; k < n; ++k) { s = s * 3 + *p; p -= w; }",
            1},
        Walk{"CountsDown", "for (int k = n; k > 0; --k) s = s * 3 + a[k];", 1},
        Walk{"CountsDownToZero", "for (int k = n; k >= 0; --k) s = s * 3 + a[k];", 1},
        Walk{"CountsDownAndWalks",
             "global const int *p = a + x; for (int k = n; k > 0; --k) s = s * 3 + *p++ * k;", 2},
        Walk{"InsideAnotherLoop",
             "for (int j = 0; j < 3; ++j) { global const int *p = a + j * w;"
             " for (int k = 0; k < n; ++k) s = s * 3 + *p++; }",
             1},
        Walk{"UnderACondition",
             "if (n > 3) { global const int *p = a; for (int k = 0; k < n; ++k) s += *p++; }", 1}));

INSTANTIATE_TEST_SUITE_P(
    NearMisses, Inductions,
    ::testing::Values(
        Walk{"SignedThatMayShrink", "int i = x; for (int k = 2; k < n; k++) { s += a[i]; i += w; }",
             0},
        Walk{"GoesOnInTheOuterLoop",
             "global const int *p = a; for (int j = 0; j < 3; ++j)"
             " for (int k = 0; k < n; ++k) s = s * 3 + *p++;",
             0},
        Walk{"ReadBehindTheLoop",
             "global const int *p = a; for (int k = 0; k < n; ++k) s += *p++; s += *p;", 0},
        Walk{"OnlySometimes",
             "global const int *p = a; for (int k = 0; k < n; ++k) { s += *p; if (s > 0) p++; }",
             0},
        Walk{"TwoSteps",
             "global const int *p = a; for (int k = 0; k < n; ++k) { s += *p++; s -= *p++; }", 0},
        Walk{"ByWhatChanges",
             "global const int *p = a; int d = 1; for (int k = 0; k < n; ++k) { s += *p; p += d;"
             " d = 3 - d; }",
             0},
        Walk{"ByALoad",
             "global const int *p = a; for (int k = 0; k < n; ++k) { s += *p; p += a[3] & 1; }", 0},
        Walk{"CounterOfUnsignedBound",
             "uint top = n; for (uint k = top; k > (uint)x; --k) s = s * 3 + a[k];", 0},
        Walk{"CounterReadBehind", "int k; for (k = n; k > 0; --k) s += a[k]; s += k;", 0},
        Walk{"FirstValueChanges",
             "int t = n; for (int k = t; k > 0; --k) { s += a[k]; t = 0; }"
             " s += t;",
             0}),
    [](const auto &Info) { return std::string(Info.param.Name); });

} // namespace
} // namespace clmali::testing
