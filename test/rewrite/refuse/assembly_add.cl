// expect: refused inline-assembly
// Inline assembly for one vendor (not taken on others, but there).
__kernel void assembly_add(__global int *a) {
  int i = get_global_id(0);
  int v = a[i];
  __asm__ volatile("" : "+r"(v));
  a[i] = v + 1;
}
