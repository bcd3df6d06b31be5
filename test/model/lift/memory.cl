// Structs, unions, arrays, constants.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

typedef struct {
  float4 pos;
  int id;
  short part[3];
} Item;
typedef union {
  float f;
  uchar b[4];
} Bits;
constant int table[2][2] = {{1, 2}, {3}};
constant float scale = 0.25f;

kernel void items(global Item *it, Item one) {
  int i = get_global_id(0);
  it[i].pos.y = it[i].id + one.pos.x;
  it[i].part[i & 1] = one.part[2];
  Item t = it[i];
  t.id = 3;
  it[i + 1] = t;
  global Item *p = &it[2];
  p->pos = p[1].pos * scale;
}

kernel void arrays(global int *a) {
  const int taps[3] = {1, -2, 1};
  int z[4] = {a[0], 7};
  int big[50] = {1};
  for (int i = 0; i < 3; ++i)
    a[i] = taps[i] + z[i] + table[i][1] + big[i];
}

kernel void bits(global float *f) {
  Bits u;
  u.f = f[0];
  u.b[3] ^= 0x80;
  f[1] = u.f;
  int x = 5;
  uchar *c = (uchar *)&x;
  c[1] = 2;
  f[2] = x;
}

kernel void locals(global int *a, local int *scratch) {
  local int count;
  int l = get_local_id(0);
  if (l == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&count);
  int old = atomic_cmpxchg(&a[l], 1, 2);
  scratch[l] = old;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  volatile local int *v = scratch;
  v[l] += v[l + 1];
  event_t e = async_work_group_copy(scratch, a + 4, 64, 0);
  wait_group_events(1, &e);
  event_t both[2];
  both[0] = async_work_group_strided_copy(scratch, a, 16, 3, 0);
  both[1] = async_work_group_strided_copy(a, scratch, 16, 3, 0);
  wait_group_events(2, both);
  mem_fence(CLK_LOCAL_MEM_FENCE);
  printf("%d\n", count);
}

// CHECK:      kernel items(global Item *it, Item one)
// CHECK-NEXT:   int i = <int>get_global_id(0)
// CHECK-NEXT:   store it[i]+4.pos.y:float = (<float>load it[i]+16.id:int + (load one.pos:float4).s0)
// CHECK-NEXT:   store it[i][(i & 1) *2]+20.part[]:short = load one[2 *2]+20.part[]:short
// CHECK-NEXT:   private Item t
// CHECK-NEXT:   store t.pos:float4 = load it[i].pos:float4
// CHECK-NEXT:   store t+16.id:int = load it[i]+16.id:int
// CHECK-NEXT:   store t[0 *2]+20.part[]:short = load it[i][0 *2]+20.part[]:short
// CHECK-NEXT:   store t[1 *2]+20.part[]:short = load it[i][1 *2]+20.part[]:short
// CHECK-NEXT:   store t[2 *2]+20.part[]:short = load it[i][2 *2]+20.part[]:short
// CHECK-NEXT:   store t+16.id:int = 3
// CHECK-NEXT:   store it[(i + 1)].pos:float4 = load t.pos:float4
// CHECK-NEXT:   store it[(i + 1)]+16.id:int = load t+16.id:int
// CHECK-NEXT:   store it[(i + 1)][0 *2]+20.part[]:short = load t[0 *2]+20.part[]:short
// CHECK-NEXT:   store it[(i + 1)][1 *2]+20.part[]:short = load t[1 *2]+20.part[]:short
// CHECK-NEXT:   store it[(i + 1)][2 *2]+20.part[]:short = load t[2 *2]+20.part[]:short
// CHECK-NEXT:   store it[2].pos:float4 = (load it[(2L + 1L)].pos:float4 * <float4>scale)
// CHECK:      kernel arrays(global int *a)
// CHECK-NEXT:   private int taps[3] = {1, -2, 1}
// CHECK-NEXT:   private int z[4]
// CHECK-NEXT:   store z[0] = load a[0]
// CHECK-NEXT:   store z[1] = 7
// CHECK-NEXT:   store z[2] = 0
// CHECK-NEXT:   store z[3] = 0
// CHECK-NEXT:   private int big[50]
// CHECK-NEXT:   for (int i = 0; (i < 50); i = (i + 1)) {
// CHECK-NEXT:     store big[i] = 0
// CHECK-NEXT:   }
// CHECK-NEXT:   store big[0] = 1
// CHECK-NEXT:   for (int i_1 = 0; (i_1 < 3); i_1 = (i_1 + 1)) {
// CHECK-NEXT:     store a[i_1] = (((load taps[i_1] + load z[i_1]) + load table[i_1][1]) + load big[i_1])
// CHECK-NEXT:   }
// CHECK:      kernel bits(global float *f)
// CHECK-NEXT:   private union Bits u
// CHECK-NEXT:   store u.f:float = load f[0]
// CHECK-NEXT:   store u[3 *1].b[]:uchar = <uchar>(<int>load u[3 *1].b[]:uchar ^ 128{0x80})
// CHECK-NEXT:   store f[1] = load u.f:float
// CHECK-NEXT:   private int x
// CHECK-NEXT:   store x = 5
// CHECK-NEXT:   store x[1 *1]:uchar! = <uchar>2
// CHECK-NEXT:   store f[2] = <float>load x
// CHECK:      kernel locals(global int *a, local int *scratch)
// CHECK-NEXT:   local int count
// CHECK-NEXT:   int l = <int>get_local_id(0)
// CHECK-NEXT:   if ((l == 0)) {
// CHECK-NEXT:     store count = 0
// CHECK-NEXT:   }
// CHECK-NEXT:   barrier(local)
// CHECK-NEXT:   atomic_inc(&count)
// CHECK-NEXT:   int old
// CHECK-NEXT:   old = atomic_cmpxchg(&a[l], 1, 2)
// CHECK-NEXT:   int old_1 = old
// CHECK-NEXT:   store scratch[l] = old_1
// CHECK-NEXT:   barrier(local|global)
// CHECK-NEXT:   store scratch[l] volatile = (load scratch[l] volatile + load scratch[(l + 1)] volatile)
// CHECK-NEXT:   event_t e
// CHECK-NEXT:   e = async_work_group_copy(scratch[0] <- a[4], <ulong>64)
// CHECK-NEXT:   wait_group_events(1)
// CHECK-NEXT:   event_t both
// CHECK-NEXT:   both = async_work_group_strided_copy(scratch[0] <- a[0], <ulong>16, <ulong>3)
// CHECK-NEXT:   both = async_work_group_strided_copy(a[0] <- scratch[0], <ulong>16, <ulong>3)
// CHECK-NEXT:   wait_group_events(1)
// CHECK-NEXT:   mem_fence(<uint>1{CLK_LOCAL_MEM_FENCE})
// CHECK-NEXT:   printf(load count)
