// RUN: %{python} %{expect} %s
#include <CL/cl.h>
#include <map>
static const char *source = "";
static const size_t n = 65536;
void launch(cl_command_queue q, cl_program p) {
  cl_kernel k = clCreateKernel(p, "scale", nullptr);
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
}
void apply(cl_context c, cl_command_queue q) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // HIT: made again at each call of 'apply'
  clBuildProgram(p, 0, nullptr, nullptr, nullptr, nullptr); // miss: once for each function
  launch(q, p);
}
static std::map<cl_command_queue, cl_program> programs;
void applyKept(cl_context c, cl_command_queue q) {
  if (programs.find(q) == programs.end())
    programs[q] = clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // miss: kept for the next call
  launch(q, programs[q]);
}
static void inner(cl_context c, cl_command_queue q) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // HIT: made again at each call of 'inner'
  launch(q, p);
}
void outer(cl_context c, cl_command_queue q) { inner(c, q); }
static void once(cl_context c, cl_command_queue q) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // miss: main calls it, once
  launch(q, p);
}
struct Filter {
  cl_context c;
  cl_command_queue q;
  cl_program p = nullptr;
  void run() {
    if (p)
      return;
    p = clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // miss: a member records that it exists
    launch(q, p);
  }
};
cl_program make(cl_context c) {
  return clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // miss: set-up code that does no work per item
}
void all(cl_device_id d) {
  cl_context c = clCreateContext(nullptr, 1, &d, nullptr, nullptr, nullptr);
  cl_command_queue q = clCreateCommandQueueWithProperties(c, d, nullptr, nullptr);
  cl_program p = clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // miss: a whole program
  launch(q, p);
}
void benchmark(cl_context c, cl_command_queue q) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, nullptr, nullptr); // miss: measures
  launch(q, p);
}
int main() { once(nullptr, nullptr); }
