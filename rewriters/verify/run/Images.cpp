// Images and samplers of a device.
#include "rewriters/verify/run/DeviceMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace llvm;

namespace clmali::verify {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

cl_mem_object_type objectType(const ImageType &T) {
  if (T.Buffer)
    return CL_MEM_OBJECT_IMAGE1D_BUFFER;
  switch (T.Dimensions) {
  case 1:
    return T.Array ? CL_MEM_OBJECT_IMAGE1D_ARRAY : CL_MEM_OBJECT_IMAGE1D;
  case 2:
    return T.Array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
  default:
    return CL_MEM_OBJECT_IMAGE3D;
  }
}

/// The bytes of a channel that reads as 1.
uint64_t oneIn(const launch::ImageFormat &F) {
  using Kind = launch::ImageFormat::Kind;
  const unsigned Bits = 8 * F.ChannelBytes;
  switch (F.K) {
  case Kind::Unorm:
    return (uint64_t(1) << Bits) - 1;
  case Kind::Snorm:
    return (uint64_t(1) << (Bits - 1)) - 1;
  case Kind::Float:
    return F.ChannelBytes == 2 ? 0x3c00 : 0x3f800000;
  default:
    return 1;
  }
}

/// Texels of \p F with all four channels: those that are missing read as 0, and alpha as 1.
Bytes widened(const Bytes &Data, const launch::ImageFormat &F) {
  const size_t Texels = Data.size() / F.texelBytes(), Wide = 4 * F.ChannelBytes;
  const uint64_t One = oneIn(F);
  Bytes Out(Texels * Wide, 0);
  for (size_t I = 0; I < Texels; ++I) {
    std::memcpy(&Out[I * Wide], &Data[I * F.texelBytes()], F.texelBytes());
    std::memcpy(&Out[I * Wide + 3 * F.ChannelBytes], &One, F.ChannelBytes);
  }
  return Out;
}

/// The first channels of texels that have four of them.
Bytes narrowed(const Bytes &Data, const launch::ImageFormat &F) {
  const size_t Wide = 4 * F.ChannelBytes, Texels = Data.size() / Wide;
  Bytes Out(Texels * F.texelBytes());
  for (size_t I = 0; I < Texels; ++I)
    std::memcpy(&Out[I * F.texelBytes()], &Data[I * Wide], F.texelBytes());
  return Out;
}

} // namespace

size_t Device::bytesOnDevice(const Memory &M) {
  const launch::ImageFormat F = *launch::imageFormat(M.Image->Format);
  return M.Channels == F.Channels ? M.Image->Data.size()
                                  : M.Image->Data.size() / F.Channels * M.Channels;
}

/// The format of the launch file. RGBA in place of R and RG where the device lacks those.
Expected<cl_image_format> Device::formatFor(const ArgumentValue &V) {
  const launch::ImageFormat F = *launch::imageFormat(V.Format);
  const cl_mem_object_type Type = objectType(V.Image);
  cl_uint Count = 0;
  cl_int Code = Cl.clGetSupportedImageFormats(Context, CL_MEM_READ_WRITE, Type, 0, nullptr, &Count);
  std::vector<cl_image_format> All(Count);
  if (Code == CL_SUCCESS)
    Code =
        Cl.clGetSupportedImageFormats(Context, CL_MEM_READ_WRITE, Type, Count, All.data(), nullptr);
  if (Code != CL_SUCCESS)
    return callFailed("clGetSupportedImageFormats", Code);
  auto has = [&](cl_channel_order Order) {
    return any_of(All, [&](const cl_image_format &One) {
      return One.image_channel_order == Order && One.image_channel_data_type == F.Type;
    });
  };
  if (has(F.Order))
    return cl_image_format{F.Order, F.Type};
  if ((F.Order == CL_R || F.Order == CL_RG) && has(CL_RGBA))
    return cl_image_format{CL_RGBA, F.Type};
  return failure(Info.Device + " has no images of format " + V.Format + " for this kernel");
}

Expected<Device::Memory> Device::allocateImage(const ArgumentValue &V) {
  const launch::ImageFormat F = *launch::imageFormat(V.Format);
  Expected<cl_image_format> Format = formatFor(V);
  if (!Format)
    return Format.takeError();
  Memory M;
  M.Image = &V;
  M.Channels = Format->image_channel_order == F.Order ? F.Channels : 4;
  cl_image_desc Shape;
  std::memset(&Shape, 0, sizeof(Shape));
  Shape.image_type = objectType(V.Image);
  Shape.image_width = V.Extents[0];
  if (V.Image.Dimensions >= 2)
    Shape.image_height = V.Extents[1];
  if (V.Image.Dimensions >= 3)
    Shape.image_depth = V.Extents[2];
  if (V.Image.Array)
    Shape.image_array_size = V.Extents[V.Image.Dimensions];
  cl_int Code = CL_SUCCESS;
  if (V.Image.Buffer) {
    M.Parent = Cl.clCreateBuffer(Context, CL_MEM_READ_WRITE, bytesOnDevice(M), nullptr, &Code);
    if (Code != CL_SUCCESS)
      return callFailed("clCreateBuffer", Code);
    Shape.buffer = M.Parent;
  }
  cl_image_format Of = *Format;
  M.Buffer = Cl.clCreateImage(Context, CL_MEM_READ_WRITE, &Of, &Shape, nullptr, &Code);
  if (Code == CL_SUCCESS)
    Code = write(M, V.Data);
  if (Code == CL_SUCCESS)
    return M;
  release(M);
  return failure("an image of " + Twine(V.Extents[0]) + " x " + Twine(V.Extents[1]) + " x " +
                 Twine(V.Extents[2]) + ": " + errorName(Code));
}

cl_int Device::write(const Memory &M, const Bytes &Given) {
  if (!M.Image)
    return Cl.clEnqueueWriteBuffer(Queue, M.Buffer, CL_TRUE, 0, Given.size(), Given.data(), 0,
                                   nullptr, nullptr);
  const launch::ImageFormat F = *launch::imageFormat(M.Image->Format);
  const bool IsWidened = M.Channels != F.Channels;
  const Bytes Wide = IsWidened ? widened(Given, F) : Bytes();
  const Bytes &Data = IsWidened ? Wide : Given;
  if (M.Parent)
    return Cl.clEnqueueWriteBuffer(Queue, M.Parent, CL_TRUE, 0, Data.size(), Data.data(), 0,
                                   nullptr, nullptr);
  const size_t Origin[3] = {0, 0, 0};
  const std::array<uint64_t, 3> &E = M.Image->Extents;
  const size_t Region[3] = {E[0], E[1], E[2]};
  return Cl.clEnqueueWriteImage(Queue, M.Buffer, CL_TRUE, Origin, Region, 0, 0, Data.data(), 0,
                                nullptr, nullptr);
}

Error Device::readImage(const Memory &M, Bytes &Into) {
  const launch::ImageFormat F = *launch::imageFormat(M.Image->Format);
  const bool IsWidened = M.Channels != F.Channels;
  Into.resize(bytesOnDevice(M));
  cl_int Code = CL_SUCCESS;
  if (M.Parent) {
    Code = Cl.clEnqueueReadBuffer(Queue, M.Parent, CL_TRUE, 0, Into.size(), Into.data(), 0, nullptr,
                                  nullptr);
  } else {
    const size_t Origin[3] = {0, 0, 0};
    const std::array<uint64_t, 3> &E = M.Image->Extents;
    const size_t Region[3] = {E[0], E[1], E[2]};
    Code = Cl.clEnqueueReadImage(Queue, M.Buffer, CL_TRUE, Origin, Region, 0, 0, Into.data(), 0,
                                 nullptr, nullptr);
  }
  if (Code != CL_SUCCESS)
    return callFailed("reading an image", Code);
  if (IsWidened)
    Into = narrowed(Into, F);
  return Error::success();
}

Expected<bool> Device::hasOpaqueBorder(const std::string &Format) {
  using Kind = launch::ImageFormat::Kind;
  const launch::ImageFormat F = *launch::imageFormat(Format);
  const char *Suffix = F.K == Kind::Signed ? "i" : F.K == Kind::Unsigned ? "ui" : "f";
  const std::string Source =
      (Twine("const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
             "CLK_FILTER_NEAREST;\n"
             "__kernel void clmali_probe(__read_only image2d_t i, __global int *o) {\n"
             "  o[0] = read_image") +
       Suffix + "(i, s, (int2)(-1, -1)).w == 1; }\n")
          .str();
  Expected<cl_program> Program = build(Source, "");
  if (!Program)
    return Program.takeError();
  Expected<cl_kernel> Kernel = kernel(*Program, "clmali_probe");
  if (!Kernel)
    return Kernel.takeError();
  std::vector<ArgumentValue> Values(2);
  Values[0].K = ArgumentValue::Kind::Image;
  Values[0].Format = Format;
  Values[0].Data.assign(F.texelBytes(), 0);
  Values[1].K = ArgumentValue::Kind::Buffer;
  Values[1].Data.assign(sizeof(cl_int), 0);
  Step S;
  S.Kernel = *Kernel;
  Expected<RunResult> Result = run({S}, Values, {});
  Cl.clReleaseKernel(*Kernel);
  Cl.clReleaseProgram(*Program);
  if (!Result)
    return Result.takeError();
  return Result->Buffers[1][0] != 0;
}

Expected<cl_sampler> Device::samplerFor(const launch::SamplerSpec &S, NoneBecomes None) {
  using Mode = launch::SamplerSpec::AddressMode;
  cl_addressing_mode Address = CL_ADDRESS_MIRRORED_REPEAT;
  switch (S.Address) {
  case Mode::None:
    Address = None == NoneBecomes::Clamp ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE;
    break;
  case Mode::ClampToEdge:
    Address = CL_ADDRESS_CLAMP_TO_EDGE;
    break;
  case Mode::Clamp:
    Address = CL_ADDRESS_CLAMP;
    break;
  case Mode::Repeat:
    Address = CL_ADDRESS_REPEAT;
    break;
  case Mode::MirroredRepeat:
    break;
  }
  cl_sampler &Made = Samplers[{S.Normalized, Address, S.Linear}];
  if (Made)
    return Made;
  cl_int Code = CL_SUCCESS;
  Made = Cl.clCreateSampler(Context, S.Normalized, Address,
                            S.Linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &Code);
  if (Code != CL_SUCCESS)
    return callFailed("clCreateSampler", Code);
  return Made;
}

} // namespace clmali::verify
