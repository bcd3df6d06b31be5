// expect: held passes=vectorize
// A finite-difference time-domain update of one field component, in place.
__kernel void field_update_ey(__global float *ey, __global const float *hz, int NX, int NY) {
  int j = get_global_id(0);
  int i = get_global_id(1);
  if ((i < NX) && (j < NY) && (i > 0))
    ey[i * NY + j] = ey[i * NY + j] - 0.5f * (hz[i * NY + j] - hz[(i - 1) * NY + j]);
}
