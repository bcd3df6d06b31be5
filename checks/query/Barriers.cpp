//===- Barriers.cpp
//----------------------------------------------------------------------------===//
//
// A pair that is proved not to meet while barriers keep a group together is not proved for
// work-items that run on by themselves: what rests on the round of a loop is left out.
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
  enum { Before, Between, Barred, Behind } At = Before;
  walk(K.kernel().Body, [&](Stmt *S) {
    if (S == From && At == Before)
      At = Between;
    else if (S->K == StmtKind::Barrier && At == Between)
      At = Barred;
    else if (S == To && At == Between)
      At = Behind;
    return true;
  });
  return At == Behind;
}

bool checks::leavesBarrierOut(Context &C, const AccessSite &A, const AccessSite &B) {
  const Kernel &K = C.analysis().kernel();
  SourceRange R = K.BodyRange;
  // What one round leaves open, the next one meets.
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
  // BARRIER_LOCAL, which may be empty.
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

/// Does E hold no number that is the same for all of a group in one round, and another one in the
/// next? What each work-item loads for itself is a number of its own, whatever the round.
static bool isFreeOfRounds(const KernelAnalysis &K, const Expr *Root, std::set<const Var *> &Seen) {
  bool Free = true;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::Load)
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

/// Is a number made of ids and arguments alone, as far as what memory says takes no part in it?
static bool isOfIds(const KernelAnalysis &K, const Poly &P) {
  return all_of(P.Terms, [&](const auto &Term) {
    return all_of(Term.first, [&](unsigned S) {
      const SymbolInfo &Info = K.symbol(S);
      if (Info.K == SymbolInfo::Param || Info.K == SymbolInfo::WorkItem)
        return true;
      // Of other loops than those with barriers each work-item goes through its rounds by itself.
      if (Info.K == SymbolInfo::LoopVar)
        return Info.Loop && !holdsBarrier(Info.Loop);
      if (Info.K != SymbolInfo::Atom || !Info.E || !Info.Varies.Item)
        return false;
      std::set<const Var *> Seen;
      return isFreeOfRounds(K, Info.E, Seen);
    });
  });
}

bool checks::mayMeetUnordered(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  if (A.A->Base != B.A->Base || (!A.IsWrite && !B.IsWrite))
    return false;
  if (A.IsAtomic || B.IsAtomic)
    return true; // what it returns depends on when
  // In a loop, barriers keep a group in one round. Without them, work-items are in different ones:
  // a place that rests on the round tells nothing, nor does a condition that speaks of it.
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
