// From launch file and manifest to proofs at several sizes.
#include "SymbolicTest.h"

#include "llvm/Support/raw_ostream.h"

using namespace clmali::verify;

namespace {

const char *const Launch = R"(
kernel: scale
args:
  - { name: x, buffer: in, count: "n", data: { range: [0, 255] } }
  - { name: y, buffer: out, count: "n" }
  - { name: f, value: "3" }
  - { name: a, value: "2.5" }
  - { name: n, value: "n" }
global: [ "n" ]
sizes: [ { n: 16 }, { n: 9 }, { n: 3 }, { n: 100000 } ]
)";

const char *const Manifest = R"({ "version": 1, "kernels": [ {
  "original": "scale",
  "launches": [
    { "kernel": "scale4", "when": "gx >= 4", "global": ["gx / 4"], "local": null,
      "offset": ["0"] },
    { "kernel": "scale", "when": "gx % 4 != 0", "global": ["gx % 4"], "local": null,
      "offset": ["gx - gx % 4"] } ],
  "obligations": [], "options": "", "defines": {}, "source": "sha256:0",
  "tool": "0.1", "passes": ["vectorize:4"] } ] })";

const char *const Original = R"(
__kernel void scale(__global const int *x, __global float *y, int f, float a, int n) {
  int i = get_global_id(0);
  y[i] = a * (x[i] * f);
})";

std::string rewritten(const char *Statement) {
  return std::string(Original) + R"(
__kernel void scale4(__global const int *x, __global float *y, int f, float a, int n) {
  int i = get_global_id(0);
  )" + Statement +
         "\n}\n";
}

template <typename T> T valueOf(llvm::Expected<T> V) {
  if (!V) {
    ADD_FAILURE() << llvm::toString(V.takeError());
    return T();
  }
  return std::move(*V);
}

SymbolicLadder climb(const std::string &Rewritten) {
  using namespace clmali::launch;
  LaunchFile File = valueOf(parseLaunchFile(Launch, "scale.launch.yaml"));
  auto M = valueOf(parseManifest(Manifest, "scale.json"));
  if (M.Kernels.empty())
    return {};
  std::vector<SymbolicSize> Sizes;
  for (const Size &At : File.Sizes) {
    SymbolicSize S;
    S.At = At;
    S.Items = uint64_t(At.at("n"));
    Sizes.push_back(S);
  }
  SymbolicLadder L =
      proveAtSizes({Original, "", ""}, {Rewritten, "", ""}, File, M.Kernels[0], Sizes, 20);
  std::cout << "  " << L.Detail << "\n";
  return L;
}

TEST(SymbolicLadder, ProvesEverySmallSize) {
  SymbolicLadder L = climb(rewritten("vstore4(a * convert_float4(vload4(i, x) * f), i, y);"));
  EXPECT_EQ(L.Outcome, SymbolicOutcome::Proved);
  ASSERT_EQ(L.Sizes.size(), 3u);
  EXPECT_EQ(L.Sizes[0].At.at("n"), 3);
  EXPECT_EQ(L.Sizes[2].At.at("n"), 16);
  EXPECT_NE(L.Detail.find("at 3 sizes"), std::string::npos);
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::json::Value(toJson(L));
  EXPECT_NE(Text.find("\"outcome\":\"proved\""), std::string::npos);
}

TEST(SymbolicLadder, OneSizeThatIsNotProvedSpoilsIt) {
  // At n = 3 the vector kernel does not run, so the proof succeeds.
  SymbolicLadder L = climb(rewritten("vstore4(convert_float4(vload4(i, x) * f) + a, i, y);"));
  EXPECT_EQ(L.Outcome, SymbolicOutcome::NotClimbed);
  EXPECT_NE(L.Detail.find("at n=9: y[0]"), std::string::npos);
  EXPECT_NE(L.Detail.find("(proved at n=3)"), std::string::npos);
}

TEST(SymbolicLadder, DeclaredRangesAreUsedOnlyWhereNeeded) {
  // 255 * 3 fits short, an int does not.
  SymbolicLadder L = climb(
      rewritten("vstore4(a * convert_float4(convert_short4(vload4(i, x)) * (short)f), i, y);"));
  EXPECT_EQ(L.Outcome, SymbolicOutcome::Proved);
  EXPECT_NE(L.Detail.find("x holds values from 0 to 255"), std::string::npos);
}

TEST(SymbolicLadder, OverReadIsACounterexample) {
  SymbolicLadder L = climb(
      rewritten("int8 v = vload8(0, x + i * 4); vstore4(a * convert_float4(v.lo * f), i, y);"));
  EXPECT_EQ(L.Outcome, SymbolicOutcome::Counterexample);
  ASSERT_FALSE(L.Sizes.empty());
  EXPECT_EQ(L.Sizes.back().Result.Example->Argument, "x");
}

} // namespace
