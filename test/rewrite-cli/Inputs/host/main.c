#include <CL/cl.h>

const char *load(const char *name);

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  const char *text = load("host/scale.cl");
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  clBuildProgram(program, 1, &device, "-DFACTOR=3.0f -DTILE=32", NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "rotate_tile", NULL);
  size_t global = 4096, local = 32;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
