// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Filter taps copied to local memory by the first items of each group.
#define TAPS 9
__kernel void coefficients_staged(__global const float *signal, __global const float *taps, __global float *out) {
  __local float c[TAPS];
  int l = get_local_id(0);
  int g = get_global_id(0);
  if (l < TAPS)
    c[l] = taps[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float acc = 0.0f;
  for (int k = 0; k < TAPS; k++)
    acc += c[k] * signal[g + k];
  out[g] = acc;
}
