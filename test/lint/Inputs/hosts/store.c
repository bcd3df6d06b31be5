#include "store.h"
int unified(cl_device_id device) {
  cl_bool is = CL_FALSE;
  clGetDeviceInfo(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(is), &is, NULL);
  return is;
}
cl_program stored(cl_context context, cl_device_id device, const unsigned char *binary, size_t size) {
  return clCreateProgramWithBinary(context, 1, &device, &size, &binary, NULL, NULL);
}
