#include "no/such/check.hpp"
#include <CL/opencl.hpp>
bench_REAL total(const bench::Settings<bench::Sizes, cl::Device> &settings, REAL *data) {
  cl_int err;
  REAL sum = 0;
  CL_TRY(err, cl::Context context(settings.device, NULL, NULL, NULL, &err));
  CL_TRY(err, cl::CommandQueue queue(context, settings.device, 0, &err));
  CL_TRY(err,
         cl::Buffer buffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof(REAL) * 64, data, &err));
  for (int i = 0; i < 8; ++i)
    CL_TRY(err, err = queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof(REAL) * 64, &data[i]));
  auto other = settings.queue;
  for (int i = 0; i < 8; ++i) {
    other.enqueueWriteBuffer(buffer, CL_FALSE, 0, 64, data);
    other.finish();
    settings.log.finish();
  }
  return sum;
}
