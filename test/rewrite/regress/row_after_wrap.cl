// expect: any
// The same along dimension 1, whose work-items are the rows of a block.
__kernel void row_after_wrap(__global const float *a, __global float *out, int w) {
  int x = get_global_id(0);
  uint y = get_global_id(1);
  ulong j = (ulong)(y - 37u) + 1ul;
  int h = (int)((y + 1u) * 1000003u);
  out[y * w + x] = (j < 10ul ? 1.0f : 2.0f) * a[y * w + x] + (h < 0 ? 1.0f : 0.0f) * a[x];
}
