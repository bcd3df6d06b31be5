//===- CompiledTest.cpp - stored output of clmali-compilers and of malioc ---------------------===//

#include "tools/compilers/Compiled.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace clmali::compilers;

static std::string stored(StringRef Name) {
  auto Buffer = MemoryBuffer::getFile(Twine(CLMALI_COMPILERS_INPUTS) + "/" + Name);
  EXPECT_TRUE(bool(Buffer)) << Name.str();
  return Buffer ? (*Buffer)->getBuffer().str() : std::string();
}

static std::vector<Cost> mesa() { return cantFail(parseMesa(stored("mesa.json"))); }

static Cost malioc(StringRef Name) { return cantFail(parseMalioc(stored(Name))); }

TEST(Mesa, MaliFigures) {
  Cost C = mesa()[0];
  ASSERT_TRUE(C.known());
  EXPECT_EQ(C.Kernel, "blur");
  EXPECT_EQ(C.Device, "mali-g78");
  EXPECT_EQ(C.CompiledFor, "mali-g57");
  EXPECT_EQ(C.Version, "26.1");
  EXPECT_EQ(C.Once.Cycles, 8.0);
  EXPECT_EQ(C.Once.Arithmetic, 5.0);
  EXPECT_EQ(C.Once.Bound, "loadStore");
  EXPECT_EQ(C.Registers, 40u);
  EXPECT_EQ(C.Occupancy, 50u);
  EXPECT_EQ(C.Spills, 2u);
  EXPECT_EQ(C.Fills, 3u);
  EXPECT_EQ(C.MaxWorkGroup, 512u);
}

TEST(Mesa, PowerVRFigures) {
  Cost C = mesa()[1];
  ASSERT_TRUE(C.known());
  EXPECT_FALSE(C.Once.Cycles);
  EXPECT_EQ(C.Once.Groups, 80.0);
  EXPECT_EQ(C.Once.total(), 80.0);
  EXPECT_EQ(C.Main, 46.0);
  EXPECT_EQ(C.Once.Loads, 2.0);
  EXPECT_FALSE(C.Fills); // null
  EXPECT_FALSE(C.MaxWorkGroup);
  EXPECT_TRUE(C.LoopsCountedOnce);
}

TEST(Mesa, NoFigureHasAReasonAndNoNumber) {
  std::vector<Cost> All = mesa();
  EXPECT_EQ(All[2].Reason, "the compiler took more than 120 seconds");
  EXPECT_FALSE(All[3].known()); // status "ok", but the cycles are negative
  for (const Cost &C : {All[2], All[3]}) {
    EXPECT_FALSE(C.work().total());
    json::Object O = costJson(C, 4);
    EXPECT_EQ(O.getString("status"), "no figure");
    EXPECT_FALSE(O.get("cycles"));
    EXPECT_FALSE(O.get("perItem"));
    EXPECT_NE(costText(C).find("no figure"), std::string::npos);
  }
}

TEST(Mesa, PerItemUsesWeightsWhereTheyAreKnown) {
  std::vector<Cost> All = mesa();
  EXPECT_EQ(perItem(All[0], 16).Cycles, 50.0 / 16);
  EXPECT_EQ(perItem(All[0], 16).Bound, "arithmetic");
  EXPECT_EQ(perItem(All[1], 4).Groups, 20.0);
  EXPECT_EQ(perItem(All[1], 4).Loads, 0.5);
  EXPECT_EQ(perItem(All[1], 1).Groups, 80.0);
  EXPECT_FALSE(perItem(All[1], 4).Cycles);
  All[0].Weighted.reset();
  EXPECT_EQ(perItem(All[0], 16).Cycles, 0.5);
}

TEST(Mesa, Json) {
  json::Object O = costJson(mesa()[0], 2);
  EXPECT_EQ(O.getNumber("cycles"), 8.0);
  EXPECT_EQ(O.getString("compiledFor"), "mali-g57");
  EXPECT_EQ(O.getObject("weighted")->getNumber("cycles"), 50.0);
  EXPECT_EQ(O.getObject("perItem")->getNumber("cycles"), 25.0);
  EXPECT_EQ(O.getInteger("maxWorkGroup"), 512);
  EXPECT_FALSE(costJson(mesa()[1]).get("maxWorkGroup"));
  EXPECT_FALSE(costJson(mesa()[1]).get("perItem"));
  EXPECT_NE(costText(mesa()[1]).find("each loop counted once"), std::string::npos);
  EXPECT_EQ(costText(mesa()[0]).find("each loop counted once"), std::string::npos);
}

TEST(Mesa, WrongOutputIsAnError) {
  for (StringRef Text : {"", "[]", "{}", "{\"costs\": 1}", "{\"costs\": [1]}", "{\"costs\": ["}) {
    Expected<std::vector<Cost>> C = parseMesa(Text);
    EXPECT_FALSE(bool(C)) << Text.str();
    consumeError(C.takeError());
  }
}

TEST(Malioc, Valhall) {
  Cost C = malioc("malioc-g78.json");
  ASSERT_TRUE(C.known()) << C.Reason;
  EXPECT_EQ(C.Device, "mali-g78");
  EXPECT_EQ(C.Version, "8.4.0");
  // All instructions, not the shortest path (1.0) and not the longest, which is not available.
  EXPECT_EQ(C.Once.Cycles, 4.0);
  EXPECT_EQ(C.Once.Bound, "loadStore");
  EXPECT_EQ(C.Once.Arithmetic, 1.5);
  EXPECT_EQ(C.Registers, 30u);
  EXPECT_EQ(C.Occupancy, 100u);
  EXPECT_EQ(C.Spills, 3u); // 10 bytes
}

TEST(Malioc, Midgard) {
  Cost C = malioc("malioc-t880.json");
  ASSERT_TRUE(C.known()) << C.Reason;
  EXPECT_EQ(C.Once.Cycles, 24.5);
  EXPECT_EQ(C.Once.Bound, "arithmetic");
  EXPECT_EQ(C.Once.LoadStore, 13.0);
  EXPECT_EQ(perItem(C, 5).LoadStore, 13.0 / 5);
  EXPECT_EQ(C.Registers, 8u);
  EXPECT_FALSE(C.Occupancy);
}

TEST(Malioc, ErrorReport) {
  Cost C = malioc("malioc-error.json");
  EXPECT_FALSE(C.known());
  EXPECT_NE(C.Reason.find("unknown type name"), std::string::npos);
}

TEST(Malioc, ReportWithoutCycles) {
  std::string Text = stored("malioc-t880.json");
  for (auto [Old, New] : {std::pair<StringRef, StringRef>{"total_cycles", "other_cycles"},
                          std::pair<StringRef, StringRef>{"\"pipelines\"", "\"pipes\""}}) {
    std::string Changed = Text;
    size_t At = Changed.find(Old.str());
    ASSERT_NE(At, std::string::npos);
    Changed.replace(At, Old.size(), New.str());
    Expected<Cost> C = parseMalioc(Changed);
    ASSERT_TRUE(bool(C));
    EXPECT_FALSE(C->known());
  }
}

TEST(Options, OnlyThoseOfAnOpenCLCompiler) {
  std::vector<std::string> Args = {
      "-DA=1",         "-D", "B", "-Xclang", "-I", "inc", "-Wall", "-cl-mad-enable",
      "--target=spir", "-U", "C", "-O2"};
  EXPECT_EQ(buildOptions(Args),
            (std::vector<std::string>{"-DA=1", "-DB", "-Iinc", "-cl-mad-enable", "-UC"}));
}
