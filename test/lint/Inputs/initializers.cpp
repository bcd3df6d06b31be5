#include "no/such/filter.h"
namespace filters {
Filter::Filter(cl_context c, int size)
    : Base{c}, N(size), kernel(nullptr), image(clCreateBuffer(c, CL_MEM_USE_HOST_PTR, size, pixels, nullptr)) {
  std::vector<std::complex<float>> w(N);
  clEnqueueWriteBuffer(queue, image, CL_TRUE, 0, N, w.data(), 0, nullptr, nullptr);
}
void Filter::all(int rounds) {
  for (int i = 0; i < rounds; ++i)
    this->step(i);
}
void Filter::step(int i) {
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &N, nullptr, 0, nullptr, nullptr);
  clFinish(queue);
}
class Filter::Pass;
}
void filters::Inner::run(cl_command_queue q, cl_mem m, float *p) {
  clEnqueueReadBuffer(q, m, CL_FALSE, 0, 4096, p, 0, nullptr, nullptr);
}
