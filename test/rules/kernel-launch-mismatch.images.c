// RUN: %{python} %{expect} %s
#include <CL/cl.h>
#include <string.h>
static const char *source =
    "__kernel void layers(__read_only image2d_array_t a, __write_only image2d_t b) {\n"
    "  write_imagef(b, (int2)(0, 0), read_imagef(a, CLK_FILTER_NEAREST, (int4)(0))); }\n"
    "__kernel void flat(__read_only image2d_t a, __global float4 *b) {\n"
    "  b[get_global_id(0)] = read_imagef(a, CLK_FILTER_NEAREST, (int2)(0, 0)); }\n"
    "__kernel void deep(__read_only image3d_t a, sampler_t s, __global float4 *b) {\n"
    "  b[get_global_id(0)] = read_imagef(a, s, (int4)(0)); }\n"
    "__kernel void open(__read_only image2d_t a, __global float4 *b) {\n"
    "  b[get_global_id(0)] = read_imagef(a, CLK_FILTER_NEAREST, (int2)(0, 0)); }\n";
void images(cl_context c, cl_program p, cl_command_queue q, cl_mem given, size_t n, int three) {
  cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc;
  memset(&desc, 0, sizeof(desc));
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 64;
  cl_mem image = clCreateImage(c, CL_MEM_READ_ONLY, &format, &desc, NULL, NULL);
  cl_image_desc stack = {CL_MEM_OBJECT_IMAGE2D_ARRAY, 64, 64, 1, 4};
  cl_mem array = clCreateImage(c, CL_MEM_READ_ONLY, &format, &stack, NULL, NULL);
  cl_image_desc open_desc = {0};
  open_desc.image_type = three ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
  cl_mem either = clCreateImage(c, CL_MEM_READ_ONLY, &format, &open_desc, NULL, NULL);
  cl_mem buffer = clCreateBuffer(c, CL_MEM_READ_WRITE, n, NULL, NULL);
  cl_sampler sampler = clCreateSampler(c, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);

  cl_kernel layers = clCreateKernel(p, "layers", NULL);
  clSetKernelArg(layers, 0, sizeof(cl_mem), &image); // HIT: argument 0, 'a' takes an array of two-dimensional images, and is given a two-dimensional image
  clSetKernelArg(layers, 0, sizeof(cl_mem), &array); // miss: an array of images
  clSetKernelArg(layers, 1, sizeof(cl_mem), &image); // miss: an image
  clEnqueueNDRangeKernel(q, layers, 1, NULL, &n, NULL, 0, NULL, NULL);

  cl_kernel flat = clCreateKernel(p, "flat", NULL);
  clSetKernelArg(flat, 0, sizeof(cl_mem), &buffer); // HIT: argument 0, 'a' takes a two-dimensional image, and is given a buffer
  clSetKernelArg(flat, 1, sizeof(cl_mem), &image);  // HIT: argument 1, 'b' takes a buffer, and is given a two-dimensional image
  clSetKernelArg(flat, 0, sizeof(cl_mem), &image);  // miss: an image
  clSetKernelArg(flat, 1, sizeof(cl_mem), &buffer); // miss: a buffer
  clEnqueueNDRangeKernel(q, flat, 1, NULL, &n, NULL, 0, NULL, NULL);

  cl_kernel deep = clCreateKernel(p, "deep", NULL);
  clSetKernelArg(deep, 0, sizeof(cl_mem), &either);      // miss: which of the two is not known
  clSetKernelArg(deep, 1, sizeof(cl_sampler), &sampler); // miss: a sampler
  clSetKernelArg(deep, 2, sizeof(cl_sampler), &sampler); // HIT: argument 2, 'b' takes a buffer, and is given a sampler
  clSetKernelArg(deep, 2, sizeof(cl_mem), &given);       // miss: made elsewhere
  clEnqueueNDRangeKernel(q, deep, 1, NULL, &n, NULL, 0, NULL, NULL);

  cl_kernel open = clCreateKernel(p, "open", NULL);
  desc.image_width = 32;
  clSetKernelArg(open, 0, sizeof(cl_mem), &given); // miss: made elsewhere
  clSetKernelArg(open, 1, sizeof(cl_mem), &buffer);
  clEnqueueNDRangeKernel(q, open, 1, NULL, &n, NULL, 0, NULL, NULL);
}
