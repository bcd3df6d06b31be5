//===-- test/model/semantics/run_both.cpp - Do two files compute the same? ===//
//
//   clmali-run-both A.cl B.cl
//
// Runs each kernel of A.cl, and the one of that name in B.cl, on the first OpenCL
// device over the same random data: three buffers (int, uint, float) and their
// number of work-items. All buffers must agree, bit by bit. A process of its own:
// the device's compiler may bring an LLVM that is not ours.
//
// Limits: exit code 2 where there is no device: nothing was tested.
//
//===----------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr size_t Items = 96, Group = 8, Elements = 512;

[[noreturn]] void fail(const std::string &Why) {
  std::fprintf(stderr, "clmali-run-both: %s\n", Why.c_str());
  std::exit(2);
}

void check(cl_int Error, const std::string &What) {
  if (Error != CL_SUCCESS)
    fail(What + " (error " + std::to_string(Error) + ")");
}

cl_device_id Device;
cl_context Context;
cl_command_queue Queue;

cl_program build(const char *File) {
  std::ifstream In(File);
  if (!In)
    fail(std::string(File) + " cannot be read");
  std::stringstream Buffer;
  Buffer << In.rdbuf();
  std::string Source = Buffer.str();
  const char *Text = Source.c_str();
  cl_int E;
  cl_program P = clCreateProgramWithSource(Context, 1, &Text, nullptr, &E);
  check(E, "no program");
  if (clBuildProgram(P, 1, &Device, "", nullptr, nullptr) != CL_SUCCESS) {
    std::string Log(1 << 16, '\0');
    clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_LOG, Log.size(), Log.data(), nullptr);
    fail(std::string(File) + " does not build:\n" + Log.c_str());
  }
  return P;
}

using Data = std::vector<cl_uint>; // three buffers, one behind the other

Data randomData(unsigned Seed) {
  std::mt19937 R(Seed);
  Data D(3 * Elements);
  for (size_t I = 0; I < Elements; ++I) {
    D[I] = cl_uint(cl_int(R() % 41) - 20);
    D[Elements + I] = R() % 40;
    float F = float(cl_int(R() % 8001) - 4000) / 997.0f;
    std::memcpy(&D[2 * Elements + I], &F, sizeof F);
  }
  return D;
}

Data run(cl_program P, const std::string &Name, Data D) {
  cl_int E;
  cl_kernel K = clCreateKernel(P, Name.c_str(), &E);
  check(E, "no kernel " + Name);
  cl_mem Buffers[3];
  for (unsigned I = 0; I < 3; ++I) {
    Buffers[I] = clCreateBuffer(Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * Elements,
                                &D[I * Elements], &E);
    check(E, "no buffer");
    check(clSetKernelArg(K, I, sizeof(cl_mem), &Buffers[I]), Name + ": argument");
  }
  cl_int N = Items;
  check(clSetKernelArg(K, 3, sizeof N, &N), Name + ": argument");
  size_t Global = Items, Local = Group;
  check(clEnqueueNDRangeKernel(Queue, K, 1, nullptr, &Global, &Local, 0, nullptr, nullptr),
        Name + ": launch");
  for (unsigned I = 0; I < 3; ++I) {
    check(clEnqueueReadBuffer(Queue, Buffers[I], CL_TRUE, 0, 4 * Elements, &D[I * Elements], 0,
                              nullptr, nullptr),
          Name + ": read");
    clReleaseMemObject(Buffers[I]);
  }
  clReleaseKernel(K);
  return D;
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 3)
    fail("usage: clmali-run-both A.cl B.cl");
  cl_platform_id Platform;
  cl_uint Platforms = 0;
  if (clGetPlatformIDs(1, &Platform, &Platforms) || !Platforms ||
      clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr))
    fail("no OpenCL device: install pocl-opencl-icd");
  cl_int E;
  Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &E);
  check(E, "no context");
  Queue = clCreateCommandQueue(Context, Device, 0, &E);
  check(E, "no queue");
  cl_program A = build(Argv[1]), B = build(Argv[2]);

  size_t Size = 0;
  check(clGetProgramInfo(A, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &Size), "kernel names");
  std::string Names(Size, '\0');
  check(clGetProgramInfo(A, CL_PROGRAM_KERNEL_NAMES, Size, Names.data(), nullptr), "kernel names");
  std::stringstream List(Names.c_str());
  unsigned Bad = 0, Kernels = 0;
  for (std::string Name; std::getline(List, Name, ';'); ++Kernels)
    for (unsigned Seed : {1u, 2u}) {
      Data In = randomData(Seed), X = run(A, Name, In), Y = run(B, Name, In);
      if (X == In) {
        std::printf("%s: changes nothing, so it tests nothing\n", Name.c_str());
        ++Bad;
      }
      for (size_t I = 0; I < X.size(); ++I)
        if (X[I] != Y[I]) {
          std::printf("%s: buffer %zu, element %zu: %08x became %08x\n", Name.c_str(), I / Elements,
                      I % Elements, X[I], Y[I]);
          ++Bad;
          break;
        }
    }
  std::printf("%u kernels compared, %u differences\n", Kernels, Bad);
  return Bad || !Kernels ? 1 : 0;
}
