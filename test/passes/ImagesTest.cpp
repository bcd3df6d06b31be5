//===-- test/passes/ImagesTest.cpp - Kernels with images: hits and near misses ---===//

#include "Kernels.h"
#include "rewriters/blocking/Block.h"
#include "rewriters/pass/LaunchUse.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

constexpr int64_t Width = 16, Height = 6;

/// `kernel void k(src, other, dst)` of Body, which may use x, y and the samplers edge and zero.
Source images(const std::string &Body, const std::string &Dst = "write_only") {
  return parse("constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE, zero = CLK_ADDRESS_CLAMP;\n"
               "kernel void k(read_only image2d_t src, read_only image2d_t other, " +
               Dst + " image2d_t dst) { int x = get_global_id(0), y = get_global_id(1); " + Body +
               " }");
}

Launch whole() {
  Launch L;
  L.Global = {uint64_t(Width), uint64_t(Height), 1};
  L.Local = {8, 1, 1};
  uint64_t Seed = 1;
  for (const char *Name : {"src", "other", "dst"}) {
    L.Images[Name] = {Width, Height, 1};
    L.Buffers[Name] = data<float>(4 * Width * Height, Seed++, -8, 8);
  }
  return L;
}

/// S's kernel as a block of Columns x Rows.
BlockOutcome blockOf(Source &S, unsigned Columns, unsigned Rows) {
  normalize({S.module(), *S.New});
  EditedKernel Edited(S.module(), *S.New);
  BlockShape Shape;
  Shape.LaneDim = 3;
  Shape.Rows = {Columns, Rows, 1};
  return block(S.module(), *S.New, *Edited.analysis(), Shape);
}

/// The reads of images of a block, for one that the original makes: it does the same.
double expectBlock(const std::string &Body, unsigned Columns, unsigned Rows) {
  Source S = images(Body);
  BlockOutcome Block = blockOf(S, Columns, Rows);
  EXPECT_TRUE(Block.K) << Body << (Block.Refusals.empty() ? "" : Block.Refusals[0].Detail);
  if (!Block.K)
    return 0;
  S.New = Block.K;
  Launch L = whole(), OfBlock = L;
  OfBlock.Global = {uint64_t(Width) / Columns, uint64_t(Height) / Rows, 1};
  OfBlock.Local = {1, 1, 1};
  Both R = expectSame(S, L, OfBlock);
  EXPECT_EQ(R.New.Wrong + R.New.Unknown, "") << S.text();
  return double(R.New.Loads) / double(R.Old.Loads);
}

void expectRefused(Source &S, Refusal Why) {
  BlockOutcome Block = blockOf(S, 2, 2);
  EXPECT_FALSE(Block.K);
  EXPECT_TRUE(llvm::any_of(Block.Refusals, [&](const RefusalAt &R) { return R.Why == Why; }))
      << (Block.Refusals.empty() ? "" : Block.Refusals[0].Detail);
}

TEST(Images, OverlappingWindowsAreReadOnce) {
  const std::string Three =
      "write_imagef(dst, (int2)(x, y), read_imagef(src, edge, (int2)(x - 1, y))"
      " + read_imagef(src, edge, (int2)(x, y))"
      " - read_imagef(src, edge, (int2)(x + 1, y)));";
  EXPECT_DOUBLE_EQ(expectBlock(Three, 2, 1), 4.0 / 6);
  EXPECT_DOUBLE_EQ(expectBlock(Three, 4, 1), 6.0 / 12);
  EXPECT_DOUBLE_EQ(expectBlock(Three, 1, 2), 1);
  EXPECT_DOUBLE_EQ(expectBlock("int2 at = (int2)(x, y); write_imagef(dst, at,"
                               " read_imagef(src, edge, at + (int2)(0, 1))"
                               " * read_imagef(src, edge, at));",
                               2, 2),
                   6.0 / 8);
}

TEST(Images, GuardsBoundEachWork) {
  EXPECT_LT(expectBlock("if (x >= get_image_width(dst) - 1 || y >= get_image_height(dst) - 1)"
                        " return; write_imagef(dst, (int2)(x, y),"
                        " read_imagef(src, zero, (int2)(x - 1, y))"
                        " + read_imagef(src, zero, (int2)(x, y)));",
                        2, 2),
            1);
}

// Near misses: another sampler, another image, another coordinate.
TEST(Images, OtherTexelsAreNotShared) {
  auto Two = [](const char *First, const char *Second) {
    return "write_imagef(dst, (int2)(x, y), read_imagef(" + std::string(First) +
           ") + read_imagef(" + Second + "));";
  };
  EXPECT_DOUBLE_EQ(expectBlock(Two("src, edge, (int2)(x, y)", "src, zero, (int2)(x + 1, y)"), 2, 1),
                   1);
  EXPECT_DOUBLE_EQ(
      expectBlock(Two("src, edge, (int2)(x, y)", "other, edge, (int2)(x + 1, y)"), 2, 1), 1);
  EXPECT_DOUBLE_EQ(
      expectBlock(Two("src, edge, (int2)(x, y)", "src, edge, (int2)(x + 1, y + 1)"), 2, 1), 1);
  EXPECT_DOUBLE_EQ(
      expectBlock(Two("src, edge, (int2)(2 * x, y)", "src, edge, (int2)(2 * x + 1, y)"), 2, 1), 1);
}

// A loop changes the coordinates: what the iteration before has read is another texel.
TEST(Images, IterationsReadTheirOwnTexels) {
  const std::string Loop = "float4 sum = 0.0f; for (int i = 0; i < 3; ++i)"
                           " sum += read_imagef(src, edge, (int2)(x + i, y))"
                           " * read_imagef(src, edge, (int2)(x + i + 1, y));"
                           " write_imagef(dst, (int2)(x, y), sum);";
  EXPECT_DOUBLE_EQ(expectBlock(Loop, 2, 1), 9.0 / 12);
}

TEST(Images, TexelsThatSeveralItemsWriteAreRefused) {
  Source S = images("write_imagef(dst, (int2)(x, 0), read_imagef(src, edge, (int2)(x, y)));");
  expectRefused(S, Refusal::CrossItemDependence);
}

TEST(Images, TexelsThatNeighboursMayWriteAreRefused) {
  for (const char *At : {"x / 2, y", "x & ~1, y", "x % 8, y", "min(x, 7), y", "x % 2, x / 4 + y",
                         "x % 4 + x / 4, y", "x >> 1, y"}) {
    Source S = images("write_imagef(dst, (int2)(" + std::string(At) +
                      "), read_imagef(src, edge, (int2)(x, y)));");
    SCOPED_TRACE(At);
    expectRefused(S, Refusal::CrossItemDependence);
  }
  Source S = images("float4 v = read_imagef(src, edge, (int2)(x, y));"
                    " write_imagef(dst, (int2)(x, y), v); write_imagef(dst, (int2)(x + 1, y), v);");
  expectRefused(S, Refusal::CrossItemDependence);
}

// Near misses: each item has a texel of its own, which the addresses or the pair of quotient and
// remainder show.
TEST(Images, TexelsOfOneItemEach) {
  for (const char *At : {"2 * x + 1, y", "Width - 1 - x, y", "y, x", "x % w, x / w", "x / w, x % w",
                         "x - x / w * w, x / w + 2", "x ^ 0, y"}) {
    const bool HasRows = std::string(At).find('y') != std::string::npos;
    Source S = parse("constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE;\n"
                     "kernel void k(read_only image2d_t src, write_only image2d_t dst, int w) {"
                     " int x = get_global_id(0), y = " +
                     std::string(HasRows ? "get_global_id(1)" : "0") +
                     ", Width = 16; write_imagef(dst, (int2)(" + std::string(At) +
                     "), read_imagef(src, edge, (int2)(x, y)));}");
    EXPECT_TRUE(blockOf(S, 2, 1).K) << At;
  }
}

TEST(Images, TexelsThatDataChooseAreRefused) {
  Source S = images("int to = convert_int(read_imagef(src, edge, (int2)(x, y)).x);"
                    " write_imagef(dst, (int2)(to, y), (float4)(1.0f));");
  expectRefused(S, Refusal::DataDependentStore);
}

TEST(Images, ImagesThatAreReadAndWrittenAreRefused) {
  Source S = images("write_imagef(dst, (int2)(x, y), 2.0f * read_imagef(dst, (int2)(x, y)));",
                    "read_write");
  expectRefused(S, Refusal::OpaqueConstruct);
}

/// A row in local memory, with a texel more on both sides, read by sampler Halo.
Source stagedRow(const std::string &Halo) {
  return images("int l = get_local_id(0); local float4 row[10];"
                " row[l + 1] = read_imagef(src, edge, (int2)(x, y));"
                " if (l < 1) { row[l] = read_imagef(src, " +
                Halo + ", (int2)(x - 1, y)); row[l + 9] = read_imagef(src, " + Halo +
                ", (int2)(x + 8, y)); } barrier(CLK_LOCAL_MEM_FENCE);"
                " write_imagef(dst, (int2)(x, y), row[l] + row[l + 1] - row[l + 2]);");
}

unsigned applyDelocalize(Source &S) {
  fixLaunch(S.module(), *S.New, {8, 1, 1}, llvm::DenseMap<const model::Var *, int64_t>());
  S.New->ReqdWorkGroupSize = S.Old->ReqdWorkGroupSize = {8, 1, 1};
  normalize({S.module(), *S.New});
  return delocalize({S.module(), *S.New}, S.Refusals, &S.Needs);
}

TEST(Images, CopiesInLocalMemoryGo) {
  Source S = stagedRow("edge");
  ASSERT_EQ(applyDelocalize(S), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_EQ(S.text().find("barrier"), std::string::npos) << S.text();
  Both R = expectSame(S, whole());
  EXPECT_EQ(R.New.LocalAccesses, 0u) << S.text();
  EXPECT_EQ(R.New.Wrong + R.New.Unknown, "") << S.text();
}

// The halo has another border: each texel keeps its sampler.
TEST(Images, CopiesByTwoSamplersKeepThem) {
  Source S = stagedRow("zero");
  ASSERT_EQ(applyDelocalize(S), 1u) << (S.Refusals.empty() ? "" : S.Refusals[0].Detail);
  EXPECT_NE(S.text().find("zero"), std::string::npos) << S.text();
  expectSame(S, whole());
}

} // namespace
} // namespace clmali::testing
