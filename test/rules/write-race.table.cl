// RUN: %{python} %{expect} %s
// Tables in local memory that the group fills, and of which data choose what each work-item reads.
__constant uint Steps[256] = {1, 2, 3};

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void fenced(__global const uint *in, __global uint *out) {
  __local uint table[256];
  uint lid = get_local_id(0), i = get_global_id(0);
  table[lid] = Steps[lid]; // HIT: work-items fill 'table' together, and data choose what each reads of it: there is no barrier between
  mem_fence(CLK_LOCAL_MEM_FENCE);
  out[i] = table[in[i] & 255] ^ table[(in[i] >> 8) & 255];
}

__kernel void in_rounds(__global const uint *in, __global uint *out) {
  __local uint table[256];
  uint i = get_global_id(0);
  for (uint l = get_local_id(0); l < 256; l += get_local_size(0))
    table[l] = Steps[l]; // HIT: work-items fill 'table' together
  out[i] = table[in[i] & 255] ^ table[(in[i] >> 8) & 255];
}

__kernel void ordered(__global const uint *in, __global uint *out) {
  __local uint table[256];
  uint i = get_global_id(0);
  for (uint l = get_local_id(0); l < 256; l += get_local_size(0))
    table[l] = Steps[l]; // miss: a barrier lies between
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = table[in[i] & 255] ^ table[(in[i] >> 8) & 255];
}

__kernel void each_for_itself(__global const uint *in, __global uint *out) {
  __local uint table[64 * 16];
  uint lid = get_local_id(0), i = get_global_id(0);
  for (uint k = 0; k < 16; ++k)
    table[lid * 16 + k] = Steps[k]; // miss: each has a row of its own
  out[i] = table[lid * 16 + (in[i] & 15)];
}

__kernel void two_parts(__global const uint *in, __global uint *out, __local uint *memory, uint first) {
  uint lid = get_local_id(0), i = get_global_id(0);
  memory[first + lid] = in[i]; // miss: it begins where the table ends
  out[i] = memory[in[i] & 255] + memory[first + lid];
}

// For groups that run in step.
#ifdef RUNS_IN_STEP
#define BARRIER_LOCAL barrier(CLK_LOCAL_MEM_FENCE)
#else
#define BARRIER_LOCAL
#endif
__kernel void left_out(__global const uint *in, __global uint *out) {
  __local uint table[256];
  uint lid = get_local_id(0), i = get_global_id(0);
  table[lid] = Steps[lid]; // miss: there may be a barrier
  BARRIER_LOCAL;
  out[i] = table[in[i] & 255];
}

__kernel void moved_for_all(__global const uint *in, __global const uint *begins, __global uint *out) {
  __local uint table[512];
  uint lid = get_local_id(0), i = get_global_id(0);
  table[256 + lid] = in[i]; // miss: one number of the group moves all places
  out[i] = table[(lid + begins[get_group_id(0)]) % 256];
}

__kernel void one_or_the_other(__global const uint *in, __global uint *out, int n) {
  __local uint table[256];
  uint lid = get_local_id(0), i = get_global_id(0);
  if (n > 4) {
    table[lid] = in[i]; // miss: the work-item that writes does not read
    out[i] = 0;
  } else {
    out[i] = table[in[i] & 255];
  }
}
