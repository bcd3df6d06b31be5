#include "sim.hpp"
Gpu::Gpu(cl::Context &context) { buffer = cl::Buffer(context, CL_MEM_READ_WRITE, 4096); }
void Gpu::solve(cl::CommandQueue &queue, int n) { queue.finish(); }
void Gpu::solve(cl::CommandQueue &queue, float x) { queue.finish(); }
namespace {
void hidden(cl::CommandQueue &queue) { queue.finish(); }
} // namespace
