// expect: refused data-dependent-store
// Each work-item reads where it stores: two lanes may store to one element.
__kernel void place_from_memory(__global const float *in, __global float *out, __global const int *place) {
  int i = get_global_id(0);
  out[place[i] + i] = 2.0f * in[i];
}
