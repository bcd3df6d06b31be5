//===- Barriers.h - what barriers order --------------------------------------------------------===//
//
// Questions of the checks that ask what would be, were a barrier not there.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_BARRIERS_H
#define CLMALI_CHECKS_BARRIERS_H

#include "checks/Query.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::checks {

inline bool isGroupBarrier(const model::Stmt *S) {
  return S->K == model::StmtKind::Barrier && !llvm::StringRef(S->Name).starts_with("sub_group");
}

inline bool holdsBarrier(const model::Stmt *Loop) {
  bool Holds = false;
  model::walk(Loop->Body, [&](model::Stmt *S) {
    Holds |= isGroupBarrier(S);
    return !Holds;
  });
  return Holds;
}

/// Is a number made of ids and arguments alone, as far as what memory says takes no part in it?
inline bool isOfIds(const model::KernelAnalysis &K, const model::Poly &P) {
  using model::SymbolInfo;
  return llvm::all_of(P.Terms, [&](const auto &Term) {
    return llvm::all_of(Term.first, [&](unsigned S) {
      const SymbolInfo &Info = K.symbol(S);
      if (Info.K == SymbolInfo::Param || Info.K == SymbolInfo::WorkItem)
        return true;
      // Of other loops than those with barriers each work-item goes through its rounds by itself.
      if (Info.K == SymbolInfo::LoopVar)
        return Info.Loop && !holdsBarrier(Info.Loop);
      if (Info.K != SymbolInfo::Atom || !Info.E || !Info.Varies.Item)
        return false;
      bool OfIds = true;
      model::walk(Info.E, [&](const model::Expr *E) {
        if (E->K == model::ExprKind::Load)
          return false; // a number of each work-item's own, whatever the round
        if (E->K == model::ExprKind::Opaque)
          OfIds = false;
        else if (E->K == model::ExprKind::VarRef && E->V->K != model::Var::Param)
          OfIds &= K.varies(E, K.placeOf(S)).Data && K.varies(E, K.placeOf(S)).Item &&
                   K.singleDef(E->V) && K.singleDef(E->V)->E && K.singleDef(E->V)->E->K == model::ExprKind::Load;
        return OfIds;
      });
      return OfIds;
    });
  });
}

/// Might the two be of different work-items and touch one byte, were there no barrier between them?
inline bool mayMeetUnordered(const model::KernelAnalysis &K, const model::AccessSite &A, const model::AccessSite &B) {
  if (A.A->Base != B.A->Base || (!A.IsWrite && !B.IsWrite))
    return false;
  if (A.IsAtomic || B.IsAtomic)
    return true; // what it returns depends on when
  // In a loop, barriers keep a group in one round. Without them, work-items are in different ones: a place that rests on
  // the round tells nothing, nor does a condition that speaks of it.
  auto OfRounds = [](const model::AccessSite &Site) { return llvm::any_of(Site.Loops, holdsBarrier); };
  if ((OfRounds(A) && !isOfIds(K, A.Bytes)) || (OfRounds(B) && !isOfIds(K, B.Bytes)))
    return true;
  auto WithoutRounds = [&](const model::AccessSite &Of) {
    model::AccessSite Result = Of;
    if (OfRounds(Of))
      llvm::erase_if(Result.Guards, [&](const model::Guard &G) {
        const model::Expr *E = G.Cond;
        return E->K != model::ExprKind::Binary || !E->Ops[0]->Ty->isScalar() || !E->Ops[0]->Ty->isInteger() ||
               !isOfIds(K, K.poly(E->Ops[0], Of.S) - K.poly(E->Ops[1], Of.S));
      });
    return Result;
  };
  model::AccessSite Earlier = WithoutRounds(A), Later = WithoutRounds(B);
  Later.Interval = Earlier.Interval;
  return K.conflict(Earlier, Later) != model::Conflict::No;
}

} // namespace clmali::checks

#endif
