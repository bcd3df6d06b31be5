// expect: held passes=vectorize
// A leaky rectifier through two small helper functions, in place.
inline float leaky(float v, float slope) { return v >= 0.f ? v : v * slope; }
inline float apply(float v, float bias, float slope) { return leaky(v + bias, slope); }
__kernel void activation_helper(__global float *act, __global const float *bias, float slope, int total) {
  int k = get_global_id(0);
  if (!(k < total))
    return;
  act[k] = apply(act[k], bias[k], slope);
}
