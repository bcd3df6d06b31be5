//===-- test/passes/BuiltinsTest.cpp - use-builtins, strength-reduce, cleanup ----===//

#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

Launch oneDimension(uint64_t N, std::map<std::string, std::vector<uint8_t>> Buffers) {
  Launch L;
  L.Global = {N, 1, 1};
  L.Buffers = std::move(Buffers);
  return L;
}

Launch ints(uint64_t N = 64) {
  return oneDimension(N, {{"a", data<int>(N, 1, -300, 300)},
                          {"b", data<int>(N, 2, -300, 300)},
                          {"o", data<int>(N, 3, 0, 1)}});
}

/// Body computes with int v = a[i], w = b[i]; r is stored.
Source body(const std::string &Text) {
  return parse("kernel void k(global const int *a, global const int *b, global int *o) {\n"
               "  int i = get_global_id(0);\n  int v = a[i], w = b[i], r;\n" +
               Text + "\n  o[i] = r;\n}\n");
}

struct Hit {
  const char *Body, *Expected;
};

class BuiltinHit : public ::testing::TestWithParam<Hit> {};
TEST_P(BuiltinHit, BecomesABuiltin) {
  Source S = body(GetParam().Body);
  EXPECT_GT(useBuiltins({S.module(), *S.New}), 0u);
  EXPECT_NE(S.text().find(GetParam().Expected), std::string::npos) << S.text();
  expectSame(S, ints());
}
INSTANTIATE_TEST_SUITE_P(
    Integers, BuiltinHit,
    ::testing::Values(Hit{"r = v < w ? v : w;", "min(v, w)"}, Hit{"r = v > w ? v : w;", "max("},
                      Hit{"r = v >= w ? w : v;", "min("},
                      Hit{"r = v < 0 ? 0 : (v > 255 ? 255 : v);", "clamp(v, 0, 255)"},
                      Hit{"r = v > 255 ? 255 : (v < 0 ? 0 : v);", "clamp(v, 0, 255)"},
                      Hit{"r = min(max(v, 0), 255);", "clamp(v, 0, 255)"},
                      Hit{"r = v <= 254 ? v : 255;", "min(v, 255)"},
                      Hit{"r = v; if (r < 0) r = 0; if (r > 255) r = 255;", "clamp("},
                      Hit{"r = v; if (r < 0) r = 0; else if (r > 255) r = 255;", "clamp("},
                      Hit{"if (v < w) r = v; else r = w;", "min(v, w)"},
                      Hit{"r = v < 0 ? -v : v;", "abs(v)"},
                      Hit{"r = v > w ? v - w : w - v;", "abs_diff("},
                      Hit{"r = !(v < w) ? w : v;", "min("},
                      // A sum that cannot overflow.
                      Hit{"int n = (uchar)w; r = v >= n ? n - 1 : v;", "min("},
                      Hit{"int n = (uchar)w; r = n > 0 ? n - 1 : 0;", "max("}));

class BuiltinMiss : public ::testing::TestWithParam<const char *> {};
TEST_P(BuiltinMiss, StaysAsItIs) {
  Source S = body(GetParam());
  EXPECT_EQ(useBuiltins({S.module(), *S.New}), 0u) << S.text();
}
INSTANTIATE_TEST_SUITE_P(
    Integers, BuiltinMiss,
    ::testing::Values("r = (uint)v < (uint)w ? v : w;", // compared as unsigned
                      "r = v < w ? v : 0;",             // another choice
                      "r = v < 10 ? 0 : v;",            // not the bound
                      "r = v <= 253 ? v : 255;",        // leaves 254 out
                      "r = (uchar)v < w ? v : w;",      // another value
                      "r = v < 0 ? w : v;",
                      "r = v >= w ? w - 1 : v;",                   // w - 1 may wrap around
                      "r = v > 0 ? v - 1 : 0;",                    // so may v - 1
                      "uint u = (uchar)w; r = u > 0 ? u - 1 : 0;", // below 0 an uint is large
                      "r = (int)(v < w ? (float)v : (float)w);")); // floats: NaN

TEST(Builtins, ClampNeedsOrderedBounds) {
  Source S = body("r = v < 5 ? 5 : (v > 2 ? 2 : v);");
  useBuiltins({S.module(), *S.New});
  EXPECT_EQ(S.text().find("clamp"), std::string::npos) << S.text();
  expectSame(S, ints());
}

TEST(Builtins, FloatsStay) {
  Source S = parse("kernel void k(global float *o) { int i = get_global_id(0); float v = o[i];"
                   " if (v < 0.0f) v = 0.0f; o[i] = v > 1.0f ? 1.0f : v; }");
  EXPECT_EQ(useBuiltins({S.module(), *S.New}), 0u);
}

TEST(Builtins, NarrowVariable) {
  Source S = parse("kernel void k(global uchar *o) { int i = get_global_id(0); uchar v = o[i];"
                   " if (v > 200) v = 200; o[i] = v; }");
  EXPECT_EQ(useBuiltins({S.module(), *S.New}), 1u);
  expectSame(S, oneDimension(256, {{"o", data<uint8_t>(256, 1, 0, 256)}}));
}

TEST(Builtins, BoundBeyondTheVariable) {
  // 300 is no uchar: nothing may become min(v, 44).
  Source S = parse("kernel void k(global uchar *o) { int i = get_global_id(0); uchar v = o[i]; int "
                   "r = max((int)v, 7);"
                   " r = min(r, 300); o[i] = r; }");
  useBuiltins({S.module(), *S.New});
  expectSame(S, oneDimension(256, {{"o", data<uint8_t>(256, 1, 0, 256)}}));
}

//===----------------------------------------------------------------------===//

TEST(StrengthReduce, PowersOfTwo) {
  Source S =
      parse("kernel void k(global int *o) { uint i = get_global_id(0); o[i] = i / 16 + i % 8; }");
  EXPECT_EQ(strengthReduce({S.module(), *S.New}), 2u);
  EXPECT_EQ(S.text().find('/'), std::string::npos) << S.text();
  expectSame(S, oneDimension(100, {{"o", data<int>(100, 1, 0, 9)}}));
}

TEST(StrengthReduce, NegativeStays) {
  Source S = body("r = v / 16 + v % 8;");
  EXPECT_EQ(strengthReduce({S.module(), *S.New}), 0u);
}

TEST(StrengthReduce, VectorsByThree) {
  Source S =
      parse("kernel void k(global const uchar *a, global uchar *o) { int i = get_global_id(0) * 16;"
            " int16 s = convert_int16(vload16(0, a + i)) * 3; o[i] = 0;"
            " vstore16(convert_uchar16(s / 3), 0, o + i); }");
  EXPECT_EQ(strengthReduce({S.module(), *S.New}), 1u);
  EXPECT_EQ(S.text().find(" / "), std::string::npos) << S.text();
  expectSame(S, oneDimension(16, {{"a", data<uint8_t>(256, 1, 0, 256)},
                                  {"o", data<uint8_t>(256, 2, 0, 256)}}));
}

TEST(StrengthReduce, VectorsOfUnknownRange) {
  // Any uint: the multiplier must be right up to 2^32 - 1, or the division stays.
  Source S =
      parse("kernel void k(global const uint *a, global uint *o) { int i = get_global_id(0) * 4;"
            " vstore4(vload4(0, a + i) / 5u + vload4(0, a + i) / 7u, 0, o + i); }");
  strengthReduce({S.module(), *S.New});
  std::vector<uint8_t> Edge = data<uint32_t>(64, 1, 4294960000.0, 4294967295.0);
  expectSame(S, oneDimension(16, {{"a", Edge}, {"o", data<uint32_t>(64, 2, 0, 256)}}));
}

TEST(StrengthReduce, RemainderOfAQuotient) {
  Source S = parse(
      "kernel void k(global int *o, int w) { int i = get_global_id(0); int y = i / w, x = i % w;"
      " o[i] = y * 100 + x; }");
  EXPECT_EQ(strengthReduce({S.module(), *S.New}), 1u);
  EXPECT_EQ(S.text().find('%'), std::string::npos) << S.text();
  Launch L = oneDimension(50, {{"o", data<int>(50, 1, 0, 9)}});
  L.Scalars["w"] = {7};
  expectSame(S, L);
}

TEST(StrengthReduce, QuotientOfAnotherValue) {
  // i changes between the two.
  Source S = parse("kernel void k(global int *o, int w) { int i = get_global_id(0); int y = i / w;"
                   " for (int j = 0; j < 3; j++) i += j; o[get_global_id(0)] = y * 100 + i % w; }");
  strengthReduce({S.module(), *S.New});
  Launch L = oneDimension(50, {{"o", data<int>(50, 1, 0, 9)}});
  L.Scalars["w"] = {7};
  expectSame(S, L);
}

//===----------------------------------------------------------------------===//

TEST(Cleanup, DropsWhatNobodyReads) {
  Source S = parse(
      "kernel void k(global int *o) { int i = get_global_id(0); int unused = o[i] + 1; int t = i;"
      " int p[4]; p[0] = unused; if (t > 3) { } o[t] = t; }");
  EXPECT_GT(cleanup({S.module(), *S.New}), 0u);
  EXPECT_EQ(S.text().find("unused"), std::string::npos);
  EXPECT_EQ(S.text().find("if"), std::string::npos);
  EXPECT_EQ(S.text().find("p["), std::string::npos);
  expectSame(S, oneDimension(8, {{"o", data<int>(8, 1, 0, 9)}}));
}

TEST(Cleanup, KeepsCopiesOfWhatChanges) {
  Source S =
      parse("kernel void k(global int *o) { int i = get_global_id(0); int s = 0;"
            " for (int j = 0; j < 4; j++) { int before = s; s = s + j; o[i] = o[i] + before; } }");
  cleanup({S.module(), *S.New});
  expectSame(S, oneDimension(8, {{"o", data<int>(8, 1, 0, 9)}}));
}

TEST(Cleanup, JoinsDeclarations) {
  Source S = parse("kernel void k(global int *o) { int i = get_global_id(0), v; if (i > 2) v = "
                   "o[i]; else v = o[i]; o[i] = v + 1; }");
  EXPECT_GT(cleanup({S.module(), *S.New}), 0u);
  EXPECT_EQ(S.text().find("if"), std::string::npos) << S.text();
  expectSame(S, oneDimension(8, {{"o", data<int>(8, 1, 0, 9)}}));
}

TEST(Cleanup, KeepsDeclarationsOutsideOfLoops) {
  Source S = parse("kernel void k(global int *o) { int i = get_global_id(0), last; for (int j = 0; "
                   "j < 4; j++) { if (j > 0) o[i] += last; last = o[i] + j; } }");
  cleanup({S.module(), *S.New});
  expectSame(S, oneDimension(8, {{"o", data<int>(8, 1, 0, 9)}}));
}

TEST(Cleanup, BranchesThatDifferStay) {
  Source S = parse("kernel void k(global int *o) { int i = get_global_id(0), v; if (i > 2) v = "
                   "o[i]; else v = o[0]; o[i] = v + 1; }");
  cleanup({S.module(), *S.New});
  EXPECT_NE(S.text().find("if"), std::string::npos);
}

TEST(Cleanup, KeepsVolatile) {
  Source S = parse("kernel void k(global volatile int *o) { int unused = o[0]; }");
  EXPECT_EQ(cleanup({S.module(), *S.New}), 0u);
}

TEST(Cleanup, CloneSharesNothing) {
  Source S = parse(
      "kernel void k(global int *o, int n) { int i = get_global_id(0); if (i < n) o[i] = i; }");
  EXPECT_EQ(model::dump(*S.Old), model::dump(*S.New));
  for (size_t I = 0; I < S.Old->Vars.size(); ++I)
    EXPECT_NE(S.Old->Vars[I], S.New->Vars[I]);
  EXPECT_EQ(uniqueName(*S.New, "i"), "i_2");
  EXPECT_EQ(uniqueName(*S.New, "fresh"), "fresh");
}

/// The condition of the branch of a kernel with float2 f, g and floats p, q.
std::string tested(const std::string &Condition) {
  Source S = parse("kernel void k(global int *o, float2 f, float2 g, float p, float q) { if (" +
                   Condition + ") o[0] = 1; }");
  testComponents(S.module(), *S.New);
  for (const model::Stmt *St : S.New->Body)
    if (St->K == model::StmtKind::If)
      return model::dump(St->E);
  return "";
}

TEST(TestComponents, BecomeConditions) {
  EXPECT_EQ(tested("all(f < g)"), "(((f).s0 < (g).s0) && ((f).s1 < (g).s1))");
  EXPECT_EQ(tested("any(f * g + f < g)"),
            "(((((f).s0 * (g).s0) + (f).s0) < (g).s0) || ((((f).s1 * (g).s1) + (f).s1) < (g).s1))");
  EXPECT_EQ(tested("any(isless(f, g))"), "any(isless(f, g))");
}
TEST(TestComponents, ProductsDoNotBecomeSummands) {
  EXPECT_EQ(tested("all((float2)(p * q, p) + f < g)"), "all((((float2)((p * q), p) + f) < g))");
  EXPECT_EQ(tested("all((float2)(p + q, p) + f < g)"),
            "((((p + q) + (f).s0) < (g).s0) && ((p + (f).s1) < (g).s1))");
}

} // namespace
} // namespace clmali::testing
