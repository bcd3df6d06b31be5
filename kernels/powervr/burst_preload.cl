// A tile that the group reads several times is copied into local memory element by element.
__kernel void burst_preload(__global const float *in, __global float *out) {
  __local float tile[256];
  int l = get_local_id(0);
  for (int k = l; k < 256; k += 64)
    tile[k] = in[get_group_id(0) * 256 + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 256; k++)
    sum += tile[k] * tile[(k + l) & 255];
  out[get_global_id(0)] = sum;
}
