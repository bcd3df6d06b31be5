// RUN: %{python} %{expect} %s
#include <GLES3/gl31.h>
#include <algorithm>
#include <vector>
void buffers(std::vector<GLuint> &pbos, int n) {
  for (int i = 0; i < n; ++i) {
    glBindBuffer(GL_PIXEL_PACK_BUFFER, pbos[i % 2]);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); // miss: into a buffer, without a wait
  }
}
void shaders(std::vector<float> &steps, void *to) {
  std::for_each(steps.begin(), steps.end(), [&](float) {
    glDispatchCompute(8, 8, 1);
    glFinish(); // HIT: glFinish waits for the GPU in a loop
  });
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: behind the loop
}
