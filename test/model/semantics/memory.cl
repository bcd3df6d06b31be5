// Pointers, structs, unions, arrays, local memory, bytes.
// Each work-item owns elements 4i to 4i+3 of each buffer.
// RUN: clmali-print-back %s %t.cl
// RUN: clmali-run-both %s %t.cl

void bump(__global int *p, int *r) {
  *p += 1;
  *r = *r * 2 + *p;
  p++;
  p[0] -= 3;
}
typedef struct {
  int k;
  uint v;
} P2;
typedef struct {
  int x;
  float y;
  short s[3];
} S;
S make(int v, float w) {
  S s;
  s.x = v;
  s.y = w;
  s.s[0] = v;
  s.s[1] = v + 1;
  s.s[2] = 7;
  return s;
}
float total(S s) { return s.x + s.y + s.s[1]; }
__constant int tab[4] = {3, -1, 4, 1};
typedef union {
  uint u;
  float f;
  uchar c[4];
} U;
typedef struct {
  float4 pos;
  int2 ij;
  union {
    int k;
    float w;
  };
} P;
void swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}
__global int *row(__global int *p, int r) { return p + r * 4; }
float sum3(const float *v, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += v[i];
  return s;
}
void fill(int *v, int n, int x) {
  while (n--)
    *v++ = x++;
}
int count(__local int *l, int n) {
  int c = 0;
  for (int i = 0; i < n; i++) {
    if (l[i] < 0)
      continue;
    if (l[i] > 15)
      break;
    c++;
  }
  return c;
}
inline float mulf(float a, float b) { return a * b; }
void out2(float v, float *s, float *c) {
  *s = v + 1;
  *c = *s * 2;
}
typedef struct {
  int k;
  float tab[40];
  short z;
} Big;
int third(const __global void *p, int i) {
  const __global int *q = (const __global int *)p;
  return q[i];
}

kernel void pointers(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __global int *p = a + 4 * i;
  int r = 3;
  bump(p, &r);
  *p++ = r;
  *p = *p + 1;
  p += 1;
  p[1] = p[-1] + *(p - 2);
  __global int *q = &p[-2];
  a[4 * i + 2] = (int)(p - q);
  while (q < p)
    *q++ ^= 5;
}

kernel void structs(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  S s = make(a[4 * i], f[4 * i]);
  S t = s;
  t.y *= 2;
  S u = {3, 4.5f};
  u.s[1] = t.s[2];
  f[4 * i] = total(t) + total(u);
  a[4 * i] = s.s[i % 3] + (i & 1 ? s : t).x + sizeof(S);
  f[4 * i + 1] = make(i, 2).y;
}

kernel void arrays(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  int arr[3][4];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      arr[r][c] = a[4 * i + c] * (r + 1);
  int *row = arr[1];
  int *flat = &arr[0][0];
  row[2] = 5;
  flat[11] += 2;
  const float co[4] = {0.5f, 1.5f, -2, 3};
  int z[5] = {1, 2};
  for (int c = 0; c < 4; ++c) {
    a[4 * i + c] = arr[c % 3][c] + flat[c * 2 + 1] + z[c];
    f[4 * i + c] *= co[3 - c];
  }
  __global uchar *bytes = (__global uchar *)(b + 4 * i);
  bytes[3] ^= bytes[1];
  *(__global ushort *)(bytes + 4) = 77;
  int val = a[4 * i];
  uchar *vb = (uchar *)&val;
  vb[1] = 9;
  a[4 * i] = val;
  b[4 * i + 3] = *(__global uint *)&f[4 * i];
}

kernel void locals(__global int *a, __global uint *b, __global float *f, int n) {
  __local int tile[8];
  __local int c2[2][4];
  __local int cnt;
  int l = get_local_id(0);
  int i = get_global_id(0);
  if (l == 0)
    cnt = 0;
  tile[l] = a[i];
  c2[l / 4][l % 4] = a[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&cnt, tile[7 - l]);
  __local int *q = tile;
  int c = count(q + (l & 3), 4);
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = c + cnt + c2[1 - l / 4][l % 4];
  int old = atomic_max(b + 200 + i, 7u) + 3;
  b[i] += old;
}

kernel void places(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __global int *r = row(a, i);
  int x = r[0], y = r[1];
  swap(&x, &y);
  r[0] = x;
  r[1] = y * 2;
  int arr[5];
  fill(arr, 5, r[2]);
  swap(arr + 1, &arr[3]);
  r[2] = arr[1] * 10 + arr[3];
  __global int *m = i & 1 ? a + 4 * i : a + 4 * i + 1;
  *m += 100;
  r[3] = m - a;
  float v[3] = {f[4 * i], f[4 * i + 1], f[4 * i + 2]};
  f[4 * i] = sum3(v, 3) + sum3(v + 1, 2);
}

kernel void parameters(__global int *a, __global uint *b, __global float *f, int n) {
  a += 4 * get_global_id(0);
  n -= 90;
  *a = n;
  a++;
  for (int k = 0; k < n && k < 3; ++k, ++a)
    *a += k;
  f += get_global_id(0) * 4;
  float s, c;
  out2(*f, &s, &c);
  f[0] = s;
  f[1] = c;
  float z = mulf(f[2], f[3]) + f[1];
  f[2] = z;
  f[3] = mulf(f[2], 3.0f) * mulf(s, s) + c;
}

kernel void unions(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  U u;
  u.f = f[4 * i];
  b[4 * i] = u.u;
  u.c[3] ^= 0x80;
  f[4 * i + 1] = u.f;
  U w = u;
  w.u += 1;
  b[4 * i + 1] = w.u;
  P p;
  p.pos = vload4(i, f);
  p.ij = (int2)(i, 2);
  p.k = 7;
  P p2 = p;
  p2.pos.y += p.ij.x;
  p2.k++;
  f[4 * i + 2] = p2.pos.y + p2.pos.w;
  a[4 * i] = p2.k + p2.ij.s1;
  __private P *pp = &p2;
  pp->ij.y = 9;
  a[4 * i + 1] = p2.ij.y;
}

kernel void bytes(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __global char *cp = (__global char *)(a + 4 * i) + 1;
  cp[0] = 5;
  cp[1] += cp[0];
  __global short *sp = (__global short *)a;
  sp[8 * i + 3] = cp[0];
  sp += 8 * i + 4;
  *sp++ = 7;
  *sp = sp[-1] * 2;
  uint v = *(__global uint *)(f + 4 * i);
  b[4 * i] = v >> 23;
  __global uchar *ub = (__global uchar *)b;
  for (int k = 4; k < 8; k++)
    ub[16 * i + k] = k;
  vstore4((uchar4)(1, 2, 3, ub[16 * i + 1]), 2, ub + 16 * i);
  b[4 * i + 3] = vload4(3, ub + 16 * i).y;
  *(__global uchar4 *)&f[4 * i + 3] = (uchar4)(0, 0, 0x80, 0x3f);
  int x = a[4 * i];
  uchar4 x4 = *(uchar4 *)&x;
  a[4 * i + 3] = x4.x + x4.y;
}

kernel void tables(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  const int off[2][3] = {{1, -1, 2}, {0, 3}};
  int acc[2][2] = {{0}};
  float4 vs[2];
  vs[0] = (float4)(1.0f);
  vs[1] = vload4(i, f);
  vs[1].yz = vs[0].xw + vs[1].zy;
  for (int k = 0; k < 6; ++k)
    acc[k & 1][k / 3] += off[k % 2][k % 3] * a[4 * i + (k & 3)];
  a[4 * i] = acc[0][0];
  a[4 * i + 1] = acc[0][1];
  a[4 * i + 2] = acc[1][0];
  a[4 * i + 3] = acc[1][1];
  f[4 * i] = vs[i & 1].y;
  int big[40] = {1, 2, 3};
  big[i % 40] += 5;
  int s = 0;
  for (int k = 0; k < 40; k++)
    s += big[k];
  b[4 * i] = s;
  P ps[2];
  ps[0].ij = (int2)(3, 4);
  ps[1] = ps[0];
  ps[1].ij.x += i;
  b[4 * i + 1] = ps[1].ij.x * ps[0].ij.y;
  int ids[4];
  int cnt = 0;
  ids[cnt++] = 4;
  ids[cnt++] = i;
  b[4 * i + 2] = ids[--cnt] + ids[0];
}

kernel void uneven(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __global uchar *p = (__global uchar *)(b + 4 * i);
  __global ushort *s = (__global ushort *)(p + 2);
  s++;
  s = s + 1;
  *s = 7;
  s -= 2;
  s[0] += s[2];
  __global uint *w = b + 4 * i;
  w = (__global uint *)((__global uchar *)w + 8);
  *w = 5;
  w++;
  *w += w[-1];
}

kernel void copies(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  Big x = {0};
  x.tab[3] = f[4 * i];
  x.tab[39] = 2;
  x.z = i;
  Big y = x;
  y.tab[i % 40] += 1;
  f[4 * i] = y.tab[3] + y.tab[39] + y.z + y.tab[i % 40];
  ulong big = 0xffffffffffffffffUL;
  a[4 * i] = (int)(big >> 40) + (int)ULONG_MAX + (int)(LONG_MIN >> 60);
}

kernel void untyped(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __global void *p = a + 4 * i;
  __global int *q = (__global int *)p;
  q[1] = 4;
  *(__global float *)(f + 4 * i) = 2;
  a[4 * i] = third(b, 4 * i + 2);
  __global void *w = (__global void *)b;
  w = (__global uint *)w + 4 * i;
  ((__global uint *)w)[3] = 8;
  void *pp;
  int x[4] = {1, 2, 3, 4};
  pp = x;
  pp = (int *)pp + 1;
  a[4 * i + 3] = *(int *)pp;
  char4 cc = (char4)(1, 2, 3, 4);
  char *cp = (char *)&cc;
  a[4 * i + 2] = cp[i & 3];
  float2 v2 = (float2)(f[4 * i], 1);
  float *vp = (float *)&v2;
  vp[1] += 3;
  f[4 * i + 1] = v2.y + vp[0];
}

kernel void walks(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __global int *p = a + 4 * i;
  if (b[4 * i] > 20)
    p += 2;
  *p = 9;
  __global uint *q;
  if (i & 1)
    q = b + 4 * i;
  else
    q = b + 4 * i + 1;
  *q = 77;
  for (int k = 0; k < 2; k++) {
    __global float *r = f + 4 * i + k;
    *r += 1;
    r = r + 2;
    *r -= 1;
  }
  __global int *e = a + 4 * i + 4;
  int s = 0;
  for (__global int *t = a + 4 * i; t != e; ++t)
    s += *t;
  for (__global int *t = a + 4 * i; t < e; t += 2)
    s ^= *t;
  b[4 * i + 2] = s;
  while (p != a + 4 * i)
    *--p = 3;
  b[4 * i + 3] = (p == a + 4 * i) + (e - p);
}

kernel void tiles(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __local float t[4][2][8];
  int l = get_local_id(0);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 2; x++)
      t[y][x][l] = f[4 * i + y] * (x + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  __local float(*row)[8] = t[l & 3];
  f[4 * i] = row[1][7 - l] + (*row)[l] + t[1][0][l];
  __local float *lin = (__local float *)t;
  f[4 * i + 1] = lin[(l * 5) & 63];
  __local float *m = &t[2][1][0] + l;
  f[4 * i + 2] = *m;
  barrier(CLK_LOCAL_MEM_FENCE);
  __local float4 *v4 = (__local float4 *)t;
  f[4 * i + 3] = v4[l].y + dot(v4[0], v4[1]);
}

// The first component that is stored changes where the address would be.
kernel void addresses(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  __global int2 *p = (__global int2 *)(a + 4 * i);
  p[0] = (int2)(1, 5);
  p[p[0].x].yx = (int2)(7, 0);
  p[p[1].x].xy = (int2)(1, 9);
  __global P2 *s = (__global P2 *)(b + 4 * i);
  s[0].k = 0;
  s[0].v = 3;
  P2 t = {1, 8};
  s[s[0].k] = t;
  s[s[0].k] = s[0];
}

// Texts, whose array is as long as they are, longer, or shorter.
kernel void texts(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  char digits[] = "01\x80z", longer[6] = "ab";
  const uchar shorter[2] = "yz";
  a[4 * i] = digits[(n + i) & 3];
  a[4 * i + 1] = digits[4] + longer[1] + longer[5];
  b[4 * i] = shorter[i & 1];
}

// Pointers kept in objects: set once, copied with the object, moved by steps and in loops, given to functions and by them.
typedef struct {
  __global int *at;
  __global const float *from;
  int n;
} View;
typedef struct {
  View v;
  __global uint *count;
} Views;
View view(__global int *a, __global float *f, int n) {
  View v;
  v.at = a + n;
  v.from = f;
  v.n = n;
  return v;
}
int next(View *v) { return *v->at++; }
int sum(View v) {
  int s = 0;
  for (int k = 0; k < v.n; ++k)
    s += v.at[k] + (int)v.from[k];
  v.at += 100;
  return s;
}
kernel void fields(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  Views all = {{a, f, 2}, b};
  all.v.at += 4 * i;
  all.v.from = &f[4 * i];
  all.count = b + 4 * i;
  Views other = all;
  other.v.at++;
  other.v.n += 1;
  all.count[0] = sum(other.v);
  all.count[1] = next(&other.v) * 3 + next(&other.v);
  *other.v.at = sum(all.v);
  n &= 3;
  View w = view(a + 4 * i, f + 4 * i, n);
  n = 2;
  w.at[0] = w.n + n;
  View *p = &w;
  p->at = a;
  if (i & 1)
    p->at += 4 * i;
  else
    p->at = a + 4 * i;
  for (int k = 0; k < 3; ++k)
    all.count[2] += *p->at++;
  all.count[3] = p->at - (a + 4 * i);
}
