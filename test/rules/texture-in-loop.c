// RUN: %{python} %{expect} %s
#include <GLES2/gl2.h>
#define GL(call)                                                                                   \
  do {                                                                                             \
    call;                                                                                          \
    if (glGetError())                                                                              \
      return;                                                                                      \
  } while (0)

void stream(const void **data, void *to, int n) {
  for (int i = 0; i < n; ++i) {
    GL(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, data[i])); // HIT: glTexImage2D allocates a texture in a loop
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    GL(glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to));
  }
}
void reuse(const void **data, void *to, int n) {
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, 0); // miss: once
  for (int i = 0; i < n; ++i) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, data[i]); // miss: reuses
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
  }
}
static GLuint make(int w, int h, const void *data) {
  GLuint t;
  glGenTextures(1, &t); // HIT: glGenTextures makes a texture in 'make', which is called in a loop
  glBindTexture(GL_TEXTURE_2D, t);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, data); // HIT: glTexImage2D allocates a texture in 'make', which is called in a loop
  return t;
}
static void draw(void) { glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, 0); }
void helpers(const void **data, void *to, int n) {
  while (n--) {
    GLuint t = make(64, 64, data[n]);
    draw();
    glDeleteTextures(1, &t);
  }
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
static GLuint makeOnce(const void *data) {
  GLuint t;
  glGenTextures(1, &t); // miss: called outside of the loop
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, data); // miss: called outside of the loop
  return t;
}
void setup(GLuint *t, const void **data, void *to, int n) {
  makeOnce(data[0]);
  for (int i = 0; i < n; ++i) {
    glGenTextures(1, &t[i]); // miss: one for each item, nothing is drawn
    glBindTexture(GL_TEXTURE_2D, t[i]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, data[i]); // miss: one for each item
  }
  for (int level = 0; level < 7; ++level)
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 64 >> level, 64 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, 0); // miss: mipmap levels
  for (int face = 0; face < 6; ++face)
    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, 0); // miss: faces of a cube
  for (int i = 0; i < n; ++i)
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
// A new size for each step of a reduction.
void sizes(void *to, int n) {
  for (int w = n; w > 1; w /= 2) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, w, w, 0, GL_RGBA, GL_UNSIGNED_BYTE, 0); // miss: the size differs
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
}
