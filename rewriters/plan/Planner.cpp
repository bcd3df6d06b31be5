//===-- rewriters/plan/Planner.cpp - Which passes, in which shape -----------------===//
//
// The planner: normalizes the kernel, tries block shapes (which dimension
// becomes lanes, how many, how many rows), runs the passes on each, and ranks
// the results by the device's cost model. It writes the source and the manifest
// of each candidate.
//
//===----------------------------------------------------------------------===//

#include "rewriters/plan/Rewrite.h"

#include "checks/model/cost/CostModel.h"
#include "rewriters/blocking/Block.h"
#include "rewriters/normalize/Contraction.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/plan/Launches.h"
#include "rewriters/print/Print.h"
#include "rewriters/staging/LocalMemory.h"
#include "rules/Models.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <deque>

namespace clmali::rewrite {

using namespace model;

namespace {

/// A rewrite changes the launch: below this predicted speed-up nothing pays.
constexpr double WorthIt = 1.25;
/// ... unless so many times fewer memory operations are made.
constexpr double WorthItInMemory = 1.3;
/// Who reads the code wants it short, and so does an instruction cache, whose size none of these
/// vendors says. What is longer than ReadableNodes (some hundred and fifty lines) must be faster in
/// proportion: by LongNodes more, twice as fast. Taste and no fact of a device, so it decides among
/// candidates only, never whether one pays.
constexpr double ReadableNodes = 1500, LongNodes = 8000;

/// How a blocked kernel is finished; a few ways are tried on the best shapes.
struct FinishVariant {
  bool Overlapping = false; ///< merge-loads also unites vector loads that share elements
  unsigned Inner = 1;       ///< innermost loops unrolled, so that their loads become neighbours
  unsigned Sums = 1;        ///< rounds of loops that sum up become lanes
};

/// The kernel in normal form, as blocks are made from it.
struct Base {
  Kernel *K = nullptr;
  bool Unrolled = false, Delocal = false;
  const Kernel *Short =
      nullptr; ///< the same with its loops, where that needs no more of the launch
  std::unique_ptr<KernelAnalysis> A;
  std::vector<std::string> Passes; ///< applied already
  StagingNeeds Staging;            ///< what they need of the launch
  bool OnlyLanes = false;          ///< components are scalars: no form for single items
  Cost Single;                     ///< of one of its work-items
};

struct EvaluatedCandidate {
  const struct Base *Base = nullptr; ///< what the block was made from
  BlockShape Shape;
  FinishVariant How;
  BlockOutcome Outcome;
  std::vector<std::string> Passes;
  std::vector<std::string> Facts; ///< proved, for the manifest
  std::array<unsigned, 3> Axis = {0, 1, 2};
  Cost Predicted;
  double Items = 1;   ///< original work-items that one does
  unsigned Nodes = 0; ///< of its code
  double perItem() const { return Predicted.Cycles / Items; }
};

class Planner {
public:
  Planner(Module &M, Kernel &K, const RewriteOptions &O, const rules::DeviceFacts &D)
      : M(M), K(K), Opt(O), D(D) {}

  RewriteResult run() {
    Dims = dimensions(K);
    Kernel *Used = cloneKernel(M, K, K.Name);
    dropUnused(M, *Used);
    InGroups = worksInGroups(*Used);
    Before = cost(M, K, D);
    Before.Cycles += bankConflicts(M, K, D, localOf(K));
    Result.Before = Before;
    if (overlaps() || asksForDimensions() || contractsByPlace())
      return std::move(Result);
    for (bool Split : {false, true})
      for (bool Unroll : {false, true})
        for (bool Delocal : {false, true})
          if (std::optional<Base> B = prepare(Unroll, Delocal, Split))
            Bases.push_back(std::move(*B));
    std::vector<EvaluatedCandidate> Evaluated;
    // What does without local memory that is plain memory ranks first: the others are looked at
    // where it does not pay.
    OnlyDelocal = !D.LocalOnChip && !wanted() && !Opt.Diverse;
    for (const Base &B : Bases)
      if (!OnlyDelocal || B.Delocal)
        tryShapes(B, Evaluated);
    if (OnlyDelocal &&
        llvm::none_of(Evaluated, [&](const EvaluatedCandidate &T) { return pays(T); })) {
      OnlyDelocal = false;
      for (const Base &B : Bases)
        if (!B.Delocal)
          tryShapes(B, Evaluated);
    }
    rank(Evaluated);
    tryBetween(Evaluated);
    rank(Evaluated);
    tryFinishes(Evaluated);
    rank(Evaluated);
    std::vector<const EvaluatedCandidate *> Order, Again;
    for (const EvaluatedCandidate &T : Evaluated) {
      if ((!pays(T) || disturbs(T)) && !wanted())
        continue;
      bool Seen = Opt.Diverse && llvm::any_of(Order, [&](const EvaluatedCandidate *X) {
                    return sameShape(X->Shape, T.Shape);
                  });
      (Seen ? Again : Order).push_back(&T);
    }
    llvm::append_range(Order, Again);
    for (const EvaluatedCandidate *T : Order) {
      if (Result.Candidates.size() >= Opt.MaxCandidates)
        break;
      Candidate C = candidate(*T);
      // Two ways may come to the same.
      if (llvm::none_of(Result.Candidates,
                        [&](const Candidate &X) { return X.Source == C.Source; }))
        Result.Candidates.push_back(std::move(C));
    }
    if (Result.Candidates.empty() && Opt.NoLocalSize && groupUse(K))
      note(groupsLeftOpen());
    if (Result.Candidates.empty() && (Result.Refusals.empty() || !Evaluated.empty()))
      Result.Refusals.push_back(
          {Refusal::NothingPays, "plan", "no block shape is predicted to be faster", K.NameRange});
    return std::move(Result);
  }

private:
  Module &M;
  Kernel &K;
  const RewriteOptions &Opt;
  const rules::DeviceFacts &D;
  unsigned Dims = 1;
  bool InGroups = false; ///< the original itself, what it declares in vain left out
  Cost Before;
  RewriteResult Result;
  std::deque<Base> Bases;
  bool OnlyDelocal = false; ///< of these, those without local memory are enough
  /// The block that was finished last, as it was made.
  struct {
    const Base *From = nullptr;
    BlockShape Shape;
    BlockOutcome Outcome;
  } Last;
  /// Buffers that a launch makes one, one of them written: staging cannot tell
  /// the source from what is written meanwhile.
  std::optional<std::pair<std::string, SourceRange>> Shared;

  /// Are X and Y one buffer in some launch? What is one with a third is one.
  bool sameBuffer(const Var *X, const Var *Y) const {
    llvm::SmallVector<llvm::StringRef, 4> Class = {X->Name};
    for (size_t I = 0; I < Class.size(); ++I)
      for (const auto &[A, B] : Opt.SameBuffers)
        for (llvm::StringRef Other : {llvm::StringRef(A == Class[I] ? B : A)})
          if ((A == Class[I] || B == Class[I]) && !llvm::is_contained(Class, Other))
            Class.push_back(Other);
    return llvm::is_contained(Class, llvm::StringRef(Y->Name));
  }

  /// Buffers that the launch passes twice: one item may write where another
  /// reads unless both accesses are at the item's own element.
  bool overlaps() {
    if (Opt.SameBuffers.empty())
      return false;
    KernelAnalysis A(M, K);
    for (const AccessSite &W : A.accesses())
      for (const AccessSite &X : A.accesses())
        if (W.IsWrite && W.A->Base != X.A->Base && sameBuffer(W.A->Base, X.A->Base)) {
          Shared = {W.A->Base->Name + " and " + X.A->Base->Name + " are one buffer in this launch",
                    W.A->Range};
          if (W.Affine && X.Affine && W.Bytes == X.Bytes)
            continue;
          note({Refusal::Aliasing, "plan", Shared->first, Shared->second});
          return true;
        }
    return false;
  }

  /// The launches of a manifest have dimensions of their own.
  bool asksForDimensions() {
    bool Asks = false;
    walk(K.Body, [&](Stmt *S) {
      forEachExpr(*S, [&](const Expr *Root) {
        walk(Root, [&](const Expr *E) {
          if (E->K == ExprKind::WorkItem && E->Query == WorkItemQuery::WorkDim &&
              !std::exchange(Asks, true))
            note({Refusal::LocalIdUse, "plan", "get_work_dim",
                  E->Range.isValid() ? E->Range : S->Range});
          return true;
        });
      });
      return true;
    });
    return Asks;
  }

  RefusalAt groupsLeftOpen() const {
    return {Refusal::LocalIdUse, "vectorize",
            "the kernel depends on its work-groups, and the launch leaves the local size to the "
            "runtime",
            groupUse(K).value_or(K.NameRange)};
  }

  /// An integer argument that launch conditions cannot mean: its name is one of the geometry's.
  const Var *hiddenInConditions(const std::vector<std::string> &When) const {
    for (const Var *P : K.Params)
      if (launch::isReservedName(P->Name) && P->Ty->isScalar() && P->Ty->isInteger() &&
          !When.empty())
        return P;
    return nullptr;
  }

  bool contractsByPlace() {
    std::optional<SourceRange> At = contractionSwitch(M, K);
    if (At)
      note({Refusal::OpaqueConstruct, "plan",
            "FP_CONTRACT is not the same for all that the kernel computes", *At});
    return At.has_value();
  }

  bool wanted() const { return !Opt.Passes.empty(); }
  bool enabled(llvm::StringRef Pass) const {
    return Opt.Passes.empty() || llvm::any_of(Opt.Passes, [&](const std::string &P) {
             return llvm::StringRef(P).split(':').first == Pass;
           });
  }

  void note(const RefusalAt &R) {
    for (const RefusalAt &X : Result.Refusals)
      if (X.Why == R.Why && X.Pass == R.Pass && X.Range.Begin == R.Range.Begin)
        return;
    Result.Refusals.push_back(R);
  }

  /// The kernel in normal form, with loops unrolled and staging removed or not;
  /// nothing if that is what another call gives already.
  std::optional<Base> prepare(bool Unroll, bool Delocal, bool Split) {
    Base B;
    B.Staging.KnownLocal = Opt.KnownLocal;
    Kernel *W = B.K = cloneKernel(M, K, K.Name);
    dropUnused(M, *W); // a local id that nothing reads needs no work-groups
    B.OnlyLanes = Split;
    if (Split && !(enabled("vectorize") && splitComponents(M, *W)))
      return std::nullopt;
    pinForProofs(B, Delocal);
    W = B.K;
    // Where two are one, they are not taken for two.
    std::vector<std::string> *Obligations = Shared ? nullptr : &B.Staging.Obligations;
    normalize(M, *W, Obligations);
    if (scalarizeArrays(M, *W))
      splitLiveRanges(M, *W);
    if (enabled("use-builtins") && useBuiltins(M, *W))
      B.Passes.push_back("use-builtins");
    if (enabled("merge-loads") && shareInLoops(M, *W))
      B.Passes.push_back("merge-loads");
    if (Unroll) {
      if (!unrollConstantLoops(M, *W, 32, 4000))
        return std::nullopt;
      scalarizeArrays(M, *W);
      splitLiveRanges(M, *W);
      shareCoordinates(M, *W);
    }
    if (Delocal) {
      std::vector<RefusalAt> Refusals;
      // On chip, local memory is kept, and filled better where the device copies by itself;
      // elsewhere it goes. Named passes do what they are told.
      bool Keep = enabled("localize") && ((D.LocalOnChip && D.AsyncCopyWorkGroup) || wanted());
      unsigned Done = 0;
      if (Shared && (enabled("localize") || enabled("delocalize")))
        note({Refusal::Aliasing, Keep ? "localize" : "delocalize", Shared->first, Shared->second});
      else if (Keep)
        Done = staged(*W, Refusals, B.Staging);
      else if (enabled("delocalize") && (!D.LocalOnChip || wanted()))
        Done = delocalize(M, *W, Refusals, &B.Staging);
      for (const RefusalAt &R : Refusals)
        note(R);
      if (!Done)
        return std::nullopt;
      if (const Var *P = hiddenInConditions(B.Staging.When)) {
        note({Refusal::GroupGeometry, "delocalize",
              "the launch would have to be compared with " + P->Name +
                  ", a name that stands for the geometry there",
              P->Range});
        return std::nullopt;
      }
      B.Passes.push_back(Keep ? "localize" : "delocalize");
      if (Keep)
        pin(*W, BlockShape(), B.Passes, B.Staging.When);
      normalize(M, *W, Obligations);
      if (mergeArms(M, *W))
        normalize(M, *W, Obligations);
    }
    B.Unrolled = Unroll, B.Delocal = Delocal;
    for (const Base &Other : Bases)
      if (Unroll && !Other.Unrolled && Other.Delocal == Delocal && Other.OnlyLanes == Split &&
          Other.Staging.Obligations == B.Staging.Obligations &&
          Other.Staging.When == B.Staging.When && Other.Staging.LocalMax == B.Staging.LocalMax)
        B.Short = Other.K;
    const Var *Unprintable = unprintable(*W);
    if (Unprintable) {
      note({Refusal::OpaqueConstruct, "plan",
            Unprintable->Name + " is of a type that is declared inside a function",
            Unprintable->Range});
      return std::nullopt;
    }
    B.A = std::make_unique<KernelAnalysis>(M, *W);
    B.Single = cost(M, *W, D);
    B.Single.Cycles += bankConflicts(M, *W, D, localOf(*W));
    return B;
  }

  /// The local size that K is launched with, where that is known; 0 elsewhere.
  std::array<uint64_t, 3> localOf(const Kernel &W) const {
    std::array<uint64_t, 3> Size = Opt.KnownLocal;
    if (W.ReqdWorkGroupSize)
      llvm::copy(*W.ReqdWorkGroupSize, Size.begin());
    return Size;
  }

  /// `pin-work-group-size`: the local size of the launches becomes the kernel's own. The
  /// new kernel runs for that size only.
  bool pin(Kernel &W, const BlockShape &S, std::vector<std::string> &Passes,
           std::vector<std::string> &When) {
    const std::array<uint64_t, 3> &Known = Opt.KnownLocal;
    if (W.ReqdWorkGroupSize || !Known[0])
      return false;
    std::array<uint32_t, 3> Size;
    for (unsigned Dm = 0; Dm < 3; ++Dm) {
      uint64_t N = std::max<uint64_t>(1, Known[Dm]);
      if (N % S.factor(Dm))
        return false;
      Size[Dm] = uint32_t(N / S.factor(Dm));
    }
    W.ReqdWorkGroupSize = Size;
    for (unsigned Dm = 0; Dm < Dims; ++Dm) {
      std::string Text =
          std::string(LocalNames[Dm]) + " == " + std::to_string(std::max<uint64_t>(1, Known[Dm]));
      if (!llvm::is_contained(When, Text))
        When.push_back(Text);
    }
    Passes.push_back("pin-work-group-size");
    return true;
  }

  /// `localize`: what is staged by hand, else what nobody staged.
  unsigned staged(Kernel &W, std::vector<RefusalAt> &Refusals, StagingNeeds &Needs) {
    unsigned Done = localize(M, W, D.AsyncCopyWorkGroup, localOf(W), Refusals, Needs);
    if (Done || !D.LocalOnChip)
      return Done;
    fixLocalSize(M, W, localOf(W));
    // Whether that can be done is said only where it was asked for.
    std::vector<RefusalAt> Ignored;
    return stageReuse(M, W, D, localOf(W), wanted() ? Refusals : Ignored, Needs);
  }

  /// Is anything in local memory shared by work-items, as far as is known?
  bool meetInLocalMemory(Kernel &W) const {
    KernelAnalysis A(M, W);
    llvm::ArrayRef<AccessSite> Sites = A.accesses();
    for (size_t X = 0; X < Sites.size(); ++X)
      for (size_t Y = X; Y < Sites.size(); ++Y)
        if (Sites[X].A->Base->space() == AddressSpace::Local &&
            A.conflict(Sites[X], Sites[Y]) != Conflict::No)
          return true;
    return false;
  }

  /// tile[16 * ly + lx] is every work-item's own where the rows of a group are 16 long. Local
  /// memory that stays is looked at with the launches' own size where nothing less tells its
  /// elements apart; the new kernel is for that size then.
  void pinForProofs(Base &B, bool Delocal) {
    Kernel &W = *B.K;
    if (!enabled("pin-work-group-size") || !Opt.KnownLocal[0] || W.ReqdWorkGroupSize ||
        (Delocal && !D.LocalOnChip) || !worksInGroups(W) || !meetInLocalMemory(W))
      return;
    Kernel *Sized = cloneKernel(M, W, W.Name);
    std::vector<std::string> Passes = B.Passes, When = B.Staging.When;
    if (!pin(*Sized, BlockShape(), Passes, When))
      return;
    fixLocalSize(M, *Sized, Opt.KnownLocal);
    if (meetInLocalMemory(*Sized))
      return;
    B.K = Sized;
    B.Passes = std::move(Passes);
    B.Staging.When = std::move(When);
  }

  /// What pays on the finished kernel: see LocalMemory.h.
  void finish(EvaluatedCandidate &T) {
    Kernel &W = *T.Outcome.K;
    const BlockShape &S = T.Shape;
    std::array<uint64_t, 3> Local = localOf(W);
    if (!W.ReqdWorkGroupSize)
      for (unsigned Dm = 0; Dm < 3; ++Dm)
        Local[Dm] = Local[Dm] % S.factor(Dm) ? 0 : Local[Dm] / S.factor(Dm);
    if (enabled("select") && (D.SimdWidth > 1 || wanted()) && S.Lanes == 1 && selectBranches(M, W))
      T.Passes.push_back("select");
    if (enabled("hoist-arithmetic") && (D.LocalOnChip || wanted()) && hoistArithmetic(M, W))
      T.Passes.push_back("hoist-arithmetic");
    std::vector<RefusalAt> Refusals;
    bool NeedsLocal = false;
    if (enabled("spread-banks") && spreadBanks(M, W, D, Local, Refusals, NeedsLocal)) {
      T.Passes.push_back("spread-banks");
      T.Outcome.Needs.GroupSemantics = true;
    }
    if (wanted())
      for (const RefusalAt &R : Refusals)
        note(R);
    if (enabled("pin-work-group-size") || NeedsLocal)
      if (NeedsLocal || (wanted() ? true : D.LocalOnChip && worksInGroups(W)))
        if (pin(W, S, T.Passes, T.Outcome.Needs.When))
          T.Outcome.Needs.GroupSemantics = true;
  }

  static bool sameShape(const BlockShape &X, const BlockShape &Y) {
    return X.Lanes == Y.Lanes && X.Rows == Y.Rows && (X.Lanes == 1 || X.LaneDim == Y.LaneDim);
  }

  /// Does it pay: fewer cycles, or fewer memory operations and no more cycles.
  /// A rewrite changes the launch, so a little is not enough.
  bool pays(const EvaluatedCandidate &T) const {
    if (T.perItem() * WorthIt <= Before.Cycles)
      return true;
    return T.Predicted.MemoryOps / T.Items * WorthItInMemory <= Before.MemoryOps &&
           T.perItem() <= Before.Cycles;
  }

  /// Work-items that touch each other's elements see when a load is made: there a
  /// single one is left alone, too.
  bool disturbs(const EvaluatedCandidate &T) const {
    return T.Shape.Lanes == 1 && T.Shape.rows() == 1 &&
           (llvm::is_contained(T.Passes, "merge-loads") || T.How.Sums > 1) &&
           !llvm::is_contained(T.Passes, "delocalize") &&
           !llvm::is_contained(T.Passes, "localize") &&
           llvm::any_of(Result.Refusals, [](const RefusalAt &R) {
             return R.Why == Refusal::CrossItemDependence || R.Why == Refusal::DataDependentStore;
           });
  }

  /// The cheapest first. Local memory that is no memory of its own goes wherever it can: with it
  /// go the barriers, which cost more than any model of single work-items says.
  void rank(std::vector<EvaluatedCandidate> &Evaluated) const {
    auto Staged = [](const EvaluatedCandidate &T) {
      return !llvm::is_contained(T.Base->Passes, "delocalize");
    };
    bool Mixed = !D.LocalOnChip && !llvm::all_of(Evaluated, Staged);
    auto Key = [&](const EvaluatedCandidate &T) {
      double Longer = std::max(0.0, T.Nodes - ReadableNodes) / LongNodes;
      return T.perItem() * (Mixed && Staged(T) ? 2 : 1) * (1 + Longer);
    };
    llvm::stable_sort(Evaluated, [&](const EvaluatedCandidate &X, const EvaluatedCandidate &Y) {
      return Key(X) < Key(Y);
    });
  }

  /// Counts between the powers of two, next to the best of these: where four rows fit the registers
  /// and eight do not, five or six may. Along memory they would leave accesses unaligned. A little
  /// better is no reason: what is left over of a size is more.
  void tryBetween(std::vector<EvaluatedCandidate> &Evaluated) {
    if (!enabled("coarsen") || Evaluated.empty())
      return;
    const Base &B = *Evaluated.front().Base;
    const BlockShape Best = Evaluated.front().Shape;
    for (unsigned R = 0; R < Dims; ++R) {
      if (R == B.A->contiguousDimension().value_or(0) || (R == Best.LaneDim && Best.Lanes > 1) ||
          !itemsDifferAlong(K, R))
        continue;
      auto Better = [&](unsigned Count) {
        BlockShape S = Best;
        S.Rows[R] = Count;
        std::optional<double> PerItem = tryShape(B, S, FinishVariant(), Evaluated);
        if (!PerItem || *PerItem <= Evaluated.front().perItem() * 0.97 || Opt.Diverse)
          return PerItem.has_value();
        Evaluated.pop_back();
        return false;
      };
      unsigned Rows = Best.Rows[R];
      // As many as there are: the planes of a picture.
      if (uint64_t All = Opt.LargestGlobal[R]; All == 3 || All == 5)
        Better(All);
      else if (Rows > 1 && !(Rows < 8 && Better(Rows + Rows / 2)) && !(Rows == 4 && Better(5)) &&
               Rows > 2)
        Better(Rows - Rows / 4);
    }
  }

  /// The best shapes again, finished in other ways.
  void tryFinishes(std::vector<EvaluatedCandidate> &Evaluated) {
    bool Loops = false;
    walk(K.Body, [&](Stmt *S) { return !(Loops |= S->K == StmtKind::Loop); });
    std::vector<FinishVariant> Ways;
    if (enabled("merge-loads"))
      Ways.push_back({true, 1});
    if (Loops && enabled("merge-loads"))
      for (unsigned Inner : {4u, 2u})
        Ways.push_back({false, Inner});
    unsigned Most = std::min<size_t>(Evaluated.size(), Opt.Diverse ? 16 : 10);
    std::vector<std::pair<const Base *, BlockShape>> Best;
    for (unsigned I = 0; I < Most; ++I)
      Best.push_back({Evaluated[I].Base, Evaluated[I].Shape});
    for (auto &[B, S] : Best)
      for (const FinishVariant &How : Ways)
        tryShape(*B, S, How, Evaluated);
    trySums(Evaluated);
    // A work-item that walks along memory by itself.
    if (Loops && enabled("merge-loads"))
      for (const Base &B : Bases)
        for (unsigned Inner : {16u, 8u, 4u}) {
          BlockShape Single;
          Single.LaneDim = 3;
          if (!B.OnlyLanes && (!OnlyDelocal || B.Delocal))
            tryShape(B, Single, {false, Inner}, Evaluated);
        }
  }

  /// Loops that sum up, several rounds at once: by one item, or by rows of items that share
  /// what they load.
  void trySums(std::vector<EvaluatedCandidate> &Evaluated) {
    if (!enabled("vectorize"))
      return;
    for (const Base &B : Bases) {
      if (B.OnlyLanes || (OnlyDelocal && !B.Delocal))
        continue;
      Kernel *Probe = cloneKernel(M, *B.K, K.Name);
      if (!sumInLanes(M, *Probe, 2, Opt.ReassociateFloat))
        continue;
      for (unsigned Sums : {16u, 8u, 4u}) {
        FinishVariant How;
        How.Sums = Sums;
        BlockShape S;
        S.LaneDim = 3;
        std::optional<double> One = tryShape(B, S, How, Evaluated);
        for (unsigned R = 0; R < Dims && One && enabled("coarsen"); ++R) {
          std::optional<double> Fewer = itemsDifferAlong(K, R) ? One : std::nullopt;
          for (unsigned Count : {2u, 4u, 8u}) {
            BlockShape T = S;
            T.Rows[R] = Count;
            std::optional<double> PerItem =
                Fewer && Count * Sums <= 64 ? tryShape(B, T, How, Evaluated) : std::nullopt;
            if (!PerItem || (*PerItem > *Fewer * 0.99 && !Opt.Diverse))
              break;
            Fewer = PerItem;
          }
        }
      }
    }
  }

  /// Lanes along memory or none, and then more and more rows, as long as they help.
  void tryShapes(const Base &B, std::vector<EvaluatedCandidate> &Evaluated) {
    std::optional<unsigned> Dim = B.A->contiguousDimension();
    auto Rows = [&](const BlockShape &S) {
      std::optional<double> One = tryShape(B, S, FinishVariant(), Evaluated);
      if (!enabled("coarsen"))
        return;
      for (unsigned R = 0; R < Dims; ++R) {
        if ((R == S.LaneDim && S.Lanes > 1) || !itemsDifferAlong(K, R))
          continue;
        std::optional<double> Fewer = One;
        for (unsigned Count : {2u, 4u, 8u}) {
          BlockShape T = S;
          T.Rows[R] = Count;
          if (Count * S.Lanes > 128)
            break;
          std::optional<double> PerItem = tryShape(B, T, FinishVariant(), Evaluated);
          // What is to be measured is not left to the model.
          if (PerItem && Fewer && *PerItem > *Fewer * 0.99 && !Opt.Diverse)
            break;
          Fewer = PerItem;
        }
      }
    };
    if (enabled("vectorize") && Dim)
      for (unsigned Lanes : {16u, 8u, 4u, 2u}) {
        BlockShape S;
        S.LaneDim = *Dim;
        S.Lanes = Lanes;
        Rows(S);
      }
    if (!B.OnlyLanes) {
      BlockShape Single;
      Single.LaneDim = 3; // none: rows along any
      Rows(Single);
    }
  }

  /// Adds a trial, if the shape is possible and changes something. Returns its
  /// cost for each original work-item.
  std::optional<double> tryShape(const Base &B, const BlockShape &S, const FinishVariant &How,
                                 std::vector<EvaluatedCandidate> &Evaluated) {
    EvaluatedCandidate T;
    T.Base = &B;
    T.Shape = S;
    T.How = How;
    T.Passes = B.Passes;
    bool Blocked = S.Lanes > 1 || S.rows() > 1;
    if (Blocked) {
      for (unsigned Dm = 0; Dm < 3; ++Dm)
        if (uint64_t Global = Opt.LargestGlobal[Dm]; Global && S.factor(Dm) > Global)
          return std::nullopt;
      for (unsigned Dm = 0; Dm < 3; ++Dm)
        if (uint64_t Local = Opt.KnownLocal[Dm]; Local && S.factor(Dm) > 1 && Local % S.factor(Dm))
          if (std::optional<SourceRange> At = groupUse(*B.K)) {
            // Two is the least: a size that does not even divide into pairs leaves no block.
            if (Local % 2)
              note({Refusal::GroupGeometry, "vectorize",
                    "the local size of " + std::to_string(Local) + " does not divide into blocks",
                    At->isValid() ? *At : K.NameRange});
            return std::nullopt;
          }
      // Finished in several ways, it is made once.
      bool Plain = !How.Overlapping && How.Inner == 1 && How.Sums == 1;
      if (Plain || Last.From != &B || Last.Shape.LaneDim != S.LaneDim ||
          !sameShape(Last.Shape, S)) {
        T.Outcome = block(M, *B.K, *B.A, S, B.Short);
        if (!Plain)
          Last = {&B, S, T.Outcome};
      } else {
        T.Outcome = Last.Outcome;
      }
      if (!Plain && T.Outcome.K)
        T.Outcome.K = cloneKernel(M, *T.Outcome.K, K.Name);
      for (const RefusalAt &R : T.Outcome.Refusals)
        note(R);
      if (!T.Outcome.K)
        return std::nullopt;
      if (T.Outcome.Needs.GroupSemantics && Opt.NoLocalSize) {
        note(groupsLeftOpen());
        return std::nullopt;
      }
      if (S.Lanes > 1)
        T.Passes.push_back("vectorize:" + std::to_string(S.Lanes));
      if (S.rows() > 1)
        T.Passes.push_back("coarsen:" + std::to_string(S.rows()));
      if (T.Outcome.K->ReqdWorkGroupSize)
        for (unsigned Dm = 0; Dm < 3; ++Dm)
          (*T.Outcome.K->ReqdWorkGroupSize)[Dm] /= S.factor(Dm);
    } else {
      T.Outcome.K = cloneKernel(M, *B.K, K.Name);
      // The same work-items in the same groups.
      T.Outcome.Needs.GroupSemantics = worksInGroups(*T.Outcome.K);
    }
    for (const std::string &Text : B.Staging.Obligations)
      if (!llvm::is_contained(T.Outcome.Obligations, Text))
        T.Outcome.Obligations.push_back(Text);
    for (unsigned Dm = 0; Dm < 3; ++Dm)
      T.Outcome.Needs.LocalMax[Dm] = B.Staging.LocalMax[Dm].value_or(0);
    T.Outcome.Needs.When = B.Staging.When;
    T.Facts = B.Staging.Facts;
    Kernel &W = *T.Outcome.K;
    if (How.Inner > 1) {
      if (!unrollInner(M, W, How.Inner))
        return std::nullopt;
      splitLiveRanges(M, W);
    }
    if (How.Sums > 1) {
      if (!sumInLanes(M, W, How.Sums, Opt.ReassociateFloat))
        return std::nullopt;
      splitLiveRanges(M, W);
      T.Passes.push_back("vectorize");
    }
    unsigned Merged = enabled("merge-loads") ? mergeLoads(M, W, false) : 0;
    // A way that changes nothing is the plain one.
    if (How.Inner > 1 && !Merged)
      return std::nullopt;
    if (How.Overlapping) {
      unsigned United = mergeLoads(M, W, true);
      if (!United)
        return std::nullopt;
      Merged += United;
    }
    if (Merged && !llvm::is_contained(T.Passes, "merge-loads"))
      T.Passes.push_back("merge-loads");
    bool NoOverlap = false;
    unsigned Packed = enabled("vectorize") ? packStores(M, W, NoOverlap) : 0;
    if (NoOverlap && !llvm::is_contained(T.Outcome.Obligations, NoOverlapText))
      T.Outcome.Obligations.push_back(NoOverlapText.str());
    if (Packed && S.Lanes == 1 && How.Sums == 1)
      T.Passes.push_back("vectorize");
    if (!Blocked && !wanted() && !D.LocalOnChip && !Merged && !Packed && How.Sums == 1 &&
        (B.Passes.empty() || (B.Passes.size() == 1 && B.Passes[0] == "use-builtins")))
      return std::nullopt;
    std::vector<RefusalAt> Ignored;
    if (enabled("narrow") && narrow(M, W, Ignored))
      T.Passes.push_back("narrow");
    if (wanted())
      for (const RefusalAt &R : Ignored)
        note(R);
    if (enabled("strength-reduce") && strengthReduce(M, W))
      T.Passes.push_back("strength-reduce");
    finish(T);
    cleanup(M, W);
    // Dimension 0 walks along memory.
    unsigned Along = S.Lanes > 1            ? S.LaneDim
                     : wanted() && !Blocked ? B.A->contiguousDimension().value_or(0)
                                            : 0;
    if (enabled("swap-dimensions") && (!T.Outcome.Needs.GroupSemantics || wanted()) && Along != 0) {
      swapDimensions(M, W, 0, Along);
      std::swap(T.Axis[0], T.Axis[Along]);
      T.Passes.push_back("swap-dimensions");
    }
    if (T.Passes.empty())
      return std::nullopt;
    T.Predicted = cost(M, W, D);
    T.Nodes = countNodes(W.Body);
    for (unsigned Dm = 0; Dm < 3; ++Dm)
      T.Items *= S.factor(Dm);
    T.Predicted.Cycles += bankConflicts(M, W, D, localOf(W));
    // Blocks at the border of the launch go item by item.
    double Slow = borderShare(T);
    T.Predicted.Cycles += Slow * (B.Single.Cycles * T.Items - T.Predicted.Cycles);
    T.Predicted.MemoryOps += Slow * (B.Single.MemoryOps * T.Items - T.Predicted.MemoryOps);
    T.Predicted.Cycles *= idleLanes(T);
    // Rows alone pay by what they share; that there are fewer work-items is no gain.
    if (S.Lanes == 1 && S.rows() > 1 && !wanted() &&
        T.Predicted.MemoryOps > 0.8 * Before.MemoryOps * T.Items)
      return std::nullopt;
    Evaluated.push_back(std::move(T));
    return Evaluated.back().perItem();
  }

  /// A group that does not fill the lanes that run together leaves the others idle: how
  /// many times more than in the original's groups.
  double idleLanes(const EvaluatedCandidate &T) const {
    std::array<uint64_t, 3> Local = localOf(*T.Base->K);
    if (!T.Outcome.Needs.GroupSemantics || !Local[0] || D.SimdWidth < 2)
      return 1;
    double Old = 1, New = 1;
    for (unsigned Dm = 0; Dm < 3; ++Dm) {
      double N = double(std::max<uint64_t>(1, Local[Dm]));
      Old *= N;
      New *= std::max(1.0, N / T.Shape.factor(Dm));
    }
    double Width = D.SimdWidth;
    return std::max(1.0, Width / New) / std::max(1.0, Width / Old);
  }

  /// Of all blocks, how many do not take the fast path for being at the border?
  double borderShare(const EvaluatedCandidate &T) const {
    constexpr double UsualSize = 1024;
    double Inner = 1;
    for (unsigned Dm = 0; Dm < 3; ++Dm) {
      double Size = Opt.LargestGlobal[Dm] ? double(Opt.LargestGlobal[Dm]) : UsualSize;
      double Blocks = std::max(1.0, Size / T.Shape.factor(Dm));
      Inner *= 1 - std::min(1.0, T.Outcome.Border[Dm] / Blocks);
      // What no whole block holds is left to the original.
      if (Opt.LargestGlobal[Dm])
        Inner *= std::floor(Blocks) / Blocks;
    }
    return 1 - Inner;
  }

  /// Of each buffer that is written and any other, one is restrict.
  bool restrictSaysNoOverlap() const {
    llvm::DenseSet<const Var *> Written;
    walk(K.Body, [&](Stmt *S) {
      if (S->K == StmtKind::Store || S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy)
        Written.insert(S->Acc.Base);
      return true;
    });
    return llvm::all_of(K.Params, [&](const Var *W) {
      return !Written.contains(W) || W->Ty->Restrict || llvm::all_of(K.Params, [&](const Var *X) {
        return X == W || !X->isPointerParam() || X->space() != AddressSpace::Global ||
               X->Ty->Restrict;
      });
    });
  }

  Candidate candidate(const EvaluatedCandidate &T) {
    Candidate C;
    Kernel &W = *T.Outcome.K;
    std::string Suffix;
    if (T.Shape.Lanes > 1)
      Suffix += "_v" + std::to_string(T.Shape.Lanes);
    if (T.Shape.rows() > 1)
      Suffix += "_r" + std::to_string(T.Shape.rows());
    W.Name = K.Name + (Suffix.empty() ? "_m" : Suffix);
    launch::ManifestKernel MK;
    MK.Original = K.Name;
    // The original cannot do a strip by itself if it works in groups; what the
    // block was made from can.
    std::string Tail = K.Name, TailText;
    if (!T.Outcome.Needs.GroupSemantics && !T.Outcome.Needs.WholeBlocks && InGroups) {
      Kernel *Single = cloneKernel(M, *T.Base->K, K.Name + "_single");
      cleanup(M, *Single);
      Single->ReqdWorkGroupSize.reset();
      Tail = Single->Name;
      TailText =
          printKernel(M, *Single,
                      {(RewrittenMarker + K.Name).str(),
                       "One work-item for each of " + K.Name + "'s: the remainder of the blocks.",
                       "Any local size will do."}) +
          "\n";
    }
    MK.Launches = launches(K.Name, W.Name, Tail, Dims, T.Shape, T.Outcome.Needs, T.Axis);
    if (llvm::none_of(MK.Launches,
                      [&](const launch::ManifestLaunch &X) { return X.Kernel == Tail; }))
      TailText.clear();
    // What restrict says already is not assumed.
    std::vector<std::string> Assumed = T.Outcome.Obligations;
    if (restrictSaysNoOverlap())
      llvm::erase(Assumed, NoOverlapText.str());
    for (const std::string &Text : Assumed)
      MK.Obligations.push_back({Text, launch::ObligationState::Assumed});
    for (const std::string &Text : T.Facts)
      MK.Obligations.push_back({Text, launch::ObligationState::Proved});
    MK.Options = Opt.BuildOptions;
    MK.Defines = Opt.Defines;
    MK.Source = launch::sourceHash(M.Files[0].Text);
    MK.Tool = "0.1";
    MK.Passes = T.Passes;
    C.Manifest.Kernels.push_back(MK);
    C.Passes = T.Passes;
    C.PredictedSpeedup = Before.Cycles / std::max(T.perItem(), 1e-9);
    C.After = T.Predicted;
    C.Items = T.Items;
    std::string Text =
        printKernel(M, W, contract(K.Name, Dims, T.Shape, T.Outcome.Needs, T.Axis, Assumed));
    C.Source = spliceFile(M, K, TailText + Text, true, Opt.Defines);
    return C;
  }
};

} // namespace

RewriteResult rewriteKernel(Module &M, Kernel &K, const RewriteOptions &O) {
  const rules::DeviceFacts *Known = rules::findModel(O.Device);
  if (auto Set = rules::resolveDevice(O.Device)) {
    for (const rules::DeviceFacts &F : rules::families())
      if (!Known && ((*Set >> F.Index) & 1))
        Known = &F;
  } else {
    llvm::consumeError(Set.takeError());
  }
  rules::DeviceFacts D = Known ? *Known : *rules::findFamily("generic");
  if (O.VectorBits)
    D.VectorBits8 = D.VectorBits16 = D.VectorBits32 = D.VectorBits64 = D.RegisterBits =
        D.IdealAccessBits = O.VectorBits;
  return Planner(M, K, O, D).run();
}

} // namespace clmali::rewrite
