// A pointer is the object it points into and an index.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

kernel void forms(global float *p, int i, uint u) {
  p[i] = *(p + u);
  *p = i[p];
  *(&p[i] - 2) = p[-1];
}

// Written only once: its place stands for it.
kernel void row(global const float *in, global float *out, int w) {
  int y = get_global_id(0);
  global const float *r = in + y * w;
  for (int x = 0; x < w; ++x)
    out[x] = r[x] + r[x + 1];
}

// Its offset's variable changes meanwhile: a variable of its own.
kernel void moved(global float *p, int i) {
  global float *q = p + i;
  i += 1;
  *q = i;
}

// Written often: a variable that counts elements.
kernel void walks(global float *p, global const int *list, int n) {
  global float *q = p + list[0];
  while (n-- > 0) {
    *q++ = n;
    q += 2;
  }
  p[0] = q - p;
  if (q > p + 8)
    q[-1] = 0;
}

kernel void parameter(global int *p, int n) {
  p += get_global_id(0);
  *p = n;
}

// Other element types keep the bytes.
kernel void wider(global uchar *b, global float *f) {
  int i = get_global_id(0);
  uchar4 v = ((global uchar4 *)b)[i];
  global int *w = (global int *)(b + i);
  w[3] = v.x;
  *(global uint *)&f[i] = 0x3f800000u;
  *(global uchar *)(f + 1) = 1;
}

kernel void tiles(global float *out) {
  local float t[8][9];
  int l = get_local_id(0);
  local float *r = t[l];
  r[2] = t[1][l];
  *(local float *)t = 3;
  out[l] = (&t[0][0])[l];
}

kernel void turns(global int *a, global int *b, int n) {
  for (int k = 0; k < n; ++k) {
    b[k] = a[k + 1];
    global int *c = a;
    a = b;
    b = c;
  }
}

kernel void either(global int *a, global int *b, int n) {
  global int *p = n ? a + 1 : a + n;
  *p = 1;
  global int *q = a;
  if (n)
    q = b;
  *q = 2;
}

// CHECK:      kernel forms(global float *p, int i, uint u)
// CHECK-NEXT:   store p[i] = load p[u]
// CHECK-NEXT:   store p[0] = load p[i]
// CHECK-NEXT:   store p[(<long>i + -2L)] = load p[(-1)]
// CHECK:      kernel row(global const float *in, global float *out, int w)
// CHECK-NEXT:   int y = <int>get_global_id(0)
// CHECK-NEXT:   for (int x = 0; (x < w); x = (x + 1)) {
// CHECK-NEXT:     store out[x] = (load in[(<long>(y * w) + <long>x)] + load in[(<long>(y * w) + <long>(x + 1))])
// CHECK-NEXT:   }
// CHECK:      kernel moved(global float *p, int i)
// CHECK-NEXT:   long q = <long>i
// CHECK-NEXT:   i = (i + 1)
// CHECK-NEXT:   store p[q] = <float>i
// CHECK:      kernel walks(global float *p, global const int *list, int n)
// CHECK-NEXT:   long q = <long>load list[0]
// CHECK-NEXT:   while ((n > 0)) {
// CHECK-NEXT:     n = (n - 1)
// CHECK-NEXT:     store p[q] = <float>n
// CHECK-NEXT:     q = (q + 1L)
// CHECK-NEXT:     q = (q + 2L)
// CHECK-NEXT:   }
// CHECK-NEXT:   store p[0] = <float>(q - 0L)
// CHECK-NEXT:   if ((q > 8L)) {
// CHECK-NEXT:     store p[(q + <long>(-1))] = <float>0
// CHECK-NEXT:   }
// CHECK:      kernel parameter(global int *p, int n)
// CHECK-NEXT:   long p_at = 0L
// CHECK-NEXT:   p_at = (p_at + <long>get_global_id(0))
// CHECK-NEXT:   store p[p_at] = n
// CHECK:      kernel wider(global uchar *b, global float *f)
// CHECK-NEXT:   int i = <int>get_global_id(0)
// CHECK-NEXT:   uchar4 v = load b[i *4]:uchar4!
// CHECK-NEXT:   store b[i][3 *4]:int! = <int>(v).s0
// CHECK-NEXT:   store f[i]:uint! = 1065353216u{0x3f800000u}
// CHECK-NEXT:   store f[1]:uchar! = <uchar>1
// CHECK:      kernel tiles(global float *out)
// CHECK-NEXT:   local float t[8][9]
// CHECK-NEXT:   int l = <int>get_local_id(0)
// CHECK-NEXT:   store t[l][2] = load t[1][l]
// CHECK-NEXT:   store t[0][0] = <float>3
// CHECK-NEXT:   store out[l] = load t[0][l]
// CHECK:      kernel turns(global int *a, global int *b, int n)
// CHECK:        store b[(b_at + <long>k)] = load a[(a_at + <long>(k + 1))]
// CHECK:        opaque{pointer that changes its buffer}
// CHECK-NEXT:     opaque{pointer that changes its buffer}
// CHECK-NOT:    opaque
// CHECK:        ! opaque: pointer that changes its buffer
// CHECK:      kernel either(global int *a, global int *b, int n)
// CHECK-NEXT:   store a[(n ? 1L : <long>n)] = 1
// CHECK-NEXT:   opaque{pointer with two bases}
// CHECK-NEXT:   if (n) {
// CHECK-NEXT:     opaque{pointer with two bases}
// CHECK-NEXT:   }
// CHECK-NEXT:   opaque{pointer with two bases}
// CHECK-NEXT:   ! opaque: pointer with two bases
// CHECK-NEXT:   ! opaque: pointer with two bases
// CHECK-NEXT:   ! opaque: pointer with two bases
