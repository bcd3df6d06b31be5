//===- NamePoly.h - polynomials over the names of a launch file -------------------------------===//
//
// The terms in which a derived launch file gives sizes: w * h - 1, max(a, b), (n) / (4).
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REWRITE_DERIVE_NAMEPOLY_H
#define CLMALI_TOOLS_REWRITE_DERIVE_NAMEPOLY_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace clmali::tool {

/// A polynomial over names of the launch file.
using Names = std::vector<std::string>;
using NamePoly = std::map<Names, int64_t>;

NamePoly constant(int64_t C);
NamePoly add(NamePoly A, const NamePoly &B, int64_t Factor = 1);
NamePoly multiply(const NamePoly &A, const NamePoly &B);
std::string text(const NamePoly &P);
/// Rounded down; a new name if it is not a constant.
NamePoly quotient(const NamePoly &X, const NamePoly &By);
/// True if P is at least 0 for names of at least 1 and computed values of at least 0.
bool isCount(const NamePoly &P);
/// The larger (smaller) of the two, as max(a, b) if neither always is.
NamePoly outer(const NamePoly &X, const NamePoly &Y, bool Largest);

} // namespace clmali::tool

#endif
