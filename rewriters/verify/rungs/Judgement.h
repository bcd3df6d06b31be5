//===-- rewriters/verify/rungs/Judgement.h - One judgement -----------*- C++ -*-===//
//
// The steps of a judgement and the data that they share: Static.cpp (checks
// before anything runs), Runs.cpp (the rungs that run the kernels), Verdict.cpp
// (the verdict from their results).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_JUDGEMENT_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_JUDGEMENT_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/rungs/RungRun.h"
#include "rewriters/verify/rungs/SymbolicRung.h"

#include <chrono>

namespace clmali::verify {

class Judgement {
public:
  using Clock = std::chrono::steady_clock;
  explicit Judgement(const JudgeRequest &R) : R(R), Start(Clock::now()) { P.Request = &R; }
  llvm::Expected<Verdict> run();

private:
  using ShapesByName = std::map<std::string, std::vector<KernelShape>>;

  // --- Static.cpp: checks before anything runs ---
  llvm::Error probeKernels();
  /// Builds both programs in a child process and takes the kernels' parameters from it. False: that
  /// decided the judgement.
  bool askForShapes(ShapesByName &New);
  llvm::Error prepareLaunch(unsigned Launch);
  void collectConstants();
  /// Compiles both programs for TestPlan::Facts.
  void collectFacts();
  std::string exchangeFails() const;
  std::string signatureDiffers(const KernelShape &Old, const KernelShape &New);
  bool checkStatically();
  /// Returns the indices of the sizes at which the launches do not tile the range.
  std::vector<size_t> checkCoverage(const std::vector<launch::CoverageCase> &Geometries);
  /// Checks what OpenCL 1.2 requires of a launch, even if this device accepts more.
  bool launchValid(const launch::CoverageCase &C);

  // --- ImageRules.cpp: images ---
  /// An error where a sampler demands a tolerance. Inconclusive where reads outside an image would
  /// not be seen.
  llvm::Error checkSamplers();
  /// True, and inconclusive, if no run of \p Runs would show a write outside an image.
  bool imagesAreUnchecked(llvm::ArrayRef<const RungRun *> Runs);
  /// True, and inconclusive, if the border of an image decides, and only this device, which has
  /// another one than the specification says, ran the kernels.
  bool bordersAreWrong();

  // --- Runs.cpp: the rungs that run the kernels ---
  bool without(const char *Part) const { return R.Options.Without.count(Part) != 0; }
  void climb();
  /// The rungs that run at the same time, before the differential one.
  struct FirstRungs {
    RungRun Oclgrind, Uninitialised, Pages;
    bool HasOclgrind = false;
    bool Synchronises = false; ///< either program synchronises work-items
  };
  void setUp(FirstRungs &F);
  void runTogether(FirstRungs &F);
  void reportFirst(FirstRungs &F);
  /// True if the first rungs decided the judgement.
  bool decideByFirst(FirstRungs &F);
  void judgeWithoutOclgrind(const RungRun &Oclgrind);
  /// True if the differential runs decided the judgement.
  bool decideByDifferential(RungRun &Runs, const FirstRungs &F);
  /// Runs the inputs that may drive narrow arithmetic out of its range. True
  /// if that decides against the rewritten kernel.
  bool runCorners(const RungRun &Runs);
  void chooseOclgrindInputs(std::vector<size_t> &Into);
  /// Races and divergent barriers of the original: its result is not determined, so nothing can be
  /// compared with it. True if that decides.
  bool judgeOriginalErrors(RungRun &Oclgrind, const RungRun &Pages);
  /// Impossible: Oclgrind is not there, or cannot run the kernel. Unknown: not in time.
  enum class RaceCheck { Free, Racy, Unknown, Impossible };
  /// Runs the original on one input under Oclgrind.
  RaceCheck checkForRaces(size_t Index, const FirstRungs &F);
  /// With other values of a scalar, or at a size that the launch file does not list (a pitch below
  /// the width, say), two work-items of the original may share an element. If \p Run finds a
  /// difference there, Oclgrind runs the original; if it reports an error, the difference proves
  /// nothing: these inputs are left out. Without Oclgrind, varied scalars of kernels that
  /// synchronise are left out too.
  void leaveOutInvalidOriginals(RungRun &Run, const FirstRungs &F);
  /// Runs the inputs that have not been run yet.
  void goOn(RungRun &Run);
  void noteRacySize(const TestInput &In);
  /// Chooses the inputs on which the original is valid, by the skips of \p Before.
  void chooseDifferentialInputs(RungRun &Runs, llvm::ArrayRef<const RungRun *> Before);
  void differential(RungRun &Runs, const FirstRungs &F);
  /// One of the device's builds of the original is wrong: runs again with the other one only.
  void leaveOutWrongBuild(RungRun &Runs);
  void reportDifferential(const RungRun &Runs);
  /// Reports the proof, once the runs have found nothing. True if its counterexample decides.
  bool reportSymbolic(llvm::ArrayRef<const RungRun *> Setups);
  /// The proof for every size.
  void proveGenerically();

  // --- Verdict.cpp: the verdict ---
  /// The kernels of the manifest that are launched at no input of \p Runs that was compared.
  void noteForms(const RungRun &Runs);
  std::vector<std::string> neverLaunched(const RungRun &Runs) const;
  void decide(const RungRun &Runs);
  /// The sizes of \p Inputs in words, each once.
  std::vector<std::string> sizesOf(const std::set<size_t> &Inputs) const;
  /// The inputs that \p Runs skipped, most frequent reason first.
  std::vector<launch::SkippedInputs> skippedOf(const RungRun &Runs) const;
  /// What a held verdict rests on, in one line.
  std::string heldText(const RungRun &Runs, size_t SizesRun) const;
  void rung(llvm::StringRef Name, bool Climbed, const std::string &Detail) {
    V.Rungs.push_back({Name.str(), Climbed, Detail});
  }
  /// Adds the counts of \p Run to the record.
  void note(const RungRun &Run);
  bool report(const RungRun &Run, llvm::StringRef What);
  void inconclusive(const std::string &Why) {
    if (Decided)
      return;
    Decided = true;
    V.Result = Outcome::Inconclusive;
    V.Summary = Why;
  }
  void inconclusive(const TestInput &In, const std::string &Why) {
    inconclusive(Why + " (at " + describe(In.At) + ", " + toString(In.Fill).str() + " data)");
  }
  void refuteStatically(llvm::StringRef Rung, const std::string &What);
  /// False if the difference could not be shown again.
  bool refute(const RungRun &Run);
  void finish();

  const JudgeRequest &R;
  Clock::time_point Start;
  TestPlan P;
  Verdict V;
  bool Decided = false;
  bool OclgrindClimbed = false;
  bool ReadsBorder = false; ///< a sampler has address mode CLAMP
  DeviceChoice Main;
  DeviceInfo Device;
  std::map<std::string, KernelShape> NewShapes;
  SymbolicRung Symbolic;
  std::string LeftOut; ///< the device's build that was found to be wrong
  std::string Forms;   ///< of several new kernels, at how many sizes each was launched
  std::vector<std::string> Notes;
  llvm::json::Object Devices, Counts;
  uint64_t TotalRuns = 0;
  unsigned Overflowing = 0; ///< inputs that a rung left out since the original overflows on them
};

} // namespace clmali::verify
#endif
