#ifdef WITH_GPU
#include <CL/cl.h>
#include <no/such/maker.h>
void scale(Maker *maker, cl_command_queue queue, size_t n) {
  cl_program program = maker->buildProgramFromFile("scale.cl", "");
  cl_kernel kernel = maker->kernelOf(program, "scale");
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
}
#endif
