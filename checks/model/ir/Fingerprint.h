//===-- checks/model/ir/Fingerprint.h - All that a kernel consists of -------*- C++ -*-===//
//
// A number that is equal for two versions of a kernel if, and only if, nothing in the model of it
// and nothing in its text and the text of its helpers differs. Where in the file it stands does
// not matter: ranges count from the *anchors*, which are the kernel, each helper, and each
// declaration outside of them that the kernel uses. Equal fingerprints have the same anchors, in
// the same order, so a range can be carried from one version to the other.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_IR_FINGERPRINT_H
#define CLMALI_CHECKS_MODEL_IR_FINGERPRINT_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

struct Fingerprint {
  std::array<uint64_t, 2> Hash = {}; ///< 128 bits: different kernels have different ones
  std::vector<SourceRange> Anchors;

  /// R, which lies in an anchor of this version, in the version of \p To, whose hash is equal;
  /// nothing if it lies in no anchor. A range that is not valid stays as it is.
  std::optional<SourceRange> carried(SourceRange R, const Fingerprint &To) const;
};

Fingerprint fingerprint(const Module &M, const Kernel &K);
/// Makes the hash depend on \p Text, too.
void addTo(Fingerprint &F, llvm::StringRef Text);

} // namespace clmali::model
#endif
