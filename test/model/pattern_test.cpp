// The recognisers that a rule and its pass share: what they accept, and the nearest case that they
// do not.
#include "analysis_util.h"
#include "checks/model/pattern/HoistableWork.h"
#include "checks/model/pattern/LoadGroups.h"
#include "checks/model/pattern/LocalCopy.h"
#include "checks/model/pattern/QuotientReuse.h"
#include "checks/model/pattern/SelectableBranch.h"
#include "gtest/gtest.h"

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

//===----------------------------------------------------------------------===//
// SelectableBranch
//===----------------------------------------------------------------------===//

/// if (get_global_id(0) < n) a branch of assignments
struct Branches : Builder {
  Var *N = param("n"), *In = buffer("in", ScalarKind::Int);
  Var *V[4] = {temp("a"), temp("b"), temp("c"), temp("d")};
  const Expr *Divergent = lt(igid(0), r(N));

  std::optional<pattern::SelectableBranch> find(const Stmt *If) {
    return pattern::selectableBranch(KernelAnalysis(M, *K), *If);
  }
};

TEST(SelectableBranch, ThreeAssignmentsOnBothSides) {
  Branches B;
  Stmt *If = B.branch(
      B.Divergent, [&] { B.assign(B.V[0], B.i(1)), B.assign(B.V[1], B.i(2)); },
      [&] { B.assign(B.V[0], B.i(3)); });
  auto Found = B.find(If);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Assigned, (std::vector<Var *>{B.V[0], B.V[1]}));
  EXPECT_FALSE(Found->NeedsCondition);
}

TEST(SelectableBranch, FourAssignmentsAreTooMany) {
  Branches B;
  Stmt *If = B.branch(B.Divergent, [&] {
    for (Var *V : B.V)
      B.assign(V, B.i(1));
  });
  EXPECT_FALSE(B.find(If));
}

TEST(SelectableBranch, CallsDivisionsAndLoadsAreWorthABranch) {
  Branches B;
  auto Sets = [&](const Expr *E) { return B.branch(B.Divergent, [&] { B.assign(B.V[0], E); }); };
  const Expr *One = B.i(1);
  Stmt *Plain = Sets(B.add(B.r(B.N), One));
  Stmt *Call = Sets(B.M.call("max", B.ty(ScalarKind::Int), {B.r(B.N), One}));
  Stmt *Division = Sets(B.op(Op::Div, One, B.r(B.N)));
  Stmt *Load = Sets(B.load(B.In, B.i(0)));
  EXPECT_TRUE(B.find(Plain));
  EXPECT_FALSE(B.find(Call));
  EXPECT_FALSE(B.find(Division));
  EXPECT_FALSE(B.find(Load));
}

TEST(SelectableBranch, ConditionThatIsUniformStaysABranch) {
  Branches B;
  Stmt *If = B.branch(B.lt(B.i(0), B.r(B.N)), [&] { B.assign(B.V[0], B.i(1)); });
  EXPECT_FALSE(B.find(If));
}

TEST(SelectableBranch, ConditionThatReadsWhatIsAssigned) {
  Branches B;
  B.decl(B.V[0], B.igid(0));
  Stmt *If = B.branch(B.lt(B.r(B.V[0]), B.r(B.N)),
                      [&] { B.assign(B.V[0], B.i(1)), B.assign(B.V[1], B.i(2)); });
  auto Found = B.find(If);
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->NeedsCondition);
}

//===----------------------------------------------------------------------===//
// HoistableWork
//===----------------------------------------------------------------------===//

TEST(HoistableWork, RunOfAssignmentsBehindTheBarrier) {
  Builder B;
  Var *Tile = B.array("tile", ScalarKind::Int, 64, AddressSpace::Local);
  Var *N = B.param("n"), *V = B.temp("v"), *W = B.temp("w"), *X = B.temp("x");
  B.decl(V, B.load(Tile, B.ilid(0)));
  B.barrier();
  B.decl(W, B.add(B.r(N), B.i(1)));
  B.decl(X, B.load(Tile, B.i(0)));
  EXPECT_TRUE(pattern::readsCommonStore(*B.K->Body[0]));
  EXPECT_FALSE(pattern::readsCommonStore(*B.K->Body[2]));
  EXPECT_EQ(pattern::endOfHoistableWork(B.K->Body, 1), std::optional<size_t>(3));
}

TEST(HoistableWork, NothingWithoutAReadOrWithoutWork) {
  Builder B;
  Var *Tile = B.array("tile", ScalarKind::Int, 64, AddressSpace::Local);
  Var *N = B.param("n"), *V = B.temp("v"), *W = B.temp("w");
  B.store(Tile, B.ilid(0), B.i(1)); // a write
  B.barrier();
  B.decl(W, B.add(B.r(N), B.i(1)));
  B.decl(V, B.load(Tile, B.ilid(0)));
  B.barrier();
  B.assign(W, B.r(N)); // computes nothing
  EXPECT_FALSE(pattern::endOfHoistableWork(B.K->Body, 1));
  EXPECT_FALSE(pattern::endOfHoistableWork(B.K->Body, 4));
}

//===----------------------------------------------------------------------===//
// LocalCopy
//===----------------------------------------------------------------------===//

struct Copies : Builder {
  Var *In = buffer("in"), *In4 = buffer("in4", ScalarKind::Float, 4), *N = param("n");
  Var *Tile = array("tile", ScalarKind::Float, 64, AddressSpace::Local);
  Stmt *copy(const Expr *E) { return store(Tile, ilid(0), E); }
  std::optional<pattern::CopySources> sources(const Stmt *S) {
    KernelAnalysis A(M, *K);
    return pattern::CopyRecognizer(A).sourcesOf(S->E, S);
  }
};

TEST(LocalCopy, LoadsAndConstantsOfTheLaunch) {
  Copies B;
  Stmt *S = B.copy(B.M.select(B.lt(B.igid(0), B.r(B.N)), B.load(B.In, B.igid(0)), B.f(0)));
  auto Found = B.sources(S);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Loads.size(), 1u);
  EXPECT_TRUE(Found->Replaceable);
}

TEST(LocalCopy, ComponentOfAVector) {
  Copies B;
  auto Found = B.sources(B.copy(B.M.swizzle(B.load(B.In4, B.igid(0)), {1})));
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->Replaceable);
}

TEST(LocalCopy, LongChainOfVariables) {
  Copies B;
  const Expr *Value = B.load(B.In, B.igid(0));
  for (unsigned I = 0; I < 12; ++I) {
    Var *V = B.temp("v" + std::to_string(I), ScalarKind::Float);
    B.decl(V, Value);
    Value = B.r(V);
  }
  auto Found = B.sources(B.copy(Value));
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->Replaceable);
}

TEST(LocalCopy, ValueThatABranchChooses) {
  Copies B;
  Var *V = B.temp("v", ScalarKind::Float);
  B.decl(V, B.f(0));
  B.branch(B.lt(B.igid(0), B.r(B.N)), [&] { B.assign(V, B.load(B.In, B.igid(0))); });
  auto Found = B.sources(B.copy(B.r(V)));
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->Replaceable);
}

TEST(LocalCopy, ThreeDefinitionsAreACopyThatNoPassReplaces) {
  Copies B;
  Var *V = B.temp("v", ScalarKind::Float);
  B.decl(V, B.f(0));
  for (int64_t I : {0, 1})
    B.branch(B.lt(B.igid(0), B.r(B.N)), [&] { B.assign(V, B.load(B.In, B.i(I))); });
  auto Found = B.sources(B.copy(B.r(V)));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Loads.size(), 2u);
  EXPECT_FALSE(Found->Replaceable);
}

TEST(LocalCopy, PrivateArraysAndImagesThatAreWrittenAreCopiesThatNoPassReplaces) {
  Copies B;
  Var *Ahead = B.array("ahead", ScalarKind::Float, 4, AddressSpace::Private);
  B.store(Ahead, B.i(0), B.load(B.In, B.igid(0)));
  auto Array = B.sources(B.copy(B.load(Ahead, B.i(0))));
  ASSERT_TRUE(Array);
  EXPECT_EQ(Array->Loads.size(), 1u);
  EXPECT_FALSE(Array->Replaceable);
  for (AccessQualifier Q : {AccessQualifier::ReadOnly, AccessQualifier::ReadWrite}) {
    Expr *Pixel = B.M.newExpr(ExprKind::ImageRead, B.ty(ScalarKind::Float), {});
    Pixel->Name = "read_imagef";
    std::string Type =
        Q == AccessQualifier::ReadOnly ? "image2d_depth_t" : "read_write image2d_depth_t";
    Pixel->Image = B.M.newVar(Var::Param, "image", B.M.image(Type, Q, 2));
    Pixel->Ops = {B.i(0)};
    auto Image = B.sources(B.copy(Pixel));
    ASSERT_TRUE(Image);
    EXPECT_EQ(Image->Pixels, std::vector<const Expr *>{Pixel});
    EXPECT_EQ(Image->Replaceable, Q == AccessQualifier::ReadOnly);
  }
}

TEST(LocalCopy, ComputedValuesAreNoCopies) {
  Copies B;
  EXPECT_FALSE(B.sources(B.copy(B.add(B.load(B.In, B.igid(0)), B.f(1)))));
  EXPECT_FALSE(B.sources(B.copy(B.load(B.Tile, B.i(0)))));
}

//===----------------------------------------------------------------------===//
// QuotientReuse
//===----------------------------------------------------------------------===//

TEST(QuotientReuse, RemainderBehindItsQuotientAndBeforeIt) {
  Builder B;
  Var *W = B.param("w"), *H = B.param("h"), *Y = B.temp("y"), *X = B.temp("x"), *U = B.temp("u"),
      *V = B.temp("v");
  auto Divide = [&](Op O, Var *By) { return B.op(O, B.igid(0), B.r(By)); };
  Stmt *Quotient = B.decl(Y, Divide(Op::Div, W)), *Remainder = B.decl(X, Divide(Op::Rem, W));
  Stmt *First = B.decl(U, Divide(Op::Rem, H)), *Second = B.decl(V, Divide(Op::Div, H));
  pattern::QuotientReuse Reuse(B.K->Body);
  ASSERT_EQ(Reuse.QuotientOf.count({Remainder, Remainder->E}), 1u);
  EXPECT_EQ(Reuse.QuotientOf.at({Remainder, Remainder->E}), Quotient);
  EXPECT_EQ(Reuse.QuotientOf.at({First, First->E}), Second);
  ASSERT_EQ(Reuse.Swapped.size(), 1u);
  for (Stmt *S : {Quotient, Remainder, First, Second})
    EXPECT_TRUE(Reuse.involves(S, S->E));
}

TEST(QuotientReuse, OtherDivisorsAndChangedVariables) {
  Builder B;
  Var *W = B.param("w"), *H = B.param("h"), *Y = B.temp("y"), *X = B.temp("x"), *I = B.temp("i"),
      *U = B.temp("u"), *V = B.temp("v");
  B.decl(Y, B.op(Op::Div, B.igid(0), B.r(W)));
  Stmt *Other = B.decl(X, B.op(Op::Rem, B.igid(0), B.r(H)));
  B.decl(I, B.igid(0));
  Stmt *Before = B.decl(U, B.op(Op::Div, B.r(I), B.r(W)));
  B.assign(I, B.add(B.r(I), B.i(1)));
  Stmt *After = B.decl(V, B.op(Op::Rem, B.r(I), B.r(W)));
  pattern::QuotientReuse Reuse(B.K->Body);
  EXPECT_TRUE(Reuse.QuotientOf.empty());
  for (Stmt *S : {Other, Before, After})
    EXPECT_FALSE(Reuse.involves(S, S->E));
}

//===----------------------------------------------------------------------===//
// LoadGroups
//===----------------------------------------------------------------------===//

TEST(LoadGroups, FewerLoads) {
  using pattern::Span;
  EXPECT_EQ(pattern::fewerLoads({{0, 8}, {1, 9}, {2, 10}}), (std::vector<Span>{{0, 8}, {8, 10}}));
  EXPECT_TRUE(pattern::fewerLoads({{0, 8}, {8, 16}, {100, 108}}).size() == 1);
  EXPECT_TRUE(pattern::fewerLoads({{0, 8}}).empty());
  EXPECT_TRUE(pattern::fewerLoads({{0, 1}, {1, 2}}).empty()); // scalars alone are another matter
}

TEST(LoadGroups, AStoreBetweenSeparates) {
  for (bool Between : {false, true}) {
    Builder B;
    Var *In = B.buffer("in"), *Out = B.buffer("out"), *X = B.temp("x", ScalarKind::Float),
        *Y = B.temp("y", ScalarKind::Float);
    B.decl(X, B.load(In, B.igid(0)));
    if (Between)
      B.store(Out, B.mul(B.igid(0), B.i(3)), B.f(1));
    B.decl(Y, B.load(In, B.igid(0)));
    KernelAnalysis A(B.M, *B.K);
    EXPECT_EQ(pattern::loadGroups(A, B.K->Body).size(), Between ? 2u : 1u);
    EXPECT_EQ(pattern::overlappingLoads(A).size(), Between ? 0u : 2u);
  }
}

TEST(LoadGroups, NeverOverlap) {
  auto C = [](int64_t N) { return Poly::constant(N); };
  EXPECT_TRUE(pattern::neverOverlap(C(4), 4, 8));
  EXPECT_FALSE(pattern::neverOverlap(C(3), 4, 8));
  EXPECT_TRUE(pattern::neverOverlap(C(-8), 4, 8));
  EXPECT_FALSE(pattern::neverOverlap(C(-7), 4, 8));
  // In steps of 8: the second one begins 1, 9, 17 .. or 7, 15 .. bytes before it.
  Poly Steps = Poly::symbol(0) * 8 + Poly::symbol(1) * -16;
  EXPECT_TRUE(pattern::neverOverlap(Steps + C(1), 1, 7));
  EXPECT_FALSE(pattern::neverOverlap(Steps + C(1), 1, 8));
  EXPECT_FALSE(pattern::neverOverlap(Steps + C(1), 2, 7));
  EXPECT_TRUE(pattern::neverOverlap(Steps + C(-7), 1, 7));
  EXPECT_FALSE(pattern::neverOverlap(Steps, 1, 1));
  EXPECT_FALSE(pattern::neverOverlap(Steps + Poly::symbol(2) + C(1), 1, 1));
}

TEST(LoadGroups, ChannelsAreApart) {
  for (int Channel : {1, 2}) {
    Builder B;
    Var *In = B.buffer("in"), *Out = B.buffer("out"), *X = B.temp("x", ScalarKind::Float),
        *Y = B.temp("y", ScalarKind::Float);
    const Expr *Pixel = B.mul(B.load(B.buffer("at", ScalarKind::Int), B.igid(0)), B.i(4));
    B.decl(X, B.load(In, Pixel));
    B.store(Out, B.add(B.mul(B.igid(0), B.i(4)), B.i(Channel)), B.f(1));
    B.decl(Y, B.load(In, B.add(Pixel, B.i(2))));
    KernelAnalysis A(B.M, *B.K);
    // Of In: one group, or two where the store may be to the channel that is loaded behind it.
    unsigned Groups = 0;
    for (const pattern::LoadGroup &G : pattern::loadGroups(A, B.K->Body))
      if (G.Base == In) {
        ++Groups;
        EXPECT_EQ(G.Assumed.ByShift, G.Loads.size() == 2);
      }
    EXPECT_EQ(Groups, Channel == 1 ? 1u : 2u);
  }
}

TEST(LoadGroups, WhatAllReadIsNotWhatEachWrites) {
  for (bool AssumeApart : {false, true})
    for (bool Uniform : {false, true}) {
      Builder B;
      Var *In = B.buffer("in"), *Out = B.buffer("out"), *N = B.param("n", ScalarKind::Int),
          *X = B.temp("x", ScalarKind::Float), *Y = B.temp("y", ScalarKind::Float);
      const Expr *At = Uniform ? B.r(N) : B.mul(B.igid(0), B.i(3));
      B.decl(X, B.load(In, At));
      B.store(Out, B.mul(B.igid(0), B.i(4)), B.f(1));
      B.decl(Y, B.load(In, B.add(At, B.i(1))));
      KernelAnalysis A(B.M, *B.K);
      auto Groups = pattern::loadGroups(A, B.K->Body, AssumeApart);
      EXPECT_EQ(Groups.size(), AssumeApart && Uniform ? 1u : 2u);
      EXPECT_EQ(Groups.front().Assumed.ReadByAll, AssumeApart && Uniform);
    }
}

} // namespace
