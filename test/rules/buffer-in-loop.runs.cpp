// RUN: %{python} %{expect} %s
// Buffers created by a helper, or by the constructor of an object that lives for one iteration.
#include <CL/cl.h>
#include <vector>
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
class Engine {
  cl_mem weights;
  cl_mem make(size_t n) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE, n, nullptr, nullptr); // HIT: clCreateBuffer is called in 'make', which is called in a loop
  }
  void upload(const std::vector<float> &v) {
    cl_mem m = make(v.size());
    clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, v.size(), v.data(), 0, nullptr, nullptr);
    size_t n = v.size();
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
    clReleaseMemObject(m);
  }
public:
  void prepare(const std::vector<float> &v) {
    weights = clCreateBuffer(context, CL_MEM_READ_ONLY, v.size(), nullptr, nullptr); // miss: each item has its own, and the loop launches nothing
    clEnqueueWriteBuffer(queue, weights, CL_FALSE, 0, v.size(), v.data(), 0, nullptr, nullptr);
  }
  void all(const std::vector<std::vector<float>> &vs) {
    for (auto &v : vs)
      upload(v);
  }
};
void prepareAll(std::vector<Engine> &engines, const std::vector<float> &v) {
  for (auto &e : engines)
    e.prepare(v);
}
struct Scratch {
  cl_mem memory;
  explicit Scratch(size_t n) : memory(clCreateBuffer(context, CL_MEM_READ_WRITE, n, nullptr, nullptr)) {} // HIT: clCreateBuffer is called in 'Scratch', which is called in a loop
  ~Scratch() { clReleaseMemObject(memory); }
};
struct Kept {
  cl_mem memory;
  explicit Kept(size_t n) : memory(clCreateBuffer(context, CL_MEM_READ_WRITE, n, nullptr, nullptr)) {} // miss: made in front of the loop
};
struct Layer {
  cl_mem memory;
  Layer *before;
  explicit Layer(Layer *before) : memory(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr)), before(before) {} // miss: each stays
};
Layer *layers(int n) {
  Layer *last = nullptr;
  while (n--)
    last = new Layer(last);
  return last;
}
struct Turn {
  cl_mem memory = nullptr;
  Turn() { memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr); } // HIT: clCreateBuffer is called in 'Turn', which is called in a loop
};
void turns(int n) {
  while (n--) {
    Turn *turn = new Turn();
    clEnqueueReadBuffer(queue, turn->memory, CL_TRUE, 0, 4, &n, 0, nullptr, nullptr);
    delete turn;
  }
}
void rounds(int n) {
  Kept kept(4096);
  for (int i = 0; i < n; ++i) {
    Scratch s(4096);
    size_t g = 4096;
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &s.memory);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &kept.memory);
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &g, nullptr, 0, nullptr, nullptr);
  }
}
