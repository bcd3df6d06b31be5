// expect: held passes=vectorize
// A loop that every item runs as long as its own number lasts.
__kernel void collatz_steps(__global const uint *start, __global uint *steps) {
  int i = get_global_id(0);
  uint v = (start[i] & 1023u) + 1u, count = 0;
  do {
    v = (v & 1u) ? 3u * v + 1u : v >> 1;
    count++;
  } while (v > 1u && count < 200u);
  steps[i] = count;
}
