//===-- test/passes/LanesTest.cpp - what lanes are made of ------------------===//
//
// The rules of rewriters/lanes, each once: which integers wrap, which are polynomials, which are
// linear in the lane; how operations are made for all lanes, and for one component of vectors.

#include "Kernels.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Components.h"
#include "rewriters/lanes/Linear.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/lanes/Pieces.h"
#include "rewriters/lanes/Polynomials.h"

namespace clmali::testing {
namespace {

using namespace rewrite;
using namespace model;

/// A kernel with integers x, w and u (unsigned), and an expression of it.
struct Expression {
  explicit Expression(const std::string &Text, const std::string &Type = "long")
      : S(parse("kernel void k(global " + Type +
                " *o, int x, int w, uint u, global uchar *b) { o[0] = " + Text + "; }")) {
    for (const Stmt *St : stmts(S.New->Body))
      if (St->K == StmtKind::Store)
        E = St->E;
    while (E && E->K == ExprKind::Cast && E->Implicit)
      E = E->Ops[0];
  }
  Source S;
  const Expr *E = nullptr;
};

/// The limit on ids under which Text is exact; 0: without one; -1: it is not.
int64_t limitOf(const std::string &Text, IdSpace Ids = {}) {
  Expression X(Text);
  int64_t Limit = 0;
  ExactInts Ints(Ids, [](const Var *) { return nullptr; }, nullptr, Limit);
  return Ints.isExact(X.E) ? Limit : -1;
}

const std::string Id = "(uint)get_global_id(0)";
constexpr int64_t TwoTo26 = int64_t(1) << 26, TwoTo30 = int64_t(1) << 30,
                  TwoTo31 = int64_t(1) << 31;

TEST(ExactInts, SignedOverflowIsUndefined) {
  EXPECT_EQ(limitOf("x + 1"), 0);
  EXPECT_EQ(limitOf("x * w"), 0);
  EXPECT_EQ(limitOf("-x"), 0);
}
TEST(ExactInts, ShiftsDropBits) {
  EXPECT_EQ(limitOf("x << 1"), -1);
  EXPECT_EQ(limitOf("(int)b[0] << 4"), 0);
  EXPECT_EQ(limitOf("(int)b[0] << 33"), -1);
  EXPECT_EQ(limitOf("(int)b[0] << x"), -1);
}
TEST(ExactInts, UnsignedWrapsUnlessRangesShowThatItDoesNot) {
  EXPECT_EQ(limitOf("u + 1u"), -1);
  EXPECT_EQ(limitOf("u - 1u"), -1);
  EXPECT_EQ(limitOf("(uint)b[0] * 3u + 1u"), 0);
  EXPECT_EQ(limitOf("(uint)b[0] - 1u"), -1);
}
TEST(ExactInts, IdsHaveALimit) {
  EXPECT_EQ(limitOf(Id + " + 15u"), TwoTo31);
  EXPECT_EQ(limitOf(Id + " * 4u"), TwoTo30);
  EXPECT_EQ(limitOf(Id + " * 64u"), TwoTo26);
  EXPECT_EQ(limitOf(Id + " * 256u"), TwoTo26 / 4);
  EXPECT_EQ(limitOf(Id + " * 1024u"), -1);
  EXPECT_EQ(limitOf(Id + " * 1000003u"), -1);
  EXPECT_EQ(limitOf(Id + " - 5001u"), -1);
  EXPECT_EQ(limitOf("get_global_id(0) * get_global_id(1)"), -1);
}
TEST(ExactInts, ConversionsKeepWhatTheTypeHolds) {
  EXPECT_EQ(limitOf("(long)x"), 0);
  EXPECT_EQ(limitOf("(ulong)x"), -1);
  EXPECT_EQ(limitOf("(int)u"), -1);
  EXPECT_EQ(limitOf("(int)get_global_id(0)"), TwoTo31);
  EXPECT_EQ(limitOf("(int)(u & 1023u)"), 0);
}
TEST(ExactInts, IdsOfBlocksAreFewer) {
  EXPECT_EQ(limitOf(Id + " * 16u", {{16, 1, 1}, {}}), TwoTo31);
  EXPECT_EQ(limitOf("(uint)get_global_id(1) * 16u", {{16, 1, 1}, {}}), TwoTo31 / 8);
}
TEST(ExactInts, LocalIdsAreBelowTheLocalSize) {
  EXPECT_EQ(limitOf("(uint)get_local_id(0) * 1000003u", {{1, 1, 1}, {64, 1, 1}}), TwoTo31);
  EXPECT_EQ(limitOf("(uint)get_local_id(0) * 1000003u"), -1);
}

/// Both as polynomials of one kind.
enum class Kind { Of, Exact, Address };
bool sameAs(const std::string &X, const std::string &Y, Kind K) {
  // Two values of one kernel: its symbols are the same.
  Expression E("(" + X + ") + (" + Y + ") * 3");
  const Expr *A = E.E->Ops[0], *B = E.E->Ops[1]->Ops[0];
  int64_t Limit = 0;
  Polynomials P({}, Limit);
  auto Index = [](const Expr *I) {
    Access Acc;
    Acc.Index = {I};
    Acc.Stride = {1};
    return Acc;
  };
  if (K == Kind::Address)
    return P.address(Index(A)) == P.address(Index(B));
  return K == Kind::Of ? P.of(A) == P.of(B) : P.exact(A) == P.exact(B);
}

TEST(Polynomials, SumsOfOneWidth) {
  EXPECT_TRUE(sameAs("(long)(x + 3)", "(long)x + 3", Kind::Of));
  EXPECT_TRUE(sameAs("(long)(x + 3)", "(long)x + 3", Kind::Exact));
  EXPECT_FALSE(sameAs("(long)(x + 3)", "(long)x + 2", Kind::Exact));
}
TEST(Polynomials, WhatWrapsBeforeItIsWidened) {
  EXPECT_FALSE(sameAs("(long)(u - 1u) + 1", "(long)u", Kind::Of));
  EXPECT_FALSE(sameAs("(long)(u - 1u) + 1", "(long)u", Kind::Exact));
  EXPECT_TRUE(sameAs("(long)(u - 1u) + 1", "(long)u", Kind::Address));
}
TEST(Polynomials, WhatWrapsAndIsCutComesOutRight) {
  EXPECT_TRUE(
      sameAs("(long)(int)(get_global_id(0) - 1)", "(long)(int)get_global_id(0) - 1", Kind::Exact));
  EXPECT_FALSE(sameAs("(long)(int)(get_global_id(0) * 1000003)",
                      "(long)(int)get_global_id(0) * 1000003", Kind::Exact));
}
TEST(Polynomials, AGroupsFirstIdIsAnId) {
  EXPECT_TRUE(sameAs("(long)(int)(get_group_id(0) * get_local_size(0))",
                     "(long)get_group_id(0) * (long)get_local_size(0)", Kind::Exact));
  EXPECT_FALSE(sameAs("(long)(int)(get_group_id(0) * get_local_size(1))",
                      "(long)get_group_id(0) * (long)get_local_size(1)", Kind::Exact));
}

TEST(Linear, StridesAreSumsOfThoseOfTheOperands) {
  auto Stride = [](const std::string &Text, int64_t X, int64_t Y) {
    Expression E(Text);
    return strideOf(E.E, {X, Y}).value_or(-99);
  };
  EXPECT_EQ(Stride("x + w", 1, 2), 3);
  EXPECT_EQ(Stride("x - w", 1, 1), 0);
  EXPECT_EQ(Stride("x * 5", 2, 0), 10);
  EXPECT_EQ(Stride("7 * x", 0, 1), 7);
  EXPECT_EQ(Stride("x << 3", 1, 0), 8);
  EXPECT_EQ(Stride("x << 20", 1, 0), -99);
  EXPECT_EQ(Stride("x * w", 1, 0), -99);
  EXPECT_EQ(Stride("x / 2", 2, 0), -99);
  EXPECT_EQ(Stride("x * 4194304", 1, 0), -99);
}
TEST(Linear, OnlyTheLowBitsOfAnIndexMatter) {
  Expression Wide("(ulong)(u + 1u)"), Narrow("(int)(get_global_id(0) + 1)"), Quotient("u / 3u");
  EXPECT_TRUE(extends(Wide.E, AllBits));
  EXPECT_FALSE(extends(Wide.E, IndexBits));
  EXPECT_FALSE(extends(Narrow.E, AllBits));
  EXPECT_EQ(bitsUsedOfOperands(Narrow.E, AllBits), 32u);
  EXPECT_EQ(bitsUsedOfOperands(Quotient.E, IndexBits), AllBits);
}

//===----------------------------------------------------------------------===//
// Operations on all lanes
//===----------------------------------------------------------------------===//

/// The operation Text of scalars a to d (float), x, y (int), l (long), u (uint), c (uchar), s
/// (short) for four lanes. Operands named va, vx ... are vectors, others the same in all lanes.
class ForLanes {
public:
  explicit ForLanes(const std::string &Text)
      : S(parse(
            "kernel void k(global float *of, global int *oi, float a, float b, float c, float d,"
            " float va, float vb, int x, int y, int vx, int vy, long l, long vl, uint u,"
            " uchar vc, short vs) { " +
            Text + "; }")) {}

  std::string text() {
    const Stmt *Last = nullptr;
    for (const Stmt *St : stmts(S.New->Body))
      if (St->K == StmtKind::Store)
        Last = St;
    std::optional<LaneVal> V = Last ? eval(Last->E) : std::nullopt;
    return V ? dump(LaneConverter(S.module(), Lanes).toVector(*V, Last->E->Ty)) : "refused";
  }

private:
  static constexpr unsigned Lanes = 4;
  Source S;

  std::optional<LaneVal> eval(const Expr *E) {
    Module &M = S.module();
    if (E->K == ExprKind::VarRef) {
      if (E->V->Name[0] != 'v')
        return LaneVal{LaneVal::Uniform, E};
      return LaneVal{LaneVal::Vector,
                     M.ref(M.newVar(Var::Temp, E->V->Name, M.value(E->Ty->Scalar, Lanes)))};
    }
    if (E->Ops.empty())
      return LaneVal{LaneVal::Uniform, E};
    llvm::SmallVector<LaneVal, 3> Ops;
    for (const Expr *X : E->Ops) {
      std::optional<LaneVal> V = eval(X);
      if (!V)
        return V;
      Ops.push_back(*V);
    }
    auto NoHold = [](const Expr *, llvm::StringRef) -> const Expr * { return nullptr; };
    return LaneOperations(M, Lanes, NoHold).combine(E, Ops, {LaneVal::Vector});
  }
};
std::string lanes(const std::string &Text) { return ForLanes(Text).text(); }

TEST(Operations, ProductsStayInTheirSums) {
  EXPECT_EQ(lanes("of[0] = va + a * b"), "(va + ((float4)a * (float4)b))");
  EXPECT_EQ(lanes("of[0] = va - -(a * b)"), "(va - (-((float4)a * (float4)b)))");
  EXPECT_EQ(lanes("of[0] = va + a"), "(va + (float4)a)");
  EXPECT_EQ(lanes("of[0] = va * (a * b)"), "(va * (float4)(a * b))");
}
TEST(Operations, ConversionsToSmallIntegersGoThroughInt) {
  EXPECT_EQ(lanes("oi[0] = (uchar)va"), "(int4)(uchar4)(int4)va");
  EXPECT_EQ(lanes("oi[0] = (int)va"), "(int4)va");
  EXPECT_EQ(lanes("oi[0] = (uchar)vx"), "(int4)(uchar4)vx");
}
TEST(Operations, AmountsOfShiftsHaveTheTypeOfWhatIsShifted) {
  EXPECT_EQ(lanes("oi[0] = vl << vx"), "(int4)(vl << (long4)vx)");
  EXPECT_EQ(lanes("oi[0] = vx << vl"), "(vx << (int4)vl)");
  EXPECT_EQ(lanes("oi[0] = vx << y"), "(vx << (int4)y)");
  EXPECT_EQ(lanes("oi[0] = x << vl"), "((int4)x << (int4)vl)");
}
TEST(Operations, TruthValuesAreMasks) {
  EXPECT_EQ(lanes("oi[0] = vx < y"), "((vx < (int4)y) & (int4)1)");
  EXPECT_EQ(lanes("of[0] = vx < y ? va : b"), "((vx < (int4)y) ? va : (float4)b)");
  EXPECT_EQ(lanes("of[0] = vx < y && va < b ? va : b"),
            "(((vx < (int4)y) & (va < (float4)b)) ? va : (float4)b)");
  EXPECT_EQ(lanes("oi[0] = !vx"), "((~(vx != (int4)0)) & (int4)1)");
}
TEST(Operations, FunctionsThatRoundDifferentlyAreRefused) {
  EXPECT_EQ(lanes("of[0] = fabs(va)"), "fabs(va)");
  EXPECT_EQ(lanes("of[0] = exp(va)"), "refused");
}

/// The lanes Parts, which were put together, as a summand.
std::string summand(const std::string &Parts) {
  Source S = parse("kernel void k(global float4 *o, float a, float b, float c, float2 v) {"
                   " o[0] += (float4)(" +
                   Parts + "); }");
  Module &M = S.module();
  for (const Stmt *St : stmts(S.New->Body))
    if (St->K == StmtKind::Store) {
      const Expr *E = LaneConverter(M, 4).toSummand({LaneVal::Vector, St->E->Ops[1]},
                                                    M.value(ScalarKind::Float));
      return E ? dump(E) : "refused";
    }
  return "";
}
TEST(Operations, LanesThatArePutTogetherStayProducts) {
  EXPECT_EQ(summand("a * b, b * c, a * c, a * a"), "((float4)(a, b, a, a) * (float4)(b, c, c, a))");
  EXPECT_EQ(summand("-(a * b), -(a * c), -(b * c), -(c * c)"),
            "(-((float4)(a, a, b, c) * (float4)(b, c, c, c)))");
  EXPECT_EQ(summand("a * b, b * c, a * c, -(a * a)"), "refused");
  EXPECT_EQ(summand("a * b, a * c, a * b, a * c"), "((float4)a * (float4)(b, c, b, c))");
  EXPECT_EQ(summand("a * b, b, a + c, c * b"), "refused");
  EXPECT_EQ(summand("v * a, v * b"), "((v).s0101 * (float4)(<float2>a, <float2>b))");
  EXPECT_EQ(summand("v * a, v"), "refused");
  EXPECT_EQ(summand("a, b, c, a"), "(float4)(a, b, c, a)");
  EXPECT_EQ(summand("v, v"), "(float4)(v, v)");
}

//===----------------------------------------------------------------------===//
// One component of vectors
//===----------------------------------------------------------------------===//

/// Component y of the vector Text of f, g (float2), s, t (short2), p (float). Products are h.
std::string component(const std::string &Text) {
  Source S = parse("kernel void k(global float2 *of, global short2 *os, global int2 *oi, float2 f,"
                   " float2 g, short2 s, short2 t, float p, float q) { " +
                   Text + "; }");
  Module &M = S.module();
  for (const Stmt *St : stmts(S.New->Body)) {
    if (St->K != StmtKind::Store)
      continue;
    Components Of(
        M,
        [&](const Expr *X, unsigned L) -> const Expr * {
          return X->K == ExprKind::VarRef ? M.swizzle(X, {uint8_t(L)}) : nullptr;
        },
        [&](const Expr *P) { return M.ref(M.newVar(Var::Temp, "h", P->Ty)); });
    const Expr *E = Of.component(St->E, 1);
    return Of.failed() ? "refused" : dump(E);
  }
  return "";
}

TEST(Components, ProductsThatWereNoSummandsAreHeld) {
  EXPECT_EQ(component("of[0] = f * g + f"), "(((f).s1 * (g).s1) + (f).s1)");
  EXPECT_EQ(component("of[0] = (f * g).yx + f"), "(h + (f).s1)");
  EXPECT_EQ(component("of[0] = (float2)(p, p * q) + f"), "(h + (f).s1)");
  EXPECT_EQ(component("of[0] = p * q + f"), "(h + (f).s1)");
  EXPECT_EQ(component("of[0] = (float2)(p, p + q) + f"), "((p + q) + (f).s1)");
}
TEST(Components, SmallIntegersKeepTheirWidth) {
  EXPECT_EQ(component("os[0] = s * t"), "(short)(<int>(s).s1 * <int>(t).s1)");
  EXPECT_EQ(component("os[0] = s + (s << t)"),
            "(short)(<int>(s).s1 + <int>(short)(<int>(s).s1 << <int>((t).s1 & (short)15)))");
  EXPECT_EQ(component("os[0] = s >> (short)3"), "(short)(<int>(s).s1 >> <int>(short)3)");
  EXPECT_EQ(component("os[0] = s >> (short)17"), "(short)(<int>(s).s1 >> (<int>(short)17 & 15))");
  EXPECT_EQ(component("oi[0] = convert_int2(s) << convert_int2(t)"),
            "((int)(s).s1 << (int)(t).s1)");
}
TEST(Components, ComparisonsAreMinusOne) {
  EXPECT_EQ(component("os[0] = s < t"), "(short)(-((s).s1 < (t).s1))");
  EXPECT_EQ(component("of[0] = (f < g) & (f > 0.0f) ? f : g"),
            "((((f).s1 < (g).s1) && ((f).s1 > 0.0f)) ? (f).s1 : (g).s1)");
  EXPECT_EQ(component("of[0] = convert_int2(s) ? f : g"),
            "(((s).s1 < (short)0) ? (f).s1 : (g).s1)");
}
TEST(Components, WhatHasNoScalarFormIsRefused) {
  EXPECT_EQ(component("of[0] = exp(f)"), "refused");
  EXPECT_EQ(component("oi[0] = as_int2(f)"), "as_int((f).s1)");
  EXPECT_EQ(component("os[0] = as_short2(p)"), "refused");
}

//===----------------------------------------------------------------------===//
// Lengths of vectors
//===----------------------------------------------------------------------===//

TEST(Pieces, AreAsLongAsVectors) {
  EXPECT_EQ(pieceLength(1), 1u);
  EXPECT_EQ(pieceLength(3), 2u);
  EXPECT_EQ(pieceLength(15), 8u);
  EXPECT_EQ(pieceLength(40), 16u);
  EXPECT_EQ(pieceLength(7, 3), 2u);
  EXPECT_EQ(accessLength(3), 3u);
  EXPECT_EQ(accessLength(3, 2), 2u);
  EXPECT_EQ(accessLength(7), 4u);
}
TEST(Pieces, RunsOfOneVectorAreSwizzledTogether) {
  Source S = parse("kernel void k(global float *o, float4 v, float8 w, float x) { o[0] = 0; }");
  Module &M = S.module();
  auto Of = [&](const std::string &Lanes) { // two letters for each: vector and lane
    std::map<char, const Expr *> Vectors;
    for (Var *P : S.New->Params)
      Vectors[P->Name[0]] = M.ref(P);
    llvm::SmallVector<LaneOf, 16> All;
    for (size_t I = 0; I < Lanes.size(); I += 2)
      All.push_back({Vectors[Lanes[I]], uint8_t(Lanes[I + 1] - '0')});
    return dump(gatherLanes(M, All));
  };
  EXPECT_EQ(Of("v0v1v2v3"), "v");
  EXPECT_EQ(Of("v1v1"), "(v).s11");
  EXPECT_EQ(Of("w5w6w7"), "(w).s567");
  EXPECT_EQ(Of("w5w6w7v0"), "(float4)((w).s56, (w).s7, (v).s0)");
  EXPECT_EQ(Of("x0x0v0v1"), "(float4)(x, x, (v).s01)");
}
TEST(Pieces, PartsArePutTogether) {
  Source S = parse("kernel void k(global float4 *o, float4 v, float2 w, float x) {"
                   " o[0] = (float4)(v.x, v.y, v.z, x); o[1] = (float4)(w, v.x, v.w);"
                   " o[2] = (float4)(w, w); o[3] = (float4)(v.zw, v.xy); }");
  std::string All;
  for (const Stmt *St : stmts(S.New->Body))
    if (St->K == StmtKind::Store)
      All += dump(putTogether(S.module(), St->E->Ops)) + "; ";
  EXPECT_EQ(All, "(float4)((v).s01, (v).s2, x); (float4)(w, (v).s03); (w).s0101; (v).s2301; ");
}

} // namespace
} // namespace clmali::testing
