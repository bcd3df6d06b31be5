//===- KnownFindings.h - findings of kernels that have not changed ----------------------------===//
//
// Before: a file of many kernels, of which an edit changes one
// After:  its rules run again; the findings of the others are those of the run before, at the
//         places where these kernels stand now
//
// What the findings of a kernel depend on: its model and its text, with those of its helpers
// (model::Fingerprint); the macros that they name; what the tolerant frontend guessed for them;
// kernels that are other forms of it; and the options of the run. An editor keeps one object for
// each open file. Runs with host code are not kept: launches are places in another file.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_KNOWNFINDINGS_H
#define CLMALI_CHECKS_KNOWNFINDINGS_H

#include "checks/Check.h"
#include "checks/model/ir/Fingerprint.h"
#include <array>
#include <map>

namespace clmali::checks {

class KnownFindings {
public:
  struct OfKernel {
    std::vector<Finding> Findings; ///< before they are joined with those of other kernels
    std::vector<std::string> Notes;
  };

  /// Begins a run: what each kernel of M depends on is computed.
  void begin(const model::Module &M, const RunOptions &O);
  /// The findings of K, if they are known from an earlier run.
  std::optional<OfKernel> find(const model::Kernel &K);
  void add(const model::Kernel &K, const OfKernel &Found);
  /// Ends the runs for one version of the file: what none of them asked for is forgotten.
  void forgetUnused();

  /// Kernels whose rules have been run, and not, since this object was made.
  unsigned analysed() const { return Analysed; }
  unsigned reused() const { return Reused; }

private:
  struct Entry {
    model::Fingerprint Of;
    OfKernel Found;
    bool Used = true;
  };
  std::map<std::array<uint64_t, 2>, Entry> Known;
  std::map<const model::Kernel *, model::Fingerprint> Now; ///< of the run
  unsigned Analysed = 0, Reused = 0;
};

} // namespace clmali::checks

#endif
