// expect: refused cross-item-dependence
// All items whose value is set write one flag.
__kernel void any_sets_flag(__global char *mask, __global char *updating, __global char *over, int nodes) {
  int tid = get_global_id(0);
  if (tid < nodes && updating[tid]) {
    mask[tid] = 1;
    *over = 1;
    updating[tid] = 0;
  }
}
