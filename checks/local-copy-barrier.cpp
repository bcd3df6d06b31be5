//===- local-copy-barrier.cpp ----------------------------------------------------------------------===//
//
// Before: tile[l] = in[g]; barrier(CLK_LOCAL_MEM_FENCE); ... tile[l + 1] ...
// After:  ... in[g + 1] ...                                       (clmali-rewrite, delocalize)
// Limits: pure copies only: every store to the local array is a value just read from one buffer of
//         global memory that the kernel does not write, or a constant (the filled halo).
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
struct Copy {
  const AccessSite *Store = nullptr;
  const Var *Source = nullptr;
  bool Pure = true;
};
} // namespace

static bool isConstant(const Expr *E) {
  return E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst;
}

/// What E reads, if it is nothing but a load from global memory (or a constant in its place where a
/// guard says so).
static bool copyOf(const KernelAnalysis &K, const Expr *E, const Var *&Source, unsigned Depth = 0) {
  E = origin(K, E);
  if (Depth > 4)
    return false;
  if (E->K == ExprKind::Select)
    return copyOf(K, E->Ops[1], Source, Depth + 1) && copyOf(K, E->Ops[2], Source, Depth + 1);
  if (isConstant(E))
    return true;
  if (E->K != ExprKind::Load || E->Acc.Base->space() == AddressSpace::Local ||
      E->Acc.Base->space() == AddressSpace::Private)
    return false;
  if (Source && Source != E->Acc.Base)
    return false;
  // A gather is work, no copy.
  for (const Expr *Index : E->Acc.Index)
    if (!Index->Ty->isScalar() || !isRegular(K, K.poly(Index)))
      return false;
  Source = E->Acc.Base;
  return true;
}

static void run(const Kernel &K, Context &C) {
  if (C.device().LocalOnChip)
    return;
  const KernelAnalysis &An = C.analysis();
  std::map<const Var *, Copy> Copies;
  std::set<const Var *> Read, Written;
  for (const AccessSite &Site : An.accesses()) {
    const Var *Base = Site.A->Base;
    if (Site.IsRead)
      Read.insert(Base);
    if (!Site.IsWrite)
      continue;
    Written.insert(Base);
    if (Base->space() != AddressSpace::Local)
      continue;
    Copy &Of = Copies[Base];
    if (!Of.Store)
      Of.Store = &Site;
    const Stmt *S = Site.S;
    if (Site.IsAtomic || !isRegular(An, Site)) // a queue is filled where data says
      Of.Pure = false;
    else if (S->K == StmtKind::AsyncCopy) {
      if (Of.Source && Of.Source != S->Source.Base)
        Of.Pure = false;
      Of.Source = S->Source.Base;
    } else if (S->K != StmtKind::Store || !copyOf(An, S->E, Of.Source))
      Of.Pure = false;
  }
  std::vector<const Stmt *> Barriers;
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Barrier || (S->K == StmtKind::Call && S->Name == "wait_group_events"))
      Barriers.push_back(S);
    return true;
  });
  std::vector<std::pair<uint32_t, const Var *>> Order;
  for (const auto &[Base, Of] : Copies)
    Order.emplace_back(Of.Store->A->Range.Begin, Base);
  llvm::sort(Order);
  for (const auto &[Begin, Base] : Order) {
    const Copy &Of = Copies[Base];
    if (!Of.Pure || !Of.Source || Written.count(Of.Source) || !Read.count(Base))
      continue;
    const Stmt *FirstBarrier = nullptr;
    for (const Stmt *S : Barriers)
      if (S->Range.Begin >= Begin && (!FirstBarrier || S->Range.Begin < FirstBarrier->Range.Begin))
        FirstBarrier = S;
    if (!FirstBarrier)
      continue;
    Finding &F = C.report(Of.Store->A->Range, "'" + Base->Name + "' is a copy of '" + Of.Source->Name +
                                                  "' in local memory, and a barrier waits for it");
    F.cost("local memory is ordinary cached memory here, so the copy and the barrier buy nothing");
    F.note(FirstBarrier->Range, "the barrier");
    F.fix(Applicability::Verify, "clmali-rewrite --passes=delocalize");
  }
}

CLMALI_KERNEL_CHECK("local-copy-barrier", run);
