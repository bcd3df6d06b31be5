// Images at sizes: texels, borders, formats, writes. Equal forms, and wrong ones.
#include "SymbolicTest.h"

using namespace clmali;
using namespace clmali::verify;
using namespace clmali::verify::test;
using Outcome = SymbolicOutcome;

namespace {

const char *const Samplers = R"(
#define SAMPLER(name, how) \
  __constant sampler_t name = CLK_NORMALIZED_COORDS_FALSE | how
SAMPLER(edge, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST);
SAMPLER(border, CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST);
SAMPLER(none, CLK_ADDRESS_NONE | CLK_FILTER_NEAREST);
SAMPLER(linear, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR);
)";

/// Kernels k of two images of 5 x 3 texels; \p Global work-items of the second one.
Pair images(const std::string &Original, const std::string &Rewritten,
            std::array<uint64_t, 3> Global = {5, 3, 1}, const char *Format = "rgba-unorm8") {
  const std::string Head = std::string(Samplers) +
                           "__kernel void k(__read_only image2d_t a, __write_only image2d_t b) {\n"
                           "  int x = get_global_id(0), y = get_global_id(1);\n";
  Pair P;
  P.Original = Head + Original + "}\n";
  P.Rewritten = Head + Rewritten + "}\n";
  P.Args = {image("a", Format, {5, 3, 1}), image("b", Format, {5, 3, 1})};
  P.From = {"k", shape({5, 3, 1}), {}};
  P.To = {{"k", shape(Global), {}}};
  return P;
}

Outcome outcome(const Pair &P) { return P.prove().Outcome; }

/// Not proved; a difference where there is an example of one.
void expectDiffers(const Pair &P) {
  const SymbolicResult R = P.prove();
  EXPECT_NE(R.Outcome, Outcome::Proved);
  EXPECT_TRUE(R.Example.has_value()) << R.Detail;
}

const char *const Box = R"(
  float4 sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += read_imagef(a, edge, (int2)(x + i, y + j));
  write_imagef(b, (int2)(x, y), sum / 9.0f);
)";

const char *const BoxOfTwo = R"(
  x *= 2;
  float4 s = 0, t = 0;
  for (int j = -1; j <= 1; ++j) {
    float4 v0 = read_imagef(a, edge, (int2)(x - 1, y + j));
    float4 v1 = read_imagef(a, edge, (int2)(x, y + j));
    float4 v2 = read_imagef(a, edge, (int2)(x + 1, y + j));
    float4 v3 = read_imagef(a, edge, (int2)(x + 2, y + j));
    s += v0; s += v1; s += v2; t += v1; t += v2; t += v3;
  }
  write_imagef(b, (int2)(x, y), s / 9.0f);
  if (x + 1 < get_image_width(b))
    write_imagef(b, (int2)(x + 1, y), t / 9.0f);
)";

std::string replaced(std::string Text, const std::string &From, const std::string &To) {
  const size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  return At == std::string::npos ? Text : Text.replace(At, From.size(), To);
}

TEST(SymbolicImage, WindowsThatShareReads) {
  EXPECT_EQ(outcome(images(Box, BoxOfTwo, {3, 3, 1})), Outcome::Proved);
  EXPECT_EQ(outcome(images(Box, BoxOfTwo, {3, 3, 1}, "r-float")), Outcome::Proved);
  // Sums by columns.
  expectDiffers(images(Box,
                       replaced(BoxOfTwo, "s += v0; s += v1; s += v2;", "s += v0 + (v1 + v2);"),
                       {3, 3, 1}, "r-float"));
  // A texel further right, which only the last column shows in one direction.
  expectDiffers(
      images(Box, replaced(BoxOfTwo, "(x + 2, y + j)", "(min(x + 2, 3), y + j)"), {3, 3, 1}));
  // Without the guard of the last column.
  const SymbolicResult R =
      images(Box, replaced(BoxOfTwo, "x + 1 < get_image_width(b)", "1"), {3, 3, 1}).prove();
  EXPECT_EQ(R.Outcome, Outcome::Counterexample);
  ASSERT_TRUE(R.Example.has_value());
  EXPECT_EQ(R.Example->K, SymbolicExample::Kind::OutOfBounds);
  EXPECT_EQ(R.Example->Argument, "b");
}

TEST(SymbolicImage, CoordinatesInSeveralSpellings) {
  const std::string Read =
      "  write_imagef(b, (int2)(x, y), read_imagef(a, edge, (int2)(x + 1, y)));\n";
  for (const char *Same :
       {"(float2)(x + 1, y)", "(float2)(x + 1.5f, y + 0.5f)", "(int2)(min(x + 1, 4), y)",
        "clamp((int2)(x + 1, y), (int2)(0), get_image_dim(a) - 1)",
        "(float2)(x, y) + (float2)(1.25f, 0.75f)"})
    EXPECT_EQ(outcome(images(Read, replaced(Read, "(int2)(x + 1, y)", Same))), Outcome::Proved)
        << Same;
  for (const char *Other :
       {"(float2)(x + 2.0f, y)", "(float2)(x + 0.5f, y + 0.5f)", "(int2)(min(x + 1, 3), y)",
        "(int2)(x + 1, y + 1)", "clamp((int2)(x + 1, y), (int2)(0), get_image_dim(a) - 2)"})
    expectDiffers(images(Read, replaced(Read, "(int2)(x + 1, y)", Other)));
}

TEST(SymbolicImage, BordersByTheOrderOfChannels) {
  const char *const ByHand = R"(
  int in = x + 1 < get_image_width(a) && y > 0;
  float4 v = read_imagef(a, edge, (int2)(x + 1, y - 1));
  write_imagef(b, (int2)(x, y), in ? v : (float4)(0));
)";
  const char *const ByMode =
      "  write_imagef(b, (int2)(x, y), read_imagef(a, border, (int2)(x + 1, y - 1)));\n";
  for (const char *Format : {"rgba-unorm8", "bgra-unorm8", "a-float", "rgba-half"})
    EXPECT_EQ(outcome(images(ByHand, ByMode, {5, 3, 1}, Format)), Outcome::Proved) << Format;
  // The fourth component is 1 outside. It is stored in an order that has no alpha by x alone.
  const std::string HandW = replaced(ByHand, "in ? v : (float4)(0)", "(in ? v : (float4)(0)).wwww");
  const std::string ModeW = replaced(ByMode, "y - 1)));", "y - 1)).wwww);");
  EXPECT_EQ(outcome(images(ByHand, ByMode, {5, 3, 1}, "r-float")), Outcome::Proved);
  expectDiffers(images(HandW, ModeW, {5, 3, 1}, "r-float"));
  EXPECT_EQ(outcome(images(replaced(HandW, "(float4)(0))", "(float4)(0, 0, 0, 1))"), ModeW,
                           {5, 3, 1}, "r-float")),
            Outcome::Proved);
  // Another address mode.
  expectDiffers(images(ByMode, replaced(ByMode, "border", "edge")));
}

TEST(SymbolicImage, ReadsOutsideWithoutAMode) {
  const char *const Inside = R"(
  if (x < 4) write_imagef(b, (int2)(x, y), read_imagef(a, edge, (int2)(x + 1, y)));
)";
  EXPECT_EQ(outcome(images(Inside, replaced(Inside, "edge", "none"))), Outcome::Proved);
  EXPECT_EQ(outcome(images(Inside, replaced(Inside, "edge, ", ""))), Outcome::Proved);
  const std::string Outside = replaced(Inside, "x < 4", "x < 5");
  for (const char *Without : {"none, ", ""}) {
    const SymbolicResult R = images(Outside, replaced(Outside, "edge, ", Without)).prove();
    EXPECT_EQ(R.Outcome, Outcome::Counterexample);
    ASSERT_TRUE(R.Example.has_value());
    EXPECT_EQ(R.Example->K, SymbolicExample::Kind::OutOfBounds);
    EXPECT_EQ(R.Example->Argument, "a");
  }
  // The original is undefined: nothing is proved.
  EXPECT_EQ(outcome(images(replaced(Outside, "edge", "none"), Outside)), Outcome::NotClimbed);
}

TEST(SymbolicImage, ChannelsAndTypes) {
  const char *const Copy = "  write_imagef(b, (int2)(x, y), read_imagef(a, edge, (int2)(x, y)));\n";
  const std::string Turned = replaced(Copy, "(int2)(x, y)));", "(int2)(x, y)).zyxw);");
  expectDiffers(images(Copy, Turned));
  // One channel is stored: the others do not matter.
  const std::string First = replaced(Copy, "(int2)(x, y)));", "(int2)(x, y)).xxxx);");
  expectDiffers(images(Copy, First, {5, 3, 1}, "rg-float"));
  EXPECT_EQ(outcome(images(Copy, First, {5, 3, 1}, "r-float")), Outcome::Proved);
  EXPECT_EQ(outcome(images(Copy, First, {5, 3, 1}, "rx-float")), Outcome::Proved);
  // Integers are exact, and saturated.
  const char *const Add = R"(
  int4 v = read_imagei(a, edge, (int2)(x, y));
  write_imagei(b, (int2)(x, y), v + 1);
)";
  const std::string Saturated = replaced(Add, "v + 1", "min(v + 1, 127)");
  EXPECT_EQ(outcome(images(Add, Saturated, {5, 3, 1}, "rgba-sint8")), Outcome::Proved);
  EXPECT_EQ(outcome(images(Add, Saturated, {5, 3, 1}, "rgba-sint16")), Outcome::Counterexample);
  // Reads by a function that the format does not have.
  EXPECT_EQ(outcome(images(Add, Add, {5, 3, 1}, "rgba-uint8")), Outcome::NotClimbed);
  EXPECT_EQ(outcome(images(Copy, Copy, {5, 3, 1}, "rgba-uint8")), Outcome::NotClimbed);
  const std::string Unsigned =
      "  write_imageui(b, (int2)(x, y), read_imageui(a, edge, (int2)(x, y)) + 1u);\n";
  EXPECT_EQ(
      outcome(images(Unsigned, replaced(Unsigned, "+ 1u", "+ 2u - 1u"), {5, 3, 1}, "rgba-uint8")),
      Outcome::Proved);
  EXPECT_EQ(outcome(images(Unsigned, replaced(Unsigned, "+ 1u", "| 1u"), {5, 3, 1}, "rgba-uint8")),
            Outcome::Counterexample);
  EXPECT_EQ(outcome(images(Copy, replaced(Copy, "(x, y)));", "(x, y)) + 0.0f * 0.5f);"), {5, 3, 1},
                           "rgb-unorm565")),
            Outcome::NotClimbed);
  EXPECT_EQ(outcome(images(Copy, Copy, {5, 3, 1}, "rgb-unorm565")), Outcome::Proved);
}

TEST(SymbolicImage, OtherSamplersAreSomeFunction) {
  const char *const Half =
      "  write_imagef(b, (int2)(x, y), read_imagef(a, linear, (float2)(x + 0.25f, y)));\n";
  EXPECT_EQ(outcome(images(Half, replaced(Half, "x + 0.25f", "0.25f + (1 + x - 1)"))),
            Outcome::Proved);
  EXPECT_NE(outcome(images(Half, replaced(Half, "x + 0.25f", "x + 0.75f"))), Outcome::Proved);
  EXPECT_NE(outcome(images(Half, replaced(Half, "linear", "edge"))), Outcome::Proved);
}

TEST(SymbolicImage, SamplersAsArgumentsAndInHelpers) {
  Pair P;
  P.Original = std::string(Samplers) + R"(
__kernel void k(__read_only image2d_t a, sampler_t s, __write_only image2d_t b) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(b, (int2)(x, y), read_imagef(a, s, (int2)(x + 1, y)));
})";
  P.Rewritten = std::string(Samplers) + R"(
float4 at(__read_only image2d_t a, sampler_t s, int x, int y) {
  return read_imagef(a, s, (int2)(x, y));
}
__kernel void k(__read_only image2d_t a, sampler_t s, __write_only image2d_t b) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(b, (int2)(x, y), at(a, border, x + 1, y));
})";
  launch::SamplerSpec Clamp;
  Clamp.Address = launch::SamplerSpec::AddressMode::Clamp;
  P.Args = {image("a", "rgba-float", {5, 3, 1}), sampler("s", Clamp),
            image("b", "rgba-float", {5, 3, 1})};
  P.From = {"k", shape({5, 3, 1}), {}};
  P.To = {P.From};
  EXPECT_EQ(outcome(P), Outcome::Proved);
  P.Args[1] = sampler("s", {});
  expectDiffers(P);
}

TEST(SymbolicImage, VolumesLayersAndLists) {
  Pair P;
  P.Original = std::string(Samplers) + R"(
__kernel void k(__read_only image3d_t v, __read_only image2d_array_t w,
                __read_only image1d_buffer_t u, __read_only image1d_t r, __write_only image2d_t b) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 s = read_imagef(v, edge, (int4)(x, y, 1, 0)) + read_imagef(w, edge, (int4)(x, y, 1, 0));
  s += read_imagef(u, x) + read_imagef(r, border, x - 1);
  write_imagef(b, (int2)(x, y), s);
})";
  P.Args = {image("v", "rgba-float", {4, 3, 2}), image("w", "r-unorm8", {4, 3, 2}),
            image("u", "r-float", {4, 1, 1}), image("r", "rgba-half", {4, 1, 1}),
            image("b", "rgba-float", {4, 3, 1})};
  P.From = {"k", shape({4, 3, 1}), {}};
  P.To = {P.From};
  // Coordinates and layers are moved to the edge; a layer is, by border too.
  const std::string Same = replaced(replaced(P.Original, "(x, y, 1, 0)", "(x, y, 9, 7)"),
                                    "w, edge, (int4)(x, y, 1, 0)", "w, border, (int4)(x, y, 5, 0)");
  P.Rewritten = Same;
  EXPECT_EQ(outcome(P), Outcome::Proved);
  P.Rewritten = replaced(Same, "9, 7", "0, 7");
  expectDiffers(P);
  P.Rewritten = replaced(Same, "5, 0", "0, 0");
  expectDiffers(P);
  P.Rewritten = replaced(Same, "v, edge, ", "v, border, ");
  expectDiffers(P);
  P.Rewritten = replaced(Same, "read_imagef(u, x)", "read_imagef(u, x + 1)");
  expectDiffers(P);
}

TEST(SymbolicImage, AnotherKindOfImage) {
  Pair P = images("", "");
  P.Rewritten = replaced(P.Rewritten, "__read_only image2d_t", "__read_only image3d_t");
  EXPECT_EQ(outcome(P), Outcome::NotClimbed);
}

TEST(SymbolicImage, OneObjectInTwoWays) {
  Pair P = images("  write_imagef(b, (int2)(x, y), read_imagef(a, edge, (int2)(x, y)));\n",
                  "  write_imagef(b, (int2)(x, y), read_imagef(a, edge, (int2)(x, y)));\n");
  P.Args[1].SameAs = 0;
  EXPECT_EQ(outcome(P), Outcome::NotClimbed);
  // Two work-items write one texel.
  const char *const Twice = "  write_imagef(b, (int2)(x / 2, y), (float4)(x));\n";
  EXPECT_EQ(outcome(images(Twice, Twice)), Outcome::NotClimbed);
}

TEST(SymbolicImage, ReadAndWritten) {
  auto inPlace = [](const std::string &Body) {
    return "__kernel void k(__read_write image2d_t a) {\n"
           "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n" +
           Body + "}\n";
  };
  const std::string One = "  uint4 v = read_imageui(a, p);\n  write_imageui(a, p, v + 1u);\n";
  Pair P;
  P.Options = "-cl-std=CL2.0";
  P.Args = {image("a", "rgba-uint32", {4, 3, 1})};
  P.From = {"k", shape({4, 3, 1}), {}};
  P.To = {P.From};
  P.Original = inPlace(One);
  P.Rewritten = inPlace("  write_imageui(a, p, 1u + read_imageui(a, p));\n");
  EXPECT_EQ(outcome(P), Outcome::Proved);
  P.Rewritten = inPlace("  write_imageui(a, p, 2u + read_imageui(a, p));\n");
  EXPECT_EQ(outcome(P), Outcome::Counterexample);
  // A fence decides what is read after the write.
  P.Rewritten = inPlace(One + "  write_imageui(a, p, read_imageui(a, p));\n");
  EXPECT_EQ(outcome(P), Outcome::NotClimbed);
  // Another work-item's texel.
  P.Rewritten = inPlace("  write_imageui(a, p, 1u + read_imageui(a, (int2)(p.x ^ 1, p.y)));\n");
  EXPECT_NE(outcome(P), Outcome::Proved);
}

TEST(SymbolicImage, Queries) {
  const char *const Numbers =
      "  write_imagef(b, (int2)(x, y), (float4)(get_image_width(a), get_image_height(b),\n"
      "               get_image_channel_order(a), get_image_channel_data_type(a)));\n";
  const char *const Constants =
      "  write_imagef(b, (int2)(x, y), (float4)(5, 3, CLK_RGBA, CLK_UNORM_INT8));\n";
  EXPECT_EQ(outcome(images(Numbers, Constants)), Outcome::Proved);
  EXPECT_NE(outcome(images(Numbers, replaced(Constants, "5, 3", "3, 5"))), Outcome::Proved);
  EXPECT_NE(outcome(images(Numbers, Constants, {5, 3, 1}, "bgra-unorm8")), Outcome::Proved);
}

} // namespace
