// expect: held passes=vectorize device=mali-bifrost
// Pairs at a distance that is a shifted one: the lower bits of the id are taken out and put back.
__kernel void halves_by_shifted_span(__global const float *in, __global float *out, const uint log_span, const uint n) {
  const uint t = get_global_id(0);
  if (t >= n)
    return;
  const uint span = 1u << log_span;
  const uint k = t & (span - 1);
  const uint top = ((t - k) << 1) + k;
  const uint bottom = top + span;
  out[top] = in[top] + in[bottom];
  out[bottom] = in[top] - in[bottom];
}
