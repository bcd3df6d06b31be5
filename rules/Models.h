//===- Models.h - what else the device at hand may be -----------------------------------------===//
//
// The list `models` of rules/devices.yaml: facts for the cost model alone. No rule speaks of them.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_RULES_MODELS_H
#define CLMALI_RULES_MODELS_H

#include "rules/Devices.h"

namespace clmali::rules {

/// The model called \p Name ("generic-gpu"), or null.
const DeviceFacts *findModel(llvm::StringRef Name);

/// Reads the list; an error as from parseDevices.
llvm::Expected<std::vector<DeviceFacts>> parseModels(llvm::StringRef Yaml);

} // namespace clmali::rules

#endif
