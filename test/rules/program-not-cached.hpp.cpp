// RUN: %{python} %{expect} %s
// RUN: clmali-lint --checks=-*,program-not-cached %S/Inputs/program-cached.cpp | count 0
#include <CL/opencl.hpp>
#include <string>
struct App {
  static cl::Program program; // miss: only declared
};
cl::Program make(cl::Context &c, const std::string &source) {
  return cl::Program(c, source); // HIT: the program is built from source each time
}
cl::Program copy(const cl::Program &p) {
  return cl::Program(p); // miss: makes none
}
