// expect: held passes=delocalize device=mali-bifrost
// Update of the inner blocks of a factorisation: two staged panels of the same matrix, which is written.
#define BS 16
__kernel void two_panels(__global const float *mr, __global const float *mc, __global float *m, int dim, int offset) {
  __local float pr[BS * BS];
  __local float pc[BS * BS];
  int tx = get_local_id(0), ty = get_local_id(1);
  int gr = offset + (get_group_id(1) + 1) * BS;
  int gc = offset + (get_group_id(0) + 1) * BS;
  pr[ty * BS + tx] = mr[(offset + ty) * dim + gc + tx];
  pc[ty * BS + tx] = mc[(gr + ty) * dim + offset + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = 0; i < BS; i++)
    sum += pc[ty * BS + i] * pr[i * BS + tx];
  m[(gr + ty) * dim + gc + tx] -= sum;
}
