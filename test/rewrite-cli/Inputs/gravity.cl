__kernel void fall(__global float *vx, __global float *vy, float gx, float gy, int n) {
  int i = get_global_id(0);
  if (i < n) {
    vx[i] += gx;
    vy[i] += gy;
  }
}
