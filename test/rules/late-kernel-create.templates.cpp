// RUN: %{python} %{expect} %s
// A class template that the file uses nowhere: what its members call is not looked up yet.
#include <CL/opencl.hpp>
#include <vector>
template <class T> class Statistics {
public:
  void launch(cl::Kernel &kernel, int groups);
  void launch(cl::Kernel &kernel, const std::vector<T> &data, int groups);
  void show(int kernels) const;
  void show(const std::vector<T> &data, int kernels) const;
  void least();
  void most();
  void sum(cl::Kernel &given);
  void make();
  cl::Program program;
  cl::CommandQueue queue;
  cl::Kernel kept;
  std::vector<T> data;
};
template <class T> void Statistics<T>::launch(cl::Kernel &kernel, int groups) {
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(64 * groups), cl::NDRange(64));
}
template <class T> void Statistics<T>::launch(cl::Kernel &kernel, const std::vector<T> &data, int groups) {
  kernel.setArg(0, data[0]);
  this->launch(kernel, groups);
}
template <class T> void Statistics<T>::show(int kernels) const {}
template <class T> void Statistics<T>::show(const std::vector<T> &data, int kernels) const {}
template <class T> void Statistics<T>::least() {
  cl::Kernel kernel = cl::Kernel(program, "least"); // HIT: created in the function that launches it
  this->launch(kernel, data, 64);
}
template <class T> void Statistics<T>::most() {
  cl::Kernel kernel(program, "most"); // HIT: created in the function that launches it
  launch(kernel, data.size() / 64);
}
template <class T> void Statistics<T>::sum(cl::Kernel &given) {
  this->launch(given, data, 64); // miss: created by another one
}
template <class T> void Statistics<T>::make() {
  kept = cl::Kernel(program, "kept"); // miss: nothing is launched
  this->show(data, 1);
}
