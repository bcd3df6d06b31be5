// Work-items of a rewritten kernel and the original work-items that they stand for.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_BLOCK_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_BLOCK_H

#include "rewriters/verify/generic/Prover.h"

namespace clmali::verify::generic {

/// The smallest block that consists of whole groups, where a kernel uses them: often one work-item
/// of the rewritten kernel. A launch is made of such blocks, as Coverage shows.
struct Prover::Block {
  Block(TermStore &T, llvm::ArrayRef<unsigned> Granules) : From(T, Granules), To(T, Granules) {}

  /// True if no store of another original work-item of this block meets the load, by what
  /// checkInterference() shows.
  bool areApart(TermStore &T, Unit Load, Unit Store, Term Path, std::vector<Term> &Claims) const;

  using Place = std::array<uint64_t, 3>;
  /// The axis of the original that dimension \p D of the rewritten kernel runs along.
  unsigned axis(unsigned D) const { return Claims.front()->Block.Axis[D]; }

  /// True if the last block may reach beyond the original's range along axis \p A.
  bool exceeds(unsigned A) const {
    return llvm::any_of(Claims, [A](const LaunchClaim *C) { return C->Exceeds[A]; });
  }

  std::string Kernel;
  llvm::ArrayRef<const LaunchClaim *> Claims;
  Place Size{1, 1, 1};          ///< in original work-items, along the axes of the original
  Place Count{1, 1, 1};         ///< in rewritten work-items, along the same axes
  Place Groups[2]{{}, {}};      ///< sizes of groups of the two kernels, where they are used
  std::array<Term, 3> Number{}; ///< of the block in the launch
  std::vector<std::unique_ptr<Machine>> Originals, Rewritten;
  std::vector<Place> FromAt, ToAt; ///< the places of the work-items in the block
  Effects From, To;
};

} // namespace clmali::verify::generic

#endif
