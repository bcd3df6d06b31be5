#define AT(x, y) m[(x) * n + (y)]
__kernel void scale(__global float *m, const unsigned int n) {
  AT(get_global_id(1), get_global_id(0)) *= 2.0f;
}
