//===-- test/model/analysis_conflict_reason_test.cpp - Why two accesses conflict ---===//

#include "checks/model/analysis/conflict/ConflictReason.h"
#include "test/model/analysis_util.h"
#include <gtest/gtest.h>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace clmali::model {
void PrintTo(ConflictReason R, std::ostream *OS) { *OS << name(R).str(); }
} // namespace clmali::model

namespace {

using Ids = std::array<int, 3>;

/// The answer for accesses First and Second, in the order of execution.
ConflictResult reasonOf(Builder &B, unsigned First, unsigned Second) {
  KernelAnalysis A(B.M, *B.K);
  ConflictResult R = A.conflictReason(A.accesses()[First], A.accesses()[Second]);
  EXPECT_EQ(R.Kind, A.conflict(A.accesses()[First], A.accesses()[Second]));
  EXPECT_EQ(R.Distance.has_value(), R.Reason == ConflictReason::Witness);
  return R;
}

TEST(ConflictReason, NeighboursElement) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.store(Out, B.r(I), B.load(Out, B.add(B.r(I), B.i(1))));
  // The load (access 0) of work-item i touches what i + 1 stores.
  ConflictResult R = reasonOf(B, 0, 1);
  EXPECT_EQ(R.Reason, ConflictReason::Witness);
  EXPECT_EQ(R.Distance, (Ids{-1, 0, 0}));
  EXPECT_EQ(reasonOf(B, 1, 0).Distance, (Ids{1, 0, 0}));
}

TEST(ConflictReason, OneElementForAll) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.store(Out, B.i(0), B.r(I));
  ConflictResult R = reasonOf(B, 0, 0);
  EXPECT_EQ(R.Reason, ConflictReason::Witness);
  EXPECT_EQ(R.Kind, Conflict::Must);
}

TEST(ConflictReason, OwnElement) {
  Builder B;
  Var *Out = B.buffer("out");
  B.store(Out, B.igid(0), B.f(0));
  EXPECT_EQ(reasonOf(B, 0, 0).Reason, ConflictReason::SameWorkItem);
}

TEST(ConflictReason, EvenAndOddElements) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  const Expr *Twice = B.mul(B.r(I), B.i(2));
  B.store(Out, Twice, B.load(Out, B.add(Twice, B.i(1))));
  EXPECT_EQ(reasonOf(B, 0, 1).Reason, ConflictReason::DisjointAddresses);
}

TEST(ConflictReason, WithoutATest) {
  Builder B;
  Var *P = B.buffer("p"), *Q = B.buffer("q");
  B.store(P, B.igid(0), B.add(B.load(Q, B.i(0)), B.load(Q, B.i(1))));
  EXPECT_EQ(reasonOf(B, 0, 1).Reason, ConflictReason::NoWrite);
  EXPECT_EQ(reasonOf(B, 0, 2).Reason, ConflictReason::DifferentObjects);
}

TEST(ConflictReason, BarrierBetween) {
  Builder B;
  Var *T = B.array("t", ScalarKind::Float, 64, AddressSpace::Local),
      *X = B.temp("x", ScalarKind::Float);
  B.store(T, B.ilid(0), B.f(0));
  B.barrier();
  B.decl(X, B.load(T, B.add(B.ilid(0), B.i(1))));
  EXPECT_EQ(reasonOf(B, 0, 1).Reason, ConflictReason::BarrierBetween);
}

TEST(ConflictReason, DataDependentAddress) {
  Builder B;
  Var *Out = B.buffer("out"), *In = B.buffer("in", ScalarKind::Int);
  B.store(Out, B.load(In, B.igid(0)), B.f(0));
  EXPECT_EQ(reasonOf(B, 1, 1).Reason, ConflictReason::DataDependentAddress);
}

TEST(ConflictReason, PartnersMeet) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.store(Out, B.r(I), B.load(Out, B.op(Op::Xor, B.r(I), B.i(1))));
  EXPECT_EQ(reasonOf(B, 0, 1).Reason, ConflictReason::PartnersMeet);
}

TEST(ConflictReason, UnknownGuardIsNoWitness) {
  Builder B;
  Var *Out = B.buffer("out"), *Flag = B.buffer("flag", ScalarKind::Int), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.branch(B.load(Flag, B.r(I)), [&] { B.store(Out, B.r(I), B.load(Out, B.add(B.r(I), B.i(1)))); });
  ConflictResult R = reasonOf(B, 1, 2);
  EXPECT_EQ(R.Kind, Conflict::May);
  EXPECT_EQ(R.Reason, ConflictReason::Unproved);
}

TEST(ConflictReason, GuardOfOneWorkItem) {
  Builder B;
  Var *Out = B.buffer("out"), *I = B.temp("i");
  B.decl(I, B.igid(0));
  B.branch(B.op(Op::EQ, B.r(I), B.i(0)),
           [&] { B.store(Out, B.r(I), B.load(Out, B.add(B.r(I), B.i(1)))); });
  EXPECT_EQ(reasonOf(B, 0, 1).Kind, Conflict::No);
}

} // namespace
