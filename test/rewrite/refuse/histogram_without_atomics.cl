// expect: refused data-dependent-store|cross-item-dependence
// Each item counts into the bin that its value names.
__kernel void histogram_without_atomics(__global const uchar *v, __global uint *bins) {
  int i = get_global_id(0);
  bins[v[i]] += 1;
}
