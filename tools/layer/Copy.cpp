//===- Copy.cpp -------------------------------------------------------------------------------===//

#include "tools/layer/Copy.h"
#include "tools/layer/Exchange.h"
#include "tools/layer/Worker.h"

namespace clmali::layer {
namespace {

struct Name {
  const char *Text;
  cl_uint Code;
  unsigned Count = 0; ///< channels of an order; bytes of a channel, 0 where texels are packed
};
const Name Orders[] = {
#define CLMALI_ORDER(Text, Code, Channels, Opaque, Read) {Text, Code, Channels},
#define CLMALI_TYPE(Text, Code, Kind, Bytes)
#include "rewriters/launch/ImageFormats.def"
#undef CLMALI_ORDER
#undef CLMALI_TYPE
};
enum Kind { Snorm, Unorm, Packed, Signed, Unsigned, Float };
const Name Types[] = {
#define CLMALI_ORDER(Text, Code, Channels, Opaque, Read)
#define CLMALI_TYPE(Text, Code, Kind, Bytes) {Text, Code, Kind == Packed ? 0 : Bytes},
#include "rewriters/launch/ImageFormats.def"
#undef CLMALI_ORDER
#undef CLMALI_TYPE
};

template <size_t Count> Name find(const Name (&All)[Count], cl_uint Code) {
  for (const Name &One : All)
    if (One.Code == Code)
      return One;
  return {nullptr, Code};
}
template <size_t Count> const char *nameOf(const Name (&All)[Count], cl_uint Code) {
  return find(All, Code).Text;
}

} // namespace

bool imageInfo(cl_mem M, ImageInfo &Into) {
  ImageInfo I;
  if (Next->clGetMemObjectInfo(M, CL_MEM_TYPE, sizeof I.Type, &I.Type, nullptr) != CL_SUCCESS ||
      I.Type == CL_MEM_OBJECT_BUFFER)
    return false;
  bool Ok = true;
  auto ask = [&](cl_image_info What, auto &Value) {
    Ok &= Next->clGetImageInfo(M, What, sizeof Value, &Value, nullptr) == CL_SUCCESS;
  };
  ask(CL_IMAGE_FORMAT, I.Format);
  ask(CL_IMAGE_ELEMENT_SIZE, I.TexelBytes);
  auto extent = [&](cl_image_info What) { ask(What, I.Extents[I.Dimensions++]); };
  extent(CL_IMAGE_WIDTH);
  switch (I.Type) {
  case CL_MEM_OBJECT_IMAGE1D:
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    break;
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    extent(CL_IMAGE_ARRAY_SIZE);
    I.IsArray = true;
    break;
  case CL_MEM_OBJECT_IMAGE2D:
    extent(CL_IMAGE_HEIGHT);
    break;
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    extent(CL_IMAGE_HEIGHT);
    extent(CL_IMAGE_ARRAY_SIZE);
    I.IsArray = true;
    break;
  case CL_MEM_OBJECT_IMAGE3D:
    extent(CL_IMAGE_HEIGHT);
    extent(CL_IMAGE_DEPTH);
    break;
  default:
    return false;
  }
  // Of a 2-D image too, where it was made from a buffer.
  Next->clGetMemObjectInfo(M, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof I.Buffer, &I.Buffer, nullptr);
  if (Ok)
    Into = I;
  return Ok;
}

const char *kindName(cl_mem_object_type Type) {
  switch (Type) {
  case CL_MEM_OBJECT_IMAGE1D:
    return "image1d";
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    return "image1d_buffer";
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    return "image1d_array";
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return "image2d_array";
  case CL_MEM_OBJECT_IMAGE3D:
    return "image3d";
  default:
    return "image2d";
  }
}

std::string formatName(const cl_image_format &Format) {
  const char *Order = nameOf(Orders, Format.image_channel_order);
  const char *Type = nameOf(Types, Format.image_channel_data_type);
  return Order && Type ? std::string(Order) + "-" + Type : std::string();
}

size_t texelBytes(const cl_image_format &Format) {
  return size_t(find(Orders, Format.image_channel_order).Count) *
         find(Types, Format.image_channel_data_type).Count;
}

bool samplerInfo(cl_sampler S, SamplerInfo &Into) {
  cl_bool Normalized = CL_FALSE;
  cl_addressing_mode Address = 0;
  cl_filter_mode Filter = 0;
  auto ask = [S](cl_sampler_info What, auto &Value) {
    return Next->clGetSamplerInfo(S, What, sizeof Value, &Value, nullptr) == CL_SUCCESS;
  };
  if (!ask(CL_SAMPLER_NORMALIZED_COORDS, Normalized) || !ask(CL_SAMPLER_ADDRESSING_MODE, Address) ||
      !ask(CL_SAMPLER_FILTER_MODE, Filter))
    return false;
  static const Name Addresses[] = {{"none", CL_ADDRESS_NONE},
                                   {"clamp-to-edge", CL_ADDRESS_CLAMP_TO_EDGE},
                                   {"clamp", CL_ADDRESS_CLAMP},
                                   {"repeat", CL_ADDRESS_REPEAT},
                                   {"mirrored-repeat", CL_ADDRESS_MIRRORED_REPEAT}};
  const char *Mode = nameOf(Addresses, Address);
  if (!Mode)
    return false;
  Into.Coordinates = Normalized ? "normalized" : "pixels";
  Into.Address = Mode;
  Into.Filter = Filter == CL_FILTER_LINEAR ? "linear" : "nearest";
  return true;
}

MemoryInfo memoryInfo(cl_mem M) {
  MemoryInfo I;
  Next->clGetMemObjectInfo(M, CL_MEM_TYPE, sizeof I.Type, &I.Type, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_SIZE, sizeof I.Size, &I.Size, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_FLAGS, sizeof I.Flags, &I.Flags, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof I.Parent, &I.Parent, nullptr);
  Next->clGetMemObjectInfo(M, CL_MEM_OFFSET, sizeof I.Origin, &I.Origin, nullptr);
  if (imageInfo(M, I.Image))
    I.Size = I.Image.bytes();
  // No object of the program shares the memory of the layer's own buffers.
  if (I.Parent && isOwnBuffer(I.Parent))
    I.Parent = I.Image.Buffer = nullptr;
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

cl_mem copyToBuffer(cl_command_queue Queue, cl_context Context, cl_mem From, const MemoryInfo &Of,
                    cl_uint WaitCount, const cl_event *Waits, Event &Done) {
  cl_int Error = CL_SUCCESS;
  cl_mem To = Next->clCreateBuffer(Context, CL_MEM_READ_WRITE, Of.Size, nullptr, &Error);
  if (Error != CL_SUCCESS || !To)
    return nullptr;
  const cl_event *After = WaitCount ? Waits : nullptr;
  const size_t Origin[3] = {0, 0, 0};
  // The texels of a buffer's image are its bytes.
  const bool IsList = Of.Type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  if (Of.Image.Type && !IsList)
    Error = Next->clEnqueueCopyImageToBuffer(Queue, From, To, Origin, Of.Image.Extents, 0,
                                             WaitCount, After, Done.into());
  else
    Error = Next->clEnqueueCopyBuffer(Queue, IsList ? Of.Image.Buffer : From, To, 0, 0, Of.Size,
                                      WaitCount, After, Done.into());
  if (Error == CL_SUCCESS)
    return To;
  Next->clReleaseMemObject(To);
  return nullptr;
}

cl_mem copyAlike(cl_command_queue Queue, cl_context Context, cl_mem From, const MemoryInfo &Of,
                 cl_uint WaitCount, const cl_event *Waits, Event &Done) {
  if (!Of.Image.Type)
    return copyToBuffer(Queue, Context, From, Of, WaitCount, Waits, Done);
  if (Of.Image.Buffer) // another image of the buffer would share its memory
    return nullptr;
  const ImageInfo &I = Of.Image;
  cl_image_desc Shape = {};
  Shape.image_type = I.Type;
  Shape.image_width = I.Extents[0];
  const unsigned Axes = I.Dimensions - I.IsArray;
  if (Axes > 1)
    Shape.image_height = I.Extents[1];
  if (Axes > 2)
    Shape.image_depth = I.Extents[2];
  if (I.IsArray)
    Shape.image_array_size = I.Extents[Axes];
  cl_int Error = CL_SUCCESS;
  cl_mem To = Next->clCreateImage(Context, CL_MEM_READ_WRITE, &I.Format, &Shape, nullptr, &Error);
  if (Error != CL_SUCCESS || !To)
    return nullptr;
  const size_t Origin[3] = {0, 0, 0};
  if (Next->clEnqueueCopyImage(Queue, From, To, Origin, Origin, I.Extents, WaitCount,
                               WaitCount ? Waits : nullptr, Done.into()) == CL_SUCCESS)
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
