#include <CL/opencl.hpp>
#include <string>
cl::Program make(cl::Context &c, const std::string &source, const std::vector<cl::Device> &d,
                 const cl::Program::Binaries &stored) {
  return stored.empty() ? cl::Program(c, source) : cl::Program(c, d, stored);
}
