// The ranges of Traversal.h visit what walk() visits, in its order; slices follow definitions.
#include "analysis_util.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

/// y = get_global_id(1) * w; for (i = 0; i < n; i += 1) { if (i < y) out[i + y] = in[i]; barrier }
struct Nested : Builder {
  Var *Out = buffer("out"), *In = buffer("in"), *N = param("n"), *W = param("w");
  Var *I = temp("i"), *Y = temp("y");
  Stmt *DeclY, *Loop, *Branch = nullptr, *Store = nullptr, *Barrier = nullptr;
  Nested() {
    DeclY = decl(Y, mul(igid(1), r(W)));
    Loop = loop(I, i(0), r(N), 1, [&] {
      Branch = branch(lt(r(I), r(Y)), [&] { Store = store(Out, add(r(I), r(Y)), load(In, r(I))); });
      Barrier = barrier();
    });
  }
};

TEST(Traversal, VisitsWhatWalkVisits) {
  Nested B;
  std::vector<const Stmt *> Walked, Ranged;
  std::vector<const Expr *> WalkedExprs, RangedExprs;
  std::vector<const Stmt *> Holders, RangedHolders;
  walk(B.K->Body, [&](Stmt *S) {
    Walked.push_back(S);
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        WalkedExprs.push_back(E);
        Holders.push_back(S);
        return true;
      });
    });
    return true;
  });
  for (Stmt *S : stmts(B.K->Body))
    Ranged.push_back(S);
  for (ExprAt X : exprs(B.K->Body)) {
    RangedExprs.push_back(X.E);
    RangedHolders.push_back(X.S);
  }
  EXPECT_EQ(Walked, Ranged);
  EXPECT_EQ(WalkedExprs, RangedExprs);
  EXPECT_EQ(Holders, RangedHolders);
  EXPECT_GT(Walked.size(), 5u);
}

TEST(Traversal, EmptyListsAndStatementsWithoutExpressions) {
  Builder B;
  EXPECT_TRUE(stmts(B.K->Body).empty());
  EXPECT_TRUE(exprs(B.K->Body).empty());
  B.barrier();
  EXPECT_TRUE(exprs(B.K->Body).empty());
  Stmt *S = B.store(B.buffer("out"), B.i(0), B.f(1));
  EXPECT_EQ(llvm::range_size(exprs(B.K->Body)), 2);
  EXPECT_EQ((*exprs(B.K->Body).begin()).S, S);
}

TEST(Traversal, SkipsBelow) {
  Nested B;
  unsigned Statements = 0;
  for (StmtIterator I(B.K->Body), E; I != E; ++I, ++Statements)
    if ((*I)->K == StmtKind::Loop)
      I.skipNested();
  EXPECT_EQ(Statements, 2u);
  std::vector<const Expr *> Seen;
  for (ExprIterator I(B.DeclY->E, B.DeclY), E; I != E; ++I) {
    Seen.push_back((*I).E);
    I.skipOperands();
  }
  EXPECT_EQ(Seen, std::vector<const Expr *>{B.DeclY->E});
}

TEST(Traversal, ExpressionsOfOneStatementOnly) {
  Nested B;
  for (ExprAt X : exprs(*B.Loop))
    EXPECT_EQ(X.S, B.Loop);
  EXPECT_EQ(llvm::range_size(exprs(*B.Loop)), 3); // i < n, i, n
}

TEST(StmtTree, ParentsAndLoops) {
  Nested B;
  StmtTree T(*B.K);
  EXPECT_EQ(T.parentOf(B.Store), B.Branch);
  EXPECT_EQ(T.parentOf(B.Branch), B.Loop);
  EXPECT_EQ(T.parentOf(B.Loop), nullptr);
  EXPECT_EQ(T.loopsOf(B.Store).size(), 1u);
  EXPECT_TRUE(T.loopsOf(B.Loop).empty());
  EXPECT_TRUE(T.isInside(B.Store, B.Loop));
  EXPECT_FALSE(T.isInside(B.Loop, B.Loop));
  EXPECT_EQ(T.positionOf(B.Barrier).Index, 1u);
  EXPECT_EQ(T.positionOf(B.Barrier).List, &B.Loop->Body);
  KernelAnalysis A(B.M, *B.K);
  EXPECT_EQ(A.parentOf(B.Store), B.Branch);
  EXPECT_EQ(A.loopsOf(B.Store), std::vector<const Stmt *>{B.Loop});
}

TEST(NDRangeUse, DimensionsOfEachQuery) {
  Nested B;
  B.store(B.Out, B.ilid(0), B.f(0));
  NDRangeUse Use = NDRangeUse::of(*B.K);
  EXPECT_EQ(Use[WorkItemQuery::GlobalId], 2u);
  EXPECT_EQ(Use[WorkItemQuery::LocalId], 1u);
  EXPECT_FALSE(Use.uses(WorkItemQuery::GroupId));
  EXPECT_EQ(Use.ids(), 3u);
}

TEST(Slice, FollowsDefinitionsNotStrangers) {
  Nested B;
  KernelAnalysis A(B.M, *B.K);
  Slice S(A, B.Store->Acc.Index[0], B.Store);
  EXPECT_TRUE(S.reads(B.W)); // through y
  EXPECT_TRUE(S.reads(B.I));
  EXPECT_FALSE(S.reads(B.N)); // part of the loop's condition only
  EXPECT_TRUE(llvm::is_contained(S.definitions(), B.DeclY));
  SliceOptions Control;
  Control.Control = true;
  EXPECT_TRUE(Slice(A, B.Store->Acc.Index[0], B.Store, Control).reads(B.N));
}

TEST(Slice, ArraysOnlyWhereAsked) {
  Builder B;
  Var *Tmp = B.array("tmp", ScalarKind::Int, 4, AddressSpace::Private), *N = B.param("n");
  B.store(Tmp, B.i(1), B.r(N));
  Stmt *S = B.store(B.buffer("out", ScalarKind::Int), B.i(0), B.load(Tmp, B.i(1)));
  KernelAnalysis A(B.M, *B.K);
  EXPECT_FALSE(Slice(A, S->E, S).reads(N));
  SliceOptions Arrays;
  Arrays.Arrays = true;
  EXPECT_TRUE(Slice(A, S->E, S, Arrays).reads(N));
}

} // namespace
