// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,atomic-hotspot --option=atomic-hotspot.MaxAddresses=10 %S/Inputs/histogram.cl
__kernel void total(__global int *n) {
  atomic_inc(n); // HIT: every work-item updates the same element of 'n'
}

__kernel void argument(__global int *n, int k) {
  atomic_add(&n[k], 1); // HIT: the same element
}

__kernel void histogram(__global const uchar *in, __global int *bins) {
  atomic_inc(&bins[in[get_global_id(0)]]); // HIT: one of 256 elements of 'bins'
}

__kernel void large(__global const ushort *in, __global int *bins) {
  atomic_inc(&bins[in[get_global_id(0)]]); // miss: 65536 elements
}

__kernel void own(__global int *n) {
  atomic_inc(&n[get_global_id(0)]); // miss: its own element
}

__kernel void once_a_group(__global int *n, __local int *part) {
  atomic_inc(part); // HIT: every work-item of a group updates the same element of 'part'
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(n, *part); // miss: one work-item of the group
}

__kernel void append(__global const float *in, __global int *n, __global int *found) {
  int i = get_global_id(0);
  if (in[i] > 0.5f)
    found[atomic_inc(n)] = i; // HIT: every work-item that gets here updates the same element of 'n'
}

__kernel void summed_up(__global const int *in, __global int *total, int rows) {
  int sum = 0;
  for (int k = 0; k < rows; ++k)
    sum += in[get_global_id(0) * rows + k];
  atomic_add(total, sum); // HIT: every work-item updates the same element of 'total'
}

__kernel void counted(__global const float *in, __global int *n) {
  if (in[get_global_id(0)] > 0.5f)
    atomic_inc(n); // HIT: every work-item that gets here updates the same element of 'n'
}

__kernel void flag(__global const float *in, __global int *found) {
  if (in[get_global_id(0)] > 0.5f)
    atomic_or(found, 1); // HIT: every work-item that gets here updates the same element of 'found'
}

__kernel void looked_at(__global const int *in, __global int *least) {
  int v = in[get_global_id(0)];
  if (v < *least)
    atomic_min(least, v); // miss: only what is less gets here
}

__kernel void first_of_each(__global int *total, __local int *part) {
  int l = get_local_id(0);
  if (!l)
    atomic_add(&total[0], part[0]); // miss: one work-item of each group
}

// A histogram of its own for each work-item, and all of them added to one.
__kernel void own_histograms(__global const uchar *in, __global uint *bins, uint size) {
  uint own[256];
  for (uint i = 0; i < 256; i++)
    own[i] = 0;
  for (uint i = get_global_id(0); i < size; i += get_global_size(0))
    own[in[i]]++;
  for (uint i = 0; i < 256; i++)
    if (own[i] > 0)
      atomic_add(&bins[i], own[i]); // HIT: every work-item that gets here updates the same elements of 'bins'
}

__kernel void a_row_each(__global const uint *in, __global uint *rows, uint n) {
  for (uint i = 0; i < n; i++)
    atomic_add(&rows[get_global_id(0) * n + i], in[i]); // miss: each walks its own row
}

__kernel void begun_elsewhere(__global const uint *in, __global uint *bins, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_add(&bins[i], in[i]); // miss: each begins at another element
}

// An unknown number of bins.
__kernel void scaled(__global const float *in, __global int *bins, int n) {
  int bin = (int)(in[get_global_id(0)] * n);
  atomic_inc(&bins[bin]); // HIT: bins of their data
}

__kernel void named(__global const int *of, __global int *degree) {
  atomic_inc(&degree[of[get_global_id(0)]]); // miss: an element of a list
}

__kernel void celled(__global const float2 *at, __global int *cells, int w) {
  float2 p = at[get_global_id(0)];
  atomic_inc(&cells[(int)p.y * w + (int)p.x]); // miss: a cell of two coordinates
}

__kernel void planes(__global const uint *in, __global uint *bins) {
  uint i = get_global_id(0);
  atomic_inc(&bins[in[i] + 256 * (i % 3)]); // HIT: bins of their data
}

__kernel void rows_of_bins(__global const uint *in, __global uint *bins) {
  uint i = get_global_id(0);
  atomic_inc(&bins[in[i] + 256 * i]); // miss: bins of its own
}

__kernel void digits(__global const int *in, __global int *bins) {
  atomic_inc(&bins[in[get_global_id(0)] % 10]); // HIT: all work-items update one of 10 elements
}

__kernel void slots(__global const float *in, __global int *count, __global int *list, int n) {
  int i = get_global_id(0), cell = (int)(in[i] * n);
  list[cell * 16 + atomic_inc(&count[cell])] = i; // miss: a place in a list
}

// Counters of other kinds.
typedef struct {
  uint n;
  uint at[64];
} Found;

__kernel void counter_of_a_list(__global const float *in, __global Found *found) {
  uint i = get_global_id(0);
  if (in[i] > 0.5f) {
    uint k = atomic_inc(&found->n); // HIT: the same element of 'found.n'
    found->at[k & 63] = i;
  }
}

__kernel void counter_of_each(__global const float *in, __global Found *found) {
  uint i = get_global_id(0);
  if (in[i] > 0.5f) {
    uint k = atomic_inc(&found[i].n); // miss: a list of its own
    found[i].at[k & 63] = i;
  }
}

__kernel void wanted(__global const uint *in, __global const uint *key, __global uint *found) {
  uint i = get_global_id(0);
  if (in[i] == key[i & 7])
    found[1 + atomic_inc(found)] = i; // miss: two numbers that are equal are rare
}

__kernel void kind(__global const uint *in, __global uint *found) {
  uint i = get_global_id(0);
  if (in[i] == 1)
    found[1 + atomic_inc(found)] = i; // HIT: the same element of 'found'
}

__kernel void room(__global const float *in, __global uint *n, __global uint *found) {
  uint i = get_global_id(0);
  if (in[i] > 0.5f && *n < 64)
    found[atomic_inc(n) & 63] = i; // HIT: the same element of 'n'
}

__kernel void of_a_group(__global const int *in, __global int *sums) {
  atomic_add(&sums[get_group_id(0)], in[get_global_id(0)]); // HIT: every work-item of a group updates the same element of 'sums'
}

__kernel void of_a_row(__global const int *in, __global int *sums, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  atomic_add(&sums[y], in[y * w + x]); // HIT: every work-item of a row updates the same element of 'sums'
  atomic_add(&sums[y * w + x], in[y * w + x]); // miss: an element of its own
}

__kernel void of_a_column(__global const int *in, __global int *sums, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  atomic_add(&sums[x], in[y * w + x]); // miss: another element for each neighbour
}

__kernel void once_a_column(__global const int *in, __global int *n) {
  if (get_local_id(1) == 0)
    atomic_add(n, in[get_global_id(0)]); // HIT: every work-item updates the same element of 'n'
}

__kernel void group_flag(__global const float *in, __global float *out) {
  __local int any_of_them, one;
  __local uint own[64], bins[256];
  uint i = get_global_id(0), l = get_local_id(0);
  if (in[i] > 0.5f)
    atomic_or(&any_of_them, 1); // HIT: every work-item of a group that gets here updates the same element of 'any_of_them'
  if (l == 0)
    atomic_or(&one, 1); // miss: one work-item of the group
  atomic_inc(&own[l]); // miss: an element for each
  atomic_inc(&bins[(uchar)(in[i] * 255.0f)]); // miss: a group's own bins
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = any_of_them + one + own[l] + bins[l];
}

__kernel void largest(__global const int *in, __local int *most, __global int *out) {
  int v = in[get_global_id(0)];
  if (v > *most)
    atomic_max(most, v); // miss: only what is more gets here
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = *most;
}

__kernel void nearest(__global const float *in, __global const float *centres, __global int *members, int n) {
  float x = in[get_global_id(0)], least = 1e30f;
  int best = 0;
  for (int k = 0; k < n; ++k) {
    float d = fabs(x - centres[k]);
    if (d < least) {
      least = d;
      best = k;
    }
  }
  atomic_inc(&members[best]); // HIT: work-items update elements of 'members' atomically that are bins of their data
}

__kernel void nearest_of_own(__global const float *in, __global const int *first, __global int *members) {
  int i = get_global_id(0), best = 0;
  float least = 1e30f;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (in[k] < least) {
      least = in[k];
      best = k;
    }
  atomic_inc(&members[best]); // miss: each chooses among its own
}

__kernel void planes_by_loop(__global const uint *pixel, __global uint *bins) {
  int i = get_global_id(0);
  for (int k = 0; k < 3; ++k)
    atomic_inc(&bins[pixel[3 * i + k] + 256 * k]); // HIT: work-items update elements of 'bins' atomically that are bins of their data
}

__kernel void neighbours_of(__global const uint *of, __global uint *degree) {
  int i = get_global_id(0);
  for (int k = 0; k < 3; ++k)
    atomic_inc(&degree[of[3 * i + k] + k]); // miss: no planes, but elements of a list
}
