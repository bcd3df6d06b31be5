//===- RulesTest.cpp - the loaders of rule pages and devices ----------------------------------===//

#include "rules/Rules.h"
#include "rules/Drivers.h"
#include "rules/Embedded.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace clmali::rules;

TEST(Devices, EmbeddedOnesLoad) {
  auto Parsed = parseDevices(embedded::DevicesYaml);
  ASSERT_TRUE(bool(Parsed)) << toString(Parsed.takeError());
  EXPECT_EQ(Parsed->size(), 5u);
  EXPECT_EQ(Parsed->back().Name, "generic");
}

TEST(Devices, FactsOfTheSources) {
  const DeviceFacts *Midgard = findFamily("mali-midgard"), *Rogue = findFamily("powervr-rogue");
  ASSERT_TRUE(Midgard && Rogue);
  EXPECT_EQ(Midgard->MaxWorkGroup, 256u);
  EXPECT_FALSE(Midgard->LocalOnChip);
  EXPECT_EQ(Midgard->arithmeticLanes(8), 16u);
  EXPECT_EQ(Midgard->arithmeticLanes(32), 4u);
  EXPECT_EQ(findFamily("mali-bifrost")->arithmeticLanes(16), 2u);
  EXPECT_EQ(findFamily("mali-bifrost")->arithmeticLanes(32), 1u);
  EXPECT_TRUE(Rogue->LocalOnChip);
  EXPECT_EQ(Rogue->IntegerDivideCycles, 30u);
  EXPECT_EQ(Rogue->functionCost("pow"), CostClass::High);
  EXPECT_EQ(Rogue->functionCost("sin"), CostClass::Low);
  EXPECT_EQ(Rogue->functionCost("no_such_function"), CostClass::Unknown);
  ASSERT_TRUE(Rogue->fact("local-banks"));
  EXPECT_EQ(Rogue->fact("local-banks")->Source, "S1");
  EXPECT_EQ(Midgard->fact("local-banks"), nullptr);
}

TEST(Devices, NamesAliasesAndGroups) {
  auto One = [](StringRef Name) {
    auto Set = resolveDevice(Name);
    EXPECT_TRUE(bool(Set)) << Name.str();
    return Set ? familyNames(*Set) : toString(Set.takeError());
  };
  EXPECT_EQ(One("mali-t604"), "mali-midgard");
  EXPECT_EQ(One("T604"), "mali-midgard");
  EXPECT_EQ(One("mali-g72"), "mali-bifrost");
  EXPECT_EQ(One("Mali_G78"), "mali-valhall");
  EXPECT_EQ(One("mali"), "mali-midgard, mali-bifrost, mali-valhall");
  EXPECT_EQ(One("powervr"), "powervr-rogue");
  auto Unknown = resolveDevice("adreno");
  ASSERT_FALSE(bool(Unknown));
  EXPECT_NE(toString(Unknown.takeError()).find("known are"), std::string::npos);
}

TEST(Devices, NamesOfDrivers) {
  auto One = [](StringRef Name) {
    auto Set = resolveDevice(Name);
    return Set ? familyNames(*Set) : toString(Set.takeError());
  };
  for (StringRef Name : {"Mali-T860 MP4", "ARM Mali-T760 r1p0", "mali-t880", "T604"})
    EXPECT_EQ(One(Name), "mali-midgard") << Name.str();
  for (StringRef Name : {"Mali-G76 MC4", "Mali-G52 r1 MC1", "mali-g71", "Mali-G72 MP12 r0p3"})
    EXPECT_EQ(One(Name), "mali-bifrost") << Name.str();
  for (StringRef Name : {"Mali-G610 MC4 r0p0", "Immortalis-G715 MC11", "immortalis-g925",
                         "mali-g1-ultra", "Mali-G1-Premium MC10", "Mali-G78AE", "mali-g620"})
    EXPECT_EQ(One(Name), "mali-valhall") << Name.str();
  for (StringRef Name :
       {"PowerVR Rogue GE8320", "PowerVR B-Series BXE-4-32", "PowerVR A-Series AXE-1-16M",
        "IMG BXM-8-256", "powervr-gt7600", "PowerVR GX6250", "ge9215", "PowerVR Rogue",
        "powervr-bxt-32-1024", "powervr_axm_8_256", "axt-16-512", "powervr-dxt-48-1536"})
    EXPECT_EQ(One(Name), "powervr-rogue") << Name.str();
  EXPECT_NE(One("mali-g7200").find("is it mali-g72"), std::string::npos) << One("mali-g7200");
  EXPECT_NE(One("mali-x9999").find("is it mali-"), std::string::npos) << One("mali-x9999");
  EXPECT_NE(One("PowerVR SGX544").find("is it powervr-"), std::string::npos);
  EXPECT_EQ(One("adreno").find("is it"), std::string::npos);
  EXPECT_EQ(One("generic"), "generic");
  EXPECT_EQ(One("mali-t").find("mali-midgard, mali-bifrost, mali-valhall, powervr"),
            One("mali-t").find("known are") + 10);
}

static std::string deviceError(StringRef Yaml) {
  auto Parsed = parseDevices(Yaml);
  EXPECT_FALSE(bool(Parsed));
  return Parsed ? "" : toString(Parsed.takeError());
}

TEST(Devices, BrokenOnesAreRefused) {
  EXPECT_NE(deviceError("families: []").find("between 1 and 31"), std::string::npos);
  EXPECT_NE(
      deviceError("families:\n  - { name: a, title: t, group: g, facts: [] }\n").find("is missing"),
      std::string::npos);
  EXPECT_NE(deviceError("families:\n  - { name: a, title: t, group: g, facts: [ { name: colour, "
                        "value: 1, unit: u, source: S0 } ] }\n")
                .find("no fact is called 'colour'"),
            std::string::npos);
  EXPECT_NE(deviceError("families:\n  - { name: a, title: t, group: g, facts: [ { name: "
                        "simd-width, value: 1, unit: u, source: '' } ] }\n")
                .find("needs a source"),
            std::string::npos);
}

TEST(Drivers, AnswerForTheirFamily) {
  auto facts = [](StringRef Device, StringRef Fact) {
    auto D = driverOf(Device);
    EXPECT_TRUE(bool(D)) << toString(D.takeError());
    return D && (*D)->fact(Fact) ? (*D)->fact(Fact)->Value : -1;
  };
  EXPECT_EQ(facts("mali-g610", "max-work-group"), 1024);    // the driver's own fact
  EXPECT_EQ(facts("mali-g610", "max-local-memory"), 32768); // its family's
  EXPECT_EQ(facts("Mali-G52 MC2", "max-work-group"), 384);
  EXPECT_EQ((*driverOf("mali-g710"))->Device, "mali-g610"); // another member of the family
  EXPECT_EQ((*driverOf("powervr"))->Family->Name, "powervr-rogue");
  for (StringRef Device : {"mali", "generic", "adreno"}) { // several families, no driver, unknown
    auto D = driverOf(Device);
    EXPECT_FALSE(bool(D)) << Device.str();
    consumeError(D.takeError());
  }
}

TEST(Drivers, BrokenOnesAreRefused) {
  auto error = [](StringRef Device, StringRef Widths) {
    auto D = parseDrivers(("families: []\ndrivers:\n  - { device: " + Device +
                           ", platform: p, vendor: v, name: n, version: '1.2', facts: [], "
                           "extensions: [], preferred-widths: [" +
                           Widths + "] }\n")
                              .str());
    return D ? std::string() : toString(D.takeError());
  };
  EXPECT_EQ(error("mali-g52", "16, 8, 4, 2, 8, 4, 0"), "");
  EXPECT_NE(error("mali-g52", "16, 8").find("needs 7 widths"), std::string::npos);
  EXPECT_NE(error("mali", "").find("needs one family"), std::string::npos);
}

TEST(Rules, EmbeddedOnesLoad) {
  ASSERT_FALSE(embedded::Pages.empty());
  for (const embedded::Page &P : embedded::Pages) {
    auto R = parseRule(P.Stem, P.Text);
    ASSERT_TRUE(bool(R)) << toString(R.takeError());
    EXPECT_FALSE(R->examples("Bad").empty()) << R->Id;
    EXPECT_FALSE(R->examples("Good").empty()) << R->Id;
    EXPECT_NE(R->familySet(), 0u) << R->Id;
    EXPECT_FALSE(StringRef(R->Summary).ends_with(".")) << R->Id;
    if (R->Group == "correctness")
      EXPECT_TRUE(all_of(R->Severities, [](Severity S) { return S != Severity::None; })) << R->Id;
  }
  EXPECT_TRUE(is_sorted(allRules(), [](const Rule &A, const Rule &B) { return A.Id < B.Id; }));
}

TEST(Rules, Found) {
  const Rule *R = findRule("clmali-integer-division");
  ASSERT_TRUE(R);
  EXPECT_EQ(R, findRule("integer-division"));
  EXPECT_EQ(findRule("integer-divisions"), nullptr);
  EXPECT_EQ(nearestRule("integer-divison"), "integer-division");
  EXPECT_EQ(nearestRule("something-else-entirely"), "");
}

TEST(Rules, FamiliesDisagree) {
  EXPECT_TRUE(findRule("local-copy-barrier")->familiesDisagree());
  EXPECT_FALSE(findRule("write-race")->familiesDisagree());
  EXPECT_EQ(findRule("local-copy-barrier")->severity(*findFamily("powervr-rogue")), Severity::None);
}

/// A page with the key, if it is not empty.
static Expected<Rule> withOnGuess(StringRef Key) {
  return parseRule(
      "some-rule",
      ("---\nid: some-rule\ngroup: performance\nsummary: s\nfamilies: { mali: warning }\n" + Key +
       "sources: [S0]\n---\n## What it does\nx\n## Why it costs\nx\n## Bad\nx\n"
       "## Good\nx\n## When not to fix\nx\n")
          .str());
}

TEST(Rules, OnGuess) {
  EXPECT_EQ(cantFail(withOnGuess("")).Guessed, OnGuess::Drop) << "the default";
  EXPECT_EQ(cantFail(withOnGuess("on-guess: drop\n")).Guessed, OnGuess::Drop);
  EXPECT_EQ(cantFail(withOnGuess("on-guess: info\n")).Guessed, OnGuess::Info);
  EXPECT_EQ(cantFail(withOnGuess("on-guess: keep\n")).Guessed, OnGuess::Keep);
  auto Unknown = withOnGuess("on-guess: warn\n");
  ASSERT_FALSE(bool(Unknown));
  EXPECT_NE(toString(Unknown.takeError()).find("'warn' is none of drop, info, keep"),
            std::string::npos);
}

static std::string ruleError(StringRef Page) {
  auto R = parseRule("some-rule", Page);
  EXPECT_FALSE(bool(R));
  return R ? "" : toString(R.takeError());
}

TEST(Rules, BrokenPagesAreRefused) {
  std::string Front = "---\nid: some-rule\ngroup: performance\nsummary: s\nfamilies: { mali: "
                      "warning }\nsources: [S0]\n---\n";
  std::string Body =
      "## What it does\nx\n## Why it costs\nx\n## Bad\nx\n## Good\nx\n## When not to fix\nx\n";
  EXPECT_TRUE(bool(parseRule("some-rule", Front + Body)));
  EXPECT_NE(ruleError("## What it does\n").find("first line"), std::string::npos);
  EXPECT_NE(ruleError("---\nid: some-rule\n").find("no end"), std::string::npos);
  EXPECT_NE(ruleError(Front + "## Bad\nx\n").find("five sections"), std::string::npos);
  std::string Evidence = Body;
  Evidence.insert(Evidence.find("## When"), "## Evidence\nx\n");
  EXPECT_TRUE(bool(parseRule("some-rule", Front + Evidence)));
  EXPECT_NE(ruleError(Front + "## Evidence\nx\n" + Body).find("five sections"), std::string::npos);
  std::string Swapped =
      "## What it does\nx\n## Why it costs\nx\n## Good\nx\n## Bad\nx\n## When not to fix\nx\n";
  EXPECT_NE(ruleError(Front + Swapped).find("where 'Bad' belongs"), std::string::npos);
  std::string Wrong = Front;
  Wrong.replace(Wrong.find("performance"), 11, "correctness");
  EXPECT_NE(ruleError(Wrong + Body).find("where 'Why it is wrong' belongs"), std::string::npos);
  std::string Other = Front;
  Other.replace(Other.find("some-rule"), 9, "othe-rule");
  EXPECT_NE(ruleError(Other + Body).find("is not the file's name"), std::string::npos);
  std::string Family = Front;
  Family.replace(Family.find("mali:"), 5, "nile:");
  EXPECT_NE(ruleError(Family + Body).find("unknown device"), std::string::npos);
}
