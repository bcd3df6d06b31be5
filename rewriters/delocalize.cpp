//===-- rewriters/delocalize.cpp - Local memory that only holds copies ------===//
//
// What it does: where local memory holds nothing but copies of global memory, each
// read of it becomes a read of what was copied; the copies and the barriers that
// nothing needs any more go:
//
//   before                                        after
//   tile[l + 1] = src[g];                         d[g] = src[g - 1] + src[g + 1];
//   if (l == 0) tile[0] = src[g - 1];
//   if (l == 63) tile[65] = src[g + 1];
//   barrier(CLK_LOCAL_MEM_FENCE);
//   d[g] = tile[l] + tile[l + 2];
//
// How: of each copy, tile[I(lid)] = value(lid, gid, ...), the local ids of the
// work-item that stored an element follow from the element's index: lid = I^-1(index).
// What it copied is its value with those ids put in: gid becomes gid - lid +
// I^-1(index). Where several copies fill one tile, those that say the same of every
// element are one (halos); others are told apart by the elements that they fill.
//
// Legal if: all copies stand before a barrier that all reach and all reads behind
// it, in one block; nothing else writes the tile; the source is never written. A
// copy's condition over the data's size is asked again at the read unless it follows
// from what holds there, so nothing is read that no work-item read before.
//
// An element that is read must have been stored. Where the local size is known that is
// checked (Cover.cpp): a proved fact, or a refusal; else it is assumed, and said.
//
// Limits: tiles with flat indices of two local ids need a local size that does not
// exceed the row (StagingNeeds). What the kernel's own text does not tell is tried with
// the local size of the launches, and then holds for that size only.
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/Opaque.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/pass/LaunchUse.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/staging/Delocalizer.h"
#include "rewriters/staging/StagingPass.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// One way to look at the kernel.
struct Attempt {
  bool Lower; ///< copies of several elements as loops
  bool Sizes; ///< with the local size that the launches have
};

} // namespace

unsigned delocalize(const EditedKernel &E, std::vector<RefusalAt> &Refusals, StagingNeeds *Needs) {
  Module &M = E.module();
  Kernel &K = E.kernel();
  if (pattern::hasOpaqueParts(K))
    return 0;
  auto same = [](Var *V) { return V; };
  const StmtList Body = K.Body;
  const std::vector<Var *> Vars = K.Vars;
  std::array<uint64_t, 3> Required = {0, 0, 0};
  if (K.ReqdWorkGroupSize)
    llvm::copy(*K.ReqdWorkGroupSize, Required.begin());
  bool Known = Needs && !K.ReqdWorkGroupSize && Needs->KnownLocal[0];

  struct Result {
    unsigned Done = 0, Left = 0;
    StmtList Body;
    std::vector<Var *> Vars;
    std::vector<RefusalAt> Refusals;
    StagingNeeds Needs;
  };
  auto attempt = [&](Attempt How) -> std::optional<Result> {
    Result R;
    K.Vars = Vars;
    K.Body = cloneStmts(M, Body, same);
    if (Needs)
      R.Needs = *Needs;
    llvm::DenseSet<const Stmt *> Made;
    if (How.Lower) {
      Made = lowerCopies({M, K});
      if (Made.empty())
        return std::nullopt;
    }
    std::array<uint64_t, 3> Size = How.Sizes ? Needs->KnownLocal : Required;
    fixLaunch(M, K, Size);
    Delocalizer D({M, K}, Size, R.Refusals, Needs ? &R.Needs : nullptr);
    R.Done = D.run();
    R.Left = D.tiles() - R.Done;
    // What was taken apart to be looked at must be gone.
    walk(K.Body, [&](Stmt *S) {
      if (Made.contains(S))
        R.Done = 0;
      return true;
    });
    if (How.Sizes)
      for (unsigned I = 0; I < 3 && Size[I]; ++I)
        R.Needs.When.push_back(std::string(LocalNames[I]) + " == " + std::to_string(Size[I]));
    R.Body = K.Body;
    R.Vars = K.Vars;
    return R;
  };
  std::optional<Result> Best;
  for (Attempt How : {Attempt{false, false}, {true, false}, {false, true}, {true, true}}) {
    if (How.Sizes && !Known)
      continue;
    auto R = attempt(How);
    // The first says why not, if none can.
    if (R && (!Best || R->Done > Best->Done ||
              (R->Done == Best->Done && R->Done && R->Left < Best->Left)))
      Best = std::move(R);
    if (Best->Done && !Best->Left)
      break;
  }
  llvm::append_range(Refusals, Best->Refusals);
  K.Body = Best->Done ? Best->Body : Body;
  K.Vars = Best->Done ? Best->Vars : Vars;
  E.edited();
  if (Best->Done && Needs)
    *Needs = Best->Needs;
  return Best->Done;
}

static bool suits(const PassState &S) { return !S.device().LocalOnChip; }

static unsigned edit(PassState &S) {
  StagingNeeds Needs = stagingNeeds(S);
  std::vector<RefusalAt> Refusals;
  SavedKernel Original(S.editedKernel());
  unsigned Done = delocalize(S.editedKernel(), Refusals, &Needs);
  for (const RefusalAt &R : Refusals)
    S.refuse(R);
  if (Done && acceptNeeds(S, Needs))
    return Done;
  Original.restore();
  return 0;
}

CLMALI_PASS(.Id = "delocalize", .ShownAs = "delocalize",
            .Does = "Local memory that only holds copies of global memory goes, with its barriers.",
            .Suits = suits, .Edit = edit, .Requires = NormalForm);

} // namespace clmali::rewrite
