// expect: held
// why: what lies between the fields is nobody's, and a NaN is a NaN whatever its sign
// launch: {"kernel": "step_bodies", "global": ["gx"]}
typedef struct {
  uchar kind;
  float at[2];
  short age;
  float4 velocity;
} Body;

__kernel void step_bodies(__global const Body *from, __global Body *to, float dt, int n) {
  int i = get_global_id(0);
  if (i < n) {
    to[i].kind = from[i].kind;
    to[i].at[0] = from[i].at[0] + -from[i].velocity.s0 * dt;
    to[i].at[1] = -from[i].velocity.s0 * dt + from[i].at[1];
    to[i].age = 1 + from[i].age;
    to[i].velocity = from[i].velocity;
  }
}
