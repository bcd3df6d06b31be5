//===- manual-local-preload.cpp --------------------------------------------------------------===//
//
// Before: tile[get_local_id(0)] = in[get_global_id(0)];
// After:  event_t e = async_work_group_copy(tile, in + 64 * get_group_id(0), 64, 0);
// Limits: copies that all work-items of a group make together (loops and conditions may be
//         uniform in the group), contiguous in both memories, nothing computed.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/LocalCopy.h"
#include "checks/model/pattern/Opaque.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Do all work-items of a group copy? A loop that each begins at its own place counts.
static bool together(const KernelAnalysis &K, const AccessSite &Site) {
  return all_of(Site.Guards, [&](const Guard &G) {
    return K.varies(G.Cond, Site.S).uniform() ||
           any_of(Site.Loops, [&](const Stmt *L) { return L->E == G.Cond && K.countedLoop(L); });
  });
}

/// Does one work-item copy for the whole group, element by element?
static bool alone(const KernelAnalysis &K, const AccessSite &Store, const AccessSite &Load) {
  const auto &Size = *K.kernel().ReqdWorkGroupSize;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (Size[Dim] > 1 && !isPinned(K, Store, Dim))
      return false;
  return stepsByElement(K, Store) && stepsByElement(K, Load);
}

/// for (k = 0; k < 4; ++k) tile[4 * l + k] = in[.. + 4 * l + k]: pieces that lie side by side.
static bool inPieces(const KernelAnalysis &K, const AccessSite &Store, const AccessSite &Load) {
  std::optional<CountedLoop> L =
      Store.Loops.empty() ? std::nullopt : K.countedLoop(Store.Loops.back());
  if (!L || !L->TripCount || K.varies(L->Lower, Store.Loops.back()).Item ||
      !stepsByElement(K, Store) || !stepsByElement(K, Load))
    return false;
  int64_t Piece = *L->TripCount * int64_t(widthInBytes(*Store.A));
  return constantStride(K, *Store.A, 0) == Piece && constantStride(K, *Load.A, 0) == Piece;
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  if (!D.LocalOnChip || !D.AsyncCopyWorkGroup || !K.ReqdWorkGroupSize || !C.analysis().hasBarrier())
    return;
  const auto &Size = *K.ReqdWorkGroupSize;
  if (uint64_t(Size[0]) * Size[1] * Size[2] < D.AsyncCopyWorkGroup)
    return;
  const KernelAnalysis &An = C.analysis();
  const pattern::CopyRecognizer Recognizer(An);
  std::set<const Var *> Reported;
  for (const AccessSite &Site : An.accesses()) {
    const Access &A = *Site.A;
    if (!Site.IsWrite || A.Base->space() != AddressSpace::Local || Site.S->K != StmtKind::Store ||
        Site.Conditional || Reported.count(A.Base))
      continue;
    const Expr *From = origin(An, Site.S->E);
    if (From->K != ExprKind::Load || From->Acc.Base->space() != AddressSpace::Global ||
        From->Acc.Elem != A.Elem || From->Acc.Lanes != A.Lanes)
      continue;
    int64_t Element = widthInBytes(A);
    const AccessSite *Load =
        find_if(An.accesses(), [&](const AccessSite &Other) { return Other.Load == From; });
    if (Load == An.accesses().end())
      continue;
    bool Contiguous =
        constantStride(An, A, 0) == Element && constantStride(An, From->Acc, 0) == Element;
    if (!(together(An, Site) && (Contiguous || inPieces(An, Site, *Load))) &&
        !alone(An, Site, *Load))
      continue;
    Reported.insert(A.Base);
    const rules::Fact *Burst = D.fact("local-copy-bytes");
    Finding &F = C.report(A.Range, nameOf(A) + " is filled from " + nameOf(From->Acc) + " by hand");
    F.cost("async_work_group_copy moves up to " + (Burst ? utostr(Burst->Value) : "many") +
           " bytes with one instruction");
    bool Overwritten = any_of(An.accesses(), [&](const AccessSite &Other) {
      return Other.IsWrite && Other.A->Base == From->Acc.Base;
    });
    if (!Overwritten && !pattern::hasOpaqueParts(K) && Recognizer.isStaged(A.Base))
      F.fix(Applicability::Verify, "clmali-rewrite --passes=localize");
  }
}

CLMALI_KERNEL_CHECK("manual-local-preload", run);
