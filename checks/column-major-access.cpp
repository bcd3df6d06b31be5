//===- column-major-access.cpp ---------------------------------------------------------------------===//
//
// Before: y = get_global_id(0); x = get_global_id(1); out[y * width + x]
// After:  x = get_global_id(0); y = get_global_id(1); out[y * width + x]   (swap-dimensions)
// Limits: silent where any buffer is walked along dimension 0 (a transposition has one of each).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Is P a multiple of Of, by a number or by arguments?
static bool isMultiple(const Poly &P, const Poly &Of) {
  if (Of.isZero() || P.isZero())
    return false;
  const auto &[Mono, Coefficient] = *Of.Terms.begin();
  if (Of.Terms.size() > 1) {
    auto At = P.Terms.find(Mono);
    return At != P.Terms.end() && At->second % Coefficient == 0 && Of * (At->second / Coefficient) == P;
  }
  return all_of(P.Terms, [&, &Mono = Mono, Coefficient = Coefficient](const auto &Term) {
    return Term.second % Coefficient == 0 && std::includes(Term.first.begin(), Term.first.end(), Mono.begin(), Mono.end());
  });
}

/// in[(y * s + r) * w + x * s + c]: is what dimension 0 steps by a part of a row, of which there are others? Not where the
/// loop walks as far as that.
static bool isPartOfRow(const KernelAnalysis &K, const AccessSite &Site, const Poly &Along) {
  int64_t Element = sizeInBits(Site.A->Elem) / 8;
  if (std::optional<CountedLoop> Loop = K.countedLoop(Site.Loops.back())) {
    Poly Rounds = K.poly(Loop->Bound, Site.Loops.back()) - K.poly(Loop->Lower, Site.Loops.back());
    if (Loop->Compare == Op::LE)
      Rounds = Rounds + Poly::constant(1);
    if (isMultiple(Along, Rounds * Element))
      return false;
  }
  auto Degree = [](const Poly &P) {
    size_t Most = 0;
    for (const auto &[M, Coefficient] : P.Terms)
      Most = std::max<size_t>(Most, M.size());
    return Most;
  };
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    bool Moves = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration ||
                 (Info.K == SymbolInfo::WorkItem && Info.E->Dim > 0);
    if (Moves && Site.Bytes.degree(S) == 1)
      if (Poly Pitch = Site.Bytes.coefficient(S); Degree(Pitch) > 0 && Degree(Pitch) >= Degree(Along) && !isMultiple(Along, Pitch))
        return true;
  }
  return false;
}

/// `for (k..) in[get_global_id(0) * n + k]`: each work-item has a row to itself.
static void rowsOfTheirOwn(const KernelAnalysis &K, Context &C) {
  constexpr int64_t Pixel = 4; // elements: a walk by pixels is one, too
  std::set<const Var *> Told;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->space() != AddressSpace::Global || Site.IsAtomic || A.Lanes != 1 || !A.Path.empty() ||
        !isRegular(K, Site) || Told.count(A.Base) || isPinned(K, Site, 0) || !stepsByElement(K, Site, Pixel))
      continue;
    std::optional<Poly> Along = K.stride(A, 0);
    if (!Along || Along->isZero() ||
        (Along->isConstant() && std::abs(Along->constantTerm()) < C.device().CacheLineBytes))
      continue;
    if (!Along->isConstant() && isPartOfRow(K, Site, *Along))
      continue;
    Told.insert(A.Base);
    C.report(A.Range, nameOf(A) + " is walked along a row by each work-item of dimension 0: neighbours are " +
                          (Along->isConstant() ? itostr(std::abs(Along->constantTerm())) + " bytes"
                                               : std::string("a row")) +
                          " apart")
        .cost("each work-item of a group touches another cache line");
  }
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  rowsOfTheirOwn(K, C);
  const AccessSite *First = nullptr;
  unsigned FirstDim = 0;
  bool Symbolic = false;
  int64_t Bytes = 0;
  uint8_t Kept = 0; ///< dimensions that some buffer would lose by
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->space() != AddressSpace::Global || Site.IsAtomic)
      continue;
    std::optional<Poly> Along = K.stride(A, 0);
    if (!Along)
      continue; // a gather says nothing of either direction
    int64_t Near = std::max<int64_t>(C.device().IdealAccessBits / 8, widthInBytes(A));
    bool Far = !Along->isConstant() || std::abs(Along->constantTerm()) >= C.device().CacheLineBytes;
    if (!Along->isZero() && !Far) {
      // Walked along dimension 0; what another dimension moves, too, would be walked down its columns after a swap.
      for (unsigned Dim = 1; Dim < 3; ++Dim)
        if (std::optional<Poly> Other = K.stride(A, Dim); !Other || !Other->isZero())
          Kept |= 1 << Dim;
      continue;
    }
    if (!Far)
      continue;
    for (unsigned Dim = 1; Dim < 3; ++Dim) {
      std::optional<int64_t> Other = constantStride(K, A, Dim);
      if (!Other || *Other == 0 || std::abs(*Other) > Near)
        continue;
      // What is narrower than an access can be, loses more.
      bool Whole = widthInBytes(A) * 8 >= C.device().IdealAccessBits,
           WasWhole = First && widthInBytes(*First->A) * 8 >= C.device().IdealAccessBits;
      if (!First || (Whole == WasWhole ? isEarlier(K.kernel(), A.Range, First->A->Range) : WasWhole)) {
        First = &Site;
        FirstDim = Dim;
        Symbolic = !Along->isConstant();
        Bytes = Along->constantTerm();
      }
    }
  }
  if (!First || (Kept & (1 << FirstDim)))
    return;
  Finding &F = C.report(First->A->Range,
                        nameOf(*First->A) + " is walked down its columns: neighbours in dimension 0 are " +
                            (Symbolic ? std::string("a row") : itostr(std::abs(Bytes)) + " bytes") +
                            " apart, those in dimension " + utostr(FirstDim) + " are contiguous");
  F.cost("each work-item of a group touches another cache line");
  // Whole accesses of 128 bits lose a part of each line, and nothing where the group extends in both dimensions.
  if (widthInBytes(*First->A) * 8 >= C.device().IdealAccessBits)
    F.atMost(rules::Severity::Info);
  F.fix(Applicability::Verify, "clmali-rewrite --passes=swap-dimensions");
}

CLMALI_KERNEL_CHECK("column-major-access", run);
