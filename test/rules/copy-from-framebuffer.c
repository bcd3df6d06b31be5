// RUN: %{python} %{expect} %s
#include <GLES2/gl2.h>
void again(void *to, int n) {
  for (int i = 0; i < n; ++i) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 64, 64, 0); // HIT: glCopyTexImage2D copies the result from the framebuffer into a texture in a loop
  }
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
static void keep(GLuint texture) {
  glBindTexture(GL_TEXTURE_2D, texture);
  glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 64, 64); // HIT: glCopyTexSubImage2D copies the result from the framebuffer into a texture in 'keep', which is called in a loop
}
void helper(GLuint *textures, void *to, int n) {
  while (n--) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    keep(textures[n % 2]);
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
  }
}
void once(void *to) {
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 64, 64, 0); // miss: once
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
void reflection(int frames) {
  for (int i = 0; i < frames; ++i) {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 64, 64); // miss: an effect; nothing is read back
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
}
void levels(void *to, int n) {
  for (int i = 0; i < n; ++i)
    glCopyTexImage2D(GL_TEXTURE_2D, i, GL_RGBA, 0, 0, 64 >> i, 64 >> i, 0); // miss: the loop draws nothing
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
