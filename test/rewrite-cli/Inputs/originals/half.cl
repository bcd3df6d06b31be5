kernel void half_of(global float *x, local float *t) {
  int l = get_local_id(0), i = get_global_id(0);
  if (l < 32) {
    t[l] = x[i] * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = t[l ^ 1];
  }
}
kernel void shift(global float *x, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[i] = x[i + 1] * 0.5f;
}
kernel void whole(global float *x, global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i + 1] * 0.5f;
}
