//===- RoundTripTest.cpp - printed text has the meaning of the model --------------------------===//
//
// Every kernel of kernels/ and test/rewrite is lifted, printed, parsed and lifted again. Printed
// faithfully, both models are equal (literals may be spelt otherwise); printed as for people, the
// text has no warnings, and printing what was read back gives the same text.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "checks/model/frontend/Frontend.h"
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/print/Print.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <regex>

using namespace clmali;

namespace {

/// Conversions and literals as they count, not as they were written.
std::string normalized(const std::string &Dump) {
  static const std::regex Implicit(
      "<((?:u?(?:char|short|int|long)|float|double|half|bool)[0-9]*)>");
  static const std::regex Spelling("\\{[^}\n]*\\}");
  static const std::regex Number("\\((?:long|ulong|uint)\\)([0-9]+)|\\((-[0-9]+)\\)");
  std::string S = std::regex_replace(Dump, Implicit, "($1)");
  S = std::regex_replace(S, Spelling, "");
  S = std::regex_replace(S, std::regex("([0-9])(?:UL|L|u)"), "$1");
  return std::regex_replace(S, Number, "$1$2");
}

struct File {
  std::string Path;
  model::ParseOptions Options;
};

std::vector<File> kernelFiles() {
  std::vector<File> Files;
  for (const char *Folder : {"/kernels", "/test/rewrite"}) {
    std::error_code EC;
    for (llvm::sys::fs::recursive_directory_iterator It(std::string(CLMALI_SOURCE) + Folder, EC),
         End;
         It != End && !EC; It.increment(EC)) {
      llvm::StringRef Path = It->path();
      if (!Path.ends_with(".cl"))
        continue;
      File F{Path.str(), {}};
      std::string Launch = (Path.drop_back(3) + ".launch.yaml").str();
      if (llvm::sys::fs::exists(Launch)) {
        llvm::Expected<launch::LaunchFile> L = launch::readLaunchFile(Launch);
        EXPECT_TRUE(bool(L)) << Launch;
        if (!L) {
          llvm::consumeError(L.takeError());
          continue;
        }
        for (const auto &[Name, Value] : L->Defines)
          F.Options.ClangArgs.push_back("-D" + Name + "=" + Value);
      }
      Files.push_back(F);
    }
  }
  return Files;
}

/// The errors and warnings of a parse that are not about helpers without a caller.
std::string complaints(const model::ParseResult &R) {
  std::string S;
  for (const model::ParseDiagnostic &D : R.Diagnostics)
    if (D.IsError || !llvm::StringRef(D.Message).contains("unused function"))
      S += std::to_string(D.Line) + ": " + D.Message + "\n";
  return S;
}

const model::Kernel *find(const model::ParseResult &R, llvm::StringRef Name) {
  if (R.M)
    for (const auto &K : R.M->Kernels)
      if (K->Name == Name)
        return K.get();
  return nullptr;
}

/// A value of an atomic is held by a variable of the lifter, named anew each time.
bool takesAtomics(const model::Kernel &K) {
  bool Found = false;
  model::walk(K.Body,
              [&](model::Stmt *S) { return !(Found |= S->K == model::StmtKind::Atomic && S->V); });
  return Found;
}

TEST(RoundTrip, EveryKernelFaithfully) {
  unsigned Compared = 0;
  for (const File &F : kernelFiles()) {
    auto R = model::parseOpenCLFile(F.Path, F.Options);
    ASSERT_TRUE(bool(R) && R->M) << F.Path;
    for (const auto &K : R->M->Kernels) {
      if (!K->Opaques.empty() || takesAtomics(*K) || rewrite::unprintable(*K))
        continue;
      std::string Text = rewrite::printKernel(*R->M, *K, {}, /*Faithful=*/true);
      model::ParseResult Again =
          model::parseOpenCL(F.Path, rewrite::spliceFile(*R->M, *K, Text, false, {}), F.Options);
      const model::Kernel *Back = find(Again, K->Name);
      ASSERT_TRUE(Back) << F.Path << "\n" << complaints(Again) << Text;
      EXPECT_EQ(normalized(model::dump(*K)), normalized(model::dump(*Back))) << F.Path << "\n"
                                                                             << Text;
      ++Compared;
    }
  }
  EXPECT_GE(Compared, 100u);
}

TEST(RoundTrip, EveryKernelForPeople) {
  unsigned Compared = 0;
  for (const File &F : kernelFiles()) {
    auto R = model::parseOpenCLFile(F.Path, F.Options);
    ASSERT_TRUE(bool(R) && R->M) << F.Path;
    for (const auto &K : R->M->Kernels) {
      if (!K->Opaques.empty() || rewrite::unprintable(*K))
        continue;
      // Webs split and joined again: the user's variables.
      model::splitLiveRanges(*R->M, *K);
      std::string Text = rewrite::printKernel(*R->M, *K, {});
      model::ParseOptions Warn = F.Options;
      Warn.ClangArgs.push_back("-Wall");
      model::ParseResult Again =
          model::parseOpenCL(F.Path, rewrite::spliceFile(*R->M, *K, Text, false, {}), Warn);
      const model::Kernel *Back = find(Again, K->Name);
      ASSERT_TRUE(Back) << F.Path << "\n" << complaints(Again) << Text;
      EXPECT_EQ(complaints(Again), "") << F.Path << "\n" << Text;
      model::splitLiveRanges(*Again.M, const_cast<model::Kernel &>(*Back));
      EXPECT_EQ(rewrite::printKernel(*Again.M, *Back, {}), Text) << F.Path;
      ++Compared;
    }
  }
  EXPECT_GE(Compared, 100u);
}

} // namespace
