// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static cl_kernel get(cl_program p, const char *name) { return clCreateKernel(p, name, NULL); } // miss: once for each name
void start(cl_program p, cl_kernel *all, const char **names, int n) {
  for (int i = 0; i < n; ++i)
    all[i] = clCreateKernel(p, names[i], NULL); // miss: another kernel each time, launched later
  for (int i = 0; i < n; ++i)
    all[i] = get(p, names[i]);
}
static void frame(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel k = clCreateKernel(p, "scale", NULL); // HIT: clCreateKernel is called in 'frame', which is called in a loop
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void frames(cl_program p, cl_command_queue q, const char **names, int n) {
  while (n--)
    frame(p, q, 4096);
  for (int i = 0; i < n; ++i) {
    cl_kernel k = clCreateKernel(p, names[i], NULL); // HIT: clCreateKernel is called in a loop
    size_t items = 4096;
    clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL);
  }
}
void nextStep(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel k = clCreateKernel(p, "scale", NULL); // HIT: clCreateKernel is called in 'nextStep', which by its name is called again and again
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void stepper(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel k = clCreateKernel(p, "scale", NULL); // miss: its name does not suggest one of many
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
