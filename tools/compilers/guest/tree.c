/* tree.c - preloaded library: file access of a Mesa that was unpacked into a folder.
 *
 * Before: CLMALI_TREE names the folder. Mesa reads libclc at a fixed path below /usr.
 * After:  that path is read below CLMALI_TREE. Configuration files of this machine's own Mesa are
 *         absent. If CLMALI_CACHE_FROZEN is set, no new entry of the shader cache can be created.
 *
 * A frozen cache has two uses: a kernel that is in the cache would not be compiled, so nothing
 * would be reported for it; and an entry that is written in the background while the process ends
 * can stay behind as a .tmp file, after which that entry is never stored again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define REAL(ret, name, ...)                                                                       \
  static ret (*real)(__VA_ARGS__);                                                                 \
  if (!real)                                                                                       \
  real = (ret(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int starts_with(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

static int ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

/* The path to use instead of path, or NULL with errno set if the file is to be absent. */
static const char *redirect(const char *path, char buffer[4096]) {
  const char *tree = getenv("CLMALI_TREE"), *cache = getenv("MESA_SHADER_CACHE_DIR");
  if (!path || !tree)
    return path;
  if (starts_with(path, "/usr/lib/clc/")) {
    snprintf(buffer, 4096, "%s%s", tree, path);
    return buffer;
  }
  if (starts_with(path, "/usr/share/drirc.d") || !strcmp(path, "/etc/drirc")) {
    errno = ENOENT;
    return NULL;
  }
  if (cache && getenv("CLMALI_CACHE_FROZEN") && starts_with(path, cache) &&
      ends_with(path, ".tmp")) {
    errno = EROFS;
    return NULL;
  }
  return path;
}

#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...) {                                                     \
    REAL(int, #name, const char *, int, ...);                                                      \
    va_list ap;                                                                                    \
    va_start(ap, flags);                                                                           \
    mode_t mode = va_arg(ap, mode_t);                                                              \
    va_end(ap);                                                                                    \
    char buffer[4096];                                                                             \
    const char *to = redirect(path, buffer);                                                       \
    return to || !path ? real(to, flags, mode) : -1;                                               \
  }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                                                \
  FILE *name(const char *path, const char *mode) {                                                 \
    REAL(FILE *, #name, const char *, const char *);                                               \
    char buffer[4096];                                                                             \
    const char *to = redirect(path, buffer);                                                       \
    return to ? real(to, mode) : NULL;                                                             \
  }
FOPEN(fopen)
FOPEN(fopen64)

#define STAT(name, type)                                                                           \
  int name(const char *path, struct type *s) {                                                     \
    REAL(int, #name, const char *, struct type *);                                                 \
    char buffer[4096];                                                                             \
    const char *to = redirect(path, buffer);                                                       \
    return to || !path ? real(to, s) : -1;                                                         \
  }
STAT(stat, stat)
STAT(stat64, stat64)
