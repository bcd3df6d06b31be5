// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali-t604 --checks=-*,scalar-byte-load --option=scalar-byte-load.MinAccesses=100 %s

__kernel void copy(__global const uchar *src, __global uchar *dst) {
  int i = get_global_id(0);
  dst[i] = src[i]; // HIT: 'dst' is written one uchar at a time // HIT: 'src' is read one uchar
}

// Three bytes of a pixel are isomorphic statements.
__kernel void pixels(__global const uchar *src, __global uchar *dst, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int i = 3 * (x + w * y);
  dst[i] = src[i + 2]; // HIT: 'dst' is written uchar by uchar, 3 for each // HIT: 'src' is read uchar by uchar, 3
  dst[i + 1] = src[i + 1];
  dst[i + 2] = src[i];
}

__kernel void shorts(__global short *data, int n) {
  int i = get_global_id(0);
  if (i < n)
    data[i] = data[i] + 1; // HIT: 'data' is read and written one short at a time
}

// The contiguous dimension is not always 0.
__kernel void second(__global uchar *data, int w) {
  data[get_global_id(0) * w + get_global_id(1)] = 1; // HIT: neighbours in dimension 1
}

// Judged is the access, not the parameter: these load 16 bytes each.
__kernel void wide(__global uchar *src, __global uchar *dst) {
  int i = get_global_id(0);
  vstore16(vload16(i, src), i, dst); // miss: vector access
  ((__global uint4 *)dst)[i] = ((__global uint4 *)src)[i]; // miss: read wider through a cast
}

// Two of three bytes: a gap between neighbours, but the two bytes are adjacent.
__kernel void gap(__global uchar *dst) {
  int i = 3 * get_global_id(0);
  dst[i] = 0; // HIT: is written uchar by uchar, although a work-item takes 2 that are adjacent
  dst[i + 1] = 0;
}

__kernel void apart(__global uchar *dst) {
  int i = 4 * get_global_id(0);
  dst[i] = 0; // miss: they are not adjacent
  dst[i + 2] = 0;
}

__kernel void either(__global uchar *dst, int n) {
  int i = 3 * get_global_id(0);
  if (i < n)
    dst[i] = 0; // miss: one of them is done
  else
    dst[i + 1] = 0;
}

// Three of the four bytes of a pixel.
__kernel void three_of_four(__global const uchar *img, __global uint *bins, int w) {
  int at = 4 * (get_global_id(0) * w + get_global_id(1));
  atomic_inc(&bins[img[at + 2]]); // HIT: 'img' is read uchar by uchar, although a work-item takes 3
  atomic_inc(&bins[img[at + 1]]);
  atomic_inc(&bins[img[at]]);
}

__kernel void where_data_say(__global const int *at, __global const uchar *img, __global uint *out) {
  int i = get_global_id(0), p = 3 * at[i];
  out[i] = img[p] + img[p + 1] + img[p + 2]; // HIT: 'img' is read uchar by uchar, although a work-item takes 3
}

__kernel void for_all(__global const uchar *key, __global uint *out) {
  out[get_global_id(0)] = key[0] + key[1] + key[2]; // miss: the same for all work-items
}

__kernel void stepping(__global const uchar *img, __global uint *out) {
  int i = get_global_id(0);
  __global const uchar *p = img + 4 * i;
  uint sum = *p++; // HIT: 'img' is read uchar by uchar, although a work-item takes 3
  sum += *p++;
  out[i] = sum + *p;
}

// Components of a vector in memory.
__kernel void component_by_component(__global const uchar4 *img, __global uint *out) {
  int i = get_global_id(0);
  out[i] = img[i].x + img[i].y + img[i].z; // HIT: 'img' is read uchar by uchar, although a work-item takes 3
}

__kernel void once_for_all_components(__global const uchar4 *img, __global uint *out) {
  int i = get_global_id(0);
  uchar4 p = img[i]; // miss: one load
  out[i] = p.x + p.y + p.z;
}

__kernel void a_component(__global const uchar4 *img, __global uint *out) {
  int i = get_global_id(0);
  out[i] = img[i].x + img[i].x; // miss: one component of four
}

typedef struct { uchar b, g, r, a; } Pixel;
__kernel void fields(__global const Pixel *img, __global uint *out) {
  int i = get_global_id(0);
  out[i] = img[i].b + img[i].g; // HIT: 'img.b' is read uchar by uchar, although a work-item takes 2
}

__kernel void structures(__global const Pixel *img, __global Pixel *out) {
  int i = get_global_id(0);
  out[i] = img[i]; // miss: copied whole
}

// By iterations of a loop.
__kernel void rounds(__global const char *text, __global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; ++k)
    sum += text[i * n + k]; // HIT: 'text' is read char by char, one per iteration
  out[i] = sum;
}

__kernel void strides(__global const char *text, __global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; ++k)
    sum += text[2 * i + 16 * k]; // miss: rounds are apart
  out[2 * i] = sum;
}

__kernel void rounds_of_vectors(__global const char *text, __global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; ++k)
    sum += vload4(i * n + k, text).x; // miss: vector access
  out[i] = sum;
}

__kernel void gather(__global const int *index, __global uchar *src, __global uint *dst) {
  int i = get_global_id(0);
  dst[2 * i] = src[index[2 * i]]; // miss: the address comes from memory
}

__kernel void once(__global uchar *flag) {
  if (get_global_id(0) == 0)
    flag[get_global_id(0)] = 1; // miss: a single work-item
}

__kernel void same(__global const uchar *src, __global float4 *dst) {
  dst[get_global_id(0)] = (float4)(src[0]); // miss: the same byte for all work-items
}

// Vectors, and a scalar loop for the rest: done by hand already.
__kernel void tail(__global uchar *data, int n) {
  int i = get_global_id(0);
  if (16 * i + 15 < n)
    vstore16(vload16(i, data) + (uchar16)(1), i, data);
  else
    data[i] = data[i] + 1; // miss: the tail of a vector form
}

__kernel void local_bytes(__global float4 *out) {
  __local uchar part[64];
  part[get_local_id(0)] = get_local_id(0); // miss: local memory
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = (float4)(part[0]);
}

// The components of a vector, one by one.
__kernel void components(__global const float4 *src, __global uchar4 *dst) {
  int i = get_global_id(0);
  float4 v = src[i];
  dst[i].x = v.x; // HIT: is written uchar by uchar, 4 for each work-item
  dst[i].y = v.y;
  dst[i].z = v.z;
  dst[i].w = v.w;
}

__kernel void one_component(__global const float4 *src, __global uchar4 *dst) {
  int i = get_global_id(0);
  dst[i].x = src[i].x; // miss: the other three stay as they are
}

__kernel void whole(__global const float4 *src, __global uchar4 *dst) {
  int i = get_global_id(0);
  float4 v = src[i];
  dst[i] = (uchar4)(v.x, v.y, v.z, v.w); // miss: one store
}

__kernel void through_casts(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  ((__global uchar *)out)[i] = ((__global const uchar *)in)[i] + 1; // HIT: 'out' is written // HIT: 'in' is read
}

__kernel void words_of_bytes(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  *(__global uchar16 *)(out + 16 * i) = *(__global const uchar16 *)(in + 16 * i) + (uchar16)1; // miss: whole accesses
}

__kernel void every_other(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  ((__global uchar *)out)[3 * i] = ((__global const uchar *)in)[3 * i] + 1; // miss: a byte of three
}

__kernel void wrapped(__global const uchar *in, __global float *out, int w) { // the column left of the first is the last
  int x = get_global_id(0) - 1, y = get_global_id(1);
  if (x < 0)
    x += w;
  out[2 * (y * w + get_global_id(0))] = in[y * w + x]; // HIT: 'in' is read one uchar at a time
}

__kernel void wrapped_often(__global const uchar *in, __global float *out, int w) {
  int x = get_global_id(0) % 3, y = get_global_id(1);
  out[2 * (y * w + get_global_id(0))] = in[y * w + x]; // miss: every third work-item begins anew
}

struct cells { int count; char alive[4096]; float mass[4096]; };
struct cell { char alive; char kind; float mass; };

__kernel void arrays_of_a_struct(__global const struct cells *all, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = (float4)(all->alive[i]); // HIT: 'all.alive[]' is read one char at a time
}

__kernel void structs_of_an_array(__global const struct cell *all, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = (float4)(all[i].alive); // miss: the next one is a structure further on
}

__kernel void flags(__global bool *mask, __global float *out) {
  int i = get_global_id(0);
  if (mask[i]) // HIT: 'mask' is read and written one bool at a time
    mask[i] = false;
}

__kernel void flag(__global bool *mask, __global float *out) {
  int i = get_global_id(0);
  if (out[i] > 1.0f)
    mask[0] = true; // miss: one flag for all
}

// Other positions of the same buffer are reported as well; adjacent accesses give one finding.
__kernel void there_and_back(__global uchar *img, float gain) {
  int i = 3 * get_global_id(0);
  float r = img[i + 2]; // HIT: 'img' is read and written uchar by uchar, 3 for each work-item
  float g = img[i + 1];
  float b = img[i];

  float grey = 0.3f * r + 0.6f * g + 0.1f * b;
  r = grey + gain * (r - grey);
  g = grey + gain * (g - grey);
  b = grey + gain * (b - grey);

  img[i + 2] = (uchar)r; // HIT: 'img' is written uchar by uchar here, too
  img[i + 1] = (uchar)g;
  img[i] = (uchar)b;
}

__kernel void there_and_back_at_once(__global uchar *img, float gain) {
  int i = 4 * get_global_id(0);
  float4 p = convert_float4(vload4(0, img + i)); // miss: a vector
  float grey = 0.3f * p.z + 0.6f * p.y + 0.1f * p.x;
  p = grey + gain * (p - grey);

  vstore4(convert_uchar4(p), 0, img + i); // miss: a vector, too
}

// No work-item id is used: one work-item writes everything.
__kernel void greet(__global char *text) {
  text[0] = 'H'; // HIT: written char by char, although a work-item takes 5 that are adjacent
  text[1] = 'e';
  text[2] = 'l';
  text[3] = 'l';
  text[4] = 'o';
}

// miss: all work-items write the same few, and one of them would do
__kernel void greetAll(__global char *text, __global char4 *out) {
  out[get_global_id(0)] = (char4)(0);
  text[0] = 'H';
  text[1] = 'e';
  text[2] = 'l';
  text[3] = 'l';
}
