//===- Devices.h - the GPU families and their facts -------------------------------------------===//
//
// Before: rules/devices.yaml, embedded into the binary when it is built.
// After:  one DeviceFacts for each family, with the facts that checks and the cost model read.
// Limits: a family is a whole generation of GPUs; figures that differ between its members are
//         the ones that hold for all of them (the smallest maximum, the coarsest multiple).
//
// Each field says its unit; its source stands beside the value in devices.yaml and can be asked
// for with fact(). A fact that a family does not have is 0.
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
  unsigned Index = 0;               ///< place in families(), and bit in a FamilySet

  // Execution.
  unsigned SimdWidth = 1;          ///< work-items that run in lockstep
  unsigned LanesPerCycle = 0;      ///< of those, how many issue in one cycle
  unsigned MaxWorkGroup = 0;       ///< work-items
  unsigned WorkGroupMultiple = 1;  ///< work-items
  unsigned SmallWorkGroup = 0;     ///< work-items; smaller groups idle lanes
  unsigned AsyncCopyWorkGroup = 0; ///< work-items from which the fast local copy exists
  unsigned MinGlobalSize = 0;      ///< work-items; "several thousand"
  unsigned ThreadsFull = 0;        ///< work-items resident at full occupancy

  // Memory.
  bool LocalOnChip = false;     ///< __local is a memory of its own
  bool UnifiedMemory = false;   ///< host and device share memory
  unsigned IdealAccessBits = 0; ///< per work-item and access
  unsigned MaxAccessBits = 0;   ///< above this, neighbours wait; 0: no such limit
  unsigned MinBurstBits = 0;    ///< narrower accesses form no burst
  unsigned MaxBurstBytes = 0;
  unsigned CacheLineBytes = 0;
  unsigned LocalBanks = 0;       ///< banks of on-chip local memory
  unsigned LocalBankBits = 0;    ///< bits that a bank serves in a cycle
  unsigned LocalMemoryBytes = 0; ///< local memory above which occupancy falls
  bool PadsSubword = false;      ///< 8- and 16-bit values occupy 32 bits on chip

  // Arithmetic. vectorBits(8) is the width of one operation on 8-bit elements.
  unsigned VectorBits8 = 0, VectorBits16 = 0, VectorBits32 = 0, VectorBits64 = 0;
  unsigned RegisterBits = 0;     ///< width of one register
  unsigned RegistersFull = 0;    ///< registers for each work-item at full occupancy
  unsigned RegistersHalf = 0;    ///< at half
  unsigned RegistersQuarter = 0; ///< at a quarter; more than this spills
  unsigned MinInstructions = 0;  ///< a kernel shorter than this is mostly set-up
  unsigned MaxInstructions = 0;  ///< a longer one starves others

  // The cost model: throughput for one work-item.
  unsigned ArithmeticPipes = 1;
  unsigned ArithmeticPerCycle = 1; ///< vector operations (of vectorBits) in one cycle, all pipes
  unsigned LoadStoreCycles = 1;    ///< for each access of up to IdealAccessBits
  unsigned TextureCycles = 1;
  unsigned IntegerDivideCycles = 1;
  unsigned FloatDivideCycles = 1;
  unsigned SpecialLowCycles = 1, SpecialMediumCycles = 1, SpecialHighCycles = 1;
  bool SpecialIsScalar = true; ///< sqrt, sin, ... take one lane at a time
  unsigned BranchCycles = 1;
  unsigned BarrierCycles = 1;
  unsigned MissCycles = 1; ///< for each new cache line
  // The rest may be absent (0).
  bool MultiplyBesideAdd = false;  ///< one instruction word multiplies and adds
  bool ScalarBesideVector = false; ///< ... and does so for scalars in addition to vectors
  bool FreeConversions = false; ///< operands are widened or narrowed on their way to an operation
  bool FreeSwizzles = false;    ///< operands are swizzled on their way to an operation
  unsigned Reissue256 = 0;      ///< per cent of an access' cycles if neighbours are 256 bits apart
  unsigned Reissue512 = 0;      ///< the same for 512 bits and more
  unsigned CoalesceBytes = 0;   ///< segment in which accesses of neighbours become one
  bool SplitsUnaligned = false; ///< a vloadN of unknown alignment is an access for each element

  std::vector<Fact> Facts; ///< all of the above as written, with unit and source

  /// Width in bits of one arithmetic operation on elements of \p ElementBits.
  unsigned vectorBits(unsigned ElementBits) const;
  /// How many elements of \p ElementBits one arithmetic operation takes (1 or more).
  unsigned arithmeticLanes(unsigned ElementBits) const;
  /// Cost class of a built-in such as "sin"; Unknown where no source says.
  CostClass functionCost(llvm::StringRef Name) const;
  /// Cycles (or instructions) of a class on this device.
  unsigned specialCycles(CostClass Class) const;
  /// The fact as written, for messages that give the source. Null when the family lacks it.
  const Fact *fact(llvm::StringRef Name) const;

  std::vector<std::pair<std::string, CostClass>> FunctionCosts; ///< sorted by name
};

/// All families, in the order of devices.yaml; "generic" is the last one.
llvm::ArrayRef<DeviceFacts> families();

/// The family called \p Name (exactly), or null.
const DeviceFacts *findFamily(llvm::StringRef Name);

/// Bit i stands for families()[i].
using FamilySet = unsigned;
FamilySet allFamilies();

/// What --device=NAME means: a family, an alias, or a group ("mali" is three families).
/// Upper and lower case are alike, and a model may be given without its vendor ("t604").
/// The error names what there is.
llvm::Expected<FamilySet> resolveDevice(llvm::StringRef Name);

/// "mali-midgard, mali-bifrost": the families of a set.
std::string familyNames(FamilySet Set);

/// Reads a devices.yaml. Used on the embedded text, and by tests on broken ones: an unknown or a
/// missing fact, a value without source and a name used twice are errors.
llvm::Expected<std::vector<DeviceFacts>> parseDevices(llvm::StringRef Yaml);

} // namespace clmali::rules

#endif
