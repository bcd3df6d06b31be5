//===- Devices.h - the GPU families and their facts -------------------------------------------===//
//
// Before: rules/devices.yaml, embedded into the binary when it is built.
// After:  one DeviceFacts for each family, with the facts that checks and the cost model read.
// Limits: a family is a whole generation of GPUs. Where members differ, the figure holds for all of
//         them (the smallest maximum, the coarsest multiple).
//
// The comment of each field gives its unit; devices.yaml gives the source of each value, which
// fact() returns. A fact that a family does not have is 0.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_RULES_DEVICES_H
#define CLMALI_RULES_DEVICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clmali::rules {

/// Cost class of a built-in function: below 30 instructions, up to 100, above 100 (source S1).
enum class CostClass { Unknown, Low, Medium, High };

struct Fact {
  std::string Name;
  long Value = 0;
  std::string Unit;
  std::string Source;
};

struct DeviceFacts {
  std::string Name;                 ///< "mali-midgard"; what --device takes
  std::string Title;                ///< "Mali Midgard (T600-T800)"
  std::string Group;                ///< "mali": names its families together
  std::vector<std::string> Aliases; ///< "mali-t604", ...
  unsigned Index = 0;               ///< index in families(), and bit in a FamilySet

  // Execution.
  unsigned SimdWidth = 1;          ///< work-items that run in lockstep
  unsigned LanesPerCycle = 0;      ///< how many of those issue in one cycle
  unsigned MaxWorkGroup = 0;       ///< work-items
  unsigned WorkGroupMultiple = 1;  ///< work-items
  unsigned SmallWorkGroup = 0;     ///< work-items; smaller groups idle lanes
  unsigned AsyncCopyWorkGroup = 0; ///< from this size on, an async copy uses the fast path
  unsigned MinGlobalSize = 0;      ///< work-items; "several thousand"
  unsigned ThreadsFull = 0;        ///< work-items resident at full occupancy

  // Memory.
  bool LocalOnChip = false;     ///< __local is dedicated memory
  bool UnifiedMemory = false;   ///< host and device share memory
  unsigned IdealAccessBits = 0; ///< per work-item and access
  unsigned MaxAccessBits = 0;   ///< larger bursts make other accesses wait; 0: no such limit
  unsigned MinBurstBits = 0;    ///< narrower accesses do not form bursts
  unsigned MaxBurstBytes = 0;
  unsigned CacheLineBytes = 0;
  unsigned LocalBanks = 0;       ///< banks of on-chip local memory
  unsigned LocalBankBits = 0;    ///< bits that a bank serves per cycle
  unsigned LocalMemoryBytes = 0; ///< local memory above which occupancy drops
  bool PadsSubword = false;      ///< 8- and 16-bit values occupy 32 bits on chip

  // Arithmetic. vectorBits(8) is the width of one operation on 8-bit elements.
  unsigned VectorBits8 = 0, VectorBits16 = 0, VectorBits32 = 0, VectorBits64 = 0;
  unsigned RegisterBits = 0;     ///< width of one register
  unsigned RegistersFull = 0;    ///< registers for each work-item at full occupancy
  unsigned RegistersHalf = 0;    ///< at half
  unsigned RegistersQuarter = 0; ///< at a quarter; more than this spills
  unsigned MinInstructions = 0;  ///< a shorter kernel is dominated by set-up
  unsigned MaxInstructions = 0;  ///< a longer kernel delays others

  // The cost model: throughput for one work-item.
  unsigned ArithmeticPipes = 1;
  unsigned ArithmeticPerCycle = 1; ///< vector operations (of vectorBits) in one cycle, all pipes
  /// Work-items for which the arithmetic of one cycle is done while the load/store unit does one
  /// access of one work-item. The cycles of arithmetic, functions, branches and barriers are those
  /// of one work-item; divided by this they compare with those of accesses.
  unsigned ArithmeticLanes = 1;
  unsigned AddressOperations = 0; ///< scalar operations for each address that is computed
  unsigned LoadStoreCycles = 1;   ///< for each access of up to IdealAccessBits
  unsigned TexturePercent = 100; ///< cycles of the texture pipe for a read of an image, in per cent
  unsigned ImageAccesses = 1;    ///< of the load/store unit, for a write to an image
  unsigned IntegerDivideCycles = 1;
  unsigned FloatDivideCycles = 1;
  unsigned SpecialLowCycles = 1, SpecialMediumCycles = 1, SpecialHighCycles = 1;
  bool SpecialIsScalar = true; ///< sqrt, sin, ... process one lane at a time
  unsigned BranchCycles = 1;
  unsigned BarrierCycles = 1;
  unsigned MissCycles = 1; ///< for each new cache line
  // The rest may be absent (0).
  bool MultiplyBesideAdd = false;  ///< one instruction word holds a multiplication and an addition
  bool ScalarBesideVector = false; ///< ... and does so for scalars in addition to vectors
  bool FreeConversions = false;    ///< conversions of operands are free
  bool FreeSwizzles = false;       ///< swizzles of operands are free
  unsigned Reissue256 = 0;    ///< cycles of an access in per cent, if neighbours are 256 bits apart
  unsigned Reissue512 = 0;    ///< the same for 512 bits and more
  unsigned CoalesceBytes = 0; ///< segment within which accesses of neighbours are coalesced
  bool SplitsUnaligned = false; ///< a vloadN of unknown alignment takes one access per element

  std::vector<Fact> Facts; ///< all facts as written, with unit and source

  /// Width in bits of one arithmetic operation on elements of \p ElementBits.
  unsigned vectorBits(unsigned ElementBits) const;
  /// Number of elements of \p ElementBits that one arithmetic operation processes (at least 1).
  unsigned arithmeticLanes(unsigned ElementBits) const;
  /// Cost class of a built-in such as "sin"; Unknown if no source gives one.
  CostClass functionCost(llvm::StringRef Name) const;
  /// Cycles (or instructions) of a cost class on this device.
  unsigned specialCycles(CostClass Class) const;
  /// The fact as written, for messages that give the source; null if the family lacks it.
  const Fact *fact(llvm::StringRef Name) const;

  std::vector<std::pair<std::string, CostClass>> FunctionCosts; ///< sorted by name
};

/// All families, in the order of devices.yaml; "generic" is the last one.
llvm::ArrayRef<DeviceFacts> families();

/// The family whose name is exactly \p Name, or null.
const DeviceFacts *findFamily(llvm::StringRef Name);

/// Bit i stands for families()[i].
using FamilySet = unsigned;
FamilySet allFamilies();

/// The families that --device=NAME selects: a family, an alias, or a group ("mali" is three
/// families). Case is ignored, and a model may be given without its vendor ("t604"). The error
/// lists the known names.
llvm::Expected<FamilySet> resolveDevice(llvm::StringRef Name);

/// The names of a set: "mali-midgard, mali-bifrost".
std::string familyNames(FamilySet Set);

/// Reads a devices.yaml (the embedded one; tests pass broken ones). Errors: an unknown or missing
/// fact, a value without source, a name used twice.
llvm::Expected<std::vector<DeviceFacts>> parseDevices(llvm::StringRef Yaml);

} // namespace clmali::rules

#endif
