// A bordered 3x3 filter over interleaved 8-bit pixels, and what may go wrong
// when it is written with vectors of narrow integers.
#include "SymbolicTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;

namespace {

// One work-item for each pixel; the border is copied.
const char *const Filter = R"(
__kernel void sharpen(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  for (int c = 0; c < 3; ++c) {
    int at = (y * w + x) * 3 + c;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
      out[at] = in[at];
      continue;
    }
    int p = 3 * w, s = 0;
    s -= in[at - p - 3]; s -= in[at - p]; s -= in[at - p + 3];
    s -= in[at - 3];     s += in[at] * 9; s -= in[at + 3];
    s -= in[at + p - 3]; s -= in[at + p]; s -= in[at + p + 3];
    out[at] = s < 0 ? 0 : s > 255 ? 255 : s;
  }
})";

// One work-item for five pixels (15 bytes) that begin one right of the border;
// columns that are left over, and the border, go to the kernel above.
const char *const Vectors = R"(
#define LOAD(o) convert_short16(vload16(0, in + at + (o)))
__kernel void sharpen5(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = 1 + (int)get_global_id(0) * 5, y = 1 + (int)get_global_id(1);
  int p = 3 * w, at = (y * w + x) * 3;
  short16 s = LOAD(0) * (short)9;
  s -= LOAD(-p - 3); s -= LOAD(-p); s -= LOAD(-p + 3);
  s -= LOAD(-3);                    s -= LOAD(3);
  s -= LOAD(p - 3);  s -= LOAD(p);  s -= LOAD(p + 3);
  uchar16 r = convert_uchar16(clamp(s, (short16)0, (short16)255));
  vstore8(r.lo, 0, out + at);
  vstore4(r.s89ab, 0, out + at + 8);
  vstore2(r.scd, 0, out + at + 12);
  out[at + 14] = r.se;
}
__kernel void rest(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int n = (w - 2) / 5 * 5;
  if (y > 0 && y < h - 1 && x > 0 && x <= n) return;
  sharpen(in, out, w, h);
}
)";

Pair filterPair(uint64_t W, uint64_t H) {
  Pair P;
  P.Original = Filter;
  P.Rewritten = std::string(Filter) + Vectors;
  // The vectors over-read by one byte: the buffer is larger than the picture.
  P.Args = {buffer("in", W * H * 3 + 1), buffer("out", W * H * 3), scalar("w", int64_t(W)),
            scalar("h", int64_t(H))};
  P.From = {"sharpen", shape({(W + 7) / 8 * 8, H, 1}), {}};
  P.To = {{"sharpen5", shape({(W - 2) / 5, H - 2, 1}), {}}, {"rest", shape({W, H, 1}), {}}};
  return P;
}

std::string replaced(std::string Text, const std::string &From, const std::string &To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  return Text.replace(At, From.size(), To);
}

TEST(SymbolicFilter, BorderedFilterIsProved) {
  for (auto [W, H] : {std::pair<uint64_t, uint64_t>{40, 4}, {7, 3}, {13, 5}}) {
    SymbolicResult R = filterPair(W, H).prove();
    EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
    EXPECT_EQ(R.ElementsCompared, W * H * 3);
    EXPECT_LT(R.Seconds, 5.0);
  }
}

TEST(SymbolicFilter, OverReadOfTheLastPixelIsFound) {
  Pair P = filterPair(12, 3);
  P.Args[0].Count = 12 * 3 * 3;
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  ASSERT_TRUE(R.Example);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::OutOfBounds);
  EXPECT_EQ(R.Example->Argument, "in");
}

struct Mutation {
  const char *Name, *From, *To;
};

class FilterMutations : public testing::TestWithParam<Mutation> {};

TEST_P(FilterMutations, IsRefuted) {
  Pair P = filterPair(12, 4);
  P.Rewritten = std::string(Filter) + replaced(Vectors, GetParam().From, GetParam().To);
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  ASSERT_TRUE(R.Example);
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::Value);
  EXPECT_FALSE(R.Example->MustBeReplayed);
  EXPECT_NE(R.Example->Expected, R.Example->Got);
}

INSTANTIATE_TEST_SUITE_P(
    Known, FilterMutations,
    testing::Values(
        Mutation{"OneRowTwice", "s -= LOAD(p - 3);", "s -= LOAD(-p - 3);"},
        Mutation{"DroppedRow", "s -= LOAD(p - 3);  s -= LOAD(p);  s -= LOAD(p + 3);", ""},
        Mutation{"WrongSign", "s -= LOAD(3);", "s += LOAD(3);"},
        Mutation{"OffByOneByte", "s -= LOAD(p + 3);", "s -= LOAD(p + 2);"},
        Mutation{"WrongFactor", "(short)9", "(short)8"},
        Mutation{"NoLowerClamp", "clamp(s, (short16)0, (short16)255)", "min(s, (short16)255)"},
        Mutation{"ClampOneLess", "(short16)255", "(short16)254"},
        Mutation{"SwappedChannels", "r.s89ab", "r.s98ab"},
        Mutation{"LostByte", "out[at + 14] = r.se;", ""},
        Mutation{"NarrowedTooFar", "#define LOAD(o) convert_short16(",
                 "#define short16 char16\n#define short char\n"
                 "#define LOAD(o) convert_char16("},
        Mutation{"WrongBorderRow", "y < h - 1 &&", "y < h &&"},
        Mutation{"TailOneShort", "x <= n)", "x <= n + 1)"}),
    [](const auto &Info) { return std::string(Info.param.Name); });

TEST(SymbolicFilter, WrongFactorInTheManifestIsFound) {
  Pair P = filterPair(12, 4);
  P.To[0].Shape.Global[0] = 1;
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
}

TEST(SymbolicFilter, SaturatingConversionIsTheSameAsAClamp) {
  Pair P = filterPair(12, 4);
  P.Rewritten = replaced(P.Rewritten, "convert_uchar16(clamp(s, (short16)0, (short16)255))",
                         "convert_uchar16_sat(s)");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
}

TEST(SymbolicFilter, SixteenBitsHoldTheSumButAWiderFactorDoesNot) {
  // 9 * 255 fits short; 200 * 255 does not, and only there the results differ.
  Pair P = filterPair(12, 4);
  P.Original = replaced(P.Original, "* 9", "* 200");
  P.Rewritten = replaced(replaced(P.Rewritten, "* 9", "* 200"), "(short)9", "(short)200");
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  // One bit less than that is still held: 128 * 255 < 32768.
  P = filterPair(12, 4);
  P.Original = replaced(P.Original, "* 9", "* 128");
  P.Rewritten = replaced(replaced(P.Rewritten, "* 9", "* 128"), "(short)9", "(short)128");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Proved);
  P.Original = replaced(P.Original, "* 128", "* 129");
  P.Rewritten = replaced(replaced(P.Rewritten, "* 128", "* 129"), "(short)128", "(short)129");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
}

// A division by nine as a multiplication, of a sum of nine: only the values of the sum are tried,
// not those of the nine variables.
TEST(SymbolicFilter, DivisionOfASumIsAMultiplication) {
  Pair P;
  P.Original = R"(__kernel void f(__global const uchar *x, __global uchar *y) {
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < 9; ++k)
      s += x[i + k];
    y[i] = s / 9;
  })";
  P.Rewritten = R"(__kernel void f(__global const uchar *x, __global uchar *y) {
    int i = get_global_id(0);
    ushort s = 0;
    for (int k = 0; k < 9; ++k)
      s += x[i + k];
    y[i] = (s * 7282u) >> 16;
  })";
  P.Args = {buffer("x", 12), buffer("y", 4)};
  P.From = {"f", shape({4, 1, 1}), {}};
  P.To = {P.From};
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  EXPECT_EQ(R.QuestionsToZ3, 0u);
  // The next smaller factor is wrong for every multiple of nine.
  P.Rewritten = replaced(P.Rewritten, "7282u", "7281u");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
  // Signed: a sum below zero is divided towards zero, and shifted downwards.
  P.Original = replaced(replaced(P.Original, "uchar", "char"), "uchar", "char");
  P.Rewritten = replaced(replaced(replaced(P.Rewritten, "uchar", "char"), "uchar", "char"),
                         "ushort", "short");
  P.Rewritten = replaced(P.Rewritten, "(s * 7281u)", "(s * 7282)");
  EXPECT_EQ(P.prove().Outcome, SymbolicOutcome::Counterexample);
}

// The interval rung: the arithmetic that never leaves its type's range, and the inputs at which the
// rest does.
TEST(SymbolicInterval, KnowsWhatFitsAndTheCornerOfWhatDoesNot) {
  Pair P;
  P.Original = R"(__kernel void f(__global const uchar *x, __global int *y) {
    int i = get_global_id(0);
    y[i] = 100 * x[i] - 28 * x[i + 1];
  })";
  P.Rewritten = R"(__kernel void f(__global const uchar *x, __global int *y) {
    int i = get_global_id(0);
    short4 a = (short4)(x[i]) * (short)100, b = (short4)(x[i + 1]) * (short)28;
    y[i] = (a - b).x;
  })";
  P.Args = {buffer("x", 5), buffer("y", 4)};
  P.From = {"f", shape({4, 1, 1}), {}};
  P.To = {P.From};
  SymbolicResult R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Proved);
  EXPECT_TRUE(R.Interval.Climbed);
  EXPECT_EQ(R.Interval.MayLeave, 0u);
  EXPECT_GE(R.Interval.Sites, 3u);
  EXPECT_TRUE(R.Interval.Corners.empty());
  // 129 * 255 fits 16 bits without a sign, and the difference fits neither.
  P.Original = replaced(P.Original, "100", "129");
  P.Rewritten = replaced(P.Rewritten, "100", "129");
  R = P.prove();
  EXPECT_EQ(R.Outcome, SymbolicOutcome::Counterexample);
  EXPECT_GE(R.Interval.MayLeave, 1u);
  ASSERT_FALSE(R.Interval.Corners.empty());
  bool Largest = false;
  for (const SymbolicCorner &C : R.Interval.Corners) {
    const std::vector<uint8_t> &X = C.Inputs.at("x");
    for (size_t I = 0; I + 1 < X.size(); ++I)
      Largest |= X[I] == 255 && X[I + 1] == 0;
  }
  EXPECT_TRUE(Largest) << "one as large, the other as small as it can be";
}

} // namespace
