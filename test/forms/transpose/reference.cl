// block: 4x4
__kernel void transpose(__global const float *restrict in, __global float *restrict out, int w, int h) {
  int x = 4 * get_global_id(0), y = 4 * get_global_id(1);
  float4 a = vload4(0, in + y * w + x), b = vload4(0, in + (y + 1) * w + x);
  float4 c = vload4(0, in + (y + 2) * w + x), d = vload4(0, in + (y + 3) * w + x);
  vstore4((float4)(a.x, b.x, c.x, d.x), 0, out + x * h + y);
  vstore4((float4)(a.y, b.y, c.y, d.y), 0, out + (x + 1) * h + y);
  vstore4((float4)(a.z, b.z, c.z, d.z), 0, out + (x + 2) * h + y);
  vstore4((float4)(a.w, b.w, c.w, d.w), 0, out + (x + 3) * h + y);
}
