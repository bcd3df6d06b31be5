#include "lib.h"
void wait_all(cl_command_queue queue) { clFinish(queue); }
