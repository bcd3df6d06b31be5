// A work-item of a rewritten kernel and the block of original work-items that it stands for.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_BLOCK_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_BLOCK_H

#include "rewriters/verify/generic/Prover.h"

namespace clmali::verify::generic {

struct Prover::Block {
  Block(TermStore &T, llvm::ArrayRef<unsigned> Granules) : From(T, Granules), To(T, Granules) {}

  /// True if no store of another original work-item of this block meets the load, by what
  /// checkInterference() shows.
  bool areApart(TermStore &T, Unit Load, Unit Store, Term Path, std::vector<Term> &Claims) const;

  std::string Kernel;
  llvm::ArrayRef<const LaunchClaim *> Claims;
  std::array<Term, 3> Own{};            ///< ids of the rewritten work-item
  std::vector<std::array<Term, 3>> Ids; ///< of the original ones
  std::vector<std::unique_ptr<Machine>> Originals;
  std::unique_ptr<Machine> Rewritten;
  Effects From, To;
};

} // namespace clmali::verify::generic

#endif
