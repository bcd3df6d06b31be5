// expect: held passes=delocalize device=mali-bifrost
// The copy is in a helper that gets both pointers.
void stage(__local float *to, __global const float *from, int count, int lid, int ls) {
  for (int i = lid; i < count; i += ls)
    to[i] = from[i];
}
__kernel void copied_by_helper(__global const float *table, __global const float *x, __global float *y) {
  __local float t[32];
  stage(t, table, 32, get_local_id(0), get_local_size(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0);
  float v = x[i], r = 0.0f;
  for (int k = 31; k >= 0; --k)
    r = r * v + t[k];
  y[i] = r;
}
