// The product of two square matrices in passes: each pass adds the products of one block of columns
// of A with the rows of B to the result of the pass before, and draws into the other one of two
// textures (a shader cannot read the texture that it draws to). sgemm_slow.cpp is the same with the
// mistakes.
//
// usage: sgemm [ORDER [BLOCK]]    exit: 0 equal to the CPU's product, 1 not, 2 no OpenGL ES 2
#include "gpu.h"
#include <string>
#include <vector>

namespace {

const GLfloat Corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

/// A texture of Order x Order floats.
class Matrix {
public:
  explicit Matrix(int Order) : Order(Order) {
    glGenTextures(1, &Texture);
    glBindTexture(GL_TEXTURE_2D, Texture);
    readExactTexels();
    CHECK(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, Order, Order, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       nullptr));
  }
  void set(const std::vector<float> &Values) {
    std::vector<unsigned char> Bytes(4 * Values.size());
    toBytes(Values.data(), static_cast<int>(Values.size()), Bytes.data());
    glBindTexture(GL_TEXTURE_2D, Texture);
    CHECK(glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, Order, Order, GL_RGBA, GL_UNSIGNED_BYTE,
                          Bytes.data()));
  }
  void use(int Unit) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(Unit));
    glBindTexture(GL_TEXTURE_2D, Texture);
  }
  GLuint name() const { return Texture; }

private:
  int Order;
  GLuint Texture = 0;
};

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

void beginPass(const Matrix &Target) {
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, Target.name(), 0);
  CHECK(glClear(GL_COLOR_BUFFER_BIT));
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
  Matrix Left(Order), Right(Order), Even(Order), Odd(Order);
  Left.set(A);
  Right.set(B);
  Even.set(std::vector<float>(Count));
  GLuint Buffer = 0, Framebuffer = 0;
  glGenBuffers(1, &Buffer);
  glBindBuffer(GL_ARRAY_BUFFER, Buffer);
  glBufferData(GL_ARRAY_BUFFER, sizeof Corners, Corners, GL_STATIC_DRAW);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glGenFramebuffers(1, &Framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, Framebuffer);
  Left.use(0);
  Right.use(1);

  double Start = seconds();
  for (int Pass = 0; Pass < Order / Block; ++Pass) {
    const Matrix &Before = Pass % 2 ? Odd : Even;
    const Matrix &Target = Pass % 2 ? Even : Odd;
    Before.use(2);
    beginPass(Target);
    glUniform1f(First, static_cast<GLfloat>(Pass * Block));
    CHECK(glDrawArrays(GL_TRIANGLE_STRIP, 0, 4));
  }
  std::vector<unsigned char> Bytes(4 * Count);
  CHECK(glReadPixels(0, 0, Order, Order, GL_RGBA, GL_UNSIGNED_BYTE, Bytes.data()));
  double Time = seconds() - Start;
  fromBytes(Bytes.data(), Count, Result.data());
  // The CPU adds in another order, and may round products.
  return report("sgemm", Result.data(), Expected.data(), Count, 1e-6 * 64 * Order, Time);
}
