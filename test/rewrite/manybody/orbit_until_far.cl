// expect: held passes=merge-loads device=mali-bifrost
// Iterates until a point is far away; its start is read again in each iteration.
__kernel void orbit_until_far(__global const float *re, __global const float *im, int most, __global int *rounds) {
  uint i = get_global_id(0);
  float x = re[i], y = im[i];
  int n = 0;
  while (x * x + y * y <= 4.0f && n < most) {
    float next = x * x - y * y + re[i];
    y = 2.0f * x * y + im[i];
    x = next;
    n++;
  }
  rounds[i] = n;
}
