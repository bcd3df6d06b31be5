/* Scales a signal over memory of the host, in groups of ten work-items.
 * "MISTAKE" marks the lines that cost time on Mali and PowerVR, with the rule. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { Samples = 4000, Group = 10 };

static const char *source = "__kernel void scale(__global int *x, int factor) {\n"
                            "  x[get_global_id(0)] *= factor;\n"
                            "}\n";

static void run(cl_command_queue queue, cl_kernel kernel) {
  size_t global = Samples, local = Group;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL); /* MISTAKE: local-size-multiple small-global-size */
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error); /* MISTAKE: program-not-cached */
  if (clBuildProgram(program, 1, &device, "-cl-fast-relaxed-math", NULL, NULL) != CL_SUCCESS)
    return 2;
  cl_kernel kernel = clCreateKernel(program, "scale", &error); /* MISTAKE: late-kernel-create */

  int *signal = (int *)malloc(Samples * sizeof(int));
  int *result = (int *)malloc(Samples * sizeof(int));
  for (int i = 0; i < Samples; ++i)
    signal[i] = i % 100 - 50;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, Samples * sizeof(int), signal, &error); /* MISTAKE: use-host-ptr */
  int factor = 3;
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  for (int step = 0; step < 2; ++step)
    run(queue, kernel);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, Samples * sizeof(int), result, 0, NULL, NULL); /* MISTAKE: read-write-buffer unified-memory-not-queried */
  long sum = 0;
  for (int i = 0; i < Samples; ++i)
    sum += (long)result[i] * (i + 1);
  printf("%ld\n", sum);
  clReleaseMemObject(buffer);
  free(signal);
  free(result);
  return 0;
}
