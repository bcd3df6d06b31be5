// RUN: %{python} %{expect} %s
// A whole program: the context is made by a function that main calls, errors end it, the loop measures time.
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static EGLDisplay display;
static int start(void) {
  const EGLint none[] = {EGL_NONE};
  EGLConfig config = 0;
  display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (!eglInitialize(display, 0, 0))
    return 1;
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, none);
  return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) ? 0 : 1;
}
static unsigned compare(const unsigned char *a, int n) {
  unsigned wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += a[i] != 7;
  return wrong;
}
int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 64, rounds = argc > 2 ? atoi(argv[2]) : 10;
  unsigned char *result = malloc(4 * n * n);
  if (start() != 0) {
    fprintf(stderr, "no context\n");
    return 1;
  }
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glFinish(); // miss: before the loop
  double all = 0;
  for (int round = 0; round < rounds; ++round) {
    clock_t begin = clock();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glFinish(); // HIT: glFinish waits for the GPU in a loop
    all += (double)(clock() - begin);
  }
  glReadPixels(0, 0, n, n, GL_RGBA, GL_UNSIGNED_BYTE, result); // miss: behind the loop
  printf("%g %u\n", all, compare(result, 4 * n * n));
  return 0;
}
