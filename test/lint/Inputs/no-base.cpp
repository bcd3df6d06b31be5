// A class whose base is unknown, pictures of a library that is not there, calls inside an unknown macro.
#include <no/such/vision.hpp>
#include <CL/cl.h>
class Filter : public samples::Base {
public:
  cv::Mat image;
  void run();
};
void Filter::run() {
  int width = image.size[0];
  auto in = clCreateBuffer(context, CL_MEM_READ_ONLY, width * image.rows, NULL, &this->err);
  this->err = clEnqueueWriteBuffer(this->queue, in, CL_TRUE, 0, width, image.data, 0, NULL, NULL);
  const size_t global[2] = {(size_t)width, 37};
  cv::Rect area(0, 0, 2, 2);
  CHECK_ALL("run" << name, clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, &event));
  for (auto &part : image.parts())
    device->getQueue().enqueueReadBuffer(part.buffer, CL_TRUE, 0, part.size(), part.data);
}
