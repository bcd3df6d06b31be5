// expect: held passes=delocalize device=mali-bifrost
// expect: any
// Bodies as float4, tiles of positions through local memory.
__kernel void gravity_tiled_float4(__global float4 *pos, __global float4 *acc, __local float4 *localPos, int numBodies, float epsSqr) {
  unsigned int tid = get_local_id(0);
  unsigned int gid = get_global_id(0);
  unsigned int localSize = get_local_size(0);
  unsigned int numTiles = numBodies / localSize;
  float4 myPos = pos[gid];
  float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < numTiles; ++i) {
    int idx = i * localSize + tid;
    localPos[tid] = pos[idx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < localSize; ++j) {
      float4 r = localPos[j] - myPos;
      float distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
      float invDist = 1.0f / sqrt(distSqr + epsSqr);
      float s = localPos[j].w * invDist * invDist * invDist;
      sum += s * r;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acc[gid] = sum;
}
