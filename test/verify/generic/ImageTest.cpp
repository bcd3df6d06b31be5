// Images: windows that share reads, borders, staged rows. Right forms are proved for every size.
#include "GenericTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;
using Reason = GenericProof::Reason;

namespace {

const char *const Samplers = R"(
#define SAMPLER(name, how) \
  __constant sampler_t name = CLK_NORMALIZED_COORDS_FALSE | how
SAMPLER(edge, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST);
SAMPLER(border, CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST);
SAMPLER(none, CLK_ADDRESS_NONE | CLK_FILTER_NEAREST);
SAMPLER(linear, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR);
)";

std::string argsOf(const char *Format) {
  return everywhere("  - { name: a, image: in, format: FORMAT, size: [ \"w\", \"h\" ] }\n"
                    "  - { name: b, image: out, format: FORMAT, size: [ \"w\", \"h\" ] }\n",
                    "FORMAT", Format);
}

std::string kernel(const char *Name, const std::string &Body, const char *More = "") {
  return std::string("__kernel void ") + Name +
         "(__read_only image2d_t a, __write_only image2d_t b" + More +
         ") {\n  int x = get_global_id(0), y = get_global_id(1);\n" + Body + "}\n";
}

/// One pixel for each work-item, and a block of them.
Case blocks(const std::string &One, const std::string &Block, unsigned Columns, unsigned Rows,
            const char *Format = "rgba-unorm8") {
  Case C;
  C.Original = Samplers + kernel("k", One);
  C.Rewritten = kernel("k_v", Block);
  C.Args = argsOf(Format);
  C.Global = "\"w\", \"h\"";
  C.Sizes = "{ w: 40, h: 24 }";
  C.Launches = blocksOf(Columns, Rows);
  return C;
}

const char *const Box = R"(
  float4 sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += read_imagef(a, edge, (int2)(x + i, y + j));
  write_imagef(b, (int2)(x, y), sum / 9.0f);
)";

/// 2 x 2 pixels, a window of 4 x 4 texels, in the order of the original sums.
const char *const BoxOfFour = R"(
  x *= 2; y *= 2;
  float4 v[4][4], s[2][2];
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      v[j][i] = read_imagef(a, edge, (int2)(x + i - 1, y + j - 1));
  for (int q = 0; q < 2; ++q)
    for (int p = 0; p < 2; ++p) {
      float4 sum = 0;
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          sum += v[q + j][p + i];
      s[q][p] = sum / 9.0f;
    }
  write_imagef(b, (int2)(x, y), s[0][0]);
  write_imagef(b, (int2)(x + 1, y), s[0][1]);
  write_imagef(b, (int2)(x, y + 1), s[1][0]);
  write_imagef(b, (int2)(x + 1, y + 1), s[1][1]);
)";

TEST(GenericImage, BlocksOfABox) {
  expectProved(blocks(Box, BoxOfFour, 2, 2));
  expectProved(blocks(Box, BoxOfFour, 2, 2, "r-float"));
  expectReason(blocks(Box, replaced(BoxOfFour, "v[q + j][p + i]", "v[q + i][p + j]"), 2, 2),
               {Reason::ValueDiffers, Reason::SolverGaveUp});
  expectReason(blocks(Box, replaced(BoxOfFour, "a, edge", "a, border"), 2, 2),
               {Reason::ValueDiffers, Reason::SolverGaveUp});
  expectReason(blocks(Box, replaced(BoxOfFour, "(x + 1, y + 1)", "(x + 2, y + 1)"), 2, 2),
               {Reason::StoreDiffers, Reason::NewAccess});
}

TEST(GenericImage, GuardsOfPixels) {
  const std::string Guard = "  if (x >= get_image_width(b) || y >= get_image_height(b)) return;\n";
  const std::string Guards = replaced(
      replaced(replaced(replaced(BoxOfFour, "  write_imagef(b, (int2)(x, y),",
                                 "  int2 d = get_image_dim(b);\n"
                                 "  if (x < d.x && y < d.y) write_imagef(b, (int2)(x, y),"),
                        "  write_imagef(b, (int2)(x + 1, y),",
                        "  if (x + 1 < d.x && y < d.y) write_imagef(b, (int2)(x + 1, y),"),
               "  write_imagef(b, (int2)(x, y + 1)",
               "  if (x < d.x && y + 1 < d.y) write_imagef(b, (int2)(x, y + 1)"),
      "  write_imagef(b, (int2)(x + 1, y + 1)",
      "  if (x + 1 < d.x && y + 1 < d.y) write_imagef(b, (int2)(x + 1, y + 1)");
  Case C = blocks(Guard + Box, Guards, 2, 2);
  C.Global = "\"roundup(w, 8)\", \"roundup(h, 8)\"";
  expectProved(C);
  C.Rewritten = replaced(C.Rewritten, "x + 1 < d.x && y + 1", "x + 1 < d.x && y");
  expectReason(C, {Reason::NewAccess, Reason::StoreDiffers});
}

const char *const Fade = R"(
  float4 p = read_imagef(a, none, (int2)(x, y));
  write_imagef(b, (int2)(x, y), p * f + (1.0f - f));
)";

Case fade(const std::string &Block) {
  Case C = blocks(Fade, Block, 4, 1);
  C.Original = Samplers + kernel("k", Fade, ", float f");
  C.Rewritten = kernel("k_v", Block, ", float f");
  C.Args += "  - { name: f, value: \"0.25\" }\n";
  return C;
}

TEST(GenericImage, Fade) {
  const std::string Block = R"(
  x *= 4;
  for (int i = 0; i < 4; ++i) {
    float4 p = read_imagef(a, none, (int2)(x + i, y));
    write_imagef(b, (int2)(x + i, y), p * f + (1.0f - f));
  }
)";
  expectProved(fade(Block));
  expectProved(fade(replaced(Block, "a, none, (int2)(x + i, y)", "a, (int2)(x + i, y)")));
  expectProved(fade(replaced(Block, "(int2)(x + i, y));", "(float2)(x + i, y));")));
  expectReason(fade(replaced(Block, "x + i, y)", "x + i + 1, y)")),
               {Reason::ValueDiffers, Reason::NewAccess});
}

const char *const Convolution = R"(
  float4 sum = 0;
  int r = n / 2;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      sum += read_imagef(a, edge, (int2)(x + i - r, y + j - r)) * c[j * n + i];
  write_imagef(b, (int2)(x, y), sum);
)";

Case convolution(const std::string &Block, const char *Columns = "4") {
  Case C = blocks(Convolution, Block, unsigned(std::stoul(Columns)), 1);
  const char *const More = ", __global const float *c, int n";
  C.Original = Samplers + kernel("k", Convolution, More);
  C.Rewritten = kernel("k_v", Block, More);
  C.Args += "  - { name: c, buffer: in, count: \"n * n\" }\n  - { name: n, value: \"n\" }\n";
  C.Sizes = "{ w: 40, h: 24, n: 5 }";
  return C;
}

TEST(GenericImage, ConvolutionOfAnySize) {
  expectProved(convolution(R"(
  x *= 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int r = n / 2;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      float w = c[j * n + i];
      s0 += read_imagef(a, edge, (int2)(x + i - r, y + j - r)) * w;
      s1 += read_imagef(a, edge, (int2)(x + i - r + 1, y + j - r)) * w;
      s2 += read_imagef(a, edge, (int2)(x + i - r + 2, y + j - r)) * w;
      s3 += read_imagef(a, edge, (int2)(x + i - r + 3, y + j - r)) * w;
    }
  write_imagef(b, (int2)(x, y), s0);
  write_imagef(b, (int2)(x + 1, y), s1);
  write_imagef(b, (int2)(x + 2, y), s2);
  write_imagef(b, (int2)(x + 3, y), s3);
)"));
}

/// The window moves through v0 to v3: each iteration reads one column.
const char *const Sliding = R"(
  x *= 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int r = n / 2;
  for (int j = 0; j < n; ++j) {
    float4 v0 = read_imagef(a, edge, (int2)(x - r, y + j - r));
    float4 v1 = read_imagef(a, edge, (int2)(x - r + 1, y + j - r));
    float4 v2 = read_imagef(a, edge, (int2)(x - r + 2, y + j - r)), v3;
    for (int i = 0; i < n; ++i) {
      float w = c[j * n + i];
      v3 = read_imagef(a, edge, (int2)(x + i - r + 3, y + j - r));
      s0 += v0 * w; s1 += v1 * w; s2 += v2 * w; s3 += v3 * w;
      v0 = v1; v1 = v2; v2 = v3;
    }
  }
  write_imagef(b, (int2)(x, y), s0);
  write_imagef(b, (int2)(x + 1, y), s1);
  write_imagef(b, (int2)(x + 2, y), s2);
  write_imagef(b, (int2)(x + 3, y), s3);
)";

TEST(GenericImage, ConvolutionThatSlides) {
  expectProved(convolution(Sliding));
  // The window moves by two, begins one texel to the left, and forgets a value.
  expectReason(convolution(replaced(Sliding, "v0 = v1; v1 = v2;", "v0 = v1; v1 = v3;")),
               {Reason::ValueDiffers});
  expectReason(convolution(replaced(Sliding, "(int2)(x - r, ", "(int2)(x - r - 1, ")),
               {Reason::ValueDiffers});
  expectReason(convolution(replaced(Sliding, "v2 = v3;", "if (j != 3) v2 = v3;")),
               {Reason::ValueDiffers});
}

TEST(GenericImage, CoordinatesAsVectors) {
  // Sums of vectors may wrap; the sizes say that they do not.
  const std::string Vectors = replaced(Convolution, "(int2)(x + i - r, y + j - r)",
                                       "(int2)(x, y) + (int2)(i, j) - (int2)(r, r)");
  Case C = convolution(Sliding);
  C.Original = replaced(C.Original, Convolution, Vectors);
  C.More = "require: [ \"n <= 9\" ]\n";
  expectProved(C);
  C.Original = replaced(C.Original, "(int2)(r, r)", "(int2)(r, r + 1)");
  expectReason(C, {Reason::ValueDiffers});
}

TEST(GenericImage, StagedRows) {
  const std::string Staged = R"(
  __local float4 row[16 + 4];
  int l = get_local_id(0), first = get_group_id(0) * 16;
  for (int i = l; i < 20; i += 16)
    row[i] = read_imagef(a, edge, (int2)(first + i - 2, y));
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 s = 0;
  for (int i = 0; i < 5; ++i) s += row[l + i];
  if (x < get_image_width(b)) write_imagef(b, (int2)(x, y), s * 0.2f);
)";
  const std::string Direct = R"(
  float4 s = 0;
  for (int i = 0; i < 5; ++i) s += read_imagef(a, edge, (int2)(x + i - 2, y));
  if (x < get_image_width(b)) write_imagef(b, (int2)(x, y), s * 0.2f);
)";
  const std::string Four = R"(
  x *= 4;
  float4 v[8], s[4];
  for (int i = 0; i < 8; ++i) v[i] = read_imagef(a, edge, (int2)(x + i - 2, y));
  for (int p = 0; p < 4; ++p) {
    s[p] = 0;
    for (int i = 0; i < 5; ++i) s[p] += v[p + i];
    if (x + p < get_image_width(b)) write_imagef(b, (int2)(x + p, y), s[p] * 0.2f);
  }
)";
  Case C = blocks(Staged, Direct, 1, 1);
  C.Global = "\"roundup(w, 16)\", \"h\"";
  C.More = "local: [ 16, 1 ]\n";
  C.Launches = "{\"kernel\": \"k_v\", \"global\": [\"gx\", \"gy\"], \"local\": null}";
  expectProved(C);
  C.Rewritten = kernel("k_v", Four);
  C.Launches = R"({"kernel": "k_v", "when": "gx < 2147483648 && gy < 2147483648",
                   "global": ["gx / 4", "gy"], "local": null},
                  {"kernel": "k", "when": "gx >= 2147483648 || gy >= 2147483648",
                   "global": ["gx", "gy"], "local": ["lx", "ly"]})";
  expectProved(C);
}

TEST(GenericImage, HalfBlocksAtTheEnd) {
  const std::string Two = R"(
  x *= 2;
  float4 v[3][4], s[2];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i)
      v[j][i] = read_imagef(a, edge, (int2)(x + i - 1, y + j - 1));
  for (int p = 0; p < 2; ++p) {
    s[p] = 0;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        s[p] += v[j][p + i];
  }
  write_imagef(b, (int2)(x, y), s[0] / 9.0f);
  if (x + 1 < get_image_width(b))
    write_imagef(b, (int2)(x + 1, y), s[1] / 9.0f);
)";
  Case C = blocks(Box, Two, 2, 1);
  C.Launches =
      R"({"kernel": "k_v", "when": "gx + ox < 2147483648 && gy + oy < 2147483648 && ox == 0",
                   "global": ["(gx + 1) / 2", "gy"], "local": null, "offset": ["0", "oy"]},
                  {"kernel": "k",
                   "when": "gx + ox >= 2147483648 || gy + oy >= 2147483648 || ox != 0",
                   "global": ["gx", "gy"], "local": null, "offset": ["ox", "oy"]})";
  expectProved(C);
  // Without offsets in the manifest there is none in the launch.
  Case Short = C;
  Short.Launches = R"({"kernel": "k_v", "when": "gx < 2147483648 && gy < 2147483648",
                       "global": ["(gx + 1) / 2", "gy"]},
                      {"kernel": "k", "when": "gx >= 2147483648 || gy >= 2147483648",
                       "global": ["gx", "gy"]})";
  const GenericProof P = Short.prove();
  EXPECT_TRUE(P.proved());
  EXPECT_EQ(P.Require, std::vector<std::string>{"ox == 0 && oy == 0"});
  // The guard is that of another image, of the same width.
  C.Rewritten = replaced(C.Rewritten, "get_image_width(b)", "get_image_width(a)");
  expectProved(C);
  C.Rewritten = replaced(C.Rewritten, "x + 1 < get_image_width(a)", "x < get_image_width(a)");
  expectReason(C, {Reason::NewAccess});
  C.Rewritten = replaced(C.Rewritten, "x < get_image_width(a)", "x + 2 < get_image_width(a)");
  expectReason(C, {Reason::StoreDiffers});
}

/// One pixel against one pixel of a copy of \p a, shifted; a sampler is the third argument.
Case shifted(const std::string &One, const std::string &Other, const char *Format,
             const char *Address = "clamp-to-edge") {
  Case C = blocks(One, Other, 1, 1, Format);
  C.Original = Samplers + kernel("k", One, ", sampler_t s");
  C.Rewritten = kernel("k_v", Other, ", sampler_t s");
  C.Args += std::string("  - { name: s, sampler: { coords: pixels, address: ") + Address +
            ", filter: nearest } }\n";
  C.Launches = R"({"kernel": "k_v", "global": ["gx", "gy"]})";
  return C;
}

TEST(GenericImage, BordersAndSamplers) {
  const std::string Read =
      "  write_imagef(b, (int2)(x, y), read_imagef(a, s, (int2)(x - 1, y)));\n";
  const std::string Constant = replaced(Read, "a, s", "a, border");
  expectProved(shifted(Read, Constant, "rgba-unorm8", "clamp"));
  expectReason(shifted(Read, Constant, "rgba-unorm8"), {Reason::ValueDiffers});
  expectReason(shifted(Read, replaced(Read, "a, s", "a, none"), "rgba-unorm8"),
               {Reason::NewAccess});
  // By hand: the order of the channels decides what the fourth component is outside.
  const std::string Hand = R"(
  float4 v = x > 0 ? read_imagef(a, edge, (int2)(x - 1, y)) : (float4)(0);
  write_imagef(b, (int2)(x, y), v);
)";
  const std::string HandW = replaced(Hand, "(x, y), v)", "(x, y), v.wwww)");
  const std::string ConstantW = replaced(Constant, "(x - 1, y)));", "(x - 1, y)).wwww);");
  expectProved(shifted(Hand, Constant, "rgba-unorm8"));
  expectProved(shifted(HandW, ConstantW, "rgba-unorm8"));
  expectProved(shifted(Hand, Constant, "r-float"));
  expectReason(shifted(HandW, ConstantW, "r-float"), {Reason::ValueDiffers});
}

TEST(GenericImage, IntegersAndVolumes) {
  const std::string Args =
      "  - { name: a, image: in, format: r-sint16, size: [ \"w\", \"h\", \"d\" ] }\n"
      "  - { name: b, image: out, format: r-sint8, size: [ \"w\", \"h\" ] }\n";
  auto volume = [](const char *Name, const std::string &Type, const std::string &Layer) {
    return std::string(Samplers) + "__kernel void " + Name + "(__read_only " + Type +
           " a, __write_only image2d_t b) {\n"
           "  int x = get_global_id(0), y = get_global_id(1);\n"
           "  int4 v = read_imagei(a, edge, (int4)(x, y, " +
           Layer +
           ", 0));\n"
           "  write_imagei(b, (int2)(x, y), v + 1);\n}\n";
  };
  for (const char *Type : {"image3d_t", "image2d_array_t"}) {
    Case C = blocks("", "", 1, 1);
    C.Args = Args;
    C.Sizes = "{ w: 8, h: 6, d: 3 }";
    C.Launches = R"({"kernel": "k_v", "global": ["gx", "gy"]})";
    C.Original = volume("k", Type, "x - 1");
    C.Rewritten = replaced(volume("k_v", Type, "max(x - 1, 0)"), Samplers, "");
    C.Rewritten = replaced(C.Rewritten, "v + 1", "clamp(v + 1, -128, 127)");
    expectProved(C);
    C.Rewritten = replaced(C.Rewritten, "max(x - 1, 0)", "max(x - 1, 1)");
    expectReason(C, {Reason::ValueDiffers});
  }
}

TEST(GenericImage, NotModelled) {
  Case C;
  C.Options = "-cl-std=CL2.0";
  C.Args = "  - { name: a, image: inout, format: rgba-uint8, size: [ \"n\" ] }\n";
  C.Original = "__kernel void k(__read_write image1d_t a) {\n"
               "  int x = get_global_id(0);\n"
               "  write_imageui(a, x, read_imageui(a, x) + 1u);\n}\n";
  C.Rewritten = replaced(replaced(C.Original, "void k", "void k_v"), "+ 1u", "+ 2u - 1u");
  C.Launches = R"({"kernel": "k_v", "global": ["gx"]})";
  expectReason(C, {Reason::Images});
  // A format that the built-in does not read.
  C = shifted("  write_imagef(b, (int2)(x, y), read_imagef(a, s, (int2)(x, y)));\n",
              "  write_imagef(b, (int2)(x, y), read_imagef(a, s, (int2)(x, y)) + 0.0f);\n",
              "rgba-uint8");
  expectReason(C, {Reason::Images});
}

} // namespace
