#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 1000, Rounds = 3 };
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static unsigned char *last;
static const char *source = "__kernel void twice(__global const uchar *in, __global uchar *out) {\n"
                            "  out[get_global_id(0)] = 2 * in[get_global_id(0)];\n"
                            "}\n";
static void show(const unsigned char *data) {
  unsigned long sum = 1469598103934665603ul;
  for (int i = 0; i < N; ++i)
    sum = (sum ^ data[i]) * 1099511628211ul;
  printf("%016lx\n", sum);
}
static void launch(cl_mem out, unsigned char *result) {
  size_t n = N;
  clSetKernelArg(kernel, 1, sizeof(out), &out);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, out, CL_TRUE, 0, N, result, 0, NULL, NULL);
  show(result);
}
static void fill(unsigned char *to, int n, int seed) {
  for (int i = 0; i < n; ++i)
    to[i] = (unsigned char)(seed + i * i);
}
static void fillByStep(unsigned char *to, int n, int seed) {
  while (n-- > 0)
    *to++ = (unsigned char)(seed ^ n);
}
static void fillAndKeep(unsigned char *to, int n, int seed) {
  last = to;
  fill(to, n, seed);
}
/* Fixed. */
static void declared(cl_mem out, unsigned char *result) {
  cl_int error;
  unsigned char *data = (unsigned char *)malloc(N);
  if (data == NULL)
    return;
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, N, data, &error);
    if (error != CL_SUCCESS)
      abort();
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  free(data);
}
/* Fixed: the first iteration fills all of it, the others a part. The contents stay. */
static void assigned(cl_mem out, unsigned char *result, int rounds) {
  size_t bytes = N * sizeof(unsigned char);
  cl_mem in;
  unsigned char *data = NULL;
  data = (unsigned char *)malloc(bytes);
  int i = 0;
  while (i < rounds) {
    int many = i ? 10 : N;
    if (i != 1)
      fillByStep(data, many, i);
    else
      memset(&data[5], i, 3);
    data[0] += i;
    in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &in);
    launch(out, result);
    clReleaseMemObject(in);
    ++i;
  }
  if (data)
    free(data);
}
/* Fixed. */
static void atLeastOnce(cl_mem out, unsigned char *result) {
  unsigned char *const data = (unsigned char *)malloc(N); int i = 0;
  do {
    fill(data + 100, N - 100, i);
    fillByStep(data, 100, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &in);
    launch(out, result);
    clReleaseMemObject(in); /* the kernel is done */
  } while (++i < Rounds); free(data);
}
/* Both are fixed, by one run. */
static void both(cl_mem out, unsigned char *result) {
  cl_int error = CL_SUCCESS;
  unsigned char *even = (unsigned char *)malloc(N), *odd = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds && error == CL_SUCCESS; ++i) {
    fill(even, N, i);
    fill(odd, N, -i);
    cl_mem first = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, even, &error);
    cl_mem second = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, odd, &error);
    clSetKernelArg(kernel, 0, sizeof(first), &first);
    launch(out, result);
    clSetKernelArg(kernel, 0, sizeof(second), &second);
    launch(out, result);
    clReleaseMemObject(first);
    clReleaseMemObject(second);
  }
  free(even);
  free(odd);
}
/* Not fixed, as everything below: the pointer is read while the buffer exists. */
static void readBack(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    show(data);
    clReleaseMemObject(in);
  }
  free(data);
}
/* A function keeps the pointer. */
static void kept(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fillAndKeep(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  show(last);
  free(data);
}
/* The pointer has another name. */
static void aliased(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    unsigned char *same = data;
    fill(same, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    show(same);
    clReleaseMemObject(in);
  }
  free(data);
}
/* There are contents before the loop. */
static void cleared(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)calloc(N, 1);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, 10, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  free(data);
}
static void filledBefore(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  fill(data, N, 7);
  for (int i = 0; i < Rounds; ++i) {
    data[i] = 0;
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  free(data);
}
/* The contents are read behind the loop. */
static void usedBehind(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  show(data);
  free(data);
}
/* An iteration may end before the buffer is made. */
static void skipped(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    if (data[3] == 10)
      continue;
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  free(data);
}
/* An iteration may leave the buffer. */
static void leaked(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    if (i != 1)
      clReleaseMemObject(in);
  }
  free(data);
}
/* The size differs from one iteration to the next. */
static void grows(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N + Rounds);
  size_t bytes = N;
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    ++bytes;
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  free(data);
}
/* Another buffer over the same memory. */
static void twoBuffers(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem other = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, N, data, NULL);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
    clReleaseMemObject(other);
  }
  free(data);
}
/* A function has the buffer. */
static void passedOn(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    launch(in, result);
    clReleaseMemObject(in);
  }
  free(data);
}
/* The memory outlives the loop: its contents reach the next round of the outer one. */
static void inner(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int k = 0; k < 2; ++k)  {
    for (int i = 0; i < Rounds; ++i) {
      fill(data, k ? 10 : N, i);
      cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
      clSetKernelArg(kernel, 0, sizeof(in), &in);
        launch(out, result);
      clReleaseMemObject(in);
    }
  }
  free(data);
}
/* The other branch of the preprocessor is not seen. */
static void conditional(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
#ifdef SHOW_ALL
    show(data);
#endif
    clReleaseMemObject(in);
  }
  free(data);
}
/* Another variable of that name. */
static void hidden(cl_mem out, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  int in = 5;
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, in);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    launch(out, result);
    clReleaseMemObject(in);
  }
  free(data);
}
/* Another queue, for all that is known. */
static void elsewhere(cl_command_queue other, unsigned char *result) {
  unsigned char *data = (unsigned char *)malloc(N);
  size_t n = N;
  for (int i = 0; i < Rounds; ++i) {
    fill(data, N, i);
    cl_mem in = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, data, NULL);
    clSetKernelArg(kernel, 0, sizeof(in), &in);
    clEnqueueNDRangeKernel(other, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(other, in, CL_TRUE, 0, N, result, 0, NULL, NULL);
    show(result);
    clReleaseMemObject(in);
  }
  free(data);
}
int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  unsigned char result[N];
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 1, &device, "", NULL, NULL);
  kernel = clCreateKernel(program, "twice", NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, N, NULL, NULL);
  declared(out, result);
  assigned(out, result, 3);
  atLeastOnce(out, result);
  both(out, result);
  readBack(out, result);
  kept(out, result);
  aliased(out, result);
  cleared(out, result);
  filledBefore(out, result);
  usedBehind(out, result);
  skipped(out, result);
  leaked(out, result);
  grows(out, result);
  twoBuffers(out, result);
  passedOn(out, result);
  inner(out, result);
  conditional(out, result);
  hidden(out, result);
  elsewhere(queue, result);
  return 0;
}
