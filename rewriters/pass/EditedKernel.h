//===-- rewriters/pass/EditedKernel.h - A kernel and its analysis -------*- C++ -*-===//
//
// The one place where analyses of kernels are made: when first asked for, and again after an edit.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_EDITEDKERNEL_H
#define CLMALI_REWRITERS_PASS_EDITEDKERNEL_H

#include "checks/model/analysis/Analysis.h"

namespace clmali::rewrite {

/// A kernel that is being edited. Copies are the same kernel, with one analysis.
class EditedKernel {
public:
  using Analysis = std::shared_ptr<const model::KernelAnalysis>;

  EditedKernel(model::Module &M, model::Kernel &K)
      : M(&M), K(&K), Made(std::make_shared<Analysis>()) {}

  model::Module &module() const { return *M; }
  model::Kernel &kernel() const { return *K; }
  /// The analysis of the kernel as it is now. A pass that edits the kernel keeps a copy of this
  /// handle; its answers are then those for the kernel before the edit.
  Analysis analysis() const;
  /// The kernel has changed: its analysis is not used again.
  void edited() const { Made->reset(); }
  /// The analysis after an edit.
  Analysis analysisNow() const {
    edited();
    return analysis();
  }

private:
  model::Module *M;
  model::Kernel *K;
  std::shared_ptr<Analysis> Made;
};

/// What most transformations start with: a kernel, and its analysis before any change.
class KernelEditor {
protected:
  explicit KernelEditor(const EditedKernel &E)
      : M(E.module()), K(E.kernel()), Edited(E), Held(E.analysis()), A(*Held) {}

  model::Module &M;
  model::Kernel &K;
  const EditedKernel Edited;

private:
  const EditedKernel::Analysis Held;

protected:
  const model::KernelAnalysis &A;
};

} // namespace clmali::rewrite
#endif
