// A test at the start of a loop's body goes to the header.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

// The counter is not read behind the loop: the test is made before the decrement.
kernel void counts_down(global int *a, int n) {
  int left = n;
  while (left--)
    a[left] = 1;
}

// The test reads what the increment has made.
kernel void counts_up(global int *a, int n) {
  int i = -1;
  while (++i < n)
    a[i] = 1;
}

kernel void by_break(global int *a, int n) {
  int i = 0;
  for (;; i++) {
    if (i >= n)
      break;
    a[i] = 1;
  }
}

// n is one less behind the loop than its test has seen.
kernel void read_behind(global int *a, int n) {
  while (n-- > 0)
    a[4] = n;
  a[5] = n;
}

// The value that the outer loop's next iteration reads.
kernel void read_again(global int *a, int n, int m) {
  int k = n;
  for (int i = 0; i < m; i++)
    while (k-- > 0)
      a[i] += k;
}

kernel void set_again(global int *a, int n, int m) {
  for (int i = 0; i < m; i++) {
    int k = n;
    while (k-- > 0) {
      if (a[k] == 3)
        continue;
      a[i] += k;
    }
  }
}

// What the test reads may change with each store: it stays where it is.
kernel void loads(global int *a, int n) {
  for (;;) {
    int x = a[n];
    if (x == 0)
      break;
    a[n] = x - 1;
  }
}

// CHECK:      kernel counts_down(global int *a, int n)
// CHECK-NEXT:   int left = n
// CHECK-NEXT:   while (left) {
// CHECK-NEXT:     left = (left - 1)
// CHECK-NEXT:     store a[left] = 1
// CHECK-NEXT:   }
// CHECK:      kernel counts_up(global int *a, int n)
// CHECK-NEXT:   int i = (-1)
// CHECK-NEXT:   i = (i + 1)
// CHECK-NEXT:   for (; (i < n); i = (i + 1)) {
// CHECK-NEXT:     store a[i] = 1
// CHECK-NEXT:   }
// CHECK:      kernel by_break(global int *a, int n)
// CHECK-NEXT:   int i = 0
// CHECK-NEXT:   for (; (i < n); i = (i + 1)) {
// CHECK-NEXT:     store a[i] = 1
// CHECK-NEXT:   }
// CHECK:      kernel read_behind(global int *a, int n)
// CHECK-NEXT:   while () {
// CHECK-NEXT:     int n_was = n
// CHECK-NEXT:     n = (n - 1)
// CHECK-NEXT:     if ((!(n_was > 0))) {
// CHECK-NEXT:       break
// CHECK-NEXT:     }
// CHECK-NEXT:     store a[4] = n
// CHECK-NEXT:   }
// CHECK-NEXT:   store a[5] = n
// CHECK:      kernel read_again(global int *a, int n, int m)
// CHECK-NEXT:   int k = n
// CHECK-NEXT:   for (int i = 0; (i < m); i = (i + 1)) {
// CHECK-NEXT:     while () {
// CHECK-NEXT:       int k_was = k
// CHECK-NEXT:       k = (k - 1)
// CHECK-NEXT:       if ((!(k_was > 0))) {
// CHECK-NEXT:         break
// CHECK-NEXT:       }
// CHECK-NEXT:       store a[i] = (load a[i] + k)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK:      kernel set_again(global int *a, int n, int m)
// CHECK-NEXT:   for (int i = 0; (i < m); i = (i + 1)) {
// CHECK-NEXT:     int k = n
// CHECK-NEXT:     while ((k > 0)) {
// CHECK-NEXT:       k = (k - 1)
// CHECK-NEXT:       if ((load a[k] == 3)) {
// CHECK-NEXT:         continue
// CHECK-NEXT:       }
// CHECK-NEXT:       store a[i] = (load a[i] + k)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK:      kernel loads(global int *a, int n)
// CHECK-NEXT:   for (; ; ) {
// CHECK-NEXT:     int x = load a[n]
// CHECK-NEXT:     if ((x == 0)) {
// CHECK-NEXT:       break
// CHECK-NEXT:     }
// CHECK-NEXT:     store a[n] = (x - 1)
// CHECK-NEXT:   }
