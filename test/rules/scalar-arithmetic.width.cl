// RUN: %{python} %{expect} %s --no-balance
// The width is the one that is computed with, not that of the bytes in memory.
uint limited(uint v) { return min(v, 255u); } // HIT(mali-bifrost,mali-valhall): 1 operation computes on single 8-bit values // HIT(mali-midgard): the work here, too
__kernel void weighted(__global const uchar *in, __global uchar *out, float f, float g, int n) {
  int i = get_global_id(0);
  float x = in[i] * f + in[i + n] * g; // HIT(mali-midgard): 4 operations compute on single 32-bit values
  out[i] = convert_uchar(limited((uint)x));
}

__kernel void halved(__global const uchar *in, __global uchar *out, float f) {
  int i = get_global_id(0);
  float x = in[i] * f; // miss: three of four are integer operations
  out[i] = (((uint)x >> 1) + 3 & 127) | 1; // HIT(mali-midgard): 5 operations compute on single 8-bit values // HIT(mali-bifrost,mali-valhall): 4 operations compute on single 8-bit values
}
