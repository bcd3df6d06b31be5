#include <EGL/egl.h>
#include <GLES2/gl2.h>
static void start(EGLDisplay d) { eglSwapInterval(d, 0); }
void passes(EGLDisplay d, EGLSurface s, void *to, int n) {
  start(d);
  for (int i = 0; i < n; ++i) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    eglSwapBuffers(d, s);
  }
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
