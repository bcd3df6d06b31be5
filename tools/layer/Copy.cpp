//===- Copy.cpp -------------------------------------------------------------------------------===//

#include "tools/layer/Copy.h"
#include "tools/layer/Worker.h"

namespace clmali::layer {

MemoryInfo memoryInfo(cl_mem M) {
  MemoryInfo I;
  Next->clGetMemObjectInfo(M, CL_MEM_TYPE, sizeof I.Type, &I.Type, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_SIZE, sizeof I.Size, &I.Size, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_FLAGS, sizeof I.Flags, &I.Flags, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof I.Parent, &I.Parent, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_OFFSET, sizeof I.Origin, &I.Origin, nullptr);
  return I;
}

QueueInfo queueInfo(cl_command_queue Queue) {
  QueueInfo I;
  cl_command_queue_properties Properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  Next->clGetCommandQueueInfo(Queue, CL_QUEUE_CONTEXT, sizeof I.Context, &I.Context, nullptr);
  Next->clGetCommandQueueInfo(Queue, CL_QUEUE_DEVICE, sizeof I.Device, &I.Device, nullptr);
  Next->clGetCommandQueueInfo(Queue, CL_QUEUE_PROPERTIES, sizeof Properties, &Properties, nullptr);
  I.InOrder = !(Properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return I;
}

cl_mem copyBuffer(cl_command_queue Queue, cl_context Context, cl_mem From, size_t Size,
                  cl_uint WaitCount, const cl_event *Waits, Event &Done) {
  cl_int Error = CL_SUCCESS;
  cl_mem To = Next->clCreateBuffer(Context, CL_MEM_READ_WRITE, Size, nullptr, &Error);
  if (Error != CL_SUCCESS || !To)
    return nullptr;
  if (Next->clEnqueueCopyBuffer(Queue, From, To, 0, 0, Size, WaitCount, WaitCount ? Waits : nullptr,
                                Done.into()) == CL_SUCCESS)
    return To;
  Next->clReleaseMemObject(To);
  return nullptr;
}

void readAndRelease(cl_command_queue Queue, cl_mem From, size_t Size, const Event &Done,
                    std::function<void(const std::string *)> Take) {
  auto Data = std::make_shared<std::string>(Size, 0);
  cl_event After = Done.get(), Read = nullptr;
  cl_int Error =
      Next->clEnqueueReadBuffer(Queue, From, CL_FALSE, 0, Size, Data->data(), 1, &After, &Read);
  // The command holds the buffer until it has ended.
  Next->clReleaseMemObject(From);
  if (Error != CL_SUCCESS)
    return Take(nullptr);
  if (!whenDone(Read, [Data, Take](cl_int Status) {
        Take(Status == CL_COMPLETE ? Data.get() : nullptr);
      }))
    // The read may still write: its memory is never freed.
    (void)new std::shared_ptr<std::string>(Data);
}

} // namespace clmali::layer
