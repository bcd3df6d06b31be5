/* mali_node.c - preloaded library: the DRM render node of one Mali GPU.
 *
 * Before: CLMALI_GPU_ID is the product id of the GPU in hexadecimal (0860: T860, 7212: G52,
 *         a867: G610). CLMALI_KMD selects the kernel driver, panfrost or panthor; default: panthor
 *         from architecture v10 on. CLMALI_TRACE prints every intercepted path and ioctl.
 * After:  /dev/dri/renderD128 exists, so that an unmodified Mesa opens it and compiles for it.
 * Limits: nothing is executed. Submissions succeed at once; buffers are ordinary memory.
 *
 * Written from the kernel's public DRM headers. The node is a sparse memfd; each buffer is a
 * page-aligned range of it, whose file offset is the mmap offset that the ioctls return. So mmap,
 * munmap, dup, fcntl and close need no interception.
 */
#define _GNU_SOURCE
#include "drm.h"
#include "panfrost_drm.h"
#include "panthor_drm.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MAJOR 226 /* DRM character devices; render nodes start at minor 128 */
#define MINOR 128
#define NODE "renderD128"
#define SYSFS "/sys/dev/char/226:128"
#define PAGE 4096ull

#define REAL(ret, name, ...)                                                                       \
  static ret (*real)(__VA_ARGS__);                                                                 \
  if (!real)                                                                                       \
  real = (ret(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define TRACE(...)                                                                                 \
  do {                                                                                             \
    if (getenv("CLMALI_TRACE"))                                                                    \
      fprintf(stderr, "shim: " __VA_ARGS__);                                                       \
  } while (0)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int node_fd = -1; /* the memfd behind the node */
static ino_t node_ino;
static dev_t node_dev;

/* ------------------------------------------------------------------ the file-system side */

/* What the tree holds besides the node itself. A platform device, as every Mali is. */
static const struct {
  const char *path, *link, *text;
} tree[] = {
    {"/dev/dri", 0, 0},
    {SYSFS, 0, 0},
    {SYSFS "/device", 0, 0},
    {SYSFS "/device/drm", 0, 0},
    {SYSFS "/device/drm/" NODE, 0, 0},
    {SYSFS "/device/subsystem", "../../../bus/platform", 0},
    {SYSFS "/device/uevent", 0,
     "DRIVER=panfrost\nOF_NAME=gpu\nOF_FULLNAME=/soc/gpu@10000000\n"
     "OF_COMPATIBLE_0=arm,mali\nOF_COMPATIBLE_N=1\nMODALIAS=of:NgpuT(null)Carm,mali\n"},
};

/* -2: not ours; -1: the node; else an index into tree; -3: in our part of the name space but absent
 */
#define lookup(path) lookup_by(path, __func__)
static int lookup_by(const char *path, const char *who) {
  if (!path)
    return -2;
  if (!strcmp(path, "/dev/dri/" NODE)) {
    TRACE("%s node\n", who);
    return -1;
  }
  for (unsigned i = 0; i < sizeof tree / sizeof *tree; i++)
    if (!strcmp(path, tree[i].path)) {
      TRACE("%s %s\n", who, path);
      return i;
    }
  if (!strncmp(path, "/dev/dri/", 9) || !strncmp(path, "/sys/dev/char/226:", 18) ||
      !strncmp(path, "/sys/class/drm", 14)) {
    TRACE("%s %s: absent\n", who, path);
    return -3;
  }
  return -2;
}

static int node_open(int flags) {
  pthread_mutex_lock(&lock);
  if (node_fd < 0) {
    struct stat s;
    int fd = memfd_create("drm-" NODE, MFD_CLOEXEC);
    if (fd >= 0 && !ftruncate(fd, PAGE) && !fstat(fd, &s)) {
      node_dev = s.st_dev;
      node_ino = s.st_ino;
      node_fd = fd;
    }
  }
  pthread_mutex_unlock(&lock);
  return node_fd < 0 ? -1 : fcntl(node_fd, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 3);
}

static int text_open(int i) {
  int fd = memfd_create("sysfs", MFD_CLOEXEC);
  size_t n = strlen(tree[i].text);
  if (fd < 0 || write(fd, tree[i].text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET))
    return -1;
  return fd;
}

static int fake_open(const char *who, const char *path, int flags, int *fd) {
  int i = lookup_by(path, who);
  if (i == -2)
    return 0;
  if (i == -1)
    *fd = node_open(flags);
  else if (i >= 0 && tree[i].text)
    *fd = text_open(i);
  else {
    errno = i == -3 ? ENOENT : EISDIR;
    *fd = -1;
  }
  return 1;
}

#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...) {                                                     \
    REAL(int, #name, const char *, int, ...);                                                      \
    int fd;                                                                                        \
    va_list ap;                                                                                    \
    va_start(ap, flags);                                                                           \
    mode_t m = va_arg(ap, mode_t);                                                                 \
    va_end(ap);                                                                                    \
    return fake_open(__func__, path, flags, &fd) ? fd : real(path, flags, m);                      \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
  int name(int at, const char *path, int flags, ...) {                                             \
    REAL(int, #name, int, const char *, int, ...);                                                 \
    int fd;                                                                                        \
    va_list ap;                                                                                    \
    va_start(ap, flags);                                                                           \
    mode_t m = va_arg(ap, mode_t);                                                                 \
    va_end(ap);                                                                                    \
    return fake_open(__func__, path, flags, &fd) ? fd : real(at, path, flags, m);                  \
  }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                                                \
  FILE *name(const char *path, const char *mode) {                                                 \
    REAL(FILE *, #name, const char *, const char *);                                               \
    int fd;                                                                                        \
    if (!fake_open(__func__, path, O_CLOEXEC, &fd))                                                \
      return real(path, mode);                                                                     \
    return fd < 0 ? NULL : fdopen(fd, mode);                                                       \
  }
FOPEN(fopen)
FOPEN(fopen64)

static void node_stat(struct stat64 *s) {
  memset(s, 0, sizeof *s);
  s->st_mode = S_IFCHR | 0666;
  s->st_nlink = 1;
  s->st_rdev = makedev(MAJOR, MINOR);
  s->st_blksize = PAGE;
}

static int fake_stat(const char *who, const char *path, struct stat64 *s, int follow, int *rc) {
  int i = lookup_by(path, who);
  if (i == -2)
    return 0;
  *rc = 0;
  if (i == -3) {
    errno = ENOENT;
    *rc = -1;
    return 1;
  }
  node_stat(s);
  if (i >= 0) {
    s->st_rdev = 0;
    s->st_mode = tree[i].text              ? S_IFREG | 0444
                 : tree[i].link && !follow ? S_IFLNK | 0777
                                           : S_IFDIR | 0755;
  }
  return 1;
}

/* On aarch64 struct stat and struct stat64 are the same. */
#define STAT(name, type, follow)                                                                   \
  int name(const char *path, struct type *s) {                                                     \
    REAL(int, #name, const char *, struct type *);                                                 \
    int rc;                                                                                        \
    return fake_stat(__func__, path, (struct stat64 *)s, follow, &rc) ? rc : real(path, s);        \
  }
STAT(stat, stat, 1)
STAT(stat64, stat64, 1)
STAT(lstat, stat, 0)
STAT(lstat64, stat64, 0)

#define FSTATAT(name, type)                                                                        \
  int name(int at, const char *path, struct type *s, int flags) {                                  \
    REAL(int, #name, int, const char *, struct type *, int);                                       \
    int rc;                                                                                        \
    return fake_stat(__func__, path, (struct stat64 *)s, !(flags & AT_SYMLINK_NOFOLLOW), &rc)      \
               ? rc                                                                                \
               : real(at, path, s, flags);                                                         \
  }
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

static int raw_fstat(int fd, struct stat64 *s) {
  REAL(int, "fstat64", int, struct stat64 *);
  return real(fd, s);
}

static int is_node(int fd) {
  struct stat64 s;
  return node_fd >= 0 && !raw_fstat(fd, &s) && s.st_ino == node_ino && s.st_dev == node_dev;
}

int fstat64(int fd, struct stat64 *s) {
  int rc = raw_fstat(fd, s);
  if (!rc && node_fd >= 0 && s->st_ino == node_ino && s->st_dev == node_dev) {
    TRACE("fstat64 node\n");
    node_stat(s);
  }
  return rc;
}
int fstat(int fd, struct stat *s) { return fstat64(fd, (struct stat64 *)s); }

int access(const char *path, int mode) {
  REAL(int, "access", const char *, int);
  int i = lookup(path);
  if (i == -2)
    return real(path, mode);
  if (i != -3)
    return 0;
  errno = ENOENT;
  return -1;
}

ssize_t readlink(const char *path, char *buf, size_t n) {
  REAL(ssize_t, "readlink", const char *, char *, size_t);
  int i = lookup(path);
  if (i == -2)
    return real(path, buf, n);
  if (i < 0 || !tree[i].link) {
    errno = i == -3 ? ENOENT : EINVAL;
    return -1;
  }
  size_t l = strlen(tree[i].link);
  if (l > n)
    l = n;
  memcpy(buf, tree[i].link, l);
  return l;
}

char *realpath(const char *path, char *out) {
  REAL(char *, "realpath", const char *, char *);
  int i = lookup(path);
  if (i == -2)
    return real(path, out);
  if (i == -3) {
    errno = ENOENT;
    return NULL;
  }
  const char *p = i >= 0 && tree[i].link ? "/sys/bus/platform" : path;
  return out ? strcpy(out, p) : strdup(p);
}

/* Only /dev/dri is listed, by its one entry. */
static struct fakedir {
  int pos;
  struct dirent64 e;
} dirs[16];
static struct fakedir *fakedir(DIR *d) {
  struct fakedir *f = (struct fakedir *)d;
  return f >= dirs && f < dirs + 16 ? f : NULL;
}

DIR *opendir(const char *path) {
  REAL(DIR *, "opendir", const char *);
  int i = lookup(path);
  if (i == -2)
    return real(path);
  struct fakedir *f = NULL;
  pthread_mutex_lock(&lock);
  for (int k = 0; i == 0 && k < 16 && !f; k++)
    if (!dirs[k].pos) {
      f = &dirs[k];
      f->pos = 1;
    }
  pthread_mutex_unlock(&lock);
  if (!f)
    errno = ENOENT;
  return (DIR *)f;
}

struct dirent64 *readdir64(DIR *d) {
  REAL(struct dirent64 *, "readdir64", DIR *);
  struct fakedir *f = fakedir(d);
  if (!f)
    return real(d);
  if (f->pos++ != 1)
    return NULL;
  f->e.d_ino = MINOR;
  f->e.d_type = DT_CHR;
  f->e.d_reclen = sizeof f->e;
  strcpy(f->e.d_name, NODE);
  return &f->e;
}
struct dirent *readdir(DIR *d) {
  return (struct dirent *)readdir64(d);
} /* the same structure on aarch64 */

int closedir(DIR *d) {
  REAL(int, "closedir", DIR *);
  struct fakedir *f = fakedir(d);
  if (!f)
    return real(d);
  f->pos = 0;
  return 0;
}

/* ------------------------------------------------------------------ buffers */

static struct bo {
  uint64_t off, size;
} *bos; /* handle h is bos[h - 1]; size 0: free */
static uint32_t nbos;
static uint64_t top = PAGE; /* next free byte of the memfd; offset 0 is never handed out */
#define GPU_VA(off) ((off) + (32ull << 20))

static uint32_t bo_new(uint64_t size) {
  size = (size + PAGE - 1) & ~(PAGE - 1);
  if (!size)
    size = PAGE;
  pthread_mutex_lock(&lock);
  uint32_t h = 0;
  if (!ftruncate(node_fd, top + size)) {
    while (h < nbos && bos[h].size)
      h++;
    struct bo *n = h < nbos ? bos : realloc(bos, (nbos + 64) * sizeof *bos);
    if (n) {
      if (h >= nbos) {
        memset(n + nbos, 0, 64 * sizeof *n);
        nbos += 64;
      }
      bos = n;
      bos[h].off = top;
      bos[h].size = size;
      top += size;
      h++;
    } else
      h = 0;
  }
  pthread_mutex_unlock(&lock);
  return h;
}

static struct bo *bo_get(uint32_t h) {
  return h && h <= nbos && bos[h - 1].size ? &bos[h - 1] : NULL;
}

static int bo_close(uint32_t h) {
  pthread_mutex_lock(&lock);
  struct bo *b = bo_get(h);
  if (b) {
    fallocate(node_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, b->off, b->size);
    b->size = 0;
  }
  pthread_mutex_unlock(&lock);
  return b ? 0 : -EINVAL;
}

/* ------------------------------------------------------------------ ioctls; each returns 0 or
 * -errno */

static uint32_t gpu_id(void) {
  const char *e = getenv("CLMALI_GPU_ID");
  return e ? strtoul(e, NULL, 16) : 0x7212;
}
static int panthor(void) {
  const char *e = getenv("CLMALI_KMD");
  return e ? !strcmp(e, "panthor")
           : gpu_id() >= 0xa000; /* v10 and later have a command-stream front end */
}
/* The generation: Midgard ids below 0x1000 are v4 (T6xx, T720) or v5; later ids begin with it. */
static unsigned arch(void) {
  uint32_t id = gpu_id();
  return id >= 0x1000 ? id >> 12 : id < 0x750 ? 4 : 5;
}
static uint32_t max_threads(void) {
  return arch() < 6 ? 256 : arch() == 6 ? 384 : arch() == 7 ? 768 : arch() < 10 ? 1024 : 2048;
}
static uint32_t max_wg(void) {
  return arch() < 6 ? 256 : arch() < 9 ? 384 : arch() == 9 ? 512 : 1024;
}
/* size of a core's register file, as THREAD_FEATURES gives it (low 16 bits) */
static uint32_t max_regs(void) {
  return arch() < 6    ? max_threads() * 4
         : arch() == 6 ? max_threads() * 64
         : arch() < 10 ? max_threads() * 32
                       : 0x8000 * 2 - 1;
}

static uint32_t next_id = 1; /* syncobjs, VMs, groups, heaps */

static int d_version(struct drm_version *v) {
  const char *name = panthor() ? "panthor" : "panfrost", *date = "0", *desc = "no GPU behind it";
  v->version_major = 1;
  v->version_minor = panthor() ? 3 : 2;
  v->version_patchlevel = 0;
  if (v->name && v->name_len)
    memcpy(v->name, name, v->name_len < strlen(name) ? v->name_len : strlen(name));
  if (v->date && v->date_len)
    memcpy(v->date, date, v->date_len < strlen(date) ? v->date_len : strlen(date));
  if (v->desc && v->desc_len)
    memcpy(v->desc, desc, v->desc_len < strlen(desc) ? v->desc_len : strlen(desc));
  v->name_len = strlen(name);
  v->date_len = strlen(date);
  v->desc_len = strlen(desc);
  return 0;
}

static int d_handle_to_fd(struct drm_syncobj_handle *h) /* everything has always finished */
{
  h->fd = eventfd(1, EFD_CLOEXEC);
  return h->fd < 0 ? -errno : 0;
}

static int d_query(struct drm_syncobj_timeline_array *q) {
  for (uint32_t i = 0; i < q->count_handles; i++)
    ((uint64_t *)(uintptr_t)q->points)[i] = ~0ull >> 1;
  return 0;
}

static int pf_param(struct drm_panfrost_get_param *p) {
  switch (p->param) {
  case DRM_PANFROST_PARAM_GPU_PROD_ID:
    p->value = gpu_id();
    break;
  case DRM_PANFROST_PARAM_GPU_REVISION:
    p->value = 0;
    break;
  case DRM_PANFROST_PARAM_SHADER_PRESENT:
    p->value = 0xf;
    break; /* four cores: the numbers are per core */
  case DRM_PANFROST_PARAM_TILER_PRESENT:
  case DRM_PANFROST_PARAM_L2_PRESENT:
    p->value = 1;
    break;
  case DRM_PANFROST_PARAM_AS_PRESENT:
    p->value = 0xff;
    break;
  case DRM_PANFROST_PARAM_JS_PRESENT:
    p->value = 7;
    break;
  case DRM_PANFROST_PARAM_L2_FEATURES:
    p->value = 0x07120206;
    break;
  case DRM_PANFROST_PARAM_TILER_FEATURES:
    p->value = 0x809;
    break;
  case DRM_PANFROST_PARAM_MEM_FEATURES:
    p->value = 1;
    break;
  case DRM_PANFROST_PARAM_MMU_FEATURES:
    p->value = 0x2830;
    break; /* 40 physical, 48 virtual address bits */
  case DRM_PANFROST_PARAM_THREAD_FEATURES:
    p->value = 0x04010000u | (max_regs() & 0xffff);
    break;
  case DRM_PANFROST_PARAM_MAX_THREADS:
    p->value = max_threads();
    break;
  case DRM_PANFROST_PARAM_THREAD_MAX_WORKGROUP_SZ:
  case DRM_PANFROST_PARAM_THREAD_MAX_BARRIER_SZ:
    p->value = max_wg();
    break;
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES0:
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES1:
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES2:
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES3:
    p->value = ~0u;
    break;
  case DRM_PANFROST_PARAM_NR_CORE_GROUPS:
    p->value = 1;
    break;
  case DRM_PANFROST_PARAM_THREAD_TLS_ALLOC:
    p->value = max_threads();
    break;
  default:
    if (p->param > DRM_PANFROST_PARAM_AFBC_FEATURES)
      return -EINVAL; /* newer than what we claim to be */
    p->value = 0;
  }
  TRACE("  param %u = 0x%llx\n", p->param, (unsigned long long)p->value);
  return 0;
}

static int pf_create(struct drm_panfrost_create_bo *c) {
  struct bo *b = bo_get(c->handle = bo_new(c->size));
  if (!b)
    return -ENOMEM;
  c->offset = GPU_VA(b->off);
  return 0;
}

static int bo_offset(uint32_t handle, uint64_t *out, int gpu) {
  struct bo *b = bo_get(handle);
  if (!b)
    return -ENOENT;
  *out = gpu ? GPU_VA(b->off) : b->off;
  return 0;
}

static int pt_query(struct drm_panthor_dev_query *q) {
  struct drm_panthor_gpu_info g = {
      .gpu_id = gpu_id() << 16,
      .l2_features = 0x07120306,
      .tiler_features = 0x809,
      .mem_features = 0x301,
      .mmu_features = 0x2830,
      .thread_features = 0x04010000u | (max_regs() & 0xffff),
      .max_threads = max_threads(),
      .thread_max_workgroup_size = max_wg(),
      .thread_max_barrier_size = max_wg(),
      .texture_features = {~0u, ~0u, ~0u, ~0u},
      .as_present = 0xff,
      .shader_present = 0xf,
      .l2_present = 1,
      .tiler_present = 1,
      .core_features =
          gpu_id() >= 0xc000 ? 4 : 0, /* G720 and G725 are known only as this variant; G310 is v1 */
  };
  struct drm_panthor_csif_info c = {
      .csg_slot_count = 8,
      .cs_slot_count = 8,
      .cs_reg_count = 96,
      .scoreboard_slot_count = 8,
      .unpreserved_cs_reg_count = 4,
  };
  struct drm_panthor_timestamp_info t = {.timestamp_frequency = 24000000};
  struct drm_panthor_group_priorities_info p = {.allowed_mask = 1 << PANTHOR_GROUP_PRIORITY_LOW |
                                                                1 << PANTHOR_GROUP_PRIORITY_MEDIUM};
  const void *src = NULL;
  uint32_t n = 0;
  switch (q->type) {
  case DRM_PANTHOR_DEV_QUERY_GPU_INFO:
    src = &g;
    n = sizeof g;
    break;
  case DRM_PANTHOR_DEV_QUERY_CSIF_INFO:
    src = &c;
    n = sizeof c;
    break;
  case DRM_PANTHOR_DEV_QUERY_TIMESTAMP_INFO:
    src = &t;
    n = sizeof t;
    break;
  case DRM_PANTHOR_DEV_QUERY_GROUP_PRIORITIES_INFO:
    src = &p;
    n = sizeof p;
    break;
  }
  TRACE("  query %u size %u\n", q->type, q->size);
  if (!src)
    return -EINVAL;
  if (q->pointer) {
    if (q->size > n)
      memset((char *)(uintptr_t)q->pointer + n, 0, q->size - n);
    else
      n = q->size;
    memcpy((void *)(uintptr_t)q->pointer, src, n);
  }
  q->size = n;
  return 0;
}

static int pt_bind(struct drm_panthor_vm_bind *b) {
  /* a bind at an address chosen by user space: there is nothing to record */
  TRACE("  bind %u ops, flags 0x%x\n", b->ops.count, b->flags);
  return 0;
}

static int pt_create(struct drm_panthor_bo_create *c) {
  return (c->handle = bo_new(c->size)) ? 0 : -ENOMEM;
}

static int pt_group(struct drm_panthor_group_create *g) {
  g->group_handle = next_id++;
  return 0;
}
static int pt_heap(struct drm_panthor_tiler_heap_create *h) {
  struct bo *b = bo_get(bo_new(h->chunk_size ? h->chunk_size : PAGE));
  if (!b)
    return -ENOMEM;
  h->handle = next_id++;
  h->tiler_heap_ctx_gpu_va = h->first_heap_chunk_gpu_va = GPU_VA(b->off);
  return 0;
}

static int common(unsigned long req, void *a, int *rc) {
  switch (_IOC_NR(req)) {
#define ON(io, expr)                                                                               \
  case _IOC_NR(io):                                                                                \
    TRACE("%s\n", #io);                                                                            \
    *rc = (expr);                                                                                  \
    return 1
    ON(DRM_IOCTL_VERSION, d_version(a));
    ON(DRM_IOCTL_GET_CAP,
       (((struct drm_get_cap *)a)->value =
            ((struct drm_get_cap *)a)->capability == DRM_CAP_PRIME
                ? DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT
                : ((struct drm_get_cap *)a)->capability == DRM_CAP_SYNCOBJ ||
                      ((struct drm_get_cap *)a)->capability == DRM_CAP_SYNCOBJ_TIMELINE,
        0));
    ON(DRM_IOCTL_SET_CLIENT_CAP, 0);
    ON(DRM_IOCTL_GEM_CLOSE, bo_close(((struct drm_gem_close *)a)->handle));
    ON(DRM_IOCTL_SYNCOBJ_CREATE, (((struct drm_syncobj_create *)a)->handle = next_id++, 0));
    ON(DRM_IOCTL_SYNCOBJ_DESTROY, 0);
    ON(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, d_handle_to_fd(a));
    ON(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, (((struct drm_syncobj_handle *)a)->handle = next_id++, 0));
    ON(DRM_IOCTL_SYNCOBJ_WAIT, (((struct drm_syncobj_wait *)a)->first_signaled = 0, 0));
    ON(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
       (((struct drm_syncobj_timeline_wait *)a)->first_signaled = 0, 0));
    ON(DRM_IOCTL_SYNCOBJ_RESET, 0);
    ON(DRM_IOCTL_SYNCOBJ_SIGNAL, 0);
    ON(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, 0);
    ON(DRM_IOCTL_SYNCOBJ_TRANSFER, 0);
    ON(DRM_IOCTL_SYNCOBJ_QUERY, d_query(a));
  }
  return 0;
}

static int on_panfrost(unsigned long req, void *a, int *rc) {
  switch (_IOC_NR(req)) {
    ON(DRM_IOCTL_PANFROST_GET_PARAM, pf_param(a));
    ON(DRM_IOCTL_PANFROST_CREATE_BO, pf_create(a));
    ON(DRM_IOCTL_PANFROST_MMAP_BO,
       bo_offset(((struct drm_panfrost_mmap_bo *)a)->handle,
                 (uint64_t *)&((struct drm_panfrost_mmap_bo *)a)->offset, 0));
    ON(DRM_IOCTL_PANFROST_GET_BO_OFFSET,
       bo_offset(((struct drm_panfrost_get_bo_offset *)a)->handle,
                 (uint64_t *)&((struct drm_panfrost_get_bo_offset *)a)->offset, 1));
    ON(DRM_IOCTL_PANFROST_MADVISE, (((struct drm_panfrost_madvise *)a)->retained = 1, 0));
    ON(DRM_IOCTL_PANFROST_WAIT_BO, 0);
    ON(DRM_IOCTL_PANFROST_SUBMIT, 0);
  }
  return 0;
}

static int on_panthor(unsigned long req, void *a, int *rc) {
  switch (_IOC_NR(req)) {
    ON(DRM_IOCTL_PANTHOR_DEV_QUERY, pt_query(a));
    ON(DRM_IOCTL_PANTHOR_VM_CREATE, (((struct drm_panthor_vm_create *)a)->id = next_id++, 0));
    ON(DRM_IOCTL_PANTHOR_VM_DESTROY, 0);
    ON(DRM_IOCTL_PANTHOR_VM_BIND, pt_bind(a));
    ON(DRM_IOCTL_PANTHOR_VM_GET_STATE,
       (((struct drm_panthor_vm_get_state *)a)->state = DRM_PANTHOR_VM_STATE_USABLE, 0));
    ON(DRM_IOCTL_PANTHOR_BO_CREATE, pt_create(a));
    ON(DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET,
       bo_offset(((struct drm_panthor_bo_mmap_offset *)a)->handle,
                 (uint64_t *)&((struct drm_panthor_bo_mmap_offset *)a)->offset, 0));
    ON(DRM_IOCTL_PANTHOR_GROUP_CREATE, pt_group(a));
    ON(DRM_IOCTL_PANTHOR_GROUP_DESTROY, 0);
    ON(DRM_IOCTL_PANTHOR_GROUP_SUBMIT, 0);
    ON(DRM_IOCTL_PANTHOR_GROUP_GET_STATE,
       (((struct drm_panthor_group_get_state *)a)->state = 0, 0));
    ON(DRM_IOCTL_PANTHOR_TILER_HEAP_CREATE, pt_heap(a));
    ON(DRM_IOCTL_PANTHOR_TILER_HEAP_DESTROY, 0);
  }
  return 0;
}

int ioctl(int fd, unsigned long req, ...) {
  REAL(int, "ioctl", int, unsigned long, ...);
  va_list ap;
  va_start(ap, req);
  void *a = va_arg(ap, void *);
  va_end(ap);
  req &= 0xffffffffu; /* libdrm may pass a sign-extended int */
  if (_IOC_TYPE(req) != DRM_IOCTL_BASE || !is_node(fd))
    return real(fd, req, a);
  /* As in the kernel, the number decides and the sizes may differ: structures have grown at the
   * end. */
  char arg[256] = {0};
  unsigned size = _IOC_SIZE(req);
  int rc = -EINVAL;
  if (!a || size > sizeof arg) {
    errno = EINVAL;
    return -1;
  }
  void *user = a;
  memcpy(a = arg, user, size);
  if (!common(req, a, &rc) && !(panthor() ? on_panthor(req, a, &rc) : on_panfrost(req, a, &rc)))
    TRACE("unknown ioctl nr 0x%x size %u\n", (unsigned)_IOC_NR(req), (unsigned)_IOC_SIZE(req));
  memcpy(user, arg, size);
  if (rc >= 0)
    return rc;
  TRACE("  failed: %s\n", strerror(-rc));
  errno = -rc;
  return -1;
}

/* The flush-id register page of panthor is mapped at a fixed file offset; give it a zero page. */
#define MMAP(name)                                                                                 \
  void *name(void *addr, size_t len, int prot, int flags, int fd, off_t off) {                     \
    REAL(void *, #name, void *, size_t, int, int, int, off_t);                                     \
    if (fd >= 0 && (uint64_t)off >= DRM_PANTHOR_USER_MMIO_OFFSET && is_node(fd)) {                 \
      TRACE("%s flush id\n", __func__);                                                            \
      return real(addr, len, prot, (flags & ~MAP_SHARED) | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);    \
    }                                                                                              \
    return real(addr, len, prot, flags, fd, off);                                                  \
  }
MMAP(mmap)
MMAP(mmap64)
