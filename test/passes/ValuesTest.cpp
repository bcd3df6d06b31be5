//===-- test/passes/ValuesTest.cpp - values that are computed twice ------------===//

#include "Kernels.h"
#include "checks/model/ir/Traversal.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

/// Body gives v a value from l (0..15), x (0..63), n and a.
Source value(const std::string &Body) {
  Source S = parse("kernel void k(global const int *restrict a, global int *restrict o, int n) {\n"
                   "  int l = get_local_id(0), x = get_global_id(0);\n  int v;\n" +
                   Body + "\n  o[x] = v;\n}\n");
  normalize({S.module(), *S.New});
  return S;
}

void expectBranches(const std::string &Body, unsigned Merged, unsigned Branches) {
  Source S = value(Body);
  EXPECT_EQ(mergeArms({S.module(), *S.New}), Merged) << S.text();
  unsigned Found = 0;
  model::walk(S.New->Body, [&](model::Stmt *X) {
    Found += X->K == model::StmtKind::If;
    return true;
  });
  EXPECT_EQ(Found, Branches) << S.text();
  Launch L;
  L.Global = {64, 1, 1};
  L.Local = {16, 1, 1};
  L.Buffers = {{"a", data<int>(64, 1, -99, 99)}, {"o", data<int>(64, 2, 0, 1)}};
  L.Scalars = {{"n", {40}}};
  expectSame(S, L);
}

TEST(MergeArms, OneConditionForBoth) {
  expectBranches("if (l < 4) { if (x >= 4) v = a[x - 4]; else v = 0; }"
                 "else { if (x - 4 < n && x >= 4) v = a[x - 4]; else v = 0; }",
                 1, 1);
}

// The address is the same, though it is not written the same.
TEST(MergeArms, ByAddress) {
  expectBranches("if (l < 4) { if (x >= 4) v = a[x - 4]; else v = 0; }"
                 "else { if (x >= 4) v = a[x * 2 - 4 - x]; else v = 0; }",
                 1, 1);
}

TEST(MergeArms, ThroughVariables) {
  expectBranches("int u; if (l < 4) { int t; if (x >= 4) t = a[x - 4]; else t = 7; u = t; }"
                 "else { int t; if (x < n && x >= 4) t = a[x - 4]; else t = 7; u = t; } v = u;",
                 1, 1);
}

TEST(MergeArms, TurnedAround) {
  expectBranches("if (l < 4) { if (x >= 4) v = a[x - 4]; else v = 0; }"
                 "else { if (x < 4 || x >= n) v = 0; else v = a[x - 4]; }",
                 1, 1);
}

TEST(MergeArms, OneArmIsAValue) {
  expectBranches("if (x < n) { if (l < 4) v = a[x]; else v = 1; } else v = 1;", 1, 1);
  expectBranches("if (x < n) { if (l < 4) v = 1; else v = a[x]; } else v = 1;", 1, 1);
  expectBranches("if (x >= n) v = 1; else { if (l < 4) v = a[x]; else v = 1; }", 1, 1);
}

// Near misses: another address, another value next to it, a condition that loads, more than one
// value set.
TEST(MergeArms, OtherValues) {
  expectBranches("if (l < 4) { if (x >= 4) v = a[x - 4]; else v = 0; }"
                 "else { if (x >= 4) v = a[x - 3]; else v = 0; }",
                 0, 3);
  expectBranches("if (l < 4) { if (x >= 4) v = a[x - 4]; else v = 0; }"
                 "else { if (x >= 5) v = a[x - 4]; else v = 1; }",
                 0, 3);
  expectBranches("if (l < 4) { if (a[x] > 4) v = a[x]; else v = 0; }"
                 "else { if (a[x] > 5) v = a[x]; else v = 0; }",
                 0, 3);
  expectBranches("int w = 0; if (l < 4) { if (x >= 4) v = a[x - 4]; else v = 0; w = 1; }"
                 "else { if (x >= 5) v = a[x - 4]; else v = 0; } v += w;",
                 0, 3);
}

//===----------------------------------------------------------------------===//
// Shuffles, values that are computed twice, choices
//===----------------------------------------------------------------------===//

/// Body reads v and w, int4 of a and b, and writes o.
Source vectors(const std::string &Body) {
  return parse("kernel void k(global const int *a, global const int *b, global int *o, int n) {\n"
               "  int i = get_global_id(0); int4 v = vload4(i, a), w = vload4(i, b);\n" +
               Body + "\n}\n");
}

void expectSameOutput(const Source &S) {
  Launch L;
  L.Global = {16, 1, 1};
  L.Buffers = {{"a", data<int>(64, 1, -99, 99)},
               {"b", data<int>(64, 2, -99, 99)},
               {"o", data<int>(64, 3, 0, 1)}};
  L.Scalars = {{"n", {5}}};
  expectSame(S, L);
}

void expectComposed(const std::string &Body, unsigned Gone) {
  Source S = vectors(Body);
  EXPECT_EQ(composeShuffles(S.module(), *S.New), Gone) << Body;
  cleanup({S.module(), *S.New});
  expectSameOutput(S);
}

TEST(ComposeShuffles, LanesOfLanes) {
  expectComposed("int4 t = (int4)(v.s02, w.s02), u = (int4)(v.s13, w.s13);"
                 "vstore4((int4)(t.s0, u.s0, t.s1, u.s1), i, o);",
                 2);
  expectComposed("int4 t = (int4)(v.s32, w.s10); vstore2(t.s30, i, o);", 1);
  expectComposed("int4 t = (int4)(v.lo, w.hi); int4 u = (int4)(t.s31, t.s20); o[i] = u.s1 - u.s3;",
                 2);
  expectComposed("int4 t = (int4)(v.lo, w.hi); for (int k = 0; k < n; ++k) o[i] += t.s2 * k;", 1);
}

// Near misses: all of the vector is used, it changes, what it holds changes, it holds a value.
TEST(ComposeShuffles, KeepsVectors) {
  expectComposed("int4 t = (int4)(v.s02, w.s02); vstore4(t, i, o);", 0);
  expectComposed("int4 t = (int4)(v.s02, w.s02); t.s1 = n; o[i] = t.s1 + t.s2;", 0);
  expectComposed("int4 t = (int4)(v.s02, w.s02); v.s0 = n; o[i] = t.s0 + v.s0;", 0);
  expectComposed("int4 x = v; int4 t = (int4)(x.s02, w.s02); if (n > i) x = w; o[i] = t.s0 + x.s0;",
                 0);
  expectComposed("int4 t = (int4)(v.s02, n, 4); o[i] = t.s0 + t.s2;", 0);
}

void expectShared(const std::string &Body, unsigned Gone) {
  Source S = vectors(Body);
  EXPECT_EQ(shareValues(S.module(), *S.New), Gone) << Body;
  expectSameOutput(S);
}

TEST(ShareValues, OfAnyType) {
  expectShared("int4 x = v * w + n, y = v * w + n; vstore4(x - y.wzyx, i, o);", 1);
  expectShared("float x = (float)n * 0.3f, y = (float)n * 0.3f; o[i] = (int)(x + 2 * y);", 1);
  expectShared("int x = v.s1 - 128, y = v.s1 - 128; if (n > i) { int z = v.s1 - 128; o[i] = z; }"
               " else o[i] = x * y;",
               2);
}

// Near misses: another lane, another type, a variable that changes, a value of another branch, a
// load.
TEST(ShareValues, OtherValues) {
  expectShared("int x = v.s1 - 128, y = v.s2 - 128; o[i] = x * y;", 0);
  expectShared("int x = n + 3; uint y = n + 3; o[i] = x + (int)(y >> 1);", 0);
  expectShared("int m = n, x = m + 3; m = i; int y = m + 3; o[i] = x * y;", 0);
  expectShared("int4 m = v; int x = m.s0 + 3; m.s0 = i; int y = m.s0 + 3; o[i] = x * y;", 0);
  expectShared("if (n > i) { int x = n + 3; o[i] = x; } else { int y = n + 3; o[i] = 2 * y; }", 0);
  expectShared("int x = o[i] + 3; o[i] = n; int y = o[i] + 3; o[i + 16] = x * y;", 0);
}

// What a guard computes from the same things as its body is declared before it.
TEST(ShareValues, OfGuards) {
  expectShared("if (i * 3 + n >= 4 && n > 2) { int x = i * 3 + n; o[i] = x * x; }", 1);
  expectShared("if (n > 2 && (i + n) * 3 > 4) { int s = i + n, x = s * 3; o[i] = x + s; }", 2);
  expectShared("if (floor((float)n * 0.3f + 1) > 2.0f) { float f = (float)n * 0.3f + 1;"
               " float x = floor(f); o[i] = (int)(x * f); }",
               2);
  expectShared("if (v.s1 * 3 > n) { if (n > 2) { int x = v.s1 * 3 + 1; o[i] = x; } else {"
               " int x = v.s1 * 3; o[i] = x; } }",
               0);
}

// Near misses: the variable changes, what it is made of does, a load, a division that the guard
// protects, too little to share.
TEST(ShareValues, OtherValuesOfGuards) {
  expectShared("if (i * 3 + n >= 4) { int x = i * 3 + n; while (x > 9) x -= i + 2; o[i] = x; }", 0);
  expectShared("int m = n; if (i * 3 + m >= 4) { m = i; int x = i * 3 + m; o[i] = x; }", 0);
  expectShared("if (n > 2 && o[i] * 3 + n > 4) { o[i] = n; int x = o[i] * 3 + n; o[i + 16] = x; }",
               0);
  expectShared("if (n != 5 && 3 + i / (n - 5) > 4) { int x = 3 + i / (n - 5); o[i] = x; }", 0);
  expectShared("int m; if (i * 3 + n >= 4) { if (n > 2) m = i; else m = n; int x = m * 3 + n;"
               " o[i] = x; }",
               0);
  expectShared("if (i + n >= 4) { int x = i + n; o[i] = x; }", 0);
}

/// Body calls helpers; Calls of them are found again after the passes.
void expectCalls(const std::string &Body, unsigned Calls) {
  Source S =
      parse("int far(int x) { if (x < -9) return x * x + 1; return x > 9 ? 3 * x : 0; }\n"
            "float curve(float x) { float a = fabs(x); a *= a; return a * 0.5f - 1.0f; }\n"
            "int parts(int a, int b) { return b == 0 ? -1 : a / b + a % b; }\n"
            "int pick(int a, int b) { return a > 2 ? b * 3 + 2 * a - 1 : 0; }\n"
            "int sq(int x) { return x * x; }\n"
            "int ids(int x) { return x * 3 + get_global_id(0) / 2; }\n"
            "int sums(int x) { int s = 0; for (int k = 0; k < x; ++k) s += k * x; return s; }\n"
            "kernel void k(global const int *a, global int *o, int n) {\n"
            "  int i = get_global_id(0), v = a[i];\n" +
            Body + "\n}\n");
  normalize({S.module(), *S.New});
  cleanup({S.module(), *S.New});
  EXPECT_EQ(callHelpers(S.module(), *S.New, S.New->Helpers), Calls) << S.text();
}

TEST(CallHelpers, Scalars) {
  expectCalls("o[i] = far(v) + far(v + n);", 2);
  expectCalls("float f = curve(v * 0.3f); o[i] = (int)(f * f);", 1);
  expectCalls("o[i] = far(far(v));", 2);
  expectCalls("o[i] = parts(v, n) + pick(n, a[i]);", 2);
  expectCalls("int2 w = vload2(0, a); if (n == 0) w.x = -1; else w.x = v / n + v % n;"
              "vstore2(w, i, o); parts(0, n);",
              1);
}

// Near misses: a load that the call would make in any case, too little to call, ids, a loop.
TEST(CallHelpers, OtherValues) {
  expectCalls("o[i] = n > 2 ? a[i + n] * 3 + 2 * n - 1 : 0; parts(0, n); pick(n, v);", 0);
  expectCalls("o[i] = sq(v) + n;", 0);
  expectCalls("o[i] = ids(v);", 0);
  expectCalls("o[i] = sums(v & 3);", 0);
  expectCalls("int2 w = vload2(0, a); if (n == 0) w.x = -1; else w.y = v / n + v % n;"
              "vstore2(w, i, o); parts(0, n);",
              0);
  expectCalls("o[i] = v < -9 ? v * v + 1 : v > 9 ? 2 * v : 0;", 0);
}

/// Found is how many remainders normalize() makes.
void expectRemainders(const std::string &Body, unsigned Found) {
  Source S = vectors(Body);
  normalize({S.module(), *S.New});
  unsigned Made = 0;
  for (model::ExprAt X : model::exprs(S.New->Body))
    Made += X->K == model::ExprKind::Binary && X->O == model::Op::Rem;
  EXPECT_EQ(Made, Found) << S.text();
  expectSameOutput(S);
}

TEST(Normalize, RemaindersByHand) {
  expectRemainders("o[i] = i - i / 3 * 3;", 1);
  expectRemainders("int q = i / 3, c = i - 3 * q; o[i] = c + q;", 1);
  expectRemainders("uint u = a[i], q = u / 7u, p = q * 7u, c = u - p; o[i] = c;", 1);
  expectRemainders("int s = a[i]; if (n > 0) { int q = s / n; o[i] = s - q * n; }", 1);
}

// Near misses: another divisor, another dividend, one that changes, a sum.
TEST(Normalize, OtherDifferences) {
  expectRemainders("o[i] = i - i / 3 * 4;", 0);
  expectRemainders("o[i] = i - (i + 1) / 3 * 3;", 0);
  expectRemainders("int q = i / 3; if (n > 2) q = 1; o[i] = i - q * 3;", 0);
  expectRemainders("int m = i, q = m / 3; for (int k = 0; k < n; ++k) m += k; o[i] = m - q * 3;",
                   0);
  expectRemainders("uint u = i; o[i] = i - (int)(u / 3u) * 3;", 0);
  expectRemainders("o[i] = i + i / 3 * 3;", 0);
}

/// Branches is how many are left after cleanup().
void expectChoices(const std::string &Body, unsigned Branches) {
  Source S = vectors(Body);
  cleanup({S.module(), *S.New});
  unsigned Found = 0;
  for (const model::Stmt *X : model::stmts(S.New->Body))
    Found += X->K == model::StmtKind::If;
  EXPECT_EQ(Found, Branches) << S.text();
  expectSameOutput(S);
}

TEST(Cleanup, BranchesThatChooseAValue) {
  expectChoices("int t; if (n > i) t = v.s0; else t = w.s0 + 7; o[i] = t;", 0);
  expectChoices("int t; if (n > i) t = 3; else { if (n < 9) t = i; else t = -i; } o[i] = t;", 0);
  expectChoices("float t; if (n > i) t = i * 0.5f; else t = 1; o[i] = (int)t;", 0);
}

// Near misses: an arm loads, divides, sets another variable or more than one, or does nothing.
TEST(Cleanup, BranchesThatDoMore) {
  expectChoices("int t; if (n > i) t = a[i + 1]; else t = 7; o[i] = t;", 1);
  expectChoices("int t; if (n > i) t = 9 / (n - i); else t = 7; o[i] = t;", 1);
  expectChoices("int t = 1, u = 2; if (n > i) t = v.s0; else u = v.s0; o[i] = t - u;", 1);
  expectChoices("int t, u = 2; if (n > i) { t = v.s0; u = i; } else t = 4; o[i] = t - u;", 1);
  expectChoices("int t = 4; if (n > i) t = v.s0; o[i] = t;", 1);
}

TEST(Cleanup, ChoicesOfWhatStandsBefore) {
  auto Assignments = [](const std::string &Body) {
    Source S = vectors(Body);
    cleanup({S.module(), *S.New});
    expectSameOutput(S);
    unsigned Found = 0;
    for (const model::Stmt *X : model::stmts(S.New->Body))
      Found += X->K == model::StmtKind::Assign;
    return Found;
  };
  EXPECT_EQ(Assignments("int t = -i; t = n > i ? n : t; o[i] = t;"), 0u);
  EXPECT_EQ(Assignments("int t = -i; t = n > i ? t : n; o[i] = t;"), 0u);
  // The condition or the value reads it, too, or something stands between.
  EXPECT_EQ(Assignments("int t = n - i; if (n < 9) t = t > 1 ? n : t; o[i] = t;"), 1u);
  EXPECT_EQ(Assignments("int t = -i; if (n < 9) t = n; t = n > i ? n + 1 : t; o[i] = t;"), 1u);
}

} // namespace
} // namespace clmali::testing
