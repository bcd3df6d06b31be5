//===-- rewriters/plan/Ranking.cpp - Which candidate is best -----------------===//
//
// The predicted cost of a candidate for each work-item of the original, whether it pays, and the
// order of candidates.
//
//===----------------------------------------------------------------------===//

#include "checks/model/cost/Schedule.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/LaunchUse.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/plan/Planner.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace clmali::rewrite {

using namespace model;

/// A rewrite changes the launch: below this predicted speed-up nothing pays, unless so many times
/// fewer memory operations are made. Where the segments of a warp count, their number says nothing.
static double worthIt(const rules::DeviceFacts &D) {
  const rules::Fact *F = D.fact("worth-rewriting");
  return F ? double(F->Value) / 100 : 1;
}

/// Short code is easier to read and to cache; no vendor publishes the size of the instruction
/// cache. This is taste and no fact of a device, so it orders candidates and never decides whether
/// one pays. Code that is longer than Readable times the original must be faster: by a tenth where
/// it is twice as long.
static constexpr double Readable = 5, TooLong = 0.15;
/// Candidates whose predicted costs differ by less are equal as far as the model knows: compiled
/// costs of such pairs differ either way (kernels/results/cost-model.md).
static constexpr double AsGood = 1.05;
/// Of a launch whose size is not known, along each dimension.
static constexpr double UsualSize = 1024;

Cost costOf(const PassContext &C, const Kernel &W, const WorkSize &Local) {
  const EditedKernel Run(C.M, *asLaunched(C.M, W, C.launch(), Local));
  Cost Sum = cost(*Run.analysis(), C.Device, &C.launch());
  Sum.Cycles += bankConflicts(Run, C.Device, C.launch().localSizeOf(W));
  return Sum;
}

double launchShare(const rules::DeviceFacts &D, double Original, double Items) {
  const rules::Fact *Cores = D.fact("compute-units");
  // Sizes that do not fill one core are those of a test: starting such a launch takes longer.
  if (!Cores || Original < D.ThreadsFull)
    return 1;
  return std::min(1.0, Original / Items / (double(Cores->Value) * D.ThreadsFull));
}

double launchShare(const PassContext &C, double Items) {
  double Original = C.launch().SizesMadeUp ? 0 : 1;
  for (uint64_t Along : C.launch().LargestGlobal)
    Original *= double(Along);
  return launchShare(C.Device, Original, Items);
}

/// How many times slower Of is than with the work-items that its registers allow: the largest known
/// launch may not have so many for each core.
static double launchSlowdown(const PassContext &C, const Cost &Of, double Items) {
  double Registers = Of.Threads ? double(Of.Threads) / C.Device.ThreadsFull : 1;
  return slowdown(std::min(Registers, launchShare(C, Items))) / slowdown(Registers);
}

Cost costBefore(const PassContext &C, const Kernel &K) {
  Cost Before = costOf(C, K, C.launch().localSizeOf(K));
  Before.Cycles *= launchSlowdown(C, Before, 1);
  return Before;
}

/// A group that does not fill the lanes that run together leaves the others idle: how many times
/// more than in the original's groups.
static double idleLanes(const EvaluatedCandidate &T) {
  const PassState &S = T.State;
  WorkSize Local = S.launch().localSizeOf(T.From->State.kernel());
  double Width = S.device().SimdWidth;
  if (!S.Contract.GroupSemantics || !Local[0] || Width < 2)
    return 1;
  double Old = 1, New = 1;
  for (unsigned D = 0; D < 3; ++D) {
    double N = double(std::max<uint64_t>(1, Local[D]));
    Old *= N;
    New *= std::max(1.0, N / T.shape().factor(D));
  }
  return std::max(1.0, Width / New) / std::max(1.0, Width / Old);
}

/// The share of blocks that do not take the fast path because they are at the border.
static double borderShare(const EvaluatedCandidate &T) {
  const WorkSize &Largest = T.State.launch().LargestGlobal;
  double Inner = 1;
  for (unsigned D = 0; D < 3; ++D) {
    double Size = Largest[D] ? double(Largest[D]) : UsualSize;
    double Blocks = std::max(1.0, Size / T.shape().factor(D));
    Inner *= 1 - std::min(1.0, T.State.Border[D] / Blocks);
    // The original does what no whole block holds.
    if (Largest[D])
      Inner *= std::floor(Blocks) / Blocks;
  }
  return 1 - Inner;
}

void predict(EvaluatedCandidate &T) {
  Kernel &W = T.State.kernel();
  T.Predicted = costOf(T.State.context(), W, T.State.localSize());
  T.Nodes = countNodes(W.Body);
  auto Statements = [](const StmtList &B) {
    return std::max<double>(1, llvm::range_size(stmts(B)));
  };
  T.Longer = Statements(W.Body) / Statements(T.State.context().Original.Body);
  for (unsigned D = 0; D < 3; ++D)
    T.Items *= T.shape().factor(D);
  // Blocks at the border of the launch run item by item.
  double Slow = borderShare(T);
  const Cost &Single = T.From->Single;
  T.Predicted.Cycles += Slow * (Single.Cycles * T.Items - T.Predicted.Cycles);
  T.Predicted.MemoryOps += Slow * (Single.MemoryOps * T.Items - T.Predicted.MemoryOps);
  T.Predicted.TexelReads += Slow * (Single.TexelReads * T.Items - T.Predicted.TexelReads);
  T.Predicted.Cycles *= idleLanes(T) * launchSlowdown(T.State.context(), T.Predicted, T.Items);
}

bool pays(const EvaluatedCandidate &T, const Cost &Before) {
  double WorthIt = worthIt(T.State.device());
  if (T.perItem() * WorthIt <= Before.Cycles)
    return true;
  // Texels that neighbours read are in the texture cache: fewer reads gain the cycles of the pipe.
  double Ops = (T.Predicted.MemoryOps - T.Predicted.TexelReads) / T.Items;
  return !T.State.device().CoalesceBytes && Ops * WorthIt <= Before.MemoryOps - Before.TexelReads &&
         T.perItem() <= Before.Cycles;
}

bool disturbs(const EvaluatedCandidate &T, const RefusalList &Refusals) {
  llvm::ArrayRef<std::string> Applied = T.State.Applied;
  return T.shape().Lanes == 1 && T.shape().rows() == 1 &&
         (llvm::is_contained(Applied, "merge-loads") || T.State.How.Sums > 1) &&
         !llvm::is_contained(Applied, "delocalize") && !llvm::is_contained(Applied, "localize") &&
         llvm::any_of(Refusals.all(), [](const RefusalAt &R) {
           return R.Why == Refusal::CrossItemDependence || R.Why == Refusal::DataDependentStore;
         });
}

/// What candidates are sorted by. Where local memory is ordinary memory, candidates without staging
/// are preferred: the model underestimates barriers.
static auto rankKey(llvm::ArrayRef<EvaluatedCandidate> Evaluated, const rules::DeviceFacts &D) {
  constexpr double BarrierPenalty = 2;
  auto Staged = [](const EvaluatedCandidate &T) {
    return !llvm::is_contained(T.From->State.Applied, "delocalize");
  };
  bool Mixed = !D.LocalOnChip && !llvm::all_of(Evaluated, Staged);
  return [=](const EvaluatedCandidate &T) {
    // Where the model sees no difference, the shorter code is better.
    double Length = std::pow(AsGood, std::log2(T.Longer));
    return T.perItem() * (Mixed && Staged(T) ? BarrierPenalty : 1) *
           (T.State.How.LaunchValues ? WorthAnotherForm : 1) * Length *
           std::pow(std::max(1.0, T.Longer / Readable), TooLong);
  };
}

void rank(std::vector<EvaluatedCandidate> &Evaluated, const rules::DeviceFacts &D) {
  auto Key = rankKey(Evaluated, D);
  llvm::stable_sort(Evaluated, [&](const EvaluatedCandidate &X, const EvaluatedCandidate &Y) {
    return Key(X) < Key(Y);
  });
}

/// True if T has an array of a work-item, for which the registers may not suffice.
static bool keepsArray(const EvaluatedCandidate &T) {
  auto IsArray = [](const Access &A) {
    return A.Base->K == Var::Memory && A.Base->space() == AddressSpace::Private;
  };
  const StmtList &Body = T.State.kernel().Body;
  return llvm::any_of(stmts(Body),
                      [&](const Stmt *S) { return S->K == StmtKind::Store && IsArray(S->Acc); }) ||
         llvm::any_of(exprs(Body),
                      [&](ExprAt E) { return E->K == ExprKind::Load && IsArray(E->Acc); });
}

void preferLight(std::vector<EvaluatedCandidate> &Ranked, const rules::DeviceFacts &D) {
  auto Key = rankKey(Ranked, D);
  auto Best = Ranked.begin();
  const bool MayKeepArray = Best != Ranked.end() && keepsArray(*Best);
  auto IsBetter = [](const EvaluatedCandidate &X, const EvaluatedCandidate &Y) {
    return X.Predicted.Threads != Y.Predicted.Threads ? X.Predicted.Threads > Y.Predicted.Threads
                                                      : X.Nodes < Y.Nodes;
  };
  for (auto T = Ranked.begin(); T != Ranked.end(); ++T)
    if (Key(*T) <= Key(Ranked.front()) * AsGood && IsBetter(*T, *Best) &&
        T->Predicted.Registers <= Ranked.front().Predicted.Registers &&
        (MayKeepArray || !keepsArray(*T)))
      Best = T;
  if (Best != Ranked.end())
    std::rotate(Ranked.begin(), Best, Best + 1);
}

/// Where candidates are measured, other shapes come before other forms of one shape.
std::vector<const EvaluatedCandidate *> orderOfWriting(llvm::ArrayRef<EvaluatedCandidate> Evaluated,
                                                       const PassContext &C, const Cost &Before) {
  std::vector<const EvaluatedCandidate *> Order, Again;
  for (const EvaluatedCandidate &T : Evaluated) {
    if ((!C.chosen() && !pays(T, Before)) || (!C.named() && disturbs(T, C.Refusals)))
      continue;
    bool Seen = C.Options.Diverse && llvm::any_of(Order, [&](const EvaluatedCandidate *X) {
                  return sameShape(X->shape(), T.shape());
                });
    (Seen ? Again : Order).push_back(&T);
  }
  llvm::append_range(Order, Again);
  return Order;
}

} // namespace clmali::rewrite
