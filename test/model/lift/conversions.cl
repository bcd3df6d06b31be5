// Every conversion that C makes by itself shows: promotion, wrapping, the usual
// arithmetic conversions, the target of an assignment.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

kernel void narrow(global uchar *a, global short *s, int n, uint u, float f) {
  uchar c = a[0] + a[1];
  c += 3;
  c++;
  s[0] = -s[1];
  s[1] <<= 2;
  u = n < u ? n : u;
  f = n / 2 + f * 2;
  s[2] = f;
  bool b = n;
  a[1] = b + 'A';
  if (f > 0)
    a[2] = ~c;
}

kernel void sizes(global int *a, uint k, long l) {
  size_t g = get_global_id(0);
  int x = get_local_id(1);
  a[g] = a[x] + a[k] + a[l] + a[k - 1];
  a[x * sizeof(int)] = g > 5;
}

// CHECK:      kernel narrow(global uchar *a, global short *s, int n, uint u, float f)
// CHECK-NEXT:   uchar c = <uchar>(<int>load a[0] + <int>load a[1])
// CHECK-NEXT:   c = <uchar>(<int>c + 3)
// CHECK-NEXT:   c = <uchar>(<int>c + 1)
// CHECK-NEXT:   store s[0] = <short>(-<int>load s[1])
// CHECK-NEXT:   store s[1] = <short>(<int>load s[1] << 2)
// CHECK-NEXT:   u = ((<uint>n < u) ? <uint>n : u)
// CHECK-NEXT:   f = (<float>(n / 2) + (f * <float>2))
// CHECK-NEXT:   store s[2] = <short>f
// CHECK-NEXT:   bool b = <bool>n
// CHECK-NEXT:   store a[1] = <uchar>(<int>b + 65{'A'})
// CHECK-NEXT:   if ((f > <float>0)) {
// CHECK-NEXT:     store a[2] = <uchar>(~<int>c)
// CHECK-NEXT:   }
// CHECK:      kernel sizes(global int *a, uint k, long l)
// CHECK-NEXT:   ulong g = get_global_id(0)
// CHECK-NEXT:   int x = <int>get_local_id(1)
// CHECK-NEXT:   store a[g] = (((load a[x] + load a[k]) + load a[l]) + load a[(k - <uint>1)])
// CHECK-NEXT:   store a[(<ulong>x * 4UL)] = (g > <ulong>5)
