// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
struct App {
  cl::Program program;
  cl::CommandQueue queue;
  cl::Kernel made;
  void start() {
    made = cl::Kernel(program, "scale"); // miss: launches nothing
  }
  void frame(cl::Buffer &b) {
    auto scale = cl::KernelFunctor<cl::Buffer>(program, "scale"); // HIT: created in the function that launches it
    scale(cl::EnqueueArgs(queue, cl::NDRange(4096)), b);
  }
  void frame_again() {
    cl::Kernel same(made()); // miss: made before
    queue.enqueueNDRangeKernel(same, cl::NullRange, cl::NDRange(4096), cl::NDRange(64));
  }
  void build(const cl::Context &context, const std::string &text) {
    auto make = [&] { program = cl::Program(context, text); }; // miss: a part of build, which launches nothing
    make();
  }
  void operator()() {
    cl::Kernel scale(program, "scale"); // HIT: created in the function that launches it
    queue.enqueueNDRangeKernel(scale, cl::NullRange, cl::NDRange(4096), cl::NDRange(64));
  }
};
