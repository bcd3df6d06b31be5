#include <sstream>
#include <string>
#include "kernel.h"
#define STRINGIFY(...) #__VA_ARGS__
#define HEAD "  int i = get_global_id(0);\n"
const char *made = STRINGIFY(
  // Comments and breaks are not in the text.
  __kernel void made(__global int *x,
                     int n) {
    x[get_global_id(0)] = x[get_global_id(0)] / n;
  });
const char *headed = "__kernel void headed(__global int *x, int n) {\n" HEAD
                     "  x[i] = x[i] / n;\n"
                     "}\n";
std::string typed(const std::string &type, int width) {
  std::stringstream s;
  s << "__kernel void streamed(__global int *x, int n) {\n"
    << "  int row = get_global_id(0) * " << width << ";\n"
    << "  x[row] = row / n;\n}\n";
  return s.str() + "__kernel void typed(__global " + type + " *x, int n) {\n"
                   "  x[get_global_id(0)] = (int)get_global_id(1) / n;\n}\n";
}
