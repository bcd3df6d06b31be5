//===- Exchange.cpp ---------------------------------------------------------------------------===//

#include "tools/layer/Exchange.h"
#include "tools/layer/Copy.h"
#include <algorithm>
#include <cstring>
#include <set>

namespace clmali::layer {
namespace {

/// The formats, and the buffers that images were made from.
struct Exchange {
  std::set<std::string> Formats; ///< not changed after the start
  mutable std::shared_mutex Lock;
  std::set<cl_mem> Buffers;
  static Exchange &get() {
    static auto *E = new Exchange;
    return *E;
  }
};

/// The last reference to an image has gone.
void CL_CALLBACK imageGoes(cl_mem, void *User) {
  const auto Buffer = static_cast<cl_mem>(User);
  {
    Exchange &E = Exchange::get();
    std::unique_lock<std::shared_mutex> Guard(E.Lock);
    E.Buffers.erase(Buffer);
  }
  Next->clReleaseMemObject(Buffer);
}

/// True if an image of this width may be made from a buffer without gaps between its rows.
bool canMake(cl_device_id Device, size_t Width) {
  size_t Bytes = 0;
  Next->clGetDeviceInfo(Device, CL_DEVICE_EXTENSIONS, 0, nullptr, &Bytes);
  std::string Extensions(Bytes, 0);
  Next->clGetDeviceInfo(Device, CL_DEVICE_EXTENSIONS, Bytes, Extensions.data(), nullptr);
  cl_uint Pixels = 0;
  return (" " + std::string(Extensions.c_str()) + " ").find(" cl_khr_image2d_from_buffer ") !=
             std::string::npos &&
         Next->clGetDeviceInfo(Device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof Pixels, &Pixels,
                               nullptr) == CL_SUCCESS &&
         Pixels && Width % Pixels == 0;
}

bool canMake(cl_context Context, size_t Width) {
  size_t Bytes = 0;
  Next->clGetContextInfo(Context, CL_CONTEXT_DEVICES, 0, nullptr, &Bytes);
  std::vector<cl_device_id> All(Bytes / sizeof(cl_device_id));
  Next->clGetContextInfo(Context, CL_CONTEXT_DEVICES, Bytes, All.data(), nullptr);
  return !All.empty() &&
         std::all_of(All.begin(), All.end(), [&](cl_device_id D) { return canMake(D, Width); });
}

/// An image without memory of the program's own, of a format that is exchanged.
bool isPlain(cl_mem_flags Flags, const cl_image_format *Format, const cl_image_desc *Shape,
             const void *Host) {
  constexpr cl_mem_flags Own = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  return !Host && !(Flags & Own) && Format && Shape && Shape->image_type == CL_MEM_OBJECT_IMAGE2D &&
         Shape->image_width && Shape->image_height && !Shape->mem_object &&
         !Shape->image_row_pitch && !Shape->num_mip_levels && !Shape->num_samples &&
         texelBytes(*Format) && Exchange::get().Formats.count(formatName(*Format));
}

/// Null: it must be made as the program says.
cl_mem makeFromBuffer(cl_context Context, cl_mem_flags Flags, const cl_image_format *Format,
                      const cl_image_desc *Shape, const void *Host) {
  if (!isPlain(Flags, Format, Shape, Host) || !canMake(Context, Shape->image_width))
    return nullptr;
  cl_int Error = CL_SUCCESS;
  cl_image_desc Rows = *Shape;
  Rows.image_row_pitch = Shape->image_width * texelBytes(*Format);
  cl_mem Buffer = Next->clCreateBuffer(Context, Flags, Rows.image_row_pitch * Rows.image_height,
                                       nullptr, &Error);
  if (!Buffer)
    return nullptr;
  Rows.mem_object = Buffer;
  cl_mem Image = Next->clCreateImage(Context, Flags, Format, &Rows, nullptr, &Error);
  if (Image && Next->clSetMemObjectDestructorCallback(Image, imageGoes, Buffer) == CL_SUCCESS) {
    Exchange &E = Exchange::get();
    std::unique_lock<std::shared_mutex> Guard(E.Lock);
    E.Buffers.insert(Buffer);
    return Image;
  }
  if (Image)
    Next->clReleaseMemObject(Image);
  Next->clReleaseMemObject(Buffer);
  return nullptr;
}

cl_mem CL_API_CALL createImage(cl_context Context, cl_mem_flags Flags,
                               const cl_image_format *Format, const cl_image_desc *Shape,
                               void *Host, cl_int *Error) {
  cl_mem Made = makeFromBuffer(Context, Flags, Format, Shape, Host);
  if (!Made)
    return Next->clCreateImage(Context, Flags, Format, Shape, Host, Error);
  if (Error)
    *Error = CL_SUCCESS;
  return Made;
}

cl_mem CL_API_CALL createImage2D(cl_context Context, cl_mem_flags Flags,
                                 const cl_image_format *Format, size_t Width, size_t Height,
                                 size_t Pitch, void *Host, cl_int *Error) {
  cl_image_desc Shape = {};
  Shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  Shape.image_width = Width;
  Shape.image_height = Height;
  Shape.image_row_pitch = Pitch;
  cl_mem Made = makeFromBuffer(Context, Flags, Format, &Shape, Host);
  if (!Made)
    return Next->clCreateImage2D(Context, Flags, Format, Width, Height, Pitch, Host, Error);
  if (Error)
    *Error = CL_SUCCESS;
  return Made;
}

cl_mem CL_API_CALL createImageWithProperties(cl_context Context,
                                             const cl_mem_properties *Properties,
                                             cl_mem_flags Flags, const cl_image_format *Format,
                                             const cl_image_desc *Shape, void *Host,
                                             cl_int *Error) {
  const bool HasNone = !Properties || !*Properties;
  cl_mem Made = HasNone ? makeFromBuffer(Context, Flags, Format, Shape, Host) : nullptr;
  if (!Made)
    return Next->clCreateImageWithProperties(Context, Properties, Flags, Format, Shape, Host,
                                             Error);
  if (Error)
    *Error = CL_SUCCESS;
  return Made;
}

/// The program does not see the layer's buffers.
void hide(void *Value, size_t Size) {
  cl_mem Buffer = nullptr;
  if (!Value || Size < sizeof Buffer)
    return;
  std::memcpy(&Buffer, Value, sizeof Buffer);
  if (Buffer && isOwnBuffer(Buffer))
    std::memset(Value, 0, sizeof Buffer);
}

cl_int CL_API_CALL getMemObjectInfo(cl_mem Memory, cl_mem_info What, size_t Size, void *Value,
                                    size_t *Result) {
  cl_int Error = Next->clGetMemObjectInfo(Memory, What, Size, Value, Result);
  if (Error == CL_SUCCESS && What == CL_MEM_ASSOCIATED_MEMOBJECT)
    hide(Value, Size);
  return Error;
}

cl_int CL_API_CALL getImageInfo(cl_mem Image, cl_image_info What, size_t Size, void *Value,
                                size_t *Result) {
  cl_int Error = Next->clGetImageInfo(Image, What, Size, Value, Result);
  if (Error == CL_SUCCESS && What == CL_IMAGE_BUFFER)
    hide(Value, Size);
  return Error;
}

} // namespace

void makeFromBuffers(const std::vector<std::string> &Formats) {
  Exchange::get().Formats.insert(Formats.begin(), Formats.end());
}

void installExchange(cl_icd_dispatch &Table) {
  if (Exchange::get().Formats.empty())
    return;
  Table.clCreateImage = createImage;
  Table.clCreateImage2D = createImage2D;
  Table.clCreateImageWithProperties = createImageWithProperties;
  Table.clGetMemObjectInfo = getMemObjectInfo;
  Table.clGetImageInfo = getImageInfo;
}

bool isOwnBuffer(cl_mem Buffer) {
  const Exchange &E = Exchange::get();
  std::shared_lock<std::shared_mutex> Guard(E.Lock);
  return E.Buffers.count(Buffer) != 0;
}

cl_mem texelsOf(cl_mem Image) {
  ImageInfo I;
  size_t Pitch = 0;
  if (!imageInfo(Image, I) || I.Type != CL_MEM_OBJECT_IMAGE2D || !I.Buffer ||
      !isOwnBuffer(I.Buffer) ||
      Next->clGetImageInfo(Image, CL_IMAGE_ROW_PITCH, sizeof Pitch, &Pitch, nullptr) !=
          CL_SUCCESS ||
      Pitch != I.Extents[0] * I.TexelBytes)
    return nullptr;
  return I.Buffer;
}

} // namespace clmali::layer
