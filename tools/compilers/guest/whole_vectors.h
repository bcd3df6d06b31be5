/* whole_vectors.h - put before a kernel's source. vloadN and vstoreN become one access of a whole
 * vector. libclc splits them into N accesses of elements, because they need only the alignment of
 * an element; Mali loads and stores a whole vector at any alignment in one access, and Arm's own
 * compiler uses that. For counting only: the code makes promises about alignment and aliasing that
 * the program may not keep. N = 3 is left alone. */
#define CLMALI_FN static inline __attribute__((overloadable, always_inline))
#define CLMALI_LOAD(T, N, W, AS)                                                                   \
  CLMALI_FN T##N clmali_vload##N(size_t i, const AS T *p) {                                        \
    return as_##T##N(((const AS W *)p)[i]);                                                        \
  }
#define CLMALI_STORE(T, N, W, AS)                                                                  \
  CLMALI_FN void clmali_vstore##N(T##N v, size_t i, AS T *p) { ((AS W *)p)[i] = as_##W(v); }
#define CLMALI_BOTH(T, N, W)                                                                       \
  CLMALI_LOAD(T, N, W, __global)                                                                   \
  CLMALI_LOAD(T, N, W, __local)                                                                    \
  CLMALI_LOAD(T, N, W, __private)                                                                  \
  CLMALI_LOAD(T, N, W, __constant)                                                                 \
  CLMALI_STORE(T, N, W, __global)                                                                  \
  CLMALI_STORE(T, N, W, __local)                                                                   \
  CLMALI_STORE(T, N, W, __private)
/* W: an integer type of the same size, of elements wide enough that no back end splits it. */
#define CLMALI_8(T)                                                                                \
  CLMALI_BOTH(T, 2, T##2) CLMALI_BOTH(T, 4, uint) CLMALI_BOTH(T, 8, uint2) CLMALI_BOTH(T, 16, uint4)
#define CLMALI_16(T)                                                                               \
  CLMALI_BOTH(T, 2, uint)                                                                          \
  CLMALI_BOTH(T, 4, uint2) CLMALI_BOTH(T, 8, uint4) CLMALI_BOTH(T, 16, uint8)
#define CLMALI_32(T)                                                                               \
  CLMALI_BOTH(T, 2, uint2)                                                                         \
  CLMALI_BOTH(T, 4, uint4) CLMALI_BOTH(T, 8, uint8) CLMALI_BOTH(T, 16, uint16)
#define CLMALI_64(T)                                                                               \
  CLMALI_BOTH(T, 2, ulong2)                                                                        \
  CLMALI_BOTH(T, 4, ulong4) CLMALI_BOTH(T, 8, ulong8) CLMALI_BOTH(T, 16, ulong16)
CLMALI_8(char)
CLMALI_8(uchar)
CLMALI_16(short)
CLMALI_16(ushort)
CLMALI_32(int)
CLMALI_32(uint)
CLMALI_32(float)
CLMALI_64(long)
CLMALI_64(ulong)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
CLMALI_16(half)
#endif
#define vload2 clmali_vload2
#define vload4 clmali_vload4
#define vload8 clmali_vload8
#define vload16 clmali_vload16
#define vstore2 clmali_vstore2
#define vstore4 clmali_vstore4
#define vstore8 clmali_vstore8
#define vstore16 clmali_vstore16
#undef CLMALI_FN
#undef CLMALI_LOAD
#undef CLMALI_STORE
#undef CLMALI_BOTH
#undef CLMALI_8
#undef CLMALI_16
#undef CLMALI_32
#undef CLMALI_64
