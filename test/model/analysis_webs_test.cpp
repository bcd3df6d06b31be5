//===-- test/model/analysis_webs_test.cpp - Polynomials, simplify, webs ---===//

#include "test/model/analysis_util.h"
#include <gtest/gtest.h>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

TEST(Poly, Arithmetic) {
  Poly X = Poly::symbol(0), W = Poly::symbol(1);
  Poly P = (X + Poly::constant(1)) * W * 3 + Poly::constant(7);
  EXPECT_EQ(P.coefficient(0), W * 3);
  EXPECT_EQ(P.coefficient(1), X * 3 + Poly::constant(3));
  EXPECT_EQ(P.constantTerm(), 7);
  EXPECT_EQ(P.degree(0), 1u);
  EXPECT_EQ((X * X).degree(0), 2u);
  EXPECT_TRUE((P - P).isZero());
  EXPECT_TRUE((P - P).isConstant());
  EXPECT_FALSE(P.isConstant());
  EXPECT_EQ(P.substitute(0, X + Poly::constant(1)) - P, W * 3);
  EXPECT_EQ((X * X).substitute(0, X + Poly::constant(1)), X * X + X * 2 + Poly::constant(1));
  EXPECT_TRUE(P.has(1));
  EXPECT_FALSE((P - P).has(1));
}

TEST(Poly, OverflowSaturates) {
  Poly Big = Poly::constant(INT64_MAX);
  EXPECT_EQ((Big + Big).constantTerm(), INT64_MAX);
  EXPECT_EQ((Big * -4).constantTerm(), INT64_MIN);
}

std::string simple(Builder &B, const Expr *E) { return dump(simplify(B.M, E)); }

TEST(Simplify, Sums) {
  Builder B;
  const Expr *X = B.r(B.temp("x"));
  EXPECT_EQ(simple(B, B.add(B.mul(X, B.i(16)), B.i(0))), "(x * 16)");
  EXPECT_EQ(simple(B, B.add(B.add(X, B.i(3)), B.i(4))), "(x + 7)");
  EXPECT_EQ(simple(B, B.add(B.add(X, B.i(3)), B.i(-4))), "(x - 1)");
  EXPECT_EQ(simple(B, B.sub(B.add(X, B.i(3)), B.i(3))), "x");
  EXPECT_EQ(simple(B, B.sub(X, X)), "0");
  EXPECT_EQ(simple(B, B.mul(B.add(X, B.i(1)), X)), "((x + 1) * x)");
  // INT_MAX + 1 does not fit the type: not joined.
  EXPECT_EQ(simple(B, B.add(B.add(X, B.i(INT32_MAX)), B.i(1))), "((x + 2147483647) + 1)");
  const Expr *U = B.r(B.temp("u", ScalarKind::UInt));
  EXPECT_EQ(simple(B, B.add(B.add(U, B.i(UINT32_MAX, ScalarKind::UInt)), B.i(1, ScalarKind::UInt))),
            "u");
}

TEST(Simplify, ConstantsWrapLikeC) {
  Builder B;
  auto U8 = [&](int64_t V) { return B.i(V, ScalarKind::UChar); };
  EXPECT_EQ(constantValue(B.add(U8(250), U8(10))), 4);
  EXPECT_EQ(constantValue(B.to(ScalarKind::Char, B.i(200))), -56);
  EXPECT_EQ(constantValue(B.op(Op::Div, B.i(-7), B.i(2))), -3);
  EXPECT_EQ(constantValue(B.op(Op::Rem, B.i(-7), B.i(2))), -1);
  EXPECT_EQ(constantValue(B.op(Op::Shr, B.i(-8), B.i(1))), -4);
  EXPECT_EQ(constantValue(B.op(Op::Shl, B.i(1), B.i(33))), 2); // modulo 32 in OpenCL
  EXPECT_EQ(constantValue(B.op(Op::Div, B.i(1), B.i(0))), std::nullopt);
  EXPECT_EQ(constantValue(B.add(B.i(INT32_MAX), B.i(1))), std::nullopt);
  EXPECT_EQ(constantValue(B.op(Op::Div, B.i(INT32_MIN), B.i(-1))), std::nullopt);
  EXPECT_EQ(constantValue(B.op(Op::GT, B.i(-1, ScalarKind::ULong), B.i(1, ScalarKind::ULong))), 1);
  EXPECT_EQ(constantValue(B.op(Op::LT, B.i(-1), B.i(1))), 1);
}

TEST(Simplify, Casts) {
  Builder B;
  const Expr *C = B.r(B.temp("c", ScalarKind::UChar));
  const Expr *X = B.r(B.temp("x"));
  EXPECT_EQ(simple(B, B.to(ScalarKind::Long, B.to(ScalarKind::Int, C))), "<long>c");
  EXPECT_EQ(simple(B, B.to(ScalarKind::Int, B.to(ScalarKind::Long, X))), "x");
  // Here the middle type loses bits.
  EXPECT_EQ(simple(B, B.to(ScalarKind::Int, B.to(ScalarKind::UChar, X))), "<int><uchar>x");
  EXPECT_EQ(simple(B, B.to(ScalarKind::Long, B.to(ScalarKind::UInt, X))), "<long><uint>x");
  EXPECT_EQ(simple(B, B.to(ScalarKind::Float, B.to(ScalarKind::UInt, X))), "<float><uint>x");
  // Floats: nothing that is not exact.
  EXPECT_EQ(simple(B, B.to(ScalarKind::Float, B.i(16777217))), "<float>16777217");
  const Expr *F = B.r(B.temp("f", ScalarKind::Float));
  EXPECT_EQ(simple(B, B.mul(F, B.f(1))), "(f * 1f)");
}

TEST(Simplify, Logic) {
  Builder B;
  const Expr *X = B.r(B.temp("x")), *F = B.r(B.temp("f", ScalarKind::Float));
  EXPECT_EQ(simple(B, B.both(B.i(1), B.lt(X, B.i(4)))), "(x < 4)");
  EXPECT_EQ(simple(B, B.both(B.i(1), X)), "(1 && x)"); // x is not 0 or 1
  EXPECT_EQ(simple(B, B.both(B.lt(X, B.i(4)), B.i(0))), "0");
  EXPECT_EQ(simple(B, B.M.unary(Op::LogicalNot, B.lt(X, B.i(4)))), "(x >= 4)");
  EXPECT_EQ(simple(B, B.M.unary(Op::LogicalNot, B.lt(F, B.f(4)))), "(!(f < 4f))");
  EXPECT_EQ(simple(B, B.M.select(B.lt(B.i(1), B.i(2)), X, B.i(9))), "x");
}

TEST(Simplify, Bits) {
  Builder B;
  const Expr *X = B.r(B.temp("x")), *Zero = B.i(0), *All = B.i(-1);
  EXPECT_EQ(simple(B, B.op(Op::Or, Zero, X)), "x");
  EXPECT_EQ(simple(B, B.op(Op::Or, X, Zero)), "x");
  EXPECT_EQ(simple(B, B.op(Op::Xor, Zero, X)), "x");
  EXPECT_EQ(simple(B, B.op(Op::And, Zero, X)), "0");
  EXPECT_EQ(simple(B, B.op(Op::And, All, X)), "x");
  EXPECT_EQ(simple(B, B.op(Op::And, X, All)), "x");
  EXPECT_EQ(simple(B, B.op(Op::And, X, X)), "x");
  EXPECT_EQ(simple(B, B.op(Op::Xor, X, X)), "(x ^ x)");
  EXPECT_EQ(simple(B, B.op(Op::Shl, X, Zero)), "x");
  EXPECT_EQ(simple(B, B.op(Op::Shl, Zero, X)), "(0 << x)");
  EXPECT_EQ(simple(B, B.op(Op::Div, X, B.i(1))), "x");
  EXPECT_EQ(simple(B, B.op(Op::Rem, X, B.i(1))), "0");
  EXPECT_EQ(simple(B, B.op(Op::Rem, B.i(1), X)), "(1 % x)");
}

TEST(Simplify, KeepsVolatile) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::Int);
  Access A = B.at(P, B.i(0));
  EXPECT_EQ(simple(B, B.mul(B.M.load(A), B.i(0))), "0");
  A.Volatile = true;
  EXPECT_EQ(simple(B, B.mul(B.M.load(A), B.i(0))), "(load p[0] volatile * 0)");
}

TEST(Simplify, Lanes) {
  Builder B;
  const Expr *X = B.r(B.temp("x", ScalarKind::Float)), *Y = B.r(B.temp("y", ScalarKind::Float));
  const Expr *V = B.r(B.temp("v", ScalarKind::Float, 2));
  const Expr *C = B.M.vectorCtor(B.ty(ScalarKind::Float, 4), {X, V, Y});
  EXPECT_EQ(simple(B, B.M.swizzle(C, {0})), "x");
  EXPECT_EQ(simple(B, B.M.swizzle(C, {2})), "(v).s1");
  EXPECT_EQ(simple(B, B.M.swizzle(B.M.swizzle(V, {1, 0}), {1, 0})), "v");
  const Expr *I = B.r(B.temp("i", ScalarKind::Int, 4));
  EXPECT_EQ(simple(B, B.add(I, B.M.intConst(0, I->Ty))), "i");
}

TEST(Webs, OneVariableForEachPurpose) {
  Builder B;
  Var *A = B.buffer("a"), *C = B.buffer("c");
  Var *T = B.temp("t", ScalarKind::Float);
  B.decl(T);
  B.assign(T, B.load(A, B.i(0)));
  B.store(C, B.i(0), B.r(T));
  B.assign(T, B.load(A, B.i(1)));
  B.store(C, B.i(1), B.r(T));
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), "kernel k(global float *a, global float *c)\n"
                      "  float t = load a[0]\n"
                      "  store c[0] = t\n"
                      "  float t_2 = load a[1]\n"
                      "  store c[1] = t_2\n");
}

TEST(Webs, JoinsAtBranches) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Int), *N = B.param("n");
  Var *T = B.temp("t");
  B.decl(T, B.i(1));
  B.branch(B.lt(B.r(N), B.i(4)), [&] { B.assign(T, B.i(2)); });
  B.store(C, B.i(0), B.r(T));
  B.branch(B.lt(B.r(N), B.i(8)), [&] { B.assign(T, B.i(3)); }, [&] { B.assign(T, B.i(4)); });
  B.store(C, B.i(1), B.r(T));
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), "kernel k(global int *c, int n)\n"
                      "  int t_2\n"
                      "  int t = 1\n"
                      "  if ((n < 4)) {\n"
                      "    t = 2\n"
                      "  }\n"
                      "  store c[0] = t\n"
                      "  if ((n < 8)) {\n"
                      "    t_2 = 3\n"
                      "  } else {\n"
                      "    t_2 = 4\n"
                      "  }\n"
                      "  store c[1] = t_2\n");
}

TEST(Webs, LoopsCarryDefinitionsRound) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Int), *N = B.param("n");
  Var *I = B.temp("i"), *S = B.temp("s");
  B.decl(I);
  B.decl(S, B.i(0));
  B.loop(I, B.i(0), B.r(N), 1, [&] { B.assign(S, B.add(B.r(S), B.r(I))); }, false);
  B.store(C, B.i(0), B.r(S));
  B.loop(I, B.i(5), B.r(N), 1, [&] { B.store(C, B.r(I), B.i(0)); }, false);
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), "kernel k(global int *c, int n)\n"
                      "  int s = 0\n"
                      "  for (int i = 0; (i < n); i = (i + 1)) {\n"
                      "    s = (s + i)\n"
                      "  }\n"
                      "  store c[0] = s\n"
                      "  for (int i_2 = 5; (i_2 < n); i_2 = (i_2 + 1)) {\n"
                      "    store c[i_2] = 0\n"
                      "  }\n");
}

TEST(Webs, UseInNextIterationKeepsTheWebTogether) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Int), *N = B.param("n");
  Var *I = B.temp("i"), *T = B.temp("t");
  B.decl(T, B.i(7));
  B.loop(I, B.i(0), B.r(N), 1, [&] {
    B.store(C, B.r(I), B.r(T)); // the last trip's 9, or 7
    B.assign(T, B.i(9));
  });
  std::string Before = B.text();
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), Before);
}

TEST(Webs, BreakReachesBehindTheLoop) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Int), *N = B.param("n");
  Var *T = B.temp("t");
  B.decl(T, B.i(7));
  B.whileLoop(B.lt(B.r(N), B.i(3)), [&] {
    B.branch(B.lt(B.r(N), B.i(1)), [&] {
      B.assign(T, B.i(9));
      B.put(B.M.newStmt(StmtKind::Break));
    });
    B.assign(T, B.i(1));
    B.store(C, B.i(0), B.r(T));
    B.assign(T, B.i(2));
  });
  B.store(C, B.i(1), B.r(T));
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), "kernel k(global int *c, int n)\n"
                      "  int t = 7\n"
                      "  while ((n < 3)) {\n"
                      "    if ((n < 1)) {\n"
                      "      t = 9\n"
                      "      break\n"
                      "    }\n"
                      "    int t_2 = 1\n"
                      "    store c[0] = t_2\n"
                      "    t = 2\n"
                      "  }\n"
                      "  store c[1] = t\n");
}

TEST(Webs, ContinueReachesTheNextRound) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Int), *N = B.param("n");
  Var *T = B.temp("t"), *I = B.temp("i");
  B.decl(T, B.i(7));
  B.loop(I, B.i(0), B.r(N), 1, [&] {
    B.store(C, B.r(I), B.r(T));
    B.branch(B.lt(B.r(N), B.i(1)), [&] {
      B.assign(T, B.i(9));
      B.put(B.M.newStmt(StmtKind::Continue));
    });
    B.assign(T, B.i(1));
    B.store(C, B.i(0), B.r(T));
    B.assign(T, B.i(2));
  });
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), "kernel k(global int *c, int n)\n"
                      "  int t = 7\n"
                      "  for (int i = 0; (i < n); i = (i + 1)) {\n"
                      "    store c[i] = t\n"
                      "    if ((n < 1)) {\n"
                      "      t = 9\n"
                      "      continue\n"
                      "    }\n"
                      "    int t_2 = 1\n"
                      "    store c[0] = t_2\n"
                      "    t = 2\n"
                      "  }\n");
}

TEST(Webs, ComponentsAreOneWeb) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Float, 2);
  Var *T = B.temp("t", ScalarKind::Float, 2);
  B.decl(T);
  for (uint8_t L : {0, 1})
    B.assign(T, B.f(L))->LaneIdx = {L};
  B.store(C, B.i(0), B.r(T));
  B.assign(T, B.load(C, B.i(1)));
  B.assign(T, B.f(3))->LaneIdx = {0};
  B.store(C, B.i(1), B.r(T));
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), "kernel k(global float2 *c)\n"
                      "  float2 t\n"
                      "  t.s0 = 0f\n"
                      "  t.s1 = 1f\n"
                      "  store c[0] = t\n"
                      "  float2 t_2 = load c[1]\n"
                      "  t_2.s0 = 3f\n"
                      "  store c[1] = t_2\n");
}

TEST(Webs, ParametersKeepTheirFirstValue) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Int), *N = B.param("n");
  B.store(C, B.i(0), B.r(N));
  B.assign(N, B.mul(B.r(N), B.i(2)));
  B.store(C, B.i(1), B.r(N));
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), "kernel k(global int *c, int n)\n"
                      "  store c[0] = n\n"
                      "  int n_2 = (n * 2)\n"
                      "  store c[1] = n_2\n");
}

TEST(Webs, DoWhileConditionIsOutsideTheBody) {
  Builder B;
  Var *C = B.buffer("c", ScalarKind::Int);
  Var *T = B.temp("t");
  B.decl(T);
  Stmt *L = B.whileLoop(B.lt(B.r(T), B.i(3)), [&] {
    B.assign(T, B.load(C, B.i(0)));
    B.store(C, B.i(1), B.r(T));
  });
  L->Form = Stmt::DoWhile;
  std::string Before = B.text();
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), Before); // `t` must be declared outside
}

TEST(Webs, OpaqueTextMayNameAnything) {
  Builder B;
  Var *T = B.temp("t");
  Var *C = B.buffer("c", ScalarKind::Int);
  B.decl(T, B.i(1));
  B.store(C, B.i(0), B.r(T));
  B.put(B.M.newStmt(StmtKind::Opaque));
  B.assign(T, B.i(2));
  B.store(C, B.i(0), B.r(T));
  std::string Before = B.text();
  splitLiveRanges(B.M, *B.K);
  EXPECT_EQ(B.text(), Before);
}

} // namespace
