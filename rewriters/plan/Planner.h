//===-- rewriters/plan/Planner.h - Enumerate, run, rank -----------------*- C++ -*-===//
//
// The planner enumerates the axes of choice (Choice in PassState.h), runs the pipeline for each
// combination that is worth a look (Search.cpp), ranks the results by the device's cost model
// (Ranking.cpp) and writes the best (CandidateWriter.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PLAN_PLANNER_H
#define CLMALI_REWRITERS_PLAN_PLANNER_H

#include "rewriters/pass/PassManager.h"
#include "rewriters/plan/Rewrite.h"
#include <deque>

namespace clmali::rewrite {

/// The kernel in normal form, as blocks are made from it.
struct Base {
  PassState State;
  Cost Single; ///< of one of its work-items
  /// Work-items along each dimension after which what they do repeats.
  std::array<unsigned, 3> Phases = {1, 1, 1};
  bool staged() const { return State.How.Stage != Staging::Keep; }
  /// Vectors of the source are scalars: no form for single items.
  bool onlyLanes() const { return State.How.SplitComponents; }
};

/// One run through the pipeline.
struct EvaluatedCandidate {
  const Base *From = nullptr;
  PassState State;
  Cost Predicted = {};
  double Items = 1;   ///< original work-items that one does
  unsigned Nodes = 0; ///< of its code
  double Longer = 1;  ///< its statements over the original's
  const BlockShape &shape() const { return State.How.Shape; }
  double perItem() const { return Predicted.Cycles / Items; }
};

/// Work-items of a block at most.
constexpr unsigned MostItems = 128;

/// Same lanes and rows; without lanes their dimension does not matter.
bool sameShape(const BlockShape &X, const BlockShape &Y);

//===----------------------------------------------------------------------===//
// Ranking.cpp
//===----------------------------------------------------------------------===//

/// What one work-item of W costs in the launches that are known, bank conflicts included. Local:
/// the local size of W; 0: not known.
Cost costOf(const PassContext &C, const model::Kernel &W, const model::WorkSize &Local);
/// Of the work-items that the device holds at full occupancy, the share that the largest known
/// launch has where one work-item does Items of the original; at most 1. Where the launch or the
/// number of cores is not known: 1.
double launchShare(const PassContext &C, double Items);
/// The same for a launch of Original work-items; 0: not known.
double launchShare(const rules::DeviceFacts &D, double Original, double Items);
/// What the original costs, slower where the largest known launch does not fill the device.
Cost costBefore(const PassContext &C, const model::Kernel &K);
/// Sets what the model says of T, with the share of blocks at the border, idle lanes and cores.
void predict(EvaluatedCandidate &T);
/// Is it faster, or as fast with fewer memory operations? Small gains do not count: a rewrite
/// changes the launch.
bool pays(const EvaluatedCandidate &T, const Cost &Before);
/// A single work-item with merged loads, of a kernel whose work-items access each other's
/// elements: when a load is made matters there.
bool disturbs(const EvaluatedCandidate &T, const RefusalList &Refusals);
/// Cheapest first.
void rank(std::vector<EvaluatedCandidate> &Evaluated, const rules::DeviceFacts &D);
/// Of the candidates that are as good as the first, puts the one with the most resident work-items
/// in front, and of several the shortest. It needs no more registers than the first and has no
/// array that the first has not: with either it may spill where the first does not.
void preferLight(std::vector<EvaluatedCandidate> &Ranked, const rules::DeviceFacts &D);
/// Those worth writing, in the order of writing.
std::vector<const EvaluatedCandidate *> orderOfWriting(llvm::ArrayRef<EvaluatedCandidate> Evaluated,
                                                       const PassContext &C, const Cost &Before);

//===----------------------------------------------------------------------===//
// CandidateWriter.cpp
//===----------------------------------------------------------------------===//

/// The loops of a kernel in the order of the code.
std::vector<LoopTrips> tripsOfLoops(const model::KernelAnalysis &A);

/// The source and the manifest of T. GroupsInOriginal: the original works in groups.
Candidate writeCandidate(const EvaluatedCandidate &T, const PassContext &C, const Cost &Before,
                         bool GroupsInOriginal);

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

class Planner {
public:
  Planner(model::Module &M, model::Kernel &K, const RewriteOptions &O, const rules::DeviceFacts &D)
      : K(K), D(D), Options(O), Context{M, K, D, O}, Manager(O.Pipeline) {}

  RewriteResult run(const std::function<bool(const Candidate &)> &IsWanted);

private:
  model::Kernel &K;
  const rules::DeviceFacts &D;
  const RewriteOptions &Options;
  PassContext Context;
  const EditedKernel Original{Context.M, K};
  PassManager Manager;
  Cost Before;
  std::deque<Base> Bases;
  std::vector<EvaluatedCandidate> Evaluated;
  size_t BytesAtStart = 0;   ///< on the heap
  bool Cut = false;          ///< the search ended early: its time or memory was used up
  bool SharesLittle = false; ///< blocks were left out because neighbours read too little twice
  bool OnlyStaged = false;   ///< only bases without staging in local memory are searched
  /// The last block that was finished in several ways, as it was made.
  struct {
    const Base *From = nullptr;
    BlockShape Shape;
    std::optional<PassState> State; ///< none: refused
  } Last;
  /// Two buffers that a launch makes one, one of them written.
  std::optional<std::pair<std::string, model::SourceRange>> Shared;

  // Planner.cpp: what no candidate is made for, and one candidate.
  bool isRefused();
  void checkMemory() const;
  bool overlaps();
  bool readsDimensions();
  bool contractionDiffers();
  /// Exchange: of the kernel with buffers in place of images.
  void makeBases(bool Exchange);
  std::optional<Base> prepare(const Choice &How);
  const model::Kernel *formWithCalls(const PassState &S);
  const model::Kernel *shortForm(const PassState &S);
  PassState single(const Base &B, const Choice &How);
  std::optional<PassState> blocked(const Base &B, const Choice &How);
  bool changesTooLittle(const Base &B, const PassState &S) const;
  bool rowsShareTooLittle(const EvaluatedCandidate &T) const;
  std::string whyNothingPays() const;
  /// Runs the pipeline for How on B and adds the result, where the shape is possible and changes
  /// something. Returns its cost for each original work-item.
  std::optional<double> evaluate(const Base &B, const Choice &How);
  /// The cost of the form that How makes, for each original work-item; nothing: there is none.
  std::optional<double> costOfForm(const Choice &How);

  // Wanted.cpp: the blocks that the user demands.
  std::vector<unsigned> dimensionsBut(unsigned Dim) const;
  bool isWanted(const Base &B, const BlockShape &S) const;
  std::vector<BlockShape> shapesWanted(const Base &B) const;
  std::vector<BlockShape> rowsWanted(BlockShape S, unsigned AlongMemory) const;
  std::string largerThanLaunch() const;
  std::string possibleShapes();
  void refuseBlock();

  // Search.cpp: which candidates are evaluated.
  void search();
  void search(bool Exchange);
  void searchExchanged();
  bool searched(const Base &B) const { return !OnlyStaged || B.staged(); }
  void searchShapes();
  void searchShapes(const Base &B);
  void searchRows(const Base &B, Choice How);
  void searchPhases(const Base &B);
  void searchBetween();
  bool tryBetween(const Base &B, BlockShape S, unsigned Dim, unsigned Count);
  void searchFinishes();
  void searchWalks();
  void searchSums();
  void searchSums(const Base &B, unsigned Sums);
};

} // namespace clmali::rewrite
#endif
