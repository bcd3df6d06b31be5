//===-- test/passes/ExchangeTest.cpp - Images that become buffers: hits and near misses ---===//

#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;
using model::ScalarKind;

model::LaunchFacts facts() {
  model::LaunchFacts F;
  F.SameExtents = {{"dst", 0, "src", true, "width(dst) == width(src)"},
                   {"dst", 1, "h", false, "height(dst) == h"}};
  F.StoredTexels["dst"] = {"dst", ScalarKind::UChar, 4, true};
  return F;
}

/// `kernel void k(src, dst, h)` of Body, which may use x, y, w and v.
Source images(const std::string &Body, const std::string &Dst = "write_only image2d_t") {
  return parse("constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
               "kernel void k(read_only image2d_t src, " +
               Dst +
               " dst, int h) {"
               " int x = get_global_id(0), y = get_global_id(1), w = get_image_width(dst);"
               " float4 v = read_imagef(src, edge, (int2)(x, y)); " +
               Body + " }");
}

unsigned changes(Source &S, const model::LaunchFacts &Facts) {
  normalize({S.module(), *S.New});
  return exchangeImages({S.module(), *S.New}, Facts, S.Needs);
}
unsigned changes(const std::string &Body, const model::LaunchFacts &Facts = facts()) {
  Source S = images(Body);
  return changes(S, Facts);
}

constexpr const char *Guarded = "if (x < w && y < h) write_imagef(dst, (int2)(x, y), v);";

TEST(Exchange, WritesInsideBecomeStores) {
  Source S = images(Guarded);
  ASSERT_EQ(changes(S, facts()), 1u);
  const std::string Text = S.text();
  EXPECT_NE(Text.find("convert_uchar4_sat_rte((v * (float4)255f))"), std::string::npos) << Text;
  EXPECT_NE(Text.find("global uchar4 *dst"), std::string::npos) << Text;
  EXPECT_EQ(S.Needs.AsBuffers, std::vector<std::string>{"dst"});
  EXPECT_EQ(S.Needs.When,
            (std::vector<std::string>{"height(dst) == h", "width(dst) == width(src)"}));
  EXPECT_EQ(S.Needs.IdsBelow, int64_t(1) << 31);
  EXPECT_EQ(S.Needs.Obligations.size(), 1u);
  EXPECT_EQ(changes("if (x >= get_image_width(dst) || y >= get_image_height(dst)) return;"
                    " if (v.x > 0.5f) write_imagef(dst, (int2)(x, y), v);"
                    " else write_imagef(dst, (int2)(x, y), -v);"),
            1u);
}

TEST(Exchange, TexelsAreStoredAsTheirFormatHasThem) {
  for (const auto &[Stored, Text] :
       {std::pair(model::StoredTexel{"dst", ScalarKind::Float, 1, false}, "= (v).s0"),
        std::pair(model::StoredTexel{"dst", ScalarKind::Float, 4, false}, "= v\n"),
        std::pair(model::StoredTexel{"dst", ScalarKind::UShort, 2, true},
                  "= convert_ushort2_sat_rte(((v).s01 * (float2)65535f))")}) {
    model::LaunchFacts F = facts();
    F.StoredTexels["dst"] = Stored;
    Source S = images(Guarded);
    ASSERT_EQ(changes(S, F), 1u);
    EXPECT_NE(S.text().find(Text), std::string::npos) << S.text();
  }
}

// Near misses: a write that may be outside, on one side.
TEST(Exchange, WritesThatMayBeOutsideStay) {
  for (const char *Body :
       {"write_imagef(dst, (int2)(x, y), v);", "if (x < w) write_imagef(dst, (int2)(x, y), v);",
        "if (x <= w && y < h) write_imagef(dst, (int2)(x, y), v);",
        "if (x < w && y < h) write_imagef(dst, (int2)(x + 1, y), v);",
        "if (x < w && y < h) write_imagef(dst, (int2)(x - 1, y), v);",
        "if (x < w || y < h) write_imagef(dst, (int2)(x, y), v);",
        "if (x < h && y < w) write_imagef(dst, (int2)(x, y), v);",
        "if (x < w && y < h) write_imagef(dst, (int2)(x, y), v);"
        " else write_imagef(dst, (int2)(x, y), -v);"})
    EXPECT_EQ(changes(Body), 0u) << Body;
}

// Near misses: no format, no other argument with the extents, other uses of the image.
TEST(Exchange, WhatIsNotKnownStays) {
  model::LaunchFacts F = facts();
  F.StoredTexels.clear();
  EXPECT_EQ(changes(Guarded, F), 0u);
  F = facts();
  F.SameExtents.erase(F.SameExtents.begin());
  EXPECT_EQ(changes(Guarded, F), 0u);
  EXPECT_EQ(changes(std::string("h += 1; ") + Guarded), 0u);
  EXPECT_EQ(changes(std::string("v.x += get_image_channel_order(dst); ") + Guarded), 0u);
  F = facts();
  F.StoredTexels["dst"] = {"dst", ScalarKind::UInt, 4, false};
  EXPECT_EQ(changes(Guarded, F), 0u); // write_imagef to integers
  Source Array = images("if (x < w && y < h) write_imagef(dst, (int4)(x, y, 0, 0), v);",
                        "write_only image2d_array_t");
  EXPECT_EQ(changes(Array, facts()), 0u);
  Source Both = images(Guarded, "read_write image2d_t");
  EXPECT_EQ(changes(Both, facts()), 0u);
}

} // namespace
} // namespace clmali::testing
