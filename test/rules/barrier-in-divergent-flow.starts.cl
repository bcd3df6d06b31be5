// RUN: %{python} %{expect} %s
// Loops that the work-items of a group begin at different places.
__kernel void constant_bound(__global float *x) {
  for (uint c = get_local_id(0) % 4; c < 16; c += 4)
    barrier(CLK_LOCAL_MEM_FENCE); // miss: four trips for each of 0 .. 3
  x[get_global_id(0)] = 1.0f;
}

__kernel void masked_start(__global float *x, uint n) {
  uint whole = (n + 7) & ~7u;
  for (uint c = get_local_id(0) & 7; c < whole; c += 8)
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the bound is a multiple of the step
  x[get_global_id(0)] = 1.0f;
}

__kernel void rounded_bound(__global float *x, int n) {
  int lane = get_local_id(0) % 16;
  for (int c = lane; c < (n + 15) / 16 * 16; c += 16)
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the same
  x[get_global_id(0)] = 1.0f;
}

__kernel void other_bound(__global float *x) {
  for (uint c = get_local_id(0) % 4; c < 18; c += 4)
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  x[get_global_id(0)] = 1.0f;
}

__kernel void wider_start(__global float *x) {
  for (uint c = get_local_id(0) % 8; c < 16; c += 4)
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  x[get_global_id(0)] = 1.0f;
}

__kernel void left_early(__global float *x) {
  for (uint c = get_local_id(0) % 4; c < 16; c += 4) {
    if (c == 8)
      break;
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  }
  x[get_global_id(0)] = 1.0f;
}
