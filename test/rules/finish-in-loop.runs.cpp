// RUN: %{python} %{expect} %s
// How a function runs in a loop: for each item of a container, by a constructor, a lambda, an algorithm, a method that is
// overridden, through others.
#include <CL/cl.h>
#include <algorithm>
#include <memory>
#include <vector>
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static void launch(size_t n) { clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr); }

class Engine {
  void upload(const std::vector<float> &v) {
    launch(v.size());
    clFinish(queue); // HIT: clFinish waits in 'upload', which is called in a loop
  }
  void drain(cl_command_queue one) {
    clFinish(one); // miss: one wait for each queue, and the loop gives no work
  }
public:
  void all(const std::vector<std::vector<float>> &vs, const std::vector<cl_command_queue> &queues) {
    for (auto &v : vs)
      upload(v);
    for (auto &q : queues)
      drain(q);
  }
};

struct Layer {
  virtual ~Layer() = default;
  virtual void forward() = 0;
  virtual void report() = 0;
};
struct Relu : Layer {
  void forward() override {
    launch(4096);
    clFinish(queue); // HIT: clFinish waits in 'forward', which is called in a loop
  }
  void report() override {
    launch(4096);
    clFinish(queue); // miss: the method that it overrides is called once
  }
};
void network(std::vector<std::unique_ptr<Layer>> &layers) {
  for (auto &l : layers)
    l->forward();
  layers.front()->report();
}

void lambdas(std::vector<int> &sizes) {
  auto run = [&](int n) {
    launch(n);
    clFinish(queue); // HIT: clFinish waits in 'lambdas', which is called in a loop
  };
  auto once = [&](int n) {
    launch(n);
    clFinish(queue); // miss: called once
  };
  for (int n : sizes)
    run(n);
  once(4096);
  std::for_each(sizes.begin(), sizes.end(), [&](int n) {
    launch(n);
    clFinish(queue); // HIT: clFinish waits in a loop
  });
  std::sort(sizes.begin(), sizes.end(), [&](int a, int b) { return a < b; });
  auto found = std::find_if(sizes.begin(), sizes.end(), [&](int n) { return n > 4; });
  if (found != sizes.end()) {
    launch(*found);
    clFinish(queue); // miss: outside of what the algorithm runs
  }
}

static void level5() {
  clFinish(queue); // HIT: clFinish waits in 'level5', which is called in a loop
}
static void level4() { level5(); }
static void level3() { level4(); }
static void level2() { level3(); }
static void level1() { level2(); }
static void last() {
  clFinish(queue); // miss: not on the way of the loop
}
void deep(int n) {
  for (int i = 0; i < n; ++i)
    level1();
  last();
}

struct Timer {
  Timer() {
    clFinish(queue); // HIT: clFinish waits in 'Timer', which is called in a loop
  }
};
struct Whole {
  Whole() {
    clFinish(queue); // miss: made once, outside of the loop
  }
};
void timed(int n) {
  Whole whole;
  for (int i = 0; i < n; ++i) {
    Timer t;
    launch(4096);
  }
}
