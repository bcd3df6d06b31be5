//===- Scatter.cpp - addresses that depend on loaded data -------------------------------------===//

#include "checks/query/Scatter.h"
#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

bool checks::isChosenByData(const KernelAnalysis &K, const AccessSite &A) {
  bool ByData = false;
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      // A loop counter is not distinctive: every work-item runs through the same values.
      if (Info.Varies.Data && Info.Varies.Item)
        ByData = true;
      else if (Info.Varies.Item)
        return false;
    }
  return ByData;
}

namespace {
/// Evidence that two work-items may select the same data-dependent element.
struct Chosen {
  bool OfItems = false;           ///< depends on a value loaded at an index of the work-item's own
  unsigned Rounded = 0;           ///< number of float-to-integer conversions: cells, pixels, bins
  bool Computed = false;          ///< a converted float is the result of arithmetic
  bool Masked = false;            ///< x & 255, x % n, x >> 4
  bool OfLists = false;           ///< list[k] with a data-dependent range of k: neighbours, edges
  bool OfRounds = false;          ///< list[k] in a loop with the same range for all work-items
  bool OfElements = false;        ///< depends on an element of the accessed buffer itself
  std::set<const Var *> Followed; ///< variables already visited
};
} // namespace

/// Only OfItems is asked for: nothing else is found once it is true.
enum class Ask : bool { All, OfItems };

static void howChosen(const KernelAnalysis &K, const AccessSite &A, const Expr *Root, Ask For,
                      Chosen &C, unsigned Depth = 0) {
  walk(Root, [&](const Expr *E) {
    if (For == Ask::OfItems && C.OfItems)
      return false;
    switch (E->K) {
    case ExprKind::Load:
      C.OfElements |= E->Acc.Base == A.A->Base;
      C.OfItems |=
          any_of(E->Acc.Index, [&](const Expr *Index) { return K.varies(Index).Item != 0; });
      if (For == Ask::OfItems)
        return false;
      for (const Expr *Index : E->Acc.Index)
        if (Index->Ty->isScalar())
          for (const auto &[M, Coefficient] : K.poly(Index).Terms)
            for (unsigned S : M) {
              const SymbolInfo &Info = K.symbol(S);
              std::optional<CountedLoop> L = Info.Loop ? K.countedLoop(Info.Loop) : std::nullopt;
              if (!L || (Info.K != SymbolInfo::LoopVar && Info.K != SymbolInfo::Iteration))
                continue;
              Variation From = K.varies(L->Lower, Info.Loop);
              C.OfLists |= From.Data && From.Item;
              C.OfRounds |= !From.Item && !From.Group;
            }
      return false;
    case ExprKind::Cast:
      if (E->Ty->isInteger() && E->Ops[0]->Ty->isFloat() && E->C != CastOp::Bitcast) {
        ++C.Rounded;
        const Expr *Of = E->Ops[0];
        while (Of->K == ExprKind::Swizzle ||
               (Of->K == ExprKind::VarRef && K.singleDef(Of->V) && K.singleDef(Of->V)->E))
          Of = Of->K == ExprKind::Swizzle ? Of->Ops[0] : K.singleDef(Of->V)->E;
        C.Computed |= Of->K == ExprKind::Binary || Of->K == ExprKind::Call;
      }
      break;
    case ExprKind::Binary:
      if (E->O == Op::And || E->O == Op::Rem || E->O == Op::Shr) {
        std::optional<int64_t> By = constantValue(stripCasts(E->Ops[1]));
        C.Masked |= E->O == Op::Rem || (By && *By > 0 && *By < (1 << 20));
      }
      break;
    case ExprKind::VarRef:
      if (E->V->K == Var::Temp && Depth < 6 && C.Followed.insert(E->V).second)
        for (const Stmt *Def : K.defs(E->V))
          if (Def->E)
            howChosen(K, A, Def->E, For, C, Depth + 1);
      break;
    default:
      break;
    }
    return true;
  });
}

static Chosen howChosen(const KernelAnalysis &K, const AccessSite &A, Ask For = Ask::All) {
  Chosen How;
  for (const auto &[M, Coefficient] : A.Bytes.Terms)
    for (unsigned S : M)
      if (const SymbolInfo &Info = K.symbol(S); Info.Varies.Data && Info.Varies.Item && Info.E)
        howChosen(K, A, Info.E, For, How);
  return How;
}

bool ChosenByOwnData::contains(const AccessSite &A) {
  auto [It, New] = Known.try_emplace(&A, false);
  if (New)
    It->second = isChosenByData(K, A) && howChosen(K, A, Ask::OfItems).OfItems;
  return It->second;
}

std::optional<bool> checks::isScattered(const KernelAnalysis &K, const AccessSite &A) {
  if (!A.IsWrite || A.S->K != StmtKind::Store || A.IsAtomic || !A.S->E ||
      A.A->Base->space() != AddressSpace::Global || !isChosenByData(K, A))
    return std::nullopt;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (isPinned(K, A, Dim))
      return std::nullopt;
  Chosen How = howChosen(K, A);
  auto IsData = [&](unsigned S) { return K.symbol(S).Varies.Data && K.symbol(S).Varies.Item; };
  if (!How.OfItems)
    return std::nullopt;
  auto OfSamePlace = [&](const Expr *E) {
    return E->K == ExprKind::Load && E->Acc.Base == A.A->Base && K.distance(E->Acc, *A.A) == 0;
  };
  bool Updates = false, AddsOwn = false;
  walk(origin(K, A.S->E), [&](const Expr *E) {
    Updates |= OfSamePlace(E);
    return !Updates;
  });
  if (!Updates) {
    const Expr *Value = stripCasts(A.S->E);
    bool Constant = Value->K == ExprKind::IntConst || Value->K == ExprKind::FloatConst;
    bool Repeats = How.OfLists || How.OfElements || How.Masked || How.Rounded > 1 ||
                   (How.Rounded && How.Computed);
    return Repeats && !Constant ? std::optional<bool>(false) : std::nullopt;
  }
  // An update that adds a value loaded at the work-item's own index accumulates into a shared
  // element.
  auto FindOwn = [&](const Expr *Root, const Stmt *At, unsigned Depth, auto &&Self) -> void {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::VarRef && E->V->K == Var::Temp && Depth < 4)
        if (const Stmt *Def = K.singleDef(E->V); Def && Def->E && !E->Ty->isInteger())
          Self(Def->E, Def, Depth + 1, Self);
      if (E->K != ExprKind::Load)
        return !AddsOwn;
      for (const Expr *Index : E->Acc.Index)
        if (Index->Ty->isScalar() && !OfSamePlace(E)) {
          Poly P = K.poly(Index, At);
          AddsOwn |=
              isRegular(K, P) && any_of(P.Terms, [&](const auto &Term) {
                return any_of(Term.first, [&](unsigned S) { return K.symbol(S).Varies.Item != 0; });
              });
        }
      return false;
    });
  };
  FindOwn(origin(K, A.S->E), A.S, 0, FindOwn);
  // f[i] += ..; f[j] -= ..: updates of both ends of a pair.
  bool BothEnds = any_of(K.accesses(), [&](const AccessSite &B) {
    return B.IsWrite && B.S->K == StmtKind::Store && B.A->Base == A.A->Base &&
           isChosenByData(K, B) && any_of((A.Bytes - B.Bytes).Terms, [&](const auto &Term) {
             return any_of(Term.first, IsData);
           });
  });
  // An atomic on another buffer at the same data-dependent index shows that several work-items are
  // expected to select it.
  bool CountsThere = any_of(K.accesses(), [&](const AccessSite &B) {
    return B.IsAtomic && B.A->Base != A.A->Base && isChosenByData(K, B) &&
           any_of(B.Bytes.Terms, [&](const auto &Term) {
             return any_of(Term.first, [&](unsigned S) {
               return IsData(S) && any_of(A.Bytes.Terms, [&](const auto &Mine) {
                        return is_contained(Mine.first, S);
                      });
             });
           });
  });
  return How.Rounded || How.Masked || How.OfLists || How.OfRounds || AddsOwn || BothEnds ||
                 CountsThere
             ? std::optional<bool>(true)
             : std::nullopt;
}
