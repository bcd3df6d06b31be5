//===- Models.h - devices that are no family of rules -----------------------------------------===//
//
// The list `models` of rules/devices.yaml: facts for the cost model only. No rule uses them.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_RULES_MODELS_H
#define CLMALI_RULES_MODELS_H

#include "rules/Devices.h"

namespace clmali::rules {

/// The model called \p Name ("generic-gpu"), or null.
const DeviceFacts *findModel(llvm::StringRef Name);

/// Reads the list; errors as from parseDevices.
llvm::Expected<std::vector<DeviceFacts>> parseModels(llvm::StringRef Yaml);

} // namespace clmali::rules

#endif
