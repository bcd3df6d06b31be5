#include "no/such/build.h"
#if USE_CPU || USE_GPU
#include <CL/cl.h>
#if BACKEND >= 2
#if USE_GPU
void run(cl_command_queue queue) {
  for (int i = 0; i < 8; ++i)
    clFinish(queue);
}
#endif
#endif
#endif
