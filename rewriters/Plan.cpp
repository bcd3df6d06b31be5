//===-- rewriters/Plan.cpp - Which passes, in which shape -----------------===//
//
// The planner: normalizes the kernel, tries block shapes (which dimension
// becomes lanes, how many, how many rows), runs the passes on each, and ranks
// the results by the device's cost model. It writes the source and the manifest
// of each candidate.
//
//===----------------------------------------------------------------------===//

#include "rewriters/Rewrite.h"

#include "rewriters/Block.h"
#include "rewriters/Cost.h"
#include "rewriters/LocalMemory.h"
#include "rewriters/Passes.h"
#include "rewriters/Print.h"
#include "rules/Models.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <deque>

namespace clmali::rewrite {

using namespace model;

llvm::StringRef refusalName(Refusal R) {
  switch (R) {
  case Refusal::None: return "none";
  case Refusal::CrossItemDependence: return "cross-item-dependence";
  case Refusal::DataDependentStore: return "data-dependent-store";
  case Refusal::DivergentBarrier: return "divergent-barrier";
  case Refusal::DivergentLoop: return "divergent-loop";
  case Refusal::StagingModified: return "staging-modified";
  case Refusal::StagingSourceWritten: return "staging-source-written";
  case Refusal::StagingNotACopy: return "staging-not-a-copy";
  case Refusal::VolatileAccess: return "volatile-access";
  case Refusal::Atomic: return "atomic";
  case Refusal::InlineAssembly: return "inline-assembly";
  case Refusal::LocalIdUse: return "local-id-use";
  case Refusal::GroupGeometry: return "group-geometry";
  case Refusal::IndexOverflow: return "index-overflow";
  case Refusal::NarrowingOverflow: return "narrowing-overflow";
  case Refusal::OpaqueConstruct: return "opaque-construct";
  case Refusal::Aliasing: return "aliasing";
  case Refusal::UnsupportedType: return "unsupported-type";
  case Refusal::UnstructuredControl: return "unstructured-control";
  case Refusal::NothingPays: return "nothing-pays";
  }
  return "none";
}

llvm::StringRef refusalAdvice(Refusal R) {
  switch (R) {
  case Refusal::None:
    return "";
  case Refusal::CrossItemDependence:
    return "A work-item may touch an element that another work-item writes, so their order matters. Write the results to a buffer of their own.";
  case Refusal::DataDependentStore:
    return "Where a work-item stores is read from memory, so two lanes may store to one element. Make the store's index a function of the work-item's ids.";
  case Refusal::DivergentBarrier:
    return "Not all work-items of a group reach this barrier, which OpenCL forbids. Move the barrier out of the branch.";
  case Refusal::DivergentLoop:
    return "Neighbouring work-items run this loop a different number of times, so they cannot run as lanes. Give the loop a bound that is the same for neighbours.";
  case Refusal::StagingModified:
    return "The local copy is changed before it is read, so reads cannot go to the source. Keep the copy unchanged, or leave the kernel as it is.";
  case Refusal::StagingSourceWritten:
    return "The global memory that was copied is written while the copy is in use. Write to another buffer.";
  case Refusal::StagingNotACopy:
    return "Local memory holds computed values, not a copy of global memory. There is nothing to read instead.";
  case Refusal::VolatileAccess:
    return "A volatile access must happen as it is written. Drop volatile where nothing outside the kernel changes the memory.";
  case Refusal::Atomic:
    return "Atomics order work-items, so they cannot become lanes. Sum up within the work-item first and use one atomic for the sum.";
  case Refusal::InlineAssembly:
    return "Inline assembly cannot be understood or moved to another GPU. Write it in OpenCL C.";
  case Refusal::LocalIdUse:
    return "The kernel depends on ids or offsets in a way that a block of work-items would change. Use global ids.";
  case Refusal::GroupGeometry:
    return "The kernel works in groups whose size is not known to divide into blocks. Give the local size in the launch file.";
  case Refusal::IndexOverflow:
    return "An index type may wrap around inside a block. Use int or size_t for indices.";
  case Refusal::NarrowingOverflow:
    return "The values do not fit a narrower type. Bound them, or keep the wide type.";
  case Refusal::OpaqueConstruct:
    return "The model cannot represent this construct, so nothing is known of what it does. Move it out of the kernel or write it in plainer OpenCL C.";
  case Refusal::Aliasing:
    return "Buffers may overlap, so reads and writes cannot change places. Qualify the pointers with restrict if they do not.";
  case Refusal::UnsupportedType:
    return "Values of this type cannot become lanes. Use scalars that differ between work-items.";
  case Refusal::UnstructuredControl:
    return "Neighbouring work-items leave this code at different places. Compute the result first and branch once at the end.";
  case Refusal::NothingPays:
    return "The rewrite is legal but not predicted to be faster on this device. Nothing needs to change.";
  }
  return "";
}

namespace {

using launch::Expression;

/// A rewrite changes the launch: below this predicted speed-up nothing pays.
constexpr double WorthIt = 1.25;
/// ... unless so many times fewer memory operations are made.
constexpr double WorthItInMemory = 1.3;

Expression expr(const llvm::Twine &Text) {
  std::string S = Text.str();
  auto E = Expression::parse(S);
  if (!E) {
    llvm::consumeError(E.takeError());
    return Expression::constant(0);
  }
  return *E;
}

const char *const G[] = {"gx", "gy", "gz"};
const char *const L[] = {"lx", "ly", "lz"};
const char *const O[] = {"ox", "oy", "oz"};

/// Is there an id of dimension D in K? Where there is none, the work-items along
/// D all do the same, and a block of them only does it again.
bool itemsDifferAlong(const Kernel &K, unsigned D) {
  bool Found = false;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Found |= E->K == ExprKind::WorkItem && E->Dim == D &&
                 (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId ||
                  E->Query == WorkItemQuery::GroupId);
        return !Found;
      });
    });
    return !Found;
  });
  return Found;
}

/// Dimensions that a launch of K must have: the highest that it asks about.
unsigned dimensions(const Kernel &K) {
  unsigned D = 1;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::WorkItem && E->Query != WorkItemQuery::WorkDim)
          D = std::max<unsigned>(D, E->Dim + 1);
        return true;
      });
    });
    return true;
  });
  return D;
}

/// The launches that replace one launch of Original. Axis: the new kernel's
/// dimension d walks the original's Axis[d].
/// TailKernel does what blocks leave over; the original, if it needs no groups.
std::vector<launch::ManifestLaunch> launches(llvm::StringRef Original, llvm::StringRef New,
                                             llvm::StringRef TailKernel, unsigned Dims, const BlockShape &S,
                                             const BlockNeeds &Needs, std::array<unsigned, 3> Axis) {
  std::vector<launch::ManifestLaunch> Out;
  std::vector<std::string> Conditions;
  for (unsigned D = 0; D < 3; ++D) {
    unsigned F = S.factor(D);
    std::string N = std::to_string(F);
    if (D >= Dims) {
      Conditions.push_back(std::string(G[D]) + " == 1");
      continue;
    }
    if (Needs.IdsBelow2G)
      Conditions.push_back(std::string(G[D]) + " + " + O[D] + " < 2147483648");
    if (F == 1)
      continue;
    Conditions.push_back(std::string(G[D]) + (Needs.WholeBlocks ? " % " + N + " == 0" : " >= " + N));
    Conditions.push_back(std::string(O[D]) + " % " + N + " == 0");
    if (Needs.GroupSemantics)
      Conditions.push_back("lx > 0 && " + std::string(L[D]) + " > 0 && " + L[D] + " % " + N +
                           " == 0 && " + G[D] + " % max(" + L[D] + ", 1) == 0");
  }
  for (unsigned D = 0; D < Dims; ++D)
    if (Needs.LocalMax[D])
      Conditions.push_back("lx > 0 && " + std::string(L[D]) + " <= " + std::to_string(Needs.LocalMax[D]));
  llvm::append_range(Conditions, Needs.When);
  std::string When = Conditions.empty() ? "1" : llvm::join(Conditions, " && ");

  launch::ManifestLaunch Main;
  Main.Kernel = New.str();
  Main.When = expr(When);
  std::vector<Expression> Local;
  for (unsigned I = 0; I < Dims; ++I) {
    unsigned D = Axis[I], F = S.factor(D);
    std::string Div = F > 1 ? " / " + std::to_string(F) : "";
    Main.Global.push_back(expr(G[D] + Div));
    Main.Offset.push_back(expr(O[D] + Div));
    Local.push_back(expr(L[D] + Div));
  }
  if (Needs.GroupSemantics)
    Main.Local = Local;
  Out.push_back(Main);

  // What is left over: a strip for each blocked dimension, by the original.
  if (!Needs.GroupSemantics && !Needs.WholeBlocks)
    for (unsigned D = 0; D < Dims; ++D) {
      unsigned F = S.factor(D);
      if (F == 1)
        continue;
      launch::ManifestLaunch Tail;
      Tail.Kernel = TailKernel.str();
      Tail.When = expr(When + " && " + G[D] + " % " + std::to_string(F) + " != 0");
      for (unsigned I = 0; I < Dims; ++I) {
        unsigned FI = S.factor(I);
        std::string Rem = std::string(G[I]) + " % " + std::to_string(FI);
        if (I == D) {
          Tail.Global.push_back(expr(Rem));
          Tail.Offset.push_back(expr(std::string(O[I]) + " + " + G[I] + " - " + Rem));
        } else {
          Tail.Global.push_back(expr(I < D && FI > 1 ? std::string(G[I]) + " - " + Rem : std::string(G[I])));
          Tail.Offset.push_back(expr(O[I]));
        }
      }
      Out.push_back(Tail);
    }

  if (When != "1") {
    launch::ManifestLaunch Whole;
    Whole.Kernel = Original.str();
    Whole.When = expr("(" + When + ") == 0");
    std::vector<Expression> WholeLocal;
    for (unsigned D = 0; D < 3; ++D) {
      Whole.Global.push_back(expr(G[D]));
      Whole.Offset.push_back(expr(O[D]));
      WholeLocal.push_back(expr(D ? std::string("max(") + L[D] + ", min(lx, 1))" : std::string("lx")));
    }
    Whole.Local = WholeLocal;
    Out.push_back(Whole);
  }
  return Out;
}

/// Does K work in groups: barriers, local memory, local or group ids?
bool worksInGroups(const Kernel &K) {
  bool Groups = K.ReqdWorkGroupSize.has_value();
  for (const Var *V : K.Vars)
    Groups |= V->K == Var::Memory && V->AS == AddressSpace::Local;
  for (const Var *P : K.Params)
    Groups |= P->isPointerParam() && P->Ty->AS == AddressSpace::Local;
  walk(K.Body, [&](Stmt *S) {
    Groups |= S->K == StmtKind::Barrier || S->K == StmtKind::AsyncCopy;
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Groups |= E->K == ExprKind::WorkItem &&
                  (E->Query == WorkItemQuery::LocalId || E->Query == WorkItemQuery::GroupId ||
                   E->Query == WorkItemQuery::LocalSize || E->Query == WorkItemQuery::NumGroups);
        return true;
      });
    });
    return true;
  });
  return Groups;
}

/// The launches in words, for the comment above the kernel.
std::vector<std::string> contract(llvm::StringRef Original, unsigned Dims, const BlockShape &S,
                                  const BlockNeeds &Needs, std::array<unsigned, 3> Axis,
                                  llvm::ArrayRef<std::string> Obligations) {
  std::vector<std::string> Lines;
  std::string What = (RewrittenMarker + Original).str();
  Lines.push_back(What);
  std::string Block;
  for (unsigned D = 0; D < Dims; ++D)
    Block += (D ? " x " : "") + std::to_string(S.factor(D));
  std::string Global;
  for (unsigned I = 0; I < Dims; ++I) {
    unsigned D = Axis[I], F = S.factor(D);
    Global += (I ? ", " : "") + std::string(G[D]) + (F > 1 ? " / " + std::to_string(F) : "");
  }
  bool Blocked = Block.find_first_not_of("1 x") != std::string::npos;
  bool Swapped = Axis != std::array<unsigned, 3>{0, 1, 2};
  if (!Blocked && !Swapped) {
    Lines.push_back(Needs.GroupSemantics
                        ? "Launch it as " + Original.str() + ": the global and the local size are the same."
                        : "Launch it with the global size of " + Original.str() + "; any local size will do.");
  } else {
    if (Blocked)
      Lines.push_back("Each work-item does a block of " + Block + " work-items of " + Original.str() + ".");
    Lines.push_back("Launch with global size (" + Global + ") for " + Original.str() + "'s (" +
                    llvm::join(llvm::ArrayRef(G, Dims), ", ") + "); see the manifest for the remainder.");
    if (Needs.GroupSemantics)
      Lines.push_back(std::string("The local size is ") + (Blocked ? "divided" : "turned") +
                      " in the same way: the work-groups are the same.");
  }
  std::vector<std::string> Only;
  for (unsigned D = 0; D < Dims; ++D)
    if (Needs.LocalMax[D])
      Only.push_back(std::string(L[D]) + " <= " + std::to_string(Needs.LocalMax[D]));
  for (const std::string &When : Needs.When)
    Only.push_back(llvm::StringRef(When).starts_with("lx > 0 && ") ? When.substr(10) : When);
  if (!Only.empty())
    Lines.push_back("Only for a local size (" + llvm::join(llvm::ArrayRef(L, Dims), ", ") + ") with " +
                    llvm::join(Only, " and ") + "; " + Original.str() + " itself does the others.");
  for (const std::string &Text : Obligations)
    Lines.push_back("Assumed: " + Text + ".");
  return Lines;
}

/// How a blocked kernel is finished; a few ways are tried on the best shapes.
struct Finish {
  bool Overlapping = false; ///< merge-loads also unites vector loads that share elements
  unsigned Inner = 1;       ///< innermost loops unrolled, so that their loads become neighbours
};

/// The kernel in normal form, as blocks are made from it.
struct Base {
  Kernel *K = nullptr;
  std::unique_ptr<KernelAnalysis> A;
  std::vector<std::string> Passes; ///< applied already
  StagingNeeds Staging;            ///< what they need of the launch
  bool OnlyLanes = false;          ///< components are scalars: no form for single items
};

struct Trial {
  const struct Base *Base = nullptr; ///< what the block was made from
  BlockShape Shape;
  Finish How;
  BlockOutcome Outcome;
  std::vector<std::string> Passes;
  std::vector<std::string> Facts; ///< proved, for the manifest
  std::array<unsigned, 3> Axis = {0, 1, 2};
  Cost Predicted;
  double Items = 1; ///< original work-items that one does
  double perItem() const { return Predicted.Cycles / Items; }
};

class Planner {
public:
  Planner(Module &M, Kernel &K, const RewriteOptions &O, const rules::DeviceFacts &D)
      : M(M), K(K), Opt(O), D(D) {}

  RewriteResult run() {
    Dims = dimensions(K);
    Before = cost(M, K, D);
    Before.Cycles += bankConflicts(M, K, D, localOf(K));
    Result.Before = Before;
    if (overlaps())
      return std::move(Result);
    for (bool Split : {false, true})
      for (bool Unroll : {false, true})
        for (bool Delocal : {false, true})
          if (std::optional<Base> B = prepare(Unroll, Delocal, Split))
            Bases.push_back(std::move(*B));
    std::vector<Trial> Trials;
    for (const Base &B : Bases)
      tryShapes(B, Trials);
    rank(Trials);
    tryFinishes(Trials);
    rank(Trials);
    std::vector<const Trial *> Order, Again;
    for (const Trial &T : Trials) {
      if ((!pays(T) || disturbs(T)) && !wanted())
        continue;
      bool Seen = Opt.Diverse && llvm::any_of(Order, [&](const Trial *X) { return sameShape(X->Shape, T.Shape); });
      (Seen ? Again : Order).push_back(&T);
    }
    llvm::append_range(Order, Again);
    for (const Trial *T : Order) {
      if (Result.Candidates.size() >= Opt.MaxCandidates)
        break;
      Candidate C = candidate(*T);
      // Two ways may come to the same.
      if (llvm::none_of(Result.Candidates, [&](const Candidate &X) { return X.Source == C.Source; }))
        Result.Candidates.push_back(std::move(C));
    }
    if (Result.Candidates.empty() && (Result.Refusals.empty() || !Trials.empty()))
      Result.Refusals.push_back({Refusal::NothingPays, "plan", "no block shape is predicted to be faster", K.NameRange});
    return std::move(Result);
  }

private:
  Module &M;
  Kernel &K;
  const RewriteOptions &Opt;
  const rules::DeviceFacts &D;
  unsigned Dims = 1;
  Cost Before;
  RewriteResult Result;
  std::deque<Base> Bases;

  /// Buffers that the launch passes twice: one item may write where another
  /// reads unless both accesses are at the item's own element.
  bool overlaps() {
    if (Opt.SameBuffers.empty())
      return false;
    KernelAnalysis A(M, K);
    auto Same = [&](const Var *X, const Var *Y) {
      return llvm::any_of(Opt.SameBuffers, [&](const auto &P) {
        return (P.first == X->Name && P.second == Y->Name) || (P.first == Y->Name && P.second == X->Name);
      });
    };
    for (const AccessSite &W : A.accesses())
      for (const AccessSite &X : A.accesses())
        if (W.IsWrite && W.A->Base != X.A->Base && Same(W.A->Base, X.A->Base) &&
            !(W.Affine && X.Affine && W.Bytes == X.Bytes)) {
          note({Refusal::Aliasing, "plan", W.A->Base->Name + " and " + X.A->Base->Name + " are one buffer in this launch", W.A->Range});
          return true;
        }
    return false;
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
    B.OnlyLanes = Split;
    if (Split && !(enabled("vectorize") && splitComponents(M, *W)))
      return std::nullopt;
    normalize(M, *W);
    if (scalarizeArrays(M, *W))
      splitWebs(M, *W);
    if (enabled("use-builtins") && useBuiltins(M, *W))
      B.Passes.push_back("use-builtins");
    if (Unroll) {
      if (!unrollConstantLoops(M, *W, 32, 4000))
        return std::nullopt;
      scalarizeArrays(M, *W);
      splitWebs(M, *W);
    }
    if (Delocal) {
      std::vector<RefusalAt> Refusals;
      // On chip, local memory is kept and filled better; elsewhere it goes. Named passes
      // do what they are told.
      bool Keep = enabled("localize") && (D.LocalOnChip || wanted());
      unsigned Done = 0;
      if (Keep)
        Done = localize(M, *W, D.AsyncCopyWorkGroup, localOf(*W), Refusals, B.Staging);
      else if (enabled("delocalize") && (!D.LocalOnChip || wanted()))
        Done = delocalize(M, *W, Refusals, &B.Staging);
      for (const RefusalAt &R : Refusals)
        note(R);
      if (!Done)
        return std::nullopt;
      B.Passes.push_back(Keep ? "localize" : "delocalize");
      if (Keep)
        pin(*W, BlockShape(), B.Passes, B.Staging.When);
      normalize(M, *W);
    }
    B.A = std::make_unique<KernelAnalysis>(M, *W);
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
  bool pin(Kernel &W, const BlockShape &S, std::vector<std::string> &Passes, std::vector<std::string> &When) {
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
      std::string Text = std::string(L[Dm]) + " == " + std::to_string(std::max<uint64_t>(1, Known[Dm]));
      if (!llvm::is_contained(When, Text))
        When.push_back(Text);
    }
    Passes.push_back("pin-work-group-size");
    return true;
  }

  /// What pays on the finished kernel: see LocalMemory.h.
  void finish(Trial &T) {
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
  bool pays(const Trial &T) const {
    if (T.perItem() * WorthIt <= Before.Cycles)
      return true;
    return T.Predicted.MemoryOps / T.Items * WorthItInMemory <= Before.MemoryOps && T.perItem() <= Before.Cycles;
  }

  /// Work-items that touch each other's elements see when a load is made: there a
  /// single one is left alone, too.
  bool disturbs(const Trial &T) const {
    return T.Shape.Lanes == 1 && T.Shape.rows() == 1 && llvm::is_contained(T.Passes, "merge-loads") &&
           !llvm::is_contained(T.Passes, "delocalize") && !llvm::is_contained(T.Passes, "localize") &&
           llvm::any_of(Result.Refusals, [](const RefusalAt &R) {
             return R.Why == Refusal::CrossItemDependence || R.Why == Refusal::DataDependentStore;
           });
  }

  static void rank(std::vector<Trial> &Trials) {
    llvm::stable_sort(Trials, [](const Trial &X, const Trial &Y) { return X.perItem() < Y.perItem(); });
  }

  /// The best shapes again, finished in other ways.
  void tryFinishes(std::vector<Trial> &Trials) {
    bool Loops = false;
    walk(K.Body, [&](Stmt *S) { return !(Loops |= S->K == StmtKind::Loop); });
    std::vector<Finish> Ways;
    if (enabled("merge-loads"))
      Ways.push_back({true, 1});
    if (Loops && enabled("merge-loads"))
      for (unsigned Inner : {4u, 2u})
        Ways.push_back({false, Inner});
    unsigned Most = std::min<size_t>(Trials.size(), Opt.Diverse ? 16 : 10);
    std::vector<std::pair<const Base *, BlockShape>> Best;
    for (unsigned I = 0; I < Most; ++I)
      Best.push_back({Trials[I].Base, Trials[I].Shape});
    for (auto &[B, S] : Best)
      for (const Finish &How : Ways)
        tryShape(*B, S, How, Trials);
    // A work-item that walks along memory by itself.
    if (Loops && enabled("merge-loads"))
      for (const Base &B : Bases)
        for (unsigned Inner : {16u, 8u, 4u}) {
          BlockShape Single;
          Single.LaneDim = 3;
          if (!B.OnlyLanes)
            tryShape(B, Single, {false, Inner}, Trials);
        }
  }

  /// Lanes along memory or none, and then more and more rows, as long as they help.
  void tryShapes(const Base &B, std::vector<Trial> &Trials) {
    std::optional<unsigned> Dim = B.A->contiguousDimension();
    auto Rows = [&](const BlockShape &S) {
      std::optional<double> One = tryShape(B, S, Finish(), Trials);
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
          std::optional<double> PerItem = tryShape(B, T, Finish(), Trials);
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
  std::optional<double> tryShape(const Base &B, const BlockShape &S, const Finish &How, std::vector<Trial> &Trials) {
    Trial T;
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
        if (uint64_t Local = Opt.KnownLocal[Dm]; Local && S.factor(Dm) > 1 && Local % S.factor(Dm) &&
                                                 worksInGroups(*B.K))
          return std::nullopt;
      T.Outcome = block(M, *B.K, *B.A, S);
      for (const RefusalAt &R : T.Outcome.Refusals)
        note(R);
      if (!T.Outcome.K)
        return std::nullopt;
      if (T.Outcome.Needs.GroupSemantics && Opt.NoLocalSize) {
        note({Refusal::LocalIdUse, "vectorize", "the kernel depends on its work-groups, and the launch leaves the local size to the runtime", K.NameRange});
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
      splitWebs(M, W);
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
    if (Merged)
      T.Passes.push_back("merge-loads");
    bool NoOverlap = false;
    unsigned Packed = enabled("vectorize") ? packStores(M, W, NoOverlap) : 0;
    if (NoOverlap && !llvm::is_contained(T.Outcome.Obligations, NoOverlapText))
      T.Outcome.Obligations.push_back(NoOverlapText.str());
    if (Packed && S.Lanes == 1)
      T.Passes.push_back("vectorize");
    if (!Blocked && !wanted() && !D.LocalOnChip && !Merged && !Packed &&
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
    unsigned Along = S.Lanes > 1 ? S.LaneDim : wanted() && !Blocked ? B.A->contiguousDimension().value_or(0) : 0;
    if (enabled("swap-dimensions") && (!T.Outcome.Needs.GroupSemantics || wanted()) && Along != 0) {
      swapDimensions(M, W, 0, Along);
      std::swap(T.Axis[0], T.Axis[Along]);
      T.Passes.push_back("swap-dimensions");
    }
    if (T.Passes.empty())
      return std::nullopt;
    T.Predicted = cost(M, W, D);
    for (unsigned Dm = 0; Dm < 3; ++Dm)
      T.Items *= S.factor(Dm);
    T.Predicted.Cycles += bankConflicts(M, W, D, localOf(W));
    // Rows alone pay by what they share; that there are fewer work-items is no gain.
    if (S.Lanes == 1 && S.rows() > 1 && !wanted() && T.Predicted.MemoryOps > 0.8 * Before.MemoryOps * T.Items)
      return std::nullopt;
    Trials.push_back(std::move(T));
    return Trials.back().perItem();
  }

  Candidate candidate(const Trial &T) {
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
    if (!T.Outcome.Needs.GroupSemantics && !T.Outcome.Needs.WholeBlocks && worksInGroups(K)) {
      Kernel *Single = cloneKernel(M, *T.Base->K, K.Name + "_single");
      cleanup(M, *Single);
      Single->ReqdWorkGroupSize.reset();
      Tail = Single->Name;
      TailText = printKernel(M, *Single, {(RewrittenMarker + K.Name).str(),
                                          "One work-item for each of " + K.Name + "'s: the remainder of the blocks.",
                                          "Any local size will do."}) + "\n";
    }
    MK.Launches = launches(K.Name, W.Name, Tail, Dims, T.Shape, T.Outcome.Needs, T.Axis);
    if (llvm::none_of(MK.Launches, [&](const launch::ManifestLaunch &X) { return X.Kernel == Tail; }))
      TailText.clear();
    for (const std::string &Text : T.Outcome.Obligations)
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
    std::string Text = printKernel(M, W, contract(K.Name, Dims, T.Shape, T.Outcome.Needs, T.Axis, T.Outcome.Obligations));
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
    D.VectorBits8 = D.VectorBits16 = D.VectorBits32 = D.VectorBits64 = D.RegisterBits = D.IdealAccessBits = O.VectorBits;
  return Planner(M, K, O, D).run();
}

} // namespace clmali::rewrite
