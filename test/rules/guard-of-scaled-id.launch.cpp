// RUN: %{python} %{expect} %s
// The launch shows what the limit counts: work-items, or elements.
#include <CL/cl.h>
#include <CL/opencl.hpp>
static const char *source =
    "__kernel void by_items(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(0);\n"
    "  if (i < n) { x[i] = m; x[i + 1] = m; }\n" // HIT: 2 times the global id is compared with 'n', the number of work-items
    "}\n"
    "__kernel void by_elements(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(0);\n"
    "  if (i < n) { x[i] = m; x[i + 1] = m; }\n" // miss: the host launches half of n
    "}\n"
    "__kernel void rounded(__global float *x, int n, int m) {\n"
    "  int i = 4 * get_global_id(0);\n"
    "  if (i >= n) return;\n" // HIT: 4 times the global id is compared with 'n', the number of work-items
    "  x[i] = m;\n"
    "}\n"
    "__kernel void two_limits(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(0);\n"
    "  if (i >= n) return;\n" // miss: n is the number of elements, m their limit in the buffer
    "  x[i] = 0;\n"
    "  if (i + 1 < m) x[i + 1] = 0;\n"
    "}\n"
    "__kernel void numbers(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(0);\n"
    "  if (i < n) x[i] = m;\n" // HIT: 2 times the global id is compared with 'n', the number of work-items
    "}\n"
    "__kernel void changed(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(0);\n"
    "  if (i < n) x[i] = m;\n" // miss: n is another number by then
    "}\n"
    "__kernel void wrapped(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(1);\n"
    "  if (i < n) x[i] = m;\n" // HIT: 2 times the global id is compared with 'n', the number of work-items
    "}\n"
    "__kernel void other_dimension(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(1);\n"
    "  if (i < n) x[i] = m;\n" // miss: n is the size of dimension 0
    "}\n"
    "__kernel void unknown_size(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(0);\n"
    "  if (i < n) x[i] = m;\n" // miss: nothing shows how many work-items there are
    "}\n"
    "__kernel void member(__global float *x, int n, int m) {\n"
    "  int i = 2 * get_global_id(0);\n"
    "  if (i < n) x[i] = m;\n" // HIT: 2 times the global id is compared with 'n', the number of work-items
    "}\n";

void direct(cl_program p, cl_command_queue q, int n) {
  cl_kernel k = clCreateKernel(p, "by_items", NULL);
  clSetKernelArg(k, 1, sizeof n, &n);
  size_t global = n;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL);
}

void half(cl_program p, cl_command_queue q, int n) {
  cl_kernel k = clCreateKernel(p, "by_elements", NULL);
  clSetKernelArg(k, 1, sizeof n, &n);
  size_t global[1] = {(size_t)(n + 1) / 2};
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL);
}

static size_t roundUp(size_t n, size_t m) { return (n + m - 1) / m * m; }
void groups(cl_program p, cl_command_queue q, int n) {
  cl_kernel k = clCreateKernel(p, "rounded", NULL);
  clSetKernelArg(k, 1, sizeof n, &n);
  size_t local = 64, global = roundUp(n, local);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL);
}

void limits(cl_program p, cl_command_queue q, int n, int m) {
  cl_kernel k = clCreateKernel(p, "two_limits", NULL);
  clSetKernelArg(k, 1, sizeof n, &n);
  clSetKernelArg(k, 2, sizeof m, &m);
  size_t global = n / 2;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL);
}

void constants(cl_program p, cl_command_queue q) {
  cl_kernel k = clCreateKernel(p, "numbers", NULL);
  const int n = 4096;
  clSetKernelArg(k, 1, sizeof n, &n);
  const size_t global = 4096;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL);
}

void later(cl_program p, cl_command_queue q, int n) {
  cl_kernel k = clCreateKernel(p, "changed", NULL);
  clSetKernelArg(k, 1, sizeof n, &n);
  n = n / 2;
  size_t global = n;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL);
}

void bindings(cl::Program &p, cl::CommandQueue &q, int w, int h) {
  cl::Kernel k(p, "wrapped");
  k.setArg(1, h);
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(w, h));
}

void columns(cl::Program &p, cl::CommandQueue &q, int w, int h) {
  cl::Kernel k(p, "other_dimension");
  k.setArg(1, w);
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(w, h / 2));
}

size_t items(int n);
void counted(cl::Program &p, cl::CommandQueue &q, int n) {
  cl::Kernel k(p, "unknown_size");
  k.setArg(1, n);
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(items(n)));
}

class Filter {
  cl_kernel kernel;
  cl_command_queue queue;
  int count;

public:
  Filter(cl_program p, cl_command_queue q, int n) : queue(q), count(n) {
    kernel = clCreateKernel(p, "member", NULL);
  }
  void run() {
    clSetKernelArg(kernel, 1, sizeof count, &count);
    size_t global = count;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  }
};
