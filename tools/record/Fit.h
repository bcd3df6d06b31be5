//===- Fit.h - expressions that explain recorded numbers --------------------------------------===//
//
// Before: cols = 640, 97, 320; global size 768, 256, 512
// After:  roundup(cols, 256)
//
// An expression that fits a few points need not be the right one. Those that the kernel itself
// gives (its guards and addresses) come first, then a variable that has exactly these values, then
// a constant. Roundings and products of other variables are taken only where the values differ, so
// that no constant will do. A value that none fits becomes a variable of its own.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_FIT_H
#define CLMALI_TOOLS_RECORD_FIT_H

#include "rewriters/launch/Expression.h"
#include <optional>
#include <set>

namespace clmali::record {

class Fitter {
public:
  /// \p Points: the values of the variables at each point.
  Fitter(std::vector<std::string> Variables, std::vector<launch::Bindings> Points)
      : Variables(std::move(Variables)), Points(std::move(Points)) {}

  /// The expression of a global size with these values at the points; nothing if none is found.
  /// \p Hint comes from the kernel. \p Sizes: numbers that sizes may be rounded up to.
  std::optional<std::string> size(const std::vector<int64_t> &Values, llvm::StringRef Hint,
                                  const std::set<int64_t> &Sizes) const;
  /// The same for a local size, an offset or the bytes of local memory: where all values are equal,
  /// a constant.
  std::optional<std::string> setting(const std::vector<int64_t> &Values,
                                     const std::set<int64_t> &Sizes) const;
  /// The same for the elements of a buffer. A hint that is less than the values will do: the kernel
  /// needs no more.
  std::optional<std::string> count(const std::vector<int64_t> &Values, llvm::StringRef Hint) const;

private:
  bool fits(llvm::StringRef Text, const std::vector<int64_t> &Values, bool AtMost = false) const;
  bool known(llvm::StringRef Text) const;
  std::optional<std::string> exact(const std::vector<int64_t> &Values,
                                   const std::vector<std::string> &Order) const;
  std::optional<std::string> roundedUp(llvm::StringRef Text, const std::vector<int64_t> &Values,
                                       const std::set<int64_t> &Sizes) const;
  std::optional<std::string> divided(llvm::StringRef Text, const std::vector<int64_t> &Values,
                                     const std::set<int64_t> &Sizes) const;

  std::vector<std::string> Variables;
  std::vector<launch::Bindings> Points;
};

} // namespace clmali::record

#endif
