//===-- test/model/analysis_conflict_test.cpp - Do two accesses conflict? --===//

#include "test/model/analysis_util.h"
#include <gtest/gtest.h>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace clmali::model {
void PrintTo(Conflict C, std::ostream *OS) {
  *OS << (C == Conflict::No ? "No" : C == Conflict::May ? "May" : "Must");
}
} // namespace clmali::model

namespace {

/// The worst conflict among the accesses to Base.
Conflict worst(Builder &B, const Var *Base) {
  KernelAnalysis A(B.M, *B.K);
  Conflict W = Conflict::No;
  for (const AccessSite &X : A.accesses())
    for (const AccessSite &Y : A.accesses())
      if (X.A->Base == Base && Y.A->Base == Base)
        W = std::max(W, A.conflict(X, Y));
  return W;
}

struct Image : Builder {
  Var *Out = buffer("out"), *W = param("w"), *H = param("h");
  Var *X = temp("x"), *Y = temp("y");
  Image() {
    decl(X, igid(0));
    decl(Y, igid(1));
  }
  const Expr *pixel(const Expr *Px, const Expr *Py) { return add(mul(Py, r(W)), Px); }
};

TEST(Conflict, OneElementEach) {
  Builder B;
  Var *Out = B.buffer("out");
  B.store(Out, B.igid(0), B.f(0));
  EXPECT_EQ(worst(B, Out), Conflict::No);
}

TEST(Conflict, OwnElementReadAndWritten) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.store(Out, B.r(I), B.add(B.load(Out, B.r(I)), B.f(1)));
  EXPECT_EQ(worst(B, Out), Conflict::No);
}

TEST(Conflict, NeighboursElement) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.store(Out, B.r(I), B.load(Out, B.add(B.r(I), B.i(1))));
  EXPECT_EQ(worst(B, Out), Conflict::Must);
}

TEST(Conflict, EvenAndOdd) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.mul(B.igid(0), B.i(2)));
  B.store(Out, B.r(I), B.to(ScalarKind::Float, B.r(I)));
  B.store(Out, B.add(B.r(I), B.i(1)), B.to(ScalarKind::Float, B.r(I)));
  EXPECT_EQ(worst(B, Out), Conflict::No);
  B.store(Out, B.add(B.r(I), B.i(2)), B.to(ScalarKind::Float, B.r(I)));
  EXPECT_EQ(worst(B, Out), Conflict::Must);
}

TEST(Conflict, InterleavedBytes) {
  Builder B;
  Var *Out = B.buffer("out", ScalarKind::UChar), *I = B.temp("i");
  B.decl(I, B.mul(B.igid(0), B.i(3)));
  for (int C : {0, 1, 2})
    B.store(Out, B.add(B.r(I), B.i(C)), B.to(ScalarKind::UChar, B.r(I)));
  EXPECT_EQ(worst(B, Out), Conflict::No);
  // four bytes written for each three
  Stmt *S = B.store(Out, B.r(I), B.to(ScalarKind::UChar, B.r(I)));
  S->Acc.Lanes = 4;
  S->Acc.F = Access::VLoad;
  EXPECT_EQ(worst(B, Out), Conflict::Must);
}

TEST(Conflict, WidthsOnBothSides) {
  // One byte at 8x, four bytes from 8x + At.
  for (int At : {1, 4, 5, 7}) {
    Builder B;
    Var *Out = B.buffer("out", ScalarKind::UChar), *I = B.temp("i");
    B.decl(I, B.mul(B.igid(0), B.i(8)));
    B.store(Out, B.r(I), B.to(ScalarKind::UChar, B.r(I)));
    Stmt *S = B.store(Out, B.add(B.r(I), B.i(At)), B.to(ScalarKind::UChar, B.r(I)));
    S->Acc.Lanes = 4;
    S->Acc.F = Access::VLoad;
    EXPECT_EQ(worst(B, Out), At <= 4 ? Conflict::No : Conflict::Must) << At;
  }
}

TEST(Conflict, RowMajorWithGuard) {
  Image B;
  B.branch(B.both(B.lt(B.r(B.X), B.r(B.W)), B.lt(B.r(B.Y), B.r(B.H))),
           [&] { B.store(B.Out, B.pixel(B.r(B.X), B.r(B.Y)), B.f(0)); });
  EXPECT_EQ(worst(B, B.Out), Conflict::No);
}

TEST(Conflict, RowMajorWithEarlyReturn) {
  Image B;
  B.branch(
      B.op(Op::LogicalOr, B.op(Op::GE, B.r(B.X), B.r(B.W)), B.op(Op::GE, B.r(B.Y), B.r(B.H))),
      [] {}, [&] { B.store(B.Out, B.pixel(B.r(B.X), B.r(B.Y)), B.f(0)); });
  EXPECT_EQ(worst(B, B.Out), Conflict::No);
}

TEST(Conflict, RowMajorWithoutGuardIsUnknown) {
  Image B;
  B.store(B.Out, B.pixel(B.r(B.X), B.r(B.Y)), B.f(0));
  EXPECT_EQ(worst(B, B.Out), Conflict::May);
}

TEST(Conflict, RowMajorWithLooseGuard) {
  // x <= w: the last column of a row is the first of the next
  Image B;
  B.branch(B.op(Op::LE, B.r(B.X), B.r(B.W)),
           [&] { B.store(B.Out, B.pixel(B.r(B.X), B.r(B.Y)), B.f(0)); });
  EXPECT_EQ(worst(B, B.Out), Conflict::May);
}

TEST(Conflict, PitchIsTheGlobalSize) {
  Image B;
  const Expr *Pitch = B.to(ScalarKind::Int, B.M.workItem(WorkItemQuery::GlobalSize, 0));
  B.store(B.Out, B.add(B.mul(B.r(B.Y), Pitch), B.r(B.X)), B.f(0));
  EXPECT_EQ(worst(B, B.Out), Conflict::No);
}

TEST(Conflict, ThreeDimensions) {
  Image B;
  Var *Z = B.temp("z");
  B.decl(Z, B.igid(2));
  const Expr *In = B.both(B.lt(B.r(B.X), B.r(B.W)), B.lt(B.r(B.Y), B.r(B.H)));
  const Expr *I = B.add(B.mul(B.add(B.mul(B.r(Z), B.r(B.H)), B.r(B.Y)), B.r(B.W)), B.r(B.X));
  B.branch(In, [&] { B.store(B.Out, I, B.f(0)); });
  EXPECT_EQ(worst(B, B.Out), Conflict::No);
}

TEST(Conflict, HaloStencilShift) {
  Image B;
  const Expr *In =
      B.both(B.lt(B.r(B.X), B.sub(B.r(B.W), B.i(2))), B.lt(B.r(B.Y), B.sub(B.r(B.H), B.i(2))));
  B.branch(In, [&] {
    B.store(B.Out, B.pixel(B.add(B.r(B.X), B.i(1)), B.add(B.r(B.Y), B.i(1))), B.f(0));
  });
  EXPECT_EQ(worst(B, B.Out), Conflict::No);
}

// A filter whose border work-items copy their own pixel while its inner ones
// write the pixel one to the right and one below.
struct ShiftedFilter : Image {
  Stmt *Border = nullptr, *Inner = nullptr;
  ShiftedFilter(int Shift) {
    const Expr *AtBorder =
        op(Op::LogicalOr,
           op(Op::LogicalOr, op(Op::EQ, r(X), sub(r(W), i(1))), op(Op::EQ, r(Y), sub(r(H), i(1)))),
           op(Op::LogicalOr, op(Op::EQ, r(X), sub(r(W), i(2))), op(Op::EQ, r(Y), sub(r(H), i(2)))));
    branch(both(lt(r(X), r(W)), lt(r(Y), r(H))), [&] {
      branch(
          AtBorder, [&] { Border = store(Out, pixel(r(X), r(Y)), f(0)); },
          [&] { Inner = store(Out, pixel(add(r(X), i(Shift)), add(r(Y), i(Shift))), f(1)); });
    });
  }
};

TEST(Conflict, BorderAndShiftedInnerWriteOnePixel) {
  ShiftedFilter B(1);
  EXPECT_EQ(worst(B, B.Out), Conflict::Must);
}

TEST(Conflict, BorderAndInnerWriteTheirOwn) {
  ShiftedFilter B(0);
  EXPECT_EQ(worst(B, B.Out), Conflict::No);
}

TEST(Conflict, AllWriteOne) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  Stmt *S = nullptr;
  B.branch(B.op(Op::GE, B.r(I), B.i(0)),
           [&] { S = B.store(Out, B.i(0), B.to(ScalarKind::Float, B.r(I))); });
  EXPECT_EQ(worst(B, Out), Conflict::Must);
}

TEST(Conflict, OneItemWrites) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.branch(B.op(Op::EQ, B.r(I), B.i(0)), [&] { B.store(Out, B.i(0), B.f(1)); });
  EXPECT_EQ(worst(B, Out), Conflict::No);
}

TEST(Conflict, DataDecidesWhoWrites) {
  Builder B;
  Var *Out = B.buffer("out"), *In = B.buffer("in", ScalarKind::Int);
  B.branch(B.op(Op::EQ, B.load(In, B.igid(0)), B.i(0)), [&] { B.store(Out, B.i(0), B.f(1)); });
  EXPECT_EQ(worst(B, Out), Conflict::May);
}

TEST(Conflict, ScatterIsUnknown) {
  Builder B;
  Var *Out = B.buffer("out"), *In = B.buffer("in", ScalarKind::Int);
  B.store(Out, B.load(In, B.igid(0)), B.f(1));
  EXPECT_EQ(worst(B, Out), Conflict::May);
}

TEST(Conflict, TaskHasOneItem) {
  Builder B;
  Var *Out = B.buffer("out"), *N = B.param("n"), *I = B.temp("i");
  B.loop(I, B.i(0), B.r(N), 1, [&] { B.store(Out, B.r(I), B.f(1)); });
  EXPECT_EQ(worst(B, Out), Conflict::May);
}

TEST(Conflict, GroupTimesSizePlusLocal) {
  Builder B;
  Var *Out = B.buffer("out");
  auto Q = [&](WorkItemQuery X) { return B.M.workItem(X, 0); };
  const Expr *I = B.add(B.mul(Q(WorkItemQuery::GroupId), Q(WorkItemQuery::LocalSize)),
                        Q(WorkItemQuery::LocalId));
  B.store(Out, I, B.f(0));
  EXPECT_EQ(worst(B, Out), Conflict::No);
}

TEST(Conflict, LocalIdAloneMeetsOtherGroups) {
  Builder B;
  Var *Out = B.buffer("out");
  B.store(Out, B.ilid(0), B.f(0));
  EXPECT_EQ(worst(B, Out), Conflict::May);
}

TEST(Conflict, OneResultForEachGroup) {
  Builder B;
  Var *Out = B.buffer("out");
  const Expr *Group = B.M.workItem(WorkItemQuery::GroupId, 0);
  B.branch(B.op(Op::EQ, B.ilid(0), B.i(0)), [&] { B.store(Out, Group, B.f(0)); });
  EXPECT_EQ(worst(B, Out), Conflict::No);
  B.store(Out, Group, B.to(ScalarKind::Float, B.ilid(0))); // all of them
  EXPECT_EQ(worst(B, Out), Conflict::Must);
}

TEST(Conflict, AllWriteTheSameValue) {
  // Common and harmless: a flag, or a value that all work-items of the group have.
  Builder B;
  Var *Out = B.buffer("out"), *X = B.temp("x");
  B.decl(X, B.igid(0));
  B.store(Out, B.i(0), B.f(1));
  EXPECT_EQ(worst(B, Out), Conflict::May);
}

TEST(Conflict, GroupsOfOneItemAlongADimension) {
  // Only the group id of dimension 1 is used: probably one work-item there.
  Builder B;
  Var *Out = B.buffer("out");
  const Expr *I =
      B.add(B.mul(B.M.workItem(WorkItemQuery::GroupId, 1), B.i(64, ScalarKind::ULong)), B.lid(0));
  B.store(Out, I, B.to(ScalarKind::Float, B.gid(0)));
  EXPECT_EQ(worst(B, Out), Conflict::May);
}

TEST(Conflict, LoopOverRowsOfAColumn) {
  Builder B;
  Var *Out = B.buffer("out"), *N = B.param("n"), *K = B.temp("k"), *X = B.temp("x");
  B.decl(X, B.igid(0));
  B.branch(B.lt(B.r(X), B.r(N)), [&] {
    B.loop(K, B.i(0), B.i(8), 1,
           [&] { B.store(Out, B.add(B.mul(B.r(K), B.r(N)), B.r(X)), B.f(0)); });
  });
  EXPECT_EQ(worst(B, Out), Conflict::No);
}

TEST(Conflict, LoopOverEverything) {
  Builder B;
  Var *Out = B.buffer("out"), *K = B.temp("k"), *X = B.temp("x");
  B.decl(X, B.igid(0));
  B.loop(K, B.i(0), B.i(8), 1, [&] { B.store(Out, B.r(K), B.to(ScalarKind::Float, B.r(X))); });
  EXPECT_EQ(worst(B, Out), Conflict::Must);
}

/// The rows are read in one loop and written in another.
Conflict twoLoops(int64_t Beyond) {
  Builder B;
  Var *Out = B.buffer("out"), *N = B.param("n"), *X = B.temp("x"),
      *Sum = B.temp("sum", ScalarKind::Float);
  Var *K = B.temp("k"), *L = B.temp("l");
  B.decl(X, B.igid(0));
  B.decl(Sum, B.f(0));
  B.branch(B.lt(B.r(X), B.add(B.r(N), B.i(Beyond))), [&] {
    B.loop(K, B.i(0), B.r(N), 1, [&] {
      B.assign(Sum, B.add(B.r(Sum), B.load(Out, B.add(B.mul(B.r(K), B.r(N)), B.r(X)))));
    });
    B.loop(L, B.i(0), B.r(N), 1,
           [&] { B.store(Out, B.add(B.mul(B.r(L), B.r(N)), B.r(X)), B.r(Sum)); });
  });
  return worst(B, Out);
}

TEST(Conflict, TwoLoopsOverTheSameRows) { EXPECT_EQ(twoLoops(0), Conflict::No); }
TEST(Conflict, TwoLoopsOverRowsThatOverlap) { EXPECT_EQ(twoLoops(1), Conflict::May); }

/// t / s * Block * s + t % (s + Wider), and that Ahead * s further on.
Conflict quotientAndRemainder(int64_t StmtList, int64_t Ahead, int64_t Wider) {
  Builder B;
  constexpr ScalarKind U = ScalarKind::UInt;
  Var *Out = B.buffer("out"), *S = B.param("s", U), *T = B.temp("t", U), *P = B.temp("p", U);
  B.decl(T, B.to(U, B.gid(0)));
  const Expr *Whole = B.mul(B.mul(B.i(StmtList, U), B.r(S)), B.op(Op::Div, B.r(T), B.r(S)));
  B.decl(P, B.add(Whole, B.op(Op::Rem, B.r(T), Wider ? B.add(B.r(S), B.i(Wider, U)) : B.r(S))));
  B.store(Out, B.r(P), B.load(Out, B.add(B.r(P), B.mul(B.i(Ahead, U), B.r(S)))));
  return worst(B, Out);
}

TEST(Conflict, QuotientAndRemainder) {
  EXPECT_EQ(quotientAndRemainder(1, 0, 0), Conflict::No);
  EXPECT_EQ(quotientAndRemainder(2, 1, 0), Conflict::No);
  EXPECT_EQ(quotientAndRemainder(4, 3, 0), Conflict::No);
}
TEST(Conflict, QuotientAndRemainderOfTheNextBlock) {
  EXPECT_NE(quotientAndRemainder(1, 1, 0), Conflict::No);
  EXPECT_NE(quotientAndRemainder(2, 2, 0), Conflict::No);
  EXPECT_NE(quotientAndRemainder(2, 0, 1), Conflict::No); // another divisor: not the id's remainder
}

/// Trip k reads a whole pitch ahead, for the same work-item.
Conflict pitchAhead(int64_t More) {
  Builder B;
  Var *Out = B.buffer("out"), *X = B.temp("x", ScalarKind::ULong),
      *K = B.temp("k", ScalarKind::ULong);
  const Expr *Pitch = B.M.workItem(WorkItemQuery::GlobalSize, 0);
  B.decl(X, B.gid(0));
  B.loop(K, B.i(0, ScalarKind::ULong), B.i(8, ScalarKind::ULong), 1, [&] {
    const Expr *Next = B.add(B.r(K), B.i(1, ScalarKind::ULong));
    B.store(Out, B.add(B.mul(B.r(K), Pitch), B.r(X)),
            B.load(Out, B.add(B.add(B.mul(Next, Pitch), B.r(X)), B.i(More, ScalarKind::ULong))));
  });
  return worst(B, Out);
}

TEST(Conflict, AWholePitchAhead) { EXPECT_EQ(pitchAhead(0), Conflict::No); }
TEST(Conflict, APitchAndOneAhead) { EXPECT_NE(pitchAhead(1), Conflict::No); }

/// Rows from First behind the pivot's row, which all work-items read.
Conflict pivot(int64_t First) {
  Image B;
  Var *T = B.param("t");
  B.branch(B.lt(B.r(B.X), B.sub(B.r(B.W), B.r(T))), [&] {
    const Expr *Row = B.add(B.add(B.r(B.Y), B.i(First)), B.r(T)), *Col = B.add(B.r(B.X), B.r(T));
    B.store(B.Out, B.pixel(Col, Row), B.load(B.Out, B.pixel(Col, B.r(T))));
  });
  return worst(B, B.Out);
}

TEST(Conflict, RowsBehindThePivot) { EXPECT_EQ(pivot(1), Conflict::No); }
TEST(Conflict, RowsFromThePivotOn) { EXPECT_NE(pivot(0), Conflict::No); }

/// m[i * p + j] and its mirror image, for j from i + First up to the pitch and Beyond.
Conflict triangle(int64_t First, int64_t Beyond) {
  Builder B;
  Var *Out = B.buffer("out"), *P = B.param("p"), *X = B.temp("x"), *J = B.temp("j");
  B.decl(X, B.igid(0));
  B.branch(B.lt(B.r(X), B.r(P)), [&] {
    B.loop(J, B.add(B.r(X), B.i(First)), B.add(B.r(P), B.i(Beyond)), 1, [&] {
      B.store(Out, B.add(B.mul(B.r(J), B.r(P)), B.r(X)),
              B.load(Out, B.add(B.mul(B.r(X), B.r(P)), B.r(J))));
    });
  });
  return worst(B, Out);
}

TEST(Conflict, TriangleAndItsMirrorImage) { EXPECT_EQ(triangle(1, 0), Conflict::No); }
TEST(Conflict, TriangleWithItsDiagonal) { EXPECT_EQ(triangle(0, 0), Conflict::No); }
TEST(Conflict, TriangleBeyondItsDiagonal) { EXPECT_NE(triangle(-1, 0), Conflict::No); }
TEST(Conflict, TriangleBeyondItsPitch) { EXPECT_NE(triangle(1, 1), Conflict::No); }

struct Tile : Builder {
  Var *T = array("tile", ScalarKind::Float, 256, AddressSpace::Local);
  Var *Out = buffer("out"), *L = temp("l");
  Tile() { decl(L, ilid(0)); }
};

TEST(Conflict, BarrierOrdersLocalMemory) {
  Tile B;
  B.store(B.T, B.r(B.L), B.f(0));
  B.barrier();
  B.store(B.Out, B.igid(0), B.load(B.T, B.sub(B.i(255), B.r(B.L))));
  EXPECT_EQ(worst(B, B.T), Conflict::No);
}

TEST(Conflict, MissingBarrier) {
  Tile B;
  B.store(B.T, B.r(B.L), B.f(0));
  B.store(B.Out, B.igid(0), B.load(B.T, B.add(B.r(B.L), B.i(1))));
  EXPECT_EQ(worst(B, B.T), Conflict::Must);
}

TEST(Conflict, LoopLeftBehindItsBarrier) {
  // for (;;) { barrier; t[l] = ..; break; } ... = t[l + 1]: no barrier in between
  Tile B;
  Stmt *Loop = B.put(B.M.newStmt(StmtKind::Loop));
  B.inside(Loop->Body, [&] {
    B.barrier();
    B.store(B.T, B.r(B.L), B.f(0));
    B.put(B.M.newStmt(StmtKind::Break));
  });
  B.store(B.Out, B.igid(0), B.load(B.T, B.add(B.r(B.L), B.i(1))));
  EXPECT_EQ(worst(B, B.T), Conflict::May);
}

TEST(Conflict, TileOfTwoDimensions) {
  Tile B;
  B.K->ReqdWorkGroupSize = {{16, 16, 1}};
  B.store(B.T, B.add(B.mul(B.ilid(1), B.i(16)), B.r(B.L)), B.f(0));
  EXPECT_EQ(worst(B, B.T), Conflict::No);
}

/// for (k = lid; k < 360; k += Step)  tile[index(k)] = 0;  by groups of 16 x 8.
Conflict runningNumber(int64_t Step, std::function<const Expr *(Builder &, const Expr *)> Index,
                       bool Sized = true) {
  Builder B;
  Var *T = B.array("tile", ScalarKind::Float, 1024, AddressSpace::Local), *K = B.temp("k");
  if (Sized)
    B.K->ReqdWorkGroupSize = {{16, 8, 1}};
  B.loop(K, B.add(B.mul(B.ilid(1), B.i(16)), B.ilid(0)), B.i(360), Step,
         [&] { B.store(T, Index(B, B.r(K)), B.f(0)); });
  return worst(B, T);
}

/// Pitch * (k / 18) + k % Rest
Conflict digits(int64_t Step, int64_t Rest, int64_t Pitch, bool Sized = true) {
  return runningNumber(
      Step,
      [=](Builder &B, const Expr *K) {
        return B.add(B.mul(B.i(Pitch), B.op(Op::Div, K, B.i(18))), B.op(Op::Rem, K, B.i(Rest)));
      },
      Sized);
}

TEST(Conflict, DigitsOfARunningNumber) {
  EXPECT_EQ(digits(128, 18, 19), Conflict::No);
  EXPECT_EQ(digits(128, 18, 18), Conflict::No);
  EXPECT_EQ(digits(256, 18, 20), Conflict::No); // some elements are written by no work-item
}
TEST(Conflict, DigitsOfOverlappingNumbers) { EXPECT_NE(digits(96, 18, 19), Conflict::No); }
TEST(Conflict, DigitsOfDifferentNumbers) { EXPECT_NE(digits(128, 17, 19), Conflict::No); }
TEST(Conflict, DigitsOfOverlappingRows) { EXPECT_NE(digits(128, 18, 17), Conflict::No); }
TEST(Conflict, DigitsInAGroupOfUnknownSize) { EXPECT_NE(digits(128, 18, 19, false), Conflict::No); }

Conflict threeDigits(bool Middle) {
  return runningNumber(128, [=](Builder &B, const Expr *K) {
    const Expr *Sum = B.add(B.mul(B.i(72), B.op(Op::Div, K, B.i(60))), B.op(Op::Rem, K, B.i(10)));
    const Expr *Row = B.op(Op::Rem, B.op(Op::Div, K, B.i(10)), B.i(6));
    return Middle ? B.add(Sum, B.mul(B.i(12), Row)) : Sum;
  });
}
TEST(Conflict, ThreeDigits) { EXPECT_EQ(threeDigits(true), Conflict::No); }
TEST(Conflict, ADigitIsMissing) { EXPECT_NE(threeDigits(false), Conflict::No); }

TEST(Conflict, TileRowsThatOverlap) {
  Tile B;
  B.K->ReqdWorkGroupSize = {{16, 16, 1}};
  B.store(B.T, B.add(B.mul(B.ilid(1), B.i(15)), B.r(B.L)), B.f(0));
  EXPECT_NE(worst(B, B.T), Conflict::No);
}

/// for (s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier }
void reduction(Tile &B, bool WithBarrier, bool Strict = true) {
  Var *S = B.temp("s");
  B.store(B.T, B.r(B.L), B.f(0));
  B.barrier();
  Stmt *Loop = B.loop(S, B.i(64), B.i(0), 1, [&] {
    B.branch(B.op(Strict ? Op::LT : Op::LE, B.r(B.L), B.r(S)), [&] {
      B.store(B.T, B.r(B.L), B.add(B.load(B.T, B.r(B.L)), B.load(B.T, B.add(B.r(B.L), B.r(S)))));
    });
    if (WithBarrier)
      B.barrier();
  });
  Loop->E = B.op(Op::GT, B.r(S), B.i(0));
  Loop->Step[0]->E = B.op(Op::Shr, B.r(S), B.i(1));
}

TEST(Conflict, TreeReduction) {
  Tile B;
  reduction(B, true);
  // The intervals before the first barrier and behind the loop's barrier differ; no other access is
  // in that of the store before the loop.
  EXPECT_EQ(worst(B, B.T), Conflict::No);
}

TEST(Conflict, TreeReductionWithoutBarrier) {
  Tile B;
  reduction(B, false);
  EXPECT_EQ(worst(B, B.T), Conflict::May);
}

TEST(Conflict, TreeReductionOffByOne) {
  Tile B;
  reduction(B, true, false);
  EXPECT_EQ(worst(B, B.T), Conflict::May);
}

TEST(Contiguous, Dimension) {
  Image B;
  Var *In = B.buffer("in");
  B.store(B.Out, B.pixel(B.r(B.X), B.r(B.Y)), B.load(In, B.pixel(B.r(B.X), B.r(B.Y))));
  EXPECT_EQ(KernelAnalysis(B.M, *B.K).contiguousDimension(), 0u);
  Image C;
  C.store(C.Out, C.pixel(C.r(C.Y), C.r(C.X)), C.f(0));
  EXPECT_EQ(KernelAnalysis(C.M, *C.K).contiguousDimension(), 1u);
  Image D;
  D.store(D.Out, D.mul(D.r(D.X), D.r(D.W)), D.f(0));
  EXPECT_EQ(KernelAnalysis(D.M, *D.K).contiguousDimension(), std::nullopt);
}

} // namespace
