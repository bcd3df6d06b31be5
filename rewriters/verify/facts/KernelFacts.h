// What the choice of inputs needs to know of the two programs: the constants that decide something,
// what they decide about, and the buffers whose values become addresses. From the dataflow of the
// LLVM IR; used to choose inputs only, so nothing here has to be exact, but for OpenResults.
#ifndef CLMALI_REWRITERS_VERIFY_FACTS_KERNELFACTS_H
#define CLMALI_REWRITERS_VERIFY_FACTS_KERNELFACTS_H

#include "rewriters/verify/facts/Condition.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace clmali::verify {

/// What a value is computed from; several may be true.
struct Origin {
  bool Id = false;            ///< global ids and global sizes
  bool Group = false;         ///< group ids and numbers of groups
  bool Local = false;         ///< local ids and local sizes
  std::set<unsigned> Scalars; ///< arguments that are no pointers, by index
  std::set<unsigned> Buffers; ///< contents of arguments, by index

  auto operator<=>(const Origin &) const = default;
  bool operator==(const Origin &) const = default;
};

/// A constant that meets a value that is not.
struct ConstantUse {
  enum class Kind {
    Compared, ///< compared with it, or a bound of it (min, clamp, a case label)
    Offset,   ///< added to it, or taken from it
    Factor,   ///< multiplies it, or 2^c of a shift by c
    Divisor   ///< divides it; also masks, shifts to the right and narrower types, as powers of two
  };
  Kind K = Kind::Compared;
  unsigned Width = 32; ///< bits
  bool IsFloat = false;
  uint64_t Bits = 0; ///< zero-extended
  Origin With;

  /// As a signed number of Width bits.
  int64_t value() const;
  /// The number that a floating-point constant stands for.
  double asDouble() const;
  auto operator<=>(const ConstantUse &) const = default;
};

struct KernelFacts {
  std::set<ConstantUse> Constants;
  /// Two values that are compared with each other.
  std::set<std::pair<Origin, Origin>> Compared;
  /// What addresses and the exits of loops are computed from.
  Origin Addresses, Exits;
  /// Comparisons of sizes, ids and scalar arguments alone.
  std::set<Condition> Conditions;
  /// As addOpenResults() has them.
  std::set<std::string> OpenResults;
};

/// Adds what holds for \p Kernel and the functions that it calls. What one of their parameters is
/// computed from is the union over all calls. Changes \p Kernel in place, not what it does.
void addFacts(llvm::Function &Kernel, KernelFacts &Into);

/// The facts of both programs.
struct ProgramFacts {
  /// Those in one program only come first: there the programs may differ.
  std::vector<ConstantUse> Constants;
  std::set<std::pair<Origin, Origin>> Compared;
  Origin Addresses, Exits;
  /// In one of the programs only.
  std::vector<Condition> Conditions;
  /// In the rewritten program only.
  std::vector<std::string> NewOpenResults;
};
ProgramFacts mergeFacts(const KernelFacts &Original, const KernelFacts &Rewritten);

/// What a text alone says: each of \p Constants may meet each of \p Arguments arguments, and each
/// argument may be part of an address.
ProgramFacts factsOfText(const std::vector<int64_t> &Constants, unsigned Arguments);

} // namespace clmali::verify

#endif
