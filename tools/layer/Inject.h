//===- Inject.h - launches judged rewrites in place of the originals --------------------------===//
//
// The rewritten program is built when the program builds the original. At a launch the
// manifest is evaluated with the launch's sizes and arguments; in any doubt the original runs.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_INJECT_H
#define CLMALI_TOOLS_LAYER_INJECT_H

#include "tools/layer/Record.h"

namespace clmali::layer {

/// Reads the folder of rewritten programs. Whatever is not safe or not verified is left out.
void loadInjection();

/// Builds the rewritten form of a program, if there is one for its text, options and devices.
void injectProgram(ProgramState &P, cl_uint DeviceCount, const cl_device_id *Devices);

/// Makes the kernels that replace K.
void injectKernel(cl_kernel Handle, KernelState &K);

/// An argument of a replaced kernel was set; K.Lock is held.
void injectArgument(KernelState &K, cl_uint Index);

/// Launches the replacement, or the original.
cl_int injectLaunch(KernelState &K, const Launch &L);

/// Counts a launch or a kernel that stays as it is.
void noteLeft(const std::string &Kernel, const std::string &Why);

/// The event's first command, if several launches replace one; null: none.
cl_event firstOf(cl_event Last);
void forgetEvent(cl_event Last);

/// Writes the report.
void finishInjection();

} // namespace clmali::layer

#endif
