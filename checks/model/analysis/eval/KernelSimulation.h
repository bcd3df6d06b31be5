//===-- checks/model/analysis/eval/KernelSimulation.h - Addresses by execution -*- C++ -*-===//
//
// Executes a kernel, work-item by work-item, in the sample launches (SampleLaunches.h), and records
// which addresses of global and local memory each access touches. Only integers are computed; what
// is loaded from global or local memory, and floating point, is unknown.
//
//   x = id % w; y = id / w;  cells[y * w + (x + 1) % w]     work-item 7 touches 4 * 0, ...
//
// Where a branch depends on unknown data, both sides are executed and what they touch is marked
// uncertain; variables that they assign are unknown afterwards.
//
// Limits: loops run a bounded number of trips; a kernel that takes too many steps is given up.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_KERNELSIMULATION_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_KERNELSIMULATION_H

#include "checks/model/analysis/eval/Interpreter.h"
#include "checks/model/analysis/eval/SampleLaunches.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace clmali::model {

/// One execution of an access by one work-item.
struct Touch {
  uint16_t Item, Epoch; ///< Epoch: barriers that the work-item has passed
  uint8_t Ids;          ///< bit d: an id of dimension d is part of the address; bit 4 + d: one that
                        ///< differs between groups
  bool Sure;            ///< false: depends on data whether it is executed
  bool Assumed;         ///< in a loop whose trip count depends on data: a few trips were assumed
  int64_t Address;      ///< bytes from the object's start
};

/// What one launch touched, by access and statement.
struct LaunchTrace {
  Launch L;
  llvm::DenseMap<std::pair<const Access *, const Stmt *>, std::vector<Touch>> Touched;

  /// Null: no work-item executes the access.
  const std::vector<Touch> *touchesOf(const AccessSite &Site) const {
    auto It = Touched.find({Site.A, Site.S});
    return It == Touched.end() ? nullptr : &It->second;
  }
};

class KernelSimulation : private Interpreter {
public:
  explicit KernelSimulation(const KernelAnalysis &K);
  /// The sample launches; trace(N) is that of launches()[N].
  const std::vector<Launch> &launches();
  /// Runs launch N when it is first needed. Null: the steps are spent. It stays valid.
  const LaunchTrace *trace(size_t N);
  /// True: nothing is known.
  bool gaveUp() const { return GaveUp; }
  const KernelAnalysis &analysis() const { return K; }
  /// True if the kernel depends on the groups of a launch: on local or group ids, or their sizes.
  bool usesGroups() const { return UsesGroups; }

private:
  const KernelAnalysis &K;
  std::optional<std::vector<Launch>> Launches;
  std::vector<std::unique_ptr<LaunchTrace>> Traces; ///< of Launches; null: not run
  LaunchTrace *Current = nullptr;                   ///< that of the launch that runs
  bool Done = false;                                ///< no launch is run any more
  bool GaveUp = false, UsesGroups;

  // --- one work-item
  enum class Flow { Next, Break, Continue, Stop };
  WorkItemPosition Position;
  uint16_t Item = 0, Epoch = 0;
  unsigned Steps = 0, MaybeSteps = 0, LoopDepth = 0;
  bool FewTrips = false;   ///< work-items take long: all loops run a few trips only
  bool Sure = true;        ///< control reaches the current statement whatever the data are
  bool Assumed = false;    ///< within a loop whose trip count depends on data
  bool StoresOnly = false; ///< loads are not recorded
  llvm::DenseMap<const Var *, LaneValues> Variables;
  std::map<std::pair<const Var *, int64_t>, int64_t> Private; ///< integers in private arrays, by
                                                              ///< object and address
  uint8_t PrivateIds = 0; ///< the tags of all that was stored to them

  void simulate(size_t N);
  void startItem(const Launch &L, int64_t N);
  const Launch &launch() const { return Current->L; }

  Flow execute(const StmtList &B);
  Flow execute(const Stmt *S);
  Flow branch(const Stmt *S);
  Flow loop(const Stmt *S);
  void store(const Stmt *S);
  void assign(const Stmt *S, const LaneValues &V);
  /// What leaving out a block changes.
  struct BlockSummary {
    bool Leaves = false; ///< has a return, a barrier or an opaque statement
    unsigned Stmts = 0;
    llvm::SmallVector<const Var *, 4> Assigned, Stored; ///< Stored: private objects
  };
  llvm::DenseMap<const StmtList *, BlockSummary> Summaries;
  llvm::DenseMap<const Stmt *, std::pair<bool, unsigned>> InnerLoops; ///< and the steps to find one
  const BlockSummary &summary(const StmtList &B);
  Flow skip(llvm::ArrayRef<const StmtList *> Blocks);
  bool mayHold(const Expr *Cond, const Stmt *S);
  bool mayGoOnTogether(const Stmt *Loop);
  void forget(const Var *Base);
  std::optional<Touch> touch(const Access &A, const Stmt *S, bool Record = true);

  LaneValues leaf(const Expr *E, const Stmt *S) override;
  LaneValues load(const Expr *E, const Stmt *S);
  std::optional<int64_t> bitAnd(const Expr *E, int64_t X, int64_t Y) override;
  bool mayContinue() override;
};

} // namespace clmali::model
#endif // CLMALI_CHECKS_MODEL_ANALYSIS_EVAL_KERNELSIMULATION_H
