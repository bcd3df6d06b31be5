// expect: held passes=vectorize device=mali-bifrost
// Built-ins that also store a result behind a pointer: a pair of results, one result only.
__kernel void phase_rotation(__global const float *phase, __global float *re, __global float *im,
                             __global int *power, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float cosine;
  float sine = sincos(phase[i] * 0.5f, &cosine);
  float whole, part = modf(re[i], &whole);
  int exponent;
  frexp(im[i], &exponent);
  power[i] = exponent;
  re[i] = cosine * part + whole;
  im[i] = sine * part;
}
