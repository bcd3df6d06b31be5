//===- Record.h - writes what the program launches --------------------------------------------===//
//
// In the recording's folder, for each process: raw/PID/launches.json (one line for each shape of a
// launch), programs and contents of buffers, counts.json at the end. clmali-record merges them into
// launch files.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_RECORD_H
#define CLMALI_TOOLS_LAYER_RECORD_H

#include "tools/layer/State.h"

namespace clmali::layer {

/// The arguments of clEnqueueNDRangeKernel.
struct Launch {
  cl_command_queue Queue = nullptr;
  cl_kernel Kernel = nullptr;
  cl_uint Dimensions = 0;
  const size_t *Offset = nullptr, *Global = nullptr, *Local = nullptr;
  cl_uint WaitCount = 0;
  const cl_event *Waits = nullptr;
  cl_event *Event = nullptr;

  cl_int enqueue() const {
    return Next->clEnqueueNDRangeKernel(Queue, Kernel, Dimensions, Offset, Global, Local, WaitCount,
                                        Waits, Event);
  }
};

/// Enqueues the launch and records it.
cl_int recordLaunch(KernelState &K, const Launch &L);

/// Something that is not recorded, by name: counted in counts.json.
void noteUnrecorded(const std::string &What, const std::string &Why);
/// A call that succeeded, by its name: says how far a program came that launches nothing.
void countCall(const std::string &Name);
/// The first lines of the log of a build that failed; the first one is kept.
void noteFailedBuild(const std::string &Log);

/// Writes counts.json; waits for unfinished copies for two seconds at most.
void finishRecording();

} // namespace clmali::layer

#endif
