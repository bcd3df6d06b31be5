//===- UnusedReads.cpp - reads of which a work-item does not use what another writes ----------===//

#include "checks/query/races/UnusedReads.h"
#include "checks/model/ir/Traversal.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {

/// A variable that is given what Value computes, and nothing else; null: S is no such statement.
const Var *copyOf(const Stmt &S, const Expr *Value) {
  const bool Sets = (S.K == StmtKind::Decl || S.K == StmtKind::Assign) && S.LaneIdx.empty();
  return Sets && S.E && stripCasts(S.E) == Value ? S.V : nullptr;
}

/// Where the value of one load is used, through variables that are copies of it.
class UsesOfLoad {
public:
  UsesOfLoad(const KernelAnalysis &K, const AccessSite &Read) : K(K) {
    if (const Var *V = copyOf(*Read.S, Read.Load))
      addUses(V, 0);
    else
      Known = false;
  }
  bool Known = true; ///< all uses were found
  std::vector<const Stmt *> At;
  uint32_t Components = 0; ///< bits of those that are used; of copies of a vector

private:
  const KernelAnalysis &K;

  void addUses(const Var *V, unsigned Depth) {
    Known &= Depth < limits::DefinitionDepth && !V->isMemory();
    if (!Known)
      return;
    for (const Stmt *S : stmts(K.kernel().Body))
      forEachExpr(*S, [&](const Expr *Root) { addIn(*S, Root, V, Depth); });
  }

  void addIn(const Stmt &S, const Expr *Root, const Var *V, unsigned Depth) {
    walk(Root, [&](const Expr *X) {
      if (X->K == ExprKind::Swizzle && X->Ops[0]->K == ExprKind::VarRef && X->Ops[0]->V == V) {
        for (uint8_t Lane : X->LaneIdx)
          Components |= 1u << Lane;
        At.push_back(&S);
        return false;
      }
      if (X->K != ExprKind::VarRef || X->V != V)
        return true;
      if (const Var *Copy = copyOf(S, X); Copy && Copy != V) {
        addUses(Copy, Depth + 1);
        return true;
      }
      Components = ~0u;
      At.push_back(&S);
      return true;
    });
  }
};

/// The components of Read, a vector, that Write changes, as bits; all where that is not known.
uint32_t writtenComponents(const KernelAnalysis &K, const AccessSite &Write,
                           const AccessSite &Read) {
  const std::optional<int64_t> Behind = K.distance(Read, Write);
  const int64_t Size = sizeInBytes(Read.A->Elem);
  const int64_t First = Behind ? *Behind / Size : -1, Lanes = Write.A->Lanes;
  if (Read.A->Elem != Write.A->Elem || !Behind || *Behind % Size || First < 0 ||
      First + Lanes > Read.A->Lanes)
    return ~0u;
  return ((1u << Lanes) - 1) << First;
}

} // namespace

bool checks::isUnusedWhereWritten(const KernelAnalysis &K, const AccessSite &Write,
                                  const AccessSite &Read) {
  if (!Read.Load || Read.IsWrite)
    return false;
  const UsesOfLoad Uses(K, Read);
  if (!Uses.Known)
    return false;
  if (!(Uses.Components & writtenComponents(K, Write, Read)))
    return true;
  return all_of(Uses.At, [&](const Stmt *S) {
    AccessSite Used = Read;
    append_range(Used.Guards, K.siteOf(S).Guards);
    return K.conflict(Write, Used) == Conflict::No;
  });
}
