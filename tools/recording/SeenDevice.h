//===- SeenDevice.h - on which devices a recording was made -----------------------------------===//
//
// A program asks its device and chooses kernels and sizes: what was recorded on a CPU need not be
// what it launches on a GPU.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORDING_SEENDEVICE_H
#define CLMALI_TOOLS_RECORDING_SEENDEVICE_H

#include "rules/Devices.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace clmali::record {

/// A device of recorded launches.
struct SeenDevice {
  std::string Platform, Name, Driver;
  std::string Type;              ///< "GPU", "CPU" or "accelerator"
  std::string Pretended, Family; ///< the device that the program saw in its place, of --pretend
  bool operator==(const SeenDevice &) const = default;
};

SeenDevice seenDevice(const llvm::json::Object &O);
llvm::json::Value toJson(const SeenDevice &D);

/// "NAME (CPU), seen as mali-g610".
std::string description(const SeenDevice &D);

/// A sentence for each device of the recording that the program saw as another kind (CPU or GPU) or
/// family than \p Target; empty: the recording is of the target, or Target is the device at hand.
std::vector<std::string> otherDevices(const std::string &Recording, rules::FamilySet Target);

} // namespace clmali::record

#endif
