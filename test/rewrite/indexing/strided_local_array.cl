// expect: held
// A private column of a local array, stride of the group size, filled and used by one item alone.
#define DEPTH 4
#define GS 32
__kernel void strided_local_array(__global const float *in, __global float *out, int n) {
  __local float stack[DEPTH * GS];
  int l = get_local_id(0);
  int g = get_global_id(0);
  for (int d = 0; d < DEPTH; d++)
    stack[d * GS + l] = in[d * n + g];
  float v = 0.0f;
  for (int d = DEPTH - 1; d >= 0; d--)
    v = v * 0.5f + stack[d * GS + l];
  out[g] = v;
}
