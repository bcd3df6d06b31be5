//===- Copy.h - copies of buffers, chained on events ------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_COPY_H
#define CLMALI_TOOLS_LAYER_COPY_H

#include "tools/layer/State.h"
#include <functional>

namespace clmali::layer {

/// A memory object as an argument.
struct MemoryInfo {
  cl_mem_object_type Type = 0;
  size_t Size = 0;
  cl_mem Parent = nullptr; ///< of a sub-buffer
  size_t Origin = 0;       ///< of a sub-buffer
  cl_mem_flags Flags = 0;
};
MemoryInfo memoryInfo(cl_mem M);

/// Properties of a queue.
struct QueueInfo {
  cl_context Context = nullptr;
  cl_device_id Device = nullptr;
  bool InOrder = false;
};
QueueInfo queueInfo(cl_command_queue Queue);

/// Owns an event; released at the end.
class Event {
public:
  Event() = default;
  explicit Event(cl_event E) : E(E) {}
  Event(Event &&Other) noexcept : E(Other.take()) {}
  Event &operator=(Event &&Other) noexcept {
    reset(Other.take());
    return *this;
  }
  ~Event() { reset(nullptr); }
  cl_event get() const { return E; }
  cl_event *into() { return &E; }
  cl_event take() {
    cl_event Was = E;
    E = nullptr;
    return Was;
  }

private:
  void reset(cl_event To) {
    if (E)
      Next->clReleaseEvent(E);
    E = To;
  }
  cl_event E = nullptr;
};

/// Enqueues a copy of the buffer's Size bytes to a buffer of the layer, after the events; Done is
/// the event of that copy. Null: it cannot be copied.
cl_mem copyBuffer(cl_command_queue Queue, cl_context Context, cl_mem From, size_t Size,
                  cl_uint WaitCount, const cl_event *Waits, Event &Done);

/// Reads a buffer of the layer after Done and gives its bytes to Take, on the layer's thread, or
/// null if a command failed. The buffer is released. Never blocks.
void readAndRelease(cl_command_queue Queue, cl_mem From, size_t Size, const Event &Done,
                    std::function<void(const std::string *)> Take);

} // namespace clmali::layer

#endif
