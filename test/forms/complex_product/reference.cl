// block: 2
// size: n
// Two products as one vector: the real parts of a times b, and the imaginary ones times b turned.
__kernel void product(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                      int n) {
  int i = get_global_id(0);
  float4 p = vload4(i, a), q = vload4(i, b);
  float4 t = p.s1133 * q.s1032;
  vstore4(p.s0022 * q + (float4)(-t.s0, t.s1, -t.s2, t.s3), i, c);
}
