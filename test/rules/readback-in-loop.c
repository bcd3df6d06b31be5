// RUN: %{python} %{expect} %s
#include <GLES2/gl2.h>
static void step(void) { glDrawArrays(GL_TRIANGLE_STRIP, 0, 4); }
void read(void *to, int n) {
  for (int i = 0; i < n; ++i) {
    step();
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // HIT: glReadPixels waits for the GPU in a loop
  }
}
static void wait(void) {
  glFinish(); // HIT: glFinish waits for the GPU in 'wait', which is called in a loop
}
void waits(void *to, int n) {
  do {
    step();
    wait();
  } while (--n);
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: behind the loop
}
void last(void *to, int n) {
  for (int i = 0; i < n; ++i) {
    step();
    if (i == n - 1)
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: of the last iteration
  }
  glFinish(); // miss: behind the loop
}
int next(void);
void video(void *to) {
  int kind;
  while ((kind = next())) {
    if (kind == 1) {
      step();
      glFinish(); // HIT: glFinish waits for the GPU in a loop
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // HIT: glReadPixels waits for the GPU in a loop
    }
  }
}
void picture(void *to) {
  int kind;
  while ((kind = next())) {
    step();
    if (kind == 's')
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: a picture of what is drawn
  }
}
void closing(void *to, int n) {
  for (int i = 0; i < n; ++i) {
    if (i == n - 1) {
      step();
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: of the last iteration
    }
  }
}
void glfwPollEvents(void);
void printed(void *to) {
  for (;;) {
    glfwPollEvents();
    if (next()) {
      step();
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: what a user asks for
    }
  }
}
void drawn(int n) {
  for (int i = 0; i < n; ++i) {
    step();
    glFinish(); // miss: no results: graphics, or a test of speed
  }
}
void searched(void *to, int n) {
  for (int i = 0; i < n; ++i) {
    step();
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: the loop ends here
    return;
  }
}
void only(void *to, int n) {
  for (int i = 0; i < n; ++i)
    glReadPixels(0, 64 * i, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); // miss: the loop draws nothing
}
