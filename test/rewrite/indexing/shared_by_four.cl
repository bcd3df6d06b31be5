// expect: held passes=vectorize device=mali-bifrost
// Four neighbours share an element, and each takes another weight; the ids start at 3 in the second index.
__kernel void shared_by_four(__global const int *a, __global const int *weights, __global int *out, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    out[i] = a[i / 4] * weights[i % 4] + a[(i + 3) / 4] - a[(i >> 2) + (i & 2)];
}
