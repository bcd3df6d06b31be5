//===- HostCalls.h - questions that several host checks ask -----------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_HOSTCALLS_H
#define CLMALI_CHECKS_QUERY_HOSTCALLS_H

#include "checks/Check.h"

namespace clmali::checks {

/// "clEnqueueReadBuffer", "enqueueReadBuffer", "cl::Buffer": without the class of a method.
std::string shortName(const model::HostCall &C);

/// Reads or writes a buffer (the C and the C++ API).
bool isTransfer(const model::HostCall &C);
/// cl::copy: through a mapping that it makes.
bool isCopy(const model::HostCall &C);
/// Reads or writes an image.
bool isImageTransfer(const model::HostCall &C);
/// Makes a buffer or an image.
bool createsMemory(const model::HostCall &C);
/// Compiles: makes or builds a program, or makes a kernel.
bool compiles(const model::HostCall &C);
/// Does the file mention CL_DEVICE_HOST_UNIFIED_MEMORY?
bool asksForUnifiedMemory(const model::HostModule &H);

/// Does the main file decide something by the answer, as far as its text tells? One that is only
/// printed decides nothing.
bool decidesByUnifiedMemory(const model::HostModule &H);

/// Gives the GPU a kernel to run (the C and the C++ API).
bool isLaunch(const model::HostCall &C);
/// "clFinish waits in a loop", or in which function that is called in a loop.
std::string inLoop(const model::HostCall &C, llvm::StringRef Does);
/// Does it stand in a function that launches, that nobody in the file calls, and whose name says
/// that it is one of many (step, drawFrame)?
bool isPerFrame(const model::HostCall &C);
/// "clFinish waits in 'step', which by its name is called again and again".
std::string perFrame(const model::HostCall &C, llvm::StringRef Does);
/// Says where that function is called, if it is.
void noteLoop(const model::HostCall &C, Finding &F);
/// Work-items in all of a size of \p Dims dimensions; none where a dimension is not known.
std::optional<uint64_t> workItems(const std::array<std::optional<uint64_t>, 3> &Size,
                                  unsigned Dims);
/// Reports a size at the launch that is given it (or at the call of the function around the
/// launch), and says where it is written, if that is elsewhere.
Finding &reportSize(Context &C, const model::HostLaunch &L, const model::SourceRange &Written,
                    const llvm::Twine &Message);

/// "kernel 'scale'" or "a kernel".
std::string kernelOf(const model::HostLaunch &L);

} // namespace clmali::checks

#endif
