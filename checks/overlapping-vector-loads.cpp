//===- overlapping-vector-loads.cpp ----------------------------------------------------------===//
//
// Before: vload8(0, p), vload8(0, p + 1), vload8(0, p + 2)
// After:  vload16(0, p) and swizzles                              (clmali-rewrite, merge-loads)
// Limits: loads under the same guards and in the same loops, of a buffer that the kernel does
//         not write, at constant distances; only where fewer loads would do. The rewrite is
//         offered where pattern/LoadGroups replaces at least two of the loads.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/LoadGroups.h"
#include "checks/model/pattern/Opaque.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Is global memory written between the first of the loads and the last, or may a loop or another
/// branch be?
static bool storeBetween(const KernelAnalysis &K, ArrayRef<const AccessSite *> Sites) {
  const AccessSite *First = *llvm::min_element(Sites), *Last = *llvm::max_element(Sites);
  for (const AccessSite &W : K.accesses())
    if (W.IsWrite && W.A->Base->space() == AddressSpace::Global && &W > First && &W < Last)
      return true;
  return First->Interval != Last->Interval;
}

/// Does a store between the loads of one scalar force the compiler to load it again: one of the
/// same type, through a pointer that may point to it?
static bool isForced(const KernelAnalysis &K, ArrayRef<const AccessSite *> Sites) {
  const AccessSite *First = *llvm::min_element(Sites), *Last = *llvm::max_element(Sites);
  bool Forced = false;
  for (const AccessSite &W : K.accesses()) {
    if (!W.IsWrite || &W < First || &W > Last || W.A->Base->space() != AddressSpace::Global)
      continue;
    // What the kernel itself writes there has to be loaded.
    if (W.A->Base == First->A->Base)
      return false;
    Forced |= mayChange(*W.A, *First->A);
  }
  return Forced && First->Interval == Last->Interval;
}

/// True if the address is the same in all iterations of Loop.
static bool staysInPlace(const KernelAnalysis &K, const AccessSite &Site, const Stmt *Loop) {
  return all_of(Site.A->Index,
                [&](const Expr *Index) { return K.isLoopInvariant(Index, Site.S, Loop); });
}

/// `for (k..) c[i] += a[k] * b[k]`, `for (k..) out[k] = in[k] * scale[i]`: one element is loaded
/// again in each round, since the stores of the round may change it, as far as a compiler can tell.
static void inRounds(Context &C, std::set<const Var *> &Told) {
  const KernelAnalysis &K = C.analysis();
  for (const AccessSite &A : K.accesses()) {
    if (!A.Load || A.A->Volatile || A.A->Base->space() != AddressSpace::Global || A.Loops.empty() ||
        Told.count(A.A->Base))
      continue;
    const Stmt *Loop = A.Loops.back();
    if (std::optional<CountedLoop> Counted = K.countedLoop(Loop);
        Counted && Counted->TripCount && *Counted->TripCount < 2)
      continue;
    // Behind a barrier it is what another work-item has stored.
    bool Waits = false;
    walk(Loop->Body, [&](const Stmt *S) {
      Waits |= S->K == StmtKind::Barrier;
      return !Waits;
    });
    if (Waits)
      continue;
    if (!staysInPlace(K, A, Loop))
      continue;
    const AccessSite *Same = nullptr, *Other = nullptr, *Reads = nullptr;
    bool Alike = isAlike(K, A.Bytes); // where all share an element, what others store is waited for
    bool Orders = false;
    for (const AccessSite &W : K.accesses()) {
      if (!is_contained(W.Loops, Loop))
        continue;
      Orders |= W.Interval != A.Interval || W.A->Volatile;
      if (W.IsWrite && W.A->Base == A.A->Base) {
        std::optional<int64_t> Apart = K.distance(A, W);
        if (W.IsAtomic || Alike)
          Orders = true;
        else if (Apart != 0)
          Other = &W;
        else if (widthInBytes(*W.A) == widthInBytes(*A.A))
          Same = &W;
        else
          Orders = true;
      } else if (W.IsWrite && mayChange(*W.A, *A.A))
        Other = &W;
      else if (W.IsRead && mayChange(*A.A, *W.A))
        Reads = &W;
    }
    if (Orders || (!Other && !(Same && Reads)))
      continue;
    Told.insert(A.A->Base);
    Finding &F = C.report(
        A.A->Range,
        Same ? nameOf(*A.A) + " is loaded and stored at one address in each round of the loop"
             : "one element of " + nameOf(*A.A) + " is loaded in each round of the loop");
    F.atMost(rules::Severity::Info);
    if (Same)
      F.cost("a variable would hold it until the loop ends").note(Same->A->Range, "stored here");
    else
      F.cost("the stores of the round may change it, as far as the compiler knows")
          .note(Other->A->Range, "this store may");
  }
}

/// Are two conditions the same, through the variables that a function has for its arguments?
static bool isSame(const KernelAnalysis &K, const Expr *A, const Expr *B, unsigned Depth = 0) {
  if (A == B || equal(A, B))
    return true;
  A = origin(K, A);
  B = origin(K, B);
  if (A == B || equal(A, B))
    return true;
  if (Depth > 8 || A->K != B->K || A->O != B->O || A->Ops.size() != B->Ops.size() ||
      A->Ops.empty() || (A->K != ExprKind::Binary && A->K != ExprKind::Unary))
    return false;
  return all_of(zip(A->Ops, B->Ops), [&](const auto &Parts) {
    return isSame(K, std::get<0>(Parts), std::get<1>(Parts), Depth + 1);
  });
}

/// Does one of them run whenever the other one does: are the conditions of one those of the other,
/// and more?
static bool oneImpliesOther(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  auto Has = [&](const AccessSite &Other, const Guard &G) {
    return any_of(Other.Guards,
                  [&](const Guard &H) { return H.Holds == G.Holds && isSame(K, H.Cond, G.Cond); });
  };
  return all_of(A.Guards, [&](const Guard &G) { return Has(B, G); }) ||
         all_of(B.Guards, [&](const Guard &G) { return Has(A, G); });
}

/// The source loads an element several times with nothing between that could change it.
static void reportRepeated(Context &C, const Access &First, ArrayRef<const AccessSite *> Again) {
  Finding &F = C.report(First.Range, "the source loads one element of " + nameOf(First) + " " +
                                         utostr(Again.size() + 1) + " times");
  F.cost("a load saved wherever the compiler does not see that nothing changes it")
      .atMost(rules::Severity::Info);
  for (const AccessSite *Site : Again)
    F.note(Site->A->Range, "loaded again");
}

/// Loads of one element, in the order of the source: those between which nothing could change it.
static bool repeated(Context &C, ArrayRef<const AccessSite *> Sites) {
  const Var *Base = Sites.front()->A->Base;
  if (Base->space() != AddressSpace::Global || Base->Ty->Restrict)
    return false;
  // What the kernel has stored there, or others before a barrier, has to be loaded.
  auto Changed = [&](const AccessSite *Begin, const AccessSite *End) {
    return Begin->Interval != End->Interval ||
           any_of(C.analysis().accesses(), [&](const AccessSite &W) {
             return W.IsWrite && W.A->Base == Base && &W > Begin && &W < End;
           });
  };
  for (size_t I = 0, J; I < Sites.size(); I = J) {
    SmallVector<const AccessSite *> Again;
    for (J = I + 1;
         J < Sites.size() && !Changed(std::min(Sites[I], Sites[J]), std::max(Sites[I], Sites[J]));
         ++J)
      if (Sites[J]->A->Range.Begin != Sites[J - 1]->A->Range.Begin)
        Again.push_back(Sites[J]);
    if (!Again.empty()) {
      reportRepeated(C, *Sites[I]->A, Again);
      return true;
    }
  }
  return false;
}

/// Is Inner all loops of Outer and more, in none of which Site's address moves?
static bool staysWithin(const KernelAnalysis &K, const AccessSite &Site,
                        ArrayRef<const Stmt *> Outer) {
  ArrayRef<const Stmt *> Inner = Site.Loops;
  return Inner.size() >= Outer.size() && Inner.take_front(Outer.size()) == Outer &&
         all_of(Inner.drop_front(Outer.size()),
                [&](const Stmt *Loop) { return staysInPlace(K, Site, Loop); });
}

/// Are the bytes of one of them all among those of the other?
static bool isWithin(const KernelAnalysis &K, const AccessSite &A, const AccessSite &B) {
  std::optional<int64_t> At = K.distance(A, B);
  int64_t WidthA = widthInBytes(*A.A), WidthB = widthInBytes(*B.A);
  return At && (*At == 0 || (*At < 0 ? *At + WidthB >= WidthA : *At + WidthB <= WidthA));
}

/// Was Load computed wherever Cond came out as Holds?
static bool wasComputed(const Expr *Cond, const Expr *Load, std::optional<bool> Holds) {
  if (Cond == Load)
    return true;
  Cond = Cond->K == ExprKind::Cast ? stripCasts(Cond) : Cond;
  bool And = Cond->K == ExprKind::Binary && Cond->O == Op::LogicalAnd,
       Or = Cond->K == ExprKind::Binary && Cond->O == Op::LogicalOr;
  bool All = Cond->K != ExprKind::Select && (And ? Holds == true : Or ? Holds == false : true);
  std::optional<bool> Inner = And || Or ? Holds : std::nullopt;
  return Cond == Load || any_of(ArrayRef(Cond->Ops).take_front(All ? Cond->Ops.size() : 1),
                                [&](const Expr *X) { return wasComputed(X, Load, Inner); });
}

/// Loads of one element, or of a part of it, in different branches, where one always runs when the
/// other one does.
static void inBranches(Context &C, const std::map<const Expr *, unsigned> &Component,
                       std::set<const Var *> &Told) {
  const KernelAnalysis &K = C.analysis();
  auto Lane = [&](const AccessSite &Site) {
    auto At = Component.find(Site.Load);
    return At == Component.end() ? std::nullopt : std::optional(At->second);
  };
  std::map<AddressClass, std::vector<const AccessSite *>> Earlier; ///< loads before this one
  bool AnyWrite = false;                                           ///< before this one
  for (const AccessSite &Again : K.accesses()) {
    AnyWrite |= Again.IsWrite;
    if (!Again.Load)
      continue;
    // The loads of a helper that is inlined often are one in the source: they count only where a
    // store may stand between.
    bool MayStore = AnyWrite || !Again.Loops.empty();
    std::vector<const AccessSite *> &Near = Earlier[addressClass(Again)];
    Near.push_back(&Again);
    if (Again.A->Volatile || Again.A->Base->space() != AddressSpace::Global ||
        !mayAlias(*Again.A) || Told.count(Again.A->Base))
      continue;
    for (const AccessSite *Before : drop_end(Near)) {
      const AccessSite &First = *Before;
      if (!MayStore && First.A->Range.Begin == Again.A->Range.Begin)
        continue;
      if ((First.Conditional &&
           none_of(Again.Guards,
                   [&](const Guard &G) { return wasComputed(G.Cond, First.Load, G.Holds); })) ||
          First.Interval != Again.Interval || !isWithin(K, First, Again) ||
          !staysWithin(K, Again, First.Loops) || (Lane(First) && Lane(First) != Lane(Again)) ||
          !oneImpliesOther(K, First, Again))
        continue;
      const AccessSite *Between = nullptr;
      bool Written = false;
      ArrayRef<const Stmt *> Farther = ArrayRef(Again.Loops).drop_front(First.Loops.size());
      for (const AccessSite &W : K.accesses()) {
        bool InRound =
            any_of(Farther, [&](const Stmt *Loop) { return is_contained(W.Loops, Loop); });
        if (!W.IsWrite || exclude(W, Again) ||
            (!InRound && (&W < &First || &W > &Again || W.S == Again.S)))
          continue;
        Written |= W.A->Base == Again.A->Base;
        if (mayChange(*W.A, *Again.A))
          Between = &W;
      }
      if (Written || (!Between && First.A->Range.Begin == Again.A->Range.Begin))
        continue;
      Told.insert(Again.A->Base);
      if (Between) {
        Finding &F = C.report(First.A->Range,
                              "the same element of " + nameOf(*First.A) + " is loaded twice");
        F.cost("the stores between may change it, as far as the compiler knows")
            .atMost(rules::Severity::Info);
        F.note(Between->A->Range, "this store may").note(Again.A->Range, "loaded again");
      } else {
        reportRepeated(C, *First.A, &Again);
      }
      break;
    }
  }
}

/// Bytes that the address moves from one round of a loop around it to the next, where that is less
/// than what is loaded: the loads of two rounds overlap.
static std::optional<int64_t> slides(const KernelAnalysis &K, const AccessSite &A) {
  for (const auto &[M, Factor] : A.Bytes.Terms)
    if (M.size() == 1 && K.symbol(M[0]).K == SymbolInfo::LoopVar && A.Bytes.degree(M[0]) == 1) {
      std::optional<CountedLoop> L = K.countedLoop(K.symbol(M[0]).Loop);
      if (!L || !L->Step || (L->TripCount && *L->TripCount < 2) ||
          !A.Bytes.coefficient(M[0]).isConstant())
        continue;
      int64_t By = std::abs(Factor * L->Step);
      if (By > 0 && By < int64_t(widthInBytes(*A.A)))
        return By;
    }
  return std::nullopt;
}

namespace {
/// The loads that merge-loads replaces. A type of its own, as the cache's key.
struct MergedLoads {
  DenseSet<const Expr *> Loads;
};
} // namespace

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Written;
  for (const AccessSite &A : K.accesses())
    if (A.IsWrite)
      Written.insert(A.A->Base);

  struct Load {
    const AccessSite *Site;
    int64_t At; ///< bytes from the first of its group
    unsigned Bytes;
    bool Scalar; ///< also a single component: v[i].x
  };
  std::map<const Expr *, unsigned> Component = componentLoads(K.kernel());
  std::vector<std::vector<Load>> Groups;
  std::map<AddressClass, std::vector<size_t>> GroupsAt;
  for (const AccessSite &A : K.accesses()) {
    AddressSpace Space = A.A->Base->space();
    // A table of the program is the compiler's: it reads an element once, or has it as a number.
    bool Memory = Space == AddressSpace::Global ||
                  (Space == AddressSpace::Constant && A.A->Base->isPointerParam());
    if (!A.Load || A.A->Volatile || A.IsWrite || A.Conditional || !Memory ||
        (Written.count(A.A->Base) && A.A->Lanes > 1))
      continue;
    Load New{&A, 0, widthInBytes(*A.A), A.A->Lanes == 1};
    // v[i].x and v[i].y: who takes single components loads no vectors, but scalars.
    int64_t Offset = 0;
    if (auto Lane = Component.find(A.Load); Lane != Component.end()) {
      New.Bytes = sizeInBytes(A.A->Elem);
      New.Scalar = true;
      Offset = int64_t(Lane->second) * New.Bytes;
    }
    // Loads of an unknown width cannot be compared: their type was guessed.
    if (A.A->Lanes > 1 && (guessed(C).hasGuessedType(*A.A->Base) ||
                           containsWord(guessed(C).names().Types, C.text(A.A->Range))))
      continue;
    std::vector<size_t> &Near = GroupsAt[addressClass(A)];
    auto At = find_if(Near, [&](size_t I) {
      const Load &First = Groups[I].front();
      return First.Bytes == New.Bytes && First.Scalar == New.Scalar && sameControl(*First.Site, A);
    });
    if (At == Near.end()) {
      New.At = Offset;
      Near.push_back(Groups.size());
      Groups.push_back({New});
      continue;
    }
    New.At = *K.distance(*Groups[*At].front().Site, A) + Offset;
    Groups[*At].push_back(New);
  }
  std::set<const Var *> Told;
  const DenseSet<const Expr *> &Merged = C.cached<MergedLoads>([&] {
                                            return pattern::hasOpaqueParts(K.kernel())
                                                       ? MergedLoads()
                                                       : MergedLoads{pattern::overlappingLoads(K)};
                                          }).Loads;
  for (std::vector<Load> &G : Groups) {
    if (G.size() < 2) {
      const AccessSite &A = *G.front().Site;
      if (std::optional<int64_t> By = !G.front().Scalar ? slides(K, A) : std::nullopt)
        C.report(A.A->Range, "the vector loads of " + nameOf(*A.A) +
                                 " overlap from one round of the loop to the next")
            .cost(utostr(widthInBytes(*A.A)) + " bytes are loaded for " + itostr(*By) +
                  " new ones");
      continue;
    }
    llvm::stable_sort(G, [](const Load &A, const Load &B) { return A.At < B.At; });
    unsigned Width = G.front().Bytes;
    // Stretches of bytes without a gap.
    for (size_t I = 0; I < G.size();) {
      size_t J = I + 1;
      int64_t End = G[I].At + Width;
      while (J < G.size() && G[J].At < End) {
        End = std::max<int64_t>(End, G[J].At + Width);
        ++J;
      }
      size_t Loads = J - I;
      unsigned Largest = std::max(Width, C.device().IdealAccessBits / 8);
      size_t Enough = divideCeil(uint64_t(End - G[I].At), uint64_t(Largest));
      if (Loads > Enough) {
        std::vector<const AccessSite *> Sites;
        for (size_t L = I; L < J; ++L)
          Sites.push_back(G[L].Site);
        llvm::sort(Sites, [](const auto *A, const auto *B) {
          return A->A->Range.Begin < B->A->Range.Begin;
        });
        const Access &First = *Sites.front()->A;
        bool Same = End - G[I].At == Width;
        // p[i] of one address becomes one load in most compilers, unless a store stands between.
        bool Written = any_of(Sites, [](const auto *S) { return S->A->F == Access::VLoad; });
        bool Scalar = G.front().Scalar;
        if (Same && !Written && !(Scalar ? isForced(K, Sites) : storeBetween(K, Sites))) {
          if (repeated(C, Sites))
            Told.insert(First.Base);
          I = J;
          continue;
        }
        Told.insert(First.Base);
        if (Scalar) {
          Finding &F = C.report(First.Range, utostr(Loads) + " loads of " + nameOf(First) +
                                                 " read the same element");
          F.cost("the stores between them may change it, as far as the compiler knows")
              .atMost(rules::Severity::Info);
          for (const AccessSite *Site : drop_begin(Sites))
            F.note(Site->A->Range, "loaded again");
          I = J;
          continue;
        }
        Finding &F = C.report(
            First.Range, Same ? utostr(Loads) + " vector loads of " + nameOf(First) +
                                    " read the same " + utostr(Width) + " bytes"
                              : utostr(Loads) + " vector loads of " + nameOf(First) + " overlap");
        F.cost(utostr(Loads * Width) + " bytes are loaded for " + utostr(End - G[I].At) + ", and " +
               utostr(Enough) + (Enough == 1 ? " load does" : " loads do"));
        F.share(shareOfWork(C, Sites));
        for (const AccessSite *Site : drop_begin(Sites))
          F.note(Site->A->Range, "overlaps with this one");
        if (count_if(Sites, [&](const auto *S) { return Merged.contains(S->Load); }) > 1)
          F.fix(Applicability::Verify, "clmali-rewrite --passes=merge-loads");
      }
      I = J;
    }
  }
  if (swapsPointers(K.kernel()))
    return;
  inRounds(C, Told);
  inBranches(C, Component, Told);
}

CLMALI_KERNEL_CHECK("overlapping-vector-loads", run);
