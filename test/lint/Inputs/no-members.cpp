#include "no/such/converter.h"

Converter::Converter() {
}

bool Converter::start(const cl::Context &context, const std::vector<cl::Device> &devices, const std::string &text) {
  program_ = cl::Program(context, text);
  return program_.build(devices, "") == CL_SUCCESS;
}

void Converter::run(int steps) {
  kernel_ = cl::Kernel(program_, "convert");
  for (int i = 0; i < steps; ++i) {
    queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(4096), cl::NDRange(64));
    queue_.finish();
  }
  thing_.finish();
}
