// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
#include <initializer_list>
namespace cl {
struct queue { // a class of the project, in a namespace of that name
  void enqueueNDRangeKernel(Kernel &, NDRange, NDRange) {}
};
} // namespace cl
void run(cl::queue &own, cl::CommandQueue &queue, cl::Kernel &kernel) {
  own.enqueueNDRangeKernel(kernel, cl::NDRange(64), cl::NDRange(4096));           // miss: not the API's
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(4096));           // HIT: launched without a local size
}
