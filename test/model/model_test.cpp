//===-- test/model/model_test.cpp - Nodes, walkers, copies ----------------===//

#include "checks/model/ir/Model.h"
#include "gtest/gtest.h"

using namespace clmali::model;

namespace {

TEST(Types, AreInterned) {
  Module M;
  EXPECT_EQ(M.value(ScalarKind::Float, 4), M.value(ScalarKind::Float, 4));
  EXPECT_NE(M.value(ScalarKind::Float, 4), M.value(ScalarKind::Float, 2));
  const Type *Elem = M.value(ScalarKind::Int);
  EXPECT_EQ(M.pointer(Elem, AddressSpace::Global), M.pointer(Elem, AddressSpace::Global));
  EXPECT_NE(M.pointer(Elem, AddressSpace::Global), M.pointer(Elem, AddressSpace::Local));
  EXPECT_NE(M.pointer(Elem, AddressSpace::Global), M.pointer(Elem, AddressSpace::Global, true));
  EXPECT_EQ(M.array(Elem, 3), M.array(Elem, 3));
  EXPECT_EQ(M.array(Elem, 3)->Size, 12u);
  EXPECT_EQ(M.value(ScalarKind::Float, 3)->Size, 16u) << "a 3-vector counts 4";
}

TEST(Types, ComparisonsGiveIntegersOfTheSameWidth) {
  Module M;
  EXPECT_EQ(M.comparisonType(M.value(ScalarKind::Double)), M.value(ScalarKind::Int));
  EXPECT_EQ(M.comparisonType(M.value(ScalarKind::Double, 2)), M.value(ScalarKind::Long, 2));
  EXPECT_EQ(M.comparisonType(M.value(ScalarKind::UChar, 16)), M.value(ScalarKind::Char, 16));
}

TEST(Constants, WrapAsTheirTypeDoes) {
  Module M;
  EXPECT_EQ(M.intConst(300, ScalarKind::UChar)->Int, 44);
  EXPECT_EQ(M.intConst(200, ScalarKind::Char)->Int, -56);
  EXPECT_EQ(M.intConst(-1, ScalarKind::UInt)->Int, 4294967295);
  EXPECT_EQ(M.intConst(7, ScalarKind::Bool)->Int, 1);
  const Expr *V = M.intConst(3, M.value(ScalarKind::Int, 4));
  EXPECT_EQ(V->Ty, M.value(ScalarKind::Int, 4));
  EXPECT_EQ(V->C, CastOp::Splat);
}

TEST(Casts, ConvertTheScalarBeforeTheySplatIt) {
  Module M;
  Var *I = M.newVar(Var::Temp, "i", M.value(ScalarKind::Int));
  const Expr *V = M.cast(M.ref(I), M.value(ScalarKind::Float, 4), true);
  EXPECT_EQ(dump(V), "<float4><float>i");
  EXPECT_EQ(M.cast(M.ref(I), I->Ty)->K, ExprKind::VarRef) << "no cast to the same type";
}

/// load base[i + 1] where i is an int.
struct Fixture {
  Module M;
  Var *Base =
      M.newVar(Var::Param, "p", M.pointer(M.value(ScalarKind::Float), AddressSpace::Global));
  Var *I = M.newVar(Var::Temp, "i", M.value(ScalarKind::Int));
  Var *J = M.newVar(Var::Temp, "j", M.value(ScalarKind::Int));

  Access at(const Expr *Index) {
    Access A;
    A.Base = Base;
    A.Index = {Index};
    A.Stride = {4};
    A.Elem = ScalarKind::Float;
    return A;
  }
  const Expr *load(Var *V) { return M.load(at(M.binary(Op::Add, M.ref(V), M.intConst(1)))); }
};

TEST(Walking, ReachesTheIndexOfALoad) {
  Fixture F;
  unsigned Refs = 0, Nodes = 0;
  walk(F.load(F.I), [&](const Expr *E) {
    ++Nodes;
    Refs += E->K == ExprKind::VarRef;
    return true;
  });
  EXPECT_EQ(Refs, 1u);
  EXPECT_EQ(Nodes, 4u);
  Nodes = 0;
  walk(F.load(F.I), [&](const Expr *) {
    ++Nodes;
    return false;
  });
  EXPECT_EQ(Nodes, 1u) << "false skips what is below";
}

TEST(Mapping, LeavesWhatDoesNotChange) {
  Fixture F;
  const Expr *L = F.load(F.I);
  EXPECT_EQ(mapOperands(F.M, L, [](const Expr *E) { return E; }), L);
  const Expr *New = substitute(F.M, L, [&](const Expr *E) -> const Expr * {
    return E->K == ExprKind::VarRef && E->V == F.I ? F.M.intConst(5) : nullptr;
  });
  EXPECT_EQ(dump(New), "load p[(5 + 1)]");
  EXPECT_EQ(dump(L), "load p[(i + 1)]");
}

TEST(Equality, SeesTypesOperatorsAndAccesses) {
  Fixture F;
  EXPECT_TRUE(equal(F.load(F.I), F.load(F.I)));
  EXPECT_FALSE(equal(F.load(F.I), F.load(F.J)));
  EXPECT_FALSE(equal(F.M.intConst(1), F.M.intConst(1, ScalarKind::UInt)));
  EXPECT_FALSE(equal(F.M.floatConst(0.0, F.M.value(ScalarKind::Float)),
                     F.M.floatConst(-0.0, F.M.value(ScalarKind::Float))));
  Access A = F.at(F.M.ref(F.I)), B = A;
  B.Stride = {1};
  EXPECT_FALSE(equal(A, B));
  B = A;
  B.Volatile = true;
  EXPECT_FALSE(equal(A, B));
  Expr *X = F.M.newExpr(ExprKind::Opaque, F.I->Ty), *Y = F.M.newExpr(ExprKind::Opaque, F.I->Ty);
  EXPECT_TRUE(equal(X, X));
  EXPECT_FALSE(equal(X, Y)) << "what is not understood equals only itself";
}

TEST(Copies, RenameEverywhereAndAreIndependent) {
  Fixture F;
  Stmt *Store = F.M.newStmt(StmtKind::Store);
  Store->Acc = F.at(F.M.ref(F.I));
  Store->E = F.load(F.I);
  Stmt *Loop = F.M.newStmt(StmtKind::Loop);
  Loop->E = F.M.binary(Op::LT, F.M.ref(F.I), F.M.intConst(9));
  Stmt *Step = F.M.newStmt(StmtKind::Assign);
  Step->V = F.I;
  Step->E = F.M.ref(F.I);
  Loop->Step = {Step};
  Loop->Body = {Store};
  StmtList B = {Loop};
  Var *Q = F.M.newVar(Var::Param, "q", F.Base->Ty);
  StmtList C = cloneStmts(F.M, B, [&](Var *V) { return V == F.I ? F.J : V == F.Base ? Q : V; });
  Kernel K;
  K.Name = "k";
  K.Body = C;
  EXPECT_EQ(dump(K), "kernel k()\n"
                     "  for (; (j < 9); j = j) {\n"
                     "    store q[j] = load q[(j + 1)]\n"
                     "  }\n");
  K.Body = B;
  EXPECT_EQ(dump(K), "kernel k()\n"
                     "  for (; (i < 9); i = i) {\n"
                     "    store p[i] = load p[(i + 1)]\n"
                     "  }\n");
  // Nothing renamed: expressions are shared, statements are not.
  StmtList D = cloneStmts(F.M, B, [](Var *V) { return V; });
  EXPECT_NE(D[0], B[0]);
  EXPECT_EQ(D[0]->E, B[0]->E);
}

} // namespace
