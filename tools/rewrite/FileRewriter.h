//===- FileRewriter.h - rewrites the kernels of a file in order -------------------------------===//
//
// For each kernel: the planner's candidates, judged until one holds (Attempts). An accepted rewrite
// becomes the source for the next kernel, so that the output is one file with one manifest.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_FILEREWRITER_H
#define CLMALI_TOOLS_REWRITE_FILEREWRITER_H

#include "tools/rewrite/Inputs.h"
#include "tools/rewrite/Measure.h"
#include "tools/rewrite/Parts.h"

namespace clmali::tool {

class Attempts;

/// Rewrites the kernels of one file in order.
class FileRewriter {
public:
  FileRewriter(const Options &O, Inputs In, llvm::raw_ostream &Say)
      : O(O), In(std::move(In)), Say(Say), By(O.Tune         ? Choice::Clock
                                              : O.CostByMesa ? Choice::Compiler
                                                             : Choice::Model) {}
  llvm::Expected<Outcome> run(const std::function<void(const Outcome &)> &Each);

private:
  friend class Attempts;
  /// What orders the candidates.
  enum class Choice { Model, Compiler, Clock };
  llvm::Error checkTuning();
  llvm::Error kernel(llvm::StringRef Name);
  std::vector<std::string> wanted(llvm::ArrayRef<std::string> There) const;
  void addToResult(const KernelOutcome &K);
  rewrite::RewriteOptions optionsFor(const model::Kernel &K);
  void sayRewritten(const model::Module &M, const model::Kernel &K, KernelOutcome &Out);
  /// The candidates for K that the pass Without has no part in; empty: all.
  rewrite::RewriteResult candidates(model::Module &M, model::Kernel &K, llvm::StringRef Without);
  rewrite::RewriteResult plan(model::Module &M, model::Kernel &K, KernelOutcome &Out);
  llvm::Error rankCompiled(const model::Module &M, const model::Kernel &K,
                           rewrite::RewriteResult &Plan, KernelOutcome &Out);
  void describeOriginal(model::Module &M, const model::Kernel &K, KernelOutcome &Out);
  bool runsOnCpu() const;
  launch::LaunchFile launchOf(const std::string &Name) {
    auto &Launches = In.Launches[Name];
    return Launches.empty() ? launch::LaunchFile() : Launches.front();
  }
  llvm::Error derive(model::Module &M, const model::Kernel &K,
                     std::vector<launch::LaunchFile> &Launches);
  llvm::Expected<bool> tryCandidate(const rewrite::Candidate &C,
                                    const launch::ManifestKernel &Entry, KernelOutcome &Out,
                                    Attempt &A);
  /// C is part of the result: Entry is its manifest.
  void acceptForm(const rewrite::Candidate &C, const launch::ManifestKernel &Entry,
                  const Attempt &A, KernelOutcome &Out);
  // Parts.cpp: other forms for parts of the launches.
  llvm::Error addForms(KernelOutcome &Out);
  llvm::Error addForm(const LaunchPart &P, KernelOutcome &Out);
  llvm::Expected<bool> tryForm(const LaunchPart &P, const rewrite::Candidate &C, double Faster,
                               KernelOutcome &Out);
  llvm::Error leaveOriginal(const LaunchPart &P, double Speedup, KernelOutcome &Out);
  /// Why nothing is planned for K: the judge cannot run it, or it is broken; nothing: neither.
  std::optional<rewrite::RefusalAt> refusalOfOriginal(model::Module &M, model::Kernel &K);
  std::optional<rewrite::RefusalAt> unsupported(const model::Kernel &K) const;
  std::optional<rewrite::RefusalAt> defectOf(model::Module &M, model::Kernel &K,
                                             const model::LaunchFacts &Launch);
  verify::JudgeOptions judgeOptions() const;
  launch::ManifestKernel entryOf(const rewrite::Candidate &C) const;
  void sayRefusals(const model::Module &M, const rewrite::RewriteResult &R, KernelOutcome &Out);

  const Options &O;
  Inputs In;
  llvm::raw_ostream &Say;
  Choice By;
  std::string Current; ///< the file after the kernels rewritten so far
  std::optional<std::optional<verify::DeviceInfo>> AtHand; ///< listed once
  std::unique_ptr<model::Module> First;  ///< of the original file, for the first kernel
  std::unique_ptr<model::Module> Source; ///< of the original file, as the judge gets it
  Outcome Result;
};

/// The candidates of one kernel, judged until one holds.
class Attempts {
public:
  /// Candidates that a pass has no part in, by its public name.
  using PlanWithout = std::function<rewrite::RewriteResult(llvm::StringRef)>;
  Attempts(FileRewriter &F, KernelOutcome &Out, rewrite::RewriteResult Plan, PlanWithout Replan,
           bool Derived, std::string Place);
  llvm::Error run();

private:
  FileRewriter &F;
  KernelOutcome &Out;
  rewrite::RewriteResult Plan;
  const PlanWithout Replan;
  const bool Derived;      ///< the launch was derived from the kernel
  const std::string Place; ///< location of the kernel's name, for messages
  Measure Clock;
  std::vector<double> Times; ///< with --tune: of each candidate
  bool SawRefuted = false;
  bool Replanned = false;
  unsigned Unclear = 0; ///< candidates that were not decided, or not proved where it is required
  unsigned MostUnclear = 2; ///< then a further candidate is unlikely to be decided
  /// The first candidate that holds but is slower here.
  struct SlowerOne {
    size_t Candidate, Attempt;
    launch::ManifestKernel Entry;
    std::pair<unsigned, std::string> Code;
  };
  std::optional<SlowerOne> Slower;

  bool tune();
  bool isSlowerHere(const rewrite::Candidate &C, Attempt &A);
  launch::ManifestKernel entryOf(const rewrite::Candidate &C) const;
  void accept(const rewrite::Candidate &C, const launch::ManifestKernel &Entry, const Attempt &A);
  bool isUnclear(const Attempt &A) const;
  bool hasFailed(const Attempt &A) const;
  std::string whyUnclear() const;
  void addOthers(size_t At);
  llvm::Error tryOne(size_t N);
  /// The candidates from number From on were not judged, because one before them holds.
  void noteNotTried(size_t From);
  void acceptSlower();
};

} // namespace clmali::tool

#endif
