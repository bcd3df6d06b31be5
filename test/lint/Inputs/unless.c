/* The other way round: there is something to lint where the macro is given. */
#ifndef WITH_GPU
int main(void) { return 77; }
#else
#include <CL/cl.h>
#ifndef WITHOUT_WAITS
void run(cl_command_queue queue) {
  for (int i = 0; i < 8; ++i)
    clFinish(queue);
}
#endif
#endif
