//===- Measure.h - the forms of one kernel, timed on the device at hand --------------------===//
//
// Before: a kernel, its launch file, candidates that the planner proposes.
// After:  the candidates that are faster than the original, fastest first (rank), or whether one is
//         clearly slower (isSlower).
// Times are taken at the launch file's largest size. Where a form is over there before a clock can
// tell it from another, that size is doubled in what the NDRange grows with, until it can, or until
// the launch file's `require`, its geometry or memory stand in the way.
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
  /// What a candidate's manifest says of the kernel, as the tool writes it.
  using EntryOf = std::function<launch::ManifestKernel(const rewrite::Candidate &)>;

  /// Original: the whole file that holds the kernel of Launch. Of Judge only what TimeRequest asks
  /// for counts. Grows: sizes may be grown; else the launch file's are taken as they are, which is
  /// quicker.
  Measure(verify::ProgramText Original, launch::LaunchFile Launch, verify::JudgeOptions Judge,
          EntryOf Entry, bool Grows, llvm::raw_ostream &Say);

  /// A candidate and its time in milliseconds.
  using Timed = std::pair<double, rewrite::Candidate>;

  /// Sorts the candidates by measured time, which Times gets in milliseconds; those that are no
  /// faster than the original go. All go where the original cannot be measured.
  void rank(std::vector<rewrite::Candidate> &Candidates, std::vector<double> &Times);
  /// Whether the candidate is clearly slower than the original. False where neither can be
  /// measured.
  bool isSlower(const rewrite::Candidate &C);

  /// Best times so far, in milliseconds: of the original, and of what isSlower() was asked last.
  std::optional<double> originalMs() const { return OriginalMs; }
  std::optional<double> lastMs() const { return LastMs; }

private:
  /// Best of Runs at At; Entry: of a rewritten Source. Null, and said once, where it does not work.
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
  /// Chooses At by the original, and takes its first time there.
  void start();
  /// Grows At until C (null: the original), which takes Ms now, takes long enough to be told from
  /// others.
  void growFor(const rewrite::Candidate *C, double Ms);
  /// S with Steps doublings; null where no host could launch it so, or it takes too much memory.
  std::optional<launch::Size> grown(const launch::Size &S, unsigned Steps) const;

  verify::ProgramText Original;
  launch::LaunchFile Launch;
  verify::JudgeOptions Judge;
  EntryOf Entry;
  bool Grows;
  llvm::raw_ostream &Say;
  bool Started = false;
  launch::Size At;
  std::string Cannot; ///< why the last time() did not work
  std::optional<double> OriginalMs, LastMs;
};

} // namespace clmali::tool

#endif
