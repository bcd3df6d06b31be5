// RUN: %{python} %{expect} %s
// An object that is created only if it is missing is created once.
#include <CL/cl.h>
#include <map>
class Filter {
public:
  void run(cl_command_queue queue, size_t n) {
    if (!kernel)
      kernel = clCreateKernel(program, "filter", nullptr); // miss: where it is missing
    if (kernels.count(n) == 0)
      kernels[n] = clCreateKernel(program, "tile", nullptr); // miss: one for each size
    prepare();
    if (!ready)
      setUp();
    cl_kernel again = clCreateKernel(program, "again", nullptr); // HIT: clCreateKernel is called in 'run', which is called in a loop
    if (verbose)
      again = clCreateKernel(program, "verbose", nullptr); // HIT: clCreateKernel is called in 'run', which is called in a loop
    if (n > 4096 && verbose)
      reload();
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
  }

private:
  void prepare() {
    if (loaded)
      return;
    clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr); // miss: it returns where that is done
    loaded = true;
  }
  void setUp() {
    edges = clCreateKernel(program, "edges", nullptr); // miss: called where it is missing
    ready = true;
  }
  void reload() {
    clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr); // HIT: clBuildProgram is called in 'reload', which is called in a loop
  }
  cl_program program = nullptr;
  cl_kernel kernel = nullptr, edges = nullptr;
  std::map<size_t, cl_kernel> kernels;
  bool loaded = false, ready = false, verbose = false;
};
void frames(Filter &filter, cl_command_queue queue, size_t n) {
  while (n--)
    filter.run(queue, n);
}

// The checked variable was written before, so each call continues.
static const char *input = nullptr;
int each(int argc, char **argv, cl_context context, const char **source) {
  input = argv[1];
  if (!input)
    return 1;
  for (int i = 2; i < argc; ++i) {
    cl_program program = clCreateProgramWithSource(context, 1, source, nullptr, nullptr); // HIT: clCreateProgramWithSource is called in a loop
    clReleaseProgram(program);
  }
  return 0;
}
