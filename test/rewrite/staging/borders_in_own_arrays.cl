// expect: held passes=delocalize device=mali-bifrost
// Neighbours of a block come from local memory; the borders of the block are staged in arrays of their own.
#define BS 16
__kernel void borders_in_own_arrays(__global const float *J, __global float *dN, __global float *dW, int cols, int rows) {
  __local float temp[BS][BS];
  __local float north[BS];
  __local float west[BS];
  int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
  int index = cols * BS * by + BS * bx + cols * ty + tx;
  temp[ty][tx] = J[index];
  if (ty == 0)
    north[tx] = by == 0 ? J[BS * bx + tx] : J[cols * (BS * by - 1) + BS * bx + tx];
  if (tx == 0)
    west[ty] = bx == 0 ? J[cols * (BS * by + ty)] : J[cols * (BS * by + ty) + BS * bx - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  float jc = temp[ty][tx];
  float n = ty == 0 ? north[tx] - jc : temp[ty - 1][tx] - jc;
  float w = tx == 0 ? west[ty] - jc : temp[ty][tx - 1] - jc;
  dN[index] = n;
  dW[index] = w;
}
