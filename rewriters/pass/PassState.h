//===-- rewriters/pass/PassState.h - What a pass works on ---------------*- C++ -*-===//
//
// A candidate in the making: the kernel, what is known of the device and of the launches, what the
// result will require of its launch, and the choices that the planner has made for it. Copies of
// a state share the kernel until one of them replaces it.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_PASSSTATE_H
#define CLMALI_REWRITERS_PASS_PASSSTATE_H

#include "checks/model/pattern/LoadGroups.h"
#include "rewriters/pass/Choice.h"
#include "rewriters/pass/EditedKernel.h"
#include "rewriters/pass/LaunchContract.h"
#include "rewriters/pass/Options.h"
#include "rewriters/pass/Refusal.h"
#include "rules/Devices.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::rewrite {

/// What is the same for all candidates of one kernel. Passes add refusals and nothing else.
struct PassContext {
  model::Module &M;
  const model::Kernel &Original;
  const rules::DeviceFacts &Device;
  const RewriteOptions &Options;
  unsigned Dims = 1; ///< of the launch
  /// Some launch makes one buffer of two parameters, one of them written: nothing may be assumed
  /// of buffers that do not overlap.
  bool BuffersShared = false;
  /// Names of macros: built-ins of these names cannot be written.
  llvm::StringSet<> Hidden = {};
  RefusalList Refusals = {};

  const model::LaunchFacts &launch() const { return Options.Launch; }
  /// The user chose the passes: they run whether or not they suit the device.
  bool named() const { return !Options.Passes.empty(); }
  /// The user chose the passes or the block: what is legal is written, whether or not it pays.
  bool chosen() const { return named() || Options.Block.any(); }
  /// Is the pass of this public name among the user's, or did the user choose none and it is not
  /// left out?
  bool allows(llvm::StringRef ShownAs) const;
};

class PassState {
public:
  PassState(PassContext &C, model::Kernel *K) : C(&C), Edited(C.M, *K) {}

  PassContext &context() const { return *C; }
  model::Module &module() const { return C->M; }
  model::Kernel &kernel() const { return Edited.kernel(); }
  const rules::DeviceFacts &device() const { return C->Device; }
  const model::LaunchFacts &launch() const { return C->launch(); }

  /// The analysis of the kernel as it is; made when first used, dropped by an edit.
  const model::KernelAnalysis &analysis() const { return *Edited.analysis(); }
  const EditedKernel &editedKernel() const { return Edited; }
  /// The kernel was edited: analyses of it are stale.
  void edited() { Edited.edited(); }
  /// Goes on with another kernel: a copy, or what a pass made of the present one.
  void replaceKernel(model::Kernel *New) { Edited = {C->M, *New}; }

  /// The local size of the kernel as it is, blocks counted; 0: not known.
  model::WorkSize localSize() const;

  void refuse(const RefusalAt &R) { C->Refusals.add(R, How.LaunchValues); }
  /// Only where the user named the passes: what was not asked for needs no explanation.
  void refuseIfNamed(llvm::ArrayRef<RefusalAt> All);
  /// Adds Shown ("narrow", "vectorize:16") to the applied passes, unless that name is there.
  void record(llvm::StringRef Shown);
  /// Adds to the contract what a pass has assumed of the buffers.
  void oblige(const model::pattern::Apart &Assumed);
  /// The pass Id has to run, whether or not it suits the device or the user named it: what an
  /// earlier pass did holds only after it.
  void demand(llvm::StringRef Id) { Demanded.push_back(Id.str()); }
  /// True once for each demand.
  bool takeDemand(llvm::StringRef Id);

  Choice How;
  LaunchContract Contract;
  std::vector<std::string> Applied;       ///< public names, as in the manifest
  std::vector<llvm::StringLiteral> Forms; ///< what passes so far have established
  BlockShape Blocked;                     ///< what vectorize and coarsen have made so far
  std::array<unsigned, 3> Border = {0, 0,
                                    0}; ///< blocks along each dimension that take the slow path
  std::array<unsigned, 3> Axis = {
      0, 1, 2}; ///< dimension d of the new kernel walks the original's Axis[d]
  /// The same kernel with its loops, for the work-items that a block runs one by one; may be null.
  const model::Kernel *Short = nullptr;
  /// Of the normal form: the dimension along which most accesses are contiguous.
  std::optional<unsigned> Contiguous;

private:
  PassContext *C;
  EditedKernel Edited;
  std::vector<std::string> Demanded;
};

} // namespace clmali::rewrite
#endif
