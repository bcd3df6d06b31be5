// Functions of a loader: macros for pointers, as glad and GLEW have them; a structure of pointers; wrappers of a
// project's own. The headers are missing.
#include <glad/gles2.h>
extern void (*glad_glTexImage2D)(int, int, int, int, int, int, unsigned, unsigned, const void *);
extern void (*glad_glDrawArrays)(unsigned, int, int);
extern void (*__glewReadPixels)(int, int, int, int, unsigned, unsigned, void *);
struct functions {
  void (*glGenTextures)(int, unsigned *);
  void (*glDrawArrays)(unsigned, int, int);
  void (*glReadPixels)(int, int, int, int, unsigned, unsigned, void *);
};
#define glTexImage2D glad_glTexImage2D
#define glDrawArrays glad_glDrawArrays
#define glReadPixels __glewReadPixels
void passes(const void *data, void *to, int n) {
  do {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, data); // found
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
  } while (--n);
}
#undef glDrawArrays
#undef glReadPixels
void table(struct functions *gl, void *to, int n) {
  unsigned t;
  for (;;) {
    gl->glGenTextures(1, &t); // found
    gl->glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl->glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
    if (!--n)
      break;
  }
}
void shown(struct functions *gl, int n) {
  unsigned t;
  for (; n; --n) {
    gl->glGenTextures(1, &t);
    gl->glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
}
void others(struct functions *gl, void *to, int n) {
  unsigned t[4];
  gl->glGenTextures(4, t);
  for (; n; --n) {
    gl->glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl->glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
  }
}
