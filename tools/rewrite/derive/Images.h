//===- Images.h - image and sampler arguments of derived launch files -*- C++ -*---------------===//
#ifndef CLMALI_TOOLS_REWRITE_DERIVE_IMAGES_H
#define CLMALI_TOOLS_REWRITE_DERIVE_IMAGES_H

#include "checks/model/ir/Model.h"

#include <string>
#include <vector>

namespace clmali::tool {

/// "width_src": the variable for the extent of an image that \p E is; empty where it is none.
std::string extentName(const model::Kernel &K, const model::Expr *E);
/// The coordinates at which \p K writes \p Image, one vector or number for each write.
std::vector<const model::Expr *> writtenAt(const model::Kernel &K, const model::Var &Image);
/// What follows "name: src" of an image argument: access, a format that the kernel's built-ins
/// allow, and data. \p Extents: expressions for width, height, depth and layers, as far as it has
/// them.
std::string imageText(const model::Kernel &K, const model::Var &Image,
                      const std::vector<std::string> &Extents);
/// The same of a sampler argument. Which one the host passes, the kernel does not say: by pixels,
/// to the edge, nearest, which every built-in takes.
std::string samplerText();

} // namespace clmali::tool

#endif
