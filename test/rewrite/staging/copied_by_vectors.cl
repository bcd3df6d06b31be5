// expect: held passes=delocalize device=mali-bifrost
// Each item copies four floats with one vector load.
__kernel void copied_by_vectors(__global const float *in, __global float *out) {
  __local float tile[256];
  int l = get_local_id(0);
  int base = get_group_id(0) * 256;
  vstore4(vload4(l, in + base), l, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k) {
    int i = l + 64 * k;
    float left = i > 0 ? tile[i - 1] : 0.0f;
    out[base + i] = tile[i] - left;
  }
}
