/* clbuild.c - builds OpenCL C files and creates every kernel in them, on the first GPU of the
 * first platform.
 *
 * Usage: clbuild JOBS. JOBS is a text file with one job for each line: the file, a tab, the build
 * options. The driver prints its own statistics on standard error. This program adds there:
 *   clbuild: device NAME | version TEXT
 *   clbuild: begin N                         (job N starts; N counts from 0)
 *   clbuild: log begin / TEXT / clbuild: log end
 *   clbuild: failed TEXT                     (job N has no kernels)
 *   clbuild: kernel NAME group=WORK-ITEMS private=BYTES local=BYTES subgroup=WORK-ITEMS
 *   clbuild: end N
 * Exit status: 0 all jobs were started, 2 there is no device or JOBS is wrong. A job that fails
 * does not change it.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define _GNU_SOURCE
#include <CL/cl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(const char *what, cl_int code) {
  fprintf(stderr, "clbuild: failed %s: %d\n", what, code);
}

static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return NULL;
  size_t room = 1 << 20, n = 0, r;
  char *text = malloc(room);
  while (text && (r = fread(text + n, 1, room - n - 1, f)) > 0)
    if ((n += r) + 1 >= room)
      text = realloc(text, room *= 2);
  fclose(f);
  if (text)
    text[n] = 0;
  *size = n;
  return text;
}

static void print_log(cl_program program, cl_device_id device) {
  size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = calloc(1, size + 1);
  if (log && size > 1)
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  if (log && *log)
    fprintf(stderr, "clbuild: log begin\n%s\nclbuild: log end\n", log);
  free(log);
}

static void print_kernel(cl_kernel kernel, cl_device_id device) {
  char name[1024] = "?";
  size_t group = 0, subgroup = 0;
  cl_ulong private_bytes = 0, local_bytes = 0;
  clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private_bytes,
                           &private_bytes, NULL);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
                           &local_bytes, NULL);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                           sizeof subgroup, &subgroup, NULL);
  fprintf(stderr, "clbuild: kernel %s group=%zu private=%llu local=%llu subgroup=%zu\n", name,
          group, (unsigned long long)private_bytes, (unsigned long long)local_bytes, subgroup);
}

static void build(cl_context context, cl_device_id device, const char *path, const char *options) {
  size_t size = 0;
  char *source = read_file(path, &size);
  if (!source) {
    fail("to read the source", 0);
    return;
  }
  cl_int code;
  cl_program program =
      clCreateProgramWithSource(context, 1, (const char **)&source, &size, &code);
  if (code) {
    fail("clCreateProgramWithSource", code);
    return;
  }
  code = clBuildProgram(program, 1, &device, options, NULL, NULL);
  print_log(program, device);
  cl_uint count = 0;
  if (code) {
    fail("clBuildProgram", code);
    return;
  }
  if ((code = clCreateKernelsInProgram(program, 0, NULL, &count)) || !count) {
    fail("clCreateKernelsInProgram", code);
    return;
  }
  cl_kernel *kernels = calloc(count, sizeof *kernels);
  if (!kernels || (code = clCreateKernelsInProgram(program, count, kernels, NULL))) {
    fail("clCreateKernelsInProgram", code);
    return;
  }
  for (cl_uint i = 0; i < count; i++) {
    print_kernel(kernels[i], device);
    clReleaseKernel(kernels[i]);
  }
  free(kernels);
  clReleaseProgram(program);
  free(source);
}

static int incomplete(const char *path, const struct stat *s, int type) {
  (void)s;
  (void)type;
  size_t n = strlen(path);
  return n > 4 && !strcmp(path + n - 4, ".tmp");
}

/* With CLMALI_SETTLE: waits until the driver has stored what it compiled. It does so in the
 * background, and an exit before the end leaves an entry as a .tmp file. */
static void settle(void) {
  const char *cache = getenv("MESA_SHADER_CACHE_DIR");
  if (!cache || !getenv("CLMALI_SETTLE"))
    return;
  for (int seconds = 0; seconds < 120; seconds += 2) {
    sleep(2);
    if (!ftw(cache, incomplete, 16))
      return;
  }
}

int main(int argc, char **argv) {
  size_t size = 0;
  char *jobs = argc == 2 ? read_file(argv[1], &size) : NULL;
  if (!jobs) {
    fail("usage: clbuild JOBS", 0);
    return 2;
  }
  cl_int code;
  cl_uint count = 0;
  cl_platform_id platform;
  cl_device_id device;
  if ((code = clGetPlatformIDs(1, &platform, &count)) || !count) {
    fail("clGetPlatformIDs", code);
    return 2;
  }
  if ((code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, &count)) || !count) {
    fail("clGetDeviceIDs", code);
    return 2;
  }
  char name[256] = "?", version[256] = "?";
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
  clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version, version, NULL);
  fprintf(stderr, "clbuild: device %s | version %s\n", name, version);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  if (code) {
    fail("clCreateContext", code);
    return 2;
  }
  int number = 0;
  for (char *line = strtok(jobs, "\n"); line; line = strtok(NULL, "\n"), number++) {
    char *options = strchr(line, '\t');
    if (options)
      *options++ = 0;
    fprintf(stderr, "clbuild: begin %d\n", number);
    build(context, device, line, options ? options : "");
    fprintf(stderr, "clbuild: end %d\n", number);
    fflush(NULL);
  }
  settle();
  fflush(NULL);
  _Exit(0); /* without the driver's tear-down, which takes time and can crash */
}
