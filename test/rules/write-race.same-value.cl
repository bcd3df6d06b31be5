// RUN: %{python} %{expect} %s
// RUN: %{python} %{expect} %s -- --target=spir
// What all work-items store alike, from memory that nobody changes; also where size_t has 32 bits.
typedef struct { float step, scale, ratio, quarter; } data;
__kernel void prepares(__global data *d, __global float *x) {
  int i = get_global_id(0);
  d->ratio = d->step * d->scale; // HIT: two work-items write the same value to, and read, one element of 'd.ratio'
  d->quarter = 0.25f * d->ratio; // miss: once for each buffer
  x[i] *= d->quarter;
}

__kernel void stores_own(__global data *d, __global float *x) {
  int i = get_global_id(0);
  d->ratio = d->step * x[i]; // HIT: two work-items write to one element of 'd.ratio'
}

__kernel void one_prepares(__global float *d, __global float *x) {
  int i = get_global_id(0);
  if (i == 0)
    d[0] = 2.0f * d[1]; // HIT: two work-items write and read one element of 'd'
  x[i] *= d[0];
}

// The last work-item of each row fills an edge.
__kernel void edges(__local uchar4 *rows, __global const uchar4 *in, int pitch, int w) {
  int lx = get_local_id(0), ly = get_local_id(1);
  rows[get_local_id(1) * pitch + get_local_id(0) + 1] = in[ly * w + lx]; // miss: each its own
  if (get_local_id(0) == get_local_size(0) - 1)
    rows[get_local_id(1) * pitch] = in[ly * w]; // miss: one of each row
}

__kernel void own_fields(__global data *d) {
  int i = get_global_id(0);
  d[i].ratio = d[i].step * d[i].scale; // miss: each its own structure
  d[i].quarter = 0.25f * d[i].ratio;   // miss: the same
}
