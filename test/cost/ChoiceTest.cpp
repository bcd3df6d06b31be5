//===- ChoiceTest.cpp - which form the planner takes on which device --------------------------===//

#include "checks/model/frontend/Frontend.h"
#include "rewriters/plan/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace clmali;

namespace {

constexpr char Product[] = R"(
kernel void product(global const float *a, global const float *b, global float *c, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
})";

constexpr char Filter[] = R"(
kernel void filter(global uchar *d, global const uchar *s, int w, int h) {
  int y = get_global_id(0), x = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  int i = 3 * (x + w * y);
  for (int c = 0; c < 3; ++c) {
    int v = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        v += s[i + c + 3 * (dx + dy * w)];
    d[i + c] = (uchar)(v / 9);
  }
})";

rewrite::RewriteResult plan(const char *Text, const char *Device, bool Diverse = false,
                            unsigned VectorBits = 0) {
  model::ParseResult R = model::parseOpenCL("test.cl", Text, {});
  EXPECT_TRUE(R.M && !R.M->Kernels.empty());
  rewrite::RewriteOptions O;
  O.Device = Device;
  O.Diverse = Diverse;
  O.VectorBits = VectorBits;
  if (Diverse)
    O.MaxCandidates = 40;
  rewrite::RewriteResult P = rewrite::rewriteKernel(*R.M, *R.M->Kernels[0], O);
  if (getenv("CLMALI_SHOW_CHOICE"))
    for (const rewrite::Candidate &C : P.Candidates)
      printf("%s: %.2fx [%s] A %.1f L/S %.1f +%.1f regs %.0f, %.0f items\n", Device,
             C.PredictedSpeedup, llvm::join(C.Passes, ", ").c_str(), C.After.Arithmetic,
             C.After.LoadStore, C.After.Stalls, C.After.Registers, C.Items);
  return P;
}

unsigned number(const rewrite::Candidate &C, llvm::StringRef Pass) {
  for (llvm::StringRef P : C.Passes)
    if (P.consume_front(Pass) && P.consume_front(":")) {
      unsigned N = 1;
      P.getAsInteger(10, N);
      return N;
    }
  return 1;
}

bool has(const rewrite::RewriteResult &R, unsigned Lanes, unsigned Rows) {
  return llvm::any_of(R.Candidates, [&](const rewrite::Candidate &C) {
    return number(C, "vectorize") == Lanes && number(C, "coarsen") == Rows;
  });
}

} // namespace

// On Midgard the sums of a block must leave half of the work-items: 16 registers of sums do not.
TEST(Choice, ProductOnMidgard) {
  auto R = plan(Product, "mali-midgard");
  ASSERT_FALSE(R.Candidates.empty());
  const rewrite::Candidate &C = R.Candidates.front();
  EXPECT_GE(number(C, "coarsen"), 2u);
  EXPECT_LE(C.Items, 32);
  EXPECT_LE(C.After.Registers, 16);
}

// The talk's saxpy: 128 bits for each work-item beat 256 and 512.
TEST(Choice, WidthOnMidgard) {
  auto R = plan("kernel void f(global float *y, global const float *x, float a, int n) { int i = "
                "get_global_id(0);"
                " if (i < n) y[i] = a * x[i] + y[i]; }",
                "mali-midgard");
  ASSERT_FALSE(R.Candidates.empty());
  EXPECT_EQ(number(R.Candidates.front(), "vectorize"), 4u);
  EXPECT_EQ(number(R.Candidates.front(), "coarsen"), 1u);
}

// Rows of a matrix by a vector, one for each work-item: blocks of rows touch as many segments, and
// on an H200 the block was 1.8 times slower.
TEST(Choice, RowsOnGpu) {
  auto R =
      plan("kernel void f(global const float *m, global const float *v, global float *o, int n) {"
           " int i = get_global_id(0); float s = 0; for (int k = 0; k < n; ++k) s += m[i * n + k] *"
           " v[k]; o[i] = s; }",
           "generic-gpu");
  EXPECT_TRUE(R.Candidates.empty());
}

// A GPU with warps wants neighbours side by side: narrow vectors, several rows.
TEST(Choice, OnGpu) {
  auto R = plan(Product, "generic-gpu");
  ASSERT_FALSE(R.Candidates.empty());
  EXPECT_LE(number(R.Candidates.front(), "vectorize"), 4u);
  EXPECT_GE(number(R.Candidates.front(), "coarsen"), 4u);
  auto F = plan(Filter, "generic-gpu");
  ASSERT_FALSE(F.Candidates.empty());
  EXPECT_LE(number(F.Candidates.front(), "vectorize"), 4u);
  EXPECT_GE(number(F.Candidates.front(), "coarsen"), 2u);
}

// Only where a device copies by itself does an asynchronous copy beat the group's own loop.
TEST(Choice, AsyncCopiesWhereTheDeviceHasThem) {
  constexpr char Staged[] =
      "kernel __attribute__((reqd_work_group_size(64, 1, 1)))"
      " void f(global float *d, global const float *s) { local float t[66]; int l = "
      "get_local_id(0);"
      " int b = get_group_id(0) * 64; t[l] = s[b + l]; if (l < 2) t[l + 64] = s[b + l + 64];"
      " barrier(CLK_LOCAL_MEM_FENCE); d[b + l] = t[l] + t[l + 1] + t[l + 2]; }";
  auto Localizes = [&](const char *Device) {
    return llvm::any_of(plan(Staged, Device).Candidates, [](const rewrite::Candidate &C) {
      return llvm::is_contained(C.Passes, "localize");
    });
  };
  EXPECT_TRUE(Localizes("powervr-rogue"));
  EXPECT_FALSE(Localizes("generic-gpu"));
}

// A CPU wants its whole vectors: 8 sums of 16 bits fill 128 bits.
TEST(Choice, OnCpu) {
  auto R = plan(Filter, "generic");
  ASSERT_FALSE(R.Candidates.empty());
  EXPECT_GE(number(R.Candidates.front(), "vectorize"), 8u);
  auto P = plan(Product, "generic", false, 512);
  ASSERT_FALSE(P.Candidates.empty());
  EXPECT_EQ(number(P.Candidates.front(), "vectorize"), 16u);
  EXPECT_GE(number(P.Candidates.front(), "coarsen"), 4u);
}

// Work-items along a dimension that has no id in the kernel all do the same: a block of them gains
// nothing, and the host, which launches one, would never run it.
TEST(Choice, NoRowsAlongAnUnusedDimension) {
  for (const char *Device : {"generic", "mali-bifrost", "powervr-rogue"}) {
    auto R = plan("kernel void planes(global char *d, global const char *s, int n) {"
                  " int x = get_global_id(0), z = get_global_id(2); if (x < n) d[z * n + x] = s[z "
                  "* n + x] + 1; }",
                  Device, /*Diverse=*/true);
    ASSERT_FALSE(R.Candidates.empty());
    for (const rewrite::Candidate &C : R.Candidates)
      EXPECT_EQ(C.Source.find("gy / "), std::string::npos) << C.Source;
    EXPECT_EQ(number(R.Candidates.front(), "vectorize"), 16u);
  }
}

// A block that is larger than every launch would leave all of them to the original.
TEST(Choice, NoBlockBeyondTheLaunches) {
  constexpr char Planes[] = "kernel void planes(global char *d, global const char *s, int n) {"
                            " int x = get_global_id(0), z = get_global_id(2); if (x < n) d[z * n + "
                            "x] = s[z * n + x] + 1; }";
  auto rowsAlongPlanes = [&](uint64_t LargestPlanes) {
    model::ParseResult P = model::parseOpenCL("test.cl", Planes, {});
    rewrite::RewriteOptions O;
    O.Device = "generic";
    O.Diverse = true;
    O.MaxCandidates = 40;
    O.Launch.LargestGlobal = {1024, 1, LargestPlanes};
    auto R = rewrite::rewriteKernel(*P.M, *P.M->Kernels[0], O);
    EXPECT_FALSE(R.Candidates.empty());
    return llvm::any_of(R.Candidates, [](const rewrite::Candidate &C) {
      return C.Source.find("gz / ") != std::string::npos;
    });
  };
  EXPECT_FALSE(rowsAlongPlanes(1));
  EXPECT_TRUE(rowsAlongPlanes(64));
}

// A launch that is small for the device gets a smaller block, which leaves it more work-items; the
// device at hand has no number of cores.
TEST(Choice, SmallLaunchesKeepTheirWorkItems) {
  auto Items = [](const char *Device, uint64_t Pixels) {
    model::ParseResult P = model::parseOpenCL("test.cl", R"(
      kernel void iterate(global float *d, global const float *s) {
        int i = get_global_id(0);
        float x = s[i];
        for (int k = 0; k < 8; ++k)
          x = x * x * x + x * x + x * 0.5f + 0.25f;
        d[i] = x;
      })",
                                              {});
    rewrite::RewriteOptions O;
    O.Device = Device;
    O.Launch.LargestGlobal = {Pixels, 1, 1};
    auto R = rewrite::rewriteKernel(*P.M, *P.M->Kernels[0], O);
    return R.Candidates.empty() ? 1.0 : R.Candidates[0].Items;
  };
  for (const char *Device : {"mali-bifrost", "mali-valhall"}) {
    EXPECT_LT(Items(Device, 1 << 10), Items(Device, 1 << 20)) << Device;
  }
  EXPECT_EQ(Items("generic", 1 << 10), Items("generic", 1 << 20));
}

// What is measured holds the forms that were best by hand on some device.
TEST(Choice, DiverseCandidates) {
  for (const char *Device : {"generic", "generic-gpu"}) {
    auto P = plan(Product, Device, true);
    EXPECT_TRUE(has(P, 16, 8)) << Device;
    EXPECT_TRUE(has(P, 8, 8)) << Device;
    EXPECT_TRUE(has(P, 4, 8)) << Device;
    EXPECT_TRUE(has(P, 4, 4)) << Device;
    EXPECT_LE(P.Candidates.size(), 40u);
  }
  auto F = plan(Filter, "generic", true);
  EXPECT_TRUE(has(F, 16, 4));
  EXPECT_TRUE(has(F, 8, 4));
  EXPECT_TRUE(has(F, 2, 4));
}

// A work-item that sums a row of bytes loads many of them at once.
TEST(Choice, WalksAlongMemory) {
  auto R =
      plan("kernel void rows(global const uchar *p, global uint *s, int w, int h) { int y = "
           "get_global_id(0);"
           " if (y < h) { uint t = 0; for (int x = 0; x < w; x++) t += p[y * w + x]; s[y] = t; } }",
           "mali-bifrost");
  ASSERT_FALSE(R.Candidates.empty());
  const rewrite::Candidate &C = R.Candidates.front();
  EXPECT_NE(C.Source.find("vload16"), std::string::npos) << C.Source;
  EXPECT_LE(C.After.MemoryOps / C.Items * 1.3, R.Before.MemoryOps);
}

// A 3x3 box blur of RGBA pixels, in twelve spellings: single bytes keep the load/store unit busy
// for 40 cycles a pixel (Mesa's compiler for Mali-G52 counts the same), so whole vectors are
// chosen.
TEST(Choice, BytesOfPixelsBecomeVectors) {
  const char *Clamped[] = {"clamp(x + (D), 0, w - 1)", "clamp(y + (D), 0, h - 1)"};
  const char *Interior[] = {"(x + (D))", "(y + (D))"};
  auto At = [](llvm::StringRef Form, llvm::StringRef D) {
    auto [Before, After] = Form.split("D");
    return (Before + D + After).str();
  };
  for (bool Guarded : {false, true})
    for (const char *Restrict : {"", "restrict "})
      for (const char *Spelling : {"channels", "unrolled", "sums"}) {
        const char **Form = Guarded ? Interior : Clamped;
        std::string Text = "kernel void blur(global const uchar *" + std::string(Restrict) +
                           "s, global uchar *" + Restrict +
                           "d, int w, int h) {"
                           " int x = get_global_id(0), y = get_global_id(1);";
        Text += Guarded ? " if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;"
                        : " if (x >= w || y >= h) return;";
        std::string Pixel = "s[(" + At(Form[1], "dy") + " * w + " + At(Form[0], "dx") + ") * 4";
        std::string Loops = " for (int dy = -1; dy <= 1; ++dy) for (int dx = -1; dx <= 1; ++dx)";
        if (Spelling == llvm::StringRef("channels")) {
          Text += " for (int c = 0; c < 4; ++c) { int t = 0;" + Loops + " t += " + Pixel +
                  " + c]; d[(y * w + x) * 4 + c] = t / 9; }";
        } else if (Spelling == llvm::StringRef("sums")) {
          Text += " int t0 = 0, t1 = 0, t2 = 0, t3 = 0;" + Loops + " {";
          for (const char *C : {"0", "1", "2", "3"})
            Text += std::string(" t") + C + " += " + Pixel + " + " + C + "];";
          Text += " }";
          for (const char *C : {"0", "1", "2", "3"})
            Text += std::string(" d[(y * w + x) * 4 + ") + C + "] = t" + C + " / 9;";
        } else {
          for (const char *C : {"0", "1", "2", "3"}) {
            std::string Sum;
            for (const char *DY : {"-1", "0", "1"})
              for (const char *DX : {"-1", "0", "1"})
                Sum += (Sum.empty() ? "s[(" : " + s[(") + At(Form[1], DY) + " * w + " +
                       At(Form[0], DX) + ") * 4 + " + C + "]";
            Text += std::string(" d[(y * w + x) * 4 + ") + C + "] = (" + Sum + ") / 9;";
          }
        }
        Text += " }";
        auto R = plan(Text.c_str(), "mali-bifrost");
        ASSERT_FALSE(R.Candidates.empty()) << Text;
        const rewrite::Candidate &C = R.Candidates.front();
        EXPECT_EQ(R.Before.LoadStore, 40) << Text;
        EXPECT_LE(C.After.busiest() / C.Items, 1.5 * 2.5) << Text << "\n" << C.Source;
      }
}

// Neighbours overwrite what is read: when a load is made matters, even for a single work-item.
TEST(Choice, RacesAreLeftAlone) {
  auto R = plan("kernel void f(global float *p, int n) { int i = get_global_id(0);"
                " if (i > 0 && i < n - 1) p[i] = (p[i - 1] + p[i] + p[i + 1]) / 3.0f; }",
                "generic");
  EXPECT_TRUE(R.Candidates.empty()) << R.Candidates.front().Source;
}

// Nothing to gain: each work-item gathers one float and stores it where its neighbours do not.
TEST(Choice, NothingPays) {
  auto R =
      plan("kernel void f(global const int *p, global float *d, global const float *s, int n) {"
           " int i = get_global_id(0); d[i * n] = s[p[i * n]]; }",
           "mali-bifrost");
  EXPECT_TRUE(R.Candidates.empty()) << R.Candidates.front().Source;
}

// Eight rows of unrolled iterations are hardly faster than one row, and not readable.
TEST(Choice, LongCodeMustBeFasterInProportion) {
  auto R = plan(R"(
kernel void settle(global int *keys) {
  local int s[32];
  int l = get_local_id(0);
  s[l] = keys[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int p = 0; p < 32; p++) {
    int a = 2 * l + (p & 1);
    if (a + 1 < 32) {
      int u = s[a], v = s[a + 1];
      s[a] = min(u, v);
      s[a + 1] = max(u, v);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  keys[get_global_id(0)] = s[l];
})",
                "mali-bifrost");
  ASSERT_FALSE(R.Candidates.empty());
  EXPECT_LT(llvm::StringRef(R.Candidates.front().Source).count('\n'), 150u);
}
