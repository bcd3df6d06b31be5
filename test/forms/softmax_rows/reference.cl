// block: 1
// when: n % 4 == 0 && n >= 4
// steps: 4
// Four elements for each iteration; the order of the sum is kept.
__kernel void softmax(__global const float *restrict in, __global float *restrict out, int n) {
  __global const float *row = in + get_global_id(0) * n;
  __global float *to = out + get_global_id(0) * n;
  float4 m = vload4(0, row);
  for (int k = 4; k < n; k += 4)
    m = fmax(m, vload4(0, row + k));
  float most = fmax(fmax(m.x, m.y), fmax(m.z, m.w)), sum = 0.0f;
  for (int k = 0; k < n; k += 4) {
    float4 d = vload4(0, row + k) - most;
    // Vectors of native functions may round differently from scalars.
    float4 e = (float4)(native_exp(d.x), native_exp(d.y), native_exp(d.z), native_exp(d.w));
    vstore4(e, 0, to + k);
    sum += e.x; sum += e.y; sum += e.z; sum += e.w;
  }
  for (int k = 0; k < n; k += 4)
    vstore4(vload4(0, to + k) / sum, 0, to + k);
}
