#include "not-there.h"
#include <CL/cl.h>
void Renderer::draw(cl_command_queue queue) { clFinish(queue); }
