// expect: any
// Bodies as float4 in local memory, all pairs.
__kernel void bodies_as_vectors(__global const float4 *pos, __global float4 *acc, int n, float eps) {
  __local float4 shared_pos[64];
  int gid = get_global_id(0), lid = get_local_id(0);
  float4 me = pos[gid];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  int tiles = n / 64;
  for (int t = 0; t < tiles; t++) {
    shared_pos[lid] = pos[t * 64 + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; j++) {
      float dx = shared_pos[j].x - me.x;
      float dy = shared_pos[j].y - me.y;
      float dz = shared_pos[j].z - me.z;
      float d2 = dx * dx + dy * dy + dz * dz + eps;
      float inv = shared_pos[j].w / (d2 * d2);
      ax += dx * inv;
      ay += dy * inv;
      az += dz * inv;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acc[gid] = (float4)(ax, ay, az, 0.0f);
}
