//===- Measure.h - times the versions of a kernel on the device at hand -----------------------===//
//
// Before: a kernel, its launch file, candidates that the planner proposes.
// After:  the candidates that are faster than the original, fastest first (rank), or whether one is
//         clearly slower (isSlower).
// Times are taken at the launch file's largest size. If a version ends too soon to be compared,
// that size is doubled along the NDRange until it can be, or until the launch file's `require`, its
// geometry or memory limit it.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_MEASURE_H
#define CLMALI_TOOLS_REWRITE_MEASURE_H

#include "rewriters/plan/Rewrite.h"
#include "rewriters/verify/Judge.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clmali::tool {

class Measure {
public:
  /// The manifest entry of a candidate, as the tool writes it.
  using EntryOf = std::function<launch::ManifestKernel(const rewrite::Candidate &)>;

  /// Original: the whole file with the kernel of Launch. Judge: only the members that TimeRequest
  /// needs are used. Grows: sizes may be grown; otherwise those of the launch file are used, which
  /// is quicker.
  Measure(verify::ProgramText Original, launch::LaunchFile Launch, verify::JudgeOptions Judge,
          EntryOf Entry, bool Grows, llvm::raw_ostream &Say);

  /// A candidate and its time in milliseconds.
  using Timed = std::pair<double, rewrite::Candidate>;

  /// Sorts the candidates by measured time and stores the times in milliseconds in Times. Removes
  /// those that are not faster than the original, and all if the original cannot be measured.
  void rank(std::vector<rewrite::Candidate> &Candidates, std::vector<double> &Times);
  /// True if the candidate is clearly slower than the original. False if either cannot be measured.
  bool isSlower(const rewrite::Candidate &C);

  /// Best times so far, in milliseconds: of the original, and of the last candidate of isSlower().
  std::optional<double> originalMs() const { return OriginalMs; }
  std::optional<double> lastMs() const { return LastMs; }

private:
  /// Best of Runs at size At. Entry: for a rewritten Source. Null if it fails, which is reported
  /// once.
  std::optional<double> time(const std::string &Source, std::optional<launch::ManifestKernel> Entry,
                             unsigned Runs);
  std::optional<double> time(const rewrite::Candidate &C, unsigned Runs) {
    return time(C.Source, Entry(C), Runs);
  }
  void say(double Ms, const rewrite::Candidate &C) const;
  void look(rewrite::Candidate &C, std::vector<Timed> &Measured);
  std::vector<Timed> lookAtAll(std::vector<rewrite::Candidate> &Candidates,
                               std::chrono::steady_clock::time_point Began);
  void measureFinalists(std::vector<Timed> &Measured, llvm::ArrayRef<std::string> Predicted,
                        std::chrono::steady_clock::time_point Began);
  /// Chooses At by the original and times it once.
  void start();
  /// Grows At until C (null: the original), which takes Ms now, takes long enough for a comparison.
  void growFor(const rewrite::Candidate *C, double Ms);
  /// S doubled Steps times; null if no host could launch it or it takes too much memory.
  std::optional<launch::Size> grown(const launch::Size &S, unsigned Steps) const;

  verify::ProgramText Original;
  launch::LaunchFile Launch;
  verify::JudgeOptions Judge;
  EntryOf Entry;
  bool Grows;
  llvm::raw_ostream &Say;
  bool Started = false;
  launch::Size At;
  std::string Cannot; ///< why the last time() failed
  std::optional<double> OriginalMs, LastMs;
};

} // namespace clmali::tool

#endif
