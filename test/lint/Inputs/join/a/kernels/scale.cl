__kernel void scale(__global float *data) {
  __local float part[TILE];
  part[get_local_id(0)] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = part[TILE - 1 - get_local_id(0)];
}
