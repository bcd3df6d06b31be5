// Conversions, operators, vectors, contraction across statements and calls.
// Each work-item owns elements 4i to 4i+3 of each buffer.
// RUN: clmali-print-back %s %t.cl
// RUN: clmali-run-both %s %t.cl

__constant int tab[4] = {3, -1, 4, 1};
__constant float4 fv = (float4)(1, 2, 3, 4);
__constant int K = 5;
enum { E1 = 4, E2 };
bool odd(int v) { return v & 1; }

kernel void conversions(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  uchar c = b[4 * i];
  c += 250;
  c++;
  short s = a[4 * i] * 1000;
  s <<= 1;
  char d = (char)c;
  d = -d;
  ulong l = a[4 * i];
  l >>= 3;
  a[4 * i] = c + s + d;
  b[4 * i] = (uint)l ^ (uint)(l >> 32);
  a[4 * i + 1] = a[4 * i + 1] / (a[4 * i] | 1) + a[4 * i + 1] % 7;
  b[4 * i + 1] = b[4 * i + 1] - 50 < 10;
  b[4 * i + 2] = (a[4 * i + 2] < b[4 * i + 2]) + (a[4 * i] >> 2) + -7 / 2 + (-7 >> 1);
  f[4 * i] = (int)f[4 * i] + (uchar)(f[4 * i + 1] * f[4 * i + 1]);
  f[4 * i + 1] = (f[4 * i + 2] == 0) + (f[4 * i + 3] != 0 ? 2 : 3);
  bool t = a[4 * i + 3];
  a[4 * i + 3] = t + K + E2 + tab[i & 3] + 'a' + ~i;
}

kernel void vectors(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  float4 v = vload4(i, f);
  v.xw = v.wx * 2.0f;
  v.s2 += v.lo.y;
  v += fv;
  v.hi = (float2)(v.x, 1);
  float4 w = v > 1.5f ? v : -v;
  vstore4(w.zyxw + (float4)(i), i, f);
  int4 q = vload4(0, a + 4 * i);
  q = (q < 3) & convert_int4(w);
  q = (q == 0) ? q : q * 2;
  uchar4 u = convert_uchar4_sat(q);
  a[4 * i] = u.x + as_int((uchar4)(u.wzyx));
  vstore2(convert_int2(v.xy), 0, a + 4 * i + 1);
  ((global int4 *)a)[i].w = 5;
  ((__global uint2 *)b)[2 * i + 1] = as_uint2(v.lo);
}

kernel void contraction(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  double d = f[4 * i] * 1.5;
  d += a[4 * i];
  f[4 * i] = d / 3.0 + 1e-3;
  f[4 * i + 1] = f[4 * i + 1] * f[4 * i + 2] + f[4 * i + 3];
  float t = f[4 * i + 2] * f[4 * i + 3];
  f[4 * i + 2] = t + f[4 * i + 1];
  f[4 * i + 3] = fmax(min(f[4 * i + 3], 1.0f), mad(t, 2.0f, 1.0f)) + native_sqrt(4.0f) +
                 clamp(t, -1.f, 1.f) + fabs(t) + M_PI_F * select(1.0f, 2.0f, i & 1);
}

kernel void wrapping(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  uint k = i;
  k -= 200;
  a[4 * i] = b[k + 200 - i + 4 * i] + (k > 100);
  uchar h = i;
  h += 200;
  a[4 * i + 1] = (h >> 1) + (uchar)(h + 100);
  short sh = (short)(i * 3000);
  a[4 * i + 2] = sh / 3 + sh % 7 + (sh >> 2);
  long L = (long)i << 33;
  a[4 * i + 3] = (int)(L >> 31) ^ (int)L;
  size_t g = get_global_id(0) - 5;
  b[4 * i] = g > 100 ? 1 : 2;
  b[4 * i + 1] = (uint)(g + 5);
  b[4 * i + 2] = mul24(i, 3) + mad24(i, 2, 1) + abs(-i) + popcount(k) + clz(k) + rotate(k, 3u) +
                 mul_hi(k, 77u) + hadd(k, 9u);
  b[4 * i + 3] = add_sat(k, 4000000000u) + upsample((ushort)i, (ushort)3);
}

kernel void lanes(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  float3 v = vload3(i, f + i);
  float3 w = (float3)(v.xy, 2.0f);
  v.xy *= w.zz;
  v.z = dot(v, w);
  vstore3(v + w * 0.5f, i, f + i);
  int2 q = (int2)(a[4 * i], i);
  q.x++;
  q.yx = q.xy;
  q = q << 2;
  q >>= (int2)(1, 3);
  q ^= 5;
  a[4 * i] = q.x;
  a[4 * i + 1] = q.y;
  int4 c = (int4)(q, q.yx);
  c = c > 2 && c != 9;
  a[4 * i + 2] = any(c) + all(c) * 2 + c.w;
  uint4 u = *(__global uint4 *)(b + 4 * i);
  u.odd = u.even + 1u;
  u.s03 = u.s30;
  *(__global uint4 *)(b + 4 * i) = u;
  char4 ch = convert_char4(c);
  short4 ss = convert_short4_sat_rte(vload4(0, f + 4 * i) * 100000.0f);
  a[4 * i + 3] = ss.x + ch.y + as_int(f[4 * i]) % 3;
  float4 sel = select(vload4(i, f), (float4)(1, 2, 3, 4), c);
  f[4 * i + 3] = sel.x + sel.w + (c.x ? 1.0f : 2.0f);
}

kernel void operators(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  uint u = b[4 * i];
  int s = a[4 * i];
  a[4 * i] = -s - -s - (-(-s)) + +s - ~s;
  a[4 * i + 1] = s - (s - (s - 3)) / 2 * 3 % 5 - (s << 1 >> 1);
  a[4 * i + 2] = (s & 3) == 2 | s ^ 4 & 7 | (s < 2 == 1);
  b[4 * i + 1] = -u + (u - 5u) * 3u / 2u >> 1;
  b[4 * i + 2] = s < 0 ? -1 : u > 3;
  long L = u;
  L -= 40;
  b[4 * i + 3] = L < 0;
  a[4 * i + 3] = (int)(-7L / 2) + (uchar)-1 + (char)200 + (int)(u / -3) + !s + !!u;
  f[4 * i] = -f[4 * i] - (f[4 * i + 1] - (f[4 * i + 2] - 1.0f)) * -1.0f;
  f[4 * i + 1] = f[4 * i + 1] / f[4 * i + 2] / 3.0f * (2.0f / 3.0f);
  f[4 * i + 2] += f[4 * i + 3] * f[4 * i] - f[4 * i + 1] * 2;
  f[4 * i + 3] = 1 / 2 + 1.0f / 2 + 7 / 2.0f;
}

kernel void two_results(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  float x = (float)a[4 * i] * 0.001f, c = 0;
  float s = sincos(x, &c);
  f[4 * i] = s + c;
  f[4 * i + 1] = fract(x, &x) + x;
  int e;
  f[4 * i + 2] = frexp(x + 1.5f, &e);
  b[4 * i] = e;
  float4 whole, part = modf((float4)(x, c, s, 2.5f) * 3.0f, &whole);
  f[4 * i + 3] = part.x + whole.y;
  while (remquo(c, 0.25f, &a[4 * i + 1]) > 0)
    c -= 0.3f;
}
