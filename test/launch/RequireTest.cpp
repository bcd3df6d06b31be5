// Build options and defines as one set, `require` in launch files and manifests, and coverage of
// sizes that the host rounds up.
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"

#include "gtest/gtest.h"

using namespace clmali::launch;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string normalized(std::string Options, Pairs Defines = {}) {
  if (llvm::Error E = normalizeBuild(Options, Defines))
    return "error: " + llvm::toString(std::move(E));
  for (const auto &[Name, Value] : Defines)
    Options += "|" + Name + "=" + Value;
  return Options;
}

TEST(Build, SpellingsOfADefineAreOne) {
  for (const char *Options : {"-D X", "-DX", "-DX=1", "-D X=1", "  -D   X "})
    EXPECT_EQ(normalized(Options), "|X=1") << Options;
  EXPECT_EQ(normalized("-DX", {{"X", "1"}}), "|X=1");
  EXPECT_EQ(normalized("-cl-mad-enable  -DT=float4 -I include -DN=2"),
            "-cl-mad-enable -I include|T=float4|N=2");
  EXPECT_EQ(normalized("-DE=\"a + b\""), "|E=a + b");
}

TEST(Build, WhatIsNoPlainDefineStays) {
  EXPECT_EQ(normalized("-DX="), "|X="); // an empty macro, not 1
  EXPECT_EQ(normalized("-D f(x)=x"), "-Df(x)=x");
  EXPECT_EQ(normalized("-D'f(x)=x'"), "-Df(x)=x");
  EXPECT_EQ(normalized("-cl-std=CL1.2 -UX"), "-cl-std=CL1.2 -UX");
  EXPECT_NE(normalized("-DX=2", {{"X", "1"}}).find("two values"), std::string::npos);
}

TEST(Build, TextsBuildAgain) {
  Pairs Defines;
  std::string Options = "-DA -DB= -DC=\"1 + 2\"";
  ASSERT_FALSE(bool(normalizeBuild(Options, Defines)));
  std::string All = buildOptions(Options, Defines);
  Pairs Again;
  ASSERT_FALSE(bool(normalizeBuild(All, Again)));
  EXPECT_EQ(Again, Defines);
  EXPECT_EQ(All, "");
}

/// A launch of rows of `cols` elements, `step` apart.
std::string rows(const std::string &More, const std::string &Global = "roundup(c, 16)") {
  return "kernel: rows\nargs:\n"
         "  - { name: src, buffer: in, count: 's * r' }\n"
         "  - { name: step, value: s }\n"
         "  - { name: cols, value: c }\n"
         "  - { name: gain, value: '1.5' }\n"
         "  - { name: taps, value: '5' }\n"
         "global: ['" +
         Global + "', r]\nsizes: [ { s: 640, c: 600, r: 4 }, { s: 640, c: 630, r: 2 } ]\n" + More;
}

LaunchFile file(const std::string &Text) {
  llvm::Expected<LaunchFile> F = parseLaunchFile(Text, "rows.launch.yaml");
  if (!F) {
    ADD_FAILURE() << llvm::toString(F.takeError());
    return {};
  }
  return *F;
}

bool meets(const LaunchFile &F, const Size &At, const Bindings *Arguments = nullptr) {
  llvm::Expected<bool> Met = meetsRequirements(F, At, Arguments);
  EXPECT_TRUE(bool(Met));
  return Met ? *Met : false;
}

TEST(Require, NamesVariablesAndArguments) {
  LaunchFile F = file(rows("require: ['step >= cols', 'taps % 2 == 1', 'c > r']"));
  EXPECT_TRUE(meets(F, F.Sizes[0]));
  EXPECT_FALSE(meets(F, {{"s", 10}, {"c", 129}, {"r", 4}}));
  // Other values of an argument that does not depend on the size.
  Bindings Other{{"step", 640}, {"cols", 600}, {"taps", 4}};
  EXPECT_FALSE(meets(F, F.Sizes[0], &Other));
  Other["taps"] = 7;
  EXPECT_TRUE(meets(F, F.Sizes[0], &Other));
}

TEST(Require, UnknownNamesAreErrors) {
  for (const char *Name : {"pitch", "gain", "src", "gx"}) {
    llvm::Expected<LaunchFile> F =
        parseLaunchFile(rows("require: ['" + std::string(Name) + " > 0']"), "rows.launch.yaml");
    EXPECT_FALSE(bool(F)) << Name;
    llvm::consumeError(F.takeError());
  }
  // Only `require` may: a count over an argument would hide its variable.
  std::string Text = rows("");
  Text.replace(Text.find("'s * r'"), 7, "'step * r'");
  llvm::Expected<LaunchFile> F = parseLaunchFile(Text, "rows.launch.yaml");
  EXPECT_FALSE(bool(F));
  llvm::consumeError(F.takeError());
}

std::string texts(const std::vector<Expression> &All) {
  std::string Text;
  for (const Expression &E : All)
    Text += (Text.empty() ? "" : "; ") + E.text();
  return Text;
}

TEST(Require, IsWrittenOverArgumentsAndSizes) {
  LaunchFile F = file(rows("require: ['s >= c', 'max(r, 1) < 100', 'taps == 5']"));
  ManifestRequire R = requireOf(F);
  EXPECT_EQ(texts(R.Checked), "step >= cols; max(gy, 1) < 100; taps == 5");
  EXPECT_EQ(texts(requireOf(file(rows("require: ['step >= cols']"))).Checked), "step >= cols");
  EXPECT_TRUE(R.Unchecked.empty());
}

TEST(Require, WhatNoArgumentGivesStaysAnObligation) {
  std::string Text = rows("require: ['h % 2 == 0', 's >= c']");
  for (size_t At; (At = Text.find("{ s:")) != std::string::npos;)
    Text.replace(At, 4, "{ h: 8, s: ");
  ManifestRequire R = requireOf(file(Text));
  EXPECT_EQ(texts(R.Checked), "step >= cols");
  EXPECT_EQ(R.Unchecked, std::vector<std::string>{"h % 2 == 0"});
}

TEST(Require, OneOfSeveralLaunchFilesMustHold) {
  std::vector<LaunchFile> Two{file(rows("require: ['s >= c']")), file(rows("require: ['c == 1']"))};
  EXPECT_EQ(texts(requireOf(Two).Checked), "((step >= cols)) || ((cols == 1))");
  Two.push_back(file(rows("")));
  EXPECT_TRUE(requireOf(Two).Checked.empty()); // this one allows every launch
}

constexpr const char *Guarded = R"j({"version": 1, "kernels": [{ "original": "rows",
  "launches": [{ "kernel": "rows_v4", "when": "gx >= 4", "global": ["gx / 4", "gy"] },
               { "kernel": "rows", "when": "gx < 4", "global": ["gx", "gy"] }],
  "require": ["step >= cols", "gy > 1"], "source": "", "options": "-D T=int" }]})j";

Geometry plane(uint64_t X, uint64_t Y) {
  Geometry G;
  G.Dimensions = 2;
  G.Global = {X, Y, 1};
  G.Local = {2, 1, 1};
  return G;
}

TEST(Require, UnmetRunsTheOriginal) {
  llvm::Expected<Manifest> M = parseManifest(Guarded, "m.json");
  ASSERT_TRUE(bool(M)) << llvm::toString(M.takeError());
  EXPECT_EQ(M->Kernels[0].Defines, (Pairs{{"T", "int"}}));
  llvm::Expected<Manifest> Again = parseManifest(printManifest(*M), "m.json");
  ASSERT_TRUE(bool(Again));
  EXPECT_EQ(texts(Again->Kernels[0].Require), "step >= cols; gy > 1");
  // Both forms of the entry give the same launches.
  for (const ManifestKernel &K : {Again->Kernels[0], withRequireInWhen(Again->Kernels[0])}) {
    auto Seen = resolveLaunches(K, plane(8, 2), {{"step", 8}, {"cols", 8}});
    ASSERT_TRUE(bool(Seen));
    ASSERT_EQ(Seen->size(), 1u);
    EXPECT_EQ((*Seen)[0].Kernel, "rows_v4");
    auto Unseen = resolveLaunches(K, plane(8, 2), {{"step", 7}, {"cols", 8}});
    ASSERT_TRUE(bool(Unseen));
    ASSERT_EQ(Unseen->size(), 1u);
    EXPECT_EQ((*Unseen)[0].Kernel, "rows");
    EXPECT_EQ((*Unseen)[0].Shape.Global, plane(8, 2).Global);
    EXPECT_EQ((*Unseen)[0].Shape.Local, plane(8, 2).Local);
  }
  // An argument that is not known: no launch can be chosen.
  EXPECT_FALSE(bool(llvm::expectedToOptional(resolveLaunches(Again->Kernels[0], plane(8, 2), {}))));
}

TEST(Coverage, SizesThatTheHostRoundsUp) {
  for (const char *Global : {"roundup(c, 64)", "(c + 63) / 64 * 64", "64 * ((c + 64 - 1) / 64)"}) {
    LaunchFile F = file(rows("", Global));
    EXPECT_EQ(unroundedGlobal(F, F.Sizes[0]), (std::array<uint64_t, 3>{600, 0, 0})) << Global;
  }
  for (const char *Global : {"c", "(c + 63) / 64", "(c + 63) / 32 * 64", "(c + 62) / 64 * 64"}) {
    LaunchFile F = file(rows("", Global));
    EXPECT_EQ(unroundedGlobal(F, F.Sizes[0]), (std::array<uint64_t, 3>{0, 0, 0})) << Global;
  }
}

/// The kernel launched with \p Global, for an original of roundup(cols, 64) work-items.
bool covers(const char *Global) {
  ManifestKernel K;
  K.Original = "rows";
  ManifestLaunch L;
  L.Kernel = "rows_v16";
  L.Global.push_back(llvm::cantFail(Expression::parse(Global)));
  K.Launches.push_back(L);
  std::vector<CoverageCase> Cases;
  for (int64_t Cols : {1, 15, 16, 17, 63, 64, 65, 100, 129, 600, 630}) {
    CoverageCase C;
    C.Original.Global[0] = (Cols + 63) / 64 * 64;
    C.Arguments["cols"] = Cols;
    C.Needed[0] = Cols;
    Cases.push_back(C);
  }
  llvm::Expected<std::map<std::string, Blocks>> B = inferBlocks(K, Cases);
  if (B)
    return true;
  llvm::consumeError(B.takeError());
  return false;
}

TEST(Coverage, LaunchesOverTheArguments) {
  EXPECT_TRUE(covers("(cols + 15) / 16"));
  EXPECT_TRUE(covers("gx / 16"));
  EXPECT_FALSE(covers("max(cols / 16, 1)"));    // the last columns are in no block
  EXPECT_FALSE(covers("(cols + 15) / 16 + 5")); // begins outside the range
}

} // namespace
