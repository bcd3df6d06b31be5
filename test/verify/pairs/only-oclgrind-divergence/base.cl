__kernel void add(__global int *x, __local int *s) {
  int l = get_local_id(0);
  s[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = s[l] + 1;
}
