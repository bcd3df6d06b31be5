// expect: held passes=vectorize device=mali-bifrost
// Rays add up what they pass, and end where nothing is seen any more.
__kernel void rays_through_volume(__global const float *vol, __global float *out, int w, int h, int d, float limit) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float acc = 0.0f, trans = 1.0f;
  for (int z = 0; z < d; ++z) {
    float v = vol[(z * h + y) * w + x];
    acc += trans * v;
    trans *= 1.0f - v;
    if (trans < limit)
      break;
  }
  out[y * w + x] = acc;
}
