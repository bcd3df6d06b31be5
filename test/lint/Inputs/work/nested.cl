// Each function calls the next one five times: 3125 loads in the kernel.
float f0(__global const float *p, int i, int n) { return p[min(max(i, 0), n)]; }
#define NEXT(f, g)                                                                          \
  float f(__global const float *p, int i, int n) {                                          \
    return g(p, i - 2, n) + g(p, i - 1, n) + g(p, i, n) + g(p, i + 1, n) + g(p, i + 2, n);   \
  }
NEXT(f1, f0)
NEXT(f2, f1)
NEXT(f3, f2)
NEXT(f4, f3)
NEXT(f5, f4)
__kernel void far(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  out[i] = f5(in, i, n);
}
