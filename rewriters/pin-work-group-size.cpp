//===-- rewriters/pin-work-group-size.cpp - The local size as an attribute ---===//
//
// What it does: the local size that all launches give becomes the kernel's own, so that the
// compiler allots registers and the later passes prove for that size.
//
//   before                          after, launches of 16 x 16
//   kernel void k(...)              kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
//   k(...)
//
// Legal if: the size is known for all launches and divides into the blocks; the new kernel is
// launched for that size only (a condition in the manifest).
//
// pin-for-proofs does it first of all where only the size shows that work-items share no element
// of local memory: tile[16 * ly + lx] is each work-item's own where rows of a group are 16 long; or
// that all work-items of a group reach a barrier: under a condition on get_global_id(0) / 32.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/LaunchUse.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

/// Sets the attribute of K, a kernel whose blocks have shape S, and adds the conditions to When.
static bool pin(Kernel &K, const WorkSize &Known, const BlockShape &S, unsigned Dims,
                std::vector<std::string> &When) {
  if (K.ReqdWorkGroupSize || !Known[0])
    return false;
  std::array<uint32_t, 3> Size;
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t N = std::max<uint64_t>(1, Known[D]);
    if (N % S.factor(D))
      return false;
    Size[D] = uint32_t(N / S.factor(D));
  }
  K.ReqdWorkGroupSize = Size;
  for (unsigned D = 0; D < Dims; ++D) {
    std::string Text =
        std::string(LocalNames[D]) + " == " + std::to_string(std::max<uint64_t>(1, Known[D]));
    if (!llvm::is_contained(When, Text))
      When.push_back(Text);
  }
  return true;
}

static bool suits(const PassState &S) {
  return S.device().LocalOnChip && worksInGroups(S.kernel());
}

static unsigned edit(PassState &S) {
  if (!pin(S.kernel(), S.launch().KnownLocal, S.Blocked, S.context().Dims, S.Contract.When))
    return 0;
  S.Contract.GroupSemantics = true;
  return 1;
}

CLMALI_PASS(.Id = "pin-work-group-size", .ShownAs = "pin-work-group-size",
            .Does = "The local size of the launches becomes an attribute of the kernel.",
            .Suits = suits, .Edit = edit);

/// May two work-items of a group touch a common element of local memory?
static bool mayShareLocalMemory(const KernelAnalysis &A) {
  llvm::ArrayRef<AccessSite> Sites = A.accesses();
  for (size_t X = 0; X < Sites.size(); ++X)
    for (size_t Y = X; Y < Sites.size(); ++Y)
      if (Sites[X].A->Base->space() == AddressSpace::Local &&
          A.conflict(Sites[X], Sites[Y]) != Conflict::No)
        return true;
  return false;
}

static bool mayDivergeAtBarrier(const KernelAnalysis &A, const Kernel &K) {
  return llvm::any_of(stmts(K.Body), [&](const Stmt *S) {
    return S->K == StmtKind::Barrier && !A.controlOf(S).uniform();
  });
}

static unsigned pinForProofs(PassState &S) {
  const WorkSize &Known = S.launch().KnownLocal;
  // Only local memory that stays in the kernel needs the proof.
  bool Stays = S.How.Stage == Staging::Keep || S.device().LocalOnChip;
  if (!Known[0] || S.kernel().ReqdWorkGroupSize || !Stays || !worksInGroups(S.kernel()))
    return 0;
  const bool Shares = mayShareLocalMemory(S.analysis());
  const bool Diverges = mayDivergeAtBarrier(S.analysis(), S.kernel());
  if (!Shares && !Diverges)
    return 0;
  Kernel *Sized = cloneKernel(S.module(), S.kernel(), S.kernel().Name);
  std::vector<std::string> When = S.Contract.When;
  if (!pin(*Sized, Known, BlockShape(), S.context().Dims, When))
    return 0;
  fixLaunch(S.module(), *Sized, Known);
  EditedKernel Edited(S.module(), *Sized);
  const KernelAnalysis &A = *Edited.analysis();
  if (!(Shares && !mayShareLocalMemory(A)) && !(Diverges && !mayDivergeAtBarrier(A, *Sized)))
    return 0;
  S.replaceKernel(Sized);
  S.Contract.When = std::move(When);
  return 1;
}

CLMALI_PASS(.Id = "pin-for-proofs", .ShownAs = "pin-work-group-size",
            .Does =
                "The same, where only the size shows that accesses are apart or barriers uniform.",
            .Edit = pinForProofs);

} // namespace clmali::rewrite
