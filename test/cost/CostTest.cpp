//===- CostTest.cpp - the cost model on known kernels -----------------------------------------===//
//
// The figures of the published report (mali_clcc for Mali-T604, source S0 of rules/devices.yaml)
// are facts; the test prints the figures of the model next to them. kernels/results/cost-model.md
// holds the table.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/CostModel.h"
#include "checks/model/cost/Registers.h"
#include "checks/model/cost/Schedule.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/frontend/Frontend.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/launch/LaunchFacts.h"
#include "rules/Models.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace clmali;

namespace {

model::ParseResult parsed(const char *Text) {
  model::ParseResult R = model::parseOpenCL("test.cl", Text, {});
  EXPECT_TRUE(R.M && !R.M->Kernels.empty());
  return R;
}

model::Cost costOf(const char *Text, const char *Device) {
  model::ParseResult R = parsed(Text);
  if (!R.M || R.M->Kernels.empty())
    return {};
  const rules::DeviceFacts *D = rules::findFamily(Device);
  if (!D)
    D = rules::findModel(Device);
  return model::cost(*R.M, *R.M->Kernels[0], *D);
}

/// Registers for values in the order of the source, on Rogue.
double registersOf(const std::string &Text) {
  model::ParseResult R = parsed(Text.c_str());
  model::KernelAnalysis A(*R.M, *R.M->Kernels[0]);
  return model::registers(A, *rules::findFamily("powervr-rogue")).Values;
}

struct Reported {
  const char *Kernel;
  unsigned Pixels;
  double Arithmetic, LoadStore;
  const char *Registers;
};
constexpr Reported Report[] = {
    {"pixel", 1, 25.5, 28, "8"},          {"five_int", 5, 22.5, 13, "8+"},
    {"five_int_joined", 5, 24.5, 8, "8"}, {"five_short", 5, 13.5, 9, "7"},
    {"four_short", 4, 14, 6, "6"},        {"eight_short", 8, 24, 11, "8+"},
};

} // namespace

// Cycles of the busiest pipe for each pixel: within a fifth of what was published, and in its
// order.
TEST(Cost, PublishedReport) {
  auto R = model::parseOpenCLFile(CLMALI_COST_KERNELS "/published.cl", {});
  ASSERT_TRUE(bool(R)) << llvm::toString(R.takeError());
  ASSERT_TRUE(R->M && R->M->Kernels.size() == std::size(Report));
  std::vector<std::pair<double, unsigned>> Published, Predicted;
  printf("| kernel | A | L/S | for a pixel | registers |\n");
  for (unsigned I = 0; I < std::size(Report); ++I) {
    const Reported &P = Report[I];
    const model::Kernel &K = *R->M->Kernels[I];
    ASSERT_EQ(K.Name, P.Kernel);
    model::Cost C = model::cost(*R->M, K, *rules::findFamily("mali-midgard"));
    double Was = std::max(P.Arithmetic, P.LoadStore) / P.Pixels, Is = C.busiest() / P.Pixels;
    printf("| %s | %.1f: %.1f | %.0f: %.0f | %.2f: %.2f (%+.0f %%) | %s: %.0f |\n", P.Kernel,
           P.Arithmetic, C.Arithmetic, P.LoadStore, C.LoadStore, Was, Is, 100 * (Is / Was - 1),
           P.Registers, C.Registers);
    EXPECT_NEAR(Is, Was, 0.2 * Was) << P.Kernel;
    EXPECT_EQ(C.bound() == "A", P.Arithmetic > P.LoadStore) << P.Kernel;
    Published.push_back({Was, I});
    Predicted.push_back({Is, I});
  }
  std::sort(Published.begin(), Published.end());
  std::sort(Predicted.begin(), Predicted.end());
  for (unsigned I = 0; I < std::size(Report); ++I)
    EXPECT_EQ(Published[I].second, Predicted[I].second) << "place " << I;
}

// A word multiplies and adds; a conversion of integers comes on the way.
TEST(Cost, WordsOfMidgard) {
  const char *Text = "kernel void f(global int4 *p) { int i = get_global_id(0); int4 v = p[i]; "
                     "p[i] = v * v + v; }";
  EXPECT_EQ(costOf(Text, "mali-midgard").Arithmetic, 0.5);
  EXPECT_EQ(costOf(Text, "mali-midgard").LoadStore, 2);
  const char *Wide =
      "kernel void f(global uchar *p) { int i = get_global_id(0);"
      " vstore16(convert_uchar16(convert_short16(vload16(i, p)) + (short16)1), i, p); }";
  EXPECT_EQ(costOf(Wide, "mali-midgard").Arithmetic, 1); // two registers of eight
}

// A swizzle of one register is free, of two a move; on 32-bit lanes it is naming.
TEST(Cost, Swizzles) {
  const char *One =
      "kernel void f(global float4 *p) { int i = get_global_id(0); p[i] = p[i].wzyx; }";
  const char *Two = "kernel void f(global float4 *p) { int i = get_global_id(0);"
                    " float4 a = p[2 * i], b = p[2 * i + 1]; p[2 * i] = (float4)(a.xy, b.xy); }";
  EXPECT_EQ(costOf(One, "mali-midgard").Arithmetic, 0);
  EXPECT_EQ(costOf(Two, "mali-midgard").Arithmetic, 1);
  // The rest is the arithmetic of the address.
  const char *None = "kernel void f(global float4 *p) { int i = get_global_id(0); p[i] = p[i]; }";
  EXPECT_EQ(costOf(One, "mali-valhall").Arithmetic, costOf(None, "mali-valhall").Arithmetic);
}

// Neighbours a row apart take a segment each; a broadcast takes one.
TEST(Cost, Coalescing) {
  auto LoadStore = [](const char *Index) {
    std::string Text =
        std::string("kernel void f(global float *d, global const float *s, int n) {"
                    " int x = get_global_id(0), y = get_global_id(1); d[y * n + x] = s[") +
        Index + "]; }";
    return costOf(Text.c_str(), "generic-gpu").LoadStore - 1; // less the store's
  };
  EXPECT_EQ(LoadStore("y * n + x"), 1);
  EXPECT_EQ(LoadStore("x * n + y"), 32);
  EXPECT_EQ(LoadStore("y"), 1);
  EXPECT_EQ(LoadStore("y * n + 4 * x"), 4);
}

// 64 bytes for each work-item cost twice the cycles of 16, not more cycles in the report.
TEST(Cost, FarNeighbours) {
  const char *Near =
      "kernel void f(global float *d) { int i = get_global_id(0); vstore4((float4)1, i, d); }";
  const char *Far =
      "kernel void f(global float *d) { int i = get_global_id(0); vstore16((float16)1, i, d); }";
  EXPECT_EQ(costOf(Near, "mali-midgard").Stalls, 0);
  model::Cost C = costOf(Far, "mali-midgard");
  EXPECT_EQ(C.LoadStore, 4);
  EXPECT_NEAR(C.Stalls, 4 * 1.07, 1e-9);
}

// Sums that live through a loop take registers; where they do not fit, they are stored and loaded.
TEST(Cost, Registers) {
  auto Sums = [](unsigned N) {
    std::string Text = "kernel void f(global float4 *d, global const float4 *s, int n) { int i = "
                       "get_global_id(0);";
    for (unsigned I = 0; I < N; ++I)
      Text += "float4 a" + std::to_string(I) + " = 0;";
    Text += "for (int k = 0; k < n; ++k) { float4 v = s[k];";
    for (unsigned I = 0; I < N; ++I)
      Text += "a" + std::to_string(I) + " += v * " + std::to_string(I) + ".5f;";
    Text += "}";
    for (unsigned I = 0; I < N; ++I)
      Text += "d[i * " + std::to_string(N) + " + " + std::to_string(I) + "] = a" +
              std::to_string(I) + ";";
    return Text + "}";
  };
  model::Cost Four = costOf(Sums(4).c_str(), "mali-midgard"),
              Twelve = costOf(Sums(12).c_str(), "mali-midgard"),
              Twenty = costOf(Sums(16).c_str(), "mali-midgard");
  EXPECT_EQ(Four.Threads, 128u);
  EXPECT_EQ(Twelve.Threads, 64u);
  EXPECT_EQ(Four.LoadStore, 16 + 4);
  // Mesa's compiler gives 8 registers: of twelve sums it stores some in each iteration.
  EXPECT_GT(Twelve.LoadStore, 16 + 12 + 16);
  EXPECT_GT(Twenty.LoadStore, Twelve.LoadStore + 8);
}

// Values that an inner loop does not read are stored before it.
TEST(Cost, RegistersAroundALoop) {
  auto Sums = [](bool Inside) {
    std::string Text = "kernel void f(global float4 *d, global const float4 *s, int n) { int i = "
                       "get_global_id(0);";
    std::string Add;
    for (unsigned I = 0; I < 12; ++I) {
      Text += "float4 a" + std::to_string(I) + " = 0;";
      Add += "a" + std::to_string(I) + " += t * " + std::to_string(I) + ".5f;";
    }
    Text += "for (int k = 0; k < n; ++k) { float4 t = 0; for (int j = 0; j < n; ++j) { t += s[j];";
    Text += Inside ? Add + "} }" : "} " + Add + "}";
    for (unsigned I = 0; I < 12; ++I)
      Text += "d[i * 12 + " + std::to_string(I) + "] = a" + std::to_string(I) + ";";
    return Text + "}";
  };
  double Outer = costOf(Sums(false).c_str(), "mali-midgard").LoadStore - 16 * 16 - 12,
         Inner = costOf(Sums(true).c_str(), "mali-midgard").LoadStore - 16 * 16 - 12;
  EXPECT_GT(Outer, 16 * 8);
  EXPECT_GT(Inner, 8 * Outer);
}

// Reads of images keep the texture pipe busy, and their results take registers.
TEST(Cost, Images) {
  const char *Text = R"(
kernel void f(read_only image2d_t in, global float4 *out, sampler_t s, int n) {
  int i = get_global_id(0);
  float4 sum = 0;
  for (int k = 0; k < 100; ++k) {
    float4 a = read_imagef(in, s, (int2)(k, i)), b = read_imagef(in, s, (int2)(k, i + 1));
    float4 c = read_imagef(in, s, (int2)(k, i + 2)), d = read_imagef(in, s, (int2)(k, i + 3));
    float4 e = read_imagef(in, s, (int2)(k, i + 4)), f = read_imagef(in, s, (int2)(k, i + 5));
    sum += a * b + c * d + e * f;
    sum += a * f + b * e + c * e;
  }
  out[i] = sum;
})";
  model::Cost C = costOf(Text, "mali-bifrost");
  EXPECT_EQ(C.Texture, 300); // two texels a cycle
  EXPECT_EQ(C.bound(), "T");
  EXPECT_EQ(C.Threads, 192u);
}

// On Valhall wide texels, three dimensions and filtered floats take twice as long each.
TEST(Cost, FormatsOfImages) {
  auto Texture = [](const char *Image, const char *At, const char *Filter, unsigned Bits,
                    const char *Device) {
    model::ParseResult R = parsed((std::string("constant sampler_t s = CLK_ADDRESS_CLAMP | ") +
                                   Filter + "; kernel void f(read_only " + Image +
                                   " in, global float4 *out) { int i = get_global_id(0);"
                                   " out[i] = read_imagef(in, s, " +
                                   At + "); }")
                                      .c_str());
    model::LaunchFacts Launch;
    if (Bits)
      Launch.Texels["in"] = {Bits, Bits == 128};
    return model::cost(*R.M, *R.M->Kernels[0], *rules::findFamily(Device), &Launch).Texture;
  };
  const char *Nearest = "CLK_FILTER_NEAREST", *Linear = "CLK_FILTER_LINEAR";
  const char *Two = "(float2)(i, 0)", *Three = "(float4)(i, 0, 0, 0)";
  double One = Texture("image2d_t", Two, Nearest, 0, "mali-valhall");
  EXPECT_EQ(Texture("image2d_t", Two, Nearest, 32, "mali-valhall"), One);
  EXPECT_EQ(Texture("image2d_t", Two, Linear, 32, "mali-valhall"), One);
  EXPECT_EQ(Texture("image2d_array_t", Three, Nearest, 32, "mali-valhall"), One);
  EXPECT_EQ(Texture("image2d_t", Two, Nearest, 64, "mali-valhall"), 2 * One);
  EXPECT_EQ(Texture("image3d_t", Three, Nearest, 32, "mali-valhall"), 2 * One);
  EXPECT_EQ(Texture("image2d_t", Two, Linear, 128, "mali-valhall"), 4 * One);
  EXPECT_EQ(Texture("image2d_t", Two, Linear, 128, "mali-bifrost"),
            Texture("image2d_t", Two, Nearest, 0, "mali-bifrost"));
}

// What arithmetic takes of a kernel depends on what else keeps it busy.
TEST(Cost, ShareOfArithmetic) {
  const rules::DeviceFacts &D = *rules::findFamily("mali-bifrost");
  model::Cost C;
  C.Arithmetic = 10;
  EXPECT_NEAR(model::shareOfArithmetic(C, 5.0 * D.ArithmeticLanes, D), 0.5, 0.01);
  EXPECT_NEAR(model::shareOfArithmetic(C, 50.0 * D.ArithmeticLanes, D), 1, 0.01);
  C.LoadStore = 10;
  EXPECT_LT(model::shareOfArithmetic(C, 5.0 * D.ArithmeticLanes, D), 0.05);
  EXPECT_EQ(model::shareOfArithmetic(C, 0, D), 0);
}

// A vector of which all lanes are one number takes the registers of a number.
TEST(Cost, RegistersOfSplats) {
  auto Registers = [](const char *Weight) {
    std::string Text = std::string("kernel void f(global float4 *x, global const ") + Weight +
                       " *w) { int i = 2 * get_global_id(0); float4 f = w[i], g = w[i + 1];"
                       " float4 a = x[i], b = x[i + 1];"
                       " x[i] = a * f + b * g; x[i + 1] = a * g + b * f; }";
    return registersOf(Text);
  };
  EXPECT_EQ(Registers("float4") - Registers("float"), 2 * 3);
}

// A variable that is declared long before it is assigned needs no register in between.
TEST(Cost, RegistersOfDeclarations) {
  auto Registers = [](const char *Early, const char *Late) {
    std::string Text = std::string("kernel void f(global float4 *x) { int i = get_global_id(0);") +
                       Early + " x[i] = x[i + 1] * x[i + 2] + x[i + 3] * x[i + 4];" + Late +
                       " = x[i + 5]; x[i] = v * v; }";
    return registersOf(Text);
  };
  EXPECT_EQ(Registers("float4 v;", "v"), Registers("", "float4 v"));
}

// Few resident work-items hide less latency; below a quarter, time grows as their number falls.
TEST(Cost, Slowdown) {
  EXPECT_EQ(model::slowdown(1), 1);
  EXPECT_GT(model::slowdown(0.5), model::slowdown(0.9));
  EXPECT_GT(model::slowdown(0.25), model::slowdown(0.5));
  EXPECT_NEAR(model::slowdown(0.125), 2 * model::slowdown(0.25), 1e-9);
}

// What does not fit the registers goes to memory on each family: 80 sums of 32 bits, of 64 on
// Bifrost, are loaded and stored again. 16 sums leave all work-items resident.
TEST(Cost, SpillsOnEachFamily) {
  auto Sums = [](unsigned N) {
    std::string Decls, Adds, Ends;
    for (unsigned I = 0; I < N; ++I) {
      std::string S = "s" + std::to_string(I);
      Decls += "float " + S + " = 0;";
      Adds += S + " += v * p[k + " + std::to_string(I) + "];";
      Ends += "d[" + std::to_string(N) + " * i + " + std::to_string(I) + "] = " + S + ";";
    }
    return "kernel void f(global float *d, global const float *p, int n) { int i = "
           "get_global_id(0);" +
           Decls + "for (int k = 0; k < n; ++k) { float v = p[i + k * n];" + Adds + "}" + Ends +
           "}";
  };
  for (const char *Device : {"mali-midgard", "mali-bifrost", "mali-valhall"}) {
    model::Cost Many = costOf(Sums(80).c_str(), Device);
    EXPECT_GT(Many.Spilled, 0) << Device;
    EXPECT_GT(Many.LoadStore, costOf(Sums(40).c_str(), Device).LoadStore * 2) << Device;
  }
  EXPECT_EQ(costOf(Sums(16).c_str(), "mali-bifrost").Spilled, 0);
  EXPECT_EQ(costOf(Sums(16).c_str(), "mali-bifrost").Threads, 384u);
  EXPECT_EQ(costOf(Sums(40).c_str(), "mali-bifrost").Threads, 192u);
}

// A loop of unknown length counts the same, unrolled or not.
TEST(Cost, UnknownLoops) {
  const char *Plain = "kernel void f(global float *d, global const float *s, int n) { float t = 0;"
                      " for (int k = 0; k < n; ++k) t += s[k]; d[get_global_id(0)] = t; }";
  const char *Steps =
      "kernel void f(global float *d, global const float *s, int n) { float t = 0;"
      " for (int k = 0; k < n; k += 2) { t += s[k]; t += s[k + 1]; } d[get_global_id(0)] = t; }";
  EXPECT_EQ(costOf(Plain, "mali-midgard").LoadStore, costOf(Steps, "mali-midgard").LoadStore);
}

// A component of a private vector is stored, and the vector or the component read: known values, no
// accesses.
// A loop with a further condition runs at most as often as its counter says; an unknown one 16
// times.
TEST(Cost, LoopsWithFurtherConditions) {
  auto Trips = [](const char *Head) {
    std::string Text = "kernel void k(global float *x, int n) { int g = get_global_id(0); " +
                       std::string(Head) + " x[g + i] += 1.0f; }";
    model::ParseResult R = parsed(Text.c_str());
    model::KernelAnalysis A(*R.M, *R.M->Kernels[0]);
    for (const model::Stmt *S : model::stmts(R.M->Kernels[0]->Body))
      if (S->K == model::StmtKind::Loop)
        return model::expectedTrips(A, S);
    return 0.0;
  };
  EXPECT_EQ(Trips("for (int i = 0; i < 5 && g + i < n; ++i)"), 5);
  EXPECT_EQ(Trips("for (int i = g; i < g + 8 && i < n; ++i)"), 8);
  EXPECT_EQ(Trips("for (int i = 0; i < 100 && g + i < n; ++i)"), 16);
  EXPECT_EQ(Trips("for (int i = 0; g + i < n; ++i)"), 16);
  EXPECT_EQ(Trips("for (int i = 0; i < 100; ++i)"), 100);
  EXPECT_EQ(Trips("for (int i = g; i < min(g + 8, n); ++i)"), 8);
  EXPECT_EQ(Trips("int end = min(n, g + 8); for (int i = g; i <= end; ++i)"), 9);
  EXPECT_EQ(Trips("for (int i = g; i < max(g + 8, n); ++i)"), 16);
}

TEST(Cost, ComponentsOfPrivateVectors) {
  auto kernel = [](const std::string &Stores) {
    return "__kernel void f(__global const float *in, __global float *out) {\n"
           "  int x = get_global_id(0);\n  float4 v[2];\n" +
           Stores + "  out[x] = v[0].x + v[0].w + v[1].y;\n}\n";
  };
  model::Cost Whole =
      costOf(kernel("v[0] = (float4)(in[x]); v[1] = (float4)(in[x]);\n").c_str(), "mali-midgard");
  model::Cost Parts =
      costOf(kernel("v[0].x = in[x]; v[0].y = in[x]; v[0].z = in[x]; v[0].w = in[x];\n"
                    "v[1] = (float4)(in[x]); v[1].z = 1.0f;\n")
                 .c_str(),
             "mali-midgard");
  EXPECT_GT(Whole.LoadStore, 0);
  EXPECT_EQ(Whole.LoadStore, Parts.LoadStore);
  // Not all components are known: the vector is read from memory, at no less than that.
  model::Cost Some = costOf(
      kernel("v[0].x = in[x]; v[1] = (float4)(in[x]); v[1].y = 2.0f;\n").c_str(), "mali-midgard");
  EXPECT_GE(Some.LoadStore, Whole.LoadStore);
}
