/* A camera pipeline as it is first written for a desktop: each frame is made grey and sharpened on the device, and a
 * checksum of each result is printed. "MISTAKE" marks the lines that cost time on Mali and PowerVR, with the rule. camera_mapped.c
 * is the same program without them. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { Width = 1009, Height = 64, Frames = 3 };

static const char *source =
    "__kernel void grey(__global const uchar *rgb, __global uchar *out, int width) {\n"
    "  int i = get_global_id(1) * width + get_global_id(0);\n"
    "  out[i] = (uchar)((rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29) >> 8);\n"
    "}\n"
    "__kernel void sharpen(__global const uchar *in, __global uchar *out, int width, int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  int i = y * width + x;\n"
    "  int v = in[i];\n"
    "  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)\n"
    "    v = 5 * v - in[i - 1] - in[i + 1] - in[i - width] - in[i + width];\n"
    "  out[i] = (uchar)clamp(v, 0, 255);\n"
    "}\n";

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "camera: %s: %d\n", what, status);
    exit(2);
  }
}

/* What the camera's driver would deliver. */
static void nextFrame(unsigned char *frame, int number) {
  unsigned state = 12345u + (unsigned)number;
  for (int i = 0; i < 3 * Width * Height; ++i) {
    state = state * 1664525u + 1013904223u;
    frame[i] = (unsigned char)(state >> 24);
  }
}

static unsigned long checksum(const unsigned char *data, size_t n) {
  unsigned long sum = 1469598103934665603ul;
  for (size_t i = 0; i < n; ++i)
    sum = (sum ^ data[i]) * 1099511628211ul;
  return sum;
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "no platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");

  unsigned char *frame = (unsigned char *)malloc(3 * Width * Height);
  unsigned char *result = (unsigned char *)malloc(Width * Height);
  size_t global[2] = {Width, Height};
  int width = Width, height = Height;
  for (int number = 0; number < Frames; ++number) {
    nextFrame(frame, number);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error); /* MISTAKE: program-build-in-loop program-not-cached */
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build"); /* MISTAKE: program-build-in-loop */
    cl_kernel grey = clCreateKernel(program, "grey", &error); /* MISTAKE: program-build-in-loop late-kernel-create */
    cl_kernel sharpen = clCreateKernel(program, "sharpen", &error); /* MISTAKE: program-build-in-loop */
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, 3 * Width * Height, frame, &error); /* MISTAKE: buffer-in-loop use-host-ptr */
    cl_mem middle = clCreateBuffer(context, CL_MEM_READ_WRITE, Width * Height, NULL, &error); /* MISTAKE: buffer-in-loop */
    cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, Width * Height, NULL, &error); /* MISTAKE: buffer-in-loop */
    check(error, "buffer");

    clSetKernelArg(grey, 0, sizeof(in), &in);
    clSetKernelArg(grey, 1, sizeof(middle), &middle);
    clSetKernelArg(grey, 2, sizeof(width), &width);
    check(clEnqueueNDRangeKernel(queue, grey, 2, NULL, global, NULL, 0, NULL, NULL), "grey"); /* MISTAKE: null-local-size prime-work-size */
    clFinish(queue); /* MISTAKE: finish-in-loop */
    clSetKernelArg(sharpen, 0, sizeof(middle), &middle);
    clSetKernelArg(sharpen, 1, sizeof(out), &out);
    clSetKernelArg(sharpen, 2, sizeof(width), &width);
    clSetKernelArg(sharpen, 3, sizeof(height), &height);
    check(clEnqueueNDRangeKernel(queue, sharpen, 2, NULL, global, NULL, 0, NULL, NULL), "sharpen"); /* MISTAKE: null-local-size prime-work-size */
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, Width * Height, result, 0, NULL, NULL), "read"); /* MISTAKE: read-write-buffer finish-in-loop unified-memory-not-queried */
    printf("frame %d: %016lx\n", number, checksum(result, Width * Height));

    clReleaseMemObject(in);
    clReleaseMemObject(middle);
    clReleaseMemObject(out);
    clReleaseKernel(grey);
    clReleaseKernel(sharpen);
    clReleaseProgram(program);
  }
  free(frame);
  free(result);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
