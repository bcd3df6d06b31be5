#include <CL/cl.h>
#include <string>
static const char *lines[] = {"__kernel void lines(__global int *a) {\n",
  "  a[get_global_id(0)] /= 3;\n", "}\n", nullptr};

static const std::string head = "#define BY 7\n#define LAST(x) x\n";
static const std::string added = head + "__kernel void added(__global int *a) { a[get_global_id(0)] /= BY; }\n";

std::string grow() {
  std::string s = "#define T int\n";
  s += "__kernel void grown(__global T *a, int n) {";
  s += " int i = get_global_id(0);"
       " if (i < n)";
  s += "   a[i] = a[i] / 9;";
  s += "}";
  return s;
}

/* Two programs, of which one is taken, are not joined. */
struct Two { const char *sources[2]; };
static const Two both = {{
  "__kernel void a(__global int *x) { x[1] = x[get_global_id(0)] / 11; }",
  "__kernel void b(__global int *x) { x[1] = x[get_global_id(0)] / 13; }"}};
