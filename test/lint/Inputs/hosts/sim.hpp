#include <CL/opencl.hpp>
struct Solver {
  virtual void solve(cl::CommandQueue &queue, int n) = 0;
  virtual void solve(cl::CommandQueue &queue, float x) = 0;
};
struct Gpu : Solver {
  Gpu(cl::Context &context);
  void solve(cl::CommandQueue &queue, int n) override;
  void solve(cl::CommandQueue &queue, float x) override;
  cl::Buffer buffer;
};
namespace { void hidden(cl::CommandQueue &queue); }
void hidden(cl::CommandQueue &queue, int n);
