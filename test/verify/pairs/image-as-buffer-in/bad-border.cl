// expect: refuted
// why: the first texel of a row has the last of the row before, and the first row reads before the buffer
// launch: {"kernel": "before_b", "global": ["gx", "gy"]}
// arguments: [{"name": "src", "as": "buffer"}]
__kernel void before_b(__global const uchar4 *src, __global uint4 *dst, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  dst[y * w + x] = convert_uint4(src[y * w + x]) + convert_uint4(src[y * w + x - 1]);
}
