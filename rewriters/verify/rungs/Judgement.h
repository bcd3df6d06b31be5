//===-- rewriters/verify/rungs/Judgement.h - A judgement as it goes on -*- C++ -*-===//
//
// What the parts of the ladder share: Static.cpp (what stands fixed before
// anything runs), Runs.cpp (the rungs that run the kernels), Judge.cpp (the
// verdict from what they say).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_JUDGEMENT_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_JUDGEMENT_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/Record.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/rungs/RungRun.h"
#include "rewriters/verify/rungs/SymbolicRung.h"

#include <chrono>

namespace clmali::verify {

/// Everything a judgement knows while it goes on.
class Judgement {
public:
  using Clock = std::chrono::steady_clock;
  explicit Judgement(const JudgeRequest &R) : R(R), Start(Clock::now()) { P.Request = &R; }
  llvm::Expected<Verdict> run();

private:
  // --- what stands fixed before anything runs ---
  llvm::Error probeKernels();
  std::string signatureDiffers(const KernelShape &Old, const KernelShape &New);
  bool checkStatically();
  /// What OpenCL 1.2 asks of a launch, whatever this device lets pass.
  bool launchValid(const launch::CoverageCase &C);

  // --- the rungs ---
  bool without(const char *Part) const { return R.Options.Without.count(Part) != 0; }
  void climb();
  /// Runs the inputs that may drive narrow arithmetic out of its range. True
  /// where that decides against the rewritten kernel.
  bool heedCorners(const RungRun &Runs);
  void chooseGrindCases(std::vector<size_t> &Into);
  /// Races and divergent barriers of the original: nothing can be compared with
  /// a result that is not determined. True where that decides.
  bool judgeOriginalErrors(RungRun &Grind, const RungRun &Pages);
  /// A scalar may be the pitch of a tile in local memory: with other values of
  /// it, two work-items of the original share an element, and what comes out is
  /// nobody's fault. Where \p C finds a difference at such values, Oclgrind is
  /// asked about the original there; without it, they prove nothing.
  void leaveOutRacyScalars(RungRun &C, const WorkerSetup &Grind, bool HaveGrind);
  void differential(RungRun &Runs, llvm::ArrayRef<const RungRun *> Before);
  /// What the solver says, once the runs have found nothing. True where that
  /// decides against the rewritten kernel.
  bool heedSolver(llvm::ArrayRef<const RungRun *> Ways);
  void decide(const RungRun &Runs);

  // --- bookkeeping ---
  void rung(llvm::StringRef Name, bool Climbed, const std::string &Detail) {
    V.Rungs.push_back({Name.str(), Climbed, Detail});
  }
  void note(const RungRun &C);
  bool report(const RungRun &C, llvm::StringRef What);
  void inconclusive(const std::string &Why) {
    if (Decided)
      return;
    Decided = true;
    V.Result = Outcome::Inconclusive;
    V.Summary = Why;
  }
  void inconclusive(const TestInput &C, const std::string &Why) {
    inconclusive(Why + " (at " + describe(C.At) + ", " + toString(C.P).str() + " data)");
  }
  void refuteStatically(llvm::StringRef Rung, const std::string &What);
  /// False where the difference could not be shown again.
  bool refute(const RungRun &C);
  void finish();

  const JudgeRequest &R;
  Clock::time_point Start;
  TestPlan P;
  Verdict V;
  bool Decided = false;
  bool GrindClimbed = false;
  DeviceChoice Main;
  DeviceInfo Device;
  std::map<std::string, KernelShape> NewShapes;
  SymbolicRung Symbolic;
  std::string LeftOut;
  std::vector<std::string> Notes;
  llvm::json::Object Devices, Counts;
  uint64_t TotalRuns = 0;
};

} // namespace clmali::verify
#endif
