#include <CL/opencl.hpp>
#include <string>
template <class T> struct S {
  size_t n; std::string o; T *data; cl_kernel k; size_t *g;
  S(size_t m, const T &x, cl_kernel kk) : n(m), o("-DN=4"), data(new T(x)), k(kk), g(new size_t(m)) {}
  void run(cl_command_queue q, cl_program p, cl_mem b) {
    T local(n);
    T text("abc");
    const char *c(o.c_str());
    size_t one(n), sizes[2] = {n, one};
    size_t l(T::size);
    clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, &l, 0, nullptr, nullptr);
    clEnqueueNDRangeKernel(q, k, 1, nullptr, sizes, local, 0, nullptr, nullptr);
    clEnqueueNDRangeKernel(q, k, 1, nullptr, local, text, 0, nullptr, nullptr);
    clBuildProgram(p, 0, nullptr, text, nullptr, nullptr);
    clBuildProgram(p, 0, nullptr, c, nullptr, nullptr);
    clEnqueueReadBuffer(q, b, CL_TRUE, 0, local, data, 0, nullptr, nullptr);
    cl::NDRange r(local), s(n, local);
    cl::CommandQueue queue(q);
    cl::Kernel kernel(k);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, r, s);
    cl::Program prog(local);
    prog.build(text);
  }
};
