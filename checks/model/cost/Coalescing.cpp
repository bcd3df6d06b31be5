//===-- checks/model/cost/Coalescing.cpp - What one memory access costs --------===//

#include "checks/model/cost/Coalescing.h"
#include "checks/model/cost/Banks.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace clmali::model {

/// Bytes between a work-item's access and that of its neighbour in dimension 0; 0: both access the
/// same address. nullopt: no constant, or computed from data.
static std::optional<double> neighbourDistance(const KernelAnalysis &A, const Access &Acc,
                                               const Stmt *At) {
  if (std::optional<Poly> S = A.stride(Acc, 0)) {
    if (S->isConstant())
      return std::fabs(double(S->constantTerm()));
    return std::nullopt;
  }
  bool Same = llvm::all_of(Acc.Index, [&](const Expr *Ix) { return !(A.varies(Ix, At).Item & 1); });
  return Same ? std::optional<double>(0) : std::nullopt;
}

/// Per cent of its cycles that an access takes when neighbouring accesses are Distance bytes apart,
/// as a factor. The facts `reissue-256` and `reissue-512` give it for 256 and 512 bits; up to 128
/// bits nothing is issued again. In between it grows linearly.
static double reissueFactor(std::optional<double> Distance, const rules::DeviceFacts &D) {
  constexpr double Near = 16, Middle = 32, Far = 64; // bytes: 128, 256 and 512 bits
  double AtMiddle = D.Reissue256 / 100.0, AtFar = D.Reissue512 / 100.0;
  if (!Distance)
    return AtFar;
  if (*Distance <= Near)
    return 1;
  if (*Distance <= Middle)
    return 1 + (AtMiddle - 1) * (*Distance - Near) / (Middle - Near);
  return std::min(AtFar, AtMiddle + (AtFar - AtMiddle) * (*Distance - Middle) / (Far - Middle));
}

AccessCycles accessCycles(const KernelAnalysis &A, const Access &Acc, const Stmt *At, double Times,
                          const rules::DeviceFacts &D) {
  if (Acc.Base->space() == AddressSpace::Private)
    return {};
  double Bits = sizeInBytes(Acc.Elem) * 8.0 * Acc.Lanes;
  double Pieces = std::max(1.0, std::ceil(Bits / std::max(1u, D.IdealAccessBits)));
  if (Acc.F == Access::VLoad && Acc.Lanes == 3 && D.fact("splits-three-lanes"))
    Pieces = 3;
  bool OnChip = D.LocalOnChip && Acc.Base->space() == AddressSpace::Local;
  if (LocalBanks Banks(D); OnChip && Banks.known())
    return {Times * Banks.cyclesWithoutConflicts(
                        std::max(Bits, D.PadsSubword ? 32.0 * Acc.Lanes : 0.0)),
            0};
  if (D.CoalesceBytes && !OnChip) {
    // The accesses of the work-items in lockstep take a cycle for each segment that they touch.
    if (D.SplitsUnaligned && Acc.F == Access::VLoad)
      Pieces = Acc.Lanes;
    double Most = D.SimdWidth, Segments = Most;
    if (std::optional<double> Distance = neighbourDistance(A, Acc, At))
      Segments = std::clamp(Most * *Distance / D.CoalesceBytes, 1.0, Most);
    return {Times * Pieces * Segments * D.LoadStoreCycles, 0};
  }
  double Cycles = Times * Pieces * D.LoadStoreCycles;
  if (!D.Reissue256 || OnChip)
    return {Cycles, 0};
  return {Cycles, Cycles * (reissueFactor(neighbourDistance(A, Acc, At), D) - 1)};
}

} // namespace clmali::model
