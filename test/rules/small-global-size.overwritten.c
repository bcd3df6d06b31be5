// RUN: %{python} %{expect} %s
#include <CL/cl.h>
#include <stdlib.h>
void read_or_exit(cl_command_queue q, cl_kernel k, int argc, char **argv) {
  size_t global[1] = {2};
  if (argc > 1)
    global[0] = atoi(argv[1]);
  else
    exit(2);
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL); // miss: 2 never reaches it
}

void return_or_read(cl_command_queue q, cl_kernel k, int argc, char **argv) {
  size_t n = 1;
  if (argc < 2) {
    return;
  } else {
    n = strtoul(argv[1], NULL, 0);
  }
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: the same
}

void both_read(cl_command_queue q, cl_kernel k, int argc, char **argv) {
  size_t n = 1;
  if (argc < 2)
    n = strtoul(getenv("N"), NULL, 0);
  else
    n = strtoul(argv[1], NULL, 0);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: both arms write it
}

void read_or_default(cl_command_queue q, cl_kernel k, int argc, char **argv) {
  size_t n = 2;
  if (argc > 1)
    n = atoi(argv[1]);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: with 2 work-items in all, by default
}

void read_or_warn(cl_command_queue q, cl_kernel k, int argc, char **argv) {
  size_t n = 2;
  if (argc > 1)
    n = atoi(argv[1]);
  else
    abs(argc);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: with 2 work-items in all, by default
}
