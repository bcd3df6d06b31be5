//===- Barriers.cpp - which accesses barriers order -------------------------------------------===//
//
// Without a barrier in a loop, work-items of a group can be in different iterations. So a proof
// that two accesses do not conflict must not depend on the iteration number: guards that depend on
// it are ignored.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Barriers.h"
#include "checks/model/frontend/tolerant/TokenScan.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

bool checks::isGroupBarrier(const Stmt *S) {
  return S->K == StmtKind::Barrier && !StringRef(S->Name).starts_with("sub_group");
}

bool checks::barrierFree(const KernelAnalysis &K, const Stmt *From, const Stmt *To) {
  enum { Before, Between, Barred, After } At = Before;
  walk(K.kernel().Body, [&](Stmt *S) {
    if (S == From && At == Before)
      At = Between;
    else if (S->K == StmtKind::Barrier && At == Between)
      At = Barred;
    else if (S == To && At == Between)
      At = After;
    return true;
  });
  return At == After;
}

bool checks::leavesBarrierOut(Context &C, const AccessSite &A, const AccessSite &B) {
  const Kernel &K = C.analysis().kernel();
  SourceRange R = K.BodyRange;
  // In a common loop, an access may conflict with one of the next iteration: search the whole loop.
  const Stmt *Loop = nullptr;
  for (size_t I = 0; I < std::min(A.Loops.size(), B.Loops.size()) && A.Loops[I] == B.Loops[I]; ++I)
    Loop = A.Loops[I];
  if (Loop)
    R = Loop->Range;
  else if (A.A->Range.File == R.File && B.A->Range.File == R.File)
    R = {R.File, std::min(A.A->Range.Begin, B.A->Range.Begin),
         std::max(A.A->Range.End, B.A->Range.End)};
  std::set<uint32_t> Seen;
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Barrier && S->Range.File == R.File && S->Range.Begin >= R.Begin &&
        S->Range.Begin < R.End)
      Seen.insert(S->Range.Begin);
    return true;
  });
  std::string Plain = withoutComments(C.text(R));
  StringRef Text = Plain;
  unsigned Written = 0;
  for (size_t At = Text.find("barrier"); At != StringRef::npos; At = Text.find("barrier", At + 1))
    Written += (At == 0 || !isAlnum(Text[At - 1])) &&
               Text.drop_front(At + StringRef("barrier").size()).ltrim().starts_with("(");
  // A macro such as BARRIER_LOCAL may expand to nothing.
  for (size_t At = Text.find("BARRIER"); At != StringRef::npos; At = Text.find("BARRIER", At + 1))
    ++Written;
  return Written > Seen.size();
}

static bool holdsBarrier(const Stmt *Loop) {
  bool Holds = false;
  walk(Loop->Body, [&](Stmt *S) {
    Holds |= isGroupBarrier(S);
    return !Holds;
  });
  return Holds;
}

/// True if Root has no part that is uniform in a work-group and changes from iteration to
/// iteration. A value that each work-item loads for itself does not count as such.
static bool isFreeOfRounds(const KernelAnalysis &K, const Expr *Root, std::set<const Var *> &Seen) {
  bool Free = true;
  walk(Root, [&](const Expr *E) {
    if (isRead(E->K))
      return false;
    if (E->K == ExprKind::Opaque)
      Free = false;
    if (E->K != ExprKind::VarRef || E->V->K == Var::Param || !Free)
      return Free;
    if (!Seen.insert(E->V).second) {
      Variation V = K.varies(E->V);
      Free = V.Item && V.Data;
    } else
      Free = !K.defs(E->V).empty() && all_of(K.defs(E->V), [&](const Stmt *Def) {
        return Def->E && isFreeOfRounds(K, Def->E, Seen);
      });
    return Free;
  });
  return Free;
}

/// True if P is computed from ids and arguments only, apart from values loaded from memory.
static bool isOfIds(const KernelAnalysis &K, const Poly &P) {
  return all_of(P.Terms, [&](const auto &Term) {
    return all_of(Term.first, [&](unsigned S) {
      const SymbolInfo &Info = K.symbol(S);
      if (Info.K == SymbolInfo::Param || Info.K == SymbolInfo::WorkItem)
        return true;
      // The iterations of a loop without barriers are private to each work-item.
      if (Info.K == SymbolInfo::LoopVar)
        return Info.Loop && !holdsBarrier(Info.Loop);
      if (Info.K != SymbolInfo::Atom || !Info.E || !Info.Varies.Item)
        return false;
      std::set<const Var *> Seen;
      return isFreeOfRounds(K, Info.E, Seen);
    });
  });
}

bool checks::mayOverlapUnordered(const KernelAnalysis &K, const AccessSite &A,
                                 const AccessSite &B) {
  if (A.A->Base != B.A->Base || (!A.IsWrite && !B.IsWrite))
    return false;
  if (A.IsAtomic || B.IsAtomic)
    return true; // the result of an atomic depends on the order
  // Barriers in a loop keep a work-group in the same iteration. Without them an address or a guard
  // that depends on the iteration proves nothing.
  auto OfRounds = [](const AccessSite &Site) { return any_of(Site.Loops, holdsBarrier); };
  if ((OfRounds(A) && !isOfIds(K, A.Bytes)) || (OfRounds(B) && !isOfIds(K, B.Bytes)))
    return true;
  auto WithoutRounds = [&](const AccessSite &Of) {
    AccessSite Result = Of;
    if (OfRounds(Of))
      erase_if(Result.Guards, [&](const Guard &G) {
        const Expr *E = G.Cond;
        return E->K != ExprKind::Binary || !E->Ops[0]->Ty->isScalar() ||
               !E->Ops[0]->Ty->isInteger() ||
               !isOfIds(K, K.poly(E->Ops[0], Of.S) - K.poly(E->Ops[1], Of.S));
      });
    return Result;
  };
  AccessSite Earlier = WithoutRounds(A), Later = WithoutRounds(B);
  Later.Interval = Earlier.Interval;
  return K.conflict(Earlier, Later) != Conflict::No;
}
