// RUN: %{python} %{expect} %s
// Kernels that are made by a function and launched by another; one variable that holds several.
#include <CL/cl.h>
#include <string>
static const std::string source = R"CLC(
__kernel void add(__global int *a, int n) { a[get_global_id(0)] += n; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul(__global int *a, int n) { a[get_global_id(0)] *= n; }
__kernel void right(__global int *a, int n) { a[get_global_id(0)] -= n; } // miss: an int is given
__kernel void first(__global int *a, int n) { a[get_global_id(0)] -= n; } // miss: the float is set on the next kernel of the variable
__kernel void second(__global int *a, float f) { a[get_global_id(0)] -= f; } // miss: the int is set on the kernel before
)CLC";
static cl_kernel make(cl_program p, const char *name) { return clCreateKernel(p, name, nullptr); }
static void launch(cl_command_queue q, cl_kernel k, size_t n, size_t local) {
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, &local, 0, nullptr, nullptr); // HIT: is launched with 32 in dimension 0
}
void run(cl_context c, cl_command_queue q, cl_mem m) {
  const char *text = source.c_str();
  cl_program p = clCreateProgramWithSource(c, 1, &text, nullptr, nullptr);
  cl_kernel add = make(p, "add"), mul = make(p, "mul"), right = make(p, "right");
  long wide = 1;
  int n = 1, index = 0;
  clSetKernelArg(add, 0, sizeof(m), &m);
  clSetKernelArg(add, 1, sizeof(wide), &wide); // HIT: argument 1, 'n' takes 4 bytes (int), and is given 8 bytes
  clSetKernelArg(right, index++, sizeof(m), &m);
  clSetKernelArg(right, index++, sizeof(n), &n);
  launch(q, add, 4096, 64);
  launch(q, mul, 4096, 32);
  launch(q, right, 4096, 64);
  float f = 1;
  cl_kernel k = clCreateKernel(p, "first", nullptr);
  clSetKernelArg(k, 0, sizeof(m), &m);
  clSetKernelArg(k, 1, sizeof(n), &n);
  launch(q, k, 4096, 64);
  k = clCreateKernel(p, "second", nullptr);
  clSetKernelArg(k, 0, sizeof(m), &m);
  clSetKernelArg(k, 1, sizeof(f), &f);
  launch(q, k, 4096, 64);
}
