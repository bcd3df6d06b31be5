// Sizes that are drawn keep what ties the variables of a launch file together.
#include "rewriters/verify/cases/Relations.h"

#include <gtest/gtest.h>

using namespace clmali;
using verify::SizeRelations;

namespace {

/// Rows of w elements, p apart, with further lines of the launch file.
launch::LaunchFile rows(const std::string &Sizes, const std::string &More = "") {
  llvm::Expected<launch::LaunchFile> F =
      launch::parseLaunchFile("source: k.cl\n"
                              "kernel: k\n"
                              "args:\n"
                              "  - { name: a, buffer: in, count: \"p * h\" }\n"
                              "  - { name: width, value: \"w\" }\n"
                              "  - { name: pitch, value: \"p\" }\n"
                              "global: [ \"h\" ]\n"
                              "sizes: [ " +
                                  Sizes + " ]\n" + More,
                              "k.launch.yaml");
  EXPECT_TRUE(static_cast<bool>(F)) << llvm::toString(F.takeError());
  return std::move(*F);
}

TEST(SizeRelations, PitchStaysAboveWidth) {
  const launch::LaunchFile F = rows("{ w: 100, h: 37, p: 128 }, { w: 3, h: 5, p: 8 }");
  const SizeRelations R(F);
  EXPECT_EQ(R.settled({{"w", 31}, {"h", 2}, {"p", 7}}, false),
            (launch::Size{{"w", 31}, {"h", 2}, {"p", 31}}));
  EXPECT_EQ(R.settled({{"w", 31}, {"h", 2}, {"p", 33}}, false).at("p"), 33);
  // The size is for this pitch: the width gives way.
  EXPECT_EQ(R.settled({{"w", 31}, {"h", 2}, {"p", 7}}, false, "p"),
            (launch::Size{{"w", 7}, {"h", 2}, {"p", 7}}));
  EXPECT_EQ(R.settled({{"w", 31}, {"h", 2}, {"p", 7}}, true).at("p"), 7);
}

TEST(SizeRelations, PitchOfWholePixels) {
  const launch::LaunchFile F = rows("{ w: 100, h: 37, p: 300 }, { w: 3, h: 5, p: 12 }");
  EXPECT_EQ(SizeRelations(F).settled({{"w", 10}, {"h", 2}, {"p", 7}}, false).at("p"), 30);
}

TEST(SizeRelations, NoOrderNoTie) {
  // One listed size contradicts it; extents of one buffer and sizes of the launch are independent.
  const launch::LaunchFile F = rows("{ w: 100, h: 37, p: 128 }, { w: 9, h: 15, p: 8 }");
  const launch::Size S{{"w", 31}, {"h", 50}, {"p", 7}};
  EXPECT_EQ(SizeRelations(F).settled(S, false), S);
}

TEST(SizeRelations, RequireIsSolved) {
  const std::string Sizes = "{ w: 100, h: 36, p: 128 }, { w: 9, h: 4, p: 8 }";
  auto settled = [&](const std::string &Require, launch::Size S) {
    const launch::LaunchFile F = rows(Sizes, "require: [ " + Require + " ]\n");
    return SizeRelations(F).settled(std::move(S), true);
  };
  EXPECT_EQ(settled("\"pitch == 4 * w\"", {{"w", 5000}, {"h", 2}, {"p", 7}}).at("p"), 20000);
  // The nearest value, not any: different sizes stay different.
  EXPECT_EQ(settled("\"p % 16 == 0\"", {{"w", 5}, {"h", 2}, {"p", 257}}).at("p"), 256);
  EXPECT_EQ(settled("\"p % 16 == 0\"", {{"w", 5}, {"h", 2}, {"p", 270}}).at("p"), 272);
  const launch::Size Both =
      settled("\"pitch > width && h % 4 == 0\"", {{"w", 5000}, {"h", 7}, {"p", 7}});
  EXPECT_EQ(Both, (launch::Size{{"w", 5000}, {"h", 8}, {"p", 5001}}));
  // What holds is left alone.
  const launch::Size Held{{"w", 5}, {"h", 2}, {"p", 32}};
  EXPECT_EQ(settled("\"p % 16 == 0\", \"p >= w\"", Held), Held);
}

} // namespace
