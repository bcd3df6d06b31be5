typedef struct {
  uchar kind;
  float at[2];
  short age;
  float4 velocity;
} Body;

__kernel void step_bodies(__global const Body *from, __global Body *to, float dt, int n) {
  int i = get_global_id(0);
  if (i < n) {
    to[i] = from[i];
    for (int k = 0; k < 2; ++k)
      to[i].at[k] = from[i].at[k] - from[i].velocity.s0 * dt;
    to[i].age = from[i].age + 1;
  }
}
