// The standard library and OpenCL come through a header that is missing; the class through one in a folder above.
#define LOG_TAG "member"

#include <no/such/log.h>
#include <project/member.h>
using namespace cl;

Member::Member(const std::string &name, std::shared_ptr<Kernels> kernels) : kernels(kernels) {}

cl_int Member::run(size_t n) {
  cl_int e =
        clEnqueueNDRangeKernel(queue, kernels->scale, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
  size_t local[1] = {77};
  e |= clEnqueueNDRangeKernel(queue, kernels->scale, 1, nullptr, &n, local, 0, nullptr, nullptr);
  return e;
}

void read(CommandQueue &q, Buffer &b, float *to) {
  q.enqueueReadBuffer(b, CL_TRUE, 0, 64, to);
}
