//===-- test/passes/BlockTest.cpp - several work-items become one ----------===//
//
// What a block loads: nothing that its work-items do not load.

#include "rewriters/blocking/Block.h"
#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

constexpr unsigned Items = 16;

/// `kernel void k(global const int *a, global const uchar *mask, global int *out, int flag, int n)`
/// of Text as a block of Lanes items, run for each value of flag. Where flag is 0, mask is null.
void expectBlock(const std::string &Text, unsigned Lanes) {
  Source S = parse("kernel void k(global const int *a, global const uchar *mask, global int *out,"
                   " int flag, int n) { int i = get_global_id(0); " +
                   Text + " }");
  normalize({S.module(), *S.New});
  EditedKernel Edited(S.module(), *S.New);
  BlockShape Shape;
  Shape.Lanes = Lanes;
  BlockOutcome Block = block(S.module(), *S.New, *Edited.analysis(), Shape);
  ASSERT_TRUE(Block.K) << Text;
  S.New = Block.K;
  for (int Flag : {0, 1}) {
    Launch L;
    L.Global = {Items, 1, 1};
    L.Buffers = {{"a", data<int>(Items, 1, -9, 9)},
                 {"mask", data<uint8_t>(Flag ? Items : 0, 2, 0, 9)},
                 {"out", data<int>(Items, 3, 0, 1)}};
    L.Scalars = {{"flag", {double(Flag)}}, {"n", {double(Items)}}};
    Launch OfBlock = L;
    OfBlock.Global[0] = Items / Lanes;
    expectSame(S, L, OfBlock);
  }
}

TEST(Block, AnOptionalBufferIsReadOnlyWhereItIsThere) {
  for (unsigned Lanes : {2, 4, 16}) {
    expectBlock("int v = a[i]; if (flag && mask[i] > 4) v += 7; out[i] = v;", Lanes);
    expectBlock("int v = a[i]; if (!flag || mask[i] > 4) v += 7; out[i] = v;", Lanes);
    expectBlock("out[i] = a[i] + ((flag != 0 && mask[i] > 4) ? 7 : 1);", Lanes);
    expectBlock("out[i] = a[i] + (flag && mask[i]);", Lanes);
    expectBlock("out[i] = a[i] + (flag ? mask[i] : 1);", Lanes);
    expectBlock("bool use = flag > 0; int v = a[i]; if (i < n && use && mask[i] > 4) v = 1;"
                " out[i] = v;",
                Lanes);
    expectBlock("int v = 0; for (int k = 0; k < 3; ++k) if (flag && mask[i] > k) v += a[i];"
                " out[i] = v;",
                Lanes);
  }
}
TEST(Block, ABufferThatAllItemsReadAlikeIsNoMask) {
  for (unsigned Lanes : {2, 4})
    expectBlock("int v = a[i]; if (flag && mask[0] > 4) v += 7; out[i] = v;", Lanes);
}

/// `kernel void k(global int *img, global const int *a, int n)` of Text as a block of four items
/// along x, whose fast path stores vectors: fewer stores than the items make.
void expectVectors(const std::string &Text, bool Vectors = true) {
  Source S = parse("kernel void k(global int *img, global const int *a, int n) {"
                   " int i = get_global_id(0); " +
                   Text + " }");
  normalize({S.module(), *S.New});
  EditedKernel Edited(S.module(), *S.New);
  BlockShape Shape;
  Shape.Lanes = 4;
  BlockOutcome Block = block(S.module(), *S.New, *Edited.analysis(), Shape);
  ASSERT_TRUE(Block.K) << Text;
  S.New = Block.K;
  Launch L;
  L.Global = {Items, 1, 1};
  L.Buffers = {{"img", data<int>(4 * Items, 1, -9, 9)}, {"a", data<int>(4 * Items, 2, -9, 9)}};
  L.Scalars = {{"n", {double(Items)}}};
  Launch OfBlock = L;
  OfBlock.Global[0] = Items / Shape.Lanes;
  Both Ran = expectSame(S, L, OfBlock, true);
  EXPECT_EQ(Ran.New.Stores < Ran.Old.Stores, Vectors) << S.text();
}

TEST(Block, ChannelsThatAreLoadedBetweenTheirStores) {
  expectVectors("if (i < n) { int r = img[4 * i] * 3; img[4 * i] = r;"
                " int g = img[4 * i + 1] * 3; img[4 * i + 1] = g;"
                " int b = img[4 * i + 2] * 3; img[4 * i + 2] = b; }");
  expectVectors(
      "int b = a[3 * i + 2]; img[3 * i + 2] = b; int g = a[3 * i + 1]; img[3 * i + 1] = g;"
      " int r = a[3 * i]; img[3 * i] = r;");
}
TEST(Block, AChannelThatIsLoadedAgainBehindItsStore) {
  expectVectors("if (i < n) { int r = img[4 * i] * 3; img[4 * i] = r;"
                " int g = img[4 * i] * 3; img[4 * i + 1] = g;"
                " int b = img[4 * i + 2] * 3; img[4 * i + 2] = b; }",
                false);
}

// Phases of ids differ in every block, so no fast path assumes one of them.
TEST(Block, NoFastPathAssumesWhatNoBlockHas) {
  expectVectors("img[i] = a[i + ((i & 1) == 0 ? 1 : 0)];");
  expectVectors("int c = i & 3; if (c == 3) img[i] = a[i]; else img[i] = 7 - a[i] * 5;", false);
}

} // namespace
} // namespace clmali::testing
