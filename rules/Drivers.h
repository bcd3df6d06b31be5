//===- Drivers.h - what the driver of a device answers ----------------------------------------===//
//
// The list `drivers` of rules/devices.yaml: answers to device queries, as public clinfo listings
// have them. clmali-record --pretend gives them to a program.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_RULES_DRIVERS_H
#define CLMALI_RULES_DRIVERS_H

#include "rules/Devices.h"

namespace clmali::rules {

struct Driver {
  std::string Device;                 ///< an alias of its family: "mali-g610"
  std::string Platform, Vendor, Name; ///< as clGetPlatformInfo and clGetDeviceInfo give them
  std::string Version;                ///< behind "OpenCL ": "3.0 v1.g13p0"
  std::vector<unsigned> Preferred;    ///< widths of char, short, int, long, half, float, double
  std::vector<unsigned> Native;       ///< the same; empty: not known
  std::vector<Fact> Facts;            ///< those of the family have a lower rank
  std::vector<std::string> Extensions;
  const DeviceFacts *Family = nullptr;

  /// The driver's fact, else its family's; null if neither has it.
  const Fact *fact(llvm::StringRef FactName) const;
};

/// All drivers, in the order of devices.yaml.
llvm::ArrayRef<Driver> drivers();

/// The driver of \p Device, a name as resolveDevice() takes it; for a model that is not listed, the
/// last one of its family. Errors: an unknown name, several families, a family without a driver.
llvm::Expected<const Driver *> driverOf(llvm::StringRef Device);

/// Reads the list. Errors: a device of no or several families, a width list that is not 7 long.
llvm::Expected<std::vector<Driver>> parseDrivers(llvm::StringRef Yaml);

} // namespace clmali::rules

#endif
