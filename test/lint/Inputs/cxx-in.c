#include <CL/cl.h>
#include <vector>
using namespace std;
void run(cl_command_queue q, cl_kernel k) {
  vector<size_t> global(1, 65536);
  clEnqueueNDRangeKernel(q, k, 1, 0, &global[0], 0, 0, 0, 0);
}
