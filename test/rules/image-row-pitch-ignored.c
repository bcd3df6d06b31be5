// RUN: %{python} %{expect} %s
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>
void upload(cl_command_queue q, cl_mem img, const void *pixels, size_t w, size_t h) {
  size_t origin[3] = {0, 0, 0}, region[3] = {w, h, 1}, pitch = 0;
  void *to = clEnqueueMapImage(q, img, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL, NULL, NULL); // HIT: the row pitch that clEnqueueMapImage returns is not used
  memcpy(to, pixels, w * h * 4);
  clEnqueueUnmapMemObject(q, img, to, 0, NULL, NULL);
}
void download(cl_command_queue q, cl_mem img, unsigned char *to, size_t w, size_t h) {
  size_t origin[3] = {0, 0, 0}, region[3] = {w, h, 1}, row_pitch, slice_pitch;
  cl_int e;
  unsigned char *from;
  from = (unsigned char *)clEnqueueMapImage(q, img, CL_TRUE, CL_MAP_READ, origin, region, &row_pitch, &slice_pitch, 0, NULL, NULL, &e); // HIT: the row pitch that clEnqueueMapImage returns is not used
  for (size_t i = 0; i < w * h; ++i)
    to[i] = from[i];
}

void by_rows(cl_command_queue q, cl_mem img, const char *pixels, size_t w, size_t h) {
  size_t origin[3] = {0, 0, 0}, region[3] = {w, h, 1}, pitch;
  char *to = clEnqueueMapImage(q, img, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL, NULL, NULL); // miss: each row begins at the pitch
  for (size_t y = 0; y < h; ++y)
    memcpy(to + y * pitch, pixels + y * w * 4, w * 4);
}
void checked(cl_command_queue q, cl_mem img, const char *pixels, size_t w, size_t h) {
  size_t origin[3] = {0, 0, 0}, region[3] = {w, h, 1}, pitch;
  char *to = clEnqueueMapImage(q, img, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL, NULL, NULL); // miss: the pitch is tested
  if (pitch != w * 4)
    abort();
  memcpy(to, pixels, w * h * 4);
}
void *handed_on(cl_command_queue q, cl_mem img, size_t w, size_t h, size_t *pitch) {
  size_t origin[3] = {0, 0, 0}, region[3] = {w, h, 1};
  return clEnqueueMapImage(q, img, CL_TRUE, CL_MAP_READ, origin, region, pitch, NULL, 0, NULL, NULL, NULL); // miss: the caller has it
}
