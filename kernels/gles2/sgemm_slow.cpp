// sgemm.cpp as it is first written: each pass makes the texture that it draws to, binds it without
// a clear, sends the corners again, and reads its result, which goes back to the GPU as a new
// texture. "MISTAKE" stands before the lines that cost time, with the rule.
//
// usage: sgemm_slow [ORDER [BLOCK]]    exit: 0 equal to the CPU's product, 1 not, 2 no OpenGL ES 2
#include "gpu.h"
#include <string>
#include <vector>

namespace {

const GLfloat Corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

/// A texture of Order x Order floats.
GLuint makeMatrix(int Order, const unsigned char *Bytes) {
  GLuint Texture = 0;
  // MISTAKE: texture-in-loop
  glGenTextures(1, &Texture);
  glBindTexture(GL_TEXTURE_2D, Texture);
  readExactTexels();
  // MISTAKE: texture-in-loop
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, Order, Order, 0, GL_RGBA, GL_UNSIGNED_BYTE, Bytes);
  return Texture;
}

std::vector<unsigned char> bytesOf(const std::vector<float> &Values) {
  std::vector<unsigned char> Bytes(4 * Values.size());
  toBytes(Values.data(), static_cast<int>(Values.size()), Bytes.data());
  return Bytes;
}

void use(int Unit, GLuint Texture) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(Unit));
  glBindTexture(GL_TEXTURE_2D, Texture);
}

std::string productText(int Order, int Block) {
  std::string M = std::to_string(Order) + ".0";
  return "uniform sampler2D a, b, before;\n"
         "uniform float first;\n"
         "void main() {\n"
         "  float sum = 0.0;\n"
         "  for (int k = 0; k < " +
         std::to_string(Block) +
         "; k++) {\n"
         "    float x = (first + float(k) + 0.5) / " +
         M +
         ";\n"
         "    sum += unpack(texture2D(a, vec2(x, at.y))) * unpack(texture2D(b, vec2(at.x, x)));\n"
         "  }\n"
         "  gl_FragColor = pack(unpack(texture2D(before, at)) + sum);\n"
         "}\n";
}

void beginPass(GLuint Framebuffer, GLuint Target) {
  glBindFramebuffer(GL_FRAMEBUFFER, Framebuffer);
  // MISTAKE: pass-without-clear
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, Target, 0);
}

void drawQuad() {
  // MISTAKE: client-vertex-array
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, Corners);
  glEnableVertexAttribArray(0);
  CHECK(glDrawArrays(GL_TRIANGLE_STRIP, 0, 4));
}

} // namespace

int main(int argc, char **argv) {
  const int Order = argc > 1 ? std::atoi(argv[1]) : 64, Block = argc > 2 ? std::atoi(argv[2]) : 16;
  require(Order > 0 && Block > 0 && Order % Block == 0, "the block does not divide the order");
  const int Count = Order * Order;
  std::vector<float> A(Count), B(Count), Expected(Count), Result(Count);
  fill(A.data(), Count, 1);
  fill(B.data(), Count, 2);
  for (int Y = 0; Y < Order; ++Y)
    for (int X = 0; X < Order; ++X)
      for (int K = 0; K < Order; ++K)
        Expected[Y * Order + X] += A[Y * Order + K] * B[K * Order + X];

  openGpu(Order, Order);
  GLuint Program = makeProgram(productText(Order, Block).c_str());
  glUniform1i(glGetUniformLocation(Program, "a"), 0);
  glUniform1i(glGetUniformLocation(Program, "b"), 1);
  glUniform1i(glGetUniformLocation(Program, "before"), 2);
  GLint First = glGetUniformLocation(Program, "first");
  GLuint Left = makeMatrix(Order, bytesOf(A).data()), Right = makeMatrix(Order, bytesOf(B).data());
  GLuint Framebuffer = 0;
  glGenFramebuffers(1, &Framebuffer);
  std::vector<unsigned char> Bytes(4 * Count);
  use(0, Left);
  use(1, Right);

  double Start = seconds();
  for (int Pass = 0; Pass < Order / Block; ++Pass) {
    glActiveTexture(GL_TEXTURE2);
    GLuint Target = makeMatrix(Order, nullptr), Before = makeMatrix(Order, Bytes.data());
    beginPass(Framebuffer, Target);
    use(2, Before);
    glUniform1f(First, static_cast<GLfloat>(Pass * Block));
    drawQuad();
    // MISTAKE: readback-in-loop
    glReadPixels(0, 0, Order, Order, GL_RGBA, GL_UNSIGNED_BYTE, Bytes.data());
    glDeleteTextures(1, &Target);
    glDeleteTextures(1, &Before);
  }
  double Time = seconds() - Start;
  fromBytes(Bytes.data(), Count, Result.data());
  // The CPU adds in another order, and may round products.
  return report("sgemm", Result.data(), Expected.data(), Count, 1e-6 * 64 * Order, Time);
}
