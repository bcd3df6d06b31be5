//===-- rewriters/plan/CandidateWriter.cpp - Source and manifest -------------===//
//
// Writes a candidate: a copy of the source file with the new kernel added after the original, the
// contract as its comment, and the manifest that says how the host launches it.
//
//===----------------------------------------------------------------------===//

#include "checks/model/cost/TripCount.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/launch/Manifest.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/plan/Launches.h"
#include "rewriters/plan/Planner.h"
#include "rewriters/print/Print.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::rewrite {

using namespace model;

/// Is one of each two buffers restrict, where the other is written?
static bool restrictExcludesOverlap(const Kernel &K) {
  llvm::DenseSet<const Var *> Written;
  for (const Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Store || S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy)
      Written.insert(S->Acc.Base);
  auto IsGlobal = [](const Var *X) {
    return X->isPointerParam() && X->space() == AddressSpace::Global;
  };
  return llvm::all_of(K.Params, [&](const Var *W) {
    return !Written.contains(W) || W->Ty->Restrict || llvm::all_of(K.Params, [&](const Var *X) {
      return X == W || !IsGlobal(X) || X->Ty->Restrict;
    });
  });
}

/// Name, with a number behind it where the file has that word already.
static std::string newName(llvm::StringRef Text, const std::string &Name) {
  auto IsThere = [&](llvm::StringRef Word) {
    auto IsPart = [&](size_t At) {
      return At < Text.size() && (llvm::isAlnum(Text[At]) || Text[At] == '_');
    };
    for (size_t At = Text.find(Word); At != llvm::StringRef::npos; At = Text.find(Word, At + 1))
      if (!IsPart(At - 1) && !IsPart(At + Word.size()))
        return true;
    return false;
  };
  std::string New = Name;
  for (unsigned N = 2; IsThere(New); ++N)
    New = Name + "_" + std::to_string(N);
  return New;
}

/// "sum_v4_r2": lanes and rows; "_m" where there are neither.
static std::string nameOf(const Kernel &Original, const BlockShape &Shape) {
  std::string Suffix;
  if (Shape.Lanes > 1)
    Suffix += "_v" + std::to_string(Shape.Lanes);
  if (Shape.rows() > 1)
    Suffix += "_r" + std::to_string(Shape.rows());
  return Original.Name + (Suffix.empty() ? "_m" : Suffix);
}

/// The kernel that does what the blocks leave over, for an original that works in groups and so
/// cannot be launched on a strip: what the block was made from, which does not.
static Kernel *remainderKernel(const EvaluatedCandidate &T, const PassContext &C) {
  Kernel *Single = cloneKernel(C.M, T.From->State.kernel(),
                               newName(C.M.Files[0].Text, C.Original.Name + "_single"));
  cleanup({C.M, *Single});
  Single->ReqdWorkGroupSize.reset();
  return Single;
}

static std::string printRemainder(const Kernel &Single, const PassContext &C) {
  return printKernel(
             C.M, Single,
             {(RewrittenMarker + C.Original.Name).str(),
              "One work-item for each of " + C.Original.Name + "'s: the remainder of the blocks.",
              "Any local size will do."}) +
         "\n";
}

/// Obligations that have to be named; restrict is one that the source states already.
static std::vector<std::string> assumptions(const LaunchContract &Contract, const Kernel &K) {
  std::vector<std::string> Assumed = Contract.Obligations;
  if (restrictExcludesOverlap(K))
    llvm::erase_if(Assumed, [](llvm::StringRef Text) {
      return Text == NoOverlapText || Text == ReadByAllText;
    });
  return Assumed;
}

/// Removes what runs seldom: remainders and the paths of work-items at a border.
static void dropRare(StmtList &B) {
  llvm::erase_if(B, [](const Stmt *S) { return S->Rare; });
  for (Stmt *S : B)
    forEachStmtList(*S, dropRare);
}

/// W alone, without what runs seldom.
static Kernel *fastPath(const Kernel &W, const PassContext &C) {
  Kernel *Fast = cloneKernel(C.M, W, W.Name);
  dropRare(Fast->Body);
  return Fast;
}

static void addLoops(const KernelAnalysis &A, const StmtList &List, unsigned Depth,
                     std::vector<LoopTrips> &Trips) {
  for (const Stmt *S : List) {
    bool Loop = S->K == StmtKind::Loop;
    if (Loop) {
      std::optional<CountedLoop> L = A.countedLoop(S);
      Trips.push_back({expectedTrips(A, S), L && L->TripCount ? Depth : 0});
    }
    for (const StmtList *Inner : {&S->Body, &S->Else})
      addLoops(A, *Inner, Depth + Loop, Trips);
  }
}

std::vector<LoopTrips> tripsOfLoops(const KernelAnalysis &A) {
  std::vector<LoopTrips> Trips;
  addLoops(A, A.kernel().Body, 1, Trips);
  return Trips;
}

Candidate writeCandidate(const EvaluatedCandidate &T, const PassContext &C, const Cost &Before,
                         bool GroupsInOriginal) {
  const PassState &S = T.State;
  LaunchContract Contract = S.Contract;
  if (C.Options.Part)
    llvm::append_range(Contract.When, C.Options.Part->When);
  const Kernel &K = C.Original;
  Kernel &W = S.kernel();
  W.Name = newName(C.M.Files[0].Text, nameOf(K, T.shape()));
  std::string Tail = K.Name, TailText;
  const bool Exchanges = !Contract.AsBuffers.empty();
  if (!Contract.GroupSemantics && !Contract.WholeBlocks && (GroupsInOriginal || Exchanges)) {
    Kernel *Single = remainderKernel(T, C);
    Tail = Single->Name;
    TailText = printRemainder(*Single, C);
  }

  launch::ManifestKernel Entry;
  Entry.Original = K.Name;
  Entry.Launches = launches(K.Name, W.Name, Tail, C.Dims, T.shape(), Contract, S.Axis);
  if (llvm::none_of(Entry.Launches, [&](const auto &X) { return X.Kernel == Tail; }))
    TailText.clear();
  if (Exchanges) {
    // The original takes the image: it runs only where none of these launches does.
    Entry.AsBuffers = Contract.AsBuffers;
    Entry.Require.push_back(Entry.Launches.front().When);
    llvm::erase_if(Entry.Launches, [&](const auto &X) { return X.Kernel == K.Name; });
  }
  std::vector<std::string> Assumed = assumptions(Contract, K);
  for (const std::string &Text : Assumed)
    Entry.Obligations.push_back({Text, launch::ObligationState::Assumed});
  for (const std::string &Text : Contract.Facts)
    Entry.Obligations.push_back({Text, launch::ObligationState::Proved});
  Entry.Options = C.Options.BuildOptions;
  Entry.Defines = C.Options.Defines;
  Entry.Source = launch::sourceHash(C.M.Files[0].Text);
  Entry.Tool = "0.1";
  Entry.Passes = S.Applied;

  Candidate Out;
  Out.Manifest.Kernels.push_back(Entry);
  Out.Passes = S.Applied;
  Out.How = S.How;
  Out.PredictedSpeedup = Before.Cycles / std::max(T.perItem(), 1e-9);
  Out.After = T.Predicted;
  Out.Items = T.Items;
  Out.LaunchShare = launchShare(C, T.Items);
  Kernel *Shown = cloneKernel(C.M, W, W.Name);
  callHelpers(C.M, *Shown, K.Helpers);
  std::string Text =
      printKernel(C.M, *Shown,
                  contract(K.Name, C.Dims, T.shape(), Contract, S.Axis, Assumed,
                           C.Options.Part ? "see the manifest for" : K.Name + " itself does"));
  Out.Source = spliceFile(C.M, K, TailText + Text, true, C.Options.Defines);
  Out.Kernel = W.Name;
  Kernel *Fast = fastPath(W, C);
  Out.FastPath = spliceFile(C.M, K, printKernel(C.M, *Fast, {}), false, C.Options.Defines);
  Out.Trips = tripsOfLoops(*EditedKernel(C.M, *Fast).analysis());
  return Out;
}

} // namespace clmali::rewrite
