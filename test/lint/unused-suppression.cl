// RUN: not clmali-lint --device=powervr --checks=-*,integer-division,unused-suppression %s | FileCheck --implicit-check-not=unused-suppression] %s
// Whatever device and rules a run is for, a comment is of use or not.
// RUN: clmali-lint --device=mali --checks=-*,unused-suppression %s | FileCheck --check-prefix=USE --implicit-check-not=unused-suppression] %s
// RUN: clmali-lint --checks=-*,integer-division,-unused-suppression %s --fail-on=error | FileCheck --check-prefix=OFF --allow-empty %s
// OFF-NOT: unused-suppression]
// RUN: %{python} %S/Inputs/code.py 1 clmali-lint --fail-on=info --checks=-*,unused-suppression %s
// A name in a list goes by itself, and what is left is still right.
// RUN: cp %s %t.cl
// RUN: clmali-lint --fix --checks=-*,unused-suppression %t.cl
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cl %s

__kernel void f(__global int *a, __global int *b, int n) {
  int i = get_global_id(0);
  a[2 * i] = i / n; // NOLINT(clmali-integer-division)
  a[2 * i] = i / n; // NOLINT
  a[2 * i] = i; // NOLINT
  a[2 * i] = i; // NOLINT(clmali-integer-division)
  // CHECK: [[#@LINE-1]]:{{[0-9]+}}: info: 'clmali-integer-division' silences nothing here; remove it [clmali-unused-suppression]
  // USE: [[#@LINE-2]]:{{[0-9]+}}: info: 'clmali-integer-division' silences nothing here{{.*}}unused-suppression]
  a[2 * i] = i; // NOLINT(bugprone-branch-clone, integer-division)
  // CHECK: [[#@LINE-1]]:50: info: 'integer-division' silences nothing here{{.*}}unused-suppression]
  // USE: [[#@LINE-2]]:50: info: 'integer-division' silences nothing here{{.*}}unused-suppression]
  // FIXED: NO{{LINT}}(bugprone-branch-clone){{$}}
  a[2 * i] = i / n; // NOLINT(clmali-integer-divison, integer-division)
  // CHECK: [[#@LINE-1]]:31: info: 'clmali-integer-divison' is no rule; did you mean 'clmali-integer-division'?{{.*}}unused-suppression]
  // USE: [[#@LINE-2]]:31: info: 'clmali-integer-divison' is no rule{{.*}}unused-suppression]
  // FIXED: a[2 * i] = i / n; // NO{{LINT}}(integer-division){{$}}
  // NOLINTBEGIN(clmali-integer-division)
  // CHECK: [[#@LINE-1]]:18: info: 'clmali-integer-division' silences nothing here{{.*}}unused-suppression]
  // USE: [[#@LINE-2]]:18: info: 'clmali-integer-division' silences nothing here{{.*}}unused-suppression]
  // NOLINTNEXTLINE(clmali-integer-division): of two for one, one is left
  a[2 * i] = i / n;
  // NOLINTEND(clmali-integer-division)
  // NOLINTBEGIN(clmali-*)
  a[2 * i] = i / n;
  // NOLINTEND(clmali-*)
  // NOLINTNEXTLINE(clmali-*): nothing at all
  // CHECK: [[#@LINE-1]]:21: info: 'clmali-*' silences nothing here{{.*}}unused-suppression]
  // USE: [[#@LINE-2]]:21: info: 'clmali-*' silences nothing here{{.*}}unused-suppression]
  int unused = 0;
  a[2 * i] = i; // NOLINT(clmali-write-race, clmali-unused-suppression)
  // NOLINTBEGIN(clmali-integer-division)
  // CHECK: [[#@LINE-1]]:18: info: 'clmali-integer-division' silences nothing: no NOLINTEND with the same list follows{{.*}}unused-suppression]
  // USE: [[#@LINE-2]]:18: info: {{.*}}no NOLINTEND{{.*}}unused-suppression]
  a[2 * i] = i / n;
  // CHECK: [[#@LINE-1]]:14: warning: {{.*}}integer-division]
}
// Nothing is said where something had to be guessed: the finding may come with the real definition.
// RUN: echo '__kernel void g(__global T *a) { a[get_global_id(0)] = 0; } // NO''LINT(clmali-integer-division)' > %t.guessed.cl
// RUN: clmali-lint --checks=-*,unused-suppression %t.guessed.cl | FileCheck --check-prefix=GUESSED --implicit-check-not=unused-suppression] %s
// GUESSED: note: the host defines macros that were not given; taken as T=
