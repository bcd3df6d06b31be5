__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void histogram(__global const uchar *in, __global int *bins) {
  atomic_inc(&bins[in[get_global_id(0)]]);
}
