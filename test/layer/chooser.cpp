//===- chooser.cpp - a program that asks its device which kernel to launch --------------------===//
//
// On a GPU: groups of the largest size, doubled by `wide`; elsewhere one work-item with a loop.
//
//   chooser           prints the answers to device queries, then the sum of the result
//   chooser STAGE     goes only so far: devices, program, broken (its build fails), kernel
//   chooser refused   launches with a local size that no device takes
//
//===------------------------------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static const char *Source = R"(
__kernel void wide(__global float *x, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[i] = 2.0f * x[i];
}
__kernel void serial(__global float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 2.0f * x[i];
}
)";

static void check(cl_int Error, const char *What) {
  if (Error == CL_SUCCESS)
    return;
  std::printf("%s: error %d\n", What, Error);
  std::exit(3);
}

static std::string text(cl_device_id D, cl_device_info What) {
  size_t Size = 0;
  check(clGetDeviceInfo(D, What, 0, nullptr, &Size), "size of a text");
  std::vector<char> Text(Size);
  check(clGetDeviceInfo(D, What, Size, Text.data(), nullptr), "a text");
  return Text.data();
}

template <typename T> static T number(cl_device_id D, cl_device_info What) {
  T Value{};
  size_t Size = 0;
  check(clGetDeviceInfo(D, What, sizeof Value, &Value, &Size), "a number");
  if (Size != sizeof Value)
    std::printf("the query %x has %zu bytes\n", What, Size);
  return Value;
}

static void printAnswers(cl_device_id D) {
  std::printf("name: %s\nvendor: %s\nversion: %.10s\n", text(D, CL_DEVICE_NAME).c_str(),
              text(D, CL_DEVICE_VENDOR).c_str(), text(D, CL_DEVICE_VERSION).c_str());
  std::printf("extensions: %s\n", text(D, CL_DEVICE_EXTENSIONS).c_str());
  std::printf("units: %u, group: %zu, local: %s of %llu, float: %u, double: %u, unified: %u\n",
              number<cl_uint>(D, CL_DEVICE_MAX_COMPUTE_UNITS),
              number<size_t>(D, CL_DEVICE_MAX_WORK_GROUP_SIZE),
              number<cl_uint>(D, CL_DEVICE_LOCAL_MEM_TYPE) == CL_GLOBAL ? "memory" : "on chip",
              (unsigned long long)number<cl_ulong>(D, CL_DEVICE_LOCAL_MEM_SIZE),
              number<cl_uint>(D, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
              number<cl_uint>(D, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE),
              number<cl_bool>(D, CL_DEVICE_HOST_UNIFIED_MEMORY));
  size_t Sizes[3] = {};
  check(clGetDeviceInfo(D, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof Sizes, Sizes, nullptr), "sizes");
  std::printf("sizes: %zu %zu %zu\n", Sizes[0], Sizes[1], Sizes[2]);
}

int main(int Argc, char **Argv) {
  const std::string Stage = Argc > 1 ? Argv[1] : "";
  cl_platform_id Platform = nullptr;
  check(clGetPlatformIDs(1, &Platform, nullptr), "platforms");
  cl_device_id D = nullptr;
  bool IsGpu = clGetDeviceIDs(Platform, CL_DEVICE_TYPE_GPU, 1, &D, nullptr) == CL_SUCCESS;
  if (IsGpu && clGetDeviceIDs(Platform, CL_DEVICE_TYPE_CPU, 1, &D, nullptr) == CL_SUCCESS)
    std::printf("there is a CPU, too\n");
  if (!IsGpu)
    check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &D, nullptr), "devices");
  if (Stage == "devices")
    return 0;
  cl_int E = CL_SUCCESS;
  cl_context Context = clCreateContext(nullptr, 1, &D, nullptr, nullptr, &E);
  check(E, "context");
  const char *Text = Stage == "broken" ? "__kernel void k() { missing(); }" : Source;
  cl_program P = clCreateProgramWithSource(Context, 1, &Text, nullptr, &E);
  check(E, "program");
  if (Stage == "program")
    return 0;
  check(clBuildProgram(P, 1, &D, "", nullptr, nullptr), "build");
  cl_kernel K = clCreateKernel(P, IsGpu ? "wide" : "serial", &E);
  check(E, "kernel");
  if (Stage == "kernel")
    return 0;
  if (Stage.empty())
    printAnswers(D);
  cl_command_queue Q = clCreateCommandQueue(Context, D, 0, &E);
  check(E, "queue");
  const cl_int N = 5000;
  std::vector<float> X(N, 0.5f);
  cl_mem M = clCreateBuffer(Context, CL_MEM_COPY_HOST_PTR, N * sizeof(float), X.data(), &E);
  check(E, "buffer");
  check(clSetKernelArg(K, 0, sizeof M, &M), "argument");
  check(clSetKernelArg(K, 1, sizeof N, &N), "argument");
  size_t Local = 0;
  check(clGetKernelWorkGroupInfo(K, D, CL_KERNEL_WORK_GROUP_SIZE, sizeof Local, &Local, nullptr),
        "group");
  if (Stage == "refused")
    Local = size_t(1) << 20;
  size_t Global = IsGpu ? (N + Local - 1) / Local * Local : 1, One = 1;
  E = clEnqueueNDRangeKernel(Q, K, 1, nullptr, &Global, IsGpu ? &Local : &One, 0, nullptr, nullptr);
  if (Stage != "refused")
    check(E, "launch");
  check(clEnqueueReadBuffer(Q, M, CL_TRUE, 0, N * sizeof(float), X.data(), 0, nullptr, nullptr),
        "result");
  float Sum = 0;
  for (float V : X)
    Sum += V;
  std::printf("%s: %g\n", IsGpu ? "wide" : "serial", Sum);
  return 0;
}
