/* What the programs of this folder share: an EGL context without a window, shaders, and floats in
 * RGBA8 textures. C99 and C++. OpenGL ES 2 alone; a float is stored in the four bytes of a texel,
 * exactly, and is unpacked and packed by the shaders. */
#ifndef CLMALI_KERNELS_GLES2_GPU_H
#define CLMALI_KERNELS_GLES2_GPU_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static EGLDisplay display;
static EGLSurface surface; /* a pbuffer: the default framebuffer */

static void require(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(2);
  }
}

#define CHECK(call)                                                                                \
  do {                                                                                             \
    call;                                                                                          \
    require(glGetError() == GL_NO_ERROR, #call);                                                   \
  } while (0)

/* A context without a window system, with a pbuffer of the given size. */
static void openGpu(int width, int height) {
  const EGLint wanted[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_ES2_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_NONE};
  const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
  const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
  PFNEGLGETPLATFORMDISPLAYEXTPROC platform =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  EGLConfig config;
  EGLint count = 0;
  EGLContext context;
  GLint range[2], precision = 0;
  display = EGL_NO_DISPLAY;
#ifdef EGL_PLATFORM_SURFACELESS_MESA
  if (platform)
    display = platform(EGL_PLATFORM_SURFACELESS_MESA, (void *)EGL_DEFAULT_DISPLAY, NULL);
#endif
  if (display == EGL_NO_DISPLAY)
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  require(display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL), "no EGL display");
  require(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1, "no RGBA8 pbuffer");
  context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  require(context != EGL_NO_CONTEXT, "no OpenGL ES 2 context");
  surface = eglCreatePbufferSurface(display, config, size);
  require(eglMakeCurrent(display, surface, surface, context), "the context cannot be used");
  glGetShaderPrecisionFormat(GL_FRAGMENT_SHADER, GL_HIGH_FLOAT, range, &precision);
  require(precision >= 23, "fragment shaders have no 32-bit floats");
  glDisable(GL_DITHER);
  glViewport(0, 0, width, height);
}

static GLuint shader(GLenum kind, const char *const *parts, int count) {
  GLuint s = glCreateShader(kind);
  GLint done = 0;
  char log[1000] = "";
  glShaderSource(s, count, parts, NULL);
  glCompileShader(s);
  glGetShaderiv(s, GL_COMPILE_STATUS, &done);
  if (!done)
    glGetShaderInfoLog(s, sizeof log, NULL, log);
  require(done, log);
  return s;
}

static const char *const vertexText = "attribute vec2 corner;\n"
                                      "varying vec2 at;\n"
                                      "void main() {\n"
                                      "  at = corner * 0.5 + 0.5;\n"
                                      "  gl_Position = vec4(corner, 0.0, 1.0);\n"
                                      "}\n";

/* x, y, z: the mantissa and the lowest bit of the exponent; w: the rest of the exponent, and the
 * sign. Powers of two are products, because exp2 and log2 need not be exact. No infinities, NaNs or
 * denormals. */
static const char *const packingText =
    "precision highp float;\n"
    "varying vec2 at;\n"
    "float power2(float e) {\n"
    "  float n = abs(e), base = e < 0.0 ? 0.5 : 2.0, result = 1.0;\n"
    "  for (int i = 0; i < 7; i++) {\n"
    "    if (mod(n, 2.0) >= 1.0)\n"
    "      result *= base;\n"
    "    base *= base;\n"
    "    n = floor(n * 0.5);\n"
    "  }\n"
    "  return result;\n"
    "}\n"
    "float unpack(vec4 texel) {\n"
    "  vec4 b = floor(texel * 255.0 + 0.5);\n"
    "  float e = mod(b.w, 128.0) * 2.0 + floor(b.z / 128.0);\n"
    "  float m = mod(b.z, 128.0) * 65536.0 + b.y * 256.0 + b.x;\n"
    "  float v = (1.0 + m / 8388608.0) * power2(e - 127.0);\n"
    "  return e == 0.0 ? 0.0 : b.w >= 128.0 ? -v : v;\n"
    "}\n"
    "vec4 pack(float v) {\n"
    "  float a = abs(v);\n"
    "  if (a == 0.0)\n"
    "    return vec4(0.0);\n"
    "  float e = floor(log2(a));\n"
    "  float m = a * power2(-e);\n"
    "  if (m >= 2.0) {\n"
    "    m *= 0.5;\n"
    "    e += 1.0;\n"
    "  } else if (m < 1.0) {\n"
    "    m *= 2.0;\n"
    "    e -= 1.0;\n"
    "  }\n"
    "  m = (m - 1.0) * 8388608.0;\n"
    "  e += 127.0;\n"
    "  return vec4(mod(m, 256.0), mod(floor(m / 256.0), 256.0),\n"
    "              floor(m / 65536.0) + 128.0 * mod(e, 2.0),\n"
    "              floor(e * 0.5) + (v < 0.0 ? 128.0 : 0.0)) / 255.0;\n"
    "}\n";

/* A program that runs `text` for each texel of the target; attribute 0 holds the corners. */
static GLuint makeProgram(const char *text) {
  const char *parts[2];
  GLuint program = glCreateProgram();
  GLint done = 0;
  parts[0] = packingText;
  parts[1] = text;
  glAttachShader(program, shader(GL_VERTEX_SHADER, &vertexText, 1));
  glAttachShader(program, shader(GL_FRAGMENT_SHADER, parts, 2));
  glBindAttribLocation(program, 0, "corner");
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &done);
  require(done, "the program does not link");
  glUseProgram(program);
  return program;
}

/* Of the bound texture. */
static void readExactTexels(void) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

/* The bytes of n floats, as the shaders read them; and back. They are those of the IEEE format,
 * lowest byte first. */
static void toBytes(const float *values, int n, unsigned char *bytes) {
  for (int i = 0; i < n; ++i) {
    unsigned bits;
    memcpy(&bits, &values[i], sizeof bits);
    for (int k = 0; k < 4; ++k)
      bytes[4 * i + k] = (unsigned char)(bits >> 8 * k);
  }
}

static void fromBytes(const unsigned char *bytes, int n, float *values) {
  for (int i = 0; i < n; ++i) {
    unsigned bits = 0;
    for (int k = 0; k < 4; ++k)
      bits |= (unsigned)bytes[4 * i + k] << 8 * k;
    memcpy(&values[i], &bits, sizeof bits);
  }
}

/* n values of matrix `number`, between -8 and 8, none of them zero. */
static void fill(float *values, int n, int number) {
  unsigned state = 2463534242u + 977u * (unsigned)number;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = ((float)(state >> 9) + 0.5f) / 524288.0f - 8.0f;
  }
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints the time of the passes and the largest difference; 0: no difference is over the limit. */
static int report(const char *what, const float *result, const float *expected, int n, double limit,
                  double time) {
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double d = fabs((double)result[i] - (double)expected[i]);
    worst = d > worst || d != d ? d : worst;
  }
  printf("%s: largest difference %g\n", what, worst);
  fprintf(stderr, "%.6f s\n", time);
  return worst <= limit ? 0 : 1;
}

#endif
