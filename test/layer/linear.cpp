//===- linear.cpp - a device with cl_khr_image2d_from_buffer, by copies -----------------------===//
//
// A layer below the one that is tested: PoCL cannot make images from buffers. Here such an image
// has its own memory, and after each command that may change one of both the texels are copied to
// the other. Rows are multiples of four texels, so that some widths are refused.
//
//===------------------------------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

const cl_icd_dispatch *Below = nullptr;
constexpr cl_uint PitchAlignment = 4;
constexpr size_t Origin[3] = {0, 0, 0};

struct Pair {
  cl_mem Image, Buffer;
  size_t Region[3], Pitch;
};
std::map<cl_mem, Pair> Pairs; ///< by image
std::map<cl_kernel, std::map<cl_uint, cl_mem>> Arguments;

void expect(cl_int Code, const char *What) {
  if (Code == CL_SUCCESS)
    return;
  std::fprintf(stderr, "linear: %s: %d\n", What, Code);
  std::_Exit(1);
}

cl_int give(const void *Data, size_t Length, size_t Size, void *Value, size_t *Result) {
  if (Value && Size < Length)
    return CL_INVALID_VALUE;
  if (Value)
    std::memcpy(Value, Data, Length);
  if (Result)
    *Result = Length;
  return CL_SUCCESS;
}

void toBuffer(cl_command_queue Q, const Pair &P) {
  expect(Below->clEnqueueCopyImageToBuffer(Q, P.Image, P.Buffer, Origin, P.Region, 0, 0, nullptr,
                                           nullptr),
         "clEnqueueCopyImageToBuffer");
}
void toImage(cl_command_queue Q, const Pair &P) {
  expect(Below->clEnqueueCopyBufferToImage(Q, P.Buffer, P.Image, 0, Origin, P.Region, 0, nullptr,
                                           nullptr),
         "clEnqueueCopyBufferToImage");
}

cl_int CL_API_CALL getDeviceInfo(cl_device_id Device, cl_device_info What, size_t Size, void *Value,
                                 size_t *Result) {
  if (What == CL_DEVICE_IMAGE_PITCH_ALIGNMENT)
    return give(&PitchAlignment, sizeof PitchAlignment, Size, Value, Result);
  if (What != CL_DEVICE_EXTENSIONS)
    return Below->clGetDeviceInfo(Device, What, Size, Value, Result);
  char Text[8192] = "";
  Below->clGetDeviceInfo(Device, What, sizeof Text, Text, nullptr);
  const std::string All = std::string(Text) + " cl_khr_image2d_from_buffer";
  return give(All.c_str(), All.size() + 1, Size, Value, Result);
}

void CL_CALLBACK imageGoes(cl_mem Image, void *) { Pairs.erase(Image); }

cl_mem CL_API_CALL createImage(cl_context Context, cl_mem_flags Flags,
                               const cl_image_format *Format, const cl_image_desc *Shape,
                               void *Host, cl_int *Error) {
  if (Shape->image_type != CL_MEM_OBJECT_IMAGE2D || !Shape->mem_object)
    return Below->clCreateImage(Context, Flags, Format, Shape, Host, Error);
  cl_image_desc Own = *Shape;
  Own.mem_object = nullptr;
  Own.image_row_pitch = 0;
  cl_mem Image = Below->clCreateImage(Context, Flags, Format, &Own, nullptr, Error);
  if (!Image)
    return Image;
  Pairs[Image] = {Image, Shape->mem_object, {Shape->image_width, Shape->image_height, 1},
                  Shape->image_row_pitch};
  Below->clSetMemObjectDestructorCallback(Image, imageGoes, nullptr);
  std::fprintf(stderr, "linear: %zux%zu\n", Shape->image_width, Shape->image_height);
  return Image;
}

cl_int CL_API_CALL getMemObjectInfo(cl_mem Memory, cl_mem_info What, size_t Size, void *Value,
                                    size_t *Result) {
  if (auto It = Pairs.find(Memory); It != Pairs.end() && What == CL_MEM_ASSOCIATED_MEMOBJECT)
    return give(&It->second.Buffer, sizeof(cl_mem), Size, Value, Result);
  return Below->clGetMemObjectInfo(Memory, What, Size, Value, Result);
}

cl_int CL_API_CALL getImageInfo(cl_mem Image, cl_image_info What, size_t Size, void *Value,
                                size_t *Result) {
  auto It = Pairs.find(Image);
  if (It != Pairs.end() && What == CL_IMAGE_ROW_PITCH)
    return give(&It->second.Pitch, sizeof(size_t), Size, Value, Result);
  if (It != Pairs.end() && What == CL_IMAGE_BUFFER)
    return give(&It->second.Buffer, sizeof(cl_mem), Size, Value, Result);
  return Below->clGetImageInfo(Image, What, Size, Value, Result);
}

cl_int CL_API_CALL setKernelArg(cl_kernel K, cl_uint Index, size_t Size, const void *Value) {
  cl_mem Memory = nullptr;
  if (Value && Size == sizeof Memory)
    std::memcpy(&Memory, Value, sizeof Memory);
  Arguments[K][Index] = Memory;
  return Below->clSetKernelArg(K, Index, Size, Value);
}

cl_int CL_API_CALL launch(cl_command_queue Q, cl_kernel K, cl_uint Dimensions, const size_t *Offset,
                          const size_t *Global, const size_t *Local, cl_uint WaitCount,
                          const cl_event *Waits, cl_event *Done) {
  cl_int Error = Below->clEnqueueNDRangeKernel(Q, K, Dimensions, Offset, Global, Local, WaitCount,
                                               Waits, Done);
  for (const auto &[Index, Memory] : Arguments[K])
    for (const auto &[Image, P] : Pairs) {
      if (Memory == Image)
        toBuffer(Q, P);
      if (Memory == P.Buffer)
        toImage(Q, P);
    }
  return Error;
}

cl_int CL_API_CALL copyBufferToImage(cl_command_queue Q, cl_mem From, cl_mem To, size_t Offset,
                                     const size_t *At, const size_t *Region, cl_uint WaitCount,
                                     const cl_event *Waits, cl_event *Done) {
  cl_int Error =
      Below->clEnqueueCopyBufferToImage(Q, From, To, Offset, At, Region, WaitCount, Waits, Done);
  if (auto It = Pairs.find(To); It != Pairs.end())
    toBuffer(Q, It->second);
  return Error;
}

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info What, size_t Size, void *Value,
                                         size_t *Result) {
  static const cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
  return What == CL_LAYER_API_VERSION ? give(&Version, sizeof Version, Size, Value, Result)
         : What == CL_LAYER_NAME      ? give("linear", sizeof "linear", Size, Value, Result)
                                      : CL_INVALID_VALUE;
}

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint Count, const cl_icd_dispatch *Target,
                                      cl_uint *CountResult, const cl_icd_dispatch **Result) {
  static cl_icd_dispatch Table, Copy;
  const size_t Known = std::min<size_t>(Count, sizeof Table / sizeof(void *));
  std::memcpy(&Copy, Target, Known * sizeof(void *));
  Below = &Copy;
  Table = Copy;
  Table.clGetDeviceInfo = getDeviceInfo;
  Table.clCreateImage = createImage;
  Table.clGetMemObjectInfo = getMemObjectInfo;
  Table.clGetImageInfo = getImageInfo;
  Table.clSetKernelArg = setKernelArg;
  Table.clEnqueueNDRangeKernel = launch;
  Table.clEnqueueCopyBufferToImage = copyBufferToImage;
  *CountResult = Known;
  *Result = &Table;
  return CL_SUCCESS;
}
