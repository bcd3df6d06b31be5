//===- Options.h - build options
//---------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_OPTIONS_H
#define CLMALI_TOOLS_LAYER_OPTIONS_H

#include <string>
#include <vector>

namespace clmali::layer {

inline constexpr const char *InfoOption = "-cl-kernel-arg-info";

/// Build options in one form: -D X, -DX and -DX=1 are one, order and spaces do not count. Options
/// that do not change code (-cl-kernel-arg-info) and include folders are left out.
std::vector<std::string> normalizedOptions(const std::string &Options);
/// The include folders of -I.
std::vector<std::string> includeFolders(const std::string &Options);

} // namespace clmali::layer

#endif
