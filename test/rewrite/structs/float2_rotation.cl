// expect: any
// Points as float2 turned by a given angle's cosine and sine.
__kernel void float2_rotation(__global float2 *pts, float c, float s, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float2 p = pts[i];
  pts[i] = (float2)(p.x * c - p.y * s, p.x * s + p.y * c);
}
