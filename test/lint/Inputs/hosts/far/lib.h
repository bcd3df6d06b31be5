#include <CL/cl.h>
void wait_all(cl_command_queue queue);
