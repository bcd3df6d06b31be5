// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
static cl_mem make(cl_context c, size_t n) { return clCreateBuffer(c, CL_MEM_READ_WRITE, n, NULL, NULL); } // miss: called for each element, once
static void frame(cl_context c, cl_command_queue q, cl_kernel k, size_t n) {
  cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE, n, NULL, NULL); // HIT: clCreateBuffer is called in 'frame', which is called in a loop
  clSetKernelArg(k, 0, sizeof(b), &b);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void start(cl_context c, cl_command_queue q, cl_kernel k, cl_mem *all, int n) {
  for (int i = 0; i < n; ++i)
    all[i] = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, NULL); // miss: fills an array, once
  for (int i = 0; i < n; ++i)
    all[i] = make(c, 64);
  for (int i = 0; i < n; ++i)
    frame(c, q, k, 4096);
}
void lists(cl::Context &c, cl::CommandQueue &q, cl::Kernel &k, std::vector<cl::Buffer> &all, int n) {
  for (int i = 0; i < n; ++i)
    all.push_back(cl::Buffer(c, CL_MEM_READ_WRITE, 64)); // miss: fills a list, once
  for (int i = 0; i < n; ++i) {
    all[i] = cl::Buffer(c, CL_MEM_READ_WRITE, 64); // HIT: cl::Buffer is called in a loop
    q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(4096), cl::NDRange(64));
  }
}
// A buffer that one function fills, uses and releases is created again at each call.
void layers(cl_context c, cl_command_queue q, cl_kernel k, cl_mem *all, int n, size_t items) {
  for (int i = 0; i < n; ++i)
    all[i] = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, NULL); // HIT: again at each call of 'layers'
  clSetKernelArg(k, 0, sizeof(cl_mem), &all[0]);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL);
  for (int i = 0; i < n; ++i)
    clReleaseMemObject(all[i]);
}
void kept(cl_context c, cl_command_queue q, cl_kernel k, cl_mem *all, int n, size_t items) {
  for (int i = 0; i < n; ++i)
    all[i] = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, NULL); // miss: the caller keeps them
  clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL);
}
void drawFrame(cl_context c, cl_command_queue q, cl_kernel k, size_t items) {
  cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, NULL); // HIT: clCreateBuffer is called in 'drawFrame', which by its name is called again and again
  clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL);
  clReleaseMemObject(b);
}
void drawing(cl_context c, cl_command_queue q, cl_kernel k, size_t items) {
  cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, NULL); // HIT: clCreateBuffer is called again at each call of 'drawing'
  clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL);
  clReleaseMemObject(b);
}
int main() {
  cl_context c = clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, nullptr);
  cl_command_queue q = clCreateCommandQueueWithProperties(c, nullptr, nullptr, nullptr);
  cl_mem all[4];
  size_t items = 4096;
  for (int i = 0; i < 4; ++i)
    all[i] = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, NULL); // miss: main runs once
  clEnqueueNDRangeKernel(q, nullptr, 1, NULL, &items, NULL, 0, NULL, NULL);
  for (int i = 0; i < 4; ++i)
    clReleaseMemObject(all[i]);
}
