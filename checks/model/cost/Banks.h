//===-- checks/model/cost/Banks.h - Bank conflicts in local memory -*- C++ -*-===//
//
// The one model of the banks of on-chip local memory: the cost model adds what it says to the
// cycles of a kernel, the pass spread-banks compares layouts by it, and the rule
// strided-local-access reports it. On powervr-rogue (4 banks of 128 bits, 16 work-items in a
// cycle):
//
//   part[get_local_id(0)]        16 consecutive floats       1 cycle, the fewest
//   part[16 * get_local_id(0)]   16 registers of one bank    16 cycles
//
// A bank serves one register (BankBits) in a cycle. Lanes are the work-items that access memory in
// one cycle: neighbours of dimension 0, and the next row of the group where a row is shorter.
//
// Limits: distances between work-items must be constants, or quotients and remainders of local ids
// by constants.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_BANKS_H
#define CLMALI_CHECKS_MODEL_COST_BANKS_H

#include "checks/model/analysis/Analysis.h"
#include "rules/Devices.h"
#include <algorithm>

namespace clmali::model {

/// The layout of an array compared with that of the source.
struct LocalLayout {
  int64_t Pad = 0;     ///< elements added to each row
  int64_t Divisor = 1; ///< of all indices
};

class LocalBanks {
public:
  explicit LocalBanks(const rules::DeviceFacts &D)
      : Banks(D.LocalBanks), BankBytes(D.LocalBankBits / 8), Lanes(D.LanesPerCycle),
        Pads(D.PadsSubword) {}

  /// True if the device has banks and the facts say how they work. All else needs this.
  bool known() const { return Banks && BankBytes && Lanes; }
  unsigned lanes() const { return Lanes; }
  /// Bytes that all banks serve in a cycle.
  unsigned bytesPerCycle() const { return Banks * BankBytes; }
  /// The fewest cycles of an access in which no two lanes share a register.
  unsigned cyclesFarApart() const { return (Lanes + Banks - 1) / Banks; }
  /// Lanes of one row of a group with LocalSize work-items in dimension 0 (0: not known, a row
  /// fills the lanes).
  unsigned columns(uint64_t LocalSize) const {
    return LocalSize ? unsigned(std::min<uint64_t>(LocalSize, Lanes)) : Lanes;
  }

  /// Elements of less than 32 bits take 32 where the device pads them, each lane of a vector, too.
  /// Returns the factor.
  unsigned padding(ScalarKind Element) const;
  /// Bytes that an object takes: an element, or an array of them.
  uint64_t storedBytes(const Type *Object) const;

  /// Where each lane's access begins, in bytes behind the first one, if work-items are Stride bytes
  /// apart in dimensions 0 and 1.
  std::vector<int64_t> offsets(std::array<int64_t, 2> Stride, unsigned Columns) const;

  struct Cycles {
    double Taken = 0;  ///< by the busiest bank
    double Needed = 0; ///< for as many bytes without conflicts
  };
  /// Of one access of all lanes to Bytes bytes at each of Offsets. None: no cycles.
  Cycles cycles(llvm::ArrayRef<int64_t> Offsets, unsigned Bytes) const;
  /// Of an access without conflicts to BitsOfLane in each lane, consecutive lanes apart.
  double cyclesWithoutConflicts(double BitsOfLane) const;

  /// Of all executions by one work-item of Sites, accesses to whole elements of the array V.
  /// Accesses at distances that are not known, and those of a single work-item, do not count.
  /// LocalSize: as for columns.
  Cycles cycles(const KernelAnalysis &A, llvm::ArrayRef<const AccessSite *> Sites, const Var *V,
                uint64_t LocalSize, LocalLayout Layout = {}) const;

private:
  unsigned Banks, BankBytes, Lanes;
  bool Pads;
  std::vector<int64_t> offsets(const KernelAnalysis &A, const AccessSite &Site, unsigned Columns,
                               LocalLayout Layout) const;
};

/// The value of P in the work-item Lane (in dimensions 0 and 1) of a group, less all terms that are
/// the same for all lanes. nullopt: not known. Rows: lanes differ in dimension 1 as well.
std::optional<int64_t> valueInLane(const KernelAnalysis &A, const Poly &P,
                                   std::array<int64_t, 2> Lane, bool Rows);

/// True if Acc names a whole element of an array by one subscript for each dimension.
bool isWholeElement(const Access &Acc);

/// Cycles that one work-item of A's kernel loses to bank conflicts; 0 where the device has no
/// banks. LocalSize: as for LocalBanks::columns.
double bankConflicts(const KernelAnalysis &A, const rules::DeviceFacts &D, uint64_t LocalSize);

} // namespace clmali::model
#endif
