//===-- checks/model/pattern/AtomicUpdates.h - Atomics in any order ------*- C++ -*-===//
//
// Atomic operations on integers whose old value is not used, such as atomic_inc(&count). Those of
// one kind commute: their order does not change the result, and operands for one element may be
// joined before one operation.
//
// Rules: those that offer vectorize. Passes: vectorize, coarsen.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_PATTERN_ATOMICUPDATES_H
#define CLMALI_CHECKS_MODEL_PATTERN_ATOMICUPDATES_H

#include "checks/model/ir/Model.h"
#include <optional>

namespace clmali::model::pattern {

struct AtomicUpdate {
  /// Sums include differences: both are additions modulo the width.
  enum Kind : uint8_t { Sum, Min, Max, And, Or, Xor };
  Kind K;
  bool Signed;            ///< Min, Max: how elements compare
  bool Subtracts;         ///< sub, dec
  const Expr *Operand;    ///< null: 1
  llvm::StringRef Prefix; ///< of the built-ins that the source uses: "atomic_" or "atom_"

  /// True if the order of the two does not matter where they meet.
  bool commutesWith(const AtomicUpdate &Other) const {
    return K == Other.K && (Signed == Other.Signed || (K != Min && K != Max));
  }
};

/// Nothing: S is no atomic operation of this kind.
std::optional<AtomicUpdate> atomicUpdate(const Stmt &S);

} // namespace clmali::model::pattern
#endif
