// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
static const char *source =
    R"(__kernel void wide(__global float4 *x, int n) { x[get_global_id(0)] *= n; }
__kernel void three(__global float4 *x, int n) { x[get_global_id(0)] *= n; }
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void groups(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void functor(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }
__kernel void right(__global float4 *x, int n, __local float *s) { // miss: a buffer, a number and local memory
  s[get_local_id(0)] = n;
  x[get_global_id(0)] *= s[get_local_id(0)];
}
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void offset(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: the first range is the offset
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void multiple(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }
__kernel void pair(__global float4 *x, __global float4 *y) { x[get_global_id(0)] *= y[0]; } // miss: two buffers
__kernel void narrow(__global float4 *x, int n) { x[get_global_id(0)] *= n; } // miss: the functor makes an int of what it is given
__kernel void copied(__global float4 *x, int n) { x[get_global_id(0)] *= n; } // miss: a copy gets the other argument
__kernel void meant(__global float4 *x, int n, int m) { x[get_global_id(0)] *= n * m; } // miss: the argument has the type named in the call
__kernel void failing(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: the last is what the functor writes its error to
__kernel void other(__global float4 *x, int n) { x[get_global_id(0)] *= n; } // miss: it is not launched
)";

void run(cl::Context &context, cl::CommandQueue &queue, cl::Buffer &buffer, double factor) {
  cl::Program program(context, source);
  cl::Kernel wide(program, "wide"), three(program, "three"), groups, right(program, "right");
  cl::Kernel offset(program, "offset");
  groups = cl::Kernel(program, "groups");
  wide.setArg(0, buffer);
  wide.setArg(1, factor); // HIT: argument 1, 'n' takes 4 bytes (int), and is given 8 bytes of type double
  three.setArg(0, buffer);
  three.setArg(1, 7);
  three.setArg(3, 7); // HIT: argument 3 is set, and it has only 2
  groups.setArg(0, buffer);
  right.setArg(0, buffer);
  right.setArg(1, 7);
  right.setArg(2, cl::Local(256));
  offset.setArg(0, buffer);
  queue.enqueueNDRangeKernel(wide, cl::NullRange, cl::NDRange(4096));
  queue.enqueueNDRangeKernel(three, cl::NullRange, cl::NDRange(4096));
  queue.enqueueNDRangeKernel(groups, cl::NullRange, cl::NDRange(4096), cl::NDRange(32)); // HIT: is launched with 32 in dimension 0
  queue.enqueueNDRangeKernel(right, cl::NullRange, cl::NDRange(4096), cl::NDRange(32));
  // The first range is the offset.
  queue.enqueueNDRangeKernel(offset, cl::NDRange(32), cl::NDRange(4096), cl::NDRange(64));
  cl::KernelFunctor<cl::Buffer> functor(program, "functor");
  functor(cl::EnqueueArgs(queue, cl::NDRange(4096), cl::NDRange(16)), buffer); // HIT: is launched with 16 in dimension 0
  cl::KernelFunctor<cl::Buffer, cl::Buffer> pair(program, "pair");
  pair(cl::EnqueueArgs(queue, cl::NDRange(4096)), buffer, buffer);
  cl::KernelFunctor<cl::Buffer> multiple(program, "multiple");
  multiple(cl::EnqueueArgs(queue, cl::NDRange(100), cl::NDRange(64)), buffer); // HIT: is launched over 100 work-items
  cl::KernelFunctor<cl::Buffer, cl_int> narrow(program, "narrow");
  narrow(cl::EnqueueArgs(queue, cl::NDRange(4096)), buffer, sizeof(factor));
  cl::KernelFunctor<cl::Buffer> failing(program, "failing");
  cl_int error = 0;
  failing(cl::EnqueueArgs(queue, cl::NDRange(4096)), buffer, error);
  cl::Kernel copied(program, "copied");
  cl::Kernel copy = copied;
  copied.setArg(0, buffer);
  copy.setArg(1, 7);
  cl::Kernel meant(program, "meant");
  meant.setArg<cl::Buffer>(0, buffer);
  meant.setArg<int>(1, factor);
  meant.setArg<short>(2, 7); // HIT: argument 2, 'm' takes 4 bytes (int), and is given 2 bytes of type short
  queue.enqueueNDRangeKernel(meant, cl::NullRange, cl::NDRange(4096));
  queue.enqueueNDRangeKernel(copied, cl::NullRange, cl::NDRange(4096));
}
