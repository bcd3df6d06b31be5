//===-- test/model/analysis_range_test.cpp - Value ranges -----------------===//

#include "test/model/analysis_util.h"
#include <gtest/gtest.h>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace clmali::model {
void PrintTo(const Range &R, std::ostream *OS) { *OS << "[" << R.Lo << ", " << R.Hi << "]"; }
} // namespace clmali::model

namespace {

constexpr Range IntRange{INT32_MIN, INT32_MAX};

/// The range of E in a kernel that computes nothing else.
Range rangeOfExpr(Builder &B, const Expr *E) {
  Var *T = B.temp("result");
  T->Ty = E->Ty;
  B.decl(T, E);
  return KernelAnalysis(B.M, *B.K).range(T);
}

TEST(Range, Types) {
  EXPECT_EQ(rangeOf(ScalarKind::Char), (Range{-128, 127}));
  EXPECT_EQ(rangeOf(ScalarKind::UShort), (Range{0, 65535}));
  EXPECT_EQ(rangeOf(ScalarKind::Bool), (Range{0, 1}));
  EXPECT_EQ(narrowest({0, 200}), ScalarKind::UChar);
  EXPECT_EQ(narrowest({-1, 200}), ScalarKind::Short);
  EXPECT_EQ(narrowest({0, 40000}), ScalarKind::UShort);
  EXPECT_EQ(narrowest({0, int64_t(1) << 33}), ScalarKind::Long);
}

TEST(Range, FilterSumOfBytes) {
  // -p[0] - p[1] + 9 * p[2] over uchar
  Builder B;
  Var *P = B.buffer("p", ScalarKind::UChar);
  auto At = [&](int I) { return B.to(ScalarKind::Int, B.load(P, B.i(I))); };
  const Expr *E = B.add(B.sub(B.M.unary(Op::Neg, At(0)), At(1)), B.mul(B.i(9), At(2)));
  EXPECT_EQ(rangeOfExpr(B, E), (Range{-510, 2295}));
}

TEST(Range, MixedValues) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::UChar);
  auto Byte = [&](const char *Name, int I) {
    Var *V = B.temp(Name);
    B.decl(V, B.to(ScalarKind::Int, B.load(P, B.i(I))));
    return V;
  };
  Var *T = Byte("t", 0), *U = Byte("u", 1), *W = Byte("w", 2), *Other = Byte("other", 3);
  Var *Rest = B.temp("rest");
  B.decl(Rest, B.sub(B.i(255), B.r(W)));
  auto Mixed = [&](const Expr *X, const Expr *Y) { return rangeOfExpr(B, B.add(X, Y)); };
  const Expr *TW = B.mul(B.r(T), B.r(W));
  EXPECT_EQ(Mixed(TW, B.mul(B.r(U), B.sub(B.i(255), B.r(W)))), (Range{0, 65025}));
  EXPECT_EQ(Mixed(B.mul(B.r(Rest), B.r(U)), B.mul(B.r(W), B.r(T))), (Range{0, 65025}));
  EXPECT_EQ(Mixed(TW, B.mul(B.r(Rest), B.add(B.r(U), B.i(5)))), (Range{0, 66300}));
  // Another weight; a weight that may be larger than the sum of both; a difference.
  EXPECT_EQ(Mixed(TW, B.mul(B.r(U), B.sub(B.i(255), B.r(Other)))), (Range{0, 130050}));
  EXPECT_EQ(Mixed(TW, B.mul(B.r(U), B.sub(B.i(254), B.r(W)))), (Range{-255, 129795}));
  EXPECT_EQ(rangeOfExpr(B, B.sub(TW, B.mul(B.r(U), B.r(Rest)))), (Range{-65025, 65025}));
}

TEST(Range, ConversionsWrap) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::UChar);
  const Expr *Byte = B.to(ScalarKind::Int, B.load(P, B.i(0)));
  EXPECT_EQ(rangeOfExpr(B, B.to(ScalarKind::UChar, B.op(Op::Shr, Byte, B.i(1)))), (Range{0, 127}));
  EXPECT_EQ(rangeOfExpr(B, B.to(ScalarKind::UChar, B.add(Byte, B.i(1)))), (Range{0, 255}));
  EXPECT_EQ(rangeOfExpr(B, B.to(ScalarKind::Char, Byte)), (Range{-128, 127}));
  EXPECT_EQ(rangeOfExpr(B, B.igid(0)), IntRange); // 2^32-1 does not fit
  EXPECT_EQ(rangeOfExpr(B, B.to(ScalarKind::UInt, B.gid(0))), (Range{0, UINT32_MAX}));
  EXPECT_EQ(rangeOfExpr(B, B.to(ScalarKind::UInt, B.sub(Byte, B.i(1)))), (Range{0, UINT32_MAX}));
}

TEST(Range, UnsignedWrapsSignedDoesNot) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::UChar), *N = B.param("n");
  const Expr *U = B.to(ScalarKind::UInt, B.load(P, B.i(0)));
  EXPECT_EQ(rangeOfExpr(B, B.sub(U, B.i(1, ScalarKind::UInt))), (Range{0, UINT32_MAX}));
  EXPECT_EQ(rangeOfExpr(B, B.add(U, B.i(1, ScalarKind::UInt))), (Range{1, 256}));
  // n + 1 does not overflow: it is not INT_MIN
  EXPECT_EQ(rangeOfExpr(B, B.add(B.r(N), B.i(1))), (Range{INT32_MIN + 1, INT32_MAX}));
  Var *L = B.param("l", ScalarKind::ULong);
  EXPECT_EQ(rangeOfExpr(B, B.add(B.r(L), B.i(1, ScalarKind::ULong))), (Range{0, INT64_MAX}));
  EXPECT_EQ(rangeOfExpr(B, B.to(ScalarKind::Long, B.r(L))), (Range{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::And, B.r(L), B.i(7, ScalarKind::ULong))), (Range{0, 7}));
}

TEST(Range, DivisionAndShifts) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::Char), *N = B.param("n");
  const Expr *C = B.to(ScalarKind::Int, B.load(P, B.i(0)));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Div, C, B.i(3))), (Range{-42, 42}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Div, C, B.i(-2))), (Range{-63, 64}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Rem, C, B.i(10))), (Range{-9, 9}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Rem, B.op(Op::And, C, B.i(31)), B.i(10))), (Range{0, 9}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Div, C, B.r(N))), IntRange); // n may be 0
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Shr, C, B.i(2))), (Range{-32, 31}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Shl, C, B.i(2))), (Range{-512, 508}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Shl, C, B.i(30))), IntRange);
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Shr, C, B.i(34))), (Range{-128, 127})); // count modulo 32
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::And, C, B.i(15))), (Range{0, 15}));
  EXPECT_EQ(rangeOfExpr(B, B.op(Op::Or, C, B.i(15))), (Range{-128, 127}));
  EXPECT_EQ(rangeOfExpr(B, B.M.unary(Op::BitNot, C)), (Range{-128, 127}));
}

TEST(Range, BuiltinsAndSelect) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::Short), *N = B.param("n");
  const Type *Int = B.ty(ScalarKind::Int);
  const Expr *S = B.to(ScalarKind::Int, B.load(P, B.i(0))), *X = B.r(N);
  EXPECT_EQ(rangeOfExpr(B, B.M.call("clamp", Int, {X, B.i(0), B.i(255)})), (Range{0, 255}));
  EXPECT_EQ(rangeOfExpr(B, B.M.call("min", Int, {X, B.i(9)})), (Range{INT32_MIN, 9}));
  EXPECT_EQ(rangeOfExpr(B, B.M.call("max", Int, {S, B.i(-4)})), (Range{-4, 32767}));
  EXPECT_EQ(rangeOfExpr(B, B.M.call("abs", B.ty(ScalarKind::UInt), {S})), (Range{0, 32768}));
  // x < 0 ? 0 : (x > 255 ? 255 : x)
  const Expr *Manual =
      B.M.select(B.lt(X, B.i(0)), B.i(0), B.M.select(B.op(Op::GT, X, B.i(255)), B.i(255), X));
  EXPECT_EQ(rangeOfExpr(B, Manual), (Range{0, 255}));
  // and with the sides exchanged by mistake
  const Expr *Wrong = B.M.select(B.lt(X, B.i(0)), X, B.i(0));
  EXPECT_EQ(rangeOfExpr(B, Wrong), (Range{INT32_MIN, 0}));
  EXPECT_EQ(rangeOfExpr(B, B.M.call("mul24", Int, {S, B.i(2)})), (Range{-65536, 65534}));
  EXPECT_EQ(rangeOfExpr(B, B.M.call("mul24", Int, {X, B.i(2)})), IntRange); // drops high bits
}

TEST(Range, VectorsAreOverAllLanes) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::UChar, 4);
  const Type *S4 = B.ty(ScalarKind::Short, 4);
  const Expr *V = B.M.cast(B.load(P, B.i(0)), S4);
  EXPECT_EQ(rangeOfExpr(B, B.sub(V, B.M.intConst(7, S4))), (Range{-7, 248}));
  // uchar4 + uchar4 stays uchar4
  const Expr *U = B.load(P, B.i(0));
  EXPECT_EQ(rangeOfExpr(B, B.add(U, B.M.intConst(1, U->Ty))), (Range{0, 255}));
  // char4 + char4 has no wider type to overflow in: it wraps
  const Expr *C = B.load(B.buffer("c", ScalarKind::Char, 4), B.i(0));
  EXPECT_EQ(rangeOfExpr(B, B.add(C, B.M.intConst(1, C->Ty))), (Range{-128, 127}));
  EXPECT_EQ(rangeOfExpr(B, B.M.swizzle(B.add(C, B.M.intConst(1, C->Ty)), uint8_t(0))),
            (Range{-128, 127}));
  const Expr *Mix = B.M.vectorCtor(B.ty(ScalarKind::Int, 2), {B.i(-3), B.i(8)});
  EXPECT_EQ(rangeOfExpr(B, Mix), (Range{-3, 8}));
  EXPECT_EQ(rangeOfExpr(B, B.lt(V, V)), (Range{-1, 0}));
}

TEST(Range, ComponentsOfVectors) {
  Builder B;
  Var *P = B.temp("p", ScalarKind::Int, 2), *R = B.temp("r"), *Q = B.temp("q"), *N = B.param("n");
  auto Lane = [&](uint8_t L) { return B.M.swizzle(B.r(P), L); };
  B.decl(P, B.M.vectorCtor(P->Ty, {B.op(Op::And, B.r(N), B.i(7)), B.i(100)}));
  B.assign(P, B.i(-3))->LaneIdx = {1};
  B.decl(R, Lane(0));
  B.decl(Q, Lane(1));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(R), (Range{0, 7}));
  EXPECT_EQ(A.range(Q), (Range{-3, -3}));
  EXPECT_EQ(A.range(P), (Range{-3, 100})); // all lanes, all definitions
}

TEST(Range, ConstantTables) {
  Builder B;
  Var *T = B.array("table", ScalarKind::Int, 3, AddressSpace::Constant);
  T->Ints = {-1, 8, 4};
  EXPECT_EQ(rangeOfExpr(B, B.load(T, B.igid(0))), (Range{-1, 8}));
  B.store(T, B.i(0), B.i(5)); // a private array with stores is no table
  EXPECT_EQ(rangeOfExpr(B, B.load(T, B.igid(0))), IntRange);
}

TEST(Range, WorkGroupSizeBoundsLocalIds) {
  Builder B;
  B.K->ReqdWorkGroupSize = {{16, 8, 1}};
  EXPECT_EQ(rangeOfExpr(B, B.ilid(0)), (Range{0, 15}));
  EXPECT_EQ(rangeOfExpr(B, B.add(B.mul(B.ilid(1), B.i(16)), B.ilid(0))), (Range{0, 127}));
}

TEST(Range, GuardsNarrow) {
  Builder B;
  Var *Out = B.buffer("out", ScalarKind::Int), *N = B.param("n"), *X = B.temp("x"),
      *Z = B.temp("z");
  B.decl(X, B.igid(0));
  Stmt *Inside = nullptr, *Outside = nullptr;
  const Expr *C = B.both(B.op(Op::GE, B.r(X), B.i(0)), B.lt(B.add(B.r(X), B.i(1)), B.i(100)));
  B.branch(
      C, [&] { Inside = B.store(Out, B.r(X), B.i(0)); },
      [&] { Outside = B.store(Out, B.r(X), B.i(1)); });
  Stmt *Other = nullptr;
  B.decl(Z, B.igid(0));
  B.branch(B.lt(B.r(N), B.i(50)),
           [&] { B.branch(B.lt(B.r(Z), B.r(N)), [&] { Other = B.store(Out, B.r(Z), B.i(0)); }); });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(B.r(X), Inside), (Range{0, 98}));
  EXPECT_EQ(A.range(Inside->Acc.Index[0]), (Range{0, 98}));
  EXPECT_EQ(A.range(B.add(B.mul(B.r(X), B.i(2)), B.i(1)), Inside), (Range{1, 197}));
  EXPECT_EQ(A.range(B.r(X), Outside), IntRange);
  EXPECT_EQ(A.range(B.r(Z), Other), (Range{INT32_MIN, 48}));
  // z has x's value: a guard of one is a guard of the other.
  EXPECT_EQ(A.range(B.igid(0), Inside), (Range{0, 98}));
}

TEST(Range, GuardsOfUnsignedAndCasts) {
  Builder B;
  Var *Out = B.buffer("out", ScalarKind::Int);
  Var *U = B.param("u", ScalarKind::UInt), *N = B.param("n");
  Stmt *S1 = nullptr, *S2 = nullptr, *S3 = nullptr;
  auto UI = [&](int64_t V) { return B.i(V, ScalarKind::UInt); };
  // u - 1 < 10 holds for u in [1, 10], but u - 1 may have wrapped: not narrowed
  B.branch(B.lt(B.sub(B.r(U), UI(1)), UI(10)), [&] { S1 = B.store(Out, B.i(0), B.i(0)); });
  // (uint)n < 10 says nothing if n may be negative ...
  B.branch(B.lt(B.to(ScalarKind::UInt, B.r(N)), UI(10)),
           [&] { S2 = B.store(Out, B.i(0), B.i(0)); });
  // ... and all if it may not
  B.branch(B.op(Op::GE, B.r(N), B.i(0)), [&] {
    B.branch(B.lt(B.to(ScalarKind::UInt, B.r(N)), UI(10)),
             [&] { S3 = B.store(Out, B.i(0), B.i(0)); });
  });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(B.r(U), S1), (Range{0, UINT32_MAX}));
  EXPECT_EQ(A.range(B.r(N), S2), IntRange);
  EXPECT_EQ(A.range(B.r(N), S3), (Range{0, 9}));
}

TEST(Range, GuardsEndWhereTheVariableChanges) {
  Builder B;
  Var *Out = B.buffer("out", ScalarKind::Int), *X = B.temp("x");
  B.decl(X, B.igid(0));
  Stmt *Before = nullptr, *After = nullptr;
  B.branch(B.both(B.op(Op::GE, B.r(X), B.i(0)), B.lt(B.r(X), B.i(10))), [&] {
    Before = B.store(Out, B.r(X), B.i(0));
    B.assign(X, B.add(B.r(X), B.i(100)));
    After = B.store(Out, B.r(X), B.i(0));
  });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(Before->Acc.Index[0]), (Range{0, 9}));
  EXPECT_EQ(A.range(After->Acc.Index[0]), (Range{100, 109}));
}

TEST(Range, CountedLoops) {
  Builder B;
  Var *Out = B.buffer("out", ScalarKind::Int), *N = B.param("n", ScalarKind::UChar);
  Var *I = B.temp("i"), *J = B.temp("j"), *K = B.temp("k"), *After = B.temp("after");
  Stmt *SI = nullptr, *SJ = nullptr, *SK = nullptr;
  B.loop(I, B.i(0), B.i(10), 3, [&] { SI = B.store(Out, B.r(I), B.i(0)); });
  B.loop(J, B.i(0), B.to(ScalarKind::Int, B.r(N)), 1, [&] { SJ = B.store(Out, B.r(J), B.i(0)); });
  B.decl(K, B.i(9));
  Stmt *L = B.whileLoop(B.op(Op::GE, B.r(K), B.i(0)), [&] {
    SK = B.store(Out, B.r(K), B.i(0));
    B.assign(K, B.sub(B.r(K), B.i(1)));
  });
  B.decl(After, B.r(K));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(SI->Acc.Index[0]).Lo, 0);
  EXPECT_LE(A.range(SI->Acc.Index[0]).Hi, 9);
  EXPECT_EQ(A.range(SJ->Acc.Index[0]), (Range{0, 254}));
  EXPECT_EQ(A.range(SK->Acc.Index[0]), (Range{0, 9}));
  EXPECT_EQ(A.countedLoop(L)->TripCount, 10);
  EXPECT_EQ(A.range(After), (Range{-1, 9}));
}

TEST(Range, SumsOverLoopsOfKnownLength) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::UChar), *N = B.param("n");
  Var *S = B.temp("s"), *I = B.temp("i"), *J = B.temp("j"), *R = B.temp("r");
  B.decl(S, B.i(0));
  B.loop(I, B.i(0), B.i(3), 1, [&] {
    B.loop(J, B.i(0), B.i(4), 1,
           [&] { B.assign(S, B.add(B.r(S), B.to(ScalarKind::Int, B.load(P, B.r(J))))); });
  });
  B.decl(R, B.r(S));
  // and of unknown length
  Var *S2 = B.temp("s2"), *K = B.temp("k"), *R2 = B.temp("r2");
  B.decl(S2, B.i(0));
  B.loop(K, B.i(0), B.r(N), 1,
         [&] { B.assign(S2, B.add(B.r(S2), B.to(ScalarKind::Int, B.load(P, B.r(K))))); });
  B.decl(R2, B.r(S2));
  // in a type that does not hold the sum
  Var *S3 = B.temp("s3", ScalarKind::UChar), *Q = B.temp("q"),
      *R3 = B.temp("r3", ScalarKind::UChar);
  B.decl(S3, B.i(0, ScalarKind::UChar));
  B.loop(Q, B.i(0), B.i(300), 1, [&] {
    B.assign(S3, B.to(ScalarKind::UChar, B.add(B.to(ScalarKind::Int, B.r(S3)), B.i(1))));
  });
  B.decl(R3, B.r(S3));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(R), (Range{0, 12 * 255}));
  EXPECT_EQ(A.range(R2), (Range{0, INT32_MAX})); // signed: no wrap
  EXPECT_EQ(A.range(R3), (Range{0, 255}));
}

TEST(Range, SumsOverWindows) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::UChar), *X = B.param("x"), *U = B.param("u", ScalarKind::UInt);
  Var *S = B.temp("s"), *I = B.temp("i"), *From = B.temp("from"), *R = B.temp("r");
  auto Add = [&](Var *To, const Expr *At) {
    B.assign(To, B.add(B.r(To), B.to(ScalarKind::Int, B.load(P, At))));
  };
  // x - 1 to x + 2, the first through a variable
  B.decl(S, B.i(0));
  B.decl(From, B.sub(B.r(X), B.i(1)));
  B.loop(I, B.r(From), B.add(B.r(X), B.i(2)), 1, [&] { Add(S, B.r(I)); });
  B.decl(R, B.r(S));
  // x changes in between
  Var *S2 = B.temp("s2"), *J = B.temp("j"), *From2 = B.temp("from2"), *Y = B.temp("y"),
      *R2 = B.temp("r2");
  B.decl(S2, B.i(0));
  B.decl(Y, B.r(X));
  B.decl(From2, B.sub(B.r(Y), B.i(1)));
  B.assign(Y, B.mul(B.r(Y), B.i(2)));
  B.loop(J, B.r(From2), B.add(B.r(Y), B.i(2)), 1, [&] { Add(S2, B.r(J)); });
  B.decl(R2, B.r(S2));
  // unsigned: u - 1 may be larger than u + 2, and u + 2 smaller
  Var *S3 = B.temp("s3"), *K = B.temp("k", ScalarKind::UInt), *R3 = B.temp("r3");
  B.decl(S3, B.i(0));
  B.loop(K, B.sub(B.r(U), B.i(1, ScalarKind::UInt)), B.add(B.r(U), B.i(2, ScalarKind::UInt)), 1,
         [&] { Add(S3, B.r(K)); });
  B.decl(R3, B.r(S3));
  // left early
  Var *S4 = B.temp("s4"), *L = B.temp("l"), *R4 = B.temp("r4");
  B.decl(S4, B.i(0));
  B.loop(L, B.i(0), B.i(8), 1, [&] {
    B.branch(B.lt(B.r(X), B.r(L)), [&] { B.put(B.M.newStmt(StmtKind::Break)); });
    Add(S4, B.r(L));
  });
  B.decl(R4, B.r(S4));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(R), (Range{0, 3 * 255}));
  EXPECT_EQ(A.range(R2), (Range{0, INT32_MAX}));
  EXPECT_EQ(A.range(R3), (Range{0, INT32_MAX}));
  EXPECT_EQ(A.range(R4), (Range{0, 8 * 255}));
}

TEST(Range, BreakEndsTheSumEarlier) {
  Builder B;
  Var *N = B.param("n"), *S = B.temp("s"), *I = B.temp("i"), *R = B.temp("r");
  B.decl(S, B.i(0));
  B.loop(I, B.i(0), B.i(8), 1, [&] {
    B.branch(B.lt(B.r(N), B.r(I)), [&] { B.put(B.M.newStmt(StmtKind::Break)); });
    B.assign(S, B.add(B.r(S), B.i(2)));
  });
  B.decl(R, B.r(S));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(R).Lo, 0);
}

TEST(Range, WhatABreakBrings) {
  Builder B;
  Var *N = B.param("n"), *T = B.temp("t"), *I = B.temp("i"), *R = B.temp("r");
  B.decl(T, B.i(0));
  B.loop(I, B.i(0), B.r(N), 1, [&] {
    B.branch(B.lt(B.r(N), B.r(I)), [&] {
      B.assign(T, B.i(100));
      B.put(B.M.newStmt(StmtKind::Break));
    });
  });
  B.decl(R, B.r(T));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(R), (Range{0, 100}));
}

TEST(Range, RunningMaximum) {
  Builder B;
  Var *P = B.buffer("p", ScalarKind::Short), *N = B.param("n");
  Var *Mx = B.temp("m"), *I = B.temp("i"), *R = B.temp("r");
  B.decl(Mx, B.i(0));
  B.loop(I, B.i(0), B.r(N), 1, [&] {
    B.assign(Mx, B.M.call("max", B.ty(ScalarKind::Int),
                          {B.r(Mx), B.to(ScalarKind::Int, B.load(P, B.r(I)))}));
  });
  B.decl(R, B.r(Mx));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.range(R), (Range{0, 32767}));
}

} // namespace
