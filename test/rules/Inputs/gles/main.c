void gpuUpload(const void *data);
void gpuRun(void);
void gpuWait(void);
void gpuFetch(void *to);
int main(int argc, char **argv) {
  static unsigned char bytes[64 * 64 * 4];
  for (int i = 0; i < argc; ++i) {
    gpuUpload(argv[i]);
    gpuRun();
    gpuWait();
  }
  gpuFetch(bytes);
  return bytes[0];
}
// The loop calls OpenGL itself, and draws by a function of the other file.
#include <GLES2/gl2.h>
void inside(void *to, int n) {
  for (int i = 0; i < n; ++i) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, to);
    gpuRun();
  }
  gpuFetch(to);
}
