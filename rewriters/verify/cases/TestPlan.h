// What the judge is going to run: the kernels' shapes, the sizes, and each case
// in numbers. Made once in the parent; child processes only read it.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_TESTPLAN_H
#define CLMALI_REWRITERS_VERIFY_CASES_TESTPLAN_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/Data.h"
#include "rewriters/verify/run/Device.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clmali::verify {

/// One input: a launch file at one size, with one kind of data.
struct TestInput {
  unsigned Launch = 0; ///< in JudgeRequest::Launches
  launch::Size At;
  bool Listed = false; ///< a size of the launch file, not one of the judge's own
  /// A local size that the host leaves open is the runtime's to choose; else groups of one item.
  bool AsHost = false;
  Pattern P = Pattern::Declared;
  unsigned Variant = 0; ///< of the scalar arguments; 0 as declared
  unsigned Repeat = 0;
  uint64_t Items = 0;  ///< work-items of the original
  uint64_t Bytes = 0;  ///< of all buffers
  unsigned SizeId = 0; ///< the same for all cases of one launch and size
  /// A size that the coverage rung suspects, and nobody else would try.
  bool Hole = false;
  /// Given contents of buffers, by argument: what a pattern would make is
  /// replaced.
  std::shared_ptr<const std::map<unsigned, std::vector<uint8_t>>> Inputs;
};

/// Scalar arguments given other values than the launch file's, by index.
using ScalarVariant = std::map<unsigned, std::string>;

struct TestPlan {
  const JudgeRequest *Request = nullptr;
  /// For each launch file: build options of both programs, and the kernel.
  struct PerLaunch {
    std::string OriginalOptions, RewrittenOptions;
    KernelShape Shape;
    std::vector<ScalarVariant> Variants; ///< 0 is empty: as declared
    DataRules Rules;
  };
  std::vector<PerLaunch> Launches;
  bool InGroups = true; ///< work-items may tell how they are grouped
  SourceConstants Constants;
  bool FloatsAbout = false;
  bool AlignStart = false;
  /// With these the manifest's launches tile the original's range.
  std::map<std::string, launch::Blocks> Blocks;
  bool Disjoint = false;
  std::vector<TestInput> TestInputs;
  unsigned SizesSkipped = 0; ///< break `require`, or no host could launch them
};

/// One case with everything in numbers.
struct PreparedCase {
  launch::Geometry Original;
  std::vector<launch::ResolvedLaunch> Rewritten;
  std::vector<ArgumentValue> Values;
};

/// The geometry of the case, and whether a host could launch it: counts above 0,
/// `require` met. Does not make data.
struct CaseShape {
  launch::Geometry Original;
  launch::Bindings Integers;    ///< integer scalar arguments
  std::vector<uint64_t> Counts; ///< elements of buffers; bytes of locals
  uint64_t Bytes = 0;
};
llvm::Expected<CaseShape> shapeOf(const TestPlan &P, unsigned Launch, const launch::Size &At,
                                  unsigned Variant);

/// The same with the data of the case.
llvm::Expected<PreparedCase> prepare(const TestPlan &P, const TestInput &C);

/// A launch file's arguments against the kernel's: number, names, kinds, types.
llvm::Error checkFits(const launch::LaunchFile &File, const KernelShape &Shape);

/// Sizes of the launch files and adversarial ones, with data for each; fills
/// TestPlan::TestInputs, smallest first.
llvm::Error chooseCases(TestPlan &P);

/// An original launch to check coverage with, and where it comes from.
struct CoverageSize {
  unsigned Launch = 0;
  launch::Size At;
  launch::CoverageCase Geometry;
};
/// Many of them: they cost arithmetic only.
std::vector<CoverageSize> coverageSizes(const TestPlan &P);

/// Adds cases for sizes at which the launches do not tile the range.
void addHoles(TestPlan &P, llvm::ArrayRef<CoverageSize> Sizes);

/// The part of the ladder (partNames()) that makes \p C be run; "declared" for
/// the launch file's own.
std::string partOf(const TestInput &C);

/// "n=5, w=3"; "as it stands" for a launch file without variables.
std::string describe(const launch::Size &At);

/// Build options that let the compiler change floating-point results.
bool allowsFastMath(llvm::StringRef Options);

} // namespace clmali::verify

#endif
