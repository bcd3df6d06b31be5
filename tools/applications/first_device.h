/* The first device that is no CPU, else the first one. */
#ifndef CLMALI_TOOLS_APPLICATIONS_FIRST_DEVICE_H
#define CLMALI_TOOLS_APPLICATIONS_FIRST_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    printf("%s: error %d\n", what, error);
    exit(1);
  }
}

static cl_device_id firstDevice(void) {
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) != CL_SUCCESS)
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  return device;
}

#endif
