// RUN: not clmali-lint --device=powervr --checks=-*,integer-division,scalar-global-access %s | FileCheck %s
// RUN: not clmali-lint --device=powervr --checks=-*,integer-division,scalar-global-access --format=json --statistics %s | FileCheck --check-prefix=COUNT %s
// COUNT: "suppressed": 9

__kernel void f(__global int *a, __global int *b, int n) {
  int i = get_global_id(0);
  a[2 * i] = i / n;                // NOLINT
  a[2 * i] = i / n;                // NOLINT(clmali-integer-division)
  a[2 * i] = i / n;                // NOLINT(clmali-*)
  a[2 * i] = i / n;                // NOLINT(some-other, integer-division)
  // NOLINTNEXTLINE(clmali-integer-division): once is enough
  a[2 * i] = i / n;
  // NOLINTNEXTLINE
  a[2 * i] = i / n;
  // NOLINTBEGIN(clmali-integer-division)
  a[2 * i] = i / n;
  a[2 * i] = i / n;
  // NOLINTEND(clmali-integer-division)
  // NOLINTBEGIN
  b[2 * i] = i / n;
  // NOLINTEND

  a[2 * i] = i / n; // NOLINT(clmali-scalar-global-access)
  // CHECK: nolint.cl:[[#@LINE-1]]:14: warning: {{.*}}[clmali-integer-division]
  a[2 * i] = i / n; // NOLINTER
  // CHECK: nolint.cl:[[#@LINE-1]]:14: warning:
  // NOLINTNEXTLINE
  // (a comment in between)
  a[2 * i] = i / n;
  // CHECK: nolint.cl:[[#@LINE-1]]:14: warning:
  // NOLINTBEGIN(clmali-integer-division)
  a[2 * i] = i / n;
  // CHECK: nolint.cl:[[#@LINE-1]]:14: warning:
}
