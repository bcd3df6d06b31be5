#include <no/such/suite.h>
#include "exports.h"
//*****************************************************************************

class SUITE_API Timer : public Base {
  int started;
};

SCALE_CASE(Scaling, floats)
{
  for (int i = 0; i < 4; ++i)
    clFinish(queue); // of a case
}

SCALE_CASE(Scaling, integers) {
  for (int i = 0; i < 4; ++i)
    clFinish(queue); // of another
}

SUITE_API Status
scaleAll(cl_command_queue queue) {
  for (int i = 0; i < 4; ++i)
    clFinish(queue); // of a function whose type stands in a line of its own
}

template <> void scaleOf<float>(cl_command_queue queue) {
  for (int i = 0; i < 4; ++i)
    clFinish(queue); // of a specialization
}

template <>
int scaleOf<unsigned short>(cl_command_queue queue) {
  for (int i = 0; i < 4; ++i)
    clFinish(queue); // of another one
}

void suite::Counter::count(cl_command_queue queue) {
  for (int i = 0; i < 4; ++i)
    clFinish(queue); // of a class with another macro's macro
}

static void scale(cl_kernel kernel, cl_command_queue queue, const Sizes *sizes) {
  clFinish(queue); // of a function that is called in a loop
}

static Result *const scaleFrames(
    int n, const Filter *filter,
    Frames *frames) {
  for (int i = 0; i < filter->count; ++i)
    scale(filter->kernel, filter->queue, filter->sizes);
  return nullptr;
}
