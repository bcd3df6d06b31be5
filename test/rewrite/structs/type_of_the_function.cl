// expect: held passes=merge-loads device=mali-bifrost
// The struct is declared in the function, and its array is indexed by data: it stays in memory, so
// the new text declares its type again.
uint bits_of(int v) {
  union { uint u; int i; } both;
  both.i = v;
  return both.u;
}

__kernel void type_of_the_function(__global const int *in, __global uint *out, int n) {
  struct slot { int sum; uchar2 seen[2]; } slot;
  int i = get_global_id(0);
  if (i >= n)
    return;
  slot.sum = in[4 * i] + in[4 * i + 1] * in[4 * i + 2] - in[4 * i + 3];
  uint bits = bits_of(slot.sum);
  slot.seen[bits & 1] = (uchar2)(1, 2);
  slot.seen[(bits & 1) ^ 1] = (uchar2)(3, 4);
  out[i] = bits + slot.seen[0].y;
}
