// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
static cl_mem make(cl_context c, size_t n, void *p, cl_mem_flags flags) {
  return clCreateBuffer(c, flags, n, p, NULL); // miss: the caller decides
}
void callers(cl_context c, float *p) {
  make(c, 64, p, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);  // HIT: the memory object lies over memory of the host
  make(c, 64, p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR); // miss: is copied once
}
void iterators(cl::Context &c, std::vector<float> &v) {
  cl::Buffer over(c, v.begin(), v.end(), true, true);  // HIT: the memory object lies over memory of the host
  cl::Buffer copied(c, v.begin(), v.end(), true, false); // miss: useHostPtr is false
}
// A function of another file that makes a memory object.
struct Pool {
  cl_mem createBuffer(void *p, size_t n, cl_mem_flags flags);
  bool hasBufferFlag(cl_mem_flags flags);
};
void pools(Pool &pool, float *p) {
  pool.createBuffer(p, 64, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR); // HIT: the memory object lies over memory of the host
  pool.createBuffer(p, 64, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR); // miss: is copied once
  pool.hasBufferFlag(CL_MEM_USE_HOST_PTR);                           // miss: a query only
}
