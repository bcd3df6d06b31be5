// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Transposition through a tile given as a kernel argument, flat indices, no padding.
__kernel void transpose_flat_tile(__global const float *input, __global float *output, __local float *block, const uint width,
                                  const uint height, const uint blockSize) {
  uint globalIdx = get_global_id(0);
  uint globalIdy = get_global_id(1);
  uint localIdx = get_local_id(0);
  uint localIdy = get_local_id(1);
  block[localIdy * blockSize + localIdx] = input[globalIdy * width + globalIdx];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint groupIdx = get_group_id(0);
  uint groupIdy = get_group_id(1);
  uint targetGlobalIdx = groupIdy * blockSize + localIdy;
  uint targetGlobalIdy = groupIdx * blockSize + localIdx;
  uint targetIndex = targetGlobalIdy * height + targetGlobalIdx;
  output[targetIndex] = block[localIdy * blockSize + localIdx];
}
