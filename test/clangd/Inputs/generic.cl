// OpenCL C 2.0: a pointer to no address space in particular.
int first(const __generic int *p) { return *p; }
__kernel void k(__global int *a, int n) {
  int i = get_global_id(0);
  a[i] = first(a + i) / n;
}
