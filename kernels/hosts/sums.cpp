// Sums of rows with the C++ bindings: a matrix is sent, its rows are added up on the device several
// times, the sums come back. "MISTAKE" stands before the lines that cost time on Mali and PowerVR,
// with the rule.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdio>
#include <numeric>
#include <vector>

static const char *const Source = R"(
__kernel void rowSums(__global const float *m, __global float *sums, int columns) {
  int row = get_global_id(0);
  float sum = 0;
  for (int c = 0; c < columns; c++)
    sum += m[row * columns + c];
  sums[row] += sum;
}
)";

int main() {
  constexpr int Rows = 2003, Columns = 32, Rounds = 4;
  std::vector<float> Matrix(Rows * Columns), Sums(Rows, 0.0f);
  for (int I = 0; I < Rows * Columns; ++I)
    Matrix[I] = static_cast<float>(I % 17) * 0.25f;

  std::vector<cl::Platform> Platforms;
  cl::Platform::get(&Platforms);
  if (Platforms.empty())
    return 2;
  std::vector<cl::Device> Devices;
  Platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &Devices);
  cl::Context Context(Devices[0]);
  cl::CommandQueue Queue(Context, Devices[0]);
  // MISTAKE: program-not-cached
  cl::Program Program(Context, Source);
  if (Program.build("-cl-fast-relaxed-math") != CL_SUCCESS)
    return 2;
  // MISTAKE: late-kernel-create
  cl::Kernel Kernel(Program, "rowSums");
  cl::Buffer In(Context, CL_MEM_READ_ONLY, Matrix.size() * sizeof(float));
  cl::Buffer Out(Context, CL_MEM_READ_WRITE, Sums.size() * sizeof(float));
  // MISTAKE: read-write-buffer unified-memory-not-queried
  Queue.enqueueWriteBuffer(In, CL_FALSE, 0, Matrix.size() * sizeof(float), Matrix.data());
  // MISTAKE: read-write-buffer
  Queue.enqueueWriteBuffer(Out, CL_FALSE, 0, Sums.size() * sizeof(float), Sums.data());
  Kernel.setArg(0, In);
  Kernel.setArg(1, Out);
  Kernel.setArg(2, Columns);
  for (int Round = 0; Round < Rounds; ++Round) {
    // MISTAKE: null-local-size prime-work-size small-global-size
    Queue.enqueueNDRangeKernel(Kernel, cl::NullRange, cl::NDRange(Rows), cl::NullRange);
    // MISTAKE: finish-in-loop
    Queue.finish();
  }
  // MISTAKE: read-write-buffer
  Queue.enqueueReadBuffer(Out, CL_TRUE, 0, Sums.size() * sizeof(float), Sums.data());
  std::printf("%.2f %.2f %.2f\n", Sums[0], Sums[Rows - 1],
              std::accumulate(Sums.begin(), Sums.end(), 0.0));
}
