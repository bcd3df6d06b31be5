/* sum.c as it is first written: each pass makes a texture for its matrix, sends the corners again, draws to the default
 * framebuffer, copies the total from there, swaps buffers as a program with a window does, and waits. "MISTAKE" marks the lines
 * that cost time, with the rule.
 *
 * usage: sum_slow [PASSES]    exit: 0 equal to the CPU's sums, 1 not, 2 no OpenGL ES 2 */
#include "gpu.h"

enum { Size = 256, Count = Size * Size };

static const char *const addText = "uniform sampler2D total, next;\n"
                                   "void main() {\n"
                                   "  gl_FragColor = pack(unpack(texture2D(total, at)) + unpack(texture2D(next, at)));\n"
                                   "}\n";

static const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

static float next[Count], expected[Count], result[Count];
static unsigned char bytes[4 * Count];

static GLuint makeTexture(const void *data) {
  GLuint texture;
  glGenTextures(1, &texture); /* MISTAKE: texture-in-loop */
  glBindTexture(GL_TEXTURE_2D, texture);
  readExactTexels();
  CHECK(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, Size, Size, 0, GL_RGBA, GL_UNSIGNED_BYTE, data)); /* MISTAKE: texture-in-loop */
  return texture;
}

static void drawQuad(void) {
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners); /* MISTAKE: client-vertex-array */
  glEnableVertexAttribArray(0);
  CHECK(glDrawArrays(GL_TRIANGLE_STRIP, 0, 4));
}

int main(int argc, char **argv) {
  const int passes = argc > 1 ? atoi(argv[1]) : 8;
  GLuint program, total;
  double start;
  openGpu(Size, Size);
  program = makeProgram(addText);
  glUniform1i(glGetUniformLocation(program, "total"), 0);
  glUniform1i(glGetUniformLocation(program, "next"), 1);

  fill(expected, Count, 0);
  toBytes(expected, Count, bytes);
  total = makeTexture(bytes);
  start = seconds();
  for (int pass = 1; pass <= passes; ++pass) {
    GLuint in;
    fill(next, Count, pass);
    toBytes(next, Count, bytes);
    glActiveTexture(GL_TEXTURE1);
    in = makeTexture(bytes);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, total);
    drawQuad();
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, Size, Size, 0); /* MISTAKE: copy-from-framebuffer */
    eglSwapBuffers(display, surface); /* MISTAKE: vsync-in-compute-loop */
    glFinish(); /* MISTAKE: readback-in-loop */
    glDeleteTextures(1, &in);
    for (int i = 0; i < Count; ++i)
      expected[i] += next[i];
  }
  CHECK(glReadPixels(0, 0, Size, Size, GL_RGBA, GL_UNSIGNED_BYTE, bytes));
  fromBytes(bytes, Count, result);
  return report("sum", result, expected, Count, 0, seconds() - start);
}
