// expect: held
// why: each work-item adds two first; groups map one to one
// launch: {"kernel": "sums_2", "when": "lx > 0 && lx % 2 == 0", "global": ["gx / 2"], "local": ["lx / 2"]}
__kernel void sums_2(__global const int *x, __global int *partial, __local int *scratch) {
  int l = get_local_id(0);
  int at = get_group_id(0) * get_local_size(0) * 2 + l;
  scratch[l] = x[at] + x[at + get_local_size(0)];
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      scratch[l] += scratch[l + s];
  }
  if (l == 0)
    partial[get_group_id(0)] = scratch[0];
}
