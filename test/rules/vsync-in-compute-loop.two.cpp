// RUN: %{python} %{expect} %s --no-balance
#include <EGL/egl.h>
#include <GLES2/gl2.h>
void passes(EGLDisplay d, EGLSurface s, void *to, int n) {
  eglSwapInterval(d, 2);
  for (int i = 0; i < n; ++i) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    eglSwapBuffers(d, s); // HIT: eglSwapBuffers waits for the display in a loop
  }
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
