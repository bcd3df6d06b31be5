// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
#include <array>
class Runner {
  cl::CommandQueue queue;
  cl::Kernel kernel;

public:
  Runner(cl::Program &p) : kernel(p, "scale") {}
  void run(size_t global, size_t local) {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(global), cl::NDRange(local)); // miss: a parameter
  }
};
template <typename T> void launch(cl_command_queue q, cl_kernel k, T n, T local) {
  size_t g = n, l = local;
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &g, &l, 0, nullptr, nullptr);
}
void use(Runner &r, cl_command_queue q, cl_kernel k) {
  r.run(4096, 64); // miss: a multiple of 32
  r.run(4096, 2);  // HIT: kernel 'scale' is launched in groups of 2 work-items
  r.run(4096, 16); // HIT(powervr-rogue): kernel 'scale' is launched in groups of 16 work-items
  launch(q, k, 4096, 32); // miss: a multiple of 32, in a template
  launch(q, k, 4095, 63); // HIT: launched in groups of 63 work-items
}
void filled(cl_command_queue q, cl_kernel k) {
  std::array<size_t, 2> global{4096, 6}, local{512, 3};
  clEnqueueNDRangeKernel(q, k, 2, nullptr, global.data(), local.data(), 0, nullptr, nullptr); // HIT: launched in groups of 1536 work-items
  std::array<size_t, 2> fits{64, 2}; // miss: 128 of them
  clEnqueueNDRangeKernel(q, k, 2, nullptr, global.data(), fits.data(), 0, nullptr, nullptr);
}
void largest(cl_command_queue q, cl_kernel k) {
  size_t n = 4096, l = 512;
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, &l, 0, nullptr, nullptr); // HIT(mali-midgard,mali-bifrost): so the launch fails
  l = 256; // miss: as many as all families take
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, &l, 0, nullptr, nullptr);
}
void made(cl_command_queue q, cl_kernel k, const size_t *n) {
  size_t *odd = new size_t[2], *right = new size_t[2];
  odd[0] = 10;
  odd[1] = 3;
  right[1] = 8;
  right[0] = 8;
  clEnqueueNDRangeKernel(q, k, 2, nullptr, n, odd, 0, nullptr, nullptr);   // HIT: groups of 30 work-items
  clEnqueueNDRangeKernel(q, k, 2, nullptr, n, right, 0, nullptr, nullptr); // miss: 64 together
}
