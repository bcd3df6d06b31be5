#include "no/such/utils.hpp"
#include <CL/cl.h>
// It opens the namespace, too.
void build(cl_program program, int size) {
  string options("-D SIZE=");
  options += to_string(size);
  cout << options << endl;
  clBuildProgram(program, 0, NULL, options.c_str(), NULL, NULL);
}
