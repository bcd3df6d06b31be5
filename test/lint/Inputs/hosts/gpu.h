#include <CL/cl.h>
void blur(cl_command_queue queue, cl_kernel kernel);
void once(cl_command_queue queue);
void bench(int size);
void prepare(cl_context context, cl_mem *to);
void twice(cl_command_queue queue);
void same(cl_command_queue queue);
cl_program build(cl_context context, const char *file);
void deep(cl_command_queue queue);
