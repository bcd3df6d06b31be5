// expect: held
// All-pairs gravity with scalar coordinate arrays, softened.
__kernel void gravity_all_pairs(__global const float *x, __global const float *y, __global const float *z, __global const float *m,
                                __global float *ax, __global float *ay, __global float *az, int n, float eps) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float xi = x[i], yi = y[i], zi = z[i];
  float fx = 0.f, fy = 0.f, fz = 0.f;
  for (int j = 0; j < n; ++j) {
    float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
    float r2 = dx * dx + dy * dy + dz * dz + eps;
    float inv = 1.0f / sqrt(r2);
    float s = m[j] * inv * inv * inv;
    fx += dx * s;
    fy += dy * s;
    fz += dz * s;
  }
  ax[i] = fx;
  ay[i] = fy;
  az[i] = fz;
}
