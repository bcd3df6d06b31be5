// RUN: %{python} %{expect} %s
#include <CL/cl.h>
#include <stddef.h>

cl_mem direct(cl_context c, void *p, size_t n) {
  return clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n, p, NULL); // HIT: lies over memory of the host
}

#define FLAGS (CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR)
cl_mem macro(cl_context c, void *p, size_t n) {
  return clCreateBuffer(c, FLAGS, n, p, NULL); // HIT: lies over memory of the host
}

cl_mem variable(cl_context c, void *p, size_t n) {
  cl_mem_flags flags = CL_MEM_READ_ONLY;
  flags |= CL_MEM_USE_HOST_PTR;
  return clCreateBuffer(c, flags, n, p, NULL); // HIT: lies over memory of the host
}

cl_mem image(cl_context c, const cl_image_format *f, const cl_image_desc *d, void *p) {
  return clCreateImage(c, CL_MEM_USE_HOST_PTR, f, d, p, NULL); // HIT: lies over memory of the host
}

cl_mem allocated(cl_context c, size_t n) {
  return clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, n, NULL, NULL); // miss: memory of the driver
}

cl_mem copied(cl_context c, void *p, size_t n) {
  return clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, n, p, NULL); // miss: copied once
}

int asks(cl_mem_flags flags) {
  return (flags & CL_MEM_USE_HOST_PTR) != 0; // miss: no memory is created
}

cl_mem unused(cl_context c, size_t n) {
  cl_mem_flags other = CL_MEM_USE_HOST_PTR; // miss: another variable
  (void)other;
  return clCreateBuffer(c, CL_MEM_READ_WRITE, n, NULL, NULL);
}
