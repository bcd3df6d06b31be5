// Launch files with images and samplers.
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"

#include "gtest/gtest.h"

using namespace clmali::launch;

namespace {

constexpr const char *Scale = R"j(
kernel: scale
args:
  - { name: src, image: in, format: rg-unorm8, size: ["w", "h"], data: { range: [16, 235] } }
  - { name: dst, image: out, format: rgba-float, size: ["width(src) / 2", "h / 2"],
      compare: { abs: 0.004 } }
  - { name: table, image: in, format: r-half, size: ["n", "n", "n"], data: { uniform: [0, 1] } }
  - { name: s, sampler: { coords: normalized, address: mirrored-repeat, filter: linear } }
  - { name: sums, buffer: out, count: "width(dst) * layers(table)" }
global: ["roundup(width(dst), 8)", "height(dst)"]
sizes: [{ w: 64, h: 33, n: 5 }]
compare: { steps: 1 }
require: ["width(dst) >= depth(table)"]
)j";

TEST(Images, AreRead) {
  llvm::Expected<LaunchFile> F = parseLaunchFile(Scale, "f.yaml");
  ASSERT_TRUE(bool(F)) << llvm::toString(F.takeError());
  EXPECT_EQ(F->Args[0].K, Argument::Kind::Image);
  EXPECT_EQ(F->Args[0].Format, "rg-unorm8");
  EXPECT_EQ(F->Args[1].Use, Argument::Access::Out);
  EXPECT_EQ(F->Args[3].K, Argument::Kind::Sampler);
  EXPECT_TRUE(F->Args[3].Sampler.Normalized && F->Args[3].Sampler.Linear);
  EXPECT_EQ(F->Args[3].Sampler.Address, SamplerSpec::AddressMode::MirroredRepeat);
  EXPECT_EQ(F->Compare.Steps, 1.0);
  EXPECT_FALSE(F->Compare.isExact());
  const Bindings At = bindingsAt(*F, F->Sizes.front());
  EXPECT_EQ(At.at("width(dst)"), 32);
  EXPECT_EQ(At.at("layers(table)"), 5);
  EXPECT_EQ(At.count("depth(dst)"), 0u);
  llvm::Expected<std::array<uint64_t, 3>> Extents = extentsOf(F->Args[1], At);
  ASSERT_TRUE(bool(Extents));
  EXPECT_EQ(*Extents, (std::array<uint64_t, 3>{32, 16, 1}));
  llvm::Expected<Geometry> G = geometryAt(*F, F->Sizes.front());
  ASSERT_TRUE(bool(G));
  EXPECT_EQ(G->Global[1], 16u);
}

TEST(Images, ArePrintedAsTheyParse) {
  llvm::Expected<LaunchFile> F = parseLaunchFile(Scale, "f.yaml");
  ASSERT_TRUE(bool(F));
  const std::string Once = printLaunchFile(*F);
  llvm::Expected<LaunchFile> Again = parseLaunchFile(Once, "f.yaml");
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError()) << Once;
  EXPECT_EQ(printLaunchFile(*Again), Once);
  EXPECT_EQ(Again->Args[3].Sampler.Address, SamplerSpec::AddressMode::MirroredRepeat);
}

TEST(Images, ManifestsSeeTheirExtents) {
  llvm::Expected<LaunchFile> F = parseLaunchFile(Scale, "f.yaml");
  ASSERT_TRUE(bool(F));
  llvm::Expected<Bindings> Seen = integerArgumentsAt(*F, F->Sizes.front());
  ASSERT_TRUE(bool(Seen));
  EXPECT_EQ(Seen->at("height(src)"), 33);
  llvm::Expected<Manifest> M = parseManifest(R"j({"version": 1, "kernels": [
    {"original": "scale", "launches": [{"kernel": "s", "global": ["width(dst) / 2", "gy"]}]}]})j",
                                             "m.json");
  ASSERT_TRUE(bool(M)) << llvm::toString(M.takeError());
  llvm::Expected<Geometry> G = geometryAt(*F, F->Sizes.front());
  ASSERT_TRUE(bool(G));
  llvm::Expected<std::vector<ResolvedLaunch>> All =
      resolveLaunches(*M->findKernel("scale"), *G, *Seen);
  ASSERT_TRUE(bool(All)) << llvm::toString(All.takeError());
  EXPECT_EQ(All->front().Shape.Global[0], 16u);
}

TEST(Images, ManifestsNameFormatsAndSamplers) {
  llvm::Expected<LaunchFile> F = parseLaunchFile(Scale, "f.yaml");
  ASSERT_TRUE(bool(F));
  Manifest M;
  M.Kernels.emplace_back();
  M.Kernels.front().Original = "scale";
  M.Kernels.front().Launches.resize(1);
  M.Kernels.front().Launches.front().Kernel = "s";
  M.Kernels.front().Launches.front().Global = {Expression::constant(8)};
  addImages(M.Kernels.front(), {*F, *F});
  llvm::Expected<Manifest> Again = parseManifest(printManifest(M), "m.json");
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError());
  const ManifestKernel &K = Again->Kernels.front();
  EXPECT_EQ(K.Formats.at("src"), std::vector<std::string>{"rg-unorm8"});
  EXPECT_EQ(K.Formats.size(), 3u);
  ASSERT_EQ(K.Samplers.at("s").size(), 1u);
  EXPECT_EQ(K.Samplers.at("s").front(), F->Args[3].Sampler);
}

TEST(Images, ManifestsNameWhatBecomesABuffer) {
  auto Parse = [](const std::string &Arguments) {
    return parseManifest(R"j({"version": 1, "kernels": [ {"original": "k", "arguments": )j" +
                             Arguments +
                             R"j(, "launches": [ { "kernel": "k_b", "global": ["gx"] } ] } ]})j",
                         "m.json");
  };
  llvm::Expected<Manifest> M = Parse(R"j([ { "name": "dst", "as": "buffer" } ])j");
  ASSERT_TRUE(bool(M)) << llvm::toString(M.takeError());
  EXPECT_EQ(M->Kernels.front().AsBuffers, std::vector<std::string>{"dst"});
  llvm::Expected<Manifest> Again = parseManifest(printManifest(*M), "m.json");
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError());
  EXPECT_EQ(Again->Kernels.front().AsBuffers, M->Kernels.front().AsBuffers);
  for (const auto &[Text, Message] :
       {std::pair(R"j([ { "name": "dst", "as": "image3d" } ])j", "as"),
        std::pair(R"j([ { "name": "dst" } ])j", "as"),
        std::pair(R"j({ "dst": "buffer" })j", "a list"),
        std::pair(R"j([ { "name": "a", "as": "buffer" }, { "name": "a", "as": "buffer" } ])j",
                  "given twice")}) {
    llvm::Expected<Manifest> Wrong = Parse(Text);
    ASSERT_FALSE(bool(Wrong)) << Text;
    EXPECT_NE(llvm::toString(Wrong.takeError()).find(Message), std::string::npos) << Text;
  }
}

TEST(Images, ExtentsAreNotVariables) {
  llvm::Expected<Expression> E = Expression::parse("width(a) + a + max(a, 1)");
  ASSERT_TRUE(bool(E));
  EXPECT_EQ(E->names(), (std::vector<std::string>{"width(a)", "a"}));
  EXPECT_EQ(E->replaced({{"a", "b + 1"}}).text(), "width(a) + (b + 1) + max((b + 1), 1)");
  EXPECT_EQ(E->replaced({{"width(a)", "gx"}}).text(), "(gx) + a + max(a, 1)");
}

TEST(Images, FormatsHaveNames) {
  for (const char *Name : {"rgba-unorm8", "r-float", "bgra-unorm8", "a-half", "rgb-unorm565"}) {
    std::optional<ImageFormat> F = imageFormat(Name);
    ASSERT_TRUE(F) << Name;
    EXPECT_EQ(imageFormatName(F->Order, F->Type), Name);
  }
  EXPECT_FALSE(imageFormat("rgba-unorm565")); // a packed type holds three channels
  EXPECT_FALSE(imageFormat("rgb-unorm8"));
  EXPECT_FALSE(imageFormat("rgba"));
  EXPECT_EQ(imageFormat("rgb-unorm565")->texelBytes(), 2u);
  EXPECT_EQ(imageFormat("rg-half")->texelBytes(), 4u);
  // The border colour of an order without alpha is opaque.
  EXPECT_TRUE(imageFormat("rg-float")->OpaqueBorder);
  EXPECT_FALSE(imageFormat("a-float")->OpaqueBorder);
}

std::string problemOf(const std::string &Argument) {
  llvm::Expected<LaunchFile> F =
      parseLaunchFile("kernel: k\nargs: [" + Argument + "]\nglobal: [\"8\"]\n", "f.yaml");
  return F ? "" : llvm::toString(F.takeError());
}

TEST(Images, MistakesAreNamed) {
  const std::pair<const char *, const char *> All[] = {
      {"{ name: a, image: in, size: [\"8\"] }", "an image needs format and size"},
      {"{ name: a, image: in, format: rgba-unorm9, size: [\"8\"] }", "no format 'rgba-unorm9'"},
      {"{ name: a, image: read, format: r-float, size: [\"8\"] }", "image is in, out or inout"},
      {"{ name: a, image: in, format: r-float, size: [\"8\", \"8\", \"8\", \"8\"] }", "not 4 num"},
      {"{ name: a, image: in, format: r-float, size: [\"8\"], count: \"8\" }",
       "count belongs to a"},
      {"{ name: a, buffer: in, count: \"8\", format: r-float }", "format and size belong to an"},
      {"{ name: a, value: \"1\", data: zero }", "data and compare belong to a buffer or an image"},
      {"{ name: a, image: in, format: rgb-unorm565, size: [\"8\"], data: { uniform: [0, 1] } }",
       "are packed"},
      {"{ name: s, sampler: { coords: texels, address: clamp, filter: nearest } }", "not 'texels'"},
      {"{ name: s, sampler: { coords: pixels, address: repeat, filter: nearest } }",
       "needs coords: normalized"},
      {"{ name: a, image: in, format: r-float, size: [\"8\"] }, { name: b, image: in, format: "
       "r-half, size: [\"8\"], data: { same-as: a } }",
       "is the same image, with another format or size"},
      {"{ name: a, image: in, format: r-float, size: [\"width(b)\"] }", "unknown name 'width(b)'"},
      {"{ name: a, image: in, format: r-float, size: [\"8\"] }, { name: n, value: \"height(a)\" }",
       "unknown name 'height(a)'"},
  };
  for (const auto &[Text, Message] : All)
    EXPECT_NE(problemOf(Text).find(Message), std::string::npos) << Text << "\n" << problemOf(Text);
}

} // namespace
