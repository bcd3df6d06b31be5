//===-- rewriters/pass/PassManager.h - Runs the steps of a pipeline -----*- C++ -*-===//
//
// Runs each step's pass where it applies, keeps the record of applied passes and of established
// forms, drops stale analyses, and on request prints or verifies the kernel after each pass.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_PASSMANAGER_H
#define CLMALI_REWRITERS_PASS_PASSMANAGER_H

#include "rewriters/pass/Pipeline.h"

namespace clmali::rewrite {

class PassManager {
public:
  explicit PassManager(const PipelineOptions &Options) : Options(Options) {}

  /// False: a step that had to change the kernel did not, and the candidate is dropped.
  bool run(llvm::ArrayRef<Step> Steps, PassState &S) const;

  /// With VerifyIR: ends the program if K, which no pass has seen, is broken.
  void verifyInput(const model::Kernel &K) const;

private:
  const PipelineOptions &Options;

  unsigned run(const Pass &P, PassState &S) const;
  void print(const Pass &P, const PassState &S, unsigned Changes) const;
  /// Same: the dump of the kernel that P must have left as it was; empty: P changed it.
  void verify(const Pass &P, const PassState &S, llvm::StringRef Same) const;
};

/// What is wrong with a pipeline: a step whose pass is not registered, or that requires a form
/// which no earlier step establishes. Empty: nothing.
std::vector<std::string> pipelineErrors(llvm::ArrayRef<llvm::ArrayRef<Step>> Parts);

} // namespace clmali::rewrite
#endif
