//===- overlapping-vector-loads.cpp ----------------------------------------------------------------===//
//
// Before: vload8(0, p), vload8(0, p + 1), vload8(0, p + 2)
// After:  vload16(0, p) and swizzles                              (clmali-rewrite, merge-loads)
// Limits: loads that run under the same guards and in the same loops, of a buffer that the kernel does
//         not write, at distances that are constants; and only where fewer loads would do.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
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

/// Does a store between the loads of one scalar force the compiler to load it again: one of the same type, through a
/// pointer that may point to it?
static bool isForced(const KernelAnalysis &K, ArrayRef<const AccessSite *> Sites) {
  const AccessSite *First = *llvm::min_element(Sites), *Last = *llvm::max_element(Sites);
  auto MayAlias = [](const Access &A) { return A.Base->isPointerParam() && !A.Base->Ty->Restrict; };
  bool Forced = false;
  for (const AccessSite &W : K.accesses()) {
    if (!W.IsWrite || &W < First || &W > Last || W.A->Base->space() != AddressSpace::Global)
      continue;
    // What the kernel itself writes there has to be loaded.
    if (W.A->Base == First->A->Base)
      return false;
    Forced |= W.A->Elem == First->A->Elem && MayAlias(*W.A);
  }
  return Forced && First->Interval == Last->Interval && MayAlias(*First->A);
}

/// Bytes that the address moves from one round of a loop around it to the next, where that is less than what is
/// loaded: the loads of two rounds overlap.
static std::optional<int64_t> slides(const KernelAnalysis &K, const AccessSite &A) {
  for (const auto &[M, Factor] : A.Bytes.Terms)
    if (M.size() == 1 && K.symbol(M[0]).K == SymbolInfo::LoopVar && A.Bytes.degree(M[0]) == 1) {
      std::optional<CountedLoop> L = K.countedLoop(K.symbol(M[0]).Loop);
      if (!L || !L->Step || (L->TripCount && *L->TripCount < 2) || !A.Bytes.coefficient(M[0]).isConstant())
        continue;
      int64_t By = std::abs(Factor * L->Step);
      if (By > 0 && By < int64_t(widthInBytes(*A.A)))
        return By;
    }
  return std::nullopt;
}

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
    // How wide they are was guessed.
    if (mentionsGuessedType(C.module(), C.text(A.A->Range)) || mentionsGuessedType(C.module(), C.text(A.A->Base->Range)))
      continue;
    auto At = find_if(Groups, [&](const std::vector<Load> &G) {
      const AccessSite &First = *G.front().Site;
      return First.A->Base == A.A->Base && G.front().Bytes == New.Bytes && G.front().Scalar == New.Scalar &&
             sameControl(First, A) && K.distance(First, A).has_value();
    });
    if (At == Groups.end()) {
      New.At = Offset;
      Groups.push_back({New});
      continue;
    }
    New.At = *K.distance(*At->front().Site, A) + Offset;
    At->push_back(New);
  }
  for (std::vector<Load> &G : Groups) {
    if (G.size() < 2) {
      const AccessSite &A = *G.front().Site;
      if (std::optional<int64_t> By = !G.front().Scalar ? slides(K, A) : std::nullopt)
        C.report(A.A->Range, "the vector loads of " + nameOf(*A.A) + " overlap from one round of the loop to the next")
            .cost(utostr(widthInBytes(*A.A)) + " bytes are loaded for " + itostr(*By) + " new ones")
            .fix(Applicability::Verify, "clmali-rewrite --passes=merge-loads");
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
        // p[i] of one address becomes one load in any compiler, unless a store stands between.
        bool Written = any_of(Sites, [](const auto *S) { return S->A->F == Access::VLoad; });
        bool Scalar = G.front().Scalar;
        if (Same && !Written && !(Scalar ? isForced(K, Sites) : storeBetween(K, Sites))) {
          I = J;
          continue;
        }
        if (Scalar) {
          Finding &F = C.report(First.Range, utostr(Loads) + " loads of " + nameOf(First) + " read the same element");
          F.cost("the stores between them may change it, as far as the compiler knows").atMost(rules::Severity::Info);
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
        for (const AccessSite *Site : drop_begin(Sites))
          F.note(Site->A->Range, "overlaps with this one");
        F.fix(Applicability::Verify, "clmali-rewrite --passes=merge-loads");
      }
      I = J;
    }
  }
}

CLMALI_KERNEL_CHECK("overlapping-vector-loads", run);
