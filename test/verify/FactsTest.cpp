// The facts of programs from which inputs are chosen.
#include "rewriters/verify/facts/KernelFacts.h"
#include "rewriters/verify/symbolic/Compile.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace clmali::verify;
using llvm::any_of;
using Kind = ConstantUse::Kind;

namespace {

KernelFacts factsOf(const std::string &Source) {
  llvm::LLVMContext Context;
  llvm::Expected<symbolic::CompiledProgram> C =
      symbolic::compileProgram({Source, "", ""}, 64, "", Context);
  EXPECT_TRUE(static_cast<bool>(C)) << llvm::toString(C.takeError());
  KernelFacts Facts;
  if (C)
    addFacts(*C->M->getFunction("k"), Facts);
  return Facts;
}

/// The uses of a constant.
std::vector<ConstantUse> usesOf(const KernelFacts &Facts, Kind K, int64_t Value) {
  std::vector<ConstantUse> All;
  for (const ConstantUse &C : Facts.Constants)
    if (C.K == K && !C.IsFloat && C.value() == Value)
      All.push_back(C);
  return All;
}
bool usesId(const ConstantUse &C) { return C.With.Id; }

TEST(Facts, ConstantsThatMeetIds) {
  KernelFacts F = factsOf("__kernel void k(__global int *x, int n) {\n"
                          "  uint i = get_global_id(0);\n"
                          "  if (i < 481) x[i] = (int)(i * 1003u) / 7 + (i << 5) + (ushort)i;\n"
                          "  x[n & 63] = 3;\n"
                          "}\n");
  EXPECT_TRUE(any_of(usesOf(F, Kind::Compared, 481), usesId));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Factor, 1003), usesId));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Factor, 32), usesId));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Divisor, 7), usesId));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Divisor, 65536), usesId)); // the cast
  // The mask meets the argument, and no id.
  EXPECT_FALSE(any_of(usesOf(F, Kind::Divisor, 64), usesId));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Divisor, 64),
                     [](const ConstantUse &C) { return C.With.Scalars.count(1) != 0; }));
}

TEST(Facts, ResultsThatAreLeftToTheDevice) {
  using Names = std::set<std::string>;
  auto of = [](const std::string &Value) {
    return factsOf("float twice(float v) { return 2.0f * rsqrt(v); }\n"
                   "float max3(float a, float b, float c) { return a > b ? a : c; }\n"
                   "__kernel void k(__global float *x, __global int *n) {\n"
                   "  int i = get_global_id(0);\n"
                   "  float v = x[i];\n"
                   "  x[i] = " +
                   Value + ";\n}\n")
        .OpenResults;
  };
  EXPECT_EQ(of("native_divide(v, 3.0f)"), Names{"native_divide"});
  EXPECT_EQ(of("twice(v)"), Names{"rsqrt"});
  EXPECT_EQ(of("max(v, 0.0f) + fmin(v, 1.0f)"), (Names{"fmin", "max"}));
  EXPECT_EQ(of("v / 3.0f + dot((float2)(v, 1.0f), (float2)(v))"), (Names{"/", "dot"}));
  EXPECT_EQ(of("((float4)(v) / x[0]).x"), Names{"/"});
  // Exact: integers, powers of two, what has no error.
  EXPECT_EQ(of("max(n[i], 3) + clamp(n[i], 0, 9)"), Names());
  EXPECT_EQ(of("v / 4.0f + ((float4)(v) / 8.0f).y"), Names());
  EXPECT_EQ(of("fma(v, v, 1.0f) + floor(v) + fabs(v) + max3(v, v, v)"), Names());
}

TEST(Facts, ConstantsThatMeetCounters) {
  KernelFacts F = factsOf("__kernel void k(__global int *x, int n) {\n"
                          "  int s = 0;\n"
                          "  for (short c = 0; c < n; ++c)\n"
                          "    s += c == 5200 ? 7 : 1;\n"
                          "  x[0] = s;\n"
                          "}\n");
  auto ofBound = [](const ConstantUse &C) { return C.With.Scalars.count(1) != 0; };
  EXPECT_TRUE(any_of(usesOf(F, Kind::Compared, 5200), ofBound));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Divisor, 65536), ofBound)); // a counter of 16 bits
}

TEST(Facts, ConstantsThroughVariablesAndCalls) {
  KernelFacts F = factsOf("int above(int v, int limit) { return v > limit; }\n"
                          "__kernel void k(__global int *x, __global const float *y, int t) {\n"
                          "  int i = get_global_id(0), level = 60000;\n"
                          "  x[i] = above(t, 9001) + (as_uint(y[i]) == 0x40490fdbu)\n"
                          "      + min(i, 777) + (t == level);\n"
                          "}\n");
  auto ofScalar = [](const ConstantUse &C) { return C.With.Scalars.count(2) != 0; };
  EXPECT_TRUE(any_of(usesOf(F, Kind::Compared, 9001), ofScalar));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Compared, 60000), ofScalar));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Compared, 777), usesId));
  EXPECT_TRUE(any_of(usesOf(F, Kind::Compared, 0x40490fdb),
                     [](const ConstantUse &C) { return C.With.Buffers.count(1) != 0; }));
}

TEST(Facts, ScalarsThatAreCompared) {
  KernelFacts F = factsOf("__kernel void k(__global int *x, int a, int b, int c) {\n"
                          "  x[0] = a == b ? c : 1;\n"
                          "}\n");
  auto compares = [&F](unsigned A, unsigned B) {
    return any_of(F.Compared, [=](const auto &Pair) {
      return (Pair.first.Scalars.count(A) && Pair.second.Scalars.count(B)) ||
             (Pair.first.Scalars.count(B) && Pair.second.Scalars.count(A));
    });
  };
  EXPECT_TRUE(compares(1, 2));
  EXPECT_FALSE(compares(1, 3));
}

TEST(Facts, BuffersInAddresses) {
  KernelFacts F = factsOf("__kernel void k(__global const int *p, __global const int *x,\n"
                          "                __global const int *count, __global int *y, int s) {\n"
                          "  int i = get_global_id(0), sum = 0;\n"
                          "  for (int j = 0; j < count[i]; ++j) sum += x[p[i] + j];\n"
                          "  if (x[i] > 3) y[i + s] = sum;\n"
                          "}\n");
  EXPECT_TRUE(F.Addresses.Buffers.count(0));
  EXPECT_FALSE(F.Addresses.Buffers.count(1)); // only its values are used
  EXPECT_FALSE(F.Addresses.Buffers.count(2));
  EXPECT_TRUE(F.Exits.Buffers.count(2));
  EXPECT_TRUE(F.Addresses.Scalars.count(4));
}

TEST(Facts, VectorAccesses) {
  KernelFacts F = factsOf("__kernel void k(__global const int *p, __global const int *x,\n"
                          "                __global int *y) {\n"
                          "  int i = get_global_id(0);\n"
                          "  vstore4(vload4(p[i], x), i, y);\n"
                          "}\n");
  EXPECT_TRUE(F.Addresses.Buffers.count(0));
  EXPECT_FALSE(F.Addresses.Buffers.count(1)); // stored, no address
}

TEST(Facts, WhatOneProgramOnlyHasComesFirst) {
  KernelFacts Old = factsOf("__kernel void k(__global int *x) {\n"
                            "  int i = get_global_id(0); if (i < 100) x[i] = 1; }\n");
  KernelFacts New = factsOf("__kernel void k(__global int *x) {\n"
                            "  int i = get_global_id(0); if (i < 100 && i != 4711) x[i] = 1; }\n");
  ProgramFacts All = mergeFacts(Old, New);
  ASSERT_FALSE(All.Constants.empty());
  EXPECT_EQ(All.Constants.front().value(), 4711);
  EXPECT_TRUE(any_of(All.Constants, [](const ConstantUse &C) { return C.value() == 100; }));
}

} // namespace
