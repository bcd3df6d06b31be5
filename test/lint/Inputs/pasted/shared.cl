#define SCALED(x) ((x) * 2.0f)
float damped(float x) { return x * 0.5f; }
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void shared(__global float *a) {
#ifdef ONCE
  if (a[0] > 0)
#endif
  { a[get_global_id(0)] = SCALED(damped(1.0f)); }
}
