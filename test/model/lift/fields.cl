// A pointer in an object of the work-item's own is the object it points into and an index.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

typedef struct {
  global const float *in;
  global float *out;
  int n;
} Args;
typedef struct {
  Args args;
  global int *count;
} Nested;
typedef union {
  global float *f;
  global int *i;
} Either;

float get(Args s, int i) { return s.in[i] * 2; }
void put(Args *s, int i, float v) { s->out[i] = v; }
Args make(global float *x, global float *y) {
  Args s;
  s.in = x;
  s.out = y;
  return s;
}

// Set once: its place stands for it, in copies and in functions, too.
kernel void once(global float *x, global float *y, int n) {
  Args s = {x, y + n};
  int i = get_global_id(0);
  put(&s, i, get(s, i));
}
// CHECK-LABEL: kernel once(global float *x, global float *y, int n)
// CHECK:         float get_result = (load x[i] * <float>2)
// CHECK-NEXT:    store y[(<long>n + <long>i)] = get_result
// CHECK-NOT:   {{.*}}opaque{{.*}}

kernel void made(global float *x, global float *y, global int *c) {
  Nested a;
  a.args = make(x, y);
  a.count = c;
  Nested b = a;
  b.args.out[0] = *b.args.in + *b.count;
}
// CHECK-LABEL: kernel made(global float *x, global float *y, global int *c)
// CHECK:         store y[0] = (load x[0] + <float>load c[0])
// CHECK-NOT:   {{.*}}opaque{{.*}}

// It moves: an offset of its own.
kernel void moved(global float *x, global float *y, int n) {
  Args s;
  s.out = y;
  s.in = x + get_global_id(0) * n;
  for (int k = 0; k < n; ++k)
    s.out[k] = *s.in++;
}
// CHECK-LABEL: kernel moved(global float *x, global float *y, int n)
// CHECK-NEXT:    long s_in
// CHECK-NEXT:    private Args s
// CHECK-NEXT:    s_in = <long>(get_global_id(0) * <ulong>n)
// CHECK-NEXT:    for (int k = 0; (k < n); k = (k + 1)) {
// CHECK-NEXT:      store y[k] = load x[s_in]
// CHECK-NEXT:      s_in = (s_in + 1L)
// CHECK-NEXT:    }

// What its place is computed of changes meanwhile.
kernel void changed(global float *x, global float *y, int n) {
  Args s;
  s.out = y + n;
  n = 0;
  s.out[n] = 1;
}
// CHECK-LABEL: kernel changed(global float *x, global float *y, int n)
// CHECK-NEXT:    long s_out
// CHECK-NEXT:    private Args s
// CHECK-NEXT:    s_out = <long>n
// CHECK-NEXT:    n = 0
// CHECK-NEXT:    store y[(s_out + <long>n)] = <float>1

// Two objects, an element of an array, a member of a union, an object of others: not followed.
kernel void two(global float *x, global float *y, int n) {
  Args s;
  if (n > 3)
    s.out = x;
  else
    s.out = y;
  s.out[0] = 1;
}
// CHECK-LABEL: kernel two(global float *x, global float *y, int n)
// CHECK:         ! opaque: pointer with two bases
kernel void element(global float *x, int n) {
  Args s[2];
  s[n].out = x;
  s[1].out[0] = 1;
}
// CHECK-LABEL: kernel element(global float *x, int n)
// CHECK:         ! opaque: pointer in memory
kernel void member(global float *x, global int *y) {
  Either e;
  e.f = x;
  e.i[0] = 1;
}
// CHECK-LABEL: kernel member(global float *x, global int *y)
// CHECK:         ! opaque: pointer in memory
kernel void shared(global float *x) {
  local Args s;
  s.out = x;
  s.out[0] = 1;
}
// CHECK-LABEL: kernel shared(global float *x)
// CHECK:         ! opaque: pointer in memory
kernel void unset(global float *x) {
  Args s;
  s.out[0] = 1;
}
// CHECK-LABEL: kernel unset(global float *x)
// CHECK:         ! opaque: pointer in memory
kernel void replaced(global float *x, int n) {
  Args s, many[2];
  s.out = x;
  many[0].out = x + 1;
  s = many[n];
  s.out[0] = 1;
}
// CHECK-LABEL: kernel replaced(global float *x, int n)
// CHECK-NOT:     store x{{.*}}
// CHECK:         ! opaque: pointer in memory
