#include <no/such/cl.hpp>

void build(cl::Context &c, const std::string &source) {
  cl::Program program(c, source);
  program.build();
}
