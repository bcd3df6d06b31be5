// RUN: %{python} %{expect} %s
// RUN: cp %s %t.cl
// RUN: clmali-lint --device=mali --checks=-*,manual-clamp --fix %t.cl
// RUN: diff %S/Inputs/manual-clamp.fixed %t.cl
// RUN: clang-19 -fsyntax-only --target=spir64 -cl-std=CL1.2 %t.cl

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

__kernel void both(__global int *data) {
  int i = get_global_id(0), v = data[i];
  data[i] = MAX(MIN(v, 255), 0); // HIT: limited from both sides
}

__kernel void least(__global int *data) {
  int i = get_global_id(0), v = data[i];
  data[i] = v < 7 ? v : 7; // HIT: spells min
}

__kernel void most(__global int *data) {
  int i = get_global_id(0), v = data[i];
  data[i] = v < 7 ? 7 : v; // HIT: spells max
}

__kernel void floats(__global float *data) {
  int i = get_global_id(0);
  float v = data[i];
  data[i] = v > 0.0f ? v : 0.0f; // HIT: spells fmax
}

__kernel void builtin(__global int *data) {
  int i = get_global_id(0);
  data[i] = clamp(data[i], 0, 255); // miss: clamp
  data[i] = min(data[i], 7); // miss: min
}

__kernel void other(__global int *data) {
  int i = get_global_id(0), v = data[i];
  data[i] = v < 7 ? v : 8; // miss: another value is chosen than compared
  data[i + 1] = v > 0 ? v : -v; // miss: the absolute value
  data[i + 2] = v == 7 ? v : 7; // miss: equality
  data[i + 3] = v < 7 ? 1 : 0; // miss: a flag
}

// The comparison is unsigned and the choice is not: for -1 the two differ.
__kernel void mixed(__global int *data, uint limit) {
  int i = get_global_id(0), v = data[i];
  data[i] = v < 7 ? (int)limit : 7; // miss: another operand
}

// With limits that may be out of order clamp is undefined; each of the two is found by itself.
__kernel void order(__global int *data, int lo, int hi) {
  int i = get_global_id(0), v = data[i];
  data[i] = MAX(MIN(v, hi), lo); // HIT: spells max
}

// In a helper a parameter is spelled as the helper spells it, not as the kernel that calls it.
int smaller(int a, int b) { return a < b ? a : b; } // HIT: spells min
__kernel void in_a_helper(__global int *x, int limit) {
  int i = get_global_id(0);
  x[i] = smaller(x[i], limit); // miss: the helper's line is the place
}

__kernel void of_vectors(__global const float2 *a, __global const float2 *b, __global float2 *out) {
  int i = get_global_id(0);
  float2 v = a[i], w = b[i];
  out[i] = (v < w) ? v : w; // HIT: min
}

__kernel void by_another(__global const float2 *a, __global const float2 *b, __global float2 *out, float2 limit) {
  int i = get_global_id(0);
  float2 v = a[i], w = b[i];
  out[i] = (v < limit) ? v : w; // miss: chosen by something else
}

// One condition after the other.
__kernel void chains(__global int *x, __global int *out, int lo) {
  int i = get_global_id(0), v = x[i];
  out[i] = v < 0 ? 0 : v > 255 ? 255 : v; // HIT: a value is limited from both sides
  out[i] += v > 255 ? 255 : v < 0 ? 0 : v; // HIT: a value is limited from both sides
  out[i] += v >= 0 ? (v <= 255 ? v : 255) : 0; // HIT: a value is limited from both sides
}

__kernel void no_chains(__global int *x, __global int *out, int lo) {
  int i = get_global_id(0), v = x[i];
  out[i] = v < 0 ? 1 : v > 255 ? 254 : v; // miss: other values than the limits
  out[i] += v < 0 ? 0 : v > 255 ? 0 : v; // miss: one of the limits is another
  out[i] += v < lo ? 0 : v + lo; // miss: nothing is limited
}

__kernel void hidden(__global int *x, __global int *out) { // no edit: `max` is a variable here
  int i = get_global_id(0), max = x[i];
  out[i] = max > 7 ? max : 7; // HIT: a conditional expression spells max
  for (int j = 0; j < 4; ++j)
    max += x[i + j];
  out[i] += max; // miss: nothing is limited
}

// Statements that choose one value.
int at_most(int v, int hi) {
  if (v > hi) // HIT: an if statement spells min
    return hi;
  return v;
}
__kernel void statements(__global int *x, __global uchar *out) {
  int i = get_global_id(0), v = at_most(x[i], 1000); // miss: the function's line is the place
  if (v < 7) // HIT: an if statement spells max
    v = 7;
  float f = x[i] * 0.5f;
  if (1.0 < f) // HIT: an if statement spells fmin
    f = 1;
  if (v > 255) // HIT: an if statement spells min
    out[i] = 255;
  else
    out[i] = v;
  x[i] = v + (int)f;
}

__kernel void no_statements(__global int *x, __global int *out, uint limit) {
  int i = get_global_id(0), v = x[i];
  if (v > 7) // miss: another value
    v = 9;
  if (v > 100) // miss: more happens than that
    v = 100, out[i + 1] = 0;
  if (v == 5) // miss: equality
    v = 5;
  if (v > limit) // miss: compared as unsigned
    v = limit;
  if (v > 7) // miss: another variable
    i = 7;
  if (v > 9) // miss: nothing is chosen else
    out[i] = 9;
  else
    out[i + 1] = v;
  if (out[i + 2] > v) // miss: an element that others write, too
    out[i + 2] = v;
}

__kernel void both_sides(__global int *x, __global float *y, int w) {
  int i = get_global_id(0), v = x[i];
  if (v < 0) // HIT: limited from both sides by if statements
    v = 0;
  if (v > w - 1)
    v = w - 1;
  float f = y[i];
  if (f < 0.0f) // HIT: limited from both sides by if statements
    f = 0.0f;
  else if (f > 1.0f)
    f = 1.0f;
  x[i] = v;
  y[i] = f;
}

__kernel void of_a_window(__global const float *x, __global float *out, int n) {
  float most = x[0], least = x[0];
  int where = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > most) // HIT: an if statement spells fmax
      most = x[i];
    if (x[i] < least) { // miss: where it was found is kept
      least = x[i];
      where = i;
    }
  }
  out[get_global_id(0)] = most + least + where;
}

__kernel void by_two(__global const int *x, __global int *out, int w) {
  int i = get_global_id(0), v = x[i];
  out[i] = max(0, min(v + 1, w - 1)); // HIT: min and max together are clamp
  out[i] += max(min(v, x[i + 1]), 7); // miss: a limit of each work-item's own
  out[i] += max(max(v, w), 7); // miss: twice from below
  out[i] += min(max(v, 1), max(i, 2)); // miss: the lesser of two
}

// An exclusive upper bound: the last valid value.
__kernel void beyond(__global int *x, __global int *out, int w) {
  int i = get_global_id(0), v = x[i], u = x[i + 1];
  out[i] = v >= w ? w - 1 : v; // HIT: a conditional expression spells min
  out[i + 1] = v <= -1 ? 0 : v; // HIT: a conditional expression spells max
  if (v > 99) // HIT: an if statement spells min
    v = 100;
  if (u < 0) // HIT: limited from both sides by if statements
    u = 0;
  else if (u >= w)
    u = w - 1;
  out[i + 2] = u;
}

__kernel void not_beyond(__global int *x, __global int *out, int w, uint n) {
  int i = get_global_id(0), v = x[i];
  uint u = v;
  out[i] = v >= w ? w - 2 : v; // miss: another limit
  out[i + 1] = v > w ? w - 1 : v; // miss: w may be reached
  out[i + 2] = u >= n ? n - 1 : u; // HIT: spells min
  out[i + 3] = v >= w ? 0 : v; // miss: begins anew
  if (v < 0) // miss: what happens else is about another variable
    v = 0;
  else if (i >= w)
    v = w - 1;
  out[i + 4] = v;
}

__kernel void by_arguments(__global const float *in, __global float *out, float lo, float hi) {
  int i = get_global_id(0);
  float v = in[i];
  if (v <= lo) // HIT: limited from both sides by if statements
    out[i] = lo;
  else if (v >= hi)
    out[i] = hi;
  else
    out[i] = v;
}

// What moves with the comparison, and meets the limit.
__kernel void neighbours(__global const int *in, __global int *out, int w) {
  int i = get_global_id(0);
  int left = i > 0 ? i - 1 : 0; // HIT: a conditional expression spells max
  int right = i < w - 1 ? i + 1 : w - 1; // HIT: a conditional expression spells min
  int further = i + 2 < w ? i + 2 : w - 1; // HIT: a conditional expression spells min
  out[i] = in[left] + in[right] + in[further];
}

__kernel void no_neighbours(__global const int *in, __global int *out, int w) {
  int i = get_global_id(0);
  size_t u = get_global_id(0);
  int left = i > 0 ? i - 1 : w - 1; // miss: around the edge
  int right = i < w - 1 ? i + 1 : 0; // miss: around the edge
  int over = i < w - 2 ? i + 1 : w; // miss: w - 2 becomes w
  size_t below = u > 0 ? u - 1 : 0; // miss: below 0 there is nothing
  out[i] = in[left] + in[right] + in[over] + in[below];
}

// Chosen in another type than compared.
__kernel void narrowed(__global const float *in, __global uchar *out, __global short *wide, int t) {
  int i = get_global_id(0);
  float v = in[i];
  out[i] = v < 0 ? 0 : v > 255 ? 255 : (uchar)v; // HIT: limited from both sides by conditional expressions
  out[i + 1] = v > 255 ? 254 : (uchar)v; // miss: another number
  out[i + 2] = v > 255 ? 255 : (uchar)(v + 1); // miss: another value
  out[i + 3] = v > 255 ? (uchar)v : 1; // miss: the other way
}

// Elements of local and global memory.
__kernel void largest(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0), i = get_global_id(0);
  part[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) {
      if (part[l] < part[l + s]) // HIT: an if statement spells fmax
        part[l] = part[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = part[0];
  if (out[i] < 0.0f) // HIT: an if statement spells fmax
    out[i] = 0.0f;
}

__kernel void relaxed(__global const int *edge, __global int *distance, int reached) {
  int i = get_global_id(0);
  if (distance[edge[i]] > reached) // miss: other work-items may mean this element
    distance[edge[i]] = reached;
}

__kernel void first_of_all(__global int *out, __global int *other, int reached) {
  int i = get_global_id(0);
  if (out[i] > reached) // miss: another element is set
    other[i] = reached;
  if (out[i] > reached) { // miss: more is done
    out[i] = reached;
    other[i] = 1;
  }
}

__kernel void turned_round(__global int *x, int h) {
  int i = get_global_id(0);
  x[i] = (i - h) < 0 ? h - i : 0; // HIT: a conditional expression spells max
  x[i + 1] = (i - h) > 0 ? h - i + 2 : 2; // HIT: a conditional expression spells min
  x[i + 2] = (i - h) < 0 ? h - i : 3; // miss: it jumps at 0
  x[i + 3] = (i - h) < 0 ? h + i : 0; // miss: another sum
}
