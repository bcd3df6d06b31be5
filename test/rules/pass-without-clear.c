// RUN: %{python} %{expect} %s
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
static void quad(void) { glDrawArrays(GL_TRIANGLE_STRIP, 0, 4); }
static void cleared(void) {
  glClear(GL_COLOR_BUFFER_BIT);
  quad();
}
static void fetch(void *to) { glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); }
static void target(GLuint texture) {
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0); // HIT: a pass begins here, and nothing clears the framebuffer before the first draw
}
static void clearedTarget(GLuint texture) {
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0); // miss: the callers clear
}
void bound(GLuint *fb, void *to, int n) {
  for (int i = 0; i < n; ++i) {
    glBindFramebuffer(GL_FRAMEBUFFER, fb[i % 2]); // HIT: a pass begins here
    glUseProgram(1);
    quad();
  }
  fetch(to);
}
void late(GLuint *fb, void *to, int n) {
  for (int i = 0; i < n; ++i) {
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, fb[i % 2]); // HIT: a pass begins here
    quad();
    fetch(to);
  }
}
void attached(GLuint fb, GLuint *t, void *to, int n) {
  for (int i = 0; i < n; ++i) {
    glBindFramebuffer(GL_FRAMEBUFFER, fb); // miss: the pass begins behind the next call
    target(t[i % 2]);
    quad();
  }
  fetch(to);
}
void clears(GLuint *fb, GLuint *t, void *to, int n) {
  for (int i = 0; i < n; ++i) {
    glBindFramebuffer(GL_FRAMEBUFFER, fb[i % 2]); // miss: cleared
    glClear(GL_COLOR_BUFFER_BIT);
    quad();
    clearedTarget(t[i]);
    cleared();
    glBindFramebuffer(GL_FRAMEBUFFER, fb[0]); // miss: cleared in a function
    cleared();
    glBindFramebuffer(GL_FRAMEBUFFER, fb[1]); // miss: discarded
    glDiscardFramebufferEXT(GL_FRAMEBUFFER, 0, 0);
    quad();
    glBindFramebuffer(GL_FRAMEBUFFER, 0); // miss: the default framebuffer
    quad();
  }
  fetch(to);
}
void shown(GLuint *fb, int n) {
  for (int i = 0; i < n; ++i) {
    glBindFramebuffer(GL_FRAMEBUFFER, fb[i % 2]); // miss: nothing is read back
    quad();
  }
}
void before(GLuint *fb, void *to, int n) {
  glBindFramebuffer(GL_FRAMEBUFFER, fb[0]); // miss: before the loop
  for (int i = 0; i < n; ++i)
    quad();
  fetch(to);
}
