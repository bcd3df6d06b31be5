// Returns and switches become if and else.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

kernel void guards(global int *a, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  a[i] = 1;
  if (i == 0) {
    a[i] = 2;
    return;
  }
  a[i] = 3;
}

// One path falls through: the rest goes there. Two paths: a flag.
kernel void paths(global int *a, int n) {
  if (n > 0) {
    if (n > 5)
      return;
    a[0] = 1;
  } else {
    a[0] = 2;
  }
  a[1] = 3;
}

kernel void in_a_loop(global int *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] == 7)
      return;
    if (a[i] == 8)
      break;
    if (a[i] == 9)
      continue;
    a[i] = 0;
  }
  a[n] = 1;
}

kernel void cases(global int *a, int n) {
  switch (n) {
  case 0:
  case 1:
    a[0] = 1;
    break;
  case 2:
    if (a[1])
      break;
    a[2] = 1;
    break;
  default:
    a[3] = 1;
  }
  switch (n & 3) {
  case 0:
    a[0] = 2;
  case 1:
    a[0] = 3;
  }
}

kernel void declares(global int *a, int n) {
  switch (n) {
  case 0:;
    int v = 1;
    a[0] = v;
  case 1:
    v = 2;
    a[1] = v;
  }
}

#define ONCE(x) do { if (a[x]) break; a[x] = 5; } while (0)
kernel void once(global int *a) {
  ONCE(1);
  if (0)
    a[9] = 9;
  while (1) {
    if (a[2]++ > 4)
      break;
  }
}

kernel void unrolled(global int *a) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    a[i] = i;
  __attribute__((opencl_unroll_hint(2))) for (int i = 0; i < 4; ++i) a[i] = i;
}

// CHECK:      kernel guards(global int *a, int n)
// CHECK-NEXT:   int i = <int>get_global_id(0)
// CHECK-NEXT:   if ((i >= n)) { // early return
// CHECK-NEXT:   } else {
// CHECK-NEXT:     store a[i] = 1
// CHECK-NEXT:     if ((i == 0)) { // early return
// CHECK-NEXT:       store a[i] = 2
// CHECK-NEXT:     } else {
// CHECK-NEXT:       store a[i] = 3
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK:      kernel paths(global int *a, int n)
// CHECK-NEXT:   int returned = 0
// CHECK-NEXT:   if ((n > 0)) {
// CHECK-NEXT:     if ((n > 5)) { // early return
// CHECK-NEXT:       returned = 1
// CHECK-NEXT:     } else {
// CHECK-NEXT:       store a[0] = 1
// CHECK-NEXT:     }
// CHECK-NEXT:   } else {
// CHECK-NEXT:     store a[0] = 2
// CHECK-NEXT:   }
// CHECK-NEXT:   if ((returned == 0)) {
// CHECK-NEXT:     store a[1] = 3
// CHECK-NEXT:   }
// CHECK:      kernel in_a_loop(global int *a, int n)
// CHECK-NEXT:   for (int i = 0; (i < n); i = (i + 1)) {
// CHECK-NEXT:     if ((load a[i] == 7)) {
// CHECK-NEXT:       return
// CHECK-NEXT:     }
// CHECK-NEXT:     if ((load a[i] == 8)) {
// CHECK-NEXT:       break
// CHECK-NEXT:     }
// CHECK-NEXT:     if ((load a[i] == 9)) {
// CHECK-NEXT:       continue
// CHECK-NEXT:     }
// CHECK-NEXT:     store a[i] = 0
// CHECK-NEXT:   }
// CHECK-NEXT:   store a[n] = 1
// CHECK:      kernel cases(global int *a, int n)
// CHECK-NEXT:   int choice = n
// CHECK-NEXT:   if (((choice == 0) || (choice == 1))) {
// CHECK-NEXT:     store a[0] = 1
// CHECK-NEXT:   } else {
// CHECK-NEXT:     if ((choice == 2)) {
// CHECK-NEXT:       if (load a[1]) {
// CHECK-NEXT:       } else {
// CHECK-NEXT:         store a[2] = 1
// CHECK-NEXT:       }
// CHECK-NEXT:     } else {
// CHECK-NEXT:       store a[3] = 1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   int choice_1 = (n & 3)
// CHECK-NEXT:   if (((choice_1 == 0) || (choice_1 == 1))) {
// CHECK-NEXT:     if ((choice_1 == 0)) {
// CHECK-NEXT:       store a[0] = 2
// CHECK-NEXT:     }
// CHECK-NEXT:     store a[0] = 3
// CHECK-NEXT:   }
// CHECK:      kernel declares(global int *a, int n)
// CHECK:        opaque{switch that falls through a declaration}
// CHECK:      kernel once(global int *a)
// CHECK-NEXT:   if (load a[1]) {
// CHECK-NEXT:   } else {
// CHECK-NEXT:     store a[1] = 5
// CHECK-NEXT:   }
// CHECK-NEXT:   while () {
// CHECK-NEXT:     int value = load a[2]
// CHECK-NEXT:     store a[2] = (value + 1)
// CHECK-NEXT:     if ((value > 4)) {
// CHECK-NEXT:       break
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK:      kernel unrolled(global int *a)
// CHECK-NEXT:   for (int i = 0; (i < 4); i = (i + 1)) { // unroll
// CHECK-NEXT:     store a[i] = i
// CHECK-NEXT:   }
// CHECK-NEXT:   for (int i_1 = 0; (i_1 < 4); i_1 = (i_1 + 1)) { // unroll
// CHECK-NEXT:     store a[i_1] = i_1
// CHECK-NEXT:   }
