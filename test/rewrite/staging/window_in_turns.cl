// expect: held passes=delocalize device=mali-bifrost
// All items copy a window of the signal in strided iterations; each item then sums its taps.
#define TAPS 33
__kernel void window_in_turns(__global const float *in, __global const float *taps, __global float *out) {
  __local float win[64 + TAPS - 1];
  __local float coef[TAPS];
  int lid = get_local_id(0), ls = get_local_size(0);
  int base = get_group_id(0) * ls;
  for (int i = lid; i < 64 + TAPS - 1; i += ls)
    win[i] = in[base + i];
  for (int i = lid; i < TAPS; i += ls)
    coef[i] = taps[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float acc = 0.0f;
  for (int k = 0; k < TAPS; ++k)
    acc += win[lid + k] * coef[k];
  out[get_global_id(0)] = acc;
}
