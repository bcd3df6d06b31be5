// expect: any
// Vectors already in the source: positions and velocities as float4.
__kernel void float4_already(__global float4 *pos, __global const float4 *vel, float dt) {
  int i = get_global_id(0);
  float4 p = pos[i];
  p += vel[i] * dt;
  p.w = 1.0f;
  pos[i] = p;
}
