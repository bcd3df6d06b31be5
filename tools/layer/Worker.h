//===- Worker.h - work after events, on a thread of the layer ---------------------------------===//
//
// A callback of an event must not block, so it only passes the work on. Nothing waits for the
// thread but the end of the program, for two seconds at most.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_WORKER_H
#define CLMALI_TOOLS_LAYER_WORKER_H

#include "tools/layer/State.h"
#include <functional>

namespace clmali::layer {

/// Runs Work on the thread of the layer when Event has ended, with the event's status (CL_COMPLETE
/// or an error). The event is released after that. False: the work will never run, the event is
/// released.
bool whenDone(cl_event Event, std::function<void(cl_int)> Work);

/// Waits until the work is done, at most so many milliseconds. False: some is left.
bool drain(unsigned Milliseconds);

} // namespace clmali::layer

#endif
