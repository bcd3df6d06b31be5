//===-- test/passes/MergeArmsTest.cpp - the same value in both arms ---------===//

#include "Kernels.h"

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

} // namespace
} // namespace clmali::testing
