// Loops of symbolic trip count.
#include "GenericTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;
using Reason = GenericProof::Reason;

namespace {

const char *const Args = "  - { name: m, buffer: in, count: \"n * n\" }\n"
                         "  - { name: v, buffer: in, count: \"n\" }\n"
                         "  - { name: out, buffer: out, count: \"n\" }\n"
                         "  - { name: n, value: \"n\" }\n";

const char *const Product = R"(
__kernel void k(__global const float *m, __global const float *v, __global float *out, int n) {
  int i = get_global_id(0);
  float s = 0.0f;
  for (int j = 0; j < n; ++j) s += m[j * n + i] * v[j];
  out[i] = s;
})";

Case product(const std::string &Body) {
  Case C;
  C.Original = Product;
  C.Rewritten = "__kernel void k_v(__global const float *m, __global const float *v,"
                " __global float *out, int n) {\n"
                "  int i = get_global_id(0) * 4, j = 0;\n"
                "  float4 s = 0.0f;\n" +
                Body + "  vstore4(s, 0, out + i);\n}";
  C.Args = Args;
  return C;
}

const char *const One = "  for (; j < n; ++j) s += vload4(0, m + j * n + i) * v[j];\n";

TEST(GenericLoop, LanesOfOneLoop) {
  expectProved(product(One));
  for (auto [From, To] : {std::pair("j < n", "j <= n"),
                          {"j < n", "j < n - 1"},
                          {"j * n", "j * n + 1"},
                          {"v[j]", "v[0]"},
                          {"++j", "j += 2"},
                          {"s +=", "s = "},
                          {"s +=", "s -="}})
    EXPECT_FALSE(product(replaced(One, From, To)).prove().proved()) << To;
  // Not the same contraction.
  EXPECT_FALSE(
      product("  for (; j < n; ++j) { float4 t = vload4(0, m + j * n + i) * v[j]; s += t; }\n")
          .prove()
          .proved());
  EXPECT_FALSE(product(replaced(One, "j < n;", "j < n && j != 481;")).prove().proved());
}

const char *const Four = "  for (; j < (n & -2); j += 2) {\n"
                         "    float4 t = s + vload4(0, m + j * n + i) * v[j];\n"
                         "    s = t + vload4(0, m + (j + 1) * n + i) * v[j + 1];\n  }\n";

TEST(GenericLoop, SeveralStepsAtOnce) {
  expectProved(product(std::string(Four) + One));
  for (auto [From, To] : {std::pair("n & -2", "n"),
                          {"j += 2", "j += 3"},
                          {"v[j + 1]", "v[j]"},
                          {"(j + 1) * n", "j * n"},
                          {"s = t +", "s = s +"}})
    EXPECT_FALSE(product(replaced(Four, From, To) + One).prove().proved()) << To;
  // The order of the sum, and steps that are left out.
  EXPECT_FALSE(product(std::string(Four) + replaced(One, "for (;", "for (j += 0 * n + 1;"))
                   .prove()
                   .proved());
  EXPECT_FALSE(product(Four).prove().proved());
}

TEST(GenericLoop, StoresInALoop) {
  Case C;
  C.Original = R"(
__kernel void k(__global const float *a, __global float *out, int w, int h) {
  int x = get_global_id(0);
  for (int y = 0; y < h; ++y) out[y * w + x] = a[y * w + x] * 2.0f;
})";
  const std::string Body =
      "__kernel void k_v(__global const float *a, __global float *out, int w, int h) {\n"
      "  int x = get_global_id(0) * 4;\n"
      "  for (int y = 0; y < h; ++y)\n"
      "    vstore4(vload4(0, a + y * w + x) * 2.0f, 0, out + y * w + x);\n}";
  C.Args = "  - { name: a, buffer: in, count: \"w * h\" }\n"
           "  - { name: out, buffer: inout, count: \"w * h\" }\n"
           "  - { name: w, value: \"w\" }\n  - { name: h, value: \"h\" }\n";
  C.Global = "\"w\"";
  C.Sizes = "{ w: 40, h: 20 }";
  C.Rewritten = Body;
  expectProved(C);
  for (auto [From, To] : {std::pair("y < h", "y < h - 1"),
                          {"y = 0", "y = 1"},
                          {"* 2.0f", "* 2.5f"},
                          {"out + y * w", "out + y * h"}}) {
    C.Rewritten = replaced(Body, From, To);
    EXPECT_FALSE(C.prove().proved()) << To;
  }
  // A fault in one iteration of one size.
  C.Rewritten = replaced(Body, "* 2.0f,", "* (y == 1000 ? 3.0f : 2.0f),");
  EXPECT_FALSE(C.prove().proved());
}

TEST(GenericLoop, NestedLoops) {
  Case C;
  C.Original = R"(
__kernel void k(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0), s = 0;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < y; ++x) s += a[y * n + x] ^ i;
  out[i] = s;
})";
  const std::string Body = R"(
__kernel void k_v(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0) * 4;
  int4 s = 0;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < y; ++x) s += a[y * n + x] ^ (i + (int4)(0, 1, 2, 3));
  vstore4(s, 0, out + i);
})";
  C.Args = "  - { name: a, buffer: in, count: \"n * n\" }\n"
           "  - { name: out, buffer: inout, count: \"n\" }\n  - { name: n, value: \"n\" }\n";
  C.Rewritten = Body;
  expectProved(C);
  for (auto [From, To] :
       {std::pair("x < y", "x <= y"), {"y * n + x", "y * n + y"}, {"0, 1, 2, 3", "0, 1, 3, 2"}}) {
    C.Rewritten = replaced(Body, From, To);
    EXPECT_FALSE(C.prove().proved()) << To;
  }
}

TEST(GenericLoop, SeveralExitsAreNotTried) {
  Case C;
  C.Original = R"(
__kernel void k(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0), j = 0;
  for (; j < n; ++j) if (a[j] == i) break;
  out[i] = j;
})";
  C.Rewritten = replaced(C.Original, "void k(", "void k_v(");
  C.Rewritten = replaced(C.Rewritten, "int n", "int n ");
  C.Args = "  - { name: a, buffer: in, count: \"n\" }\n"
           "  - { name: out, buffer: inout, count: \"n\" }\n  - { name: n, value: \"n\" }\n";
  C.Launches = blocksOf(2);
  expectReason(C, {Reason::LoopForm});
}

} // namespace
