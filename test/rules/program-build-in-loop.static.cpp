// RUN: clmali-lint --no-cache --checks=-*,program-build-in-loop --device=mali --fail-on=error %s | FileCheck %s
// A static variable of a function is initialised once, and what std::call_once calls runs once.
// CHECK-NOT: each_frame
// CHECK-NOT: in_loop
// CHECK-NOT: once
// CHECK: the program is made again at each call of 'each_call'
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <mutex>
static const char text[] = "kernel void id(global int *v) { v[get_global_id(0)] += 1; }";
void each_frame(cl::Context ctx, cl::CommandQueue queue, cl::Buffer v) {
  static cl::Program program(ctx, text, true);
  static cl::Kernel kernel(program, "id");
  kernel.setArg(0, v);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(32768), cl::NDRange(64));
}
void in_loop(cl::Context ctx, cl::CommandQueue queue, cl::Buffer v, int n) {
  for (int i = 0; i < n; ++i) {
    static cl::Program program = cl::Program(ctx, text, true);
    static cl::Buffer scratch(ctx, CL_MEM_READ_WRITE, 4096);
    static cl::Kernel kernel(program, "id");
    kernel.setArg(0, v);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(32768), cl::NDRange(64));
  }
}
struct Filter {
  std::once_flag flag;
  cl::Program program;
  void once(cl::Context ctx, cl::CommandQueue queue, cl::Buffer v) {
    std::call_once(flag, [&] { program = cl::Program(ctx, text, true); });
    static const cl::Kernel kernel = [&] { return cl::Kernel(program, "id"); }();
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(32768), cl::NDRange(64));
  }
};
void each_call(cl::Context ctx, cl::CommandQueue queue, cl::Buffer v) {
  cl::Program program(ctx, text, true);
  cl::Kernel kernel(program, "id");
  kernel.setArg(0, v);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(32768), cl::NDRange(64));
}
