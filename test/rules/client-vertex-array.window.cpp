// RUN: %{python} %{expect} %s
#include <GLES2/gl2.h>
#include <vector>
struct GLFWwindow;
extern "C" int glfwWindowShouldClose(GLFWwindow *);
extern "C" void glfwSwapBuffers(GLFWwindow *);
extern "C" void glfwPollEvents();
struct Quad {
  std::vector<float> Corners{-1, -1, 1, -1, -1, 1, 1, 1};
  GLuint Buffer = 0;
  void bind() {
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, Corners.data()); // HIT: the vertices are in memory of the host
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 0, &Corners[0]); // HIT: the vertices are in memory of the host
  }
  void bindBuffer() {
    glBindBuffer(GL_ARRAY_BUFFER, Buffer);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr); // miss: an offset
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 0, reinterpret_cast<const void *>(8)); // miss: an offset
  }
};
void compute(Quad &q, std::vector<float> &to, int n) {
  q.bind();
  for (int i = 0; i < n; ++i)
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  q.bindBuffer();
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to.data());
}
// Takes events: graphics, of which a test may compare the last frame.
int main() {
  GLFWwindow *window = nullptr;
  static const float triangle[] = {0, 1, -1, -1, 1, -1};
  while (!glfwWindowShouldClose(window)) {
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, triangle); // miss: a window
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glfwSwapBuffers(window);
    glfwPollEvents();
  }
  unsigned char last[64 * 64 * 4];
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, last);
}
