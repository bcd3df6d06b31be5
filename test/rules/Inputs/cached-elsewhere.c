#include <CL/cl.h>
cl_program makeProgram(cl_context c, cl_device_id d, const char *file);
cl_program loadFromBinary(cl_context c, const char *file);
cl_program first(cl_context c, cl_device_id d) {
  cl_program p = loadFromBinary(c, "scale.bin");
  return p ? p : makeProgram(c, d, "scale.cl");
}
