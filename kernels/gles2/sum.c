/* The sum of matrices, element by element: each pass adds the next matrix to the total. The textures and the buffer with the
 * corners are made once; a pass draws into the texture of the next total, which was cleared; the host reads the last one.
 * sum_slow.c is the same program with the mistakes.
 *
 * usage: sum [PASSES]    exit: 0 equal to the CPU's sums, 1 not, 2 no OpenGL ES 2 */
#include "gpu.h"

enum { Size = 256, Count = Size * Size };

static const char *const addText = "uniform sampler2D total, next;\n"
                                   "void main() {\n"
                                   "  gl_FragColor = pack(unpack(texture2D(total, at)) + unpack(texture2D(next, at)));\n"
                                   "}\n";

static const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

static float next[Count], expected[Count], result[Count];
static unsigned char bytes[4 * Count];

static GLuint makeTexture(void) {
  GLuint texture;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  readExactTexels();
  CHECK(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, Size, Size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL));
  return texture;
}

int main(int argc, char **argv) {
  const int passes = argc > 1 ? atoi(argv[1]) : 8;
  GLuint program, totals[2], in, buffer, framebuffer;
  double start;
  openGpu(Size, Size);
  program = makeProgram(addText);
  glUniform1i(glGetUniformLocation(program, "total"), 0);
  glUniform1i(glGetUniformLocation(program, "next"), 1);
  totals[0] = makeTexture();
  totals[1] = makeTexture();
  in = makeTexture();
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
  glEnableVertexAttribArray(0);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);

  fill(expected, Count, 0);
  toBytes(expected, Count, bytes);
  glBindTexture(GL_TEXTURE_2D, totals[0]);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, Size, Size, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
  start = seconds();
  for (int pass = 1; pass <= passes; ++pass) {
    fill(next, Count, pass);
    toBytes(next, Count, bytes);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, in);
    CHECK(glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, Size, Size, GL_RGBA, GL_UNSIGNED_BYTE, bytes));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, totals[(pass - 1) % 2]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, totals[pass % 2], 0);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glDrawArrays(GL_TRIANGLE_STRIP, 0, 4));
    for (int i = 0; i < Count; ++i)
      expected[i] += next[i];
  }
  CHECK(glReadPixels(0, 0, Size, Size, GL_RGBA, GL_UNSIGNED_BYTE, bytes));
  fromBytes(bytes, Count, result);
  return report("sum", result, expected, Count, 0, seconds() - start);
}
