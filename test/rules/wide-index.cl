// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --fail-on=info --checks=-*,wide-index --option=wide-index.MinMultiplications=9 %s
__kernel void wide(__global float4 *out, ulong w, ulong plane) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[z * plane + y * w + x] *= 2.0f; // HIT: 2 multiplications of 64 bits
}

__kernel void narrow(__global float4 *out, int w, int plane) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[z * plane + y * w + x] *= 2.0f; // miss: 32 bits
}

__kernel void one(__global float4 *out, ulong w) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] *= 2.0f; // HIT: 1 multiplication of 64 bits
}

__kernel void constants(__global float4 *out) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[z * 4096 + y * 64 + x] *= 2.0f; // HIT: addresses are sums of 64 bits
}

__kernel void a_constant(__global float4 *out) {
  size_t x = get_global_id(0);
  out[x + 1] *= 2.0f; // miss: a constant is part of the access
}

__kernel void sums(__global float *out, __local float *part) {
  part[get_group_id(0) * 9 + get_local_id(0)] = out[get_global_id(0)]; // HIT: addresses are sums of 64 bits
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t i = get_global_id(0);
  out[get_global_size(0) - (i + 1)] = part[get_local_id(0)];
}

__kernel void cut_sums(__global float *out, __local float *part, uint n) {
  int from = get_group_id(0) * 9 + get_local_id(0);
  part[from] = out[get_global_id(0)]; // miss: cut to 32 bits
  barrier(CLK_LOCAL_MEM_FENCE);
  uint i = get_global_id(0);
  out[n - (i + 1)] = part[get_local_id(0)]; // miss: 32 bits
}

__kernel void from_a_pointer(__global float *out, int w) {
  __global float *row = out + w * 5;
  row[get_global_id(0)] *= 2.0f; // miss: every index is added to a pointer
}

__kernel void by_choice(__global float *in, __global float *out) {
  long i = get_global_id(0);
  out[i] = in[i]; // HIT: an address is computed from 'i' of 64 bits
}

__kernel void as_it_comes(__global float *in, __global float *out) {
  ptrdiff_t i = get_global_id(0);
  out[i] = in[i]; // miss: what the language has for differences of pointers
}

__kernel void ids(__global float4 *out, int w, int plane) {
  out[get_global_id(2) * plane + get_global_id(1) * w + get_global_id(0)] *= 2.0f; // HIT: 2 multiplications of 64 bits
}

__kernel void in_a_loop(__global const float4 *in, __global float4 *out, int w, int plane) {
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < w; ++k)
    sum += in[get_global_id(1) * k * plane + (get_local_id(0) + k) * w]; // HIT: multiplications of 64 bits
  out[get_global_id(0)] = sum;
}

__kernel void before_and_in_a_loop(__global float *out, ulong w, ulong block, ulong n) {
  ulong first = (block + 1) * w - 1;
  for (ulong k = 0; k < n; ++k)
    out[(first - k) * n + k * w] = out[k * n] + out[(k + 1) * w]; // HIT: multiplications of 64 bits
}

__kernel void narrow_in_a_loop(__global float *out, int w, int block, int n) {
  int first = (block + 1) * w - 1;
  for (int k = 0; k < n; ++k)
    out[(first - k) * n + k * w] = out[k * n] + out[(k + 1) * w]; // miss: 32 bits
}

__kernel void cut(__global float4 *out, ulong w) {
  size_t x = get_global_id(0), y = get_global_id(1);
  int at = y * w + x;
  out[at] *= 2.0f; // miss: only the lower half is computed
}

__kernel void added(__global float4 *out, ulong first) {
  size_t x = get_global_id(0);
  out[first + x] *= 2.0f; // HIT: an address is computed from 'first' of 64 bits
}

__kernel void ids_in_variables(__global float *out, int w, int plane) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[z * plane + y * w + x] *= 2.0f; // HIT: 2 multiplications of 64 bits
}

__kernel void wide_by_choice(__global float *out, int w, int plane) {
  long x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[z * plane + y * w + x] *= 2.0f; // HIT: 2 multiplications of 64 bits
}

__kernel void ids_alone(__global float *out) {
  size_t x = get_global_id(0);
  out[x] *= 2.0f; // miss: an id as it comes
}

__kernel void cut_ids(__global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] *= 2.0f; // miss: cut to 32 bits first
}

__kernel void wide_variable(__global const uchar *in, __global uchar *out, int w) {
  ulong at = get_global_id(1) + w * 3;
  out[at] = in[at]; // HIT: an address is computed from 'at' of 64 bits
}

__kernel void narrow_variable(__global const uchar *in, __global uchar *out, int w) {
  uint at = get_global_id(1) + w * 3;
  out[at] = in[at]; // miss: 32 bits
}

__kernel void wide_data(__global const ulong *in, __global ulong *out, ulong by) {
  int x = get_global_id(0);
  out[x] = in[x] * by; // miss: data
}

__kernel void shifted(__global float *out) {
  out[get_global_id(1) * 64 + get_global_id(0)] *= 2.0f; // HIT: an address is a sum of 64 bits
}

__kernel void shifted_alone(__global float *out) {
  out[get_global_id(1) * 64] *= 2.0f; // HIT: an address is a multiple of an id
}

__kernel void by_its_long_name(__global const uchar *in, __global uchar *out, int w) {
  unsigned long at = get_global_id(1) * 4;
  out[at] = in[at]; // HIT: an address is computed from 'at' of 64 bits
  unsigned int near = get_global_id(0);
  out[near + w] = in[near]; // miss: 32 bits
}

__kernel void stepped(__global const int *ptr, __global float *out, int n) {
  size_t i;
  for (i = get_global_id(0); i < n; i += get_global_size(0))
    out[i] = ptr[i + 1]; // HIT: an address is computed from 'i' of 64 bits
}

__kernel void stepped_narrowly(__global const int *ptr, __global float *out, int n) {
  int i;
  for (i = get_global_id(0); i < n; i += get_global_size(0))
    out[i] = ptr[i + 1]; // miss: truncated to 32 bits in each iteration
}

__kernel void scaled(__global const uint *in, __global uint *bins, uint n) {
  size_t i = get_global_id(0);
  if (i < n)
    atomic_inc(bins + in[i] + 256 * (i % 3)); // HIT: an address is computed from 'i' of 64 bits
}

__kernel void scaled_narrowly(__global const uint *in, __global uint *bins, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    atomic_inc(bins + in[i] + 256 * (i % 3)); // miss: 32 bits
}

__kernel void shifted_by(__global float *out) {
  size_t i = get_global_id(0), base = i << 2;
  out[base] = 1.0f; // HIT: an address is computed from 'base' of 64 bits
  out[base + 1] = 2.0f;
}

__kernel void as_it_is(__global const float *in, __global float *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] + in[i + 1]; // miss: nothing is computed but what the access adds
}

__kernel void divided(__global float *out, int w) {
  int x = get_global_id(0) % w; // HIT: an address is computed by a division of 64 bits
  out[x] *= 2.0f;
}

__kernel void divided_narrowly(__global float *out, int w) {
  int id = get_global_id(0), x = id % w;
  out[x] *= 2.0f; // miss: cut to 32 bits first
}

__kernel void divided_data(__global const ulong *in, __global float *out, ulong by) {
  int x = get_global_id(0);
  out[x] = in[x] % by; // miss: data
}

__kernel void stepped_pointer(__global float *out, int stride, int n) {
  out += get_global_id(0) * stride; // HIT: 1 multiplication of 64 bits
  for (int i = 0; i < n; ++i)
    *out++ = 0.0f;
}

__kernel void stepped_pointer_narrowly(__global float *out, int stride, int n) {
  int x = get_global_id(0);
  out += x * stride; // miss: 32 bits
  for (int i = 0; i < n; ++i)
    *out++ = 0.0f;
}

// Where a loop begins, a division says, which nothing cuts.
__kernel void blocks(__global float *x, int n) {
  int first = get_global_id(0) / n * n; // HIT: 64 bits
  for (int k = first; k < first + n; ++k)
    x[k] = 0.0f;
}

__kernel void blocksOfInts(__global float *x, int n) {
  int id = get_global_id(0), first = id / n * n; // miss: an int is divided
  for (int k = first; k < first + n; ++k)
    x[k] = 0.0f;
}

__kernel void scaled_id(__global float *out) {
  out[get_global_id(0) * 4] = 1.0f; // HIT: an address is a multiple of an id, computed in 64 bits
  out[get_global_id(0) * 4 + 1] = 2.0f;
}

__kernel void scaled_narrow_id(__global float *out) {
  out[(int)get_global_id(0) * 4] = 1.0f; // miss: 32 bits
  out[(int)(get_global_id(0) * 4) + 1] = 2.0f;
}

__kernel void id_and_constant(__global float *out) {
  out[get_global_id(0) + 4] = 1.0f; // miss: the access adds it
}

__kernel void scaled_data(__global ulong *out) {
  int i = get_global_id(0);
  out[i] = get_global_id(0) * 4; // miss: data
}
