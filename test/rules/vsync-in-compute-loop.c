// RUN: %{python} %{expect} %s
#include <EGL/egl.h>
#include <GLES2/gl2.h>
static void present(EGLDisplay d, EGLSurface s) {
  eglSwapBuffers(d, s); // HIT: eglSwapBuffers waits for the display in 'present', which is called in a loop
}
void passes(EGLDisplay d, EGLSurface s, void *to, int n) {
  for (int i = 0; i < n; ++i) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    eglSwapBuffers(d, s); // HIT: eglSwapBuffers waits for the display in a loop
  }
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
void wrapped(EGLDisplay d, EGLSurface s, void *to, int n) {
  while (n-- > 0) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
    present(d, s);
  }
}
int poll(void);
void game(EGLDisplay d, EGLSurface s) {
  while (poll()) {
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    eglSwapBuffers(d, s); // miss: shows frames
  }
}
void pictures(EGLDisplay d, EGLSurface s, void *to) {
  while (poll()) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    if (poll() == 2)
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
    eglSwapBuffers(d, s); // miss: shows frames
  }
}
void once(EGLDisplay d, EGLSurface s, void *to) {
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  eglSwapBuffers(d, s); // miss: once
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
