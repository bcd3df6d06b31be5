// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali-t604 --checks=-*,wide-integer --option=wide-integer.MinOperations=100 %s

__kernel void sharpen(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  int v = 9 * in[i + 1] - in[i] - in[i + 2] - 3 * in[i + 3]; // HIT: -1275..2295, which fit short
  out[i] = clamp(v, 0, 255);
}

__kernel void sums(__global const uchar *in, __global ushort *out) {
  int i = get_global_id(0);
  int v = in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4]; // HIT: 4 32-bit operations on values in 0..1275, which fit short
  out[i] = v;
}

// 16-bit elements: the sum of four does not fit.
__kernel void shorts(__global const ushort *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4]; // miss: up to 327675
}

__kernel void vectors(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  short8 v = convert_short8(vload8(i, in));
  v = v + v * (short8)(3) - v - v + v; // miss: short vectors already
  vstore8(convert_uchar8(v), i, out);
}

__kernel void words(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1] + in[i + 2] + in[i + 3] - in[i + 4]; // miss: 32-bit elements
}

__kernel void few(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1]; // HIT: 1 32-bit operation on values in 0..510
}

__kernel void addresses(__global const uchar *in, __global uchar *out, uchar w) {
  int x = get_global_id(0);
  out[x * 2 + 3 * w + w + 7] = in[x * 2 + 3 * w + w + 7]; // miss: addresses
}

__kernel void floats(__global const uchar *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = 1.0f * in[i] + 2.0f * in[i + 1] + 3.0f * in[i + 2] + 4.0f * in[i + 3]; // miss: floating point
}

__kernel void few_bits(__global const uint *in, __global uint *out) {
  uint v = in[get_global_id(0)], w = v;
  for (int k = 0; k < 32; ++k)
    w = ((w ^ (v >> k & 1)) + (w << 3) + (w ^ v) + (v >> 5)) ^ (w | v); // miss: what they become is wide
  out[get_global_id(0)] = w;
}

__kernel void decides(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  int sum = in[i - w] + in[i - 1] + in[i] + in[i + 1] + in[i + w]; // HIT: which fit short
  if (sum > 1000)
    out[i] = 1;
  else
    out[i] = 0;
}

__kernel void decides_wide(__global const int *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  int sum = in[i - w] + in[i - 1] + in[i] + in[i + 1] + in[i + w]; // miss: the data are 32 bits wide
  if (sum > 1000)
    out[i] = 1;
  else
    out[i] = 0;
}

__kernel void decides_a_variable(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  int sum = in[i - w] + in[i - 1] + in[i] + in[i + 1] + in[i + w]; // HIT: which fit short
  uchar cell = 0;
  if (sum > 1000)
    cell = 1;
  out[i] = cell;
}

__kernel void a_stack(__global const uchar *in, __global uchar *out) {
  int stack[32], top = 0, found = 0;
  stack[top++] = get_global_id(0);
  while (top > 0 && top < 30) {
    int v = stack[--top];
    if (in[v] == 0)
      stack[top++] = v + 1;
    found = 1;
  }
  out[get_global_id(0)] = found; // miss: what loops count
}

__kernel void window(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0), sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += in[i + y * w + x]; // HIT: 9 32-bit operations on values in 0..2295, which fit short
  out[i] = sum / 9;
}

__kernel void window_around(__global const uchar *in, __global uchar *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), sum = 0;
  for (int i = x - 1; i <= x + 1; ++i)
    for (int j = y - 1; j <= y + 1; ++j)
      sum += in[j * w + i]; // HIT: 32-bit operation on values in 0..2295
  out[y * w + x] = sum / 9;
}

__kernel void window_of_any_size(__global const uchar *in, __global uchar *out, int w, int r) {
  int x = get_global_id(0), sum = 0;
  for (int i = x - 1; i <= x + r; ++i)
    sum += in[i]; // miss: of any size
  out[x] = sum / 9;
}

__kernel void large_window(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0), sum = 0;
  for (int y = -8; y <= 8; ++y)
    for (int x = -8; x <= 8; ++x)
      sum += in[i + y * w + x]; // miss: 0..73695
  out[i] = sum / 289;
}

__kernel void small_window(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0), sum = 0;
  for (int x = -1; x <= 1; ++x)
    sum += in[i + x]; // HIT: 3 32-bit operations on values in 0..765
  out[i] = sum / 3;
}

__kernel void channels(__global const uint *in, __global uchar *out) {
  int i = get_global_id(0);
  uint c = in[i];
  out[3 * i] = (c >> 16) & 0xff; // miss: taken out of 32 bits
  out[3 * i + 1] = (c >> 8) & 0xff;
  out[3 * i + 2] = c & 0xff;
}

__kernel void halves(__global const ushort *in, __global uchar *out) {
  int i = get_global_id(0);
  ushort c = in[i];
  out[4 * i] = (c >> 12) & 15; // HIT: which fit short
  out[4 * i + 1] = (c >> 8) & 15;
  out[4 * i + 2] = (c >> 4) & 15;
}

// Each operation fits one of the two.
__kernel void luma(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  int r = in[4 * i], g = in[4 * i + 1], b = in[4 * i + 2];
  out[2 * i] = ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
  out[2 * i + 1] = ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128; // HIT: which fit short or ushort
}

__kernel void luma_and_wide(__global const uchar *in, __global int *out) {
  int i = get_global_id(0);
  int r = in[4 * i], g = in[4 * i + 1], b = in[4 * i + 2];
  out[2 * i] = (66 * r + 129 * g) + ((25 * b - 200) >> 2);
  out[2 * i + 1] = 30000 * r - 94 * g - 18 * b + 128; // miss: one value fits neither
}

__kernel void sign_of(__global const float *in, __global float *out) {
  int i = get_global_id(0), s = 1;
  s = s * (in[i] >= 0) + -s * (in[i] < 0) * 3; // miss: outcomes of comparisons of floats are as wide as these
  out[i] = 2.0f * s + s * in[i];
}

__kernel void sign_of_bytes(__global const char *in, __global char *out) {
  int i = get_global_id(0), s = 1;
  s = s * (in[i] >= 0) + -s * (in[i] < 0) * 3; // HIT: which fit short
  out[i] = 2 * s + s;
}

__kernel void bytes_of_a_long(__global const uchar *in, __global long *out) {
  int i = get_global_id(0);
  // miss: little of it is narrow
  out[i] = in[8 * i] + (in[8 * i + 1] << 8) + ((long)in[8 * i + 2] << 16) + ((long)in[8 * i + 3] << 24) +
           ((long)in[8 * i + 4] << 32) + ((long)in[8 * i + 5] << 40);
}

__kernel void mostly_wide(__global const uchar *in, __global float *out) {
  int i = get_global_id(0), sum = 0, squares = 0;
  for (int k = 0; k < 400; ++k) {
    int v = in[i + k];
    sum += v * 2; // miss: a third of it is wide
    squares += v * v;
  }
  out[i] = squares * 0.5f - sum;
}

// Parts extracted from a wide value.
__kernel void grey(__global const uint *in, __global uchar *out) {
  int i = get_global_id(0);
  uint p = in[i];
  uchar r = p & 0xff, g = (p >> 8) & 0xff, b = (p >> 16) & 0xff;
  out[i] = (66 * r + 129 * g + 25 * b) >> 8; // HIT: which fit ushort
}

__kernel void hash(__global const uint *in, __global uchar *out) {
  int i = get_global_id(0);
  uint p = in[i] * 2654435761u;
  p = (p ^ (p >> 13)) * 1274126177u;
  p = (p ^ (p >> 16)) * 97u + 5u;
  out[i] = ((p >> 8) & 0xff) + 1; // miss: most of it is wide
}

// Some of it is wide, and the rest fits two types.
__kernel void luma_and_chroma(__global const uchar *in, __global uchar *out, int n) {
  int i = get_global_id(0), r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
  out[2 * i] = ((66 * r + 129 * g + 25 * b) >> 8) + 16;
  out[2 * i + 1] = ((-38 * r - 74 * g + 112 * b) >> 8) + 128 + (r * g * 5 >> 16); // HIT: which fit short or ushort
}

__kernel void rather_wide(__global const uchar *in, __global const int *more, __global int *out) {
  int i = get_global_id(0);
  out[i] = (in[i] - 7) * more[i] + more[i + 1] * 3; // miss: most of it is wide
}

// The range of an array's elements is that of the stored values.
__kernel void sum_of_window(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0), window[9], sum = 0;
  for (int k = 0; k < 9; ++k)
    window[k] = in[i + k];
  for (int k = 0; k < 9; ++k)
    sum += window[k]; // HIT: which fit short
  out[i] = sum / 9;
}

__kernel void sum_of_wide_window(__global const uchar *in, __global const int *wide, __global uchar *out) {
  int i = get_global_id(0), window[9], sum = 0;
  for (int k = 0; k < 8; ++k)
    window[k] = in[i + k];
  window[8] = wide[i]; // one of them is wide
  for (int k = 0; k < 9; ++k)
    sum += window[k]; // miss: not all that is stored is narrow
  out[i] = sum / 9;
}

__kernel void tile(__global const uchar *in, __global uchar *out) {
  __local int tile[64];
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = (tile[l] + tile[(l + 1) & 63] + 1) >> 1; // miss: in local memory other groups' values may be left
}

__kernel void running_sums(__global const uchar *in, __global int *out) {
  int sums[8], i = get_global_id(0);
  sums[0] = in[i];
  for (int k = 1; k < 8; ++k)
    sums[k] = sums[k - 1] + in[i + k]; // miss: each adds to another
  out[i] = sums[7] + 1;
}

// Where something is, is no number that is computed.
__kernel void differences(__global const uchar *left, __global const uchar *right, __global uchar *out, int w) {
  int x = get_global_id(0), other = x - left[x];
  uchar v = 0;
  if (other >= 0 && other < w) {
    uchar there = right[other];
    if (abs((int)left[x] - (int)there) <= 2) // HIT(mali-midgard,mali-bifrost,mali-valhall): 1 32-bit operation on values in -255..255
      v = left[x];
  }
  out[x] = v;
}

__kernel void moved(__global const uchar *left, __global uchar *out, int w) {
  int x = get_global_id(0), other = x - left[x]; // miss: a wide number decides
  out[x] = other >= 0 && other < w ? 1 : 0;
}
