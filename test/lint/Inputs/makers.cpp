#include "tools.hpp"
class Filter {
  cl_command_queue queue;
  cl_context context;
  cl_kernel kernel;
  cl_program program;
  Tools *tools;
  void set();
  void run();
};
void Filter::set() {
  int failed = tools->buildProgram(program, context, "scale.cl");
  tools->printProgramInfo(program);
}
void Filter::run() {
  size_t n = 65536;
  for (int i = 0; i < 3; ++i) {
    cl_event done;
    clEnqueueNDRangeKernel(queue, kernel, 1, 0, &n, 0, 0, 0, &done);
    int failed = tools->waitForEventAndRelease(&done);
    tools->waitForKey(i);
  }
}
