//===-- rewriters/localize.cpp - Local memory filled by async copies --------===//
//
// What it does, for GPUs whose local memory is on chip: a tile that the work-items of a
// group fill by hand, element by element, is filled by one asynchronous copy (one for
// each row of a two-dimensional tile), which such a GPU does in bursts:
//
//   before                               after
//   tile[l] = src[g];                    event_t copied = async_work_group_copy(
//   barrier(CLK_LOCAL_MEM_FENCE);            tile, src + 64 * get_group_id(0), 64, 0);
//                                        wait_group_events(1, &copied);
//
// Legal if: the tile holds plain copies of memory that the kernel does not write, all of
// them before one barrier that all reach and without conditions over the data; what they
// store is one run of elements (or rows of one length), from one run of the source. The
// barrier goes only where it had nothing else to order.
//
// Pays if: the group's size is known and large enough for the fast copy (devices.yaml).
//
// Limits: the same elements are copied as before, so nothing is read that was not read.
// The group's size is required by the launch or the kernel; a global offset is not
// supported where the copy counts from global ids (a condition of the launch).
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/Opaque.h"
#include "rewriters/pass/LaunchUse.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/staging/Delocalizer.h"
#include "rewriters/staging/StagingPass.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

unsigned localize(const EditedKernel &E, unsigned MinGroup, WorkSize Local,
                  std::vector<RefusalAt> &Refusals, StagingNeeds &Needs) {
  auto Copies = [](const Stmt *S) { return S->K == StmtKind::AsyncCopy; };
  if (pattern::hasOpaqueParts(E.kernel()) || llvm::any_of(stmts(E.kernel().Body), Copies))
    return 0;
  StagingNeeds Asked = Needs;
  Asked.KnownLocal = Local;
  unsigned Done = Delocalizer(E, Local, Refusals, &Asked).localize(MinGroup);
  if (Done)
    Needs = Asked;
  return Done;
}

static bool suits(const PassState &S) {
  return S.device().LocalOnChip && S.device().AsyncCopyWorkGroup;
}

/// Tiles that the source fills by hand; where there are none, tiles for data that a group reuses.
static unsigned edit(PassState &S) {
  StagingNeeds Needs = stagingNeeds(S);
  std::vector<RefusalAt> Refusals, OfReuse;
  Module &M = S.module();
  Kernel &K = S.kernel();
  WorkSize Local = S.localSize();
  SavedKernel Original(S.editedKernel());
  unsigned Done = localize(S.editedKernel(), S.device().AsyncCopyWorkGroup, Local, Refusals, Needs);
  if (!Done && S.device().LocalOnChip) {
    fixLaunch(M, K, Local);
    S.edited();
    Done = stageReuse(S.editedKernel(), S.device(), Local, OfReuse, Needs);
  }
  for (const RefusalAt &R : Refusals)
    S.refuse(R);
  S.refuseIfNamed(OfReuse);
  if (!Done || !acceptNeeds(S, Needs)) {
    Original.restore();
    return 0;
  }
  S.demand("pin-work-group-size");
  return Done;
}

CLMALI_PASS(.Id = "localize", .ShownAs = "localize",
            .Does = "Tiles in local memory are filled by asynchronous copies, or introduced.",
            .Suits = suits, .Edit = edit, .Requires = NormalForm);

} // namespace clmali::rewrite
