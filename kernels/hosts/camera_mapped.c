/* The camera pipeline of camera.c for a GPU that shares the memory of the host: buffers of the driver that are mapped,
 * one build whose binary is stored, and groups of 64 work-items. "FINDING" marks what the linter still says: results are
 * shown frame by frame, so the host waits for each. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { Width = 1009, Height = 64, Frames = 3, GroupWidth = 16, GroupHeight = 4 };

static const char *source =
    "__kernel void grey(__global const uchar *rgb, __global uchar *out, int width) {\n"
    "  int x = get_global_id(0);\n"
    "  int i = get_global_id(1) * width + x;\n"
    "  if (x >= width)\n"
    "    return;\n"
    "  out[i] = (uchar)((rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29) >> 8);\n"
    "}\n"
    "__kernel void sharpen(__global const uchar *in, __global uchar *out, int width, int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  int i = y * width + x;\n"
    "  if (x >= width)\n"
    "    return;\n"
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

/* The program from its stored binary, else from source; then the binary is stored. */
static cl_program load(cl_context context, cl_device_id device, const char *file) {
  cl_int error;
  cl_program program = NULL;
  FILE *f = fopen(file, "rb");
  if (f) {
    static unsigned char stored[1 << 20];
    size_t size = fread(stored, 1, sizeof(stored), f);
    const unsigned char *text = stored;
    fclose(f);
    program = clCreateProgramWithBinary(context, 1, &device, &size, &text, NULL, &error);
    if (program && clBuildProgram(program, 1, &device, "-cl-fast-relaxed-math", NULL, NULL) == CL_SUCCESS)
      return program;
  }
  program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, "-cl-fast-relaxed-math", NULL, NULL), "build");
  size_t size = 0;
  clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL);
  unsigned char *binary = (unsigned char *)malloc(size);
  clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL);
  f = fopen(file, "wb");
  if (f) {
    fwrite(binary, 1, size, f);
    fclose(f);
  }
  free(binary);
  return program;
}

static void fill(cl_command_queue queue, cl_mem buffer, int number) {
  cl_int error;
  unsigned char *frame =
      (unsigned char *)clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 3 * Width * Height, 0, NULL, NULL, &error); /* FINDING: finish-in-loop */
  check(error, "map");
  nextFrame(frame, number);
  check(clEnqueueUnmapMemObject(queue, buffer, frame, 0, NULL, NULL), "unmap");
}

static void show(cl_command_queue queue, cl_mem buffer, int number) {
  cl_int error;
  unsigned char *result =
      (unsigned char *)clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, Width * Height, 0, NULL, NULL, &error); /* FINDING: finish-in-loop */
  check(error, "map");
  printf("frame %d: %016lx\n", number, checksum(result, Width * Height));
  check(clEnqueueUnmapMemObject(queue, buffer, result, 0, NULL, NULL), "unmap");
}

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "no platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program program = load(context, device, argc > 1 ? argv[1] : "camera.bin");
  cl_kernel grey = clCreateKernel(program, "grey", &error); /* FINDING: late-kernel-create */
  cl_kernel sharpen = clCreateKernel(program, "sharpen", &error);
  check(error, "kernel");

  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, 3 * Width * Height, NULL, &error);
  cl_mem middle = clCreateBuffer(context, CL_MEM_READ_WRITE, Width * Height, NULL, &error);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR, Width * Height, NULL, &error);
  check(error, "buffer");
  int width = Width, height = Height;
  clSetKernelArg(grey, 0, sizeof(in), &in);
  clSetKernelArg(grey, 1, sizeof(middle), &middle);
  clSetKernelArg(grey, 2, sizeof(width), &width);
  clSetKernelArg(sharpen, 0, sizeof(middle), &middle);
  clSetKernelArg(sharpen, 1, sizeof(out), &out);
  clSetKernelArg(sharpen, 2, sizeof(width), &width);
  clSetKernelArg(sharpen, 3, sizeof(height), &height);
  size_t local[2] = {GroupWidth, GroupHeight};
  size_t global[2] = {(Width + GroupWidth - 1) / GroupWidth * GroupWidth, Height};
  for (int number = 0; number < Frames; ++number) {
    fill(queue, in, number);
    check(clEnqueueNDRangeKernel(queue, grey, 2, NULL, global, local, 0, NULL, NULL), "grey");
    check(clEnqueueNDRangeKernel(queue, sharpen, 2, NULL, global, local, 0, NULL, NULL), "sharpen");
    show(queue, out, number);
  }
  clReleaseMemObject(in);
  clReleaseMemObject(middle);
  clReleaseMemObject(out);
  clReleaseKernel(grey);
  clReleaseKernel(sharpen);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
