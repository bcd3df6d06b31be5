//===- atomic-hotspot.cpp -----------------------------------------------------------------===//
//
// Before: atomic_inc(total)                     each work-item
// After:  a sum for each group in local memory, and one atomic_add(total, sum) for each group
// Limits: silent if a guard leaves one work-item of the group, or if the guard reads the element.
//         Information if fewer than all work-items update, or only those of one group share it.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

/// True if a loop accumulates E: then one update covers many elements.
static bool isSummedUp(const KernelAnalysis &K, const Expr *E, unsigned Depth = 0) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load)
      return false; // the loop counts the index, not the loaded value
    if (X->K == ExprKind::VarRef && X->V->K == Var::Temp && Depth < limits::DefinitionDepth) {
      Found |= K.defs(X->V).size() > 1 && isAssignedInLoop(K, X->V);
      if (const Stmt *Def = K.singleDef(X->V); Def && Def->E)
        Found |= isSummedUp(K, Def->E, Depth + 1);
    }
    return !Found;
  });
  return Found;
}

/// True if the kernel uses the atomic's result, as the position in a list.
static bool isResultUsed(const Kernel &K, const Stmt *Atomic) {
  return Atomic->V && any_of(exprs(K.Body), [&](ExprAt X) {
           return X->K == ExprKind::VarRef && X->V == Atomic->V;
         });
}

/// True if the update is idempotent, as a flag that something was found is.
static bool setsFlag(const Stmt *Atomic) {
  StringRef Name = Atomic->Name;
  bool Sets = Name.contains("_or") || Name.contains("_and") || Name.contains("_xchg") ||
              Name.contains("_max") || Name.contains("_min");
  return Sets && all_of(Atomic->Args,
                        [](const Expr *E) { return constantValue(stripCasts(E)).has_value(); });
}

/// True if one loaded value selects the element after a scaling, a remainder or a mask, so that
/// many values share it: h[(int)(x[i] * n)], h[x[i] % n], h[x[i] + 256 * (i % 3)], h[pixel.x]. An
/// element of a list is no bin, nor is a cell of several coordinates. A loop may select one of
/// several histograms of at least \p MinPlaneBins bins.
static bool isBin(const KernelAnalysis &K, const AccessSite &Site, int64_t MinPlaneBins) {
  unsigned Values = 0;
  bool Bin = false;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      // A loop over channels, each with a histogram of its own.
      if (M.size() == 1 && Info.K == SymbolInfo::LoopVar && !Info.Varies.Item &&
          Coefficient >= MinPlaneBins * sizeInBytes(Site.A->Elem)) {
        Bin = true;
        continue;
      }
      if (!Info.Varies.Item || M.size() > 1 || Info.K != SymbolInfo::Atom || !Info.E)
        return false;
      if (!Info.Varies.Data) {
        // The id selects one of several histograms.
        const Expr *E = stripCasts(Info.E);
        if (E->K != ExprKind::Binary || (E->O != Op::Rem && E->O != Op::And) ||
            !constantValue(stripCasts(E->Ops[1])))
          return false;
        Bin = true;
        continue;
      }
      ++Values;
      walk(Info.E, [&](const Expr *E) {
        Bin |= (E->K == ExprKind::Cast && E->C != CastOp::Bitcast && E->Ty->isInteger() &&
                E->Ops[0]->Ty->isFloat()) ||
               (E->K == ExprKind::Binary &&
                (E->O == Op::Div || E->O == Op::Rem || E->O == Op::Shr || E->O == Op::And)) ||
               E->K == ExprKind::ImageRead;
        return E->K != ExprKind::Load;
      });
      // Its definitions: a pixel, or a value that is clamped by further assignments.
      if (const Expr *E = stripCasts(Info.E); E->K == ExprKind::VarRef || E->K == ExprKind::Swizzle)
        for (const Stmt *Def : K.defs((E->K == ExprKind::Swizzle ? stripCasts(E->Ops[0]) : E)->V))
          if (Def->E)
            walk(Def->E, [&](const Expr *X) {
              Bin |= (X->K == ExprKind::Cast && X->C != CastOp::Bitcast && X->Ty->isInteger() &&
                      X->Ops[0]->Ty->isFloat()) ||
                     X->K == ExprKind::ImageRead;
              return X->K != ExprKind::Load;
            });
    }
  return Bin && Values == 1;
}

/// sums[nearest]: true if a variable selects the element that data set to the counter of a loop.
/// The trip count must be uniform: then there are few elements to choose from.
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
        bool IsCounter = any_of(stmts(K.kernel().Body), [&](const Stmt *X) {
          if (X->K != StmtKind::Loop || To->K != ExprKind::VarRef)
            return false;
          std::optional<CountedLoop> Loop = K.countedLoop(X);
          return Loop && Loop->V == To->V && K.varies(Loop->Bound, X).uniformInLaunch() &&
                 K.varies(Loop->Lower, X).uniformInLaunch();
        });
        if (!IsCounter)
          return false;
        Counts = true;
      }
      Chosen += Counts;
    }
  return Chosen == 1;
}

/// True if a guard reads the element first and skips needless updates: if (v < *least)
/// atomic_min(least, v). Additions are excluded: a test for space in a list does not avoid them.
static bool isGuardedByElement(const AccessSite &Site) {
  StringRef Name = Site.S->Name;
  if (Name.ends_with("_inc") || Name.ends_with("_dec") || Name.ends_with("_add") ||
      Name.ends_with("_sub"))
    return false;
  return any_of(Site.Guards, [&](const Guard &G) {
    return any_of(exprs(G.Cond),
                  [&](ExprAt X) { return X->K == ExprKind::Load && X->Acc.Base == Site.A->Base; });
  });
}

/// True if a guard compares two computed or loaded values for equality, as a search does. Hits are
/// rare, so the update is.
static bool isSearchHit(const KernelAnalysis &K, const AccessSite &Site) {
  return any_of(Site.Guards, [&](const Guard &G) {
    const Expr *E = stripCasts(G.Cond);
    return E->K == ExprKind::Binary && E->O == (G.Holds ? Op::EQ : Op::NE) && K.varies(E).Data &&
           none_of(E->Ops, [](const Expr *Side) {
             return constantValue(Side) || stripCasts(Side)->K == ExprKind::FloatConst;
           });
  });
}

/// The work-items that share an element.
enum class Sharing { None, Launch, Row, Group };

/// The work-items that update the same element; None also if data alone select it.
static Sharing sharing(const KernelAnalysis &K, const AccessSite &Site) {
  bool Local = Site.A->Base->space() == AddressSpace::Local;
  bool Alone = K.kernel().hasGroupsOfOne();
  Variation Of;
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M)
      Of = Of | K.symbol(S).Varies;
  if (!Of.Item && (Local || Of.Group))
    return Alone ? Sharing::None : Sharing::Group;
  if (!Of.Item)
    return Sharing::Launch;
  // A row: the work-items that differ in dimension 0 only.
  return !Local && !Of.Data && !(Of.Item & 1) && !(Of.Group & 1) ? Sharing::Row : Sharing::None;
}

/// True if Cond, where it holds (or does not), compares ids for equality, as the leader of each
/// sub-group or row does in dimension 0: local id % 32 == 0, (local id & ~32) == 0, !(local id &
/// 31).
static bool choosesLeaders(const KernelAnalysis &K, const Expr *Cond, bool Holds) {
  Cond = stripCasts(Cond);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return choosesLeaders(K, Cond->Ops[0], !Holds);
  auto IsOfIds = [&](const Expr *E) { return (K.varies(E).Item & 1) && !K.varies(E).Data; };
  if (Cond->K == ExprKind::Binary && Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr))
    return choosesLeaders(K, Cond->Ops[0], Holds) || choosesLeaders(K, Cond->Ops[1], Holds);
  if (Cond->K == ExprKind::Binary && isComparison(Cond->O))
    return Cond->O == (Holds ? Op::EQ : Op::NE) && Cond->Ops[0]->Ty->isInteger() && IsOfIds(Cond) &&
           (IsOfIds(Cond->Ops[0]) != IsOfIds(Cond->Ops[1]));
  // Where a number is 0.
  return !Holds && Cond->Ty->isInteger() && Cond->Ty->isScalar() && IsOfIds(Cond);
}

static void run(const Kernel &Of, Context &C) {
  const KernelAnalysis &K = C.analysis();
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    AddressSpace Space = A.Base->space();
    if (!Site.IsAtomic || (Space != AddressSpace::Global && Space != AddressSpace::Local) ||
        isPinned(K, Site, 0) ||
        any_of(Site.Guards, [&](const Guard &G) { return choosesLeaders(K, G.Cond, G.Holds); }))
      continue;
    if (Sharing Shared = sharing(K, Site); Shared != Sharing::None) {
      if (isGuardedByElement(Site))
        continue;
      // Appending to a list, setting a flag and adding a sum of a loop take fewer updates than one
      // for each element, but still up to one for each work-item.
      bool Guarded = any_of(Site.Guards, [&](const Guard &G) { return K.varies(G.Cond).Data; });
      bool Records = isResultUsed(Of, Site.S) || setsFlag(Site.S);
      if (Records && isSearchHit(K, Site))
        continue;
      bool Fewer = isPinned(K, Site, 1) || Shared != Sharing::Launch || (Guarded && Records) ||
                   any_of(Site.S->Args, [&](const Expr *E) { return isSummedUp(K, E); });
      StringRef Items = Shared == Sharing::Group ? "every work-item of a group"
                        : Shared == Sharing::Row ? "every work-item of a row"
                                                 : "every work-item";
      Finding &F = C.report(A.Range, Items + (Guarded ? " that gets here updates" : " updates") +
                                         (isUniform(K, Site.Bytes) || Shared != Sharing::Launch
                                              ? " the same element of "
                                              : " the same elements of ") +
                                         nameOf(A) + " atomically")
                       .cost("the updates run one after another");
      F.restsOn(Site);
      if (Fewer)
        F.atMost(rules::Severity::Info);
      continue;
    }
    if (Space == AddressSpace::Local)
      continue; // a histogram for each group is the recommended form
    // A histogram: the type bounds the index.
    if (A.Index.size() != 1 || !K.varies(A.Index[0]).Data)
      continue;
    Range R = K.range(A.Index[0], Site.S);
    int64_t Most = C.option("MaxAddresses");
    if (R.Hi >= 0 && R.Hi < Most && R.Lo > -Most) {
      C.report(A.Range, "all work-items update one of " +
                            itostr(R.Hi - std::max<int64_t>(R.Lo, 0) + 1) + " elements of " +
                            nameOf(A) + " atomically")
          .cost("updates of one element run one after another")
          .restsOn(Site);
      continue;
    }
    if (!isResultUsed(Of, Site.S) &&
        (isBin(K, Site, C.option("MinPlaneBins")) || isChosenInLoop(K, Site)))
      C.report(A.Range, "work-items update elements of " + nameOf(A) +
                            " atomically that are bins of their data")
          .cost("where many choose one bin, the updates run one after another")
          .restsOn(Site)
          .atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("atomic-hotspot", run);
