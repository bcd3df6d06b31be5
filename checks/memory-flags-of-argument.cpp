//===- memory-flags-of-argument.cpp -----------------------------------------------------------===//
//
// Before: clCreateBuffer(c, CL_MEM_READ_ONLY, ..) for an argument that the kernel stores to
// After:  CL_MEM_READ_WRITE
// Limits: buffers that the file of the launch makes, in a variable that is written once.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<unsigned, unsigned>> Reported;
  for (const HostLaunch &L : C.launches())
    for (const HostKernelArg &Arg : L.Args) {
      if ((!Arg.Made.ReadOnly && !Arg.Made.WriteOnly) || Arg.Index >= K.Params.size() ||
          !Reported.insert({Arg.Index, Arg.Made.MadeAt.Begin}).second)
        continue;
      const Var *P = K.Params[Arg.Index];
      for (const AccessSite &A : C.analysis().accesses()) {
        bool Wrong = A.A->Base == P && (Arg.Made.ReadOnly ? A.IsWrite : A.IsRead && !A.IsWrite);
        if (!Wrong || A.IsAtomic)
          continue;
        C.report(A.A->Range, std::string("it ") + (A.IsWrite ? "stores to " : "reads ") +
                                 nameOf(*A.A) + ", whose buffer is made with " +
                                 (Arg.Made.ReadOnly ? "CL_MEM_READ_ONLY" : "CL_MEM_WRITE_ONLY"))
            .cost("the result is undefined")
            .inHost(Arg.Made.MadeAt, Arg.File, A.IsWrite ? "the store" : "the load");
        break;
      }
    }
}

CLMALI_KERNEL_CHECK("memory-flags-of-argument", run);
