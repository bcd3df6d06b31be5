// Comparisons of sizes, ids and arguments, as they are found in a kernel and evaluated.
#include "rewriters/verify/facts/Condition.h"
#include "rewriters/verify/symbolic/Compile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <gtest/gtest.h>

using namespace clmali::verify;

namespace {

std::vector<Condition> conditionsOf(const std::string &Test) {
  llvm::LLVMContext Context;
  llvm::Expected<symbolic::CompiledProgram> C = symbolic::compileProgram(
      {"__kernel void k(__global int *x, int n, uint key, short s, float f) {\n"
       "  int i = get_global_id(0), j = get_global_id(1);\n"
       "  if (" +
           Test + ")\n    x[i] = 1;\n}\n",
       "", ""},
      64, "", Context);
  EXPECT_TRUE(static_cast<bool>(C)) << llvm::toString(C.takeError());
  if (!C)
    return {};
  std::set<Condition> All = conditionsIn(*C->M->getFunction("k"));
  return {All.begin(), All.end()};
}

/// The only condition of the test; its value for the leaf.
bool holdsAt(const std::string &Test, uint64_t Leaf) {
  const std::vector<Condition> All = conditionsOf(Test);
  EXPECT_EQ(All.size(), 1u) << Test;
  if (All.size() != 1 || All.front().Leaves.size() != 1)
    return false;
  std::vector<uint64_t> Scratch;
  std::optional<uint64_t> V = All.front().evaluate({Leaf}, Scratch);
  return V && *V != 0;
}

TEST(Condition, ComputesAsTheKernel) {
  EXPECT_TRUE(holdsAt("(uint)n * 2654435761u >> 12 == 907683u", 12347));
  EXPECT_FALSE(holdsAt("(uint)n * 2654435761u >> 12 == 907683u", 12348));
  EXPECT_TRUE(holdsAt("n % 7 == -3", static_cast<uint32_t>(-10)));
  EXPECT_TRUE(holdsAt("n / 3 >= 2", 6));
  EXPECT_FALSE(holdsAt("n / 3 >= 2", 5));
  EXPECT_TRUE(holdsAt("(int)((uint)i << 17) < 0", 16384));
  EXPECT_TRUE(holdsAt("(ushort)(j * 3) == 2", 21846));
  EXPECT_TRUE(holdsAt("s >> 4 < -1", static_cast<uint16_t>(-33)));
  // A shift by the width shifts by nothing.
  EXPECT_TRUE(holdsAt("3u << key == 3u", 32));
}

TEST(Condition, FloatingPoint) {
  auto bits = [](float Value) { return llvm::bit_cast<uint32_t>(Value); };
  EXPECT_TRUE(holdsAt("f * f == 6.25f", bits(-2.5f)));
  EXPECT_FALSE(holdsAt("f * f == 6.25f", bits(2.25f)));
  EXPECT_TRUE(holdsAt("f * 3.0f + 1.0f <= 7.0f", bits(2.0f)));
  EXPECT_TRUE(holdsAt("(float)n * 0.5f > 1000.25f", 2001));
  EXPECT_FALSE(holdsAt("as_float(x[i]) / 4.0f != 2.0f", bits(8.0f)));
}

TEST(Condition, DivisionByZeroHasNoValue) {
  const std::vector<Condition> All = conditionsOf("100 / n == 7");
  ASSERT_EQ(All.size(), 1u);
  std::vector<uint64_t> Scratch;
  EXPECT_EQ(All.front().evaluate({0}, Scratch), std::nullopt);
  EXPECT_EQ(All.front().evaluate({14}, Scratch), std::optional<uint64_t>(1));
}

TEST(Condition, OfLoadedValues) {
  const std::vector<Condition> All = conditionsOf("x[j] % 9 == 5");
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All.front().Leaves,
            (std::vector<Condition::Input>{{Condition::Input::Kind::Loaded, 0}}));
  EXPECT_TRUE(holdsAt("vload4(i, x).s2 % 9 == 5", 23));
}

TEST(Condition, NotOfConstantsAlone) {
  EXPECT_TRUE(conditionsOf("x[i] == 5").empty());
  EXPECT_TRUE(conditionsOf("n == 5").empty()); // KernelFacts has the constant
  EXPECT_TRUE(conditionsOf("n + 2 > 5").empty());
  EXPECT_EQ(conditionsOf("i + 2 > 5").size(), 1u);
  EXPECT_EQ(conditionsOf("i < n").size(), 1u);
}

} // namespace
