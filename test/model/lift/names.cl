// Macros keep their names, comments stay with their statements, names are unique.
// RUN: clmali-model %s -- -DTAPS=5 -DREAL=float -DSCALE=0.5f | FileCheck %s --match-full-lines

#define SIZE 16
#define HALF (SIZE / 2)
#define AT(y, x) ((y) * SIZE + (x))
enum { FIRST = 3 };

int next(int i) {
  int k = i + 1;
  return k * k;
}

// Not inside.
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void named(__global REAL *out) {
  // where we are
  size_t x = get_global_id(0); // along the row
  /* two
     lines */
  for (int k = 0; k < TAPS; ++k) {
    // inside
    out[AT(k, x)] = SCALE * 1e-3f + HALF;
  }
  for (int k = FIRST; k < 0x10; ++k)
    out[k] = next(k);
  // at the end
}

// CHECK:      kernel named(global float *out) reqd(16,1,1)
// CHECK-NEXT:   # // where we are
// CHECK-NEXT:   # // along the row
// CHECK-NEXT:   ulong x = get_global_id(0)
// CHECK-NEXT:   # /* two
// CHECK-NEXT: lines */
// CHECK-NEXT:   for (int k = 0; (k < 5{TAPS}); k = (k + 1)) {
// CHECK-NEXT:     # // inside
// CHECK-NEXT:     store out[(<ulong>(k * 16{SIZE}) + x)] = ((SCALE * 1e-3f) + <float>(16{SIZE} / 2))
// CHECK-NEXT:   }
// CHECK-NEXT:   # // at the end
// CHECK-NEXT:   for (int k_1 = 3{FIRST}; (k_1 < 16{0x10}); k_1 = (k_1 + 1)) {
// CHECK-NEXT:     int k_2 = (k_1 + 1)
// CHECK-NEXT:     int next_result = (k_2 * k_2)
// CHECK-NEXT:     store out[k_1] = <float>next_result
// CHECK-NEXT:   }
