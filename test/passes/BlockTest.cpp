//===-- test/passes/BlockTest.cpp - several work-items become one ----------===//
//
// What a block loads: nothing that its work-items do not load.

#include "rewriters/blocking/Block.h"
#include "Kernels.h"
#include "checks/model/ir/Traversal.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

constexpr unsigned Items = 16;

/// `kernel void k(global const int *a, global const uchar *mask, global int *out, int flag, int n)`
/// of Text.
Source parseBody(const std::string &Text) {
  return parse("kernel void k(global const int *a, global const uchar *mask, global int *out,"
               " int flag, int n) { int i = get_global_id(0); " +
               Text + " }");
}

/// parseBody(Text) as a block of Lanes items, run for each value of flag. Where flag is 0, mask is
/// null.
void expectBlock(const std::string &Text, unsigned Lanes) {
  Source S = parseBody(Text);
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

// The sign changes between two items: the last lane's sum is tested only where it does not wrap.
TEST(Block, SignsOfWrappedProducts) {
  for (const char *Value :
       {"(int)((uint)i * 3572u + 2147480000u)", "(int)(2147490000u - (uint)i * 3572u)",
        "(int)((uint)i * 3572u + 4294960000u)", "(int)((uint)i * 1000003u)"})
    for (const char *Test : {"v < 0", "v >= 0", "v > -7000", "v - 5 <= -8", "0 > v", "v + 9 != 4"})
      for (unsigned Lanes : {2, 4})
        expectBlock("int v = " + std::string(Value) + "; if (" + Test +
                        ") out[i] = a[i] + 3; else out[i] = 3;",
                    Lanes);
}

TEST(Block, AtomicsWhoseOrderDoesNotCountAreJoined) {
  for (const char *Text : {
           "atomic_add(out, a[i]);",
           "atomic_xor(out, 5); atomic_xor(out + 1, a[i]);",
           "atomic_sub(out, 3); atomic_dec(&out[1]);",
           "atomic_or(out, 1 << (a[i] & 31)); atomic_and(out + 1, a[i]);",
           "if (a[i] > 2) atomic_inc(out);",
           "int v = a[i]; if (v > 2) { atomic_min(out, v); atomic_max(out + 1, v * 3); }",
           "if (a[i] > 2) atomic_max((global uint *)out, (uint)a[i]); else atomic_dec(out + 1);",
           "atomic_add(&out[a[i] & 3], 2);",
           "atomic_add(&out[i / 4], a[i]); atomic_inc(&out[i]);",
           "for (int k = 0; k < n; k += 5) atomic_xor(&out[k & 7], a[i] + k);",
           "int v = a[i]; if (i % 3 == 0) atomic_sub(&out[i], v);",
           "if (i == 3) atomic_add(out, a[i]);",
           "if (i < flag * 5) atomic_add(out, a[i]);",
           "for (int k = a[i] & 7; k > 0; --k) atomic_add(out + 2, k);",
       })
    for (unsigned Lanes : {2, 4, 16})
      expectBlock(Text, Lanes);
}
TEST(Block, AtomicsWhoseOrderCountsAreRefused) {
  for (const char *Text : {
           "out[1 + (atomic_inc(out) & 7)] = i;",
           "atomic_add(&out[a[i] & 3], 1); atomic_min(&out[1], a[i]);",
           "atomic_min(out, a[i]); atomic_min((global uint *)out, (uint)a[i]);",
           "if (out[0] < 3) atomic_inc(out);",
           "atomic_add(&out[a[i] & 3], 1); out[i] = 4;",
           "atomic_xchg(out, a[i]);",
       }) {
    Source S = parseBody(Text);
    normalize({S.module(), *S.New});
    EditedKernel Edited(S.module(), *S.New);
    BlockShape Shape;
    Shape.Lanes = 4;
    EXPECT_FALSE(block(S.module(), *S.New, *Edited.analysis(), Shape).K) << Text;
  }
}

TEST(Block, ABufferThatAllItemsReadAlikeIsNoMask) {
  for (unsigned Lanes : {2, 4})
    expectBlock("int v = a[i]; if (flag && mask[0] > 4) v += 7; out[i] = v;", Lanes);
}

/// `kernel void k(global int *img, global const int *a, int n)` of Text as a block of four items
/// along x, or of four groups of as many items as it has phases. The fast path stores vectors:
/// fewer stores than the items make.
void expectVectors(const std::string &Text, bool Vectors = true, unsigned Phases = 1) {
  Source S = parse("kernel void k(global int *img, global const int *a, int n) {"
                   " int i = get_global_id(0); " +
                   Text + " }");
  normalize({S.module(), *S.New});
  EditedKernel Edited(S.module(), *S.New);
  BlockShape Shape;
  Shape.Lanes = 4;
  Shape.Phases = phasesOf(*Edited.analysis());
  EXPECT_EQ(Shape.phases(), Phases) << Text;
  BlockOutcome Block = (Shape.phases() > 1 ? blockOfPhases : block)(
      S.module(), *S.New, *Edited.analysis(), Shape, nullptr);
  ASSERT_TRUE(Block.K) << Text;
  S.New = Block.K;
  const unsigned All = Items * Phases;
  Launch L;
  L.Global = {All, 1, 1};
  L.Buffers = {{"img", data<int>(4 * All, 1, -9, 9)}, {"a", data<int>(4 * All, 2, -9, 9)}};
  L.Scalars = {{"n", {double(All)}}};
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
TEST(Block, AChannelThatMayBeLoadedBehindItsStore) {
  expectVectors("if (i < n) { int r = img[4 * i] * 3; img[4 * i] = r;"
                " int g = img[4 * i + (n & 1)] * 3; img[4 * i + 1] = g;"
                " int b = img[4 * i + 2] * 3; img[4 * i + 2] = b; }",
                false);
}

TEST(Block, ItemsOfEachPhase) {
  expectVectors("img[i] = a[i + ((i & 1) == 0 ? 1 : 0)];", true, 2);
  expectVectors("int c = i & 3; if (c == 3) img[i] = a[i]; else img[i] = 7 - a[i] * 5;", true, 4);
  expectVectors("int c = i % 3; int f = c == 0 ? 2 : c == 1 ? 5 : 9; img[i] = a[i] * f;", true, 3);
  expectVectors("int p = i / 3, c = i - 3 * p; if (i < n) img[3 * p + c] = a[i] + c;", true, 3);
  expectVectors("uint u = i; if (u % 3 == 2) img[i] = a[i / 3]; else img[i] = 1;", true, 3);
  expectVectors("if (i < n - 5) { if (i % 2) img[i] = a[i - 1] + a[i + 1]; else img[i] = a[i]; }",
                true, 2);
}
// A remainder that is written as a difference decides branches, too.
TEST(Block, RemaindersAsDifferences) {
  for (const char *Rest : {"i - 3 * (i / 3)", "i - i / 3 * 3", "i % 3"}) {
    Source S = parse("kernel void k(global int *img, global const int *a, int n) {"
                     " int i = get_global_id(0), c = " +
                     std::string(Rest) +
                     "; int f; if (c == 0) f = 2; else f = c == 1 ? n : 9; img[i] = a[i] * f; }");
    normalize({S.module(), *S.New});
    EditedKernel Edited(S.module(), *S.New);
    BlockShape Shape;
    Shape.Lanes = 4;
    Shape.Phases = phasesOf(*Edited.analysis());
    ASSERT_EQ(Shape.phases(), 3u) << Rest;
    BlockOutcome Block = blockOfPhases(S.module(), *S.New, *Edited.analysis(), Shape, nullptr);
    ASSERT_TRUE(Block.K) << Rest;
    S.New = Block.K;
    for (const model::Stmt *X : model::stmts(S.New->Body))
      EXPECT_NE(X->K, model::StmtKind::If) << S.text();
  }
}
// Ids are divided by an int in 64 bits: 32 are enough, except where it is not positive.
TEST(Block, RowsOfSizeT) {
  for (int Width : {1, 4, 5, 16, 20, -4}) {
    Source S = parse("kernel void k(global int *img, global const int *a, int w) {"
                     " size_t i = get_global_id(0); size_t y = i / w, x = i % w;"
                     " img[i] = a[x & 15] * 3 + (int)(y & 7); }");
    normalize({S.module(), *S.New});
    EditedKernel Edited(S.module(), *S.New);
    BlockShape Shape;
    Shape.Lanes = 4;
    BlockOutcome Block = block(S.module(), *S.New, *Edited.analysis(), Shape);
    ASSERT_TRUE(Block.K);
    EXPECT_GT(Block.Needs.IdsBelow, 0); // which is what makes 32 bits enough
    S.New = Block.K;
    Launch L;
    L.Global = {40, 1, 1};
    L.Buffers = {{"img", data<int>(40, 1, -9, 9)}, {"a", data<int>(16, 2, -9, 9)}};
    L.Scalars = {{"w", {double(Width)}}};
    Launch OfBlock = L;
    OfBlock.Global[0] = 10;
    expectSame(S, L, OfBlock, true);
  }
}
TEST(Block, WhatIsNoPhase) {
  expectVectors("img[i] = a[i / 2];");                 // known for each lane
  expectVectors("img[i] = a[i % 5] + a[i];");          // too many
  expectVectors("img[i] = a[i] + (2 * i) % 2;");       // the same for all
  expectVectors("img[i] = a[i] % 3 == 0 ? a[i] : 7;"); // of data
  expectVectors("for (int k = 0; k < 3; ++k) if (k % 2) img[3 * i + k] = a[i];", false);
}

} // namespace
} // namespace clmali::testing
