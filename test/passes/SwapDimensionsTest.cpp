//===-- test/passes/SwapDimensionsTest.cpp - swapped ids --------------------===//

#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

/// Runs the original on L and the swapped kernel on L with dimensions 0 and 1 exchanged.
void expectSwapped(Source &S, Launch L) {
  swapDimensions(S.module(), *S.New, 0, 1);
  Launch T = L;
  for (auto *Size : {&T.Global, &T.Local, &T.Offset})
    std::swap((*Size)[0], (*Size)[1]);
  Outcome Old = run(*S.Old, L), New = run(*S.New, T);
  EXPECT_EQ(Old.Unknown + Old.Wrong + New.Unknown + New.Wrong, "");
  for (auto &[Name, Bytes] : Old.Buffers)
    EXPECT_TRUE(Bytes == New.Buffers[Name]) << Name << " differs\n" << S.text();
  EXPECT_TRUE(Old.Reads == New.Reads);
  // Twice is not at all.
  swapDimensions(S.module(), *S.New, 0, 1);
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

Launch plane(uint64_t W, uint64_t H) {
  Launch L;
  L.Global = {H, W, 1};
  L.Local = {4, 8, 1};
  L.Buffers = {{"a", data<int>(W * H, 1, -99, 99)}, {"o", data<int>(W * H, 2, 0, 1)}};
  L.Scalars = {{"w", {double(W)}}};
  return L;
}

Source kernel(const std::string &Body) {
  return parse("kernel void k(global const int *restrict a, global int *restrict o, int w) {" +
               Body + "}");
}

TEST(SwapDimensions, Ids) {
  Source S = kernel(
      "int y = get_global_id(0), x = get_global_id(1); o[y * w + x] = a[y * w + x] * 3 + y;");
  expectSwapped(S, plane(16, 8));
}

TEST(SwapDimensions, SizesAndOffsets) {
  Source S = kernel("int y = get_global_id(0) - get_global_offset(0), x = get_global_id(1); o[y * "
                    "w + x] = a[y * w + x]"
                    " + (int)get_global_size(0) * 1000 + (int)get_global_size(1) * 7 + "
                    "(int)get_global_offset(1);");
  Launch L = plane(16, 8);
  L.Offset = {3, 0, 0};
  expectSwapped(S, L);
}

TEST(SwapDimensions, Groups) {
  Source S = kernel("int y = get_group_id(0) * get_local_size(0) + get_local_id(0), x = "
                    "get_group_id(1) * get_local_size(1)"
                    " + get_local_id(1); o[y * w + x] = a[y * w + x] + (int)get_num_groups(0) * "
                    "100 + (int)get_num_groups(1);");
  expectSwapped(S, plane(16, 8));
}

TEST(SwapDimensions, LocalMemory) {
  Source S = kernel("local int t[4][8]; int y = get_global_id(0), x = get_global_id(1);"
                    " t[get_local_id(0)][get_local_id(1)] = a[y * w + x]; barrier(1);"
                    " o[y * w + x] = t[3 - get_local_id(0)][7 - get_local_id(1)];");
  expectSwapped(S, plane(16, 8));
}

TEST(SwapDimensions, RequiredSizeGoesAlong) {
  Source S = parse("kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k(global int *o)"
                   " { o[get_global_id(0) * 8 + get_global_id(1)] = 1; }");
  swapDimensions(S.module(), *S.New, 0, 1);
  ASSERT_TRUE(S.New->ReqdWorkGroupSize.has_value());
  EXPECT_EQ(*S.New->ReqdWorkGroupSize, (std::array<uint32_t, 3>{8, 4, 1}));
}

// Near misses: what has no dimension, or another one, stays.

TEST(SwapDimensionsStays, TheNumberOfDimensions) {
  Source S = kernel("o[get_global_id(0)] = get_work_dim();");
  swapDimensions(S.module(), *S.New, 1, 2);
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

TEST(SwapDimensionsStays, TheThirdDimension) {
  Source S = kernel("int z = get_global_id(2); o[z] = a[z];");
  swapDimensions(S.module(), *S.New, 0, 1);
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
}

} // namespace
} // namespace clmali::testing
