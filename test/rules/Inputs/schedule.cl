// An array of 256 bytes at known indices.
__kernel void schedule(__global const uint *in, __global uint *out) {
  uint words[64];
  int i = get_global_id(0);
  for (int k = 0; k < 16; ++k)
    words[k] = in[16 * i + k];
  for (int k = 16; k < 64; ++k)
    words[k] = rotate(words[k - 2], 7u) + words[k - 16];
  uint v = 0;
  for (int k = 0; k < 64; ++k)
    v = rotate(v, 3u) ^ words[k];
  out[i] = v;
}
