//===- buffer-read-before-written.cpp ---------------------------------------------------------===//
//
// Before: state = clCreateBuffer(c, CL_MEM_READ_WRITE, n, NULL, ..); a kernel loads state[0]
// After:  clEnqueueFillBuffer(q, state, ..) before the launch, or CL_MEM_COPY_HOST_PTR
// Limits: buffers whose every use is a call of the API in the function that makes them.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The first load of P that no store to P precedes in the kernel's text; null: none, or not known.
static const AccessSite *firstLoad(const KernelAnalysis &K, const Var *P) {
  std::map<const Stmt *, unsigned> Order;
  for (const Stmt *S : stmts(K.kernel().Body))
    Order.emplace(S, Order.size());
  const AccessSite *First = nullptr;
  unsigned Load = ~0u, Store = ~0u;
  for (const AccessSite &A : K.accesses()) {
    if (A.A->Base != P)
      continue;
    unsigned At = Order[A.S];
    // `if (beta != 0) c = beta * out[i];`: the host may choose not to read.
    bool Chosen = A.Conditional ||
                  any_of(A.Guards, [&](const Guard &G) { return !K.varies(G.Cond, G.At).Item; });
    if (A.IsRead && !Chosen && At < Load) {
      Load = At;
      First = &A;
    }
    if (A.IsWrite && !A.IsRead)
      Store = std::min(Store, At);
  }
  // `x[i] = x[i] + 1` is one statement: its load comes first.
  return Load <= Store ? First : nullptr;
}

static void run(const Kernel &K, Context &C) {
  std::set<unsigned> Reported;
  for (const HostLaunch &L : C.launches())
    for (const HostKernelArg &Arg : L.Args) {
      if (!Arg.Made.Empty || Arg.Index >= K.Params.size() || opaqueTouchesBuffers(K) ||
          swapsPointers(K))
        continue;
      const AccessSite *Load = firstLoad(C.analysis(), K.Params[Arg.Index]);
      if (!Load || !Reported.insert(Arg.Made.MadeAt.Begin).second)
        continue;
      C.report(Load->A->Range, nameOf(*Load->A) + " is read before anything is written to it")
          .cost("its values are undefined; clEnqueueFillBuffer or CL_MEM_COPY_HOST_PTR sets them")
          .inHost(Arg.Made.MadeAt, Arg.File, "the read");
    }
}

CLMALI_KERNEL_CHECK("buffer-read-before-written", run);
