// expect: held passes=vectorize
// Charges as float4 read by component, one of them behind the cutoff.
__kernel void lattice_potential_float4(__global const float4 *atoms, int count, __global float *energy, int width, float h, float cutoff2) {
  int i = get_global_id(0), j = get_global_id(1);
  float x = h * (float)i, y = h * (float)j;
  float e = 0.f;
  for (int n = 0; n < count; n++) {
    float dx = x - atoms[n].x;
    float dy = y - atoms[n].y;
    float r2 = dx * dx + dy * dy + atoms[n].z;
    if (r2 < cutoff2) {
      float s = 1.f - r2 / cutoff2;
      e += atoms[n].w * s * s;
    }
  }
  energy[j * width + i] = e;
}
