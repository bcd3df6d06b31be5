#pragma once
struct Kernels {
  cl_kernel scale;
};
class Member {
public:
  Member(const std::string &name, std::shared_ptr<Kernels> kernels);
  cl_int run(size_t n);

private:
  cl_command_queue queue;
  std::shared_ptr<Kernels> kernels;
};
