//===-- checks/model/host/RecordedLaunches.h - Launches of a running program ---*- C++ -*-===//
//
// clmali-record writes launches.json for each program text: one line for each shape of a launch
// that the driver got. It takes the place of host code for the rules: the launches are known, where
// they are made is not.
//
//   before (launches.json)                        after
//   {"options": "-cl-std=CL2.0", "launches": [            HostModule{ BuildOptions
//   {"-cl-std=CL2.0"},
//   {"kernel": "scale", "global": [1009]}           Launches { Kernel "scale", Dims 1,
//   ]}                                                         Global {1009}, LocalIsNull } }
//
// Limits: what was seen; another run of the program may launch other sizes.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_RECORDEDLAUNCHES_H
#define CLMALI_CHECKS_MODEL_HOST_RECORDEDLAUNCHES_H

#include "checks/model/host/Host.h"
#include "llvm/ADT/ArrayRef.h"

namespace clmali::model {

/// The name of the file.
extern const llvm::StringLiteral RecordedLaunchesName;
bool isRecordedLaunches(llvm::StringRef FileName);

/// Never prints. Diagnostics say what is wrong with the file.
HostParse parseRecordedLaunches(llvm::StringRef FileName, llvm::StringRef Text);

/// True if the launch was recorded, not read from host code.
bool isRecorded(const HostLaunch &L);

/// The local size of all launches, if all of them were recorded and have the same one.
std::optional<std::array<uint32_t, 3>> recordedLocalSize(llvm::ArrayRef<HostLaunch> Launches);

} // namespace clmali::model

#endif
