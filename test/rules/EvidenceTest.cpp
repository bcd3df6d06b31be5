//===- EvidenceTest.cpp - findings that rest on a guess ---------------------------------------===//
//
// The marks of guessed values, the policy of the `on-guess` key, and what is reported of a kernel
// whose macros are guessed or given.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Evidence.h"
#include "checks/model/frontend/Frontend.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;
using rules::OnGuess;
using rules::Severity;

namespace {

/// A kernel that was parsed tolerantly, and its analysis.
struct Parsed {
  explicit Parsed(StringRef Text, std::vector<std::string> Args = {}) {
    ParseOptions O;
    O.Tolerant = true;
    O.ClangArgs = std::move(Args);
    R = parseOpenCL("in.cl", Text, O);
    if (!R.M || R.M->Kernels.empty())
      return;
    A = std::make_unique<KernelAnalysis>(*R.M, *R.M->Kernels.front());
    G = std::make_unique<GuessedFacts>(*R.M, *A);
  }
  const model::Guesses &guesses() const { return G->names(); }
  /// The parameter or variable that the source calls Name.
  const Var *var(StringRef Name) const {
    for (const std::vector<Var *> *List : {&A->kernel().Params, &A->kernel().Vars})
      for (const Var *V : *List)
        if (V->Name == Name)
          return V;
    return nullptr;
  }
  /// Whether the N-th store rests on a guess.
  bool store(unsigned N) const {
    for (const AccessSite &S : A->accesses())
      if (S.IsWrite && N-- == 0)
        return G->isGuessed(S);
    ADD_FAILURE() << "no such store";
    return false;
  }
  /// Whether the trip count of the N-th loop rests on a guess.
  bool loop(unsigned N) const {
    for (const Stmt *S : stmts(A->kernel().Body))
      if (S->K == StmtKind::Loop && N-- == 0) {
        std::optional<CountedLoop> L = A->countedLoop(S);
        EXPECT_TRUE(L);
        EXPECT_EQ(L && G->knownTripCount(*L), L && L->TripCount && !G->isGuessed(*L));
        return L && G->isGuessed(*L);
      }
    ADD_FAILURE() << "no such loop";
    return false;
  }

  ParseResult R;
  std::unique_ptr<KernelAnalysis> A;
  std::unique_ptr<GuessedFacts> G;
};

constexpr StringLiteral Stores = "#define ALL (ROWS * 2)\n"
                                 "#define OWN 4\n"
                                 "kernel void k(global float *x, int n) {\n"
                                 "  int i = get_global_id(0);\n"
                                 "  int rows = ROWS * 100, more = rows + n;\n"
                                 "  int own = OWN * 100;\n"
                                 "  x[i * ROWS] = 0.0f;\n"
                                 "  x[i + more] = 0.0f;\n"
                                 "  x[i + ALL] = 0.0f;\n"
                                 "  if (i < ROWS)\n"
                                 "    x[i] = 0.0f;\n"
                                 "  x[i * OWN] = 0.0f;\n"
                                 "  x[i * 16 + own] = 0.0f;\n"
                                 "  if (i < n)\n"
                                 "    x[i] = ROWS;\n"
                                 "}\n";

TEST(Guessed, Accesses) {
  Parsed P(Stores);
  ASSERT_TRUE(P.G);
  EXPECT_TRUE(P.store(0)) << "directly";
  EXPECT_TRUE(P.store(1)) << "through two variables";
  EXPECT_TRUE(P.store(2)) << "through a macro of the file";
  EXPECT_TRUE(P.store(3)) << "through a guard";
  EXPECT_FALSE(P.store(4)) << "the file defines OWN";
  EXPECT_FALSE(P.store(5)) << "a literal of the guessed value";
  EXPECT_FALSE(P.store(6)) << "the stored value is not the address";
  EXPECT_EQ(P.guesses().Numbers, (model::Guesses::Names{"ALL", "ROWS"}));
  EXPECT_TRUE(P.guesses().OnlyNumbers);
}

TEST(Guessed, NothingWhereTheValueIsGiven) {
  Parsed P(Stores, {"-DROWS=16"});
  ASSERT_TRUE(P.G);
  for (unsigned N = 0; N < 7; ++N)
    EXPECT_FALSE(P.store(N)) << N;
  EXPECT_TRUE(P.guesses().Numbers.empty());
}

TEST(Guessed, TripCounts) {
  Parsed P("kernel void k(global float *x, int n) {\n"
           "  float v = 0.0f;\n"
           "  int last = ROWS;\n"
           "  for (int i = 0; i < ROWS; ++i) v += x[i];\n"
           "  for (int i = 0; i < last; ++i) v += x[i];\n"
           "  for (int i = ROWS; i < 64; ++i) v += x[i];\n"
           "  for (int i = 0; i < 16; ++i) v += ROWS;\n"
           "  for (int i = 0; i < n; ++i) v += x[i * ROWS];\n"
           "  x[0] = v;\n"
           "}\n");
  ASSERT_TRUE(P.G);
  EXPECT_TRUE(P.loop(0)) << "the bound";
  EXPECT_TRUE(P.loop(1)) << "the bound, through a variable";
  EXPECT_TRUE(P.loop(2)) << "the first value";
  EXPECT_FALSE(P.loop(3));
  EXPECT_FALSE(P.loop(4)) << "an access in the loop is not its trip count";
}

TEST(Guessed, Declarations) {
  Parsed P("kernel void k(global T *x, global float *y) {\n"
           "  local float part[ROWS];\n"
           "  local float rows[2][4 * ROWS];\n"
           "  local float own[16];\n"
           "  part[0] = rows[0][0] = own[0] = y[0];\n"
           "  x[0] = part[1] + rows[1][1] + own[1];\n"
           "}\n");
  ASSERT_TRUE(P.G);
  ASSERT_TRUE(P.var("x") && P.var("y") && P.var("part") && P.var("rows") && P.var("own"));
  EXPECT_TRUE(P.G->hasGuessedSize(*P.var("part")));
  EXPECT_TRUE(P.G->hasGuessedSize(*P.var("rows")));
  EXPECT_FALSE(P.G->hasGuessedSize(*P.var("own")));
  EXPECT_FALSE(P.G->hasGuessedSize(*P.var("x")));
  EXPECT_TRUE(P.G->hasGuessedType(*P.var("x")));
  EXPECT_FALSE(P.G->hasGuessedType(*P.var("y")));
  EXPECT_FALSE(P.G->hasGuessedType(*P.var("part")));
  EXPECT_EQ(P.guesses().Types, model::Guesses::Names{"T"});
  EXPECT_TRUE(P.guesses().Floats);
  EXPECT_FALSE(P.guesses().OnlyNumbers);
}

TEST(Guessed, Functions) {
  Parsed P("kernel void k(global float *x) {\n"
           "  COMPUTE(x, get_global_id(0));\n"
           "}\n");
  ASSERT_TRUE(P.G);
  EXPECT_EQ(P.guesses().Texts, model::Guesses::Names{"COMPUTE"});
  EXPECT_TRUE(P.guesses().Functions);
  EXPECT_TRUE(P.guesses().Numbers.empty());
}

/// The severity of an error that rests on a guess or not; none: it is dropped.
Severity after(OnGuess Policy, std::vector<bool> Evidence) {
  rules::Rule Page = *rules::findRule("write-race");
  Page.Guessed = Policy;
  Finding F;
  F.Rule = &Page;
  F.Families = rules::allFamilies();
  for (bool Guessed : Evidence)
    F.restsOnGuess(Guessed);
  return F.stands() ? severity(F, cantFail(rules::resolveDevice("mali"))) : Severity::None;
}

TEST(Evidence, PageDecidesAboutGuesses) {
  EXPECT_EQ(after(OnGuess::Drop, {true}), Severity::None);
  EXPECT_EQ(after(OnGuess::Info, {true}), Severity::Info);
  EXPECT_EQ(after(OnGuess::Keep, {true}), Severity::Error);
}

TEST(Evidence, CertainFindingsStand) {
  for (OnGuess Policy : {OnGuess::Drop, OnGuess::Info, OnGuess::Keep}) {
    EXPECT_EQ(after(Policy, {false}), Severity::Error);
    EXPECT_EQ(after(Policy, {}), Severity::Error);
  }
}

TEST(Evidence, OneGuessIsEnough) {
  EXPECT_EQ(after(OnGuess::Drop, {true, false}), Severity::None);
  EXPECT_EQ(after(OnGuess::Drop, {false, true}), Severity::None);
  EXPECT_EQ(after(OnGuess::Info, {false, true, false}), Severity::Info);
}

/// The findings of one rule on Mali.
std::vector<Finding> lint(StringRef Rule, StringRef Text, StringRef Define = "") {
  model::ParseOptions Parse;
  Parse.Tolerant = true;
  if (!Define.empty())
    Parse.ClangArgs = {("-D" + Define).str()};
  model::ParseResult R = model::parseOpenCL("in.cl", Text, Parse);
  if (!R.M) {
    ADD_FAILURE() << "the kernel does not parse";
    return {};
  }
  EXPECT_EQ(Define.empty(), !R.Guesses.empty());
  RunOptions Run;
  Run.Families = rules::allFamilies();
  Run.Enabled = [&](StringRef Id) { return Id == Rule; };
  return runKernelChecks(*R.M, Run);
}

TEST(Evidence, Address) {
  StringRef Text = "kernel void k(global float *x) {\n"
                   "  int i = get_global_id(0);\n"
                   "  int next = i + STEP;\n"
                   "  x[i] = x[next];\n"
                   "}\n";
  EXPECT_EQ(lint("write-race", Text).size(), 0u) << "STEP may be 0";
  EXPECT_EQ(lint("write-race", Text, "STEP=16").size(), 1u);
}

TEST(Evidence, LaterCertainAccessIsReported) {
  StringRef Text = "kernel void k(global float *x) {\n"
                   "  int i = get_global_id(0);\n"
                   "  x[i] = x[i + STEP];\n"
                   "  x[i] = x[i + 1];\n"
                   "}\n";
  std::vector<Finding> Found = lint("write-race", Text);
  ASSERT_EQ(Found.size(), 1u) << "the dropped finding does not hide this one";
  ASSERT_EQ(Found[0].Notes.size(), 1u);
  EXPECT_EQ(Text.slice(Found[0].Notes[0].Range.Begin, Found[0].Notes[0].Range.End), "x[i + 1]");
}

TEST(Evidence, TextOfAnAttribute) {
  StringRef Text = "kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))\n"
                   "void k(global float *x) { x[get_global_id(0)] = 1.0f; }\n";
  EXPECT_EQ(lint("work-group-size", Text).size(), 0u);
  EXPECT_EQ(lint("work-group-size", Text, "GROUP=7").size(), 1u);
}

TEST(Evidence, LoweredToInformation) {
  StringRef Text = "kernel void k(global int *x, local int *t) {\n"
                   "  for (int i = get_local_id(0); i < COUNT; i += 64) {\n"
                   "    t[get_local_id(0)] = x[i];\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "  }\n"
                   "  x[get_global_id(0)] = t[0];\n"
                   "}\n";
  std::vector<Finding> Found = lint("barrier-in-divergent-flow", Text);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].AtMost, Severity::Info);
  Found = lint("barrier-in-divergent-flow", Text, "COUNT=100");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].AtMost, Severity::Info);
}

} // namespace
