#include <no/such/vision.h>
#include <CL/cl.h>
void run(cl_command_queue q, cl_mem m) {
  Mat picture = load("picture.png");
  int rows = picture.rows;
  clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof(uchar) * 3 * rows * WIDTH, picture.data, 0, NULL, NULL);
  clEnqueueWriteBuffer(q, m, CL_TRUE, 0, vision::size(rows), picture.data, 0, NULL, NULL);
}
