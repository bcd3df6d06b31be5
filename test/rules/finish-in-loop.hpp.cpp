// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
void steps(cl::CommandQueue &q, cl::Kernel &k, cl::Buffer &b, float *p, int n) {
  for (int i = 0; i < n; ++i) {
    q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(4096), cl::NDRange(64));
    q.enqueueReadBuffer(b, true, 0, 64, p); // HIT: enqueueReadBuffer blocks in a loop
    cl::Event done;
    q.enqueueReadBuffer(b, CL_FALSE, 0, 64, p, nullptr, &done); // miss: does not block
    done.wait();                                               // HIT: wait waits in a loop
    q.flush();                                                 // miss: does not wait
  }
  q.finish(); // miss: after the loop
  do
    q.finish(); // HIT: finish waits in a loop
  while (--n);
  do {
    q.finish(); // miss: runs once
  } while (0);
}
