#include "filter.h"
#ifdef __FILTER_H__
void fetch(cl_command_queue queue, cl_mem buffer, void *to, size_t n) {
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, n, to, 0, 0, 0);
}
#endif
