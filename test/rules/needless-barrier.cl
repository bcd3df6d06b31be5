// RUN: %{python} %{expect} %s
__kernel void nothing_shared(__global const float4 *in, __global float4 *out) {
  float4 v = in[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE); // HIT: can conflict
  out[get_global_id(0)] = v;
}

__kernel void shared(__global const float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: local memory is shared
  out[get_global_id(0)] = part[63 - get_local_id(0)];
}

__kernel void through_global(__global float *data, __global float *out) {
  data[get_global_id(0)] = 1.0f;
  barrier(CLK_GLOBAL_MEM_FENCE); // miss: the buffer is read afterwards
  out[get_global_id(0)] = data[get_global_id(0) ^ 1];
}

__kernel void own_element(__global const float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: can conflict
  out[get_global_id(0)] = part[get_local_id(0)];
}

__kernel void own_element_of_two_dimensions(__global const float *in, __global float *out, int w) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: work-items of another row have the same
  out[get_global_id(1) * w + get_global_id(0)] = part[get_local_id(0)];
}

__kernel void twice(__global const float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: can conflict
  barrier(CLK_LOCAL_MEM_FENCE); // miss: one of the two is needed
  out[get_global_id(0)] = part[63 - get_local_id(0)];
}

__kernel void two_fences(__global float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  in[get_global_id(0)] = 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: the other orders global memory only
  barrier(CLK_GLOBAL_MEM_FENCE); // miss: and this one is needed for it
  out[get_global_id(0)] = part[63 - get_local_id(0)] + in[get_global_id(0) ^ 1];
}

__kernel void last(__global const float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: neighbours read
  out[get_global_id(0)] = part[63 - get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: can conflict
}

__kernel void before_the_next_use(__global const float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: neighbours read
  float v = part[63 - get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: it is written again
  part[get_local_id(0)] = v;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: neighbours read
  out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

__kernel void in_place(__global float *data) {
  data[get_global_id(0)] *= 2.0f;
  barrier(CLK_GLOBAL_MEM_FENCE); // HIT: can conflict
  data[get_global_id(0)] += 1.0f;
}

__kernel void counted(__global const int *in, __global int *out) {
  __local int count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: all add to it
  int at = atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE); // miss: what an atomic returns depends on when
  int all = atomic_add(&count, 0);
  out[get_global_id(0)] = in[get_global_id(0)] * at + all;
}

// The idiom that keeps work-items on the same cache lines.
__kernel void blocked(__global const float4 *a, __global float4 *out, int n) {
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; ++k) {
    sum += a[k];
    barrier(CLK_GLOBAL_MEM_FENCE); // miss: in a loop, on purpose
  }
  out[get_global_id(0)] = sum;
}

__kernel void blocked_by_tiles(__global const float *a, __global const float *b, __global float *out, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += 64) {
    for (int k = tile; k < min(tile + 64, n); ++k)
      sum += a[i * n + k] * b[k * n + j];
    barrier(CLK_GLOBAL_MEM_FENCE); // miss: in a loop, on purpose
  }
  barrier(CLK_GLOBAL_MEM_FENCE); // HIT: nothing happens between
  out[i * n + j] = sum;
}

__kernel void blocked_every_few(__global const float *a, __global float *out, int n) {
  float sum = 0.0f;
  int k = 0;
  while (k < n) {
    sum += a[k++];
    if (!(k % 64))
      barrier(CLK_LOCAL_MEM_FENCE); // miss: in a loop, on purpose; there is no local memory
  }
  out[get_global_id(0)] = sum;
}

// What a vendor's function does, nothing behind the last statement leans on.
__kernel void ends(__global uint *out, __global const volatile uint *in) {
  out[get_global_id(0)] = in[get_global_id(0)] + in[0];
  barrier(CLK_GLOBAL_MEM_FENCE); // HIT: no two accesses
}

__kernel void ends_before(__global uint *out, __global volatile uint *in) {
  out[get_global_id(0)] = in[get_global_id(0)] + in[0];
  barrier(CLK_GLOBAL_MEM_FENCE); // miss: a volatile access follows
  in[get_global_id(0)] = 0;
}

__kernel void swapped(__global int *out, __local int *a, __local int *b) {
  int l = get_local_id(0);
  b[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: the two buffers alternate
  __local int *c = a;
  a = b;
  b = c;
  out[get_global_id(0)] = a[l ^ 1];
}

// Two in a row, the second at the head of a loop; and what the first work-item alone has written.
__kernel void halves(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: can conflict
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE); // miss: others read what was added
    if (l < s)
      part[l] += part[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: can conflict
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel void halves_and_two(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE); // miss: others read what was added
    if (l < s)
      part[l] += part[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE); // miss: another one has written the second
  if (l == 0)
    out[get_group_id(0)] = part[0] + part[1];
}

// In a loop: each work-item accesses its own element in every iteration.
__kernel void rounds(__global const float *in, __global float *out, int n) {
  __local float sum[64];
  int l = get_local_id(0), g = get_global_id(0);
  sum[l] = 0.0f;
  for (int j = 0; j < n; ++j) {
    sum[l] += in[g * n + j];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: can conflict
  }
  out[g] = sum[l];
}

__kernel void rounds_that_move(__global const float *in, __global float *out, int n) {
  __local float sum[128];
  int l = get_local_id(0), g = get_global_id(0);
  float v = in[g];
  for (int j = 0; j < n; ++j) {
    sum[l + j] = v;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the previous iteration of a neighbour wrote there
    v += sum[l + j];
  }
  out[g] = v;
}

__kernel void rounds_of_pairs(__global int *data, int n) {
  __local int part[64];
  int l = get_local_id(0);
  part[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: a partner reads it
  for (int s = n; s > 0; s >>= 1) {
    int other = l ^ s;
    if (other > l) {
      int a = part[l], b = part[other];
      part[l] = min(a, b);
      part[other] = max(a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the next iteration has other partners
  }
  data[get_global_id(0)] = part[l];
}

__kernel void multiplied(__global const float *a, __global float *out, int n) {
  __local float tile[64];
  int l = get_local_id(0);
  float sum = 0.0f;
  tile[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: neighbours read
  for (int k = 0; k < n; ++k) {
    sum += tile[k] * a[k * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: a loop that only reads, deliberate
  }
  out[get_global_id(0)] = sum;
}

// A fence of another kind leans on nothing where nothing is shared there.
__kernel void other_fence(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0), g = get_global_id(0);
  part[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: neighbours read
  barrier(CLK_GLOBAL_MEM_FENCE); // HIT: can conflict
  out[g] = part[63 - l];
}

// The host's number says how much there is to do, not where.
__kernel void summed(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int i = 0; i < PER_ITEM; ++i)
    sum += in[get_global_id(0) * PER_ITEM + i];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: can conflict
  part[l] *= 0.5f;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: others read it
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void guessed_columns(__global const uint *in, __global uint *out, __local uint *bins) {
  uint l = get_local_id(0);
  for (uint i = 0; i < 16; ++i)
    bins[i * PER_GROUP + l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: the value gives the index
  bins[(in[get_global_id(0)] & 15) * PER_GROUP + l]++;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: columns are read across
  out[get_global_id(0)] = bins[l * PER_GROUP];
}

__kernel void left_out(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: what another number brings in may need it
#if PER_ITEM == 1
  part[l ^ 1] *= 2.0f;
#endif
  out[get_global_id(0)] = part[l];
}

// Some leave after a barrier of their own, which the others meet at theirs.
__kernel void border(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[g];
  if (l == 0 || l == 63) {
    barrier(CLK_LOCAL_MEM_FENCE); // miss: what the others read is written before it
    return;
  }
  barrier(CLK_LOCAL_MEM_FENCE); // miss: neighbours read
  out[g] = tile[l - 1] + tile[l + 1];
}

// Each work-item accesses only its own element under any guard (the host defines EDGE).
__kernel void own_by_guess(__global const uchar *in, __global uchar *out, int w) {
  __local uchar tile[256];
  int l = get_local_id(0), x = get_global_id(0) - EDGE;
  tile[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE); // HIT(mali-midgard,mali-bifrost,mali-valhall): no two accesses around this barrier
  if (x >= 0 && x < w)
    tile[l] = in[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[l ^ 1];
}

__kernel void others_by_guess(__global const uchar *in, __global uchar *out, int w) {
  __local uchar tile[256];
  int l = get_local_id(0), x = get_global_id(0) - EDGE;
  tile[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: they meet, but for a guess
  if (x < 0 && EDGE == 0)
    tile[(l + 1) & 255] = in[x + w];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[l ^ 1];
}
