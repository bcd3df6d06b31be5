/* Entry points that are loaded at run time; built only where the program is told to use OpenCL. */
#ifdef HAVE_OPENCL
#include <CL/cl.h>
typedef cl_int (*launch_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                            const cl_event *, cl_event *);
static launch_fn clEnqueueNDRangeKernel_p;
struct api {
  cl_int (*clFinish)(cl_command_queue);
};
void run(struct api *cl, cl_command_queue queue, cl_kernel kernel) {
  size_t global = 1009;
  for (int i = 0; i < 8; ++i) {
    clEnqueueNDRangeKernel_p(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    cl->clFinish(queue);
  }
}
#endif
