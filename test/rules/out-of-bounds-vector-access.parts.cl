// RUN: %{python} %{expect} %s --no-balance
// A buffer in parts of several types: the bound of a loop over vectors is none of the scalars.
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void two_parts(
    __global float *restrict o, __global const float *restrict a, __local void *shared) {
  __local float *p = (__local float *)shared;
  __local float4 *q = (__local float4 *)(p + 1024);
  int l = get_local_id(0);
  for (int i = l; i < 1024; i += 128)
    p[i] = a[i];
  for (int i = l; i < 16 * 16; i += 128) {
    uint r = i / 16, c = i % 16;
    q[r * 16 + c] = (float4)(a[i]); // miss: the second part
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = p[1023 - l] + q[255 - l].x;
}

__kernel void two_parts_by_argument(__global float *o, __global const float *a, __local float *p, int n) {
  int l = get_local_id(0);
  for (int i = l; i < n; i += 64)
    vstore4((float4)(a[i]), i, p + 512); // miss: the same, with vstore
  for (int i = l; i < n; i += 64)
    p[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = p[l] + p[512 + l];
}

__kernel void one_part(__global float *o, __global const float *a, int n) {
  int l = get_global_id(0);
  if (l < n)
    vstore4(vload4(0, a + l), 0, o + 4 * l); // HIT: the float4 load of 'a' reaches 3 elements past what its guard allows
}

__kernel void next_element(__global float *o, __global const float *a, int n) {
  int l = get_global_id(0);
  if (l < n)
    vstore4(vload4(0, a + l + 1), 0, o + 4 * l); // HIT: the float4 load of 'a' reaches 4 elements past what its guard allows
}
