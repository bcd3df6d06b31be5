#include "no/such/cl.hpp"
using namespace cl;
struct Tracer {
  Buffer frames;
  Kernel *kernel;
  CommandQueue queue;
  void run(int n);
};
