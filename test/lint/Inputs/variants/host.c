#include <CL/cl.h>
void run(cl_program p, cl_device_id d, cl_command_queue q, cl_mem m, size_t n, size_t group, int version) {
  const char *file = "sum.cl";
  if (version >= 20)
    clBuildProgram(p, 1, &d, "-cl-std=CL2.0 -DWHOLE_GROUP=1", NULL, NULL);
  else
    clBuildProgram(p, 1, &d, "-cl-std=CL1.2", NULL, NULL);
  cl_kernel sum = clCreateKernel(p, "sum", NULL);
  clSetKernelArg(sum, 0, sizeof(cl_mem), &m);
  clSetKernelArg(sum, 1, sizeof(cl_mem), &m);
  if (version < 20)
    clSetKernelArg(sum, 2, sizeof(float) * group, NULL);
  clEnqueueNDRangeKernel(q, sum, 1, NULL, &n, &group, 0, NULL, NULL);
  cl_kernel one = clCreateKernel(p, "one", NULL);
  clSetKernelArg(one, 0, sizeof(cl_mem), &m);
  clSetKernelArg(one, 1, sizeof(cl_mem), &m);
  clEnqueueNDRangeKernel(q, one, 1, NULL, &n, &group, 0, NULL, NULL);
  (void)file;
}
