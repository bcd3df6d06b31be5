//===- Pretend.h - answers of another device --------------------------------------------------===//
//
// Programs ask the device and choose kernels and sizes. With CLMALI_PRETEND (JSON that
// clmali-record makes of rules/devices.yaml) each device answers as another one would; the kernels
// run on the device at hand. Where the other device has higher limits (work-group size, local
// memory) or more extensions, the program gets the lower limit or the common extensions, and the
// recording says so.
//
// Limits: macros of the device's compiler (cl_khr_fp64) stay; sizes of images, the memory size and
// floating-point properties are those of the device at hand.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_PRETEND_H
#define CLMALI_TOOLS_LAYER_PRETEND_H

#include "tools/layer/State.h"

namespace clmali::layer {

/// Reads the answers; false: none, or they are no JSON.
bool readPretended(const std::string &Json);
/// "mali-g610" and its family; empty: each device answers for itself.
const std::string &pretendedDevice();
const std::string &pretendedFamily();

/// What could not be honoured, each text once.
std::vector<std::string> notHonoured();
/// A launch that the device at hand refused: its local size may be one of the other device.
void noteRefusedLaunch(const std::string &Kernel, cl_int Error, cl_device_id Device, size_t Items);

/// The functions that answer queries.
void installPretended(cl_icd_dispatch &Table);

} // namespace clmali::layer

#endif
