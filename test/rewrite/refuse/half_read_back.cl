// expect: any
// What is stored is rounded, and read again: no variable can hold it without cl_khr_fp16.
__kernel void half_read_back(__global half *x, __global float *out, float scale) {
  int i = get_global_id(0);
  vstore_half(vload_half(i, x) * scale, i, x);
  out[i] = vload_half(i, x) + 1;
}
