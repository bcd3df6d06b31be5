// Launch files, expressions, manifests and coverage: what is accepted, the numbers, and that
// each kind of mistake is an error that names its location.
#include "rewriters/launch/Expression.h"
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"

#include "gtest/gtest.h"

using namespace clmali::launch;

namespace {

template <typename T> std::string errorOf(llvm::Expected<T> Value) {
  return Value ? "no error" : llvm::toString(Value.takeError());
}

int64_t valueOf(llvm::StringRef Text, const Bindings &Values = {}) {
  llvm::Expected<Expression> E = Expression::parse(Text);
  if (!E) {
    ADD_FAILURE() << llvm::toString(E.takeError());
    return -999;
  }
  llvm::Expected<int64_t> Value = E->evaluate(Values);
  if (!Value) {
    ADD_FAILURE() << llvm::toString(Value.takeError());
    return -999;
  }
  return *Value;
}

std::string problemOf(llvm::StringRef Text, const Bindings &Values = {}) {
  llvm::Expected<Expression> E = Expression::parse(Text);
  if (!E)
    return llvm::toString(E.takeError());
  return errorOf(E->evaluate(Values));
}

#define EXPECT_CONTAINS(Text, Part)                                                                \
  EXPECT_NE(std::string(Text).find(Part), std::string::npos) << (Text)

TEST(Expression, HasTheValuesOfC) {
  EXPECT_EQ(valueOf("2 + 3 * 4"), 14);
  EXPECT_EQ(valueOf("(2 + 3) * 4"), 20);
  EXPECT_EQ(valueOf("-7 / 2"), -3);
  EXPECT_EQ(valueOf("-7 % 2"), -1);
  EXPECT_EQ(valueOf("10 - 3 - 2"), 5);
  EXPECT_EQ(valueOf("1 < 2 == 1"), 1);
  EXPECT_EQ(valueOf("3 >= 3 && 2 != 2"), 0);
  EXPECT_EQ(valueOf("1 || 0 && 0"), 1);
  EXPECT_EQ(valueOf("0x10 + 010"), 26);
  EXPECT_EQ(valueOf("- - 3"), 3);
  EXPECT_EQ(valueOf("n % 16 == 0", {{"n", 32}}), 1);
  EXPECT_EQ(valueOf("9223372036854775807"), INT64_MAX);
}

TEST(Expression, HasRoundupMinMax) {
  EXPECT_EQ(valueOf("roundup(13, 4)"), 16);
  EXPECT_EQ(valueOf("roundup(16, 4)"), 16);
  EXPECT_EQ(valueOf("roundup(-13, 4)"), -12);
  EXPECT_EQ(valueOf("min(3, -2)"), -2);
  EXPECT_EQ(valueOf("max(3, n + 1)", {{"n", 7}}), 8);
}

TEST(Expression, LogicDoesNotEvaluateWhatIsDecided) {
  EXPECT_EQ(valueOf("n > 0 && 8 % n == 0", {{"n", 0}}), 0);
  EXPECT_EQ(valueOf("n == 0 || 8 / n > 2", {{"n", 0}}), 1);
}

TEST(Expression, NeverWraps) {
  EXPECT_CONTAINS(problemOf("9223372036854775807 + 1"), "overflow");
  EXPECT_CONTAINS(problemOf("-9223372036854775807 - 2"), "overflow");
  EXPECT_CONTAINS(problemOf("4611686018427387904 * 2"), "overflow");
  EXPECT_CONTAINS(problemOf("(-9223372036854775807 - 1) / -1"), "overflow");
  EXPECT_CONTAINS(problemOf("(-9223372036854775807 - 1) % -1"), "overflow");
  EXPECT_CONTAINS(problemOf("-(-9223372036854775807 - 1)"), "overflow");
  EXPECT_CONTAINS(problemOf("roundup(9223372036854775807, 2)"), "overflow");
  EXPECT_CONTAINS(problemOf("9223372036854775808"), "64 bits");
}

TEST(Expression, NamesItsMistakes) {
  EXPECT_CONTAINS(problemOf("4 / (2 - 2)"), "division by zero");
  EXPECT_CONTAINS(problemOf("4 % 0"), "division by zero");
  EXPECT_CONTAINS(problemOf("roundup(4, 0)"), "multiple of 0");
  EXPECT_CONTAINS(problemOf("n + m", {{"n", 1}}), "unknown name 'm'");
  EXPECT_CONTAINS(problemOf("2 +"), "column 4");
  EXPECT_CONTAINS(problemOf("2 3"), "column 3");
  EXPECT_CONTAINS(problemOf(""), "a number, a name");
  EXPECT_CONTAINS(problemOf("(1"), "')'");
  EXPECT_CONTAINS(problemOf("round(1, 2)"), "roundup, min, max, width");
  EXPECT_CONTAINS(problemOf("min(1)"), "two values");
  EXPECT_CONTAINS(problemOf("1.5"), "1.5");
  EXPECT_CONTAINS(problemOf("a = 1"), "column 3");
  EXPECT_CONTAINS(problemOf("a & 1"), "column 3");
  EXPECT_CONTAINS(problemOf(std::string(5000, '(')), "nests");
  EXPECT_CONTAINS(problemOf(std::string(5000, '-') + "1"), "nests");
}

constexpr const char *Saxpy = R"j(
source: saxpy.cl            # beside this file
kernel: saxpy
options: "-cl-fast-relaxed-math"
defines: { TILE: 16, REAL: float }
args:
  - { name: a, value: "2.5" }
  - { name: x, buffer: in,    count: "n", data: { uniform: [-1, 1] } }
  - { name: y, buffer: inout, count: "n", data: { range: [0, "n - 1"] }, compare: { ulp: 2 } }
  - { name: scratch, local: "TILE*4" }
  - { name: z, buffer: inout, data: { same-as: y } }
  - { name: q, buffer: out, count: "2*n", data: zero }
  - { name: v, value: ["1", "2.0", "n"] }
  - { name: n, value: "n" }
global: [ "roundup(n, 64)" ]
local: [ "64" ]
offset: [ "0" ]
sizes: [ { n: 4096 }, { n: 1001 } ]
compare: { rel: 1e-5 }
require: [ "n % 7 == 0" ]
)j";

TEST(LaunchFile, ReadsEverything) {
  llvm::Expected<LaunchFile> F = parseLaunchFile(Saxpy, "dir/saxpy.launch.yaml");
  ASSERT_TRUE(bool(F)) << llvm::toString(F.takeError());
  EXPECT_EQ(F->Kernel, "saxpy");
  EXPECT_EQ(buildOptions(F->Options, F->Defines), "-cl-fast-relaxed-math -DTILE=16 -DREAL=float");
  ASSERT_EQ(F->Args.size(), 8u);
  EXPECT_EQ(F->Args[1].Data.K, DataSpec::Kind::Uniform);
  EXPECT_EQ(F->Args[2].Compare->Ulp, 2.0);
  EXPECT_EQ(F->Args[3].K, Argument::Kind::Local);
  EXPECT_EQ(F->Args[4].Data.SameAs, "y");
  EXPECT_EQ(F->Args[5].Data.K, DataSpec::Kind::Zero);
  EXPECT_EQ(F->Args[6].Value.size(), 3u);
  EXPECT_EQ(F->Compare.Relative, 1e-5);
  EXPECT_EQ(besideLaunchFile(*F, F->Source), "dir/saxpy.cl");
  llvm::Expected<Geometry> G = geometryAt(*F, F->Sizes[1]);
  ASSERT_TRUE(bool(G));
  EXPECT_EQ(G->Global[0], 1024u);
  EXPECT_EQ(G->Local[0], 64u);
  EXPECT_EQ(G->Dimensions, 1u);
  llvm::Expected<bool> Met = meetsRequirements(*F, F->Sizes[0]);
  ASSERT_TRUE(bool(Met));
  EXPECT_FALSE(*Met);
  llvm::Expected<Bindings> Args = integerArgumentsAt(*F, F->Sizes[1]);
  ASSERT_TRUE(bool(Args));
  EXPECT_EQ(*Args, (Bindings{{"n", 1001}}));
}

TEST(LaunchFile, KnowsFloatLiterals) {
  for (const char *Text : {"2.5", "1e3", "-0.0", "nan", "-inf", "3.f", "-nan"})
    EXPECT_TRUE(isFloatLiteral(Text)) << Text;
  for (const char *Text : {"2", "-7", "n", "n + 1", "0x10", "", "infn"})
    EXPECT_FALSE(isFloatLiteral(Text)) << Text;
}

TEST(LaunchFile, PrintsWhatParsesBack) {
  llvm::Expected<LaunchFile> F = parseLaunchFile(Saxpy, "a.yaml");
  ASSERT_TRUE(bool(F));
  std::string Once = printLaunchFile(*F);
  llvm::Expected<LaunchFile> Again = parseLaunchFile(Once, "a.yaml");
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError()) << Once;
  EXPECT_EQ(printLaunchFile(*Again), Once);
  EXPECT_EQ(Again->Args[2].Data.RangeHigh.text(), "n - 1");
}

struct Mistake {
  const char *Text;
  const char *Message;
};

class LaunchFileMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(LaunchFileMistakes, AreNamed) {
  std::string Message = errorOf(parseLaunchFile(GetParam().Text, "f.yaml"));
  EXPECT_EQ(Message.find("f.yaml"), 0u) << Message;
  EXPECT_CONTAINS(Message, GetParam().Message);
}

INSTANTIATE_TEST_SUITE_P(
    Each, LaunchFileMistakes,
    testing::Values(
        Mistake{"", "empty"}, Mistake{"# nothing\n", "empty"}, Mistake{"kernel: [", "f.yaml:"},
        Mistake{"kernel: k\nargs: []\nglobal: [4]\nglobl: [4]\n", "unknown key 'globl'"},
        Mistake{"args: []\nglobal: [4]\n", "kernel"}, Mistake{"kernel: k\nglobal: [4]\n", "args"},
        Mistake{"kernel: k\nargs: []\n", "global"},
        Mistake{"kernel: k\nargs: []\nglobal: [0]\n", "must be 1 or more"},
        Mistake{"kernel: k\nargs: []\nglobal: [1,1,1,1]\n", "1, 2 or 3"},
        Mistake{"kernel: k\nargs: []\nglobal: [4]\nlocal: [2,2]\n", "dimensions"},
        Mistake{"kernel: k\nargs: []\nglobal: [4]\nlocal: [3]\n", "does not divide"},
        Mistake{"kernel: k\nargs: []\nglobal: [4]\noffset: [\"-1\"]\n", "offset"},
        Mistake{"kernel: k\nargs: []\nglobal: [gx]\n", "reserved"},
        Mistake{"kernel: k\nargs: []\nglobal: [n]\nsizes: [{gx: 1, n: 2}]\n", "reserved"},
        Mistake{"kernel: k\nargs: []\nglobal: [m]\nsizes: [{n: 1}]\n", "unknown name 'm'"},
        Mistake{"kernel: k\nargs: []\nglobal: [n]\nsizes: [{n: 1}, {m: 1}]\n", "same variables"},
        Mistake{"kernel: k\nargs: []\nglobal: [n]\nsizes: [{n: x}]\n", "sizes"},
        Mistake{"kernel: k\nargs: [{name: a}]\nglobal: [1]\n", "exactly one"},
        Mistake{"kernel: k\nargs: [{name: a, buffer: in}]\nglobal: [1]\n", "count"},
        Mistake{"kernel: k\nargs: [{name: a, buffer: on, count: 1}]\n"
                "global: [1]\n",
                "in, out or inout"},
        Mistake{"kernel: k\nargs: [{name: a, value: \"1 +\"}]\nglobal: [1]\n", "argument 'a'"},
        Mistake{"kernel: k\nargs: [{name: a, value: 1},{name: a, value: 1}]\n"
                "global: [1]\n",
                "twice"},
        Mistake{"kernel: k\nargs: [{name: a, buffer: in, count: 1, data: "
                "{same-as: b}}]\nglobal: [1]\n",
                "same-as"},
        Mistake{"kernel: k\nargs: [{name: a, buffer: in, count: 1, data: "
                "{zero: 1, file: b}}]\nglobal: [1]\n",
                "exactly one of"},
        Mistake{"kernel: k\nargs: [{name: a, buffer: in, count: 1, data: "
                "{uniform: [1]}}]\nglobal: [1]\n",
                "two numbers"},
        Mistake{"kernel: k\nargs: [{name: a, buffer: in, count: 1, data: "
                "ones}]\nglobal: [1]\n",
                "expected zero"},
        Mistake{"kernel: k\nargs: []\nglobal: [1]\ncompare: {ulp: -1}\n", "tolerance"},
        Mistake{"kernel: k\nargs: []\nglobal: [1]\ncompare: {ulps: 1}\n", "unknown key"},
        Mistake{"kernel: k\nargs: []\nglobal: [{a: 1}]\n", "f.yaml:"},
        Mistake{"kernel: k\nargs: []\nglobal: [n]\ndefines: {n: 1}\n"
                "sizes: [{n: 1}]\n",
                "define too"}));

constexpr const char *SaxpyManifest = R"j({ "version": 1,
  "kernels": [ {
    "original": "saxpy",
    "launches": [
      { "kernel": "saxpy_v4", "when": "gx >= 4 && ox % 4 == 0",
        "global": ["gx / 4"], "local": null, "offset": ["ox / 4"] },
      { "kernel": "saxpy",    "when": "gx % 4 != 0 && ox % 4 == 0",
        "global": ["gx % 4"], "local": null, "offset": ["ox + gx - gx % 4"] },
      { "kernel": "saxpy",    "when": "ox % 4 != 0",
        "global": ["gx"], "local": ["lx"], "offset": ["ox"] } ],
    "obligations": [ { "text": "size_t is 64 bits", "state": "assumed" } ],
    "options": "", "defines": { "T": "float", "A": 3 }, "source": "sha256:00", "tool": "0.1",
    "passes": ["vectorize:4"] } ] })j";

Geometry line(uint64_t Global, uint64_t Offset = 0, uint64_t Local = 0) {
  Geometry G;
  G.Global[0] = Global;
  G.Offset[0] = Offset;
  if (Local)
    G.Local = {Local, 1, 1};
  return G;
}

TEST(Manifest, ReadsAndPrints) {
  llvm::Expected<Manifest> M = parseManifest(SaxpyManifest, "m.json");
  ASSERT_TRUE(bool(M)) << llvm::toString(M.takeError());
  const ManifestKernel *K = M->findKernel("saxpy");
  ASSERT_TRUE(K);
  EXPECT_EQ(M->findKernel("other"), nullptr);
  ASSERT_EQ(K->Launches.size(), 3u);
  EXPECT_FALSE(K->Launches[0].Local);
  EXPECT_TRUE(K->Launches[2].Local);
  EXPECT_EQ(K->Obligations.size(), 1u);
  EXPECT_EQ(K->Defines.size(), 2u);
  std::string Once = printManifest(*M);
  llvm::Expected<Manifest> Again = parseManifest(Once, "m.json");
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError()) << Once;
  EXPECT_EQ(printManifest(*Again), Once);
}

TEST(Manifest, ResolvesLaunches) {
  llvm::Expected<Manifest> M = parseManifest(SaxpyManifest, "m.json");
  ASSERT_TRUE(bool(M));
  const ManifestKernel &K = M->Kernels[0];
  auto At = resolveLaunches(K, line(11, 8), {});
  ASSERT_TRUE(bool(At)) << llvm::toString(At.takeError());
  ASSERT_EQ(At->size(), 2u);
  EXPECT_EQ((*At)[0].Shape, line(2, 2));
  EXPECT_EQ((*At)[1].Shape, line(3, 16));
  auto Odd = resolveLaunches(K, line(6, 1, 3), {});
  ASSERT_TRUE(bool(Odd));
  ASSERT_EQ(Odd->size(), 1u);
  EXPECT_EQ((*Odd)[0].Shape, line(6, 1, 3));
  // A local size of 0 means NULL.
  auto Null = resolveLaunches(K, line(6, 1), {});
  ASSERT_TRUE(bool(Null));
  EXPECT_FALSE((*Null)[0].Shape.hasLocal());
}

Manifest with(const std::string &Launches) {
  std::string Json = "{\"version\":1,\"kernels\":[{\"original\":\"k\","
                     "\"launches\":[" +
                     Launches + "]}]}";
  llvm::Expected<Manifest> M = parseManifest(Json, "m");
  if (!M) {
    ADD_FAILURE() << llvm::toString(M.takeError());
    return {};
  }
  return *M;
}

TEST(Manifest, RefusesLaunchesThatCannotRun) {
  auto problem = [](const std::string &Launch, const Geometry &G) {
    Manifest M = with(Launch);
    return errorOf(resolveLaunches(M.Kernels[0], G, {}));
  };
  EXPECT_CONTAINS(problem(R"j({"kernel":"a","global":["gx/4"]})j", line(3)), "'when' must keep");
  EXPECT_CONTAINS(problem(R"j({"kernel":"a","global":["gx"],"local":["4"]})j", line(6)),
                  "does not divide");
  EXPECT_CONTAINS(problem(R"j({"kernel":"a","when":"gx > 9","global":["gx"]})j", line(6)),
                  "no launch");
  EXPECT_CONTAINS(problem(R"j({"kernel":"a","global":["gx"],"offset":["0-1"]})j", line(6)),
                  "offset");
  EXPECT_CONTAINS(problem(R"j({"kernel":"a","global":["w"]})j", line(6)), "unknown name 'w'");
  EXPECT_CONTAINS(problem(R"j({"kernel":"a","global":["gx"],"localBytes":{"s":"0"}})j", line(6)),
                  "localBytes");
}

TEST(Manifest, NamesItsMistakes) {
  auto problem = [](const char *Json) { return errorOf(parseManifest(Json, "m.json")); };
  EXPECT_CONTAINS(problem("{"), "m.json");
  EXPECT_CONTAINS(problem("[]"), "object");
  EXPECT_CONTAINS(problem("{\"version\":2,\"kernels\":[]}"), "version");
  EXPECT_CONTAINS(problem("{\"version\":1}"), "kernels");
  EXPECT_CONTAINS(problem("{\"version\":1,\"kernels\":[],\"x\":1}"), "'x'");
  EXPECT_CONTAINS(problem("{\"version\":1,\"kernels\":[{\"original\":\"k\"}]}"), "launches");
  EXPECT_CONTAINS(problem("{\"version\":1,\"kernels\":[{\"original\":\"k\","
                          "\"launches\":[{\"kernel\":\"k\"}]}]}"),
                  "global");
  EXPECT_CONTAINS(problem("{\"version\":1,\"kernels\":[{\"original\":\"k\",\"launches\":"
                          "[{\"kernel\":\"k\",\"global\":[\"gx +\"]}]}]}"),
                  "column 5");
  EXPECT_CONTAINS(problem("{\"version\":1,\"kernels\":[{\"original\":\"k\",\"launches\":"
                          "[{\"kernel\":\"k\",\"global\":[\"gx\"],\"wen\":\"1\"}]}]}"),
                  "'wen'");
}

std::vector<CoverageCase> lines(uint64_t Most, uint64_t OffsetMost = 0) {
  std::vector<CoverageCase> Cases;
  for (uint64_t Offset = 0; Offset <= OffsetMost; ++Offset)
    for (uint64_t N = 1; N <= Most; ++N)
      Cases.push_back({line(N, Offset), {}});
  return Cases;
}

TEST(Coverage, FindsTheBlocksOfAGoodManifest) {
  llvm::Expected<Manifest> M = parseManifest(SaxpyManifest, "m.json");
  ASSERT_TRUE(bool(M));
  auto Shape = inferBlocks(M->Kernels[0], lines(70, 9));
  ASSERT_TRUE(bool(Shape)) << llvm::toString(Shape.takeError());
  EXPECT_EQ((*Shape)["saxpy_v4"].Factor[0], 4u);
}

TEST(Coverage, AllowsAKernelThatGuardsItsOwnTail) {
  Manifest M = with(R"j({"kernel":"v","global":["(gx + 7) / 8"]})j");
  auto Shape = inferBlocks(M.Kernels[0], lines(100));
  ASSERT_TRUE(bool(Shape)) << llvm::toString(Shape.takeError());
  EXPECT_EQ((*Shape)["v"].Factor[0], 8u);
}

TEST(Coverage, FindsSwappedDimensions) {
  Manifest M = with(R"j({"kernel":"s","global":["gy", "gx / 2"]})j");
  std::vector<CoverageCase> Cases;
  for (uint64_t X = 2; X < 20; X += 2)
    for (uint64_t Y = 1; Y < 9; ++Y) {
      Geometry G;
      G.Dimensions = 2;
      G.Global = {X, Y, 1};
      Cases.push_back({G, {}});
    }
  auto Shape = inferBlocks(M.Kernels[0], Cases);
  ASSERT_TRUE(bool(Shape)) << llvm::toString(Shape.takeError());
  EXPECT_EQ((*Shape)["s"].Axis[0], 1u);
  EXPECT_EQ((*Shape)["s"].Factor[0], 2u);
}

struct Hole {
  const char *Launches;
  const char *Message;
};

class CoverageHoles : public testing::TestWithParam<Hole> {};

TEST_P(CoverageHoles, AreFound) {
  Manifest M = with(GetParam().Launches);
  EXPECT_CONTAINS(errorOf(inferBlocks(M.Kernels[0], lines(70))), GetParam().Message);
}

INSTANTIATE_TEST_SUITE_P(Each, CoverageHoles,
                         testing::Values(
                             // The tail is left out.
                             Hole{R"j({"kernel":"v","when":"gx >= 4","global":["gx/4"]},
               {"kernel":"k","when":"gx < 4","global":["gx"]})j",
                                  "is in no launch"},
                             // The tail begins one too early.
                             Hole{R"j({"kernel":"v","when":"gx >= 4","global":["gx/4"]},
               {"kernel":"k","when":"gx%4 != 0","global":["gx%4"],
                "offset":["max(0, gx-gx%4-1)"]})j",
                                  "covered twice"},
                             // The tail is all of it.
                             Hole{R"j({"kernel":"v","when":"gx >= 4","global":["gx/4"]},
               {"kernel":"k","global":["gx"]})j",
                                  "covered twice"},
                             // The original itself, one work-item too many.
                             Hole{R"j({"kernel":"k","global":["gx+1"]})j", "outside"},
                             Hole{R"j({"kernel":"k","when":"gx > 1","global":["gx-1"]},
               {"kernel":"k","when":"gx == 1","global":["gx"]})j",
                                  "is in no launch"}));

TEST(Manifest, HashesTheSource) {
  EXPECT_EQ(sourceHash("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f"
                               "20015ad");
}

} // namespace
