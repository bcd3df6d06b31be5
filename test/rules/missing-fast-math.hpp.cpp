// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
#include <sstream>
#include <string>
void build(cl::Context &c, cl::Device &d, const std::string &source, int n, std::vector<std::vector<unsigned char>> &stored) {
  cl::Program plain(c, source);
  plain.build();           // HIT: without -cl-fast-relaxed-math
  plain.build("-DTILE=8"); // HIT: without -cl-fast-relaxed-math
  cl::Program at_once(c, source, true); // HIT: without -cl-fast-relaxed-math
  cl::Program later(c, source, false);  // miss: is not built here
  later.build("-cl-fast-relaxed-math"); // miss: has it
  cl::Program binary(c, {d}, stored);
  binary.build(); // miss: was compiled before

  std::string more = "-I.";
  if (n > 4)
    more += " -cl-fast-relaxed-math";
  plain.build(more.c_str()); // miss: may have it
  std::ostringstream numbers;
  numbers << "-DTILE=" << 16 << " -DN=" << n;
  plain.build(numbers.str().c_str()); // HIT: without -cl-fast-relaxed-math
  plain.build(source.c_str());        // miss: not known
}
void in_braces(cl_program p) {
  const char *options = {"-w"}, *fast = {"-cl-fast-relaxed-math"};
  clBuildProgram(p, 0, nullptr, options, nullptr, nullptr); // HIT: without -cl-fast-relaxed-math
  clBuildProgram(p, 0, nullptr, fast, nullptr, nullptr);    // miss: has it
}
static std::vector<cl::Device> all;
void with_devices(cl::Program &p) {
  p.build(all, "-cl-fast-relaxed-math"); // miss: the devices are no options
  p.build(all);                          // HIT: without -cl-fast-relaxed-math
}
static void optional(cl::Program &p, const char *more) {
  std::string options;
  if (more)
    options += std::string(more);
  p.build(options.c_str()); // HIT: without -cl-fast-relaxed-math
}
static void some(cl::Program &p, const char *more) {
  std::string options;
  if (more)
    options += std::string(more);
  p.build(options.c_str()); // miss: one caller gives it
}
void without(cl::Program &p) { optional(p, nullptr), some(p, nullptr), some(p, "-cl-fast-relaxed-math"); }
