//===-- test/model/analysis_index_test.cpp - Loops, uniformity, addresses -===//

#include "test/model/analysis_util.h"
#include <gtest/gtest.h>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

std::string textOf(const KernelAnalysis &A, const std::optional<Poly> &P) {
  return P ? A.text(*P) : "varies";
}

/// Equal as polynomials, in any order of terms.
void expectBytes(const KernelAnalysis &A, const AccessSite &S, const Expr *E, int64_t Plus = 0) {
  Poly P = A.poly(E, S.S) + Poly::constant(Plus);
  EXPECT_EQ(A.text(S.Bytes), A.text(P));
}

TEST(Index, RowMajor) {
  Builder B;
  Var *In = B.buffer("in"), *W = B.param("w");
  Var *X = B.temp("x"), *Y = B.temp("y"), *I = B.temp("i");
  B.decl(X, B.igid(0));
  B.decl(Y, B.igid(1));
  B.decl(I, B.add(B.mul(B.r(Y), B.r(W)), B.r(X)));
  B.store(In, B.add(B.r(I), B.i(1)), B.load(In, B.r(I)));
  KernelAnalysis A(B.M, *B.K);
  ASSERT_EQ(A.accesses().size(), 2u);
  const AccessSite &Load = A.accesses()[0], &Store = A.accesses()[1];
  EXPECT_TRUE(Load.IsRead && !Load.IsWrite && Load.Load);
  EXPECT_TRUE(Store.IsWrite && !Store.IsRead && !Store.Load);
  EXPECT_TRUE(Load.Affine);
  expectBytes(A, Load, B.add(B.mul(B.mul(B.i(4), B.gid(1)), B.r(W)), B.mul(B.i(4), B.gid(0))));
  EXPECT_EQ(textOf(A, A.stride(*Load.A, 0)), "4");
  EXPECT_EQ(textOf(A, A.stride(*Load.A, 1)), "4*w");
  EXPECT_EQ(textOf(A, A.stride(*Load.A, 2)), "0");
  EXPECT_EQ(A.distance(*Load.A, *Store.A), 4);
  EXPECT_EQ(A.distance(*Store.A, *Load.A), -4);
}

TEST(Index, ShiftsAndMad24) {
  Builder B;
  Var *In = B.buffer("in", ScalarKind::UChar), *W = B.param("w");
  Var *T = B.temp("t", ScalarKind::UChar);
  const Expr *Mad = B.M.call("mad24", B.ty(ScalarKind::Int), {B.igid(1), B.r(W), B.igid(0)});
  B.decl(T, B.load(In, B.op(Op::Shl, Mad, B.i(2))));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), "4");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 1)), "4*w");
}

TEST(Index, OrIsASumWhereBitsAreFree) {
  Builder B;
  Var *In = B.buffer("in", ScalarKind::UChar), *U = B.param("u", ScalarKind::UChar);
  Var *T = B.temp("t", ScalarKind::UChar);
  const Expr *High = B.op(Op::Shl, B.igid(0), B.i(8));
  B.decl(T, B.load(In, B.op(Op::Or, High, B.to(ScalarKind::Int, B.r(U)))));
  const Expr *Close = B.op(Op::Shl, B.igid(0), B.i(7));
  Var *T2 = B.temp("t2", ScalarKind::UChar);
  B.decl(T2, B.load(In, B.op(Op::Or, Close, B.to(ScalarKind::Int, B.r(U)))));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), "256");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[1].A, 0)), "varies"); // bit 7 is in both
}

TEST(Index, NarrowTypesOnlyWhereTheyHold) {
  Builder B;
  Var *In = B.buffer("in", ScalarKind::UChar), *T = B.temp("t", ScalarKind::UChar);
  Var *T2 = B.temp("t2", ScalarKind::UChar);
  B.K->ReqdWorkGroupSize = {{64, 1, 1}};
  B.decl(T, B.load(In, B.to(ScalarKind::Int, B.to(ScalarKind::UChar, B.lid(0)))));
  B.decl(T2, B.load(In, B.to(ScalarKind::Int, B.to(ScalarKind::UChar, B.gid(0)))));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), "1");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[1].A, 0)), "varies"); // wraps at 256
}

TEST(Uniform, WhatGroupsShareByTheirSize) {
  Builder B;
  B.K->ReqdWorkGroupSize = {{32, 4, 1}};
  Var *Gid = B.temp("gid"), *Lid = B.temp("lid");
  B.decl(Gid, B.igid(0));
  B.decl(Lid, B.ilid(0));
  Stmt *At = B.barrier();
  KernelAnalysis A(B.M, *B.K);
  auto InGroup = [&](const Expr *E) { return A.varies(E, At).uniform(); };
  const Expr *G = B.r(Gid), *L = B.r(Lid);
  for (const Expr *Same :
       {B.op(Op::Div, G, B.i(32)), B.op(Op::Div, G, B.i(96)), B.op(Op::Shr, G, B.i(5)),
        B.op(Op::And, G, B.i(~31)), B.sub(G, B.op(Op::And, G, B.i(31))), B.sub(G, L),
        B.sub(G, B.op(Op::Rem, G, B.i(64))), B.op(Op::Div, L, B.i(50)),
        B.op(Op::Div, B.igid(1), B.i(4))}) {
    EXPECT_TRUE(InGroup(Same)) << dump(Same);
    EXPECT_FALSE(A.varies(Same, At).uniformInLaunch()) << dump(Same);
  }
  for (const Expr *Differs :
       {B.op(Op::Div, G, B.i(48)), B.op(Op::Div, G, B.i(16)), B.op(Op::Shr, G, B.i(4)),
        B.op(Op::And, G, B.i(31)), B.op(Op::And, G, B.i(~15)), B.sub(G, B.op(Op::And, G, B.i(30))),
        B.sub(G, B.op(Op::And, L, B.i(31))), B.sub(G, B.ilid(1)), B.sub(L, G),
        B.op(Op::Rem, G, B.i(32)), B.op(Op::Div, L, B.i(31)),
        B.op(Op::Div, B.add(G, B.i(1)), B.i(32)), B.op(Op::Div, B.igid(1), B.i(6)),
        B.op(Op::Div, B.i(32), G)})
    EXPECT_FALSE(InGroup(Differs)) << dump(Differs);
}

TEST(Uniform, NoSizeIsKnown) {
  Builder B;
  Var *Gid = B.temp("gid");
  B.decl(Gid, B.igid(0));
  Stmt *At = B.barrier();
  KernelAnalysis A(B.M, *B.K);
  EXPECT_FALSE(A.varies(B.op(Op::Div, B.r(Gid), B.i(32)), At).uniform());
  EXPECT_TRUE(A.varies(B.sub(B.r(Gid), B.ilid(0)), At).uniform());
}

TEST(Index, LoopVariablesAndMovingPointers) {
  Builder B;
  Var *In = B.buffer("in"), *W = B.param("w"), *N = B.param("n");
  Var *K = B.temp("k"), *P = B.temp("p", ScalarKind::Long), *S = B.temp("s", ScalarKind::Float);
  P->IsPointerOffset = true;
  B.decl(P, B.to(ScalarKind::Long, B.igid(0)));
  B.decl(S, B.f(0));
  Stmt *L = B.loop(K, B.i(0), B.r(N), 1, [&] {
    B.assign(S, B.add(B.r(S), B.load(In, B.r(P))));
    B.assign(P, B.add(B.r(P), B.to(ScalarKind::Long, B.r(W))));
    B.assign(S, B.add(B.r(S), B.load(In, B.r(P)))); // already moved
  });
  B.store(In, B.r(P), B.r(S)); // behind the loop: after all its trips, not in terms of k
  KernelAnalysis A(B.M, *B.K);
  auto C = A.countedLoop(L);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->V, K);
  EXPECT_EQ(C->Step, 1);
  EXPECT_EQ(dump(C->Lower), "0");
  EXPECT_EQ(dump(C->Bound), "n");
  EXPECT_FALSE(C->TripCount);
  const AccessSite &First = A.accesses()[0], &Second = A.accesses()[1], &After = A.accesses()[2];
  ASSERT_EQ(First.Loops.size(), 1u);
  expectBytes(A, First, B.add(B.mul(B.mul(B.i(4), B.r(K)), B.r(W)), B.mul(B.i(4), B.igid(0))));
  EXPECT_EQ(A.text(Second.Bytes - First.Bytes), "4*w");
  EXPECT_EQ(textOf(A, A.stride(*First.A, 0)), "4");
  EXPECT_EQ(textOf(A, A.stride(*After.A, 0)), "4");
  EXPECT_FALSE(A.distance(*First.A, *After.A));
  for (const auto &[Mono, C] : After.Bytes.Terms)
    for (unsigned Sym : Mono)
      EXPECT_NE(A.symbol(Sym).K, SymbolInfo::LoopVar);
}

TEST(Index, ConditionalStepIsNoStep) {
  Builder B;
  Var *In = B.buffer("in"), *N = B.param("n"), *K = B.temp("k"), *P = B.temp("p");
  B.decl(P, B.igid(0));
  B.loop(K, B.i(0), B.r(N), 1, [&] {
    B.store(In, B.r(P), B.f(0));
    B.branch(B.lt(B.r(K), B.i(3)), [&] { B.assign(P, B.add(B.r(P), B.i(1))); });
  });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), "varies");
}

TEST(Index, MovingStepIsNoStep) {
  Builder B;
  Var *In = B.buffer("in"), *N = B.param("n"), *K = B.temp("k"), *P = B.temp("p"), *Q = B.temp("q");
  B.decl(P, B.igid(0));
  B.decl(Q, B.igid(0));
  B.loop(K, B.i(0), B.r(N), 1, [&] {
    B.store(In, B.r(P), B.f(0));
    B.assign(P, B.add(B.r(P), B.r(K))); // 0 1 3 6
    B.store(In, B.r(Q), B.f(0));
    B.assign(Q, B.add(B.r(Q), B.to(ScalarKind::Int, B.load(In, B.i(0)))));
  });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), "varies");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[1].A, 0)), "varies");
}

TEST(Index, TileLoopStepsDivide) {
  // for (a = w*16*gy, b = 0; a < end; a += 16, b += 16*w)
  Builder B;
  Var *In = B.buffer("in"), *W = B.param("w"), *N = B.param("n");
  Var *Aa = B.temp("a"), *Bb = B.temp("b");
  B.decl(Bb, B.igid(0));
  Stmt *L = B.loop(Aa, B.i(0), B.r(N), 16, [&] { B.store(In, B.r(Bb), B.f(0)); });
  B.inside(L->Step, [&] { B.assign(Bb, B.add(B.r(Bb), B.mul(B.i(16), B.r(W)))); });
  KernelAnalysis A(B.M, *B.K);
  const AccessSite &S = A.accesses()[0];
  expectBytes(A, S, B.add(B.mul(B.mul(B.i(4), B.r(Aa)), B.r(W)), B.mul(B.i(4), B.igid(0))));
}

TEST(Index, GridStrideLoop) {
  Builder B;
  Var *In = B.buffer("in"), *N = B.param("n"), *I = B.temp("i");
  Stmt *L = B.loop(I, B.igid(0), B.r(N), 1, [&] { B.store(In, B.r(I), B.f(0)); });
  L->Step[0]->E = B.add(B.r(I), B.to(ScalarKind::Int, B.M.workItem(WorkItemQuery::GlobalSize, 0)));
  KernelAnalysis A(B.M, *B.K);
  auto C = A.countedLoop(L);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Step, 0);
  EXPECT_EQ(dump(C->StepExpr), "<int>get_global_size(0)");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), "4");
}

TEST(Index, SameVariableOtherValue) {
  // A variable that changes between two uses gives two addresses.
  Builder B;
  Var *In = B.buffer("in"), *Idx = B.buffer("idx", ScalarKind::Int), *J = B.temp("j");
  B.decl(J, B.load(Idx, B.igid(0)));
  B.store(In, B.r(J), B.f(0));
  B.assign(J, B.load(Idx, B.igid(1)));
  B.store(In, B.r(J), B.f(0));
  B.store(In, B.add(B.r(J), B.i(2)), B.f(0));
  // The same load after the buffer changed.
  B.store(In, B.load(Idx, B.igid(1)), B.f(0));
  B.store(Idx, B.i(0), B.i(0));
  B.store(In, B.load(Idx, B.igid(1)), B.f(0));
  KernelAnalysis A(B.M, *B.K);
  std::vector<const AccessSite *> W;
  for (const AccessSite &S : A.accesses())
    if (S.IsWrite && S.A->Base == In)
      W.push_back(&S);
  ASSERT_EQ(W.size(), 5u);
  EXPECT_FALSE(A.distance(*W[0]->A, *W[1]->A));
  EXPECT_EQ(A.distance(*W[1]->A, *W[2]->A), 8);
  EXPECT_EQ(A.distance(*W[1]->A, *W[3]->A), 0);
  EXPECT_FALSE(A.distance(*W[3]->A, *W[4]->A));
  EXPECT_FALSE(W[0]->Affine);
}

TEST(Index, SharedExpressionsNeedAPlace) {
  // One node in two statements, the variable changed in between: unknown without At, right with
  // it.
  Builder B;
  Var *In = B.buffer("in"), *J = B.temp("j");
  const Expr *Ref = B.r(J), *Next = B.add(Ref, B.i(1));
  B.decl(J, B.igid(0));
  Stmt *S1 = B.store(In, Ref, B.load(In, Next));
  B.assign(J, B.igid(1));
  Stmt *S2 = B.store(In, Ref, B.load(In, Next));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_FALSE((A.poly(Next) - A.poly(Ref)).isConstant());
  EXPECT_EQ(A.poly(Next, S1) - A.poly(Ref, S1), Poly::constant(1));
  EXPECT_FALSE((A.poly(Ref, S2) - A.poly(Ref, S1)).isConstant());
  EXPECT_EQ(A.varies(Ref, S1).Item, 1);
  EXPECT_EQ(A.varies(Ref, S2).Item, 2);
  EXPECT_EQ(A.varies(Ref).Item, 3);
}

TEST(Index, StaleVariableInTheNextRound) {
  // t holds the last trip's k: it is not k * 4.
  Builder B;
  Var *In = B.buffer("in"), *N = B.param("n"), *K = B.temp("k"), *T = B.temp("t");
  B.decl(T, B.i(0));
  B.loop(K, B.i(0), B.r(N), 1, [&] {
    B.store(In, B.r(T), B.f(0));
    B.assign(T, B.mul(B.r(K), B.i(4)));
    B.store(In, B.r(T), B.f(0));
  });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_FALSE(A.accesses()[0].Affine);
  EXPECT_TRUE(A.accesses()[1].Affine);
  EXPECT_FALSE(A.distance(*A.accesses()[0].A, *A.accesses()[1].A));
}

TEST(Loops, Spellings) {
  Builder B;
  Var *N = B.param("n"), *Out = B.buffer("out");
  auto Body = [&](Var *I) { return [&, I] { B.store(Out, B.r(I), B.f(0)); }; };
  Var *I = B.temp("i");
  Stmt *Const = B.loop(I, B.i(0), B.i(10), 3, Body(I));
  // n > i
  Var *J = B.temp("j");
  Stmt *Mirror = B.loop(J, B.i(0), B.r(N), 1, Body(J));
  Mirror->E = B.op(Op::GT, B.r(N), B.r(J));
  // downwards
  Var *D = B.temp("d");
  Stmt *Down = B.loop(D, B.i(9), B.i(0), -1, Body(D));
  Down->E = B.op(Op::GE, B.r(D), B.i(0));
  // while (n) with a break
  Var *Q = B.temp("q");
  Stmt *Early = B.loop(Q, B.i(0), B.i(8), 1, [&] {
    B.branch(B.lt(B.r(N), B.r(Q)), [&] { B.put(B.M.newStmt(StmtKind::Break)); });
  });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.countedLoop(Const)->TripCount, 4);
  ASSERT_TRUE(A.countedLoop(Mirror));
  EXPECT_EQ(A.countedLoop(Mirror)->Compare, Op::LT);
  EXPECT_EQ(A.countedLoop(Down)->TripCount, 10);
  ASSERT_TRUE(A.countedLoop(Early));
  EXPECT_FALSE(A.countedLoop(Early)->TripCount);
}

TEST(Loops, NearMisses) {
  Builder B;
  Var *N = B.param("n");
  Var *I = B.temp("i");
  // assigned in the body as well
  Stmt *Twice = B.loop(I, B.i(0), B.r(N), 1, [&] {
    B.branch(B.lt(B.i(3), B.r(N)), [&] { B.assign(I, B.add(B.r(I), B.i(1))); });
  });
  Var *J = B.temp("j"), *Hi = B.temp("hi");
  B.decl(Hi, B.i(5));
  // the bound moves
  Stmt *Moves = B.loop(J, B.i(0), B.r(Hi), 1, [&] { B.assign(Hi, B.add(B.r(Hi), B.i(1))); });
  // doubles
  Var *D = B.temp("d");
  Stmt *Doubles = B.loop(D, B.i(1), B.r(N), 1, [] {});
  Doubles->Step[0]->E = B.mul(B.r(D), B.i(2));
  // away from the bound
  Var *Q = B.temp("q");
  Stmt *Wrong = B.loop(Q, B.i(1), B.r(N), -1, [] {});
  KernelAnalysis A(B.M, *B.K);
  EXPECT_FALSE(A.countedLoop(Twice));
  EXPECT_FALSE(A.countedLoop(Moves));
  EXPECT_FALSE(A.countedLoop(Doubles));
  EXPECT_FALSE(A.countedLoop(Wrong));
}

TEST(Uniform, ValuesAndControl) {
  Builder B;
  Var *In = B.buffer("in", ScalarKind::Int), *N = B.param("n");
  Var *X = B.temp("x"), *U = B.temp("u"), *T = B.temp("t"), *I = B.temp("i"), *L = B.temp("l");
  B.decl(X, B.igid(0));
  B.decl(U, B.load(In, B.r(N)));
  B.decl(L, B.load(In, B.igid(1)));
  B.decl(T, B.i(0));
  Stmt *Inner = nullptr, *InUniform = nullptr;
  B.branch(B.lt(B.r(X), B.i(4)), [&] { Inner = B.assign(T, B.i(1)); });
  Var *V = B.temp("v");
  B.decl(V, B.i(0));
  B.branch(B.lt(B.r(N), B.i(4)), [&] { InUniform = B.assign(V, B.i(1)); });
  B.store(In, B.r(T), B.r(V));
  // Work-items leave the loop of a uniform variable after different numbers of trips.
  Var *Left = B.temp("left"), *Alive = B.temp("alive");
  B.decl(Left, B.i(0));
  B.loop(I, B.i(0), B.r(X), 1, [&] { B.assign(Left, B.add(B.r(Left), B.i(1))); });
  B.decl(Alive, B.r(Left));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.varies(X).Item, 1);
  EXPECT_FALSE(A.varies(X).Data);
  EXPECT_TRUE(A.varies(U).uniformInLaunch());
  EXPECT_TRUE(A.varies(U).Data);
  EXPECT_EQ(A.varies(L).Item, 2);
  EXPECT_EQ(A.varies(T).Item, 1); // by control
  EXPECT_TRUE(A.varies(V).uniformInLaunch());
  EXPECT_TRUE(A.varies(I).uniform()); // in lockstep
  EXPECT_EQ(A.varies(Alive).Item, 1);
  EXPECT_EQ(A.controlOf(Inner).Item, 1);
  EXPECT_TRUE(A.controlOf(InUniform).uniform());
}

TEST(Uniform, GroupsAndPrivateArrays) {
  Builder B;
  Var *T = B.temp("t"), *Q = B.temp("q"), *G = B.temp("g");
  Var *P = B.array("p", ScalarKind::Int, 4, AddressSpace::Private);
  Var *P2 = B.array("p2", ScalarKind::Int, 4, AddressSpace::Private);
  B.decl(G, B.to(ScalarKind::Int, B.M.workItem(WorkItemQuery::GroupId, 1)));
  B.store(P, B.i(0), B.igid(0));
  B.store(P2, B.i(0), B.i(3));
  B.decl(T, B.load(P, B.i(0)));
  B.decl(Q, B.load(P2, B.i(0)));
  // The same value, but not in all items.
  Var *P3 = B.array("p3", ScalarKind::Int, 4, AddressSpace::Private), *C = B.temp("c");
  B.store(P3, B.i(0), B.i(2));
  B.branch(B.lt(B.igid(1), B.i(4)), [&] { B.store(P3, B.i(0), B.i(3)); });
  B.decl(C, B.load(P3, B.i(0)));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_TRUE(A.varies(G).uniform());
  EXPECT_EQ(A.varies(G).Group, 2);
  EXPECT_EQ(A.varies(T).Item, 1);
  EXPECT_TRUE(A.varies(Q).uniform());
  EXPECT_EQ(A.varies(C).Item, 2);
}

TEST(Index, ABarrierInALoopKeepsWhatIsPrivate) {
  // An element of local memory is the same for all work-items.
  for (AddressSpace Space : {AddressSpace::Private, AddressSpace::Local}) {
    Builder B;
    Var *Out = B.buffer("out"), *J = B.temp("j"), *Ids = B.array("ids", ScalarKind::Int, 4, Space);
    B.store(Ids, B.i(0), B.igid(0));
    B.loop(J, B.i(0), B.i(8), 1, [&] {
      B.store(Out, B.add(B.load(Ids, B.i(0)), B.r(J)), B.f(0));
      B.barrier();
    });
    KernelAnalysis A(B.M, *B.K);
    const AccessSite &Store = A.accesses().back();
    ASSERT_TRUE(Store.IsWrite);
    EXPECT_EQ(textOf(A, A.stride(*Store.A, 0)), Space == AddressSpace::Private ? "4" : "0");
  }
}

TEST(Uniform, OpaqueStatements) {
  // An opaque statement may change all variables; a write to an image changes none.
  for (bool Image : {false, true}) {
    Builder B;
    Var *Out = B.buffer("out"), *X = B.temp("x");
    B.decl(X, B.igid(0));
    Stmt *S = B.put(B.M.newStmt(Image ? StmtKind::ImageWrite : StmtKind::Opaque));
    S->Text = "inline assembly";
    if (Image) {
      S->Image =
          B.M.newVar(Var::Param, "image", B.M.image("image2d_t", AccessQualifier::WriteOnly, 2));
      S->Args = {B.i(0)};
      S->E = B.f(0);
    }
    B.store(Out, B.r(X), B.f(0));
    KernelAnalysis A(B.M, *B.K);
    EXPECT_EQ(A.accesses()[0].Affine, Image);
    EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), Image ? "4" : "varies");
  }
}

TEST(Access, GuardsLoopsAndIntervals) {
  Builder B;
  Var *Out = B.buffer("out"), *W = B.param("w"), *H = B.param("h"), *K = B.temp("k");
  Var *Tile = B.array("tile", ScalarKind::Float, 64, AddressSpace::Local);
  Var *X = B.temp("x");
  B.decl(X, B.igid(0));
  B.branch(
      B.op(Op::LogicalOr, B.op(Op::GE, B.r(X), B.r(W)), B.op(Op::GE, B.igid(1), B.r(H))), [] {},
      [&] { B.store(Out, B.r(X), B.f(0)); });
  B.store(Tile, B.ilid(0), B.f(1));
  B.barrier();
  B.store(Out, B.ilid(0), B.load(Tile, B.sub(B.i(63), B.ilid(0))));
  B.loop(K, B.i(0), B.r(W), 1, [&] {
    B.store(Tile, B.ilid(0), B.f(2)); // in one interval with the access before the loop
    B.barrier();
    B.store(Tile, B.ilid(0), B.f(3));
    B.barrier();
    B.store(Tile, B.ilid(0), B.f(4)); // in one interval with the first, by the back edge
  });
  KernelAnalysis A(B.M, *B.K);
  auto S = A.accesses();
  ASSERT_EQ(S.size(), 7u);
  ASSERT_EQ(S[0].Guards.size(), 2u);
  EXPECT_EQ(dump(S[0].Guards[0].Cond), "(x >= w)");
  EXPECT_FALSE(S[0].Guards[0].Holds);
  EXPECT_EQ(S[0].Interval, S[1].Interval);
  EXPECT_NE(S[1].Interval, S[2].Interval);
  EXPECT_EQ(S[3].Interval, S[4].Interval);
  EXPECT_NE(S[4].Interval, S[5].Interval);
  EXPECT_EQ(S[4].Interval, S[6].Interval);
  ASSERT_EQ(S[4].Guards.size(), 1u);
  EXPECT_EQ(dump(S[4].Guards[0].Cond), "(k < w)");
  EXPECT_TRUE(A.hasBarrier());
}

TEST(Access, LoadsOnOneSideAreConditional) {
  Builder B;
  Var *In = B.buffer("in"), *N = B.param("n"), *T = B.temp("t", ScalarKind::Float);
  B.decl(T, B.M.select(B.lt(B.igid(0), B.r(N)), B.load(In, B.igid(0)), B.f(0)));
  KernelAnalysis A(B.M, *B.K);
  ASSERT_EQ(A.accesses().size(), 1u);
  EXPECT_TRUE(A.accesses()[0].Conditional);
  ASSERT_EQ(A.accesses()[0].Guards.size(), 1u);
  EXPECT_TRUE(A.accesses()[0].Guards[0].Holds);
}

TEST(Access, GuardsWhoseVariablesChangeAreNotListed) {
  Builder B;
  Var *Out = B.buffer("out"), *N = B.param("n"), *X = B.temp("x");
  B.decl(X, B.igid(0));
  B.branch(B.lt(B.r(X), B.r(N)), [&] {
    B.assign(X, B.add(B.r(X), B.i(5)));
    B.store(Out, B.r(X), B.f(0));
  });
  KernelAnalysis A(B.M, *B.K);
  EXPECT_TRUE(A.accesses()[0].Guards.empty());
}

TEST(Index, CoordinatesInAVector) {
  // int2 p = (int2)(gid 0, gid 1); p.y += 1; ... p.y * w + p.x, (p + 2).x
  Builder B;
  Var *Out = B.buffer("out"), *W = B.param("w"), *P = B.temp("p", ScalarKind::Int, 2);
  const Type *Int2 = P->Ty;
  auto X = [&](const Expr *V) { return B.M.swizzle(V, uint8_t(0)); };
  auto Y = [&](const Expr *V) { return B.M.swizzle(V, uint8_t(1)); };
  B.decl(P, B.M.vectorCtor(Int2, {B.igid(0), B.igid(1)}));
  B.store(Out, B.add(B.mul(Y(B.r(P)), B.r(W)), X(B.r(P))), B.f(0));
  B.assign(P, B.add(Y(B.r(P)), B.i(1)))->LaneIdx = {1};
  B.store(Out, B.add(B.mul(Y(B.r(P)), B.r(W)), X(B.r(P))), B.f(0));
  const Expr *Moved = B.add(B.r(P), B.M.intConst(2, Int2));
  B.store(Out, X(Moved), B.f(0));
  B.branch(B.lt(X(B.r(P)), B.r(W)), [&] { B.assign(P, B.M.intConst(7, Int2)); });
  B.store(Out, X(B.r(P)), B.f(0)); // one or the other
  KernelAnalysis A(B.M, *B.K);
  auto S = A.accesses();
  EXPECT_EQ(textOf(A, A.stride(*S[0].A, 0)), "4");
  EXPECT_EQ(textOf(A, A.stride(*S[0].A, 1)), "4*w");
  EXPECT_TRUE(S[0].Affine);
  EXPECT_EQ(A.text(S[1].Bytes - S[0].Bytes), "4*w");
  EXPECT_EQ(textOf(A, A.stride(*S[2].A, 0)), "4");
  EXPECT_EQ(S[2].Bytes.constantTerm(), 8);
  EXPECT_EQ(A.varies(S[2].A->Index[0]).Item, 1);
  EXPECT_EQ(textOf(A, A.stride(*S[3].A, 0)), "varies");
}

TEST(Index, QuotientAndRemainderMakeTheWhole) {
  Builder B;
  Var *Out = B.buffer("out"), *W = B.param("w"), *V = B.param("v"), *I = B.temp("i"),
      *X = B.temp("x"), *Y = B.temp("y");
  B.decl(I, B.igid(0));
  B.decl(X, B.op(Op::Rem, B.r(I), B.r(W)));
  B.decl(Y, B.op(Op::Div, B.r(I), B.r(W)));
  B.store(Out, B.add(B.mul(B.r(Y), B.r(W)), B.r(X)), B.f(0));
  B.store(Out, B.add(B.mul(B.r(Y), B.r(V)), B.r(X)), B.f(0)); // another pitch
  const Expr *High = B.op(Op::Shl, B.op(Op::Shr, B.r(I), B.i(4)), B.i(4));
  B.store(Out, B.add(High, B.op(Op::And, B.r(I), B.i(15))), B.f(0));
  B.store(Out, B.add(High, B.op(Op::And, B.r(I), B.i(7))), B.f(0)); // bit 3 is lost
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[0].A, 0)), "4");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[1].A, 0)), "varies");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[2].A, 0)), "4");
  EXPECT_EQ(textOf(A, A.stride(*A.accesses()[3].A, 0)), "varies");
}

TEST(Footprint, FilterOfThreeByThree) {
  Builder B;
  Var *In = B.buffer("in"), *Out = B.buffer("out"), *W = B.param("w");
  Var *X = B.temp("x"), *Y = B.temp("y"), *S = B.temp("s", ScalarKind::Float);
  Var *Dx = B.temp("dx"), *Dy = B.temp("dy");
  B.decl(X, B.igid(0));
  B.decl(Y, B.igid(1));
  B.decl(S, B.f(0));
  B.loop(Dy, B.i(-1), B.i(2), 1, [&] {
    B.loop(Dx, B.i(-1), B.i(2), 1, [&] {
      const Expr *I = B.add(B.mul(B.add(B.r(Y), B.r(Dy)), B.r(W)), B.add(B.r(X), B.r(Dx)));
      B.assign(S, B.add(B.r(S), B.load(In, I)));
    });
  });
  B.store(Out, B.add(B.mul(B.r(Y), B.r(W)), B.r(X)), B.r(S));
  KernelAnalysis A(B.M, *B.K);
  Footprint Row = A.footprint(In, false, {4, 1, 1});
  EXPECT_TRUE(Row.Exact);
  EXPECT_EQ(Row.Accesses, 9u);
  EXPECT_EQ(Row.PerItem, 36);
  EXPECT_EQ(Row.PerTile, 3 * 6 * 4);
  EXPECT_DOUBLE_EQ(Row.reuse(), 2.0);
  EXPECT_EQ(A.footprint(In, false, {4, 4, 1}).PerTile, 6 * 6 * 4);
  Footprint Written = A.footprint(Out, true, {4, 4, 1});
  EXPECT_EQ(Written.PerTile, 64);
  EXPECT_DOUBLE_EQ(Written.reuse(), 1.0);
  EXPECT_EQ(A.footprint(In, true, {4, 4, 1}).Accesses, 0u);
}

TEST(Footprint, RowsAndColumnsOfAProduct) {
  // c[y][x] += a[y][k] * b[k][x]
  Builder B;
  Var *Aa = B.buffer("a"), *Bb = B.buffer("b"), *N = B.param("n"), *K = B.temp("k");
  Var *S = B.temp("s", ScalarKind::Float);
  B.decl(S, B.f(0));
  B.loop(K, B.i(0), B.r(N), 1, [&] {
    B.assign(S, B.mul(B.load(Aa, B.add(B.mul(B.igid(1), B.r(N)), B.r(K))),
                      B.load(Bb, B.add(B.mul(B.r(K), B.r(N)), B.igid(0)))));
  });
  KernelAnalysis A(B.M, *B.K);
  Footprint Row = A.footprint(Aa, false, {8, 1, 1}), Column = A.footprint(Bb, false, {8, 4, 1});
  EXPECT_FALSE(Row.Exact); // n trips: one represents all
  EXPECT_DOUBLE_EQ(Row.reuse(), 8.0);
  EXPECT_DOUBLE_EQ(Column.reuse(), 4.0);
}

TEST(Footprint, GatherIsInexact) {
  Builder B;
  Var *In = B.buffer("in"), *Idx = B.buffer("idx", ScalarKind::Int);
  Var *T = B.temp("t", ScalarKind::Float);
  B.decl(T, B.load(In, B.load(Idx, B.igid(0))));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_FALSE(A.footprint(In, false, {8, 1, 1}).Exact);
  EXPECT_EQ(A.footprint(In, false, {8, 1, 1}).PerTile, 32);
  EXPECT_TRUE(A.footprint(Idx, false, {8, 1, 1}).Exact);
}

} // namespace
