// Swizzles, components, vector built-ins.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

kernel void parts(global float4 *p, global float *f, int i) {
  float4 v = p[i];
  v.xy = v.wz;
  v.hi.y = v.even.x * 2.0f;
  p[i].zx = v.s01;
  f[i] = p[i].w + v[2];
  v = (float4)(v.lo, 1, f[0]);
  v = (float4)(i);
  v = i > 0 ? v : -v;
  v = v > 1.0f ? v : (float4)(0);
  p[0] = fmax(v, 0.5f) + mad(v, v, v);
}

kernel void moves(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  uchar16 a = vload16(i, in);
  short8 s = convert_short8(a.lo) * (short)2;
  uchar8 r = convert_uchar8_sat(s - (short)3);
  vstore8(r, 0, out + 8 * i);
  vstore3(r.s123, i, out);
  uint4 q = as_uint4(a);
  int4 m = convert_int4_rte(convert_float4(q)) == 2;
  out[i] = any(m) + convert_uchar(q.x);
}

// CHECK:      kernel parts(global float4 *p, global float *f, int i)
// CHECK-NEXT:   float4 v = load p[i]
// CHECK-NEXT:   v.s01 = (v).s32
// CHECK-NEXT:   v.s3 = ((v).s0 * 2.0f)
// CHECK-NEXT:   float2 value = (v).s01
// CHECK-NEXT:   store p[i]+8.z:float = (value).s0
// CHECK-NEXT:   store p[i].x:float = (value).s1
// CHECK-NEXT:   store f[i] = ((load p[i]).s3 + (v).s2)
// CHECK-NEXT:   v = (float4)((v).s01, <float>1, load f[0])
// CHECK-NEXT:   v = (float4)<float>i
// CHECK-NEXT:   v = ((i > 0) ? v : (-v))
// CHECK-NEXT:   v = ((v > <float4>1.0f) ? v : (float4)<float>0)
// CHECK-NEXT:   store p[0] = (fmax(v, 0.5f) + mad(v, v, v))
// CHECK:      kernel moves(global const uchar *in, global uchar *out)
// CHECK-NEXT:   int i = <int>get_global_id(0)
// CHECK-NEXT:   uchar16 a = load vin[(<ulong>i * 16UL)]:uchar16
// CHECK-NEXT:   short8 s = ((short8)(a).s01234567 * <short8>(short)2)
// CHECK-NEXT:   uchar8 r = convert_uchar8_sat((s - <short8>(short)3))
// CHECK-NEXT:   store vout[(8 * i)]:uchar8 = r
// CHECK-NEXT:   store vout[(<ulong>i * 3UL)]:uchar3 = (r).s123
// CHECK-NEXT:   uint4 q = as_uint4(a)
// CHECK-NEXT:   int4 m = (convert_int4_rte((float4)q) == <int4>2)
// CHECK-NEXT:   store out[i] = <uchar>(any(m) + <int>(uchar)(q).s0)

// A component of a vector in memory is an element, whichever it is; that of a variable is not known.
kernel void chosen(global uint4 *a, global uint *o, uint i) {
  local ushort2 part[8][4];
  uint4 v = a[1];
  part[i][1][i & 1]++;
  a[i][(uchar)i] = v[2];
  o[0] = v[i];
}

// CHECK:      kernel chosen(global uint4 *a, global uint *o, uint i)
// CHECK-NEXT:   local ushort2 part[8][4]
// CHECK-NEXT:   uint4 v = load a[1]
// CHECK-NEXT:   store part[i][1][(i & <uint>1) *2]:ushort! = <ushort>(<int>load part[i][1][(i & <uint>1) *2]:ushort! + 1)
// CHECK-NEXT:   store a[i][(uchar)i *4]:uint! = (v).s2
// CHECK-NEXT:   store o[0] = opaque{vector component chosen at run time}
// CHECK-NEXT:   ! opaque: vector component chosen at run time
