// RUN: %{python} %{expect} %s --no-balance
// Programs that show frames: a texture for each frame of a video, a picture of the screen under a condition.
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <vector>
bool running();
bool wantsPicture();
const void *nextFrame();
struct Player {
  EGLDisplay Display;
  EGLSurface Surface;
  std::vector<unsigned char> Picture;
  GLuint Texture = 0;
  void upload() {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 640, 480, 0, GL_RGBA, GL_UNSIGNED_BYTE, nextFrame()); // miss: nothing is read back
  }
  void save() { glReadPixels(0, 0, 640, 480, GL_RGBA, GL_UNSIGNED_BYTE, Picture.data()); }
  void play() {
    while (running()) {
      upload();
      glClear(GL_COLOR_BUFFER_BIT);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      if (wantsPicture())
        save();
      eglSwapBuffers(Display, Surface);
    }
  }
  // Only where it is missing.
  void frames(void *to, int n) {
    for (int i = 0; i < n; ++i) {
      if (!Texture) {
        glGenTextures(1, &Texture); // miss: once
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); // miss: once
      }
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
    }
  }
  // Picking reads one pixel.
  void pick(int n) {
    unsigned char id[4];
    for (int i = 0; i < n; ++i) {
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); // miss: no result is read back
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glReadPixels(3, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, id);
    }
  }
  void compute(std::vector<const void *> &all, void *to) {
    for (const void *one : all) {
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, one); // HIT: in a loop
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to);
    }
  }
};
