// Boost.Compute: transform, reduction, scan and sort of integers.
#define CL_TARGET_OPENCL_VERSION 120
#include <boost/compute.hpp>
#include <cstdio>
#include <vector>

namespace compute = boost::compute;

int main() {
  compute::device device = compute::system::default_device();
  compute::context context(device);
  compute::command_queue queue(context, device);
  std::vector<int> host(20000);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = int(i * 7919 % 10007);
  compute::vector<int> values(host.begin(), host.end(), queue), sums(host.size(), context);
  BOOST_COMPUTE_FUNCTION(int, square, (int x), { return x * x % 1009; });
  compute::transform(values.begin(), values.end(), values.begin(), square, queue);
  int total = 0;
  compute::reduce(values.begin(), values.end(), &total, queue);
  compute::inclusive_scan(values.begin(), values.end(), sums.begin(), queue);
  compute::sort(values.begin(), values.end(), queue);
  compute::copy(sums.begin(), sums.end(), host.begin(), queue);
  std::printf("sum %d, last %d, ", total, host.back());
  compute::copy(values.begin(), values.end(), host.begin(), queue);
  std::printf("median %d\n", host[host.size() / 2]);
}
