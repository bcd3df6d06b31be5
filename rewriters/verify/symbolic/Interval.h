// The range of arithmetic in 8 and 16 bits, instruction by instruction; see Interval.cpp.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_INTERVAL_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_INTERVAL_H

#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>
#include <string>
#include <vector>

namespace llvm {
class Instruction;
}

namespace clmali::verify::symbolic {

/// One instruction, over all work-items and lanes that executed it.
struct NarrowSite {
  unsigned Opcode = 0, Bits = 0;
  uint64_t Times = 0, MayLeave = 0;
  /// The execution that leaves the range furthest.
  struct Extreme {
    __int128 Excess = 0;
    Term X = 0, Y = 0;
    bool Signed = false;
    std::string WorkItem;
  };
  Extreme Above, Below;
};

/// Values for all variables of the store that drive one site out of its range.
struct NarrowCorner {
  std::string What;
  std::vector<uint64_t> Inputs;
};

class NarrowArithmetic {
public:
  /// \p Y is 0 for conversions. \p Bits: of the result, 8 or 16.
  void note(const TermStore &T, const llvm::Instruction *I, unsigned Opcode, unsigned Bits, Term X,
            Term Y, llvm::function_ref<std::string()> WorkItem);
  unsigned sites() const { return unsigned(Sites.size()); }
  unsigned mayLeave() const; ///< sites that may leave their range
  uint64_t operations() const;
  std::vector<NarrowCorner> corners(const TermStore &T, size_t Most) const;

private:
  std::vector<NarrowSite> Sites;
  llvm::DenseMap<const llvm::Instruction *, size_t> Index;
};

} // namespace clmali::verify::symbolic

#endif
