// expect: held passes=vectorize device=mali-bifrost
// volatile on integers that only this work-item sees; the options concern floats.
__kernel void volatile_index(__global const float *in, __global float *out, int n) {
  volatile int i = get_global_id(0);
  volatile int half_way = n / 2;
  if (i >= n)
    return;
  out[i] = in[i] * (i < half_way ? 2.0f : 0.5f);
}
