// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --fail-on=info --checks=-*,scattered-access --option=scattered-access.MinTurns=9 %s
__kernel void turns(__global const float *a, __global float *b) {
  int i = 4 * get_global_id(0);
  b[i] = a[i] * 2.0f; // HIT: loads follow stores of global memory 3 times
  b[i + 1] = a[i + 1] * 3.0f;
  b[i + 2] = a[i + 2] * 4.0f;
  b[i + 3] = a[i + 3] * 5.0f;
}

__kernel void grouped(__global const float *a, __global float *b) {
  int i = 2 * get_global_id(0);
  float x = a[i], y = a[i + 1];
  b[i] = x; // miss: the loads come first
  b[i + 1] = y;
}

__kernel void restricted(__global const float *restrict a, __global float *restrict b) {
  int i = 4 * get_global_id(0);
  b[i] = a[i] * 2.0f; // miss: restrict lets the compiler reorder
  b[i + 1] = a[i + 1] * 3.0f;
  b[i + 2] = a[i + 2] * 4.0f;
  b[i + 3] = a[i + 3] * 5.0f;
}

__kernel void two(__global const float *a, __global float *b) {
  int i = 2 * get_global_id(0);
  b[i] = a[i]; // HIT: a load follows a store of global memory: loads
  b[i + 1] = a[i + 1];
}

__kernel void one(__global const float *a, __global float *b) {
  int i = get_global_id(0);
  b[i] = a[i]; // miss: one load, one store
}

__kernel void sum_in_place(__global const float *a, __global float *sum, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    sum[i] += a[i * n + k]; // HIT: a load follows a store of global memory, in each round of the loop
}

__kernel void sum_in_variable(__global const float *a, __global float *sum, int n) {
  int i = get_global_id(0);
  float all = 0;
  for (int k = 0; k < n; ++k)
    all += a[i * n + k]; // miss: the loop only loads
  sum[i] = all;
}

__kernel void filled(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  float x = a[i];
  for (int k = 0; k < n; ++k)
    b[i * n + k] = x; // miss: the loop only stores
}

__kernel void once_round(__global const float *a, __global float *b) {
  int i = get_global_id(0);
  do {
    b[i] = a[i]; // miss: there is no second iteration
  } while (0);
}

__kernel void behind_barrier(__global float *b) {
  int i = get_local_id(0);
  b[i] = i; // miss: the barrier separates them
  barrier(CLK_GLOBAL_MEM_FENCE);
  b[i + 64] = b[i + 1];
}

__kernel void branches(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (a[i] > 0) {
    b[i] = 1; // miss: the load is in the other branch
  } else {
    b[i + n] = a[i + n];
  }
}

__kernel void in_branch(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  b[i] = 1; // HIT: a load follows a store
  if (n > 7)
    b[i + n] = a[i + n];
}

__kernel void leaves(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    float x = a[i + k];
    if (x > 0) {
      b[i] = x; // miss: the loop ends here, no load is behind it
      break;
    }
  }
}

__kernel void three(__global const float *a, __global float *b) {
  int i = 3 * get_global_id(0);
  b[i] = a[i]; // HIT: loads follow stores of global memory 2 times
  b[i + 1] = a[i + 1];
  b[i + 2] = a[i + 2];
}

__kernel void by_local_memory(__global const float *a, __global float *b, __local float *c) {
  int i = 3 * get_local_id(0);
  c[i] = a[i]; // miss: the stores are not to global memory
  c[i + 1] = a[i + 1];
  c[i + 2] = a[i + 2];
  b[i] = c[i]; // miss: the loads are not from global memory
  b[i + 1] = c[i + 1];
  b[i + 2] = c[i + 2];
}

struct Triple {
  float x, y, z;
};
__kernel void one_copy(__global const struct Triple *a, __global struct Triple *b) {
  int i = get_global_id(0);
  b[i] = a[i]; // miss: the fields of a structure are moved together
}

__kernel void field_by_field(__global const struct Triple *a, __global struct Triple *b) {
  int i = get_global_id(0);
  b[i].x = a[i].x; // HIT: loads follow stores of global memory 2 times
  b[i].y = a[i].y;
  b[i].z = a[i].z;
}

__kernel void through_the_launch(__global const float *a, __global float *b, int n) {
  int step = get_global_size(0);
  for (int i = get_global_id(0); i < n; i += step)
    b[i] = a[i] + 1.0f; // miss: each iteration is the work of one work-item
}

__kernel void through_its_own(__global const float *a, __global float *b, int n) {
  int first = get_global_id(0) * n;
  for (int i = first; i < first + n; i++)
    b[i] = a[i] + 1.0f; // HIT: a load follows a store of global memory, in each round of the loop
}

__kernel void turns_in_a_round(__global const float *a, __global float *b, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    b[i] = a[i] + 1.0f; // HIT: a load follows a store of global memory
    b[i + n] = a[i + n];
  }
}

// Reported at the store before the load.
__kernel void stores_and_a_table(__global const float *table, __global float *b, __global const int *which) {
  int i = 3 * get_global_id(0), k = which[get_global_id(0)];
  b[i] = 0.0f;
  b[i + 1] = 1.0f;
  b[i + 2] = 2.0f; // HIT: a load follows a store
  b[i + 3] = table[k];
}

__kernel void stores_only(__global float *b) {
  int i = 3 * get_global_id(0);
  b[i] = 0.0f; // miss: nothing is loaded
  b[i + 1] = 1.0f;
}

__kernel void what_is_found(__global const float *a, __global int *list, int n) {
  int k = 0;
  for (int i = 0; i < n; ++i)
    if (a[i] > 0.5f)
      list[k++] = i; // miss: few rounds store
}

__kernel void narrow(__global const uchar *a, __global uchar *b, int n) {
  int i = get_global_id(0) * n;
  for (int k = 0; k < n; ++k)
    b[i + k] = a[i + k]; // miss: bytes form no burst
}

__kernel void narrow_components(__global const uchar4 *a, __global uchar4 *b) {
  int i = get_global_id(0);
  b[i].x = a[i].x; // miss: each is a byte
  b[i].w = a[i].w;
}

__kernel void narrow_vectors(__global const uchar4 *a, __global uchar4 *b) {
  int i = 2 * get_global_id(0);
  b[i] = a[i]; // HIT: a load follows a store
  b[i + 1] = a[i + 1];
}
