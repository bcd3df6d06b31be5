//===- atomic-hotspot.cpp
//----------------------------------------------------------------------===//
//
// Before: atomic_inc(total)                     each work-item
// After:  a sum for each group in local memory, and one atomic_add(total, sum) for each group
// Limits: silent where a guard leaves one work-item of the group, and where an update is made only
//         after a look at the element; what fewer than all do, or all of one group, is information.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isAssignedInLoop(const KernelAnalysis &K, const Var *V) {
  bool Found = false;
  auto Visit = [&](const StmtList &B, bool InLoop, auto &&Self) -> void {
    for (Stmt *S : B) {
      Found |= InLoop && S->K == StmtKind::Assign && S->V == V;
      forEachStmtList(
          *S, [&](StmtList &Nested) { Self(Nested, InLoop || S->K == StmtKind::Loop, Self); });
    }
  };
  Visit(K.kernel().Body, false, Visit);
  return Found;
}

/// Does a loop compute E? Then there is an update for each work-item, but many elements in it.
static bool isSummedUp(const KernelAnalysis &K, const Expr *E, unsigned Depth = 0) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load)
      return false; // its index is counted up, not what it reads
    if (X->K == ExprKind::VarRef && X->V->K == Var::Temp && Depth < 8) {
      Found |= K.defs(X->V).size() > 1 && isAssignedInLoop(K, X->V);
      if (const Stmt *Def = K.singleDef(X->V); Def && Def->E)
        Found |= isSummedUp(K, Def->E, Depth + 1);
    }
    return !Found;
  });
  return Found;
}

/// Is the atomic's result, the place in a list, made use of?
static bool isResultUsed(const Kernel &K, const Stmt *Atomic) {
  if (!Atomic->V)
    return false;
  bool Used = false;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Used |= E->K == ExprKind::VarRef && E->V == Atomic->V;
        return !Used;
      });
    });
    return !Used;
  });
  return Used;
}

/// Does it set what is set already, once some data has done so: a flag that something was found?
static bool setsFlag(const Stmt *Atomic) {
  StringRef Name = Atomic->Name;
  bool Sets = Name.contains("_or") || Name.contains("_and") || Name.contains("_xchg") ||
              Name.contains("_max") || Name.contains("_min");
  return Sets && all_of(Atomic->Args,
                        [](const Expr *E) { return constantValue(stripCasts(E)).has_value(); });
}

/// h[(int)(x[i] * n)], h[x[i] % n], h[x[i] + 256 * (i % 3)], h[pixel.x]: one number that was made a
/// bin's, of how many nobody says. An element of a list is none, nor is a cell of several
/// coordinates.
static bool isBin(const KernelAnalysis &K, const AccessSite &Site) {
  constexpr int64_t Plane = 64; // bins
  unsigned Numbers = 0;
  bool Bin = false;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      // A plane of bins for each channel, which a loop counts.
      if (M.size() == 1 && Info.K == SymbolInfo::LoopVar && !Info.Varies.Item &&
          Coefficient >= Plane * sizeInBytes(Site.A->Elem)) {
        Bin = true;
        continue;
      }
      if (!Info.Varies.Item || M.size() > 1 || Info.K != SymbolInfo::Atom || !Info.E)
        return false;
      if (!Info.Varies.Data) {
        // A plane of bins, chosen by the id.
        const Expr *E = stripCasts(Info.E);
        if (E->K != ExprKind::Binary || (E->O != Op::Rem && E->O != Op::And) ||
            !constantValue(stripCasts(E->Ops[1])))
          return false;
        Bin = true;
        continue;
      }
      ++Numbers;
      walk(Info.E, [&](const Expr *E) {
        Bin |= (E->K == ExprKind::Cast && E->C != CastOp::Bitcast && E->Ty->isInteger() &&
                E->Ops[0]->Ty->isFloat()) ||
               (E->K == ExprKind::Binary &&
                (E->O == Op::Div || E->O == Op::Rem || E->O == Op::Shr || E->O == Op::And)) ||
               (E->K == ExprKind::Opaque && E->Text == "image access");
        return E->K != ExprKind::Load;
      });
      // Its definition, or the ones that meet in it: a pixel, a number that is limited afterwards.
      if (const Expr *E = stripCasts(Info.E); E->K == ExprKind::VarRef || E->K == ExprKind::Swizzle)
        for (const Stmt *Def : K.defs((E->K == ExprKind::Swizzle ? stripCasts(E->Ops[0]) : E)->V))
          if (Def->E)
            walk(Def->E, [&](const Expr *X) {
              Bin |= (X->K == ExprKind::Cast && X->C != CastOp::Bitcast && X->Ty->isInteger() &&
                      X->Ops[0]->Ty->isFloat()) ||
                     (X->K == ExprKind::Opaque && X->Text == "image access");
              return X->K != ExprKind::Load;
            });
    }
  return Bin && Numbers == 1;
}

/// sums[nearest]: was it set to the number of a round where data said so? A loop that is as long
/// for all goes through few things.
static bool isChosenInLoop(const KernelAnalysis &K, const AccessSite &Site) {
  unsigned Chosen = 0;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      if (!Info.Varies.Item)
        continue;
      const Expr *E = Info.E ? stripCasts(Info.E) : nullptr;
      if (M.size() > 1 || !E || E->K != ExprKind::VarRef || !Info.Varies.Data)
        return false;
      bool Counts = false;
      for (const Stmt *Def : K.defs(E->V)) {
        const Expr *To = Def->E ? stripCasts(Def->E) : nullptr;
        if (!To || constantValue(To))
          continue;
        const Stmt *Loop = nullptr;
        walk(K.kernel().Body, [&](const Stmt *X) {
          if (X->K == StmtKind::Loop)
            if (std::optional<CountedLoop> Counted = K.countedLoop(X);
                Counted && To->K == ExprKind::VarRef && Counted->V == To->V &&
                K.varies(Counted->Bound, X).uniformInLaunch() &&
                K.varies(Counted->Lower, X).uniformInLaunch())
              Loop = X;
          return !Loop;
        });
        if (!Loop)
          return false;
        Counts = true;
      }
      Chosen += Counts;
    }
  return Chosen == 1;
}

/// Is it made only where a look at the element said that it changes something: if (v < *least)
/// atomic_min(least, v)? Whoever asks whether there is room left in a list goes on to count.
static bool isAskedFirst(const AccessSite &Site) {
  StringRef Name = Site.S->Name;
  if (Name.ends_with("_inc") || Name.ends_with("_dec") || Name.ends_with("_add") ||
      Name.ends_with("_sub"))
    return false;
  return any_of(Site.Guards, [&](const Guard &G) {
    bool Asked = false;
    walk(G.Cond, [&](const Expr *E) {
      Asked |= E->K == ExprKind::Load && E->Acc.Base == Site.A->Base;
      return !Asked;
    });
    return Asked;
  });
}

/// Does it note down what was searched for, where two numbers that are computed or loaded are found
/// to be equal? That is rare.
static bool isSearched(const KernelAnalysis &K, const AccessSite &Site) {
  return any_of(Site.Guards, [&](const Guard &G) {
    const Expr *E = stripCasts(G.Cond);
    return E->K == ExprKind::Binary && E->O == (G.Holds ? Op::EQ : Op::NE) && K.varies(E).Data &&
           none_of(E->Ops, [](const Expr *Side) {
             return constantValue(Side) || stripCasts(Side)->K == ExprKind::FloatConst;
           });
  });
}

/// The same element for whom?
enum class Sharing { None, Launch, Row, Group };

/// Whose updates meet in the element that the site names, unless only the data say it.
static Sharing sharing(const KernelAnalysis &K, const AccessSite &Site) {
  bool Local = Site.A->Base->space() == AddressSpace::Local;
  Variation Of;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M)
      Of = Of | K.symbol(S).Varies;
  if (!Of.Item)
    return Local || Of.Group ? Sharing::Group : Sharing::Launch;
  // Those of one row: rows of work-items are dimension 0's.
  return !Local && !Of.Data && !(Of.Item & 1) && !(Of.Group & 1) ? Sharing::Row : Sharing::None;
}

static void run(const Kernel &Of, Context &C) {
  const KernelAnalysis &K = C.analysis();
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    AddressSpace Space = A.Base->space();
    if (!Site.IsAtomic || (Space != AddressSpace::Global && Space != AddressSpace::Local) ||
        isPinned(K, Site, 0))
      continue;
    if (Sharing Whose = sharing(K, Site); Whose != Sharing::None) {
      if (isAskedFirst(Site))
        continue;
      // What was found is appended, a flag is set, what a loop has summed up is added: not one for
      // each element, but one for each work-item all the same.
      bool Guarded = any_of(Site.Guards, [&](const Guard &G) { return K.varies(G.Cond).Data; });
      bool Noted = isResultUsed(Of, Site.S) || setsFlag(Site.S);
      if (Noted && isSearched(K, Site))
        continue;
      bool Fewer = isPinned(K, Site, 1) || Whose != Sharing::Launch || (Guarded && Noted) ||
                   any_of(Site.S->Args, [&](const Expr *E) { return isSummedUp(K, E); });
      StringRef Who = Whose == Sharing::Group ? "every work-item of a group"
                      : Whose == Sharing::Row ? "every work-item of a row"
                                              : "every work-item";
      Finding &F = C.report(A.Range, Who + (Guarded ? " that gets here updates" : " updates") +
                                         (isUniform(K, Site.Bytes) || Whose != Sharing::Launch
                                              ? " the same element of "
                                              : " the same elements of ") +
                                         nameOf(A) + " atomically")
                       .cost("the updates run one after another");
      if (Fewer)
        F.atMost(rules::Severity::Info);
      continue;
    }
    if (Space == AddressSpace::Local)
      continue; // a group's own histogram is what helps
    // A histogram: an index that its type bounds.
    if (A.Index.size() != 1 || !K.varies(A.Index[0]).Data)
      continue;
    Range R = K.range(A.Index[0], Site.S);
    int64_t Most = C.option("MaxAddresses");
    if (R.Hi >= 0 && R.Hi < Most && R.Lo > -Most) {
      C.report(A.Range, "all work-items update one of " +
                            itostr(R.Hi - std::max<int64_t>(R.Lo, 0) + 1) + " elements of " +
                            nameOf(A) + " atomically")
          .cost("updates of one element run one after another");
      continue;
    }
    if (!isResultUsed(Of, Site.S) && (isBin(K, Site) || isChosenInLoop(K, Site)))
      C.report(A.Range, "work-items update elements of " + nameOf(A) +
                            " atomically that are bins of their data")
          .cost("where many choose one bin, the updates run one after another")
          .atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("atomic-hotspot", run);
