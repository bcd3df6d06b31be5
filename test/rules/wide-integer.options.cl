// RUN: not clmali-lint --device=mali-t604 --checks=-*,wide-integer --fail-on=info %s
// RUN: clmali-lint --device=mali-t604 --checks=-*,wide-integer --fail-on=info --option=wide-integer.FloatShare=0 %s
// One operation in floating point, among five on narrow integers.
__kernel void sharpen(__global const uchar *in, __global uchar *out, __global float *scaled) {
  int i = get_global_id(0);
  int v = 9 * in[i + 1] - in[i] - in[i + 2] - 3 * in[i + 3];
  out[i] = clamp(v, 0, 255);
  scaled[i] = 2.0f * scaled[i];
}
