// expect: refused racy-original
// Each item adds what its partner holds, while the partner does the same.
__kernel void partner_both_work(__global float *x, uint mask) {
  uint i = get_global_id(0);
  x[i] += x[i ^ mask];
}
