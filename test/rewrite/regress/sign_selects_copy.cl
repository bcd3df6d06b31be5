// expect: any
// The copy is made where a wrapped product is not negative.
__kernel void sign_selects_copy(__global const float *a, __global float *out, int n) {
  __local float t[256];
  int l = get_local_id(0), g = get_global_id(0);
  float v = 0.0f;
  if ((int)((uint)l * 21474837u) >= 0)
    v = a[g];
  t[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[255 - l] + t[l];
}
