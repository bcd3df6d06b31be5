// expect: held passes=vectorize device=mali-bifrost
// Parameters by name and by number: one of them, chosen at run time, is replaced.
typedef union {
  struct { float scale, radius, length; } named;
  float all[3];
} parameters;

float form(float q, float radius, float length) {
  float c, s = sincos(q * radius, &c);
  return s * length + c;
}

__kernel void parameters_by_index(__global const float *values, __global const float *q,
                                  __global float *out, int chosen, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  parameters p;
  for (int k = 0; k < 3; ++k)
    p.all[k] = values[k];
  for (int step = 1; step < 4; ++step) {
    p.all[chosen] += 0.25f * step;
    out[step * n + i] = p.named.scale * form(q[i], p.named.radius, p.named.length);
  }
}
