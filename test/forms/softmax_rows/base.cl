__kernel void softmax(__global const float *in, __global float *out, int n) {
  size_t base = get_global_id(0) * (size_t)n;
  float most = in[base], sum = 0.0f;
  for (size_t k = base + 1; k < base + n; ++k)
    most = fmax(most, in[k]);
  for (size_t k = base; k < base + n; ++k) {
    const float e = native_exp(in[k] - most);
    sum += e;
    out[k] = e;
  }
  for (size_t k = base; k < base + n; ++k)
    out[k] /= sum;
}
