// expect: held passes=merge-loads device=mali-bifrost
// As parameters_by_index, but floats by name and integers by number: the union stays, and no block is made.
typedef union {
  struct { float scale, radius, length; } named;
  uint all[3];
} parameters;

float form(float q, float radius, float length) {
  float c, s = sincos(q * radius, &c);
  return s * length + c;
}

__kernel void parameters_in_two_types(__global const float *values, __global const float *q,
                                  __global float *out, int chosen, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  parameters p;
  for (int k = 0; k < 3; ++k)
    p.all[k] = as_uint(values[k]);
  for (int step = 1; step < 4; ++step) {
    p.all[chosen] += step;
    out[4 * i + step] = p.named.scale * form(q[i], p.named.radius, p.named.length);
  }
}
