//===- KnownFindingsTest.cpp - findings of kernels that have not changed ----------------------===//
//
// Which kernels of a file are analysed again after an edit, and that the findings are those of a
// run that knows nothing.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/KnownFindings.h"
#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;

namespace {

std::unique_ptr<model::Module> parsed(StringRef Text) {
  model::ParseOptions O;
  O.Tolerant = true;
  return model::parseOpenCL("in.cl", Text, O).M;
}

/// All that is shown of the findings of Text.
std::vector<std::string> findings(StringRef Text, KnownFindings *Known, Options CheckOptions = {}) {
  std::unique_ptr<model::Module> M = parsed(Text);
  if (!M)
    return {};
  RunOptions O;
  O.Families = rules::allFamilies();
  O.CheckOptions = std::move(CheckOptions);
  O.Known = Known;
  std::vector<std::string> Result;
  auto At = [](model::SourceRange R) {
    return utostr(R.File) + ":" + utostr(R.Begin) + "-" + utostr(R.End) + " ";
  };
  for (const Finding &F : runKernelChecks(*M, O)) {
    std::string Line = At(F.Range) + F.Rule->Id + " " + F.Kernel + " " + F.text(O.Families) +
                       utostr(F.Families) + utostr(F.Failing) + utostr(unsigned(F.AtMost));
    for (const Note &N : F.Notes)
      Line += "\n  " + At(N.Range) + N.Message;
    for (const Fix &X : F.Fixes) {
      Line += ("\n  " + name(X.How) + " " + X.Message).str();
      for (const Edit &E : X.Edits)
        Line += "\n    " + At(E.Range) + E.Text;
    }
    Result.push_back(std::move(Line));
  }
  if (Known)
    Known->forgetUnused();
  return Result;
}

/// Three kernels: two share a helper, the third uses a macro and a structure.
constexpr StringLiteral Source = R"(
#define SHIFT 3
#define STEP (SHIFT + 1)
struct point { float x, y; };
float weight(float a, float b) { return exp(-(a - b) * (a - b)); }
__kernel void first(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = weight(in[i], in[i + 1]) / 3.0f;
}
__kernel void second(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  out[i] = weight(in[i], in[i % n]);
}
__kernel void third(__global struct point *p, __global const uchar *in, __global uchar *out,
                    int w) {
  int i = get_global_id(0);
  out[i] = in[i / w * w + i % w] >> STEP;
  p[i].x = p[i].y;
}
)";

class Edited : public ::testing::Test {
protected:
  KnownFindings Known;
  std::string Text = Source.str();

  void SetUp() override {
    EXPECT_EQ(findings(Text, &Known), findings(Text, nullptr));
    EXPECT_EQ(Known.analysed(), 3u);
    EXPECT_FALSE(findings(Text, nullptr).empty());
  }
  /// Replaces From by To and returns how many kernels were analysed again.
  unsigned again(StringRef From, StringRef To) {
    size_t At = Text.find(From);
    EXPECT_NE(At, std::string::npos);
    Text.replace(At, From.size(), To);
    unsigned Before = Known.analysed();
    EXPECT_EQ(findings(Text, &Known), findings(Text, nullptr));
    return Known.analysed() - Before;
  }
};

} // namespace

TEST_F(Edited, NothingChanged) {
  EXPECT_EQ(again("first", "first"), 0u);
  EXPECT_EQ(Known.reused(), 3u);
}

TEST_F(Edited, LinesAbove) {
  EXPECT_EQ(again("\n#define SHIFT", "\n\n// a comment\n\n#define SHIFT"), 0u);
  EXPECT_EQ(again("__kernel void second", "\n\n__kernel void second"), 0u);
}

TEST_F(Edited, OneKernel) {
  EXPECT_EQ(again("/ 3.0f", "/ 5.0f"), 1u);
  EXPECT_EQ(again("/ 5.0f", "/ 5.0f  "), 1u); // its text; edits of fixes lie in it
}

TEST_F(Edited, Helper) { EXPECT_EQ(again("-(a - b)", "-(a + b)"), 2u); }
TEST_F(Edited, Macro) { EXPECT_EQ(again("SHIFT 3", "SHIFT 2"), 1u); }
TEST_F(Edited, MacroOfSameValue) { EXPECT_EQ(again("(SHIFT + 1)", "(1 + SHIFT)"), 1u); }
TEST_F(Edited, MacroThatNobodyUses) {
  EXPECT_EQ(again("#define SHIFT", "#define OTHER 3\n#define SHIFT"), 0u);
}
TEST_F(Edited, Structure) { EXPECT_EQ(again("x, y;", "x, y, z;"), 1u); }
TEST_F(Edited, ConditionOfMacro) {
  EXPECT_EQ(
      again("#define SHIFT 3", "#ifdef NARROW\n#define SHIFT 1\n#else\n#define SHIFT 3\n#endif"),
      1u);
}
TEST_F(Edited, Extension) {
  // Contraction is on or off for all that follows; the model does not depend on it.
  EXPECT_EQ(again("#define SHIFT", "#pragma OPENCL FP_CONTRACT OFF\n#define SHIFT"), 0u);
}

TEST_F(Edited, GuessOfOneKernel) {
  EXPECT_EQ(again("in[i % n]", "in[i % WIDTH]"), 1u);
  EXPECT_EQ(again("/ 3.0f", "/ WIDTH"), 1u);
  EXPECT_EQ(again("#define SHIFT", "#define WIDTH 8\n#define SHIFT"), 2u);
}

TEST_F(Edited, Placeholder) {
  EXPECT_EQ(again("#define SHIFT 3", "#ifndef SHIFT\n#define SHIFT 1\n#endif"), 1u);
}

TEST_F(Edited, OtherForm) {
  EXPECT_EQ(again("__kernel void second", R"(
__kernel void first_v4(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  vstore4(vload4(i, in), i, out);
}
__kernel void second)"),
            2u); // it and `first`
}

TEST_F(Edited, Options) {
  findings(Text, &Known, {{"integer-division.LeastShare", "1"}});
  EXPECT_EQ(Known.analysed(), 6u);
}

TEST_F(Edited, OldVersionsAreForgotten) {
  again("/ 3.0f", "/ 5.0f");
  EXPECT_EQ(again("/ 5.0f", "/ 3.0f"), 1u);
}

/// Each kernel file of the tests of rules, edited at its lines in turn: what is known never shows.
TEST(KnownFindings, SameAsWithoutThem) {
  std::error_code EC;
  unsigned Files = 0, Reused = 0;
  for (sys::fs::directory_iterator I(CLMALI_RULE_TESTS, EC), End; I != End && !EC;
       I.increment(EC)) {
    if (!StringRef(I->path()).ends_with(".cl"))
      continue;
    if (++Files % 4)
      continue; // a quarter, for time
    std::string Text = (*MemoryBuffer::getFile(I->path()))->getBuffer().str();
    KnownFindings Known;
    findings(Text, &Known);
    for (StringRef Name : {"a blank line", "a number", "a line less"}) {
      // In the middle of the file, so that kernels above and below are known.
      size_t At = Text.find('\n', Text.size() / 2);
      if (At == std::string::npos)
        continue;
      if (Name == "a blank line")
        Text.insert(At, "\n");
      else if (size_t Digit = Text.find_first_of("0123456789", At);
               Name == "a number" && Digit != std::string::npos)
        Text[Digit] = Text[Digit] == '7' ? '6' : '7';
      else
        Text.erase(At, Text.find('\n', At + 1) - At);
      EXPECT_EQ(findings(Text, &Known), findings(Text, nullptr)) << I->path() << ": " << Name.str();
    }
    Reused += Known.reused();
  }
  EXPECT_GT(Files, 100u);
  EXPECT_GT(Reused, Files);
}
