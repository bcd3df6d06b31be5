//===- needless-barrier.cpp --------------------------------------------------------------------===//
//
// Before: t[l] = in[i]; barrier(CLK_LOCAL_MEM_FENCE); out[i] = 2 * t[l];
// After:  out[i] = 2 * in[i];
// Limits: barriers outside loops, between accesses that are proved never to meet in two work-items;
//         kernels with volatile accesses or images that are read and written are left alone.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {

/// The kernel's statements in the order of the source, and the barriers outside loops with those that
/// every work-item meets on its way to and from them.
struct Order {
  std::map<const Stmt *, unsigned> At;
  struct Place {
    const Stmt *Barrier;
    std::vector<const Stmt *> Around; ///< barriers of its block and of the blocks around it
  };
  std::vector<Place> Places;
  std::vector<const Stmt *> Barriers; ///< all of them

  void add(const Block &B, bool InLoop, std::vector<const Stmt *> Around) {
    for (const Stmt *S : B)
      if (isGroupBarrier(S))
        Around.push_back(S);
    for (Stmt *S : B) {
      At[S] = At.size();
      if (isGroupBarrier(S)) {
        Barriers.push_back(S);
        if (!InLoop && S->Range.isValid())
          Places.push_back({S, Around});
      }
      forEachBlock(*S, [&](Block &Nested) { add(Nested, InLoop || S->K == StmtKind::Loop, Around); });
    }
  }
  static bool isGroupBarrier(const Stmt *S) {
    return S->K == StmtKind::Barrier && !StringRef(S->Name).starts_with("sub_group");
  }
};

} // namespace

/// Might the two be of different work-items and touch one byte, were there no barrier?
static bool mayMeet(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  if (A.A->Base != B.A->Base || (!A.IsWrite && !B.IsWrite))
    return false;
  if (A.IsAtomic || B.IsAtomic)
    return true; // what it returns depends on when
  AccessSite Later = B;
  Later.Interval = A.Interval;
  return K.conflict(A, Later) != Conflict::No;
}

/// Images tell no addresses; one that is read and written has an order that barriers make.
static bool imagesBothWays(const Kernel &K) {
  return any_of(K.Params, [](const Var *P) {
    return P->Ty->K == Type::Other && StringRef(P->Ty->Name).contains("read_write") && StringRef(P->Ty->Name).contains("image");
  });
}

/// A number or an expression that had to be guessed for the host may leave out what the barrier is for.
static bool restsOnGuesses(const Module &M) {
  return hasGuessedNumbers(M) || any_of(M.Notes, [](StringRef N) {
           return N.starts_with("the host defines macros that were not given") && N.contains("(...)=");
         });
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &An = C.analysis();
  if (!An.hasBarrier())
    return;
  // What is not known may lean on any barrier but the last statement of all.
  bool Unknown = opaqueTouchesBuffers(K) || imagesBothWays(K);
  auto IsLast = [&](const Stmt *S) {
    return S == K.Body.back() && none_of(K.Opaques, [&](const OpaqueNote &N) {
             return N.Range.File == S->Range.File && N.Range.Begin > S->Range.Begin;
           });
  };
  std::vector<const AccessSite *> Sites;
  std::map<AddressSpace, bool> Shares; ///< is a buffer or an array there written at all?
  for (const AccessSite &A : An.accesses()) {
    AddressSpace Space = A.A->Base->space();
    if (Space != AddressSpace::Local && Space != AddressSpace::Global)
      continue;
    Unknown |= A.A->Volatile;
    Sites.push_back(&A);
    Shares[Space] |= A.IsWrite;
  }
  Order O;
  O.add(K.Body, false, {});
  std::set<const Stmt *> Gone; ///< found needless: what they divided counts as one
  for (const Order::Place &P : O.Places) {
    const Stmt *S = P.Barrier;
    // Another barrier may lean on this one's fence.
    if (any_of(O.Barriers, [&](const Stmt *Other) {
          return (S->LocalFence && !Other->LocalFence && Shares[AddressSpace::Local]) ||
                 (S->GlobalFence && !Other->GlobalFence && Shares[AddressSpace::Global]);
        }))
      continue;
    unsigned Here = O.At[S], From = 0, To = ~0u;
    for (const Stmt *Other : P.Around)
      if (Other != S && !Gone.count(Other)) {
        unsigned There = O.At[Other];
        if (There < Here)
          From = std::max(From, There);
        else
          To = std::min(To, There);
      }
    bool Meet = any_of(Sites, [&](const AccessSite *A) {
      unsigned AtA = O.At[A->S];
      return AtA >= From && AtA <= Here && any_of(Sites, [&](const AccessSite *B) {
               unsigned AtB = O.At[B->S];
               return AtB >= Here && AtB <= To && mayMeet(An, *A, *B);
             });
    });
    // At the end of the kernel, nothing that was guessed makes it needed.
    if (Meet || ((Unknown || restsOnGuesses(C.module())) && !IsLast(S)))
      continue;
    Gone.insert(S);
    C.report(S->Range, "no two accesses around this barrier can conflict")
        .cost("all work-items of the group wait here for nothing")
        .fix(Applicability::Verify, "take it out");
  }
}

CLMALI_KERNEL_CHECK("needless-barrier", run);
