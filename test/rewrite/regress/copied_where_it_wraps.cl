// expect: any
// The product of the local id wraps at 200, so the guard does not hold for all work-items.
__kernel void copied_where_it_wraps(__global const float *a, __global float *out) {
  __local float t[256];
  uint l = get_local_id(0), g = get_global_id(0);
  t[l] = 0.0f;
  if (l * 21474837u >= l)
    t[l] = a[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[l ^ 1] + t[l];
}
