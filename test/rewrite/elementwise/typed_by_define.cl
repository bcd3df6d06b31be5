// expect: held passes=vectorize
// Everything that matters hides in macros, as in suites that build one source for several types.
#define TID get_global_id(0)
#define IN_RANGE(i, lim) ((i) < (lim))
#define OP(a, b) ((a) * (b) + (T)ADDEND)
__kernel void typed_by_define(__global const T *lhs, __global const T *rhs, __global T *res, uint lim) {
  if (IN_RANGE(TID, lim))
    res[TID] = OP(lhs[TID], rhs[TID]);
}
