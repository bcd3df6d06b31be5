#include <GLES2/gl2.h>
void accumulate(GLuint *fb, void *to, int n) {
  glEnable(GL_BLEND);
  for (int i = 0; i < n; ++i) {
    glBindFramebuffer(GL_FRAMEBUFFER, fb[i % 2]);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
