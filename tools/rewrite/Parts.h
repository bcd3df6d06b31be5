//===- Parts.h - parts of a kernel's launches that may need another form ----------------------===//
//
// Launches that differ in the value of an argument (a stride that is 1 in some of them), or by so
// much in size that the small ones leave cores idle.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_PARTS_H
#define CLMALI_TOOLS_REWRITE_PARTS_H

#include "checks/model/ir/Model.h"
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/plan/Rewrite.h"
#include <vector>

namespace clmali::tool {

struct LaunchPart {
  /// The launches of the part: with values that it fixes as numbers.
  std::vector<launch::LaunchFile> Launches;
  /// What tells them from the others, as in a manifest; empty: the values of arguments that a form
  /// uses.
  std::vector<std::string> When;
  /// In words, for messages: "inc == 1".
  std::string Text;
};

/// Parts by the values of integer arguments: those that stand for a way to use the kernel and not
/// for a size. Such an argument has few values, and they do not go with the global size.
std::vector<LaunchPart> partsByValue(llvm::ArrayRef<launch::LaunchFile> Launches,
                                     const model::Kernel &K);

/// The small launches: those that leave cores idle where one work-item does \p Items of the
/// original, and take longer than it takes to start them. Cycles: of one work-item of the original.
/// Nothing where there are none, or no others.
std::optional<LaunchPart> smallLaunches(llvm::ArrayRef<launch::LaunchFile> Launches,
                                        const rewrite::RewriteOptions &O, double Items,
                                        double Cycles);

} // namespace clmali::tool

#endif
