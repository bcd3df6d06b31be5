// RUN: %{python} %{expect} %s
// ROW is the host's: what only holds for some number is no race of the kernel's.
__kernel void rows(__global const float *in, __global float *out) {
  __local float part[8 * ROW];
  int x = get_local_id(0), y = get_local_id(1), at = y * ROW + x;
  part[at] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < 16)
    part[at] += part[at + 16]; // miss: for ROW 16 in the next row, for ROW 32 not accessed
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * 64 + get_global_id(0)] = part[at];
}

__kernel void neighbours(__global float *out) {
  int i = get_global_id(0);
  out[i + 1] = out[i] + 1.0f; // HIT: two work-items write and read one element of 'out'
}
