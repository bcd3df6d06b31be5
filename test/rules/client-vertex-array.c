// RUN: %{python} %{expect} %s
#include <GLES2/gl2.h>
#include <stdlib.h>
#define BUFFER_OFFSET(n) ((char *)NULL + (n))
struct vertex { GLfloat x, y, u, v; GLfloat normal[3]; };
struct mesh { GLfloat corners[8]; };
static const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
static const struct vertex quad[4];
static void pass(void) {
  for (int i = 0; i < 8; ++i)
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
static void fetch(void *to) { glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to); }

void array(void *to) {
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners); // HIT: the vertices are in memory of the host
  pass();
  fetch(to);
}
void address(void *to) {
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(struct vertex), &quad[0].x); // HIT: the vertices are in memory of the host
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 0, corners + 2); // HIT: the vertices are in memory of the host
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 0, (const void *)&corners[0]); // HIT: the vertices are in memory of the host
  pass();
  fetch(to);
}
void member(struct mesh *m, void *to) {
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, m->corners); // HIT: the vertices are in memory of the host
  pass();
  fetch(to);
}
void allocated(void *to) {
  GLfloat *made = malloc(8 * sizeof(GLfloat));
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, made); // HIT: the vertices are in memory of the host
  pass();
  fetch(to);
}
void offsets(void *to, int n) {
  glBindBuffer(GL_ARRAY_BUFFER, 1);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, 0); // miss: an offset
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, (void *)8); // miss: an offset
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, BUFFER_OFFSET(16)); // miss: an offset
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, (void *)(n * sizeof(GLfloat))); // miss: an offset
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, &((struct vertex *)0)->u); // miss: an offset
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, ((struct vertex *)0)->normal); // miss: an offset
  pass();
  fetch(to);
}
void given(const void *offset, void *to) {
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, offset); // miss: an address or an offset
  pass();
  fetch(to);
}
void for_callers(void *to) {
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners); // HIT: the vertices are in memory of the host
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  fetch(to);
}
int main(void) {
  static char to[64 * 64 * 4];
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners); // miss: drawn once, copied once
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  fetch(to);
  return to[0];
}
void shown(void) {
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners); // miss: nothing is read back
  pass();
}
