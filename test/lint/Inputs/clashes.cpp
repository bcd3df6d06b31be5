#include "no/such/cl.h"
#include <cstdio>
#include <vector>
using namespace std;
float data[4096];
void read(cl_command_queue q, cl_mem m) {
  clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
}
