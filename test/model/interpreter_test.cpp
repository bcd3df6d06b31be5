//===-- test/model/interpreter_test.cpp - Integers of one work-item -------===//

#include "checks/model/analysis/eval/Interpreter.h"
#include "test/model/analysis_util.h"
#include <gtest/gtest.h>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

/// Variables have given values; loads are not known.
struct Fixed : Interpreter {
  std::map<const Var *, int64_t> Values;
  WorkItemPosition Position{{7, 2, 0}, {4, 2, 1}, {16, 8, 1}};
  LaneValues leaf(const Expr *E, const Stmt *) override {
    LaneValues R;
    if (E->K == ExprKind::WorkItem)
      R.Lanes.push_back(workItemValue(E, Position));
    if (auto It = Values.find(E->V); E->K == ExprKind::VarRef && It != Values.end())
      R = LaneValues::known(It->second);
    R.Tags = E->K == ExprKind::WorkItem ? 1 << E->Dim : 0;
    return R;
  }
  std::optional<int64_t> operator()(const Expr *E) { return eval(E, nullptr).scalar(); }
};

TEST(Interpreter, WorkItemQueries) {
  Builder B;
  Fixed V;
  EXPECT_EQ(V(B.gid(0)), 7);
  EXPECT_EQ(V(B.lid(0)), 3);
  EXPECT_EQ(V(B.M.workItem(WorkItemQuery::GroupId, 0)), 1);
  EXPECT_EQ(V(B.M.workItem(WorkItemQuery::NumGroups, 1)), 4);
  EXPECT_EQ(V(B.M.workItem(WorkItemQuery::WorkDim, 0)), std::nullopt);
}

TEST(Interpreter, UnsignedWraps) {
  Builder B;
  Fixed V;
  auto U = ScalarKind::UInt;
  EXPECT_EQ(V(B.sub(B.i(0, U), B.i(1, U))), 4294967295);
  EXPECT_EQ(V(B.to(ScalarKind::UChar, B.i(-1))), 255);
  EXPECT_EQ(V(B.to(ScalarKind::Char, B.i(200))), -56);
}

TEST(Interpreter, SignedOverflowHasNoValue) {
  Builder B;
  Fixed V;
  EXPECT_EQ(V(B.add(B.i(INT32_MAX), B.i(1))), std::nullopt);
  EXPECT_EQ(V(B.mul(B.i(65536), B.i(65536))), std::nullopt);
  EXPECT_EQ(V(B.add(B.i(INT32_MAX - 1), B.i(1))), INT32_MAX);
  EXPECT_EQ(V(B.M.unary(Op::Neg, B.i(INT32_MIN))), std::nullopt);
}

TEST(Interpreter, SixtyFourBitsHaveNoValueBeyondTheirRange) {
  Builder B;
  Fixed V;
  auto UL = ScalarKind::ULong;
  EXPECT_EQ(V(B.sub(B.i(0, UL), B.i(1, UL))), std::nullopt);
  EXPECT_EQ(V(B.i(-1, UL)), std::nullopt); // 2^64 - 1
  EXPECT_EQ(V(B.add(B.i(INT64_MAX, ScalarKind::Long), B.i(1, ScalarKind::Long))), std::nullopt);
}

TEST(Interpreter, DivisionAndShifts) {
  Builder B;
  Fixed V;
  EXPECT_EQ(V(B.op(Op::Div, B.i(-7), B.i(2))), -3);
  EXPECT_EQ(V(B.op(Op::Rem, B.i(-7), B.i(2))), -1);
  EXPECT_EQ(V(B.op(Op::Div, B.i(7), B.i(0))), std::nullopt);
  EXPECT_EQ(V(B.op(Op::Shl, B.i(3), B.i(4))), 48);
  EXPECT_EQ(V(B.op(Op::Shr, B.i(-8), B.i(1))), std::nullopt);
}

TEST(Interpreter, ShortCircuit) {
  Builder B;
  Fixed V;
  Var *Buffer = B.buffer("p", ScalarKind::Int);
  const Expr *Unknown = B.load(Buffer, B.i(0));
  EXPECT_EQ(V(B.both(B.i(0), Unknown)), 0);
  EXPECT_EQ(V(B.both(B.i(2), Unknown)), std::nullopt);
  EXPECT_EQ(V(B.both(Unknown, B.i(0))), std::nullopt);
  EXPECT_EQ(V(B.op(Op::LogicalOr, B.i(5), Unknown)), 1);
  EXPECT_EQ(V(B.M.select(B.i(1), B.i(4), Unknown)), 4);
}

TEST(Interpreter, VectorsAndTags) {
  Builder B;
  Fixed V;
  const Expr *Pair = B.M.vectorCtor(B.ty(ScalarKind::Int, 2), {B.igid(0), B.igid(1)});
  LaneValues Both = V.eval(B.add(Pair, Pair), nullptr);
  ASSERT_EQ(Both.Lanes.size(), 2u);
  EXPECT_EQ(Both.Lanes[0], 14);
  EXPECT_EQ(Both.Lanes[1], 4);
  EXPECT_EQ(Both.Tags, 3);
  EXPECT_EQ(V(B.M.swizzle(Pair, {1})), 2);
  // A true comparison of vectors is -1.
  EXPECT_EQ(V.eval(B.op(Op::EQ, Pair, Pair), nullptr).Lanes[0], -1);
}

TEST(Interpreter, BuiltIns) {
  Builder B;
  Fixed V;
  const Type *Int = B.ty(ScalarKind::Int);
  EXPECT_EQ(V(B.M.call("clamp", Int, {B.i(9), B.i(0), B.i(5)})), 5);
  EXPECT_EQ(V(B.M.call("min", Int, {B.i(9), B.i(-2)})), -2);
  EXPECT_EQ(V(B.M.call("mad24", Int, {B.i(3), B.i(4), B.i(5)})), 17);
  EXPECT_EQ(V(B.M.call("popcount", Int, {B.i(3)})), std::nullopt);
}

TEST(Interpreter, Polynomials) {
  Poly P = Poly::symbol(0) * Poly::symbol(1) * 4 + Poly::constant(3);
  auto Value = [](unsigned S) -> std::optional<int64_t> { return S == 0 ? 5 : 6; };
  EXPECT_EQ(evaluate(P, Value), 123);
  auto OneOnly = [](unsigned S) { return S == 0 ? std::optional<int64_t>(5) : std::nullopt; };
  EXPECT_EQ(evaluate(P, OneOnly), std::nullopt);
  auto Large = [](unsigned) -> std::optional<int64_t> { return INT64_MAX; };
  EXPECT_EQ(evaluate(P, Large), std::nullopt);
}

} // namespace
