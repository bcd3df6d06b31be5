// RUN: %{python} %{expect} %s
__kernel void four(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)], b = v[0];
  out[get_global_id(0)] = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; // HIT: an inner product of 4 components
}

__kernel void three(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)];
  out[get_global_id(0)] = a.x * a.x + a.y * a.y + a.z * a.z; // HIT: an inner product of 3 components
}

__kernel void cross_terms(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)], b = v[0];
  out[get_global_id(0)] = a.x * b.y + a.y * b.z + a.z * b.x; // HIT: an inner product of 3 components
}

__kernel void builtin(__global const float4 *v, __global float *out) {
  out[get_global_id(0)] = dot(v[get_global_id(0)], v[0]); // miss: dot
}

__kernel void two(__global const float2 *v, __global float *out) {
  float2 a = v[get_global_id(0)];
  out[get_global_id(0)] = a.x * a.x + a.y * a.y; // HIT: an inner product of 2 components
}

__kernel void scalars(__global float *out, float a, float b, float c) {
  out[get_global_id(0)] = a * a + b * b + c * c; // HIT: an inner product of 3 components
}

__kernel void weights(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)];
  out[get_global_id(0)] = 0.299f * a.x + 0.587f * a.y + 0.114f * a.z; // HIT: an inner product of 3 components
}

__kernel void weights_of_bytes(__global const uchar4 *v, __global float *out) {
  uchar4 a = v[get_global_id(0)];
  out[get_global_id(0)] = 0.299f * a.x + 0.587f * a.y + 0.114f * a.z; // HIT: an inner product of 3 components
}

__kernel void weights_in_integers(__global const uchar4 *v, __global int *out) {
  uchar4 a = v[get_global_id(0)];
  out[get_global_id(0)] = 77 * a.x + 150 * a.y + 29 * a.z; // miss: no floating point
}

__kernel void weights_that_differ(__global const float4 *v, __global const float *w, __global float *out) {
  float4 a = v[get_global_id(0)];
  float b = w[get_global_id(0)];
  out[get_global_id(0)] = b * a.x + b * a.y + b * a.z; // HIT: a product is added
}

__kernel void gathered(__global const float4 *v, __global float *out, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    float4 a = v[get_global_id(0)], b = v[k];
    sum += a.x * b.x; // HIT: an inner product of 4 components
    sum += a.y * b.y;
    sum += a.z * b.z;
    sum += a.w * b.w;
  }
  out[get_global_id(0)] = sum;
}

__kernel void two_sums(__global const float4 *v, __global float2 *out, int n) {
  float sum = 0.0f, other = 0.0f;
  for (int k = 0; k < n; ++k) {
    float4 a = v[get_global_id(0)], b = v[k];
    sum += a.x * b.x; // HIT: a product is added
    other += a.y * b.y;
    sum += a.z * b.z;
    other += a.w * b.w;
  }
  out[get_global_id(0)] = (float2)(sum, other);
}

__kernel void of_a_product(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)] * v[0];
  out[get_global_id(0)] = a.x + a.y + a.z + a.w; // HIT: an inner product of 4 components
}

__kernel void of_a_sum(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)] + v[0];
  out[get_global_id(0)] = a.x + a.y + a.z + a.w; // miss: nothing was multiplied
}

// Loops over memory, and what only looks like one.
__kernel void row_by_row(__global const float *a, __global const float *x, __global float *y, int n) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * x[k]; // HIT: an inner product is added up one product at a time
  y[row] = sum;
}

__kernel void by_mad(__global const float *a, __global const float *x, __global float *y, int n) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    float with = x[k];
    sum = mad(a[row * n + k], with, sum); // HIT: an inner product is added up one product at a time
  }
  y[row] = sum;
}

__kernel void near_loops(__global const float4 *v, __global const float *a, __global const int *n, __global float *y, float s, int m) {
  int row = get_global_id(0);
  float sum = 0.0f, powers = 1.0f;
  int count = 0;
  for (int k = 0; k < m; ++k) {
    sum += a[row * m + k] * s; // HIT: a product is added
    count += n[k] * n[row]; // miss: no floating point
    powers = powers * a[k]; // miss: a product of all
    sum += a[k] * (s - k); // miss: one of them is computed
  }
  float t = a[row];
  sum += s * t * t * t + 3.0f * t * t + 2.0f * t; // miss: a polynomial
  sum += a[0] * a[1]; // miss: in no loop
  y[row] = sum + count + powers + v[row].x;
}

__kernel void two_and_more(__global const float2 *v, __global float *out, float c) {
  float2 a = v[get_global_id(0)], b = v[0];
  out[get_global_id(0)] = a.x * b.x - a.y * b.y; // HIT: two products are added up
  out[get_global_id(1)] = a.x * b.x + c; // miss: one product
  out[get_global_id(2)] = a.x * b.y + a.y * b.x; // miss: already reported
}

__kernel void in_place(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  c[i * n + j] = 0.0f;
  for (int k = 0; k < n; ++k)
    c[i * n + j] += a[i * n + k] * b[k * n + j]; // HIT: an inner product is added up one product at a time
}

__kernel void element_by_element(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = get_global_id(0) * n;
  for (int k = 0; k < n; ++k)
    c[i + k] += a[i + k] * b[k]; // HIT: a product is added
}

__kernel void copied_row(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = get_global_id(0);
  float row[64], sum = 0.0f;
  for (int k = 0; k < 64; ++k)
    row[k] = a[i * 64 + k];
  for (int k = 0; k < 64; ++k)
    sum += row[k] * b[k * n]; // HIT: an inner product is added up one product at a time
  c[i] = sum;
}

__kernel void two_numbers(__global const float *x, __global const float *y, __global float *out) {
  int i = get_global_id(0);
  float a = x[i], b = y[i];
  out[i] = native_sqrt(a * a + b * b); // HIT: two products are added up
}

__kernel void no_pairs(__global const float *x, __global const int *y, __global float *out) {
  int i = get_global_id(0);
  float a = x[i], b = x[i + 1], f = x[i + 2];
  out[i] = a * f + b * f; // HIT: a product is added
  out[i + 1] = a * b + f; // miss: a multiply-add
  out[i + 2] = y[i] * y[i] + y[i + 1] * y[i + 1]; // miss: whole numbers
}

// The distance of two points, one coordinate after the other.
__kernel void distances(__global const float *a, __global const float *b, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f, squares = 0.0f;
  for (int k = 0; k < n; ++k) {
    float d = a[i * n + k] - b[k];
    sum += d * d; // HIT: an inner product is added up one product at a time
    squares += pow(a[i * n + k] - b[k], 2.0f); // HIT: an inner product is added up one product at a time
  }
  out[i] = sum + squares;
}

__kernel void no_distances(__global const float *a, __global const float *b, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f, cubes = 0.0f, weighted = 0.0f;
  for (int k = 0; k < n; ++k) {
    float d = a[i * n + k] - b[k], e = k * 0.5f;
    sum += d; // miss: no square
    cubes += pow(d, 3.0f); // miss: another power
    weighted += e * e; // miss: nothing of memory
  }
  out[i] = sum + cubes + weighted;
}

// Two weights of whole vectors, as transformations have them: dot would add up their lanes.
__kernel void lane_by_lane(__global const float4 *x, __global float4 *out) {
  int i = get_global_id(0);
  float4 a = x[i], b = x[i + 1];
  out[i] = a * 0.5f + b * 0.25f; // miss: each lane has a sum of its own
}

__kernel void of_scalars(__global const float *x, __global float *out) {
  int i = get_global_id(0);
  float a = x[i], b = x[i + 1];
  out[i] = a * 0.5f + b * 0.25f; // HIT: two products are added up
}

// The rows of a small matrix.
typedef struct { float at[3][3]; } Matrix;
typedef struct { float at[3]; } Row;
__kernel void transformed(__global const float *in, __global float *out, Matrix m) {
  int i = get_global_id(0);
  Row p = {{in[3 * i], in[3 * i + 1], in[3 * i + 2]}}, q;
  for (int r = 0; r < 3; ++r) {
    q.at[r] = 0.0f;
    for (int c = 0; c < 3; ++c)
      q.at[r] -= p.at[c] * m.at[r][c]; // HIT: an inner product is added up one product at a time
    for (int c = 0; c < 3; ++c)
      q.at[c] -= p.at[c] * m.at[r][c]; // miss: each to a sum of its own
  }
  out[3 * i] = q.at[0] + q.at[1] + q.at[2];
}

__kernel void length_beside(__global const float4 *v, __global float2 *out) {
  int i = get_global_id(0);
  float4 a = v[i];
  float x = a.x / a.z, y = a.y / a.z;
  out[i].x = a.x * a.x + a.y * a.y + a.z * a.z; // HIT: an inner product of 3 components
  out[i].y = x * x + y * y; // HIT: two products are added up
  out[i + 1].y = x * a.x + y * a.y; // miss: next to another finding, only squares are reported
}

__kernel void scaled(__global const float *in, __global float *out, float k) {
  int i = get_global_id(0);
  out[i] = 2 * in[i] + k * in[i + 1]; // HIT: a product is added
}


__kernel void axpy(__global const float *x, __global const float *y, __global float *out, float a) {
  int i = get_global_id(0);
  out[i] = a * x[i] + y[i]; // HIT: a product is added
}

__kernel void axpy_of_arguments(__global const float *y, __global float *out, float a, float b) {
  int i = get_global_id(0);
  out[i] = a * b + y[i]; // miss: the product is the same for all
}

__kernel void axpy_beside_vectors(__global const float4 *x, __global float4 *out, __global float *edge, float a) {
  int i = get_global_id(0);
  out[i] = x[i] * a;
  edge[i] = edge[i] * a + 1.0f; // miss: a kernel that computes on vectors counts as tuned
}

__kernel void axpy_of_integers(__global const int *x, __global const int *y, __global int *out, int a) {
  int i = get_global_id(0);
  out[i] = a * x[i] + y[i]; // miss: integers
}

__kernel void axpy_called(__global const float *x, __global const float *y, __global float *out, float a) {
  int i = get_global_id(0);
  out[i] = mad(a, x[i], y[i]); // miss: mad
}

__kernel void axpy_twice(__global const float *x, __global const float *y, __global float *out, float a) {
  int i = get_global_id(0);
  float t = a * x[i] + y[i]; // HIT: a product is added
  out[i] = a * t + y[i]; // miss: one is named
}

__kernel void scaled_sum(__global const float *x, __global const float *y, __global float *out, float a) {
  int i = get_global_id(0);
  out[i] = a * (x[i] + y[i]); // miss: nothing is added to the product
}

__kernel void of_ids(__global float *out, float a, float b) {
  int i = get_global_id(0);
  out[i] = a * i + b; // miss: of ids, no data
}

__kernel void divided(__global const float *x, __global const float *y, __global float *out, float a) {
  int i = get_global_id(0);
  out[i] = x[i] / a + y[i]; // miss: a quotient
  out[i + 1] = x[i] + y[i]; // miss: nothing is multiplied
  out[i + 2] = x[i] * a; // miss: nothing is added
  out[i + 3] = fma(x[i], a, y[i]); // miss: fma
}

__kernel void taken_off(__global const float *in, __global float *out, float c) {
  int i = get_global_id(0);
  float nx = in[i], ny = in[i + 1], nz = in[i + 2], px = in[i + 3], py = in[i + 4], pz = in[i + 5];
  out[i] = c - nx * px - ny * py - nz * pz; // HIT: an inner product of 3 components
}

__kernel void of_both_signs(__global const float *in, __global float *out, float c) {
  int i = get_global_id(0);
  float nx = in[i], ny = in[i + 1], nz = in[i + 2], px = in[i + 3], py = in[i + 4], pz = in[i + 5];
  out[i + 1] = nx * nx + ny * ny; // HIT: two products are added up
  out[i] = nx * px * c - ny * py - nz * pz + c; // miss: two of a sign
}

__kernel void complex_product(__global const float2 *in, __global float2 *out) {
  int i = get_global_id(0);
  float2 a = in[i], b = in[i + 1];
  out[i].x = a.x * b.x - a.y * b.y; // HIT: two products are added up
  out[i].y = a.x * b.y + a.y * b.x; // miss: already reported
}

__kernel void taken_off_in_polynomials(__global const float *in, __global float *out, float a, float b) {
  int i = get_global_id(0);
  float x = in[i], y = in[i + 1];
  out[i + 1] = x * x + y * y; // HIT: two products are added up
  out[i] = a - x * a - x * x * b - x * x * x * 3.0f; // miss: a polynomial
  out[i + 2] = a - a * pow(x, 1) - 2.0f * pow(x, 2) - 3.0f * pow(x, 3); // miss: the same
  out[i + 3] = a + a * pown(x, 1) + b * pown(x, 2) + 3.0f * x * y; // miss: x is in all of them
}

__kernel void taken_off_in_integers(__global const int *in, __global int *out, int c) {
  int i = get_global_id(0);
  out[i] = c - in[i] * in[i + 1] - in[i + 2] * in[i + 3] - in[i + 4] * in[i + 5]; // miss: no floating point
}

__kernel void squares_by_mad(__global const float4 *in, __global float *out) {
  int i = get_global_id(0);
  float4 r = in[i];
  out[i] = mad(r.x, r.x, mad(r.y, r.y, r.z * r.z)); // HIT: an inner product of 3 components is written out
}

__kernel void polynomial_by_mad(__global const float4 *in, __global float *out) {
  int i = get_global_id(0);
  float4 r = in[i];
  out[i] = mad(r.x, r.x, mad(r.x, r.y, r.z)); // miss: no component but one is multiplied by its own
}

__kernel void by_name(__global const uchar *in, __global float *out) {
  int i = 3 * get_global_id(0);
  float red = 0.299f * in[i], green = 0.587f * in[i + 1], blue = 0.114f * in[i + 2];
  out[get_global_id(0)] = red + green + blue; // HIT: an inner product of 3 components
}

__kernel void by_name_of_one(__global const float *in, __global float *out) {
  float x = in[get_global_id(0)], one = 0.5f * x, two = x * x, three = x * x * x;
  out[get_global_id(0)] = one + two + three; // miss: a polynomial
}
