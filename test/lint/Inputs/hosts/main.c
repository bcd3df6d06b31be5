#include "gpu.h"
int main(int argc, char **argv) {
  cl_context context = clCreateContext(NULL, 1, NULL, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, NULL, 0, NULL);
  cl_program program = build(context, "scale.cl");
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  cl_mem buffers[4];
  for (int i = 0; i < 4; ++i)
    prepare(context, &buffers[i]);
  for (int i = 0; i < argc; ++i) {
    blur(queue, kernel);
    deep(queue);
  }
  for (int size = 1; size < 99; ++size)
    bench(size);
  for (int i = 0; i < argc; ++i)
    if (argv[i][0] == 'x') {
      once(queue);
      break;
    }
}
