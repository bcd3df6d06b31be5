// Helpers are inlined; the result is a variable, since contraction does not
// cross a call.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

float square(float v) { return v * v; }
int middle(int v, int lo, int hi) {
  if (v < lo)
    return lo;
  if (v > hi)
    return hi;
  return v;
}
int search(global const int *p, int key, int n) {
  for (int i = 0; i < n; ++i)
    if (p[i] == key)
      return i;
  return -1;
}
void swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}
global int *at(global int *p, int r) { return p + 4 * r; }
int loops(int n) { return n ? loops(n - 1) : 0; }
int gid(int d) { return get_global_id(d); }

kernel void values(global float *f, float k) {
  f[0] = k * square(f[1]) + 1.0f;
  f[1] = square(k);
}

kernel void exits(global int *a, int n) {
  a[gid(0)] = middle(n, 0, 255);
}

kernel void from_loop(global int *a, int n) {
  a[0] = search(a + 4, 7, n) + 1;
}

kernel void by_address(global int *a) {
  int x = a[0], y = a[1];
  swap(&x, &y);
  a[0] = x;
}

kernel void places(global int *a, int n) {
  int v[4];
  v[0] = 1;
  swap(&v[0], v + n);
  *at(a, n) = v[1];
  a[0] = loops(3);
}

// CHECK:      kernel values(global float *f, float k)
// CHECK-NEXT:   float v = load f[1]
// CHECK-NEXT:   float square_result = (v * v)
// CHECK-NEXT:   store f[0] = ((k * square_result) + 1.0f)
// CHECK-NEXT:   float square_result_1 = (k * k)
// CHECK-NEXT:   store f[1] = square_result_1
// CHECK:      kernel exits(global int *a, int n)
// CHECK-NEXT:   int middle_result
// CHECK-NEXT:   if ((n < 0)) {
// CHECK-NEXT:     middle_result = 0
// CHECK-NEXT:   } else {
// CHECK-NEXT:     if ((n > 255)) {
// CHECK-NEXT:       middle_result = 255
// CHECK-NEXT:     } else {
// CHECK-NEXT:       middle_result = n
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   int gid_result = <int>get_global_id(0)
// CHECK-NEXT:   store a[gid_result] = middle_result
// CHECK:      kernel from_loop(global int *a, int n)
// CHECK-NEXT:   int search_result
// CHECK-NEXT:   int returned = 0
// CHECK-NEXT:   for (int i = 0; (i < n); i = (i + 1)) {
// CHECK-NEXT:     if ((load a[(4L + <long>i)] == 7)) {
// CHECK-NEXT:       search_result = i
// CHECK-NEXT:       returned = 1
// CHECK-NEXT:       break
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   if ((returned == 0)) {
// CHECK-NEXT:     search_result = (-1)
// CHECK-NEXT:   }
// CHECK-NEXT:   store a[0] = (search_result + 1)
// CHECK:      kernel by_address(global int *a)
// CHECK-NEXT:   int x = load a[0]
// CHECK-NEXT:   int y = load a[1]
// CHECK-NEXT:   int t = x
// CHECK-NEXT:   x = y
// CHECK-NEXT:   y = t
// CHECK-NEXT:   store a[0] = x
// CHECK:      kernel places(global int *a, int n)
// CHECK-NEXT:   private int v[4]
// CHECK-NEXT:   store v[0] = 1
// CHECK-NEXT:   int t = load v[0]
// CHECK-NEXT:   store v[0] = load v[n]
// CHECK-NEXT:   store v[n] = t
// CHECK-NEXT:   store a[(4 * n)] = load v[1]
// CHECK-NEXT:   opaque{recursion}
// CHECK-NEXT:   int loops_result = opaque{recursion}
// CHECK-NEXT:   store a[0] = loops_result
// CHECK-NEXT:   ! opaque: recursion
