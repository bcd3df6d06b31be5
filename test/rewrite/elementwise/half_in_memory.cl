// expect: held passes=vectorize device=mali-bifrost
// Without cl_khr_fp16, half is loaded and stored by conversions only.
__kernel void half_in_memory(__global const half *restrict a, __global const half *restrict b, __global half *restrict out, float scale, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float x = vload_half(i, a), y = vload_half(i, b);
  vstore_half(x * scale + y, i, out);
}
