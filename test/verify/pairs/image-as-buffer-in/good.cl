// expect: held
// launch: {"kernel": "before_b", "global": ["gx", "gy"]}
// arguments: [{"name": "src", "as": "buffer"}]
__kernel void before_b(__global const uchar4 *src, __global uint4 *dst, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  uint4 left = x ? convert_uint4(src[y * w + x - 1]) : (uint4)(0);
  dst[y * w + x] = convert_uint4(src[y * w + x]) + left;
}
