#include <CL/cl.h>
namespace library {
inline bool unified(cl_device_id device) {
  cl_bool is = CL_FALSE;
  clGetDeviceInfo(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(is), &is, nullptr);
  return is;
}
struct Context {
  cl_context context;
  cl_device_id device;
  cl_program make(const char *source, const unsigned char *binary, size_t size) {
    return binary ? clCreateProgramWithBinary(context, 1, &device, &size, &binary, nullptr, nullptr)
                  : clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  }
};
inline bool copies(Context &c) { return !unified(c.device); }
} // namespace library
