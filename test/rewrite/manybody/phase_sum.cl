// expect: held passes=vectorize
// Sums of magnitudes over all samples for each position (a transform of scattered samples, no trigonometry).
__kernel void phase_sum(__global const float *kx, __global const float *mag, __global const float *x, __global float *q, int numK, int numX) {
  int i = get_global_id(0);
  if (i >= numX)
    return;
  float xl = x[i];
  float acc = q[i];
  for (int k = 0; k < numK; k++) {
    float arg = 6.2831853f * kx[k] * xl;
    acc += mag[k] * (1.0f - 0.5f * arg * arg);
  }
  q[i] = acc;
}
