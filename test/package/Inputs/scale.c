/* A program that knows nothing of clmali: it scales numbers on an OpenCL device and prints their sum. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *Source = "__kernel void scale(__global const float *in, __global float *out, float f, int n) {\n"
                            "  int i = get_global_id(0);\n"
                            "  if (i < n)\n"
                            "    out[i] = in[i] * f;\n"
                            "}\n";

int main(void) {
  enum { Count = 4099, Rounded = 4160 };
  static float Data[Count];
  for (int I = 0; I < Count; ++I)
    Data[I] = (float)I;
  cl_platform_id Platform;
  cl_device_id Device;
  if (clGetPlatformIDs(1, &Platform, NULL) || clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, NULL))
    return 2;
  cl_context Context = clCreateContext(NULL, 1, &Device, NULL, NULL, NULL);
  cl_command_queue Queue = clCreateCommandQueue(Context, Device, 0, NULL);
  cl_program Program = clCreateProgramWithSource(Context, 1, &Source, NULL, NULL);
  if (clBuildProgram(Program, 1, &Device, "", NULL, NULL))
    return 2;
  cl_kernel Kernel = clCreateKernel(Program, "scale", NULL);
  cl_mem In = clCreateBuffer(Context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof Data, Data, NULL);
  cl_mem Out = clCreateBuffer(Context, CL_MEM_WRITE_ONLY, sizeof Data, NULL, NULL);
  float Factor = 2.5f;
  int N = Count;
  clSetKernelArg(Kernel, 0, sizeof In, &In);
  clSetKernelArg(Kernel, 1, sizeof Out, &Out);
  clSetKernelArg(Kernel, 2, sizeof Factor, &Factor);
  clSetKernelArg(Kernel, 3, sizeof N, &N);
  size_t Global = Rounded, Local = 64;
  double Sum = 0;
  if (clEnqueueNDRangeKernel(Queue, Kernel, 1, NULL, &Global, &Local, 0, NULL, NULL) ||
      clEnqueueReadBuffer(Queue, Out, CL_TRUE, 0, sizeof Data, Data, 0, NULL, NULL))
    return 2;
  for (int I = 0; I < Count; ++I)
    Sum += Data[I];
  printf("sum %.1f\n", Sum);
  return 0;
}
