// RUN: %{python} %{expect} %s
#define FENCE barrier(CLK_LOCAL_MEM_FENCE)
__kernel void after(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  FENCE; // HIT: directly follows a write of local memory
  float v = part[63 - l];
  FENCE; // HIT: directly follows a read of local memory
  float w = a * a;
  part[l] = v + w;
  FENCE; // HIT: directly follows a write of local memory
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void between(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  a += l;
  FENCE; // miss: arithmetic between
  float v = part[63 - l];
  float w = a * a;
  FENCE; // miss: arithmetic comes before it
  part[l] = v + w;
  FENCE; // HIT: directly follows a write of local memory
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void after_a_loop(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  a += l;
  FENCE; // miss: arithmetic between
  float v = 0.0f;
  for (int k = 0; k < 8; ++k)
    v += part[(l + k) & 63];
  FENCE; // HIT: directly follows a read of local memory
  part[l] = v;
  float w = a * a;
  FENCE; // miss: arithmetic comes before it
  out[get_global_id(0)] = part[l ^ 1] + w;
}

__kernel void what_was_read(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  a += l;
  FENCE; // miss: arithmetic between
  float v = part[63 - l];
  FENCE; // HIT: directly follows a read of local memory
  float w = v * a;
  part[l] = w;
  FENCE; // HIT: directly follows a write of local memory
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void nothing_to_move(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  a += l;
  FENCE; // miss: arithmetic between
  float v = part[63 - l];
  FENCE; // HIT: directly follows a read of local memory
  float u = part[l];
  float w = u * a;
  part[l] = v + w;
  FENCE; // HIT: directly follows a write of local memory
  out[get_global_id(0)] = part[l ^ 1];
}

// Other code lies between the access and the barrier.
__kernel void filled(__global float *out, float a, float b) {
  __local float part[64];
  int l = get_local_id(0);
  FENCE; // miss: nothing before it
  part[l] = a;
  float w = a * b + l;
  FENCE; // miss: arithmetic between
  float v = part[63 - l];
  out[get_global_id(0)] = v;
  FENCE; // miss: an access of global memory between
  if (l < 32) {
    part[l] += part[l + 32];
    w += b;
  }
  FENCE; // miss: arithmetic comes last in the branch
  float own[4] = {a, b, v, w};
  own[l & 3] = part[l];
  w += own[1];
  FENCE; // miss: memory of the work-item is not the common store
  FENCE; // miss: a barrier comes before it
  for (int k = 0; k < 4; ++k) {
    part[l] += w;
    w *= b;
  }
  FENCE; // HIT: directly follows a loop that reads local memory
  out[get_global_id(0)] += part[l ^ 1] + w + own[2];
}

__kernel void halving(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a * l;
  for (int s = 32; s > 0; s >>= 1) {
    FENCE; // HIT: the barrier directly follows a read of local memory
    if (l < s)
      part[l] += part[l + s];
  }
  FENCE; // HIT: local memory
  if (l < 32)
    part[l] *= part[l + 32];
  FENCE; // HIT: directly follows a read of local memory
  if (l == 0)
    atomic_inc((__local int *)part);
  FENCE; // HIT: local memory
  out[get_global_id(0)] = part[l];
}

__kernel void heads(__global float *out, float a, int n) {
  __local float part[64];
  int l = get_local_id(0);
  float x = a * l, last = 0;
  for (int k = 0; k < n; ++k) {
    FENCE; // miss: arithmetic comes before the loop, and last in it
    part[l] = x;
    x = x * a;
  }
  for (int k = 0; k < n; ++k) {
    FENCE; // HIT: the barrier directly follows a write of local memory
    x = x * a;
    part[l] = x;
  }
  x = x + a;
  for (int k = 0; k < n; ++k) {
    part[l] = x;
    last = x;
    FENCE; // HIT: the barrier directly follows a write of local memory
    x = part[l ^ 1];
  }
  for (int k = 0; k < n; ++k) {
    part[l] = x;
    last = x * a;
    FENCE; // miss: arithmetic, no copy of a register
    x += last;
  }
  out[get_global_id(0)] = x + last + part[l];
}

__kernel void little(__global float *out, float a, int n) {
  __local float part[64];
  int l = get_local_id(0), at = l;
  float x = a;
  for (int s = 1; s < n; s *= 2) {
    int mask = 2 * s - 1;
    FENCE; // HIT: the barrier directly follows a read of local memory
    if ((l & mask) == 0)
      part[l] += part[l + s];
  }
  x = x * a + 1.0f;
  for (int s = 1; s < n; s *= 2) {
    int mask = n / s;
    FENCE; // miss: a division hides the latency
    if ((l & mask) == 0)
      part[l] += part[l + s];
  }
  part[l] = x;
  at += n;
  mem_fence(CLK_LOCAL_MEM_FENCE);
  if (n > 3)
    FENCE; // HIT: the barrier directly follows a write of local memory
  part[l] = a;
  x = x * a;
  if (n > 4)
    FENCE; // miss: a float operation precedes the branch
  out[at] = part[l ^ 1] + x;
}

__kernel void walked(__global const float4 *in, __global float4 *out, int n) {
  __local float4 tile[64];
  int l = get_local_id(0);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; k += 64) {
    tile[l] = in[k + l];
    FENCE; // HIT: the barrier directly follows a write of local memory
    for (int j = 0; j < 64; ++j) {
      float4 d = tile[j] - sum;
      sum += d * rsqrt(dot(d, d));
    }
    FENCE; // HIT: the barrier directly follows a loop that reads local memory
  }
  for (int k = 0; k < n; ++k) {
    tile[l + k] = sum;
    sum = sum * sum + 1.0f;
  }
  FENCE; // miss: the loop writes only, and arithmetic comes last in it
  float4 first = tile[0];
  for (int k = 0; k < n; ++k)
    sum += in[k] * first;
  FENCE; // miss: the loop reads global memory
  sum = sum * first + 1.0f;
  FENCE; // miss: arithmetic between
  int a = l, b = l;
  tile[l] = first;
  a = 2 * a + n, b = 3 * b - n, a = a ^ b;
  FENCE; // miss: more than a little
  sum += tile[a & 63];
  out[get_global_id(0)] = sum;
}
