//===-- test/passes/MemoryFormsTest.cpp - Stores that are read again, loops that count ----===//

#include "Kernels.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

struct Case {
  const char *Name;
  const char *Body; ///< x is the item, n a scalar of 0 to 7, o is written and read
  unsigned Loads;   ///< of o that are left
};
void PrintTo(const Case &C, std::ostream *Out) { *Out << C.Name; }

Source kernelOf(const char *Body) {
  return parse("kernel void k(global const int *a, global int *o, int n) {\n"
               "  int x = get_global_id(0), s = 0;\n" +
               std::string(Body) + "\n  o[64 + x] = s;\n}\n");
}

void runBoth(const Source &S) {
  for (double N : {0, 1, 7}) {
    Launch L;
    L.Global = {4, 1, 1};
    L.Buffers = {{"a", data<int>(96, 1, -9, 9)}, {"o", data<int>(96, 2, -9, 9)}};
    L.Scalars = {{"n", {N}}};
    expectSame(S, L);
  }
}

class ForwardStores : public ::testing::TestWithParam<Case> {};

TEST_P(ForwardStores, GiveTheSame) {
  Source S = kernelOf(GetParam().Body);
  normalization::forwardStores({S.module(), *S.New});
  unsigned Loads = 0;
  for (model::ExprAt E : model::exprs(S.New->Body))
    Loads += E->K == model::ExprKind::Load && E->Acc.Base->Name == "o";
  EXPECT_EQ(Loads, GetParam().Loads) << S.text();
  runBoth(S);
}

INSTANTIATE_TEST_SUITE_P(
    Hits, ForwardStores,
    ::testing::Values(
        Case{"InALoop",
             "for (int k = 0; k < n; ++k) { o[x * 8 + k] = a[x + k] * 3; s += o[x * 8 + k]; }", 0},
        Case{"Twice", "o[x] = a[x]; s = o[x] + o[x] * 2;", 0},
        Case{"ByAnotherSpelling", "o[x * 4 + 4] = a[x]; s = o[4 * (x + 1)];", 0},
        Case{"OfAVariable", "int t = a[x] + 1; o[x] = t; s = o[x];", 0},
        Case{"BehindAStoreElsewhere", "o[x * 2] = a[x]; o[x * 2 + 1] = 5; s = o[x * 2];", 0},
        Case{"InTheNextStore", "o[x * 2] = a[x]; o[x * 2 + 1] = o[x * 2] + 1;", 0}),
    [](const auto &Info) { return std::string(Info.param.Name); });

INSTANTIATE_TEST_SUITE_P(
    NearMisses, ForwardStores,
    ::testing::Values(
        Case{"BehindAStoreThatMayBeThere", "o[x * 8] = a[x]; o[x * 8 + (n & 1)] = 7; s = o[x * 8];",
             1},
        Case{"BehindAStoreToAHalf", "o[x] = a[x]; ((global short *)o)[2 * x + 1] = 3; s = o[x];",
             1},
        Case{"AnotherElement", "o[x * 2] = a[x]; s = o[x * 2 + 1];", 1},
        Case{"OfTheLastIteration",
             "for (int k = 1; k < n; ++k) { s += o[x * 8 + k - 1]; o[x * 8 + k] = k; }", 1},
        Case{"TheIndexChanges", "int i = x * 8; o[i] = a[x]; i += 1; s = o[i];", 1},
        Case{"BehindABranchThatStores", "o[x] = a[x]; if (n > 3) o[x] = 9; s = o[x];", 1}),
    [](const auto &Info) { return std::string(Info.param.Name); });

struct Header {
  const char *Name;
  const char *Body;
  bool Counts; ///< the loop sets and moves its counter in its header afterwards
};
void PrintTo(const Header &H, std::ostream *Out) { *Out << H.Name; }

class CountedLoops : public ::testing::TestWithParam<Header> {};

// Two bounds of one counter are one, unless the loop changes them or reads them from memory.
TEST(JoinedTests, GiveTheSame) {
  for (auto [Loop, Joins] :
       {std::pair("for (int k = 0; k < n && k < x + 2; k++) s += a[k];", true),
        std::pair("for (int k = 0; k <= n && k <= x && s < 50; k++) s += a[k];", true),
        std::pair("int m = 9; for (int k = 0; k < n && k < m; k++) { s += a[k]; m -= s & 1; }",
                  false),
        std::pair("for (int k = 0; k < n && k <= x; k++) s += a[k];", false),
        std::pair("for (int k = 0; k < n && k < a[x]; k++) s += a[k];", false),
        std::pair("for (int k = 0; k < n && (uint)k < (uint)x; k++) s += a[k];", false)}) {
    Source S = kernelOf(Loop);
    normalization::countInHeaders({S.module(), *S.New});
    EXPECT_EQ(S.text().find("min(") != std::string::npos, Joins) << S.text();
    runBoth(S);
  }
}

TEST_P(CountedLoops, GiveTheSame) {
  Source S = kernelOf(GetParam().Body);
  normalization::countInHeaders({S.module(), *S.New});
  bool Counts = false;
  for (const model::Stmt *T : model::stmts(S.New->Body))
    Counts |= T->K == model::StmtKind::Loop && T->Init.size() == 1 && T->Step.size() == 1;
  EXPECT_EQ(Counts, GetParam().Counts) << S.text();
  runBoth(S);
}

INSTANTIATE_TEST_SUITE_P(
    Hits, CountedLoops,
    ::testing::Values(
        Header{"While", "int k = 0; while (k < n) { s = s * 3 + a[k]; k++; }", true},
        Header{"SetEarlier", "int k = 0; s = n; while (k < n) { s = s * 3 + a[k]; k += 1; }", true},
        Header{"OnlyTheStepOutside", "for (int k = 0; k < n;) { s = s * 3 + a[k]; ++k; }", true},
        Header{"OnlyTheStartOutside", "int k = x; for (; k < n; ++k) s = s * 3 + a[k];", true},
        Header{"StepInTheMiddle", "int k = 0; while (k < n) { k++; s = s * 3 + a[k]; }", true},
        Header{"Downwards", "int k = n; while (k) { k--; s = s * 3 + a[k]; }", true},
        Header{"DownwardsInTheTest", "int k = n; while (k--) s = s * 3 + a[k];", true},
        Header{"UnsignedDownwards", "uint k = n; while (k-- > 0) s = s * 3 + a[k];", true},
        Header{"UpwardsInTheTest", "int k = -1; while (++k < n) s = s * 3 + a[k];", true},
        Header{"UntilEqual", "int k = 0; while (k != n) { s = s * 3 + a[k]; k++; }", true},
        Header{"ContinuesBehindTheStep",
               "int k = 0; while (k < n) { k++; if (a[k] > 3) continue; s += a[k]; }", true},
        Header{"WithABreak", "int k = 0; while (k < n) { if (a[k] > 7) break; s += a[k]; k++; }",
               true}),
    [](const auto &Info) { return std::string(Info.param.Name); });

INSTANTIATE_TEST_SUITE_P(
    NearMisses, CountedLoops,
    ::testing::Values(
        Header{"ReadBehind", "int k = 0; while (k < n) { s += a[k]; k++; } s += k * 5;", false},
        Header{"StartIsOverwritten",
               "int k = o[x] & 1; o[x] = 5; while (k < n) { s = s * 3 + a[k]; k++; }", false},
        Header{"ContinuesBeforeTheStep",
               "int k = 0; while (k < n) { if (a[k] > 3) { k += 2; continue; } k++; s += a[k]; }",
               false},
        Header{"BreaksBehindTheStep",
               "int k = 0; while (k < n) { k++; if (a[k] > 3) break; s += a[k]; } s += k * 5;",
               false},
        Header{"StepsByWhatChanges",
               "int k = 0, d = 1; while (k < n) { k += d; d = 2; s = s * 3 + a[k]; }", false},
        Header{"UnequalBelowItsStart",
               "uint k = (uint)x + 5; while (k != (uint)(n + 9)) { k++; s = s * 3 + a[k & 7]; }",
               true},
        Header{"Continues",
               "int k = 0; while (k < n) { if (a[k] > 3) { k++; continue; } s += a[k]; k++; }",
               false}),
    [](const auto &Info) { return std::string(Info.param.Name); });

} // namespace
} // namespace clmali::testing
