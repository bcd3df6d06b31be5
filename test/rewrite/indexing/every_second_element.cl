// expect: held
// De-interleaves real and imaginary parts: loads with stride two.
__kernel void every_second_element(__global const float *iq, __global float *re, __global float *im, uint n) {
  uint i = get_global_id(0);
  if (i < n) {
    re[i] = iq[2 * i];
    im[i] = iq[2 * i + 1];
  }
}
