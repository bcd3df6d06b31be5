// expect: held passes=vectorize
// Only some items store, to places that they do not read: those may not exist for the others.
__kernel void stores_where_never_read(__global const float *in, __global float *out, float limit) {
  int i = get_global_id(0);
  if (in[i] > limit)
    out[i] = in[i];
}
