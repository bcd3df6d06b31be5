// The verifier accepts well-formed kernels and names what is wrong with broken ones.
#include "analysis_util.h"
#include "checks/model/ir/Verifier.h"
#include "gtest/gtest.h"

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

/// x = get_global_id(0); for (i = 0; i < n; i += 1) { v = in[i]; if (i < x) out[x] = v; }
struct Good : Builder {
  Var *Out = buffer("out"), *In = buffer("in"), *N = param("n");
  Var *X = temp("x"), *I = temp("i"), *V = temp("v", ScalarKind::Float);
  Stmt *Loop = nullptr, *Branch = nullptr, *Store = nullptr;
  Good() {
    decl(X, igid(0));
    Loop = loop(I, i(0), r(N), 1, [&] {
      decl(V, load(In, r(I)));
      Branch = branch(lt(r(I), r(X)), [&] { Store = store(Out, r(X), r(V)); });
    });
  }
  /// The one error, or how many there are.
  std::string error() const {
    std::vector<std::string> E = verify(*K);
    return E.size() == 1 ? E[0] : std::to_string(E.size()) + " errors";
  }
};

TEST(Verifier, AcceptsAWellFormedKernel) { EXPECT_EQ(Good().error(), "0 errors"); }

TEST(Verifier, FindsUsesBeforeTheDeclaration) {
  Good B;
  std::swap(B.K->Body[0], B.K->Body[1]);
  EXPECT_EQ(verify(*B.K).front(), "x is used before it is declared, in an expression");
}

/// The printer moves the declaration.
TEST(Verifier, AcceptsUsesBehindTheBlockOfTheDeclaration) {
  Good B;
  B.store(B.Out, B.i(0), B.r(B.V));
  EXPECT_EQ(B.error(), "0 errors");
}

TEST(Verifier, FindsSecondDeclarations) {
  Good B;
  B.inside(B.Loop->Body, [&] { B.decl(B.X, B.i(0)); });
  EXPECT_EQ(B.error(), "x is declared where it is in scope already");
}

TEST(Verifier, FindsVariablesOfOtherKernels) {
  Good B;
  Var *Y = B.M.newVar(Var::Temp, "y", B.ty(ScalarKind::Int));
  B.assign(B.X, B.r(Y));
  EXPECT_EQ(B.error(), "y is not a variable of the kernel, in an expression");
  B.K->Body.pop_back();
  Y->Name = "x";
  B.K->Vars.push_back(Y);
  EXPECT_EQ(B.error(), "two variables are called x");
}

TEST(Verifier, FindsStatementsInTwoLists) {
  Good B;
  B.K->Body.push_back(B.Branch);
  EXPECT_EQ(B.error(), "a statement is in two lists");
}

TEST(Verifier, FindsOperandsOfOtherTypes) {
  Good B;
  B.assign(B.X, B.M.binary(Op::Add, B.r(B.X), B.i(1, ScalarKind::Long)));
  EXPECT_TRUE(llvm::StringRef(B.error()).starts_with("the operands of + differ in type: "));
  B.K->Body.pop_back();
  B.assign(B.X, B.gid(0));
  EXPECT_TRUE(llvm::StringRef(B.error()).starts_with("the value assigned to x has another type"));
  B.K->Body.pop_back();
  B.Store->E = B.r(B.X);
  EXPECT_TRUE(llvm::StringRef(B.error()).starts_with("a stored value has another type"));
}

TEST(Verifier, FindsReferencesWhoseVariableChangedItsType) {
  Good B;
  B.N->Ty = B.ty(ScalarKind::Short);
  EXPECT_TRUE(llvm::StringRef(B.error()).starts_with("a reference has another type"));
}

TEST(Verifier, FindsLanesOutOfRange) {
  Good B;
  Var *W = B.temp("w", ScalarKind::Float, 4);
  B.decl(W, B.M.floatConst(0, W->Ty));
  B.store(B.Out, B.i(0), B.M.swizzle(B.r(W), {3}));
  EXPECT_EQ(B.error(), "0 errors");
  B.store(B.Out, B.i(0), B.M.swizzle(B.r(W), {4}));
  EXPECT_NE(B.error().find("a swizzle takes a lane that does not exist"), std::string::npos);
  B.K->Body.pop_back();
  B.assign(W, B.f(0))->LaneIdx = {7};
  EXPECT_EQ(B.error(), "an assignment to a lane that w does not have");
}

TEST(Verifier, FindsIndicesWithoutStride) {
  Good B;
  B.Store->Acc.Stride.clear();
  EXPECT_EQ(B.error(), "1 indices and 0 strides, in a store of out");
}

TEST(Verifier, FindsJumpsOutsideLoops) {
  Good B;
  B.inside(B.Loop->Body, [&] { B.put(B.M.newStmt(StmtKind::Break)); });
  EXPECT_EQ(B.error(), "0 errors");
  B.put(B.M.newStmt(StmtKind::Break));
  EXPECT_EQ(B.error(), "break or continue outside a loop");
}

TEST(Verifier, ReportsAtMostSoMany) {
  Good B;
  for (int N = 0; N < 5; ++N)
    B.put(B.M.newStmt(StmtKind::Break));
  EXPECT_EQ(verify(*B.K, 3).size(), 3u);
}

} // namespace
