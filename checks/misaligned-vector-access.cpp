//===- misaligned-vector-access.cpp -------------------------------------------------------===//
//
// Before: *(__global float4 *)(in + i * pitch)
// After:  vload4(0, in + i * pitch)
// Limits: buffers are assumed to be aligned; reported if some term of the address is no multiple of
//         the vector's size.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if the address depends on no loaded value, and on no operation (a mask, a selection) that
/// may have made it a multiple of the vector's size.
static bool isFreeOfDataAndMasks(const KernelAnalysis &K, const Poly &P) {
  return all_of(P.Terms, [&](const auto &Term) {
    return all_of(Term.first, [&](unsigned S) {
      const SymbolInfo &Info = K.symbol(S);
      bool IsQuotient =
          Info.E && Info.E->K == ExprKind::Binary && (Info.E->O == Op::Div || Info.E->O == Op::Shr);
      return !Info.Varies.Data && (Info.K != SymbolInfo::Atom || IsQuotient);
    });
  });
}

/// The factor that masks in the term guarantee: 4 for x & ~3.
static int64_t guaranteedFactor(const KernelAnalysis &K, const Monomial &M) {
  int64_t Of = 1;
  for (unsigned S : M) {
    const Expr *E = K.symbol(S).E ? origin(K, K.symbol(S).E) : nullptr;
    if (E && E->K == ExprKind::Binary && E->O == Op::And)
      for (const Expr *Mask : E->Ops)
        if (std::optional<int64_t> Bits = constantValue(stripCasts(Mask)); Bits && *Bits)
          Of *= *Bits & -*Bits;
  }
  return Of;
}

/// True if a value that the work-item loads from global memory is the offset of the vector:
/// in + from[i].
static bool hasLoadedOffset(const KernelAnalysis &K, const Monomial &M) {
  return any_of(M, [&](unsigned S) {
    const Expr *E = K.symbol(S).E ? origin(K, K.symbol(S).E) : nullptr;
    if (E && E->K == ExprKind::Binary && E->O == Op::And)
      E = origin(K, E->Ops[0]);
    return E && E->K == ExprKind::Load && K.symbol(S).Varies.Data &&
           E->Acc.Base->space() == AddressSpace::Global;
  });
}

/// True if the term is a number of bytes that the host gives: base + y * step, where base points to
/// bytes. The cast states that all of them are multiples of the vector's size.
static bool isByteStep(const KernelAnalysis &K, const Access &A, const Monomial &M) {
  const Type *Pointee = A.Base->isPointerParam() ? A.Base->Ty->Elem : nullptr;
  if (!Pointee || !Pointee->isScalar() || sizeInBytes(Pointee->Scalar) != 1)
    return false;
  return any_of(M, [&](unsigned S) { return K.symbol(S).K == SymbolInfo::Param; });
}

static void run(const Kernel &, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  for (const AccessSite &Site : C.analysis().accesses()) {
    const Access &A = *Site.A;
    if (A.F != Access::Cast || A.Lanes < 2)
      continue;
    bool Plain = isFreeOfDataAndMasks(C.analysis(), Site.Bytes);
    // A 3-vector is aligned like a 4-vector.
    int64_t Size = sizeInBytes(A.Elem) * (A.Lanes == 3 ? 4 : A.Lanes);
    for (const auto &[M, Coefficient] : Site.Bytes.Terms) {
      if (Coefficient % Size == 0 ||
          (!Plain && Coefficient * guaranteedFactor(C.analysis(), M) % Size == 0))
        continue;
      if (!Plain && (!hasLoadedOffset(C.analysis(), M) || A.Base->space() != AddressSpace::Global))
        continue;
      if (!Seen.insert({A.Range.File, A.Range.Begin}).second)
        break;
      Finding &F =
          C.report(A.Range, nameOf(A) + " is accessed as " + typeOf(A) +
                                (Plain ? " at an address that is no multiple of "
                                       : " at an address that depends on loaded data, and that may "
                                         "be no multiple of ") +
                                itostr(Size) + " bytes" + (Plain ? " for every work-item" : ""));
      F.fix(Applicability::Verify, "vload" + utostr(A.Lanes) + " or vstore" + utostr(A.Lanes) +
                                       ", which need only the element's alignment");
      F.restsOn(A);
      if (!Plain || isByteStep(C.analysis(), A, M))
        F.atMost(rules::Severity::Info);
      break;
    }
  }
}

CLMALI_KERNEL_CHECK("misaligned-vector-access", run);
