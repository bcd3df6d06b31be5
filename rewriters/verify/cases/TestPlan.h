// The test plan of a judgement: the kernels' parameters, the sizes, and the
// inputs to run. The parent makes it once; child processes only read it.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_TESTPLAN_H
#define CLMALI_REWRITERS_VERIFY_CASES_TESTPLAN_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/Data.h"
#include "rewriters/verify/cases/Kernel.h"
#include "rewriters/verify/facts/KernelFacts.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clmali::verify {

/// One input: a launch file at one size, with one kind of data.
struct TestInput {
  unsigned Launch = 0; ///< in JudgeRequest::Launches
  launch::Size At;
  bool Listed = false; ///< a size of the launch file, not one that the judge added
  /// If the host passes no local size, the runtime chooses it; else such a launch gets groups of
  /// one work-item.
  bool AsHost = false;
  /// If the host passes no local size, the runtime may choose this one; zeros: not given.
  std::array<uint64_t, 3> Local{0, 0, 0};
  Pattern Fill = Pattern::Declared; ///< of the buffers
  unsigned Variant = 0;             ///< of the scalar arguments; 0 as declared
  unsigned Repeat = 0;
  uint64_t Items = 0;  ///< work-items of the original
  uint64_t Bytes = 0;  ///< of all buffers and images
  unsigned SizeId = 0; ///< the same for all inputs of one launch and size
  /// A size of the judge's own that is run where it takes little time; see Worker.cpp.
  bool Large = false;
  /// A size at which the launches did not tile the range; no other rule adds it.
  bool Uncovered = false;
  /// Contents of buffers, by argument. They replace what Fill would give.
  std::shared_ptr<const std::map<unsigned, std::vector<uint8_t>>> Contents;
};

/// Values of scalar arguments other than the launch file's, by argument index.
using ScalarVariant = std::map<unsigned, std::string>;

struct TestPlan {
  const JudgeRequest *Request = nullptr;
  std::string Extensions; ///< of the device
  /// For each launch file: build options of both programs, and the kernel.
  struct PerLaunch {
    std::string OriginalOptions, RewrittenOptions;
    KernelShape Shape;
    /// 0 is empty: as declared. The first Thorough of them are run with several kinds of data at
    /// several sizes, the others once.
    std::vector<ScalarVariant> Variants;
    size_t Thorough = 1;
    DataRules Rules;
  };
  std::vector<PerLaunch> Launches;
  bool InGroups = true; ///< results may depend on the local size
  SourceConstants Constants;
  ProgramFacts Facts;
  bool UsesFloats = false; ///< the kernel computes with floating-point values
  bool AlignStart = false;
  /// Blocks of work-items with which the manifest's launches tile the original's range.
  std::map<std::string, launch::Blocks> Blocks;
  bool Disjoint = false; ///< such blocks were found
  std::vector<TestInput> Inputs;
  unsigned SizesSkipped = 0; ///< break `require`, or no host could launch them
};

/// One input with everything in numbers.
struct PreparedInput {
  launch::Geometry Original;
  std::vector<launch::ResolvedLaunch> Rewritten;
  std::vector<ArgumentValue> Values;
};

/// Geometry and buffer sizes of an input, without its data.
struct InputShape {
  launch::Geometry Original;
  launch::Bindings Integers;    ///< integer scalar arguments
  std::vector<uint64_t> Counts; ///< elements of buffers, texels of images; bytes of locals
  uint64_t Bytes = 0;
};
/// An error where no host could launch this size: a count of 0 or less, `require` not met.
llvm::Expected<InputShape> shapeOf(const TestPlan &P, unsigned Launch, const launch::Size &At,
                                   unsigned Variant);

/// The kernels of the manifest, but for those that are called as the original is.
std::set<std::string> newKernels(const TestPlan &P);
/// Those of them that are launched at an input; none where it has no launch.
std::set<std::string> newKernelsAt(const TestPlan &P, const TestInput &In);

/// The same with the data of the input.
llvm::Expected<PreparedInput> prepare(const TestPlan &P, const TestInput &In);

/// Leaves the inputs that show whether device and compiler agree with a proof for every size: the
/// listed sizes, some others, a few kinds of data and of scalars.
void keepFew(TestPlan &P);

/// Checks a launch file's arguments against the kernel's: number, names, kinds, types. Gives the
/// parameters that are images the type of their texels, which the launch file alone knows.
llvm::Error checkFits(const launch::LaunchFile &File, KernelShape &Shape);

/// Fills TestPlan::Inputs, smallest first: the launch files' sizes and the judge's own, with data
/// for each.
llvm::Error chooseInputs(TestPlan &P);

/// A launch of the original whose coverage is checked, and the size that gives it.
struct CoverageSize {
  unsigned Launch = 0;
  launch::Size At;
  launch::CoverageCase Geometry;
};
/// Several hundred sizes: checking one costs arithmetic only.
std::vector<CoverageSize> coverageSizes(const TestPlan &P);

/// Adds inputs for sizes at which the launches do not tile the range.
void addUncoveredSizes(TestPlan &P, llvm::ArrayRef<CoverageSize> Sizes);

/// The part of the ladder (partNames()) that added \p In to the plan; "declared" for the launch
/// file's own sizes and data.
std::string partOf(const TestInput &In);
/// The part that data of one kind belong to; empty: none.
std::string partOf(Pattern Fill);

/// "n=5, w=3"; "the only size" for a launch file without variables.
std::string describe(const launch::Size &At);

/// True for build options that let the compiler change floating-point results.
bool allowsFastMath(llvm::StringRef Options);

} // namespace clmali::verify

#endif
