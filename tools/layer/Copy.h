//===- Copy.h - memory objects and samplers as arguments; copies chained on events ------------===//

#ifndef CLMALI_TOOLS_LAYER_COPY_H
#define CLMALI_TOOLS_LAYER_COPY_H

#include "tools/layer/State.h"
#include <functional>

namespace clmali::layer {

/// An image as an argument.
struct ImageInfo {
  cl_mem_object_type Type = 0;
  cl_image_format Format = {};
  size_t TexelBytes = 0;
  /// Width, height and depth as launch files give them: the layers of an array come last.
  unsigned Dimensions = 0;
  size_t Extents[3] = {1, 1, 1};
  bool IsArray = false;
  cl_mem Buffer = nullptr; ///< of an image that was made from a buffer
  /// Of all texels, in rows without gaps.
  size_t bytes() const { return TexelBytes * Extents[0] * Extents[1] * Extents[2]; }
};
/// False: it is no image, or the implementation does not say.
bool imageInfo(cl_mem M, ImageInfo &Into);

/// "image2d", "image1d_buffer": the type in OpenCL C without its end.
const char *kindName(cl_mem_object_type Type);
/// The name that launch files and manifests have for it ("rgba-unorm8"); empty: they have none.
std::string formatName(const cl_image_format &Format);

/// Bytes of a texel; 0: the format has no name, or its channels are packed.
size_t texelBytes(const cl_image_format &Format);

/// A sampler in the words of launch files: coords, address, filter.
struct SamplerInfo {
  std::string Coordinates, Address, Filter;
  friend bool operator==(const SamplerInfo &A, const SamplerInfo &B) {
    return A.Coordinates == B.Coordinates && A.Address == B.Address && A.Filter == B.Filter;
  }
};
/// False: the implementation does not say, or it is a mode without a name.
bool samplerInfo(cl_sampler S, SamplerInfo &Into);

/// A memory object as an argument.
struct MemoryInfo {
  cl_mem_object_type Type = 0;
  size_t Size = 0;         ///< bytes; of an image without gaps between its rows
  cl_mem Parent = nullptr; ///< of a sub-buffer, and the buffer that an image was made from
  size_t Origin = 0;       ///< of a sub-buffer
  cl_mem_flags Flags = 0;
  ImageInfo Image; ///< with a Type where it is an image
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

/// Enqueues a copy of the buffer's or image's Size bytes to a buffer of the layer, after the
/// events; Done is the event of that copy. Null: it cannot be copied.
cl_mem copyToBuffer(cl_command_queue Queue, cl_context Context, cl_mem From, const MemoryInfo &Of,
                    cl_uint WaitCount, const cl_event *Waits, Event &Done);
/// The same to an object of the same kind, with which a kernel can run.
cl_mem copyAlike(cl_command_queue Queue, cl_context Context, cl_mem From, const MemoryInfo &Of,
                 cl_uint WaitCount, const cl_event *Waits, Event &Done);

/// Reads a buffer of the layer after Done and gives its bytes to Take, on the layer's thread, or
/// null if a command failed. The buffer is released. Never blocks.
void readAndRelease(cl_command_queue Queue, cl_mem From, size_t Size, const Event &Done,
                    std::function<void(const std::string *)> Take);

} // namespace clmali::layer

#endif
