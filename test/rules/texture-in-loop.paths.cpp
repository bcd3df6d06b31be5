// RUN: %{python} %{expect} %s
// The loop that makes textures is the one that computes, not another loop that calls the same function; a call under a
// condition, or of one of several methods, is no call of each iteration.
#include <GLES2/gl2.h>
#include <vector>
static GLuint made(const void *data) {
  GLuint t = 0;
  glGenTextures(1, &t); // miss: the loop around the call reads files
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, data); // miss: the loop around the call reads files
  return t;
}
static void resize(int w) {
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, w, w, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); // miss: where the size is another one
}
static GLuint each(const void *data) {
  GLuint t = 0;
  glGenTextures(1, &t); // HIT: in 'each', which is called in a loop
  for (int face = 0; face < 6; ++face)
    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, data); // HIT: in 'each', which is called in a loop
  return t;
}
static void fetch(std::vector<char> &to) { glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, to.data()); }
void start(std::vector<const void *> &files, std::vector<GLuint> &all) {
  for (const void *f : files)
    all.push_back(made(f));
}
void compute(std::vector<int> &sizes, std::vector<char> &to) {
  GLuint first = made(nullptr);
  glBindTexture(GL_TEXTURE_2D, first);
  for (int s : sizes) {
    if (s != 64)
      resize(s);
    each(to.data());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  fetch(to);
}
struct Filter {
  virtual ~Filter() = default;
  virtual void apply() = 0;
};
struct Blur : Filter {
  void apply() override {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); // miss: one filter of several reads back
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
};
struct Histogram : Filter {
  std::vector<char> Data;
  void apply() override {
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    fetch(Data);
  }
};
void filters(std::vector<Filter *> &all) {
  for (Filter *f : all)
    f->apply();
}
