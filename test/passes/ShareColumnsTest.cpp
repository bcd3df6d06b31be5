//===-- test/passes/ShareColumnsTest.cpp - Windows by columns --------------------===//

#include "Kernels.h"
#include "rewriters/pass/Passes.h"

namespace clmali::testing {
namespace {

using namespace rewrite;
constexpr unsigned Width = 40;

struct Case {
  const char *Name;
  /// a is row 0 at the first of the eight elements of an item, w the distance of rows.
  const char *Body;
  unsigned Changes;
};
void PrintTo(const Case &C, std::ostream *Out) { *Out << C.Name; }

/// V(r, s) is row r at shift s as int8, U(r, s) as uchar8.
Source kernelOf(const std::string &Body, const char *Elem = "uchar") {
  std::string E = Elem;
  return parse("#define U(r, s) vload8(0, a + at + (r) * w + (s))\n"
               "#define V(r, s) convert_int8(U(r, s))\n"
               "kernel void k(global " +
               E +
               " *a, global int *o, int w) {\n"
               "  int x = get_global_id(0) * 8, at = get_global_id(1) * w + x;\n"
               "  " +
               E +
               "8 a0 = U(0, 0), a1 = U(0, 1), a2 = U(0, 2), a3 = U(0, 3), a4 = U(0, 4);\n"
               "  " +
               E +
               "8 b0 = U(1, 0), b1 = U(1, 1), b2 = U(1, 2), b3 = U(1, 3), b4 = U(1, 4);\n"
               "  " +
               E +
               "8 c0 = U(2, 0), c1 = U(2, 1), c2 = U(2, 2), c3 = U(2, 3), c4 = U(2, 4);\n"
               "#define I convert_int8\n" +
               Body + "\n}\n");
}
#define STORE "vstore8(r, 0, o + at);"

void run(Source &S, bool Bytes = true) {
  Launch L;
  L.Global = {2, 3, 1};
  size_t N = Width * 8;
  L.Buffers = {{"a", Bytes ? data<uint8_t>(N, 1, 0, 256) : data<int32_t>(N, 1, -2e9, 2e9)},
               {"o", data<int>(N, 2, -9, 9)}};
  L.Scalars = {{"w", {double(Width)}}};
  expectSame(S, L);
}

class ShareColumns : public ::testing::TestWithParam<Case> {};

TEST_P(ShareColumns, GiveTheSame) {
  Source S = kernelOf(GetParam().Body);
  EXPECT_EQ(shareColumns({S.module(), *S.New}), GetParam().Changes) << S.text();
  run(S);
}

INSTANTIATE_TEST_SUITE_P(
    Hits, ShareColumns,
    ::testing::Values(
        Case{"Box",
             "int8 r = I(a0) + I(a1) + I(a2) + I(b0) + I(b1) + I(b2) + I(c0) + I(c1) + "
             "I(c2);" STORE,
             1},
        Case{"BoxInSteps",
             "int8 r = I(a0); r += I(a1); r += I(a2); r += I(b0); r += I(b1);"
             "r += I(b2); r += I(c0); r += I(c1); r += I(c2);" STORE,
             1},
        Case{"SobelOfBothKinds",
             "int8 x2 = I(a2) + 2 * I(b2) + I(c2) - (I(a0) + (I(b0) << 1) + I(c0));"
             "int8 y2 = I(c0) + I(c1) * 2 + I(c2) - I(a0) - 2 * I(a1) - I(a2);"
             "int8 r = convert_int8(abs(x2) + abs(y2));" STORE,
             2},
        Case{"Gauss",
             "int8 r = (I(a0) + 2 * I(a1) + I(a2) + 2 * (I(b0) + 2 * I(b1) + I(b2)) + "
             "I(c0) + 2 * I(c1) + I(c2) + 8) >> 4;" STORE,
             1},
        Case{"TwoByTwo", "int8 r = (I(a0) + I(a1) + I(b0) + I(b1) + 2) / 4;" STORE, 1},
        Case{"FiveWide",
             "int8 r = I(a0) + I(a1) + I(a2) + I(a3) + I(a4) + I(b0) + I(b1) + I(b2) + "
             "I(b3) + I(b4);" STORE,
             1},
        Case{"Minimum",
             "uchar8 m = min(min(min(a0, b0), min(a1, b1)), min(a2, min(b2, (uchar8)(9)))"
             "); int8 r = I(m);" STORE,
             1},
        Case{"MaximumInSteps",
             "uchar8 m = 3; m = max(m, a0); m = max(m, a1); m = max(m, b0);"
             "m = max(m, b1); int8 r = I(m);" STORE,
             1},
        Case{"CentreApart",
             "int8 r = I(a0) + I(a1) + I(a2) + I(b0) - 8 * I(b1) + I(b2) + I(c0) + "
             "I(c1) + I(c2);" STORE,
             1},
        Case{"AllNegative", "int8 r = -(I(a0) + I(b0)) - (I(a1) + I(b1)) - 5;" STORE, 1},
        Case{"OneIsReadOtherwise",
             "int8 r = I(a0) + I(a1) + I(b0) + I(b1); r = r * r + I(a0) + I(b0);" STORE, 1},
        Case{"LoadedAgainBehindAStore",
             "a[at] = 7; a[at + w + 3] ^= 9; uchar8 d0 = U(0, 0), d1 = U(0, 1), e0 = U(1, 0), "
             "e1 = U(1, 1); int8 r = (I(d0) + I(d1) + I(e0) + I(e1)) * (I(a0) + I(a1) + I(b0) + "
             "I(b1));" STORE,
             2},
        Case{"InPlaceFromAbove",
             "int8 s = I(a0) + I(a1) + I(b0) + I(b1); a[at + w + 1] = s.s3; uchar8 d0 = U(1, 0), "
             "d1 = U(1, 1); int8 r = s * (I(d0) + I(d1) + I(c0) + I(c1));" STORE,
             1},
        Case{"InABranch",
             "if (w > 3) { uchar8 d0 = U(3, 0), d1 = U(3, 1), e0 = U(4, 0), "
             "e1 = U(4, 1); int8 r = I(d0) + I(d1) + I(e0) + I(e1);" STORE " }",
             1}),
    [](const auto &Info) { return std::string(Info.param.Name); });

INSTANTIATE_TEST_SUITE_P(
    NearMisses, ShareColumns,
    ::testing::Values(
        Case{"OneRow", "int8 r = I(a0) + I(a1) + I(a2) + I(a3);" STORE, 0},
        Case{"OneShift", "int8 r = I(a0) + I(b0) + I(c0) + I(b1);" STORE, 0},
        Case{"NoTwoColumnsAlike", "int8 r = I(a0) + 2 * I(b0) + 3 * I(a1) + I(b1);" STORE, 0},
        Case{"ThreeLanesAtTheEnd", "int8 r = I(a0) + I(b0) + I(a3) + I(b3);" STORE, 0},
        Case{"MinimumOfASum", "int8 r = min(I(a0) + I(b0), I(a1) + I(b1));" STORE, 0},
        Case{"MinimumAndMaximum", "uchar8 m = min(max(a0, b0), max(a1, b1)); int8 r = I(m);" STORE,
             0},
        Case{"ProductOfTwo", "int8 r = I(a0) * I(b0) + I(a1) * I(b1);" STORE, 0},
        Case{"MayOverflow",
             "int8 r = 60000 * (60000 * (I(a0) & 0) + I(b0)) + 60000 * I(a1) + I(b1);" STORE, 0},
        Case{"FactorsTooLarge",
             "int8 r = 5000000 * I(a0) + 5000000 * I(b0) - 5000000 * I(a1) - "
             "5000000 * I(b1);" STORE,
             0},
        Case{"SixteenBitsMayOverflow",
             "short8 s = convert_short8(a0) * (short8)(60) + convert_short8(b0) * (short8)(60) - "
             "convert_short8(a1) * (short8)(60) - convert_short8(b1) * (short8)(60);"
             "int8 r = I(s);" STORE,
             0},
        Case{"AnOperandChangesBehind",
             "uchar8 t = c0; uchar8 m = max(max(a0, b0), t); if (w > 3) t = c4; "
             "uchar8 m2 = max(max(m, a1), b1); int8 r = I(m2) + I(t);" STORE,
             0},
        Case{"AnOperandIsWrittenBehind",
             "uchar8 m = max(max(a0, b0), U(3, 0)); a[at + 3 * w] = 255; "
             "uchar8 m2 = max(max(m, a1), b1); int8 r = I(m2);" STORE,
             0},
        Case{"WrittenBetween",
             "a[at + w] = 7; uchar8 d0 = U(0, 0), d1 = U(0, 1), e0 = U(1, 0); a[at + w + 1] = 9;"
             "uchar8 e1 = U(1, 1); int8 r = I(d0) + I(d1) + I(e0) + I(e1);" STORE,
             0},
        Case{"ReadTwice",
             "a[at] = 7; uchar8 d0 = U(0, 0), d1 = U(0, 1);"
             "int8 r = I(d0) + I(d1) + I(b0) + I(b1);" STORE,
             0}),
    [](const auto &Info) { return std::string(Info.param.Name); });

// Signed integers of 32 bits may overflow in another order; unsigned ones wrap in any.
TEST(ShareColumnsOfWords, Signed) {
  Source S = kernelOf("int8 r = a0 + a1 + b0 + b1;" STORE, "int");
  EXPECT_EQ(shareColumns({S.module(), *S.New}), 0u) << S.text();
}

TEST(ShareColumnsOfWords, Unsigned) {
  Source S = kernelOf("uint8 u = a0 + a1 - b0 * 7 - 7 * b1; int8 r = as_int8(u);" STORE, "uint");
  EXPECT_EQ(shareColumns({S.module(), *S.New}), 1u) << S.text();
  run(S, false);
}

TEST(ShareColumnsOfWords, LargeConstants) {
  Source S = kernelOf("uint8 u = 65536u * (65536u * (a0 + b0 + 4294967295u)) - a1 * 3000000000u - "
                      "b1 * 3000000000u; int8 r = as_int8(u);" STORE,
                      "uint");
  shareColumns({S.module(), *S.New});
  run(S, false);
}

TEST(ShareColumnsOfWords, Floats) {
  Source S = kernelOf("float8 f = a0 + a1 + b0 + b1; int8 r = as_int8(f);" STORE, "float");
  EXPECT_EQ(shareColumns({S.module(), *S.New}), 0u) << S.text();
}

} // namespace
} // namespace clmali::testing
