//===- no-work-item-id.cpp --------------------------------------------------------------------===//
//
// Before: kernel void sum(..) { *res = 0; for (..) *res += a[k]; }
// After:  the same with reqd_work_group_size(1, 1, 1), or work divided by ids
// Limits: what the model cannot represent may ask for ids.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Evidence.h"
#include "checks/query/HostCalls.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// A store that a second work-item repeats with an effect: its element is also read, or stored to
/// elsewhere.
static const AccessSite *racingStore(const KernelAnalysis &K) {
  for (const AccessSite &A : K.accesses()) {
    if (!A.IsWrite || A.IsAtomic || A.A->Base->space() != AddressSpace::Global)
      continue;
    for (const AccessSite &B : K.accesses())
      if (&A != &B && A.A->Base == B.A->Base && !B.IsAtomic)
        return &A;
  }
  return nullptr;
}

static void run(const Kernel &K, Context &C) {
  if (K.hasGroupsOfOne())
    return;
  const KernelAnalysis &A = C.analysis();
  if (NDRangeUse::of(K).ids() || usesIds(A) || opaqueTouchesBuffers(K))
    return;
  // An atomic counter gives each work-item its own number.
  if (any_of(stmts(K.Body), [](const Stmt *S) {
        return S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy || S->K == StmtKind::Opaque;
      }))
    return;
  const AccessSite *Store = racingStore(A);
  if (!Store || containsWord(guessed(C).names().Texts, C.text(K.Range)))
    return;
  const HostLaunch *Several = nullptr;
  bool AllSingle = !C.launches().empty();
  for (const HostLaunch &L : C.launches()) {
    std::optional<uint64_t> Items = workItems(L.Global, L.Dims);
    AllSingle &= L.Dims > 0 && Items == 1;
    if (L.Dims > 0 && Items && *Items > 1 && !L.GlobalByDefault && !Several)
      Several = &L;
  }
  if (AllSingle)
    return;
  Finding &F = C.report(Store->A->Range,
                        "the kernel stores to " + nameOf(*Store->A) + " and uses no work-item id");
  if (Several) {
    F.cost("it is launched with " + utostr(*workItems(Several->Global, Several->Dims)) +
           " work-items, each of which reads and writes the same elements");
    F.Notes.push_back({Several->Range, "the launch", Several->File});
    return;
  }
  F.cost("with more than one work-item this is a race; reqd_work_group_size(1, 1, 1) states that "
         "one is meant")
      .atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("no-work-item-id", run);
