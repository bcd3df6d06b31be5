//===- images.cpp - a program with images
//------------------------------------------------------===//
//
// A chain of three kernels: an image that clEnqueueCopyBufferToImage filled is brightened, blurred
// with a sampler that the host passes into the layers of an array, and the sums of its rows are
// taken from an image of a buffer, which clEnqueueCopyImageToBuffer filled; a null buffer. Two
// sizes. Run alone, recorded, and with injection, it must print the same lines.
//
//===------------------------------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static const char *Source = R"(
const sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void brighten(__read_only image2d_t src, __write_only image2d_t dst, float by) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  if (p.x < get_image_width(dst) && p.y < get_image_height(dst))
    write_imagef(dst, p, read_imagef(src, nearest, p) + by);
}
__kernel void blur(__read_only image2d_t src, sampler_t s, __write_only image2d_array_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0.0f;
  for (int i = -1; i <= 1; ++i)
    sum += read_imagef(src, s, (int2)(x + i, y));
  write_imagef(dst, (int4)(x, y, 0, 0), sum / 3.0f);
  write_imagef(dst, (int4)(x, y, 1, 0), sum);
}
__kernel void column(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0.0f;
  for (int i = -4; i <= 4; ++i)
    sum += read_imagef(src, nearest, (int2)(x, clamp(y + i, 0, get_image_height(src) - 1)));
  write_imagef(dst, (int2)(x, y), sum);
}
__kernel void rows(__read_only image1d_buffer_t list, __global uint *sums, int n,
                   __global const uint *weights) {
  uint sum = 0;
  for (int i = 0; i < n; ++i)
    sum += read_imageui(list, (int)get_global_id(0) * n + i).x * (weights ? weights[i] : 1);
  sums[get_global_id(0)] = sum;
}
)";

namespace {

void check(cl_int Code, const char *What) {
  if (Code == CL_SUCCESS)
    return;
  std::fprintf(stderr, "images: %s: %d\n", What, Code);
  std::_Exit(1);
}

struct Setting {
  cl_context Context;
  cl_device_id Device;
  cl_program Program;
  cl_command_queue Queue;
};

cl_mem image(const Setting &S, cl_image_format Format, size_t W, size_t H, size_t Layers = 0) {
  cl_image_desc Shape = {};
  Shape.image_type = Layers ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
  Shape.image_width = W;
  Shape.image_height = H;
  Shape.image_array_size = Layers;
  cl_int E = 0;
  cl_mem M = clCreateImage(S.Context, CL_MEM_READ_WRITE, &Format, &Shape, nullptr, &E);
  check(E, "clCreateImage");
  return M;
}

template <typename T> void set(cl_kernel K, cl_uint I, const T &Value) {
  check(clSetKernelArg(K, I, sizeof Value, &Value), "clSetKernelArg");
}

cl_kernel kernel(const Setting &S, const char *Name) {
  cl_int E = 0;
  cl_kernel K = clCreateKernel(S.Program, Name, &E);
  check(E, Name);
  return K;
}

void launch(const Setting &S, cl_kernel K, cl_uint Dimensions, size_t X, size_t Y) {
  const size_t Global[2] = {X, Y};
  check(
      clEnqueueNDRangeKernel(S.Queue, K, Dimensions, nullptr, Global, nullptr, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
  clReleaseKernel(K);
}

unsigned long checksum(const std::vector<unsigned char> &Data) {
  unsigned long Sum = 5381;
  for (unsigned char C : Data)
    Sum = Sum * 33 + C;
  return Sum & 0xffffffffu;
}

void run(const Setting &S, size_t W, size_t H) {
  const cl_image_format Bytes = {CL_RGBA, CL_UNORM_INT8}, Floats = {CL_RGBA, CL_FLOAT};
  std::vector<unsigned char> Texels(W * H * 4);
  for (size_t I = 0; I < Texels.size(); ++I)
    Texels[I] = static_cast<unsigned char>(I * 7 + I / 13);
  cl_int E = 0;
  cl_mem Buffer = clCreateBuffer(S.Context, CL_MEM_COPY_HOST_PTR, Texels.size(), Texels.data(), &E);
  check(E, "clCreateBuffer");
  cl_mem Src = image(S, Bytes, W, H), Mid = image(S, Bytes, W, H), Dst = image(S, Floats, W, H, 2),
         Column = image(S, Floats, W, H);
  const size_t Origin[3] = {0, 0, 0}, Region[3] = {W, H, 1};
  check(clEnqueueCopyBufferToImage(S.Queue, Buffer, Src, 0, Origin, Region, 0, nullptr, nullptr),
        "clEnqueueCopyBufferToImage");
  cl_kernel K = kernel(S, "brighten");
  set(K, 0, Src);
  set(K, 1, Mid);
  set(K, 2, 0.125f);
  launch(S, K, 2, (W + 7) / 8 * 8, H);
  cl_sampler Clamp = clCreateSampler(S.Context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &E);
  check(E, "clCreateSampler");
  K = kernel(S, "blur");
  set(K, 0, Mid);
  set(K, 1, Clamp);
  set(K, 2, Dst);
  launch(S, K, 2, W, H);
  clReleaseSampler(Clamp);
  const size_t Whole[3] = {W, H, 2};
  std::vector<unsigned char> Out(W * H * 2 * 16);
  check(clEnqueueReadImage(S.Queue, Dst, CL_TRUE, Origin, Whole, 0, 0, Out.data(), 0, nullptr,
                           nullptr),
        "clEnqueueReadImage");
  std::printf("blur %zux%zu: %lx\n", W, H, checksum(Out));
  K = kernel(S, "column");
  set(K, 0, Mid);
  set(K, 1, Column);
  launch(S, K, 2, W, H);
  Out.resize(W * H * 16);
  check(clEnqueueReadImage(S.Queue, Column, CL_TRUE, Origin, Region, 0, 0, Out.data(), 0, nullptr,
                           nullptr),
        "clEnqueueReadImage");
  std::printf("column %zux%zu: %lx\n", W, H, checksum(Out));
  // The bytes of the second image as a list.
  check(clEnqueueCopyImageToBuffer(S.Queue, Mid, Buffer, Origin, Region, 0, 0, nullptr, nullptr),
        "clEnqueueCopyImageToBuffer");
  cl_image_desc List = {};
  List.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  List.image_width = W * H;
  List.buffer = Buffer;
  const cl_image_format Numbers = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_mem Of = clCreateImage(S.Context, CL_MEM_READ_ONLY, &Numbers, &List, nullptr, &E);
  check(E, "clCreateImage of a buffer");
  cl_mem Sums = clCreateBuffer(S.Context, CL_MEM_READ_WRITE, H * sizeof(cl_uint), nullptr, &E);
  check(E, "clCreateBuffer");
  K = kernel(S, "rows");
  set(K, 0, Of);
  set(K, 1, Sums);
  set(K, 2, static_cast<cl_int>(W));
  check(clSetKernelArg(K, 3, sizeof(cl_mem), nullptr), "clSetKernelArg of a null buffer");
  launch(S, K, 1, H, 1);
  std::vector<cl_uint> All(H);
  check(clEnqueueReadBuffer(S.Queue, Sums, CL_TRUE, 0, H * sizeof(cl_uint), All.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  unsigned long Total = 0;
  for (cl_uint V : All)
    Total = Total * 31 + V;
  std::printf("rows %zux%zu: %lx\n", W, H, Total);
  for (cl_mem M : {Of, Sums, Src, Mid, Dst, Column, Buffer})
    clReleaseMemObject(M);
}

} // namespace

int main() {
  cl_platform_id Platforms[16];
  cl_uint Count = 0;
  Setting S = {};
  check(clGetPlatformIDs(16, Platforms, &Count), "clGetPlatformIDs");
  for (cl_uint I = 0; I < Count && !S.Device; ++I)
    clGetDeviceIDs(Platforms[I], CL_DEVICE_TYPE_ALL, 1, &S.Device, nullptr);
  cl_int E = 0;
  S.Context = clCreateContext(nullptr, 1, &S.Device, nullptr, nullptr, &E);
  check(E, "clCreateContext");
  S.Queue = clCreateCommandQueue(S.Context, S.Device, 0, &E);
  check(E, "clCreateCommandQueue");
  S.Program = clCreateProgramWithSource(S.Context, 1, &Source, nullptr, &E);
  check(E, "clCreateProgramWithSource");
  check(clBuildProgram(S.Program, 1, &S.Device, "", nullptr, nullptr), "clBuildProgram");
  run(S, 37, 11);
  run(S, 64, 24);
  run(S, 37, 11);
  return 0;
}
