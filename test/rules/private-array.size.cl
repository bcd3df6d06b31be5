// RUN: %{python} %{expect} %s
// An array initialized at its declaration and never written becomes immediate operands.
__kernel void table(__global const uint *in, __global uint *out) {
  const uint words[64] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  int i = get_global_id(0);
  uint v = in[i];
  for (int k = 0; k < 64; ++k)
    v = rotate(v, 7u) + words[k]; // miss: constants
  out[i] = v;
}

__kernel void schedule(__global const uint *in, __global uint *out) {
  uint words[64];
  int i = get_global_id(0);
  for (int k = 0; k < 16; ++k)
    words[k] = in[16 * i + k]; // HIT(mali-midgard,mali-bifrost,mali-valhall): the private array 'words' is indexed by a loop, and larger
  for (int k = 16; k < 64; ++k)
    words[k] = rotate(words[k - 2], 7u) + words[k - 16];
  uint v = 0;
  for (int k = 0; k < 64; ++k)
    v = rotate(v, 3u) ^ words[k];
  out[i] = v;
}

__kernel void short_schedule(__global const uint *in, __global uint *out) {
  uint words[16];
  int i = get_global_id(0);
  for (int k = 0; k < 16; ++k)
    words[k] = in[16 * i + k]; // miss: 64 bytes
  uint v = 0;
  for (int k = 0; k < 16; ++k)
    v = rotate(v, 3u) ^ words[15 - k];
  out[i] = v;
}

// Whatever the host says that it is: data decide where it is accessed, and nothing is said of its size.
__kernel void stack(__global const int *in, __global int *out) {
  int i = get_global_id(0), top = 0;
  int stack[DEPTH];
  for (int k = 0; k < DEPTH; ++k)
    if (in[i + k] > 0)
      stack[top++] = in[i + k]; // HIT: the private array 'stack' is indexed by data: it goes to memory
  out[i] = top > 0 ? stack[top - 1] : 0;
}

__kernel void stack_of_the_hosts(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  int stack[DEPTH];
  for (int k = 0; k < DEPTH; ++k)
    stack[k] = in[i + k]; // miss: the host determines the trip count
  out[i] = stack[0];
}
