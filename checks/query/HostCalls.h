//===- HostCalls.h - classification of host API calls -----------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_HOSTCALLS_H
#define CLMALI_CHECKS_QUERY_HOSTCALLS_H

#include "checks/Check.h"

namespace clmali::checks {

/// "clEnqueueReadBuffer", "enqueueReadBuffer", "cl::Buffer": without the class of a method.
std::string shortName(const model::HostCall &C);
/// True if Map, a call that maps a buffer, maps it for writing: then a kernel may not even read.
bool mapsForWriting(const model::HostCall &Map);

/// True for transfers between host memory and a buffer (C and C++ API).
bool isTransfer(const model::HostCall &C);
/// True for cl::copy, which maps the buffer and copies.
bool isCopy(const model::HostCall &C);
/// True for transfers between host memory and an image.
bool isImageTransfer(const model::HostCall &C);
/// True for calls that create a buffer or an image.
bool createsMemory(const model::HostCall &C);
/// True for calls that create or build a program, or create a kernel.
bool compiles(const model::HostCall &C);
/// True if the host code mentions CL_DEVICE_HOST_UNIFIED_MEMORY.
bool asksForUnifiedMemory(const model::HostModule &H);

/// True if the text of the main file uses the answer to CL_DEVICE_HOST_UNIFIED_MEMORY in a
/// condition. Printing the answer does not count.
bool decidesByUnifiedMemory(const model::HostModule &H);

/// True for calls that enqueue a kernel (C and C++ API).
bool isLaunch(const model::HostCall &C);
/// Values of constants of OpenGL: their names are missing where its headers are.
enum GlConstant : int64_t {
  GlBlend = 0x0BE2,
  GlScissorTest = 0x0C11,
  GlPixelPackBuffer = 0x88EB,
  GlReadFramebuffer = 0x8CA8,
};
/// True for an OpenGL call in a loop that computes: it draws, and the results come back to the host
/// in each iteration, or behind a loop that takes no events of a user.
bool isInComputeLoop(const model::HostCall &C);
/// True for an OpenGL call in such a loop, or before or after a loop that draws, where results come
/// back to the host.
bool isInComputation(const model::HostCall &C);
/// True for an OpenGL call that is repeated at each call of its function, which is a step of a
/// computation for callers in other files: one of them draws, and takes the results back.
bool isAtEachPass(const model::HostCall &C);
/// Message part: "glFinish waits at each call of 'draw'".
std::string atEachCall(const model::HostCall &C, llvm::StringRef Does);
/// Message part: "clFinish waits in a loop", or the name of the function around the call where the
/// loop is in a caller.
std::string inLoop(const model::HostCall &C, llvm::StringRef Does);
/// True if the call is in a function that launches kernels, has no caller in the file, and by its
/// name (step, drawFrame) runs once per frame or time step.
bool isPerFrame(const model::HostCall &C);
/// Message part: "clFinish waits in 'step', which by its name is called again and again".
std::string perFrame(const model::HostCall &C, llvm::StringRef Does);
/// Adds a note at the call in a loop of the function around C, if there is one.
void noteLoop(const model::HostCall &C, Finding &F);
/// Product of the first Dims extents of Size; none where an extent is not known.
std::optional<uint64_t> workItems(const std::array<std::optional<uint64_t>, 3> &Size,
                                  unsigned Dims);
/// Reports a wrong size at the launch that uses it (or at the call of the function around the
/// launch), with a note where the size is written if that is elsewhere.
Finding &reportSize(Context &C, const model::HostLaunch &L, const model::SourceRange &Written,
                    const llvm::Twine &Message);

/// "kernel 'scale'" or "a kernel".
std::string kernelOf(const model::HostLaunch &L);

} // namespace clmali::checks

#endif
