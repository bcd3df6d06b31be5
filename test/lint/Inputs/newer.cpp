#include <CL/cl.h>
#include <algorithm>
#include <ranges>
#include <vector>
void run(cl_command_queue queue, std::vector<int> &data) {
  std::ranges::generate(data, [] { return 1; });
  for ([[maybe_unused]] int one : data | std::views::take(8))
    clFinish(queue);
}
