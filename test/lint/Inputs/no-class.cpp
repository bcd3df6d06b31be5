// Members of a class whose header is missing.
#include <no/such/bench.h>

int Bench::run(cl_command_queue queue, settings_t &s) {
  for (int i = 0; i < s.times; ++i)
    clFinish(queue); // of Bench::run
  return times;
}

void Bench::measure(cl::CommandQueue &queue, Result &to) const {
  unknown([&] {
    for (int i = 0; i < 8; ++i)
    queue.finish();
  });
}

template <class T> void Sums<T>::run(cl_command_queue queue) {
  for (int i = 0; i < sizeof(T); ++i)
    clFinish(queue); // of a class template
}

namespace fast { namespace wide {
template <typename T, int N>
void Means<T, N>::run(cl_command_queue queue) {
  while (more[N])
    clFinish(queue); // of one in a namespace
}
template class Means<float, 4>;
}}
