// Texels: their comparison and their data; samplers of address mode NONE; the preamble's addresses.
#include "rewriters/verify/cases/Data.h"
#include "rewriters/verify/cases/Kernel.h"
#include "rewriters/verify/run/ImageAccess.h"
#include "rewriters/verify/run/Oclgrind.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace clmali;
using namespace clmali::verify;

namespace {

ElementType texel(const char *Format) { return texelOf(*launch::imageFormat(Format)); }

TEST(Images, TexelsHaveTheTypeOfTheirChannels) {
  EXPECT_EQ(texel("rgba-unorm8").Lanes, 4u);
  EXPECT_EQ(texel("rgba-unorm8").one(), 255.0);
  EXPECT_EQ(texel("r-snorm16").one(), 32767.0);
  EXPECT_EQ(texel("rg-half").Size, 4u);
  EXPECT_TRUE(texel("rg-half").isFloat());
  EXPECT_FALSE(texel("rgba-uint8").Normalized);
  EXPECT_EQ(texel("rgb-unorm565").Lanes, 1u); // one integer
}

bool same(const char *Format, launch::Tolerance T, uint8_t A, uint8_t B) {
  return !firstDifference(texel(Format), T, Bytes{A}, Bytes{B});
}

TEST(Images, TexelsAreEqualWithinStepsOrFractions) {
  launch::Tolerance Steps, Fraction, Relative;
  Steps.Steps = 1;
  Fraction.Absolute = 0.004; // of 1: 1.02 steps
  Relative.Relative = 0.1;
  EXPECT_TRUE(same("r-unorm8", Steps, 10, 11));
  EXPECT_FALSE(same("r-unorm8", Steps, 10, 12));
  EXPECT_TRUE(same("r-unorm8", Fraction, 10, 11));
  EXPECT_FALSE(same("r-unorm8", Fraction, 10, 12));
  EXPECT_TRUE(same("r-uint8", Steps, 10, 9));
  EXPECT_FALSE(same("r-uint8", Fraction, 10, 11)); // no fraction
  EXPECT_FALSE(same("r-unorm8", Relative, 200, 201));
  EXPECT_FALSE(same("r-unorm8", {}, 200, 201));
  // Integers of 64 bits are compared to the bit.
  ElementType Long = *elementFromName("long");
  Bytes A(8, 0), B(8, 0);
  A[7] = B[7] = 0x40;
  B[0] = 1;
  EXPECT_TRUE(firstDifference(Long, {}, A, B).has_value());
}

TEST(Images, UniformDataAreWhatAKernelReads) {
  launch::Argument A;
  A.Name = "src";
  A.Data.K = launch::DataSpec::Kind::Uniform;
  A.Data.Low = 0.25;
  A.Data.High = 0.5;
  SourceConstants None;
  DataRequest R;
  R.Arg = &A;
  R.Type = texel("rgba-unorm8");
  R.Count = 500;
  R.Constants = &None;
  llvm::Expected<Bytes> Data = makeData(R);
  ASSERT_TRUE(bool(Data));
  EXPECT_EQ(Data->size(), 2000u);
  EXPECT_EQ(*std::min_element(Data->begin(), Data->end()), 64);  // 63.75
  EXPECT_EQ(*std::max_element(Data->begin(), Data->end()), 127); // 127.5
}

TEST(Images, TypesHaveDimensions) {
  EXPECT_EQ(imageFromName("image2d_array_t")->extents(), 3u);
  EXPECT_EQ(imageFromName("__read_only image1d_buffer_t")->Buffer, true);
  EXPECT_EQ(imageFromName("image3d_t")->Dimensions, 3u);
  EXPECT_FALSE(imageFromName("image2d_depth_t"));
  EXPECT_FALSE(imageFromName("sampler_t"));
}

TEST(Images, NoneBecomesAnotherMode) {
  auto changed = [](const char *Source) { return withoutNone(Source, NoneBecomes::Clamp); };
  const std::string One = changed("const sampler_t s = A | B;\n");
  EXPECT_NE(One.find("s = clmali_address( A | B);"), std::string::npos) << One;
  EXPECT_NE(One.find("#line 1\nconst"), std::string::npos);
  EXPECT_NE(One, withoutNone("const sampler_t s = A | B;\n", NoneBecomes::ClampToEdge));
  EXPECT_NE(changed("sampler_t a=(A, B), b = C;")
                .find("a= clmali_address((A, B)), b = clmali_address( C);"),
            std::string::npos);
  EXPECT_EQ(changed("sampler_t a = A; int b = 1;").find("b = clmali"), std::string::npos);
  // A macro ends with its line, unless a backslash continues it.
  EXPECT_NE(changed("#define S const sampler_t s = A\n#define T 1\n").find("clmali_address( A)\n"),
            std::string::npos);
  EXPECT_NE(
      changed("#define S \\\n const sampler_t s = A | \\\n B\nint x;").find("\\\n B)\nint x;"),
      std::string::npos);
  // By name: as an argument, and in included files.
  for (const char *Named : {"f(img, CLK_ADDRESS_NONE)", "# include \"samplers.h\"\n"})
    EXPECT_NE(changed(Named).find("#define CLK_ADDRESS_NONE CLK_ADDRESS_CLAMP\n"),
              std::string::npos);
  // Parameters, comments and strings have no initializer.
  for (const char *Same : {"void f(sampler_t s, int x) {}", "// sampler_t s = A;\n",
                           "/* sampler_t s = A; */", "sampler_type s = A;", "\"sampler_t s = A;\""})
    EXPECT_EQ(changed(Same), Same);
}

TEST(Images, AddressesGiveTheLine) {
  const FaultZone Z = imageZone();
  EXPECT_EQ(imageLine(Z.Begin + 64 * 7), 7u);
  EXPECT_FALSE(imageLine(Z.Begin - 1));
  EXPECT_FALSE(imageLine(Z.End));
  const OclgrindErrors Errors =
      parseLog("Invalid write of size 4 at global memory address 0x200000000140\n"
               "\tKernel: k\n\tEntity: Global(4,0,0) Local(0,0,0) Group(4,0,0)\n"
               "\tAt line 90 of input.cl:\n\t  x\n");
  ASSERT_EQ(Errors.count("Write outside an image"), 1u);
  EXPECT_EQ(errorClass("Write outside an image"), "memory");
  const std::string Line = inOneLine(Errors.at("Write outside an image"));
  EXPECT_NE(Line.find("at line 5"), std::string::npos) << Line;
  EXPECT_EQ(Line.find("90"), std::string::npos) << Line; // a line of the preamble
}

} // namespace
