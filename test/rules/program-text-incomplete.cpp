// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <string>
const std::string &scale_kernel() {
  static const std::string text = R"(
      for (int t = 0; t < n; ++t) { // HIT: this program text does not parse
        tile[get_local_id(0)] = in[t * 64 + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[63 - get_local_id(0)];
      }
      out[get_global_id(0)] = sum;
    }
  )";
  return text;
}
cl_program of_function(cl_context c) {
  const char *p = scale_kernel().c_str();
  return clCreateProgramWithSource(c, 1, &p, nullptr, nullptr);
}
static const char *open = "void half_open(global int *x) {\n  x[0] = 1;\n"; // HIT: a '{' is not closed
cl_program unclosed(cl_context c) { return clCreateProgramWithSource(c, 1, &open, nullptr, nullptr); }
cl::Program by_bindings(cl::Context c) {
  return cl::Program(c, "x[get_global_id(0)] = 1; }", true); // HIT: a '}' closes nothing
}

static const char *whole = "/* } */ kernel void k(global int *x) { x[0] = '}'; } // }\n"; // miss: whole
cl_program complete(cl_context c) { return clCreateProgramWithSource(c, 1, &whole, nullptr, nullptr); }
static const char *library = "#define OPEN {\nint twice(int x) { return 2 * x; }\n"; // miss: functions only
cl_program functions(cl_context c) { return clCreateProgramWithSource(c, 1, &library, nullptr, nullptr); }
static const char *tail = "  x[get_global_id(0)] = 2;\n}\n"; // miss: a part of a text
cl_program parts(cl_context c) {
  std::string all = std::string("kernel void k(global int *x) {\n") + tail;
  const char *p = all.c_str();
  return clCreateProgramWithSource(c, 1, &p, nullptr, nullptr);
}
cl_program two(cl_context c) {
  const char *texts[] = {"kernel void k(global int *x) {", "x[0] = 1; }"};
  return clCreateProgramWithSource(c, 2, texts, nullptr, nullptr); // miss: two strings
}
