/* An OpenCL layer that counts the bytes that the program has the runtime copy between memory of the host and buffers:
 *   - reads and writes of buffers,
 *   - for each launch, the buffers over memory of the host (CL_MEM_USE_HOST_PTR) among its arguments: a GPU that cannot
 *     map that memory copies them in, and out if the kernel may write them.
 * At exit it prints "copied N" to the file that COUNT_FILE names. The loader takes it by OPENCL_LAYERS.
 * Limits: one context; arguments are set before each launch, as the programs here do; at most 64 buffers and kernels. */
#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Most = 64 };

static const cl_icd_dispatch *target;
static cl_icd_dispatch own;
static unsigned long long copied;

static struct {
  cl_mem buffer;
  size_t size;
  int writable;
} overHost[Most];
static int buffers;

static struct {
  cl_kernel kernel;
  cl_mem arguments[Most];
} uses[Most];
static int kernels;

static cl_mem CL_API_CALL createBuffer(cl_context c, cl_mem_flags flags, size_t size, void *data, cl_int *error) {
  cl_mem made = target->clCreateBuffer(c, flags, size, data, error);
  if (made && (flags & CL_MEM_COPY_HOST_PTR))
    copied += size;
  if (made && (flags & CL_MEM_USE_HOST_PTR) && buffers < Most) {
    overHost[buffers].buffer = made;
    overHost[buffers].size = size;
    overHost[buffers++].writable = !(flags & CL_MEM_READ_ONLY);
  }
  return made;
}

static cl_int CL_API_CALL releaseBuffer(cl_mem buffer) {
  for (int i = 0; i < buffers; ++i)
    if (overHost[i].buffer == buffer)
      overHost[i--] = overHost[--buffers];
  return target->clReleaseMemObject(buffer);
}

static cl_int CL_API_CALL writeBuffer(cl_command_queue q, cl_mem b, cl_bool blocking, size_t offset, size_t size,
                                      const void *data, cl_uint n, const cl_event *waits, cl_event *event) {
  copied += size;
  return target->clEnqueueWriteBuffer(q, b, blocking, offset, size, data, n, waits, event);
}

static cl_int CL_API_CALL readBuffer(cl_command_queue q, cl_mem b, cl_bool blocking, size_t offset, size_t size,
                                     void *data, cl_uint n, const cl_event *waits, cl_event *event) {
  copied += size;
  return target->clEnqueueReadBuffer(q, b, blocking, offset, size, data, n, waits, event);
}

static cl_int CL_API_CALL setArgument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  int k = 0;
  while (k < kernels && uses[k].kernel != kernel)
    ++k;
  if (k == kernels && kernels < Most)
    uses[kernels++].kernel = kernel;
  if (k < kernels && index < Most) {
    uses[k].arguments[index] = NULL;
    if (value && size == sizeof(cl_mem))
      memcpy(&uses[k].arguments[index], value, size);
  }
  return target->clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL launch(cl_command_queue q, cl_kernel kernel, cl_uint dims, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint n, const cl_event *waits,
                                 cl_event *event) {
  for (int k = 0; k < kernels; ++k)
    for (int a = 0; uses[k].kernel == kernel && a < Most; ++a)
      for (int i = 0; uses[k].arguments[a] && i < buffers; ++i)
        if (overHost[i].buffer == uses[k].arguments[a])
          copied += overHost[i].size * (overHost[i].writable ? 2 : 1);
  return target->clEnqueueNDRangeKernel(q, kernel, dims, offset, global, local, n, waits, event);
}

static void report(void) {
  const char *name = getenv("COUNT_FILE");
  FILE *f = name ? fopen(name, "w") : NULL;
  if (!f)
    return;
  fprintf(f, "copied %llu\n", copied);
  fclose(f);
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *needed) {
  static const char shown[] = "count";
  cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void *from = name == CL_LAYER_API_VERSION ? (const void *)&version : shown;
  size_t bytes = name == CL_LAYER_API_VERSION ? sizeof(version) : sizeof(shown);
  if (needed)
    *needed = bytes;
  if (value && size >= bytes)
    memcpy(value, from, bytes);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *below, cl_uint *ownCount,
                                            const cl_icd_dispatch **ownDispatch) {
  size_t bytes = count * sizeof(void *);
  if (bytes > sizeof(own))
    bytes = sizeof(own);
  target = below;
  memcpy(&own, below, bytes);
  own.clCreateBuffer = createBuffer;
  own.clReleaseMemObject = releaseBuffer;
  own.clEnqueueWriteBuffer = writeBuffer;
  own.clEnqueueReadBuffer = readBuffer;
  own.clSetKernelArg = setArgument;
  own.clEnqueueNDRangeKernel = launch;
  *ownCount = (cl_uint)(bytes / sizeof(void *));
  *ownDispatch = &own;
  atexit(report);
  return CL_SUCCESS;
}
