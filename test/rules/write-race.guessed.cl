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

// The host defines it: it may be a barrier.
kernel void behind_macro(global float *out, local float *s) {
  int l = get_local_id(0);
  s[l] = out[l]; // miss: SYNC_THREADS may order it
  SYNC_THREADS ();
  out[get_global_id(0)] = s[(l + 1) % 64];
}

kernel void without_macro(global float *out, local float *s) {
  int l = get_local_id(0);
  s[l] = out[l]; // HIT: two work-items write and read one element of 's'
  out[get_global_id(0)] = s[(l + 1) % 64];
}
