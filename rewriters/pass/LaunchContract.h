//===-- rewriters/pass/LaunchContract.h - What a new kernel requires ----*- C++ -*-===//
//
// What the rewritten kernel requires of its launch. Passes add to it; Launches.cpp writes it as
// the conditions of the manifest's launches, the manifest and the comment above the kernel repeat
// the obligations.
//
//   pin-work-group-size on launches of 64    When: "lx == 64"
//   merged loads past a store                Obligations: "buffers do not overlap ..."
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_LAUNCHCONTRACT_H
#define CLMALI_REWRITERS_PASS_LAUNCHCONTRACT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clmali::rewrite {

/// The obligation for moving a load past a store to another buffer.
constexpr llvm::StringLiteral NoOverlapText = "buffers do not overlap other than as a whole";

/// The obligation for moving a load that all work-items make past a store of each of them: were the
/// buffers one, the original would have a race, unless it is launched with one work-item.
constexpr llvm::StringLiteral ReadByAllText =
    "no buffer that all work-items read is one that they write";

/// The obligation for a vector that ends at elements of the next work-item.
constexpr llvm::StringLiteral NextItemText =
    "buffers hold the elements of each work-item that passes the guards of the kernel";

/// The original's local size by dimension, in the expressions of a manifest.
inline constexpr const char *LocalNames[] = {"lx", "ly", "lz"};

struct LaunchContract {
  int64_t IdsBelow = 0;        ///< all global ids are below this power of two; 0: any
  bool WholeBlocks = false;    ///< global sizes must divide: the kernel reads them
  bool GroupSemantics = false; ///< barriers, local memory, group ids: groups map one to one
  /// The largest local size of the original for which the new kernel is right.
  std::array<std::optional<int64_t>, 3> LocalMax;
  std::vector<std::string> When;        ///< other conditions, as in a manifest: "lx == 64"
  std::vector<std::string> AsBuffers;   ///< images that are buffers, by their names in manifests
  std::vector<std::string> Obligations; ///< assumed, not proved
  std::vector<std::string> Facts;       ///< proved, for the manifest

  /// Adds obligations, each once.
  void oblige(llvm::ArrayRef<std::string> Texts) {
    for (const std::string &Text : Texts)
      if (!llvm::is_contained(Obligations, Text))
        Obligations.push_back(Text);
  }
};

} // namespace clmali::rewrite
#endif
