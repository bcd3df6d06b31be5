// Side effects become statements of their own, in C's order.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

int next(global int *p) { return ++*p; }

kernel void increments(global int *a, int i, int j) {
  a[i++] = a[--j];
  int x = j++ * 2;
  a[i]++;
  x += a[j]--;
}

// The right side happens only if the left one does not decide.
kernel void conditions(global int *a, int n) {
  if (n > 3 && next(a) < 5)
    a[1] = 1;
  a[2] = n ? next(a) : 7;
  a[3] = n > 1 && a[n] > 2;
  while (n-- > 0)
    a[4] = n;
  do {
    if (a[5])
      continue;
    a[5] = n;
  } while (n < 3);
  for (int i = 0, k = n; i < k; i++, k -= 2)
    a[i] = k;
}

// What was read before keeps its value; a product stays beside its sum.
kernel void order(global float *f, global int *a, float x) {
  f[0] = x * f[1] + next(a);
  a[2] = a[0] + next(a);
}

kernel void chain(global int *a, int x, int y) {
  x = y = 3;
  a[0] = a[1] = x;
  x = (y++, y + 1);
}

kernel void meaningless(global int *a, int i) {
  a[i] = i++;
}

// CHECK:      kernel increments(global int *a, int i, int j)
// CHECK-NEXT:   j = (j - 1)
// CHECK-NEXT:   store a[i] = load a[j]
// CHECK-NEXT:   i = (i + 1)
// CHECK-NEXT:   int x = (j * 2)
// CHECK-NEXT:   j = (j + 1)
// CHECK-NEXT:   store a[i] = (load a[i] + 1)
// CHECK-NEXT:   int value = load a[j]
// CHECK-NEXT:   store a[j] = (value - 1)
// CHECK-NEXT:   x = (x + value)
// CHECK:      kernel conditions(global int *a, int n)
// CHECK-NEXT:   int cond = (n > 3)
// CHECK-NEXT:   if (cond) {
// CHECK-NEXT:     int value = (load a[0] + 1)
// CHECK-NEXT:     store a[0] = value
// CHECK-NEXT:     int next_result = value
// CHECK-NEXT:     cond = (next_result < 5)
// CHECK-NEXT:   }
// CHECK-NEXT:   if (cond) {
// CHECK-NEXT:     store a[1] = 1
// CHECK-NEXT:   }
// CHECK-NEXT:   int chosen
// CHECK-NEXT:   if (n) {
// CHECK-NEXT:     int value_1 = (load a[0] + 1)
// CHECK-NEXT:     store a[0] = value_1
// CHECK-NEXT:     int next_result_1 = value_1
// CHECK-NEXT:     chosen = next_result_1
// CHECK-NEXT:   } else {
// CHECK-NEXT:     chosen = 7
// CHECK-NEXT:   }
// CHECK-NEXT:   store a[2] = chosen
// CHECK-NEXT:   store a[3] = ((n > 1) && (load a[n] > 2))
// CHECK-NEXT:   while () {
// CHECK-NEXT:     int n_was = n
// CHECK-NEXT:     n = (n - 1)
// CHECK-NEXT:     if ((!(n_was > 0))) {
// CHECK-NEXT:       break
// CHECK-NEXT:     }
// CHECK-NEXT:     store a[4] = n
// CHECK-NEXT:   }
// CHECK-NEXT:   do-while ((n < 3)) {
// CHECK-NEXT:     if (load a[5]) {
// CHECK-NEXT:       continue
// CHECK-NEXT:     }
// CHECK-NEXT:     store a[5] = n
// CHECK-NEXT:   }
// CHECK-NEXT:   for (int i = 0, int k = n; (i < k); i = (i + 1), k = (k - 2)) {
// CHECK-NEXT:     store a[i] = k
// CHECK-NEXT:   }
// CHECK:      kernel order(global float *f, global int *a, float x)
// CHECK-NEXT:   float was = load f[1]
// CHECK-NEXT:   int value = (load a[0] + 1)
// CHECK-NEXT:   store a[0] = value
// CHECK-NEXT:   int next_result = value
// CHECK-NEXT:   store f[0] = ((x * was) + <float>next_result)
// CHECK-NEXT:   int was_1 = load a[0]
// CHECK-NEXT:   int value_1 = (load a[0] + 1)
// CHECK-NEXT:   store a[0] = value_1
// CHECK-NEXT:   int next_result_1 = value_1
// CHECK-NEXT:   store a[2] = (was_1 + next_result_1)
// CHECK:      kernel chain(global int *a, int x, int y)
// CHECK-NEXT:   y = 3
// CHECK-NEXT:   x = y
// CHECK-NEXT:   int value = x
// CHECK-NEXT:   store a[1] = value
// CHECK-NEXT:   store a[0] = value
// CHECK-NEXT:   y = (y + 1)
// CHECK-NEXT:   x = (y + 1)
// CHECK:      kernel meaningless(global int *a, int i)
// CHECK-NEXT:   opaque{unsequenced side effects}
// CHECK-NEXT:   ! opaque: unsequenced side effects
