// RUN: %{python} %{expect} %s
// Ids in a structure, as other languages have them.
typedef struct {
  uint x, y;
} Ids;
__kernel void ids_in_a_structure(__global const float *in, __global float *out, int w) {
  Ids local_ids = {get_local_id(0), get_local_id(1)}, ids = {get_global_id(0), get_global_id(1)};
  __local float tile[256];
  float sum = 0.0f;
  for (int j = 0; j < w; j += 16) {
    tile[local_ids.y * 16 + local_ids.x] = in[ids.y * w + local_ids.x + j]; // HIT: 'in' is read one float at a time
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[local_ids.y * 16];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[ids.y * w + ids.x] = sum; // HIT: 'out' is written one float at a time
}

__kernel void ids_that_change(__global float *out, int w) {
  Ids ids = {get_global_id(0), get_global_id(1)};
  for (int j = 0; j < w; ++j) {
    out[ids.y * w + ids.x] = j; // miss: it advances by its own rows
    barrier(CLK_GLOBAL_MEM_FENCE);
    ids.x = ids.x * 3 + ids.y;
  }
}

__kernel void ids_of_a_group(__global float *out, int w) {
  __local Ids ids;
  ids.x = get_group_id(0) * 16;
  ids.y = get_group_id(1);
  for (int j = 0; j < w; ++j) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(ids.y * w + ids.x + get_local_id(0)) * 7] = j; // miss: elements between them
  }
}
