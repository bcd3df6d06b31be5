//===-- rewriters/pass/Passes.h - The passes over the model ----------*- C++ -*-===//
//
// The transformations that the passes are made of (Pass.h), as functions. Each changes a kernel in
// place, keeps its meaning bit by bit, and returns the number of changes; 0: it did not apply.
// Those that analyse the kernel take it with its analysis, which is stale after a change: edited().
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_PASSES_H
#define CLMALI_REWRITERS_PASS_PASSES_H

#include "checks/model/launch/LaunchFacts.h"
#include "checks/model/pattern/LoadGroups.h"
#include "rewriters/pass/EditedKernel.h"
#include "rewriters/pass/LaunchContract.h"
#include "rewriters/pass/Options.h"
#include "rewriters/pass/Refusal.h"
#include "rules/Devices.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::rewrite {

/// A deep copy of K under another name, for a pass to change.
model::Kernel *cloneKernel(model::Module &M, const model::Kernel &K, llvm::StringRef Name);

/// The statements and variables of a kernel, to go back to when a change of it fails half-way.
class SavedKernel {
public:
  explicit SavedKernel(const EditedKernel &E)
      : Edited(E),
        Body(model::cloneStmts(E.module(), E.kernel().Body, [](model::Var *V) { return V; })),
        Vars(E.kernel().Vars) {}
  void restore() {
    Edited.kernel().Body = std::move(Body);
    Edited.kernel().Vars = std::move(Vars);
    Edited.edited();
  }

private:
  const EditedKernel Edited;
  model::StmtList Body;
  std::vector<model::Var *> Vars;
};

/// Does the declaration of V in the source spell Name?
bool spells(const model::Module &M, const model::Var &V, llvm::StringRef Name);

/// V's name without the number that made it one of several (x_2 was x), where the source says so.
llvm::StringRef sourceName(const model::Module &M, const model::Var &V);

/// A name that no variable of K has yet: Base, or Base_2 ...
std::string uniqueName(const model::Kernel &K, llvm::StringRef Base);
/// A new variable of K with such a name.
model::Var *newTemp(model::Module &M, model::Kernel &K, llvm::StringRef Base,
                    const model::Type *Ty);
/// The declaration of a new variable of K that holds E. It is not placed.
model::Stmt *declareTemp(model::Module &M, model::Kernel &K, llvm::StringRef Base,
                         const model::Expr *E, model::SourceRange At = {});

/// Volatile local memory becomes ordinary where no work-item accesses what another one writes
/// between the same barriers. FloatsKeepOrder: no option lets the compiler contract or reorder
/// operations on floats, which volatile prevents.
unsigned dropLocalVolatile(const EditedKernel &E, bool FloatsKeepOrder);

/// True if B has a statement from which on other work-items may write what this one has accessed:
/// a barrier, an atomic operation, or one that is not known.
bool letsOthersWrite(const model::StmtList &B);

/// Brings a lifted kernel into the form that the other passes expect: live
/// ranges split, conditional loads of varying conditions made statements, constants
/// folded.
/// What it assumes goes to Obligations; null: it assumes nothing.
void normalize(const EditedKernel &E, std::vector<std::string> *Obligations = nullptr);

/// Values that K computes as one of M's pure helpers does become its calls, of those that the
/// original calls (Helpers). Only for printing: no pass knows what a call computes. Returns the
/// number of calls.
unsigned callHelpers(model::Module &M, model::Kernel &K, llvm::ArrayRef<std::string> Helpers);

/// `use-builtins`: ternaries and if-chains that are min, max or clamp (integers).
unsigned useBuiltins(const EditedKernel &E);

/// `use-address-mode`: borders of images that the kernel makes by hand become the address mode of a
/// constant sampler. What it assumes of border colours goes to the contract.
unsigned useAddressModes(const EditedKernel &E, const model::LaunchFacts &Launch,
                         LaunchContract &Contract);

/// `exchange-images`: buffers take the place of images that are only written. They go to the
/// contract, with the conditions under which other arguments have their extents.
unsigned exchangeImages(const EditedKernel &E, const model::LaunchFacts &Launch,
                        LaunchContract &Contract);

/// How much there is to read: statements and expression nodes.
unsigned countNodes(const model::StmtList &B);

/// Unrolls counted loops of constant trip count up to MaxTrips whose unrolled
/// size stays under MaxNodes expression nodes.
unsigned unrollConstantLoops(const EditedKernel &E, unsigned MaxTrips, unsigned MaxNodes);

/// Variables with one definition, an integer constant, are replaced by it, other than those in
/// Kept. Returns the number of expressions that changed.
unsigned propagateConstants(model::Module &M, model::Kernel &K, const llvm::StringSet<> &Kept = {});
/// The names of variables that are declared with a constant as their only value.
llvm::StringSet<> namedConstants(const model::Kernel &K);

/// Vectors that only put lanes of other vectors together, and of which only lanes are used, go.
/// Returns how many.
unsigned composeShuffles(model::Module &M, model::Kernel &K);

/// What is computed twice from the same things becomes one variable.
unsigned shareValues(model::Module &M, model::Kernel &K);

/// all() and any() of comparisons of short vectors become conditions on their components.
void testComponents(model::Module &M, model::Kernel &K);

/// Part of `merge-loads`: what was loaded before a loop is not loaded in each iteration.
unsigned shareInLoops(model::Module &M, model::Kernel &K);

/// Variables that each iteration of a counted loop moves alike become functions of its counter.
unsigned closeInductions(const EditedKernel &E);

/// Returns inside loops leave the loops and skip the statements after them.
unsigned leaveLoops(model::Module &M, model::Kernel &K);

/// The counter of a loop with a break that is read after the loop becomes two variables: the loop
/// counts in its own, and k follows it in `for (k = 0; k < n; ++k) if (..) break; .. k`.
unsigned countApart(const EditedKernel &E);

/// Private arrays that only constants index become a variable for each element.
unsigned scalarizeArrays(model::Module &M, model::Kernel &K);

/// Unrolls innermost counted loops of step 1 by Factor, with a remainder loop, that run often
/// enough in these launches.
unsigned unrollInner(const EditedKernel &E, unsigned Factor, const model::LaunchFacts &Launch = {});

/// Innermost reduction loops take Lanes iterations at once, with a partial sum in
/// each lane. Reassociate: sums of floating point too, which changes bits.
unsigned sumInLanes(const EditedKernel &E, unsigned Lanes, bool Reassociate,
                    const model::LaunchFacts &Launch = {});

/// What staging and its removal require of the launch, and the local size that they may rely on.
struct StagingNeeds : LaunchContract {
  model::WorkSize KnownLocal = {0, 0, 0}; ///< input: the local size, where all launches agree
};

/// `delocalize`: pure copies of global memory into local memory go, with their
/// barriers; reads go to the source. Without Needs, tiles that need a bound of
/// the local size are refused.
unsigned delocalize(const EditedKernel &E, std::vector<RefusalAt> &Refusals,
                    StagingNeeds *Needs = nullptr);

/// `localize`: tiles that a group fills by hand are filled by async copies, from groups
/// of MinGroup work-items on. Local: the local size, 0 where it is not known.
unsigned localize(const EditedKernel &E, unsigned MinGroup, model::WorkSize Local,
                  std::vector<RefusalAt> &Refusals, StagingNeeds &Needs);

/// `localize` without staging in the source: elements of a buffer that several work-items of a
/// group read are copied first. Returns the number of buffers.
unsigned stageReuse(const EditedKernel &E, const rules::DeviceFacts &D, model::WorkSize Local,
                    std::vector<RefusalAt> &Refusals, StagingNeeds &Needs);

/// `spread-banks`: arrays in local memory are compacted or padded so that work-items conflict in
/// fewer banks. NeedsLocal: the result is right for the local size Local only.
unsigned spreadBanks(const EditedKernel &E, const rules::DeviceFacts &D, model::WorkSize Local,
                     std::vector<RefusalAt> &Refusals, bool &NeedsLocal);

/// `hoist-arithmetic`: arithmetic after a barrier moves before it if a read of local memory is next
/// to the barrier.
unsigned hoistArithmetic(model::Module &M, model::Kernel &K);

/// `select`: short branches on values that differ in a group become selections.
unsigned selectBranches(const EditedKernel &E);

/// Cycles that one work-item of K loses to bank conflicts.
double bankConflicts(const EditedKernel &E, const rules::DeviceFacts &D, model::WorkSize Local);

/// Branches whose arms give a variable the same value become one branch under the joined
/// condition.
unsigned mergeArms(const EditedKernel &E);

/// `merge-loads`: neighbouring loads of one base become one vector load and
/// swizzles; loads of the same address become one. Overlapping: also unite
/// vector loads that share elements.
/// Assumed: gets what must be so of the buffers; null: nothing is assumed of different buffers.
unsigned mergeLoads(const EditedKernel &E, bool Overlapping,
                    model::pattern::Apart *Assumed = nullptr);

/// `merge-loads`: where a vector of integers combines the same rows at several shifts, the rows are
/// combined once and shifted. Returns the number of expressions that changed.
unsigned shareColumns(const EditedKernel &E);

/// `vectorize` within one work-item: stores to neighbouring elements become one
/// vector store, values that are computed alike become its lanes. Assumed: gets what must be so of
/// the buffers. AssumeApart: Apart::ReadByAll may be assumed.
unsigned packStores(const EditedKernel &E, model::pattern::Apart &Assumed,
                    bool AssumeApart = false);

/// Vectors of the source become a scalar for each component, so that work-items
/// can be the lanes. False: K is not to be used, or has no vectors.
bool splitComponents(const EditedKernel &E);

/// `narrow`: integer arithmetic in the narrowest type whose range holds every
/// intermediate value, where that saves vector bits.
unsigned narrow(const EditedKernel &E, std::vector<RefusalAt> &Refusals);

/// `strength-reduce`: integer division by constants as shifts, masks.
unsigned strengthReduce(const EditedKernel &E);

/// Removes variables that nothing reads, empty blocks, and copies.
unsigned cleanup(const EditedKernel &E);

/// Only the variables that nothing reads: what is left is as the user wrote it.
unsigned dropUnused(const EditedKernel &E);

/// `swap-dimensions`: exchanges dimensions A and B in all work-item functions.
void swapDimensions(model::Module &M, model::Kernel &K, unsigned A, unsigned B);

} // namespace clmali::rewrite
#endif
