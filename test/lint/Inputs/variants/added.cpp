#include <CL/cl.h>
#include <string>
void run(cl_program p, cl_device_id d, bool whole) {
  const char *file = "sum.cl";
  std::string options = "-cl-mad-enable";
  if (whole)
    options += " -DWHOLE_GROUP";
  clBuildProgram(p, 1, &d, options.c_str(), nullptr, nullptr);
  (void)file;
}
