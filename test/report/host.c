/* A host around the code on a report page (pasted.h): runs one kernel at several sizes and compares
 * with plain C. HOST_CPP is set when the pasted code is C++. */
#ifdef HOST_CPP
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define HOST(c, cpp) cpp
#else
#define CL_TARGET_OPENCL_VERSION 120
#define HOST(c, cpp) c
#endif
#include "pasted.h"
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s: %d\n", what, status);
    exit(1);
  }
}

static char *readAll(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text;
  long size;
  if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
    exit(2);
  text = (char *)calloc((size_t)size + 1, 1);
  if (fread(text, 1, (size_t)size, f) != (size_t)size)
    exit(2);
  fclose(f);
  return text;
}

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static cl_mem buffer(size_t bytes, void *from) {
  cl_int status;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, from, &status);
  check(status, "clCreateBuffer");
  return m;
}

#ifndef HOST_CPP
static KERNELS k;
#endif

/* One launch, with the original's sizes. */
static void launch(HOST(KERNELS *k, KERNELS &k), cl_uint dims, const size_t *offset, const size_t *global,
                   const size_t *local, long a, long b) {
  (void)a;
  (void)b;
#ifdef HOST_CPP
  cl::NDRange o = !offset ? cl::NullRange : dims == 1 ? cl::NDRange(offset[0]) : cl::NDRange(offset[0], offset[1]);
  cl::NDRange g = dims == 1 ? cl::NDRange(global[0]) : cl::NDRange(global[0], global[1]);
  cl::NDRange l = !local ? cl::NullRange : dims == 1 ? cl::NDRange(local[0]) : cl::NDRange(local[0], local[1]);
  cl::CommandQueue q(queue, true);
  cl::Event done;
  check(k.enqueue(q, o, g, l ENQUEUE_ARGS, nullptr, &done), "enqueue");
  check(done.wait(), "wait");
#else
  cl_event done;
  check(ENQUEUE(k, queue, dims, offset, global, local ENQUEUE_ARGS, 0, NULL, &done), "enqueue");
  check(clWaitForEvents(1, &done), "wait");
  clReleaseEvent(done);
#endif
}

#ifdef HOST_CPP
#define SET(i, size, value) check(k.setArg(i, size, (const void *)(value)), "setArg")
#define SET_LOCAL(i, bytes) check(k.setArg(i, cl::Local(bytes)), "setArg")
#else
#define SET(i, size, value) check(SET_ARG(k, i, size, value), "set_arg")
#define SET_LOCAL(i, bytes) check(SET_ARG(k, i, bytes, NULL), "set_arg")
#endif

static void compare(int same, const char *what, size_t i) {
  if (!same) {
    fprintf(stderr, "%s differs at %zu\n", what, i);
    exit(1);
  }
}

static void run(HOST(KERNELS *k, KERNELS &k)) {
#if defined(TEST_axpy)
  const size_t sizes[] = {1, 3, 4, 7, 16, 17, 31, 1000, 1001, 4096};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    size_t n = sizes[s], i, offset = s == 5 ? 3 : 0, global = n - offset;
    float *x = (float *)malloc(n * 4), *y = (float *)malloc(n * 4), *z = (float *)malloc(n * 4), a = 0.5f;
    cl_int count = (cl_int)n;
    for (i = 0; i < n; ++i) {
      x[i] = (float)i;
      y[i] = z[i] = (float)(3 * i % 101);
      if (i >= offset)
        z[i] = a * x[i] + y[i]; /* exact in float */
    }
    cl_mem bx = buffer(n * 4, x), by = buffer(n * 4, y);
    SET(0, sizeof by, &by);
    SET(1, sizeof bx, &bx);
    SET(2, sizeof a, &a);
    SET(3, sizeof count, &count);
    launch(k, 1, &offset, &global, NULL, (long)n, 0);
    check(clEnqueueReadBuffer(queue, by, CL_TRUE, 0, n * 4, y, 0, NULL, NULL), "read");
    for (i = 0; i < n; ++i)
      compare(y[i] == z[i], "y", i);
    clReleaseMemObject(bx);
    clReleaseMemObject(by);
    free(x);
    free(y);
    free(z);
  }
#elif defined(TEST_rows)
  const cl_int sizes[][2] = {{1, 1}, {64, 8}, {61, 7}, {17, 3}, {5, 19}, {128, 33}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    cl_int w = sizes[s][0], h = sizes[s][1], by = -30;
    size_t n = (size_t)w * (size_t)h, i, global[2] = {(size_t)h, (size_t)w};
    unsigned char *in = (unsigned char *)malloc(n), *out = (unsigned char *)calloc(n, 1);
    for (i = 0; i < n; ++i)
      in[i] = (unsigned char)(i * 37);
    cl_mem bi = buffer(n, in), bo = buffer(n, out);
    SET(0, sizeof bo, &bo);
    SET(1, sizeof bi, &bi);
    SET(2, sizeof w, &w);
    SET(3, sizeof h, &h);
    SET(4, sizeof by, &by);
    launch(k, 2, NULL, global, NULL, w, h);
    check(clEnqueueReadBuffer(queue, bo, CL_TRUE, 0, n, out, 0, NULL, NULL), "read");
    for (i = 0; i < n; ++i)
      compare(out[i] == (in[i] < 30 ? 0 : in[i] - 30), "out", i);
    clReleaseMemObject(bi);
    clReleaseMemObject(bo);
    free(in);
    free(out);
  }
#elif defined(TEST_groups)
  const size_t sizes[][2] = {{256, 64}, {96, 32}, {15, 5}, {30, 6}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    size_t n = sizes[s][0], i;
    cl_int *in = (cl_int *)malloc(n * 4), *out = (cl_int *)calloc(n, 4);
    for (i = 0; i < n; ++i)
      in[i] = (cl_int)(i * 7) - 100;
    cl_mem bi = buffer(n * 4, in), bo = buffer(n * 4, out);
    SET(0, sizeof bo, &bo);
    SET(1, sizeof bi, &bi);
    SET_LOCAL(2, sizes[s][1] * 4);
    launch(k, 1, NULL, &sizes[s][0], &sizes[s][1], 0, 0);
    check(clEnqueueReadBuffer(queue, bo, CL_TRUE, 0, n * 4, out, 0, NULL, NULL), "read");
    for (i = 0; i < n; ++i)
      compare(out[i] == 4 * in[i], "out", i);
    clReleaseMemObject(bi);
    clReleaseMemObject(bo);
    free(in);
    free(out);
  }
#endif
}

int main(int argc, char **argv) {
  cl_platform_id platforms[16];
  cl_uint count = 0, i;
  cl_device_id device = NULL;
  cl_int status;
  if (argc != 2)
    return 2;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  for (i = 0; i < count && !device; ++i)
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) != CL_SUCCESS)
      device = NULL;
  if (!device)
    return 2;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  char *source = readAll(argv[1]);
  program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
#ifdef HOST_CPP
  cl::Program p(program, true);
  KERNELS k(p);
  run(k);
#else
  check(CREATE(&k, program), "create");
  run(&k);
  RELEASE(&k);
#endif
  puts("same");
  return 0;
}
