// expect: held passes=vectorize
// Newton's method, left by break when it has converged.
__kernel void newton_cube_root(__global const float *in, __global float *out, __global int *rounds, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float a = in[i], r = a > 1.0f ? a : 1.0f;
  int k = 0;
  while (k < 40) {
    float next = (2.0f * r + a / (r * r)) * 0.33333334f;
    ++k;
    if (fabs(next - r) <= 1.0e-6f * r)
      break;
    r = next;
  }
  out[i] = r;
  rounds[i] = k;
}
