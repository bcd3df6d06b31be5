// expect: held passes=vectorize
// Bodies as float4, all pairs, components written out.
__kernel void gravity_float4(__global const float4 *pos, __global float4 *acc, int n, float eps) {
  uint gid = get_global_id(0);
  float4 mine = pos[gid];
  float4 sum = (float4)0.0f;
  for (int i = 0; i < n; i++) {
    float4 p = pos[i];
    float4 r;
    r.xyz = p.xyz - mine.xyz;
    float d = r.x * r.x + r.y * r.y + r.z * r.z;
    float inv = 1.0f / sqrt(d + eps);
    sum.xyz += p.w * (inv * inv * inv) * r.xyz;
  }
  acc[gid] = sum;
}
