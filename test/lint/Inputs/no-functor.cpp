#include <no/such/cl.hpp>
void run(cl::Context &context, cl::CommandQueue &queue, cl::Buffer &data) {
  cl::Program program(context, nobody::knows());
  cl::Kernel kernel(program, "scale");
  auto scale = cl::KernelFunctor<cl::Buffer>(kernel);
  cl::EnqueueArgs args{queue, cl::NDRange(4096), cl::NDRange(10)};
  scale(args, data);
}
