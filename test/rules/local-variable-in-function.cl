// RUN: %{python} %{expect} %s
void total(__global float *out, float v) {
  local float part[64]; // HIT: a local variable in a function that is no kernel
  part[get_local_id(0)] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = part[0] + part[63];
}
inline int first(int x) {
  __local int shared_value; // HIT: a local variable in a function that is no kernel
  if (get_local_id(0) == 0)
    shared_value = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  return shared_value;
}
__kernel void sums(__global const float *in, __global float *out) { total(out, in[get_global_id(0)]); }
__kernel void firsts(__global int *x) {
  int a = first(x[get_global_id(0)]);
  total((__global float *)x, a);
}
__kernel void block(__global float *x, int n) {
  if (n > 0) {
    __local float tile[64]; // HIT: a local variable in a block of the kernel
    tile[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = tile[63 - get_local_id(0)];
  }
}

float last(__local const float *part) { return part[63]; } // miss: a pointer
__kernel void passed(__global float *x) {
  /* { */ __local float tile[64]; // miss: in the kernel, behind a comment with a brace
  tile[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = last(tile);
}
__kernel void after_block(__global float *x) {
  if (x[0] > 0) {
    float scratch[4]; // miss: private
    scratch[get_local_id(0) & 3] = 1;
    x[get_global_id(0)] = scratch[0];
  }
  __local float tile[64]; // miss: behind a block
  tile[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = tile[0];
}
__kernel void argument(__global float *x, __local float *tile) { // miss: an argument
  tile[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = tile[0];
}

__kernel void either_brace(__global float *x, int n) {
#ifdef LARGE
  if (n > 1000) {
#else
  if (n > 10) {
#endif
    x[0] = n;
  }
  __local float tile[64]; // miss: one of the two braces is there
  tile[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = tile[63 - get_local_id(0)];
}

#define BEGIN {
#define END }
__kernel void hidden_brace(__global float *x) {
  BEGIN
  __local float tile[64]; // HIT: a local variable in a block of the kernel
  tile[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = tile[63 - get_local_id(0)];
  END
}
