// None of the headers is found: types and constants of OpenGL are known all the same.
#include "engine/gl.h"
#include "engine/Texture.h"
namespace engine {
class Filter : public Pass {
  GLuint Targets[2], Framebuffer = 0;
  EGLDisplay Display;
  Size Area;

public:
  void run(const Image &image, int passes) {
    glEnable(GL_CULL_FACE);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    for (int i = 0; i < passes; ++i) {
      GL_CHECK(glBindFramebuffer(GL_FRAMEBUFFER, Framebuffer));
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, Targets[i % 2], 0); // pass
      glVertexAttribPointer(position(), 2, GL_FLOAT, GL_FALSE, 0, kCorners); // kCorners may be an offset
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, Area.width, Area.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.data()); // texture
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      eglSwapBuffers(Display, surface()); // vsync
    }
    glReadPixels(0, 0, Area.width, Area.height, GL_RGBA, GL_UNSIGNED_BYTE, image.out());
  }
};
} // namespace engine
