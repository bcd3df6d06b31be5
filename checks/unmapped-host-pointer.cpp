//===- unmapped-host-pointer.cpp --------------------------------------------------------------===//
//
// Before: b = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n, data, ..); launch; clFinish(q); .. data[i]
// After:  the same with clEnqueueMapBuffer(q, b, ..) before data[i], and an unmap behind it
// Limits: creation, launch and access in one function (HostMemory.h).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The first access that writes P, or that reads it; null: none.
static const AccessSite *accessTo(const KernelAnalysis &K, const Var *P, bool Writes) {
  for (const AccessSite &A : K.accesses())
    if (A.A->Base == P && (Writes ? A.IsWrite : A.IsRead))
      return &A;
  return nullptr;
}

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Reported;
  for (const HostLaunch &L : C.launches())
    for (const HostKernelArg &Arg : L.Args) {
      if (Arg.Index >= K.Params.size())
        continue;
      for (const auto &Use : Arg.Made.Unmapped) {
        // The launch itself, or the call of the function around it.
        if (Use.Launch.Begin != L.Range.Begin && Use.Launch.Begin != L.Site.Begin)
          continue;
        // The host reads what the kernel writes, or writes what it reads.
        const AccessSite *Site = accessTo(C.analysis(), K.Params[Arg.Index], !Use.Writes);
        if (!Site || !Reported.insert({Use.Access.File, Use.Access.Begin}).second)
          continue;
        StringRef Name = K.Params[Arg.Index]->Name;
        C.report(Site->A->Range, "the host " + Twine(Use.Writes ? "writes" : "reads") +
                                     " the memory under '" + Name + "' without a map")
            .cost(Use.Writes ? "the kernel may read what was there before; map the buffer for the "
                               "write, and unmap it before the launch"
                             : "what the kernel wrote need not be there, and clFinish copies "
                               "nothing; map the buffer behind the launch")
            .inHost(Use.Access, Arg.File, Use.Writes ? "the read" : "the store");
      }
    }
}

CLMALI_KERNEL_CHECK("unmapped-host-pointer", run);
