// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,scalar-arithmetic --option=scalar-arithmetic.MinOperations=100 %s
// RUN: not clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic %S/Inputs/mixed-vectors.cl
// RUN: clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic --option=scalar-arithmetic.WarnScalarRatio=21 %S/Inputs/mixed-vectors.cl
// RUN: not clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic --fail-on=info --option=scalar-arithmetic.WarnScalarRatio=21 %S/Inputs/mixed-vectors.cl
// RUN: clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic --fail-on=info --option=scalar-arithmetic.MinScalarRatio=21 %S/Inputs/mixed-vectors.cl
// RUN: not clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic --fail-on=info %S/Inputs/turned.cl
// RUN: clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic --fail-on=info --option=scalar-arithmetic.MinCoordinateOperations=7 %S/Inputs/turned.cl
__kernel void bytes(__global const uchar *a, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = (3 * a[i] + 5 * a[i] + 4) >> 3; // HIT: 5 operations compute on single 16-bit values
}

__kernel void floats(__global const float *a, __global float *out) {
  int i = get_global_id(0);
  float v = a[i];
  v = v * v + 2.0f * v; // HIT(mali-midgard): 4 operations compute on single 32-bit values: one operation takes 4
  out[i] = v + 1.0f;
}

__kernel void few(__global const float *a, __global float *out) {
  int i = get_global_id(0);
  out[i] = 2.0f * a[i]; // HIT(mali-midgard): 1 operation computes on single 32-bit values
}

__kernel void vectors(__global const float *a, __global float *out) {
  int i = get_global_id(0);
  float4 v = vload4(i, a);
  vstore4(v * v + v * 2.0f + v, i, out); // miss: vectors
}

__kernel void gather(__global const float *a, __global const int2 *index, __global float4 *out) {
  int i = get_global_id(0);
  float v = a[index[i].x];
  out[i] = (float4)(v * v + 2.0f * v + v); // HIT(mali-midgard): 4 operations compute on single 32-bit values
}

__kernel void gathered_copy(__global const float *a, __global const int2 *index, __global float4 *out) {
  int i = get_global_id(0);
  float v = a[index[i].x + 3 * index[i].y];
  out[i] = (float4)(v); // miss: only addresses are computed
}

__kernel void addresses(__global const float *a, __global float *out, int w) {
  int i = get_global_id(0);
  out[i + 3 * w + w * w + 7] = a[i + 3 * w + w * w + 7]; // miss: only addresses are computed
}

__kernel void from_ids(__global float *out, float step) {
  float x = get_global_id(0) * step;
  out[get_global_id(0)] = x * x * x + 2.0f * x + 1.0f; // HIT(mali-midgard): operations compute on single 32-bit values
}

__kernel void integers_from_ids(__global int *out, int w) {
  int x = get_global_id(0);
  out[x] = x * x * x + w * x + 1; // miss: numbers of ids, like addresses
}

__kernel void decided(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  int sum = in[i - w] + in[i - 1] + in[i] + in[i + 1] + in[i + w]; // HIT: 5 operations compute on single 16-bit values
  if (sum > 1000)
    out[i] = 1;
  else
    out[i] = 0;
}

__kernel void decided_by_ids(__global uchar *out, int w) {
  int i = get_global_id(0);
  if (i * i + 3 * w + w * i > 1000) // miss: no data are computed with
    out[i] = 1;
  else
    out[i] = 0;
}

__kernel void in_an_array(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float part[2];
  part[0] = in[i] * 2.0f + 1.0f; // HIT(mali-midgard): operations compute on single 32-bit values
  part[1] = in[i] * 3.0f - 1.0f;
  out[i] = fmax(part[0], part[1]);
}

// As wide as float, whatever the data are.
__kernel void bytes_as_floats(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  float v = in[i];
  out[i] = (uchar)(v * 0.3f + v * v * 0.1f + 1.0f); // HIT(mali-midgard): operations compute on single
}

__kernel void floats_as_integers(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  int v = in[i];
  out[i] = (v * 3 + v * v + 1) >> 8; // HIT: operations compute on single 16-bit values
}

__kernel void only_copied(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  uchar part[2];
  part[0] = in[i]; // miss: an array of what was loaded
  part[1] = in[i + 1];
  out[i] = part[i & 1];
}

__kernel void few_decide(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  if (in[i] + 1 > 100) // HIT: 1 operation computes on single 16-bit values
    out[i] = 1;
}

// What decides about a variable that is stored.
__kernel void nearest(__global const float *data, __global const float *centres, __global int *best, int n) {
  int i = get_global_id(0);
  float least = 1e30f;
  for (int j = 0; j < n; ++j) {
    float x = data[2 * i] - centres[2 * j], y = data[2 * i + 1] - centres[2 * j + 1];
    float d = x * x + y * y; // HIT(mali-midgard): 6 operations
    if (d < least) {
      best[i] = j;
      least = d;
    }
  }
}

__kernel void first_larger(__global const float *data, __global int *best, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    if (data[j] > data[i])
      best[i] = j; // miss: compared, not computed with
}

__kernel void escapes(__global uchar *image, int step) {
  float x0 = 0.01f * get_global_id(0), y0 = 0.01f * get_global_id(1), x = 0.0f, y = 0.0f;
  int rounds = 0;
  while (x * x + y * y < 4.0f && rounds < 100) {
    float t = x * x - y * y + x0; // HIT(mali-midgard): operations compute on single
    y = 2.0f * x * y + y0;
    x = t;
    ++rounds;
  }
  image[step * (get_global_id(0) + get_global_id(1) * get_global_size(0))] = rounds;
}

__kernel void counts(__global uchar *image, int step, int n) {
  int rounds = 0;
  while (rounds * rounds + 3 * rounds + n < 1000)
    ++rounds;
  image[step * (get_global_id(0) + get_global_id(1) * get_global_size(0))] = rounds; // miss: it counts
}

__kernel void components(__global const float4 *in, __global float *out, int step) {
  float4 v = in[get_global_id(0)];
  out[step * get_global_id(0)] = v.x * v.x + v.y * v.y + v.z; // HIT(mali-midgard): 4 operations compute on single 32-bit values
}

__kernel void whole(__global const float4 *in, __global float *out, int step) {
  float4 v = in[get_global_id(0)];
  v *= v;
  out[step * get_global_id(0)] = v.x + v.y + v.z; // miss: vectors are computed with
}

// What ends a loop decides how often it runs.
__kernel void rounds_until(__global int *out, int w, int most) {
  int x = get_global_id(0), y = get_global_id(1), n = 0;
  float a = x * 0.01f, b = y * 0.01f, r = a, s = b;
  while (n < most) {
    if (r * r + s * s > 4.0f) // HIT(mali-midgard): operations compute on single 32-bit values
      break;
    float t = r * r - s * s + a;
    s = 2.0f * r * s + b;
    r = t;
    ++n;
  }
  out[y * w + x] = n;
}

__kernel void rounds_for_all(__global int *out, int w, int most) {
  int x = get_global_id(0), y = get_global_id(1), n = 0;
  while (n < most) {
    if (n * n + 3 * n > 1000)
      break; // miss: the same for all, and numbers of rounds
    ++n;
  }
  out[y * w + x] = n;
}

// A colour table indexed by the iteration count.
__constant int colours[4] = {1, 2, 3, 4};
__kernel void coloured(__global int *out, int w, int most) {
  int x = get_global_id(0), y = get_global_id(1), n = 0;
  float a = x * 0.01f, b = y * 0.01f, r = a, s = b;
  while (n < most && r * r + s * s < 4.0f) {
    float t = r * r - s * s + a; // HIT(mali-midgard): operations compute on single 32-bit values
    s = 2.0f * r * s + b;
    r = t;
    ++n;
  }
  out[y * w + x] = colours[n & 3];
}

__kernel void looked_up(__global const int *in, __global const int *at, __global int *out, int w) {
  int x = get_global_id(0);
  out[x] = in[at[x] * w + at[x] + 3 * w + at[x] * 5 + x]; // miss: an address
}

__kernel void window(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  uchar alive = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      alive += in[i + y * w + x]; // HIT: 9 operations
  out[i] = alive;
}

__kernel void pair(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  uchar alive = 0;
  for (int y = 0; y <= 1; ++y)
    alive += in[i + y * w]; // HIT: 2 operations
  out[i] = alive;
}

// Intermediate values may be in local memory.
__kernel void in_local_memory(__global const float *in, __global float *out, __local float *part) {
  int i = get_local_id(0);
  part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; ++k) {
    float v = part[i] + part[15 - k]; // HIT(mali-midgard): 16 operations compute on single 32-bit values
    barrier(CLK_LOCAL_MEM_FENCE);
    part[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = part[i];
}

__kernel void through_local_memory(__global const float *in, __global float *out, __local float *part) {
  int i = get_local_id(0);
  part[i] = in[get_global_id(0)]; // miss: local memory is only copied
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; ++k) {
    float v = part[15 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = part[i];
}

__kernel void flags(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  out[i] = (in[i] == 1) | (in[i + 1] == 1) | (in[i + w] == 1); // HIT: 5 operations
}

__kernel void chosen(__global const uchar *in, __global uchar *out, int w) {
  int i = get_global_id(0);
  out[i] = in[i] == 1 ? in[i + w] : 0; // HIT: 1 operation computes on single 8-bit values
}

__kernel void functions(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = sqrt(fabs(sin(in[i])) + 1.0f); // HIT(mali-midgard): 3 operations
}

__kernel void functions_of_vectors(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float4 v = vload4(i, in);
  out[i] = sqrt(fabs(dot(v, v)) + 1.0f) * in[i]; // miss: one of them takes vectors
}

__kernel void counters(__global const int *in, __global int *out, int n) {
  for (int k = 0; k < 64; ++k)
    if (in[n + k] == 1)
      out[get_global_id(0)]++; // miss: it counts
}

__kernel void pixel(__read_only image2d_t in, __global uchar *out) {
  int x = get_global_id(0);
  float4 p = read_imagef(in, (int2)(x, 0));
  out[x] = 255.0f * (0.2f * p.x + 0.7f * p.y + 0.1f * p.z); // HIT(mali-midgard): on single 32-bit values
}

__kernel void pixel_as_it_is(__read_only image2d_t in, __global uchar *out) {
  int x = get_global_id(0);
  float4 p = 255.0f * read_imagef(in, (int2)(x, 0));
  out[x] = p.x; // miss: the whole pixel is computed
}

__kernel void channel(__read_only image2d_t in, __global uchar *out) {
  int x = get_global_id(0);
  float4 p = read_imagef(in, (int2)(x, 0));
  out[x] = 255.0f * (0.2f * p.x + 0.7f * p.x * p.x + 0.1f); // HIT(mali-midgard): on single 32-bit values
}

__kernel void none(__global const uchar *a, __global uchar *out, __global int *at, float scale) {
  int i = get_global_id(0);
  out[i] = a[i]; // miss: copied
  at[i] = i + 1; // miss: an id alone
  at[i + 1] = (int)(scale * 3.0f); // miss: the same for all work-items
}

__kernel void masked(__global const uchar *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] & 0xff; // miss: the mask changes nothing
}

__kernel void masked_for_real(__global const uchar *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] & 0x7f; // HIT(mali-midgard): 1 operation
}

__constant sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void one_channel(__read_only image2d_t in, __write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float l = read_imagef(in, at, p).x, r = read_imagef(in, at, p + (int2)(1, 0)).x;
  write_imagef(out, p, (float4)(r - l, 0.0f, 0.0f, 1.0f)); // HIT(mali-midgard): 1 operation computes on single 32-bit values
}

__kernel void whole_numbers(__read_only image2d_t in, __write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  int l = read_imagei(in, at, p).x;
  write_imagei(out, p, (int4)(l * 3 + 1, 0, 0, 255)); // HIT(mali-midgard): 2 operations compute on single 32-bit values
}

__kernel void all_channels(__read_only image2d_t in, __write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, at, p) * 0.5f); // miss: whole pixels
}

__kernel void a_copy(__read_only image2d_t in, __write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, (float4)(read_imagef(in, at, p).x, 0.0f, 0.0f, 1.0f)); // miss: nothing is computed
}

// Where most is computed is shown.
__kernel void in_the_loop(__global const float *in, __global float *out, int n, float scale) {
  int i = get_global_id(0);
  float v = in[i] * scale, sum = 0.0f; // miss: the loop runs longer
  for (int k = 0; k < n; ++k) {
    float prod = in[i] * in[k]; // HIT(mali-midgard): operations compute on single 32-bit values
    float y = prod - v;
    float t = sum + y;
    v = (t - sum) - y;
    sum = t;
  }
  out[i] = sum;
}

// A size in memory is treated like an id.
__kernel void stencil(__global const int *n, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  if (i < *n || i > *n * (*n - 1) - 1 || i % *n == 0) // miss: the same number for all
    out[i] = 0.0f;
  else
    out[i] = 0.25f * (in[i - *n] + in[i + *n] + in[i - 1] + in[i + 1]); // HIT(mali-midgard): 4 operations
}

__kernel void largest(__global const float *in, __global float *out, int n) {
  float most = -1.0f;
  for (int k = 0; k < n; ++k)
    if (most < in[get_global_id(0) * n + k]) // HIT(mali-midgard): 1 operation computes on single 32-bit values
      most = in[get_global_id(0) * n + k];
  out[get_global_id(0)] = most;
}

__kernel void last_beyond(__global const float *in, __global float *out, int n) {
  float most = -1.0f;
  for (int k = 0; k < n; ++k)
    if (most < in[get_global_id(0) * n + k]) // HIT(mali-midgard): 1 operation computes on single 32-bit values
      most = k;
  out[get_global_id(0)] = most;
}

__kernel void exchanged(__global uint *data, uint j) {
  uint i = get_global_id(0);
  uint a = data[i], b = data[i ^ j];
  if (a > b) { // HIT(mali-midgard): 1 operation computes on single 32-bit values
    data[i] = b;
    data[i ^ j] = a;
  }
}

__kernel void moved(__global uint *data, uint j) {
  uint i = get_global_id(0);
  uint a = data[i], b = data[i ^ j];
  if (a > b) // miss: what is stored is not compared
    data[i] = j;
}

__kernel void added(__global const int *in, __global int *sum, __local int *part) {
  int i = get_local_id(0);
  part[i] = in[get_global_id(0)] * 3; // HIT(mali-midgard): 2 operations
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0)
    atomic_add(sum, part[0] + part[1]);
}

__kernel void counted(__global const int *in, __global int *sum) {
  atomic_add(&sum[in[get_global_id(0)]], 1); // miss: it counts
}

__kernel void luminance(__read_only image2d_t in, __global int *bins) {
  float4 p = read_imagef(in, at, (int2)(get_global_id(0), get_global_id(1)));
  int grey = (int)(0.3f * p.x + 0.6f * p.y + 0.1f * p.z); // HIT(mali-midgard): 5 operations
  atomic_inc(&bins[grey]);
}

__kernel void in_a_table(__global const int *in, __global int *bins, int w) {
  atomic_inc(&bins[in[get_global_id(0)] * w + 3]); // miss: an address
}

// Vectors that are shorter than what one operation takes.
__kernel void complex(__global const float2 *a, __global const float2 *b, __global float2 *out) {
  int i = get_global_id(0);
  out[i] = a[i] * b[i] + a[i]; // HIT(mali-midgard): 2 operations compute on short vectors: one operation takes 128 bits
}

__kernel void halved(__global const int *in, __global int *out, int n) {
  if (in[get_global_id(0)] > n)
    out[get_global_id(0)] = n - 3; // miss: the same for all
}

__kernel void tail(__global const float4 *in, __global float4 *out, int n, __global float *sum) {
  int i = get_global_id(0);
  float4 v = in[i];
  for (int k = 0; k < 16; ++k)
    v = v * v + 1.0f; // miss: vectors, but for their sum
  out[i] = v;
  sum[i] = v.x + v.y;
}

__kernel void three(__global const float *in, __global float *out) {
  float v = in[get_global_id(0)];
  out[get_global_id(0)] = v > 1.0f ? 1.0f : v; // HIT(mali-midgard): 1 operation computes
}

__kernel void instead(__global const float *in, __global float *out) {
  float v = in[get_global_id(0)];
  out[get_global_id(0)] = v > 1.0f ? 0.0f : v; // HIT(mali-midgard): 1 operation computes
}

__kernel void least_in_groups(__global const int *in, __global int *out, __local int *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      part[l] = part[l + s] < part[l] ? part[l + s] : part[l]; // HIT(mali-midgard): 1 operation computes
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel void most_of_a_row(__global const int *in, __global int *out, int w) {
  int most = 0, from = get_global_id(0) * w;
  for (int k = 0; k < w; ++k)
    if (in[from + k] > most) // HIT(mali-midgard): 1 operation computes
      most = in[from + k];
  out[get_global_id(0)] = most;
}

__kernel void above_all(__global const int *in, __global int *out, int w) {
  int last = w > 7 ? 7 : w; // miss: the same for all
  if (in[get_global_id(0)] > w)
    out[get_global_id(0)] = last;
}

// Where a picture is turned, its places are computed.
__kernel void turned(__read_only image2d_t in, __write_only image2d_t out, float angle) {
  int x = get_global_id(0), y = get_global_id(1);
  float c = cos(angle), s = sin(angle);
  float2 from;
  from.x = c * x - s * y; // HIT(mali-midgard): 6 operations compute
  from.y = s * x + c * y;
  write_imagef(out, (int2)(x, y), read_imagef(in, at, from));
}

__kernel void shifted(__read_only image2d_t in, __write_only image2d_t out, float angle) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), read_imagef(in, at, (float2)(x + 0.5f, y + 0.5f))); // miss: next to nothing
}

__kernel void turned_and_mixed(__read_only image2d_t in, __write_only image2d_t out, float angle) {
  int x = get_global_id(0), y = get_global_id(1);
  float c = cos(angle), s = sin(angle);
  float4 v = read_imagef(in, at, (float2)(c * x - s * y, s * x + c * y)); // miss: what is computed on are pixels
  write_imagef(out, (int2)(x, y), v * v + v);
}

__kernel void quadruples(__global const float4 *a, __global const float4 *b, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = a[i] * b[i] + a[i]; // miss: 128 bits
}

__kernel void most_of_four(__global const float4 *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = in[i] > in[i + 1] ? in[i] : in[i + 1]; // miss: vectors
}

__kernel void limited_by_branches(__global const float *in, __global float *out, float lo, float hi) {
  int i = get_global_id(0);
  float v = in[i];
  if (v <= lo) // HIT(mali-midgard): 2 operations compute
    out[i] = lo;
  else if (v >= hi)
    out[i] = hi;
  else
    out[i] = v;
}

__kernel void marked_by_branches(__global const float *in, __global float *out, float lo) {
  int i = get_global_id(0);
  float v = in[i];
  if (v <= lo) // HIT(mali-midgard): 1 operation computes
    out[i] = 1.0f;
  else
    out[i] = v;
}

// Float computations count as 32 bits wide next to byte data, comparisons of floats included.
__kernel void limited_tone(__global uchar *image, float gain) {
  int i = get_global_id(0);
  float y = image[i] * gain; // HIT(mali-midgard): operations compute on single 32-bit values
  y = y * gain > 255.0f ? 255.0f : y * gain; // miss: the same computation
  image[i] = (uchar)y;
}

// A threshold is a comparison and a selection.
__kernel void threshold(__global const uchar *in, __global uchar *out, int t) {
  int i = get_global_id(0);
  out[i] = in[i] > t ? 255 : 0; // HIT: 1 operation computes on single 8-bit values
}

__kernel void border(__global const uchar *in, __global uchar *out, int n) {
  int i = get_global_id(0);
  out[i] = i > n ? 0 : in[i]; // miss: a place is compared
}

// The place of each in order.
__kernel void rank(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0), place = 0;
  for (int k = 0; k < n; ++k)
    place += in[k] < in[i] || (in[k] == in[i] && k < i); // HIT(mali-midgard): operations compute on single 32-bit values
  out[place] = in[i];
}

__kernel void reversed(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0), place = 0;
  for (int k = 0; k < n; ++k)
    place += k < i; // miss: counters are compared
  out[place] = in[i];
}

// What a loop makes of data until it ends.
__kernel void bits(__global const uint *in, __global int *out) {
  int i = get_global_id(0), n = 0;
  for (uint v = in[i]; v; v &= v - 1) // HIT(mali-midgard): operations compute on single 32-bit values
    ++n;
  out[i] = n;
}

__kernel void row_lengths(__global const int *rows, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  float last = 0.0f;
  for (int k = rows[i]; k < rows[i + 1]; ++k)
    last = in[k]; // miss: a loop that counts
  out[i] = last;
}

// The comparison controls statements only, not the stored value.
__kernel void written_where(__global const int *in, __global int *out, __global int *found, int key) {
  int i = get_global_id(0);
  if (in[i] == key)
    *found = i; // miss: nothing is chosen
  out[i] = in[i];
}

__kernel void either(__global const int *in, __global int *out, int key) {
  int i = get_global_id(0);
  if (in[i] == key) // HIT(mali-midgard): 1 operation computes
    out[i] = 1;
  else
    out[i] = 0;
}

__kernel void elsewhere(__global const int *in, __global int *out, int key) {
  int i = get_global_id(0);
  if (in[i] == key)
    out[i] = 1; // miss: another element
  else
    out[i + 1] = 0;
}

__kernel void by_argument(__global const int *in, __global int *out, int key) {
  int i = get_global_id(0);
  if (key == 7)
    out[i] = 1; // miss: the same for all
  else
    out[i] = 0;
}

__kernel void on_vectors(__global const int4 *in, __global int4 *out, int4 key) {
  int i = get_global_id(0);
  out[i] = in[i] > key ? (int4)(255) : (int4)(0); // miss: whole vectors
}

__kernel void chosen_by_place(__global const float *in, __global float *out, int n, float low) {
  int i = get_global_id(0);
  float v = in[i];
  if (i < n)
    v = low; // miss: a place decides
  out[i] = v;
  out[i + n] = low > 0.5f ? in[i + n] : 0.0f; // miss: the same for all
}

__kernel void counted_in_branches(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  if (in[i] > n) {
    out[i] = in[i + n]; // miss: more is done than to choose
    out[i + 1] = in[i];
  } else {
    out[i] = 0;
  }
  out[i + n] = in[i] > 0 ? in[i + 1] : 0; // HIT(mali-midgard): 1 operation computes
}

__kernel void looked_up_by_sign(__global const int *in, __global const int *table, __global int *out) {
  int i = get_global_id(0);
  out[i] = table[in[i] < 0 ? 0 : 1]; // miss: which element, not its value
}

__kernel void string_end(__global const int *in, __global int *out) {
  int i = get_global_id(0), k = 0;
  while (in[i + k] != 0) // miss: a string's end
    ++k;
  out[i] = k;
}

__kernel void sorted_by_hand(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0), place = 0;
  for (int k = 0; k < n; ++k)
    place += k < n / 2; // miss: the same for all
  out[i + place] = in[i];
}

__kernel void inverted(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = ~in[i]; // HIT: 1 operation computes on single 8-bit values
}

__kernel void nothing_inverted(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = in[~i & 7]; // miss: a place
  out[i + 1] = in[i] ? -1 : 0; // miss: a constant
}

// Numbers made of ids by mixing their bits.
__kernel void random_from_ids(__global uint *out, uint seed) {
  uint x = get_global_id(0) + seed;
  x ^= x << 13; // HIT(mali-midgard): 4 operations compute on single 32-bit values
  x ^= x >> 17;
  x ^= x << 5;
  out[get_global_id(0)] = x;
}

__kernel void turned_places(__global const uint *in, __global uint *out) {
  uint x = get_global_id(0);
  out[x] = in[x ^ (x >> 3)]; // miss: a place
  out[x + 1] = x ^ 1; // miss: the neighbour's number
}

// A loop that only a break ends.
__kernel void left_when_far(__global const float *start, __global int *out) {
  float z = start[get_global_id(0)];
  int rounds = 0;
  while (1) {
    if (z * z + 2.0f * z > 4.0f) // HIT(mali-midgard): 5 operations compute on single 32-bit values
      break;
    z = z * 1.5f + 0.5f;
    ++rounds;
  }
  out[get_global_id(0)] = rounds;
}

__kernel void left_when_done(__global int *out, int n) {
  int rounds = 0;
  while (1) {
    if (rounds * 3 + 1 > n) // miss: it counts
      break;
    ++rounds;
  }
  out[get_global_id(0)] = rounds;
}

// Tables that are looked up by what was mixed before.
__kernel void rounds_of_tables(__global uint *data, __global const uint *table, uint key) {
  int i = get_global_id(0);
  uint a = data[i];
  uint b = table[a & 255] ^ table[256 + (a >> 24)]; // HIT(mali-midgard): 2 operations compute on single 32-bit values
  data[i] = table[(b ^ a) & 255];
}

__kernel void one_table(__global uint *data, __global const uint *table) {
  int i = get_global_id(0);
  uint a = data[i];
  data[i] = table[(a & 255) ^ 1]; // miss: a place
}

// One vector in nine operations.
__kernel void as_good_as_scalars(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  float v = in[i];
  v = v * v + 2.0f * v - 1.0f; // HIT(mali-midgard): 9 operations compute on single 32-bit values
  v = v * v + 3.0f * v - v * v;
  out[i] = (float4)(v) * 0.5f;
}

__kernel void half_of_it_vectors(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  float v = in[i];
  v = v * v + 2.0f * v - 1.0f; // miss: two vectors in eleven
  v = v * v + 3.0f * v - v * v;
  out[i] = (float4)(v) * 0.5f + (float4)(1.0f, 2.0f, 3.0f, v);
}

// Little is done with the pixels once they are found.
__kernel void bent_and_dimmed(__read_only image2d_t in, __write_only image2d_t out, float2 middle, float k) {
  float2 p = convert_float2((int2)(get_global_id(0), get_global_id(1))) - middle;
  float r = p.x * p.x + p.y * p.y;
  float f = 1.0f + k * r + k * r * r + k * r * r * r; // HIT(mali-midgard): operations compute on single 32-bit values and short vectors
  float g = exp(-f) * cos(f) + sin(f) * f;
  float4 v = read_imagef(in, at, middle + p * (f + g));
  write_imagef(out, (int2)(get_global_id(0), get_global_id(1)), v * 0.5f); // miss: it is one operation on a whole pixel
}

__kernel void as_good_as_vectors(__global const float *in, __global float16 *out) {
  int i = get_global_id(0);
  float v = in[i];
  v = v * v + 2.0f * v - 1.0f; // miss: what is wide is four vectors
  v = v * v + 3.0f * v - v * v;
  out[i] = (float16)(v) * 0.5f;
}

// Two loops that compute alike: both are named.
__kernel void twoLoops(__global const float *a, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0, top = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i + k] * a[i + k] * 3.0f; // HIT(mali-midgard): operations compute on single 32-bit values
  for (int k = 0; k < n; ++k)
    top = fmax(top, a[i + k] * sum); // HIT(mali-midgard): the work here, too, is done on single 32-bit values
  out[i] = sum + top; // miss: executed once, outside the loops
}

// What becomes of it, another file says.
uint colour_of(uint rounds, __global const uint *colours);
__kernel void rounds_to_colours(__global uint *out, __global const uint *colours, float step) {
  float x = get_global_id(0) * step, y = get_global_id(1) * step, u = 0, v = 0;
  uint rounds = 0;
  for (; rounds < 255; ++rounds) {
    float w = u * u - v * v + x; // HIT(mali-midgard): operations compute on single 32-bit values
    v = 2 * u * v + y;
    u = w;
    if (u * u + v * v > 4)
      break;
  }
  out[get_global_id(1) * 640 + get_global_id(0)] = colour_of(rounds, colours);
}

__kernel void coloured_by_ids(__global uint *out, __global const uint *colours) {
  int i = get_global_id(0);
  out[i] = colour_of(i * 3 + 1, colours); // miss: it is given what comes from an id alone
}

__kernel void turned_to_whole_pixels(__read_only image2d_t in, __write_only image2d_t out, sampler_t at, float a) {
  float x = get_global_id(0), y = get_global_id(1);
  int toX = x * cos(a) + y * sin(a), toY = y * cos(a) - x * sin(a); // HIT(mali-midgard): operations compute on single 32-bit values
  write_imagef(out, (int2)(get_global_id(0), get_global_id(1)), read_imagef(in, at, (int2)(toX, toY)));
}

__kernel void mirrored_by_ids(__read_only image2d_t in, __write_only image2d_t out, sampler_t at, int width, int margin) {
  int x = get_global_id(0), y = get_global_id(1);
  int from = (width - 1 - x) * 2 - margin * 3 + (x & 1) * margin; // miss: places made of ids alone
  write_imagef(out, (int2)(x, y), read_imagef(in, at, (int2)(from, y)));
}

// The loop counts for more than the vectors behind it.
__kernel void loop_and_then_vectors(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  float v = in[i];
  for (int k = 0; k < n; ++k)
    v = v * v + 0.25f; // HIT(mali-midgard): operations compute on single 32-bit values
  out[i] = (float4)(v) * 0.5f + (float4)(1.0f, 2.0f, 3.0f, v);
}

__kernel void loop_of_vectors(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  float4 v = in[i];
  for (int k = 0; k < n; ++k)
    v = v * v + 0.25f; // miss: the loop already uses vectors
  out[i] = v * (in[i] * 2.0f + 1.0f);
}

// The store's address is unknown; the stored value is computed.
__kernel void stored_somewhere(__global float *a, __global float *b, __global const float *in, int round) {
  int i = get_global_id(0);
  __global float *x[2];
  x[0] = round ? a : b;
  x[1] = round ? b : a;
  x[1][i] = x[0][i] * 0.5f + in[i]; // HIT(mali-midgard): operations compute on single 32-bit values
}

__kernel void copied_somewhere(__global float *a, __global float *b, __global const float *in, int round) {
  int i = get_global_id(0);
  __global float *x[2];
  x[0] = round ? a : b;
  x[1] = round ? b : a;
  x[1][i] = in[i]; // miss: copied
}

// A hash needs all 32 bits of its words, whatever bytes it is made of.
__kernel void hash_in_letters(__global const char *text, __global char *out, int n) {
  uint w[8];
  const char digits[] = "0123456789abcdef";
  for (int k = 0; k < 8; ++k)
    w[k] = text[k];
  for (int k = 0; k < n; ++k)
    w[k & 7] = (w[(k + 1) & 7] ^ (w[(k + 5) & 7] << 7)) + w[k & 7]; // HIT(mali-midgard): operations compute on single 32-bit values
  for (int k = 0; k < 64; ++k)
    out[k] = digits[(w[k >> 3] >> (4 * (k & 7))) & 15];
}

__kernel void letters(__global const char *text, __global char *out, int n) {
  const char digits[] = "0123456789abcdef";
  for (int k = 0; k < n; ++k)
    out[k] = digits[(text[k >> 1] >> (4 * (k & 1))) & 15]; // miss: a place in a table
}

// What decides how far a copy goes is no address.
__kernel void found_by_hash(__global const uint *in, __global const uint *wanted, __global uint *out, int n) {
  uint i = get_global_id(0), h[4];
  for (int k = 0; k < 4; ++k)
    h[k] = in[4 * i + k] ^ (in[4 * i + k] >> 7); // HIT(mali-midgard): operations compute on single 32-bit values
  int j;
  for (j = 0; j < 4; ++j)
    if (h[j] != wanted[j])
      break;
  for (int k = 0; k < n; ++k)
    out[j + k] = in[j + k];
}

__kernel void found_by_compare(__global const uint *in, __global const uint *wanted, __global uint *out, int n) {
  uint i = get_global_id(0);
  int j;
  for (j = 0; j < 4; ++j)
    if (in[4 * i + j] != wanted[j])
      break;
  for (int k = 0; k < n; ++k)
    out[j + k] = in[j + k]; // miss: compared, and copied
}

// The functions that compute a good part of it are named, the kernel among them.
float smoothed(float v) {
  return v * v * (3.0f - 2.0f * v); // HIT(mali-midgard): the work here, too, is done on single 32-bit values
}

float doubled(float v) {
  return v * 2.0f; // miss: a small part of it
}

__kernel void in_functions(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float a = in[i] * 0.25f + 0.5f; // HIT(mali-midgard): operations compute on single 32-bit values
  float b = a * a + in[i] * 3.0f;
  out[i] = smoothed(a) + smoothed(b) + doubled(a);
}

// What a compiler computes once, or not at all.
__kernel void computed_once(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float a = in[i] * in[i]; // HIT(mali-midgard): 2 operations compute on single 32-bit values
  float b = in[i] * in[i]; // miss: the same product
  float c = a * 3.0f;      // miss: nothing uses it
  out[i] = a + b;
}

__kernel void computed_for_a_copy(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float a = in[i] * in[i]; // miss: nothing uses it
  out[i] = in[i];
}

// Local memory passes on what the values in it are for.
__kernel void counted_in_local_memory(__global const float *in, __global uint *out) {
  __local uint bins[256];
  int l = get_local_id(0);
  bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[(uint)(in[get_global_id(0)] * 255.0f)]); // HIT(mali-midgard): 1 operation computes on single 32-bit values
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[l], bins[l]);
}

__kernel void places_in_local_memory(__global const uint *first, __global const uint *base, __global const float *in, __global float *out) {
  __local uint at[64];
  int l = get_local_id(0);
  at[l] = first[get_global_id(0)] + base[l]; // miss: a place
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at[63 - l]] = in[get_global_id(0)];
}

__kernel void values_in_local_memory(__global const uint *first, __global const uint *base, __global uint *out) {
  __local uint at[64];
  int l = get_local_id(0);
  at[l] = first[get_global_id(0)] + base[l]; // HIT(mali-midgard): 1 operation computes on single 32-bit values
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = at[63 - l];
}

// The guard of an address.
__kernel void within_the_buffer(__global const uint *first, __global const float *in, __global float *out, uint n) {
  int i = get_global_id(0);
  uint at = first[i] + first[i + 1]; // miss: a place
  if (at < n)
    out[at] = in[i];
}

__kernel void within_the_limit(__global const uint *first, __global const float *in, __global float *out, uint n) {
  int i = get_global_id(0);
  if (first[i] + first[i + 1] < n) // HIT(mali-midgard): 1 operation computes on single 32-bit values
    out[i] = in[i];
}

// A vector from one of two buffers: the model knows neither its address nor its type.
__kernel void of_either_buffer(__global const uchar2 *a, __global const uchar2 *b, __global ushort *out, __global const int *which) {
  int i = get_global_id(0);
  __global const uchar2 *from = a;
  if (which[i])
    from = b;
  uchar2 v = from[i];
  out[i] = v.x + v.y; // HIT(mali-midgard): 1 operation computes on single 32-bit values
  out[i + 1] = v.x;   // miss: copied
}

// Ids that are mixed until one fits.
__kernel void found_by_mixing(__global uint *found, uint a, uint b) {
  uint id = get_global_id(0);
  uint x = (id ^ a) * 31u + b; // HIT(mali-midgard): operations compute on single 32-bit values
  if ((x ^ b) < 16u)
    found[0] = id;
}

__kernel void found_by_id(__global uint *found, uint a, uint b) {
  uint id = get_global_id(0);
  uint x = id * 31u + b; // miss: a number of the work-item
  if (x + a < 16u)
    found[0] = id;
}
