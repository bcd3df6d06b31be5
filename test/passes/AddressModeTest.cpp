//===-- test/passes/AddressModeTest.cpp - Borders by hand: hits and near misses ---===//

#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

constexpr int64_t Width = 9, Height = 5;

/// `kernel void k(src, dst, w)` of Body, which may use x, y and one sampler of each address mode.
Source images(const std::string &Body) {
  return parse(
      "constant sampler_t none = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST,"
      " zero = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST,"
      " edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "float4 zeroOutside(read_only image2d_t src, int x, int y) {\n"
      "  if (x < 0 || y < 0 || x >= get_image_width(src) || y >= get_image_height(src))\n"
      "    return (float4)(0.0f);\n"
      "  return read_imagef(src, none, (int2)(x, y)); }\n"
      "kernel void k(read_only image2d_t src, write_only image2d_t dst, int n, int columns) {"
      " int x = get_global_id(0), y = get_global_id(1);"
      " int w = get_image_width(src), h = get_image_height(src); float4 v = 0.0f; " +
      Body + " write_imagef(dst, (int2)(x, y), v); }");
}

enum class Border { Unknown, Transparent, Opaque };

/// Applies the pass; the result must do the same. Returns the number of changes.
unsigned changes(Source &S, Border Of = Border::Transparent) {
  model::LaunchFacts Facts;
  Facts.SameExtents = {{"src", 0, "columns", false, "width(src) == columns"},
                       {"src", 1, "dst", true, "height(src) == height(dst)"}};
  if (Of != Border::Unknown)
    (Of == Border::Opaque ? Facts.OpaqueBorders : Facts.TransparentBorders).push_back("src");
  normalize({S.module(), *S.New});
  useBuiltins({S.module(), *S.New});
  const unsigned Changes = useAddressModes({S.module(), *S.New}, Facts, S.Needs);
  Launch L;
  L.Global = {uint64_t(Width), uint64_t(Height), 1};
  L.Local = {3, 1, 1};
  L.Scalars["n"] = {3};
  L.Scalars["columns"] = {double(Width)};
  if (Of == Border::Opaque)
    L.OpaqueBorders = {"src"};
  for (const char *Name : {"src", "dst"}) {
    L.Images[Name] = {Width, Height, 1};
    L.Buffers[Name] = data<float>(4 * Width * Height, Name[0], -8, 8);
  }
  Both R{run(*S.Old, L), run(*S.New, L)};
  EXPECT_EQ(R.Old.Wrong + R.Old.Unknown + R.New.Wrong + R.New.Unknown, "") << S.text();
  EXPECT_TRUE(R.Old.Buffers["dst"] == R.New.Buffers["dst"]) << S.text();
  return Changes;
}

unsigned changes(const std::string &Body, Border Of = Border::Transparent) {
  Source S = images(Body);
  return changes(S, Of);
}

/// As read where (X, y) is inside.
std::string guarded(const std::string &Condition, const std::string &X,
                    const std::string &Sampler = "none") {
  return "if (" + Condition + ") v = read_imagef(src, " + Sampler + ", (int2)(" + X + ", y));";
}

TEST(AddressMode, ConditionsBecomeClamp) {
  for (const char *Condition :
       {"x - 2 >= 0 && x - 2 < w", "x >= 2 && x <= w + 1", "!(x < 2) && w + 2 > x",
        "(x - 2 >= 0) & (x - 2 < w)", "(uint)(x - 2) < (uint)w", "1 < x && (uint)(x - 2) < (uint)w",
        "x - 2 >= 0 && y < h && x - 2 < w && y >= 0", "x - 2 > -1 && w > x - 2"}) {
    Source S = images(guarded(Condition, "x - 2"));
    EXPECT_EQ(changes(S), 1u) << Condition;
    EXPECT_NE(S.text().find("{20}"), std::string::npos) << S.text();
    EXPECT_EQ(S.text().find("if ("), std::string::npos) << S.text();
  }
  EXPECT_EQ(changes("v = zeroOutside(src, x - 1, y) + zeroOutside(src, x, y + 1);"), 2u);
  EXPECT_EQ(changes("v = x + 1 < w ? read_imagef(src, none, (int2)(x + 1, y)) : (float4)(0.0f);"),
            1u);
}

TEST(AddressMode, OtherConditionsStay) {
  Source S = images(guarded("x >= 1 && n > 2", "x - 1"));
  EXPECT_EQ(changes(S), 1u);
  EXPECT_NE(S.text().find("if ((n > 2))"), std::string::npos) << S.text();
}

// Near misses: one texel more or less, another coordinate, another size, unsigned sums that wrap.
TEST(AddressMode, OtherBordersStay) {
  EXPECT_EQ(changes(guarded("x >= 3 && x < w", "x - 2")), 0u);
  EXPECT_EQ(changes(guarded("x >= 1 && x < w - 1", "x")), 0u);
  EXPECT_EQ(changes(guarded("x - 1 >= 0 && x - 1 < w", "x")), 0u);
  EXPECT_EQ(changes(guarded("x - 1 >= 0 && x - 1 < w - 1", "x")), 1u); // x >= 1 stays
  EXPECT_EQ(changes(guarded("y >= 0 && x < h", "x")), 1u);             // y >= 0 goes, x < h stays
  EXPECT_EQ(changes(guarded("x < get_image_width(dst) - n", "x")), 0u);
  EXPECT_EQ(changes(guarded("(uint)x < (uint)w - 2u", "x")), 0u);
  EXPECT_EQ(changes(guarded("(uint)x - 1u < (uint)w - 1u", "x")), 0u);
  EXPECT_EQ(changes(guarded("x < w || n > 2", "x")), 0u);
}

// What is not tested has another address mode than CLAMP, or might fault outside.
TEST(AddressMode, WhatIsNotTestedKeepsItsMode) {
  EXPECT_EQ(changes(guarded("x >= 1", "x - 1", "zero")), 1u);
  EXPECT_EQ(changes(guarded("x >= 1", "x - 1", "edge")), 0u);
  EXPECT_EQ(changes(guarded("x >= 1 && x - 1 < w", "x - 1", "edge")), 0u);
  EXPECT_EQ(changes(guarded("x >= 1 && x - 1 < w && y >= 0 && y < h", "x - 1", "edge")), 1u);
  EXPECT_EQ(changes(guarded("x >= 1 && n / x > 0", "x - 1")), 0u);
  EXPECT_EQ(changes("if (x < w) v = read_imagef(src, none, (int2)(x, y / (n + x)));"), 0u);
}

// The alpha of the border depends on the format.
TEST(AddressMode, AlphaMustBeThatOfTheFormat) {
  const std::string Whole = guarded("x >= 1", "x - 1"),
                    One = "v.w = 1.0f; v = (float4)(0.0f, 0.0f, 0.0f, 1.0f);" + Whole,
                    Colour = "float4 c = 0.0f; if (x >= 1)"
                             " c = read_imagef(src, none, (int2)(x - 1, y)); v.xyz = c.xyz;",
                    First = "float c = 0.0f; if (x >= 1)"
                            " c = read_imagef(src, none, (int2)(x - 1, y)).x; v.y = c;";
  for (auto [Body, OfTransparent, OfOpaque, OfUnknown] :
       {std::tuple(Whole, 1u, 0u, 0u), std::tuple(One, 0u, 1u, 0u), std::tuple(Colour, 1u, 1u, 1u),
        std::tuple(First, 1u, 1u, 1u)}) {
    EXPECT_EQ(changes(Body, Border::Transparent), OfTransparent) << Body;
    EXPECT_EQ(changes(Body, Border::Opaque), OfOpaque) << Body;
    EXPECT_EQ(changes(Body, Border::Unknown), OfUnknown) << Body;
  }
  Source S = images(Whole);
  changes(S);
  ASSERT_EQ(S.Needs.Obligations.size(), 1u);
  EXPECT_NE(S.Needs.Obligations[0].find("alpha 0"), std::string::npos);
}

TEST(AddressMode, SumsThatAreLeftOutAreSumsWithZero) {
  auto Window = [](const std::string &Sum, const std::string &Add) {
    return Sum + " for (int i = -2; i <= 2; ++i) { int at = x + i; if (at >= 0 && at < w) " + Add +
           " } v.x = s;";
  };
  const std::string Read = "read_imagef(src, none, (int2)(at, y)).x";
  EXPECT_EQ(changes(Window("float s = 0.0f;", "s += " + Read + ";")), 1u);
  EXPECT_EQ(changes(Window("float s = n;", "s -= " + Read + ";")), 1u);
  EXPECT_EQ(changes(Window("float s = 0.0f;", "s += 2.0f * " + Read + ";")), 0u); // contracted
  EXPECT_EQ(changes(Window("float s = -0.0f;", "s += " + Read + ";")), 0u);
  EXPECT_EQ(changes(Window("float s = n;", "s += " + Read + ";")), 0u); // may be -0
  EXPECT_EQ(changes(Window("float s = 1.0f;", "s *= " + Read + ";")), 0u);
  EXPECT_EQ(changes(Window("float s = 0.0f;", "s += n * " + Read + ";")), 0u); // 0 * n may be -0
  EXPECT_EQ(changes(Window("float s = 0.0f;", "s += 1.0f - " + Read + ";")), 0u);
}

TEST(AddressMode, ClampsBecomeClampToEdge) {
  auto Reads = [](const std::string &X, const std::string &Y, const std::string &Sampler) {
    return "v = read_imagef(src, " + Sampler + ", (int2)(" + X + ", " + Y + "));";
  };
  for (const char *X : {"clamp(x - 2, 0, w - 1)", "max(min(x - 2, w - 1), 0)",
                        "x - 2 < 0 ? 0 : x - 2 >= w ? w - 1 : x - 2"})
    for (const char *Sampler : {"none", "edge"}) {
      Source S = images(Reads(X, "y", Sampler));
      EXPECT_EQ(changes(S, Border::Unknown), 1u) << X;
      EXPECT_NE(S.text().find("{18}, (int2)((x - 2), y)"), std::string::npos) << S.text();
    }
  EXPECT_EQ(changes(Reads("max(x - 2, 0)", "min(y + 1, h - 1)", "none")), 1u);
  EXPECT_EQ(changes(Reads("clamp(x - 2, 0, w - 1)", "clamp(y, 0, h - 1)", "zero")), 1u);
  // Near misses: y may leave the image; another limit; another image's size.
  EXPECT_EQ(changes(Reads("clamp(x - 2, 0, w - 1)", "y", "zero")), 0u);
  EXPECT_EQ(changes(Reads("clamp(x - 2, 0, w - 1)", "max(y, 0)", "zero")), 0u);
  EXPECT_EQ(changes(Reads("clamp(x, 0, w - 2)", "y", "edge")), 0u);
  EXPECT_EQ(changes(Reads("x - 2 < 2 ? 0 : x - 2", "y", "edge")), 0u);
  EXPECT_EQ(changes(Reads("x - 2 >= w - 3 ? w - 1 : x - 2", "y", "edge")), 0u);
  EXPECT_EQ(changes(Reads("clamp(x, 1, w - 1)", "y", "edge")), 0u);
  EXPECT_EQ(changes(Reads("min(x, h - 1)", "y", "edge")), 0u);
  EXPECT_EQ(changes("int at = clamp(x - 2, 0, w - 1) + 1;" + Reads("at", "y", "edge")), 0u);
}

// An argument, or an extent of another image, that every launch gives as an extent of this one.
TEST(AddressMode, ArgumentsMayBeExtents) {
  using Conditions = std::vector<std::string>;
  for (auto [Body, Expected] :
       {std::pair("v = read_imagef(src, none, (int2)(clamp(x - 2, 0, columns - 1), y));",
                  Conditions{"width(src) == columns"}),
        std::pair("if (x + 1 < columns) v = read_imagef(src, none, (int2)(x + 1, y));",
                  Conditions{"width(src) == columns"}),
        std::pair("v = read_imagef(src, edge, (int2)(x, min(y + 1, get_image_height(dst) - 1)));",
                  Conditions{"height(src) == height(dst)"}),
        std::pair("v = read_imagef(src, edge, (int2)(x, min(y + 1, h - 1)));", Conditions{})}) {
    Source S = images(Body);
    EXPECT_EQ(changes(S), 1u) << Body;
    EXPECT_EQ(S.Needs.When, Expected) << Body;
  }
  for (const char *Body :
       {"v = read_imagef(src, edge, (int2)(clamp(x - 2, 0, n - 1), y));",
        "v = read_imagef(src, edge, (int2)(x, min(y + 1, columns - 1)));",
        "v = read_imagef(src, edge, (int2)(min(x, get_image_width(dst) - 1), y));"}) {
    Source S = images(Body);
    EXPECT_EQ(changes(S), 0u) << Body;
    EXPECT_EQ(S.Needs.When, Conditions{}) << Body;
  }
}

// What the clamped coordinate is made of has changed since.
TEST(AddressMode, CoordinatesOfOldValuesStay) {
  EXPECT_EQ(changes("int a = n; for (int i = 0; i < 3; ++i) { int at = max(x - a, 0); a = i;"
                    " v += read_imagef(src, edge, (int2)(at, y)); }"),
            0u);
}

TEST(AddressMode, CoordinatesThatAreSentOutsideStayOutside) {
  auto Reads = [](const std::string &X, const std::string &Sampler) {
    return "int at = " + X + "; v = read_imagef(src, " + Sampler + ", (int2)(at, y));";
  };
  Source S = images(Reads("select(x - 2, -1, x - 2 < 0 || x - 2 >= w)", "zero"));
  EXPECT_EQ(changes(S, Border::Unknown), 1u);
  EXPECT_NE(S.text().find("(int2)((x - 2), y)"), std::string::npos) << S.text();
  EXPECT_EQ(changes(Reads("x >= 2 ? x - 2 : -1", "zero")), 1u);
  EXPECT_EQ(changes(Reads("select(x - 2, -1, y < 0 || y >= h)", "zero")), 1u);
  // Near misses: blocks of a packed image, a column that is in the image.
  EXPECT_EQ(changes(Reads("select(x - 2, -1, x < 1 || x >= w)", "zero")), 0u);
  EXPECT_EQ(changes(Reads("select(x, 0, x < 0 || x >= w)", "zero")), 0u);
  EXPECT_EQ(changes(Reads("select(x, -1, n > 2)", "zero")), 0u);
}

} // namespace
} // namespace clmali::testing
