// RUN: %{python} %{expect} %s
// Functions that are given an array may be many arrays': the array is the place.

uint sum_of(const uint *words, int n) {
  uint sum = 0;
  for (int i = 0; i < n; ++i)
    sum += words[i]; // miss: the array belongs to the caller
  return sum;
}

uint of_own(__global const uint *in, int n) {
  uint last[32]; // HIT: the private array 'last' is indexed by a loop whose length is not known
  for (int i = 0; i < n; ++i)
    last[i] = in[i]; // miss: reported at the declaration
  return last[0];
}

__kernel void gives(__global const uint *in, __global uint *out, int n) {
  uint words[16]; // HIT: the private array 'words' is indexed by a loop whose length is not known
  words[0] = in[get_global_id(0)];
  out[get_global_id(0)] = sum_of(words, n) + of_own(in, n);
}

__kernel void gives_and_takes(__global const uint *in, __global uint *out, int n) {
  uint words[16];  // miss: reported at the kernel's own access
  words[n] = in[get_global_id(0)]; // HIT: the private array 'words' is indexed by an argument
  out[get_global_id(0)] = sum_of(words, n);
}
