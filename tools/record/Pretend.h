//===- Pretend.h - the answers of another device for the layer --------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_PRETEND_H
#define CLMALI_TOOLS_RECORD_PRETEND_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace clmali::record {

/// The variable for the environment of the program with which the layer answers device queries as
/// \p Device would (rules/Drivers.h). The error names the devices whose answers are known.
llvm::Expected<std::pair<std::string, std::string>> pretendVariable(llvm::StringRef Device);

} // namespace clmali::record

#endif
