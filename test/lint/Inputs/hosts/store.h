#include <CL/cl.h>
cl_program stored(cl_context context, cl_device_id device, const unsigned char *binary, size_t size);
