// RUN: %{python} %{expect} %s
#include <CL/cl.h>
int waitForEventAndRelease(cl_event *event);
int waitForKey(int key);
static int waits(cl_event *event) { return event != 0; }
void run(cl_command_queue q, cl_kernel k, size_t n, int steps) {
  cl_event done;
  for (int i = 0; i < steps; ++i) {
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, &done);
    waitForEventAndRelease(&done); // HIT: waitForEventAndRelease waits in a loop
    waitForKey(27); // miss: no event of OpenCL
    waits(&done); // miss: is seen, and does not
  }
}
