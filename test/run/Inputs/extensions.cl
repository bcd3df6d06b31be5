// Oclgrind defines cl_khr_fp16; PoCL on a processor does not.
__kernel void extensions(__global int *out, int n) {
  int i = get_global_id(0);
#ifdef cl_khr_fp16
  int value = 1;
#else
  int value = 2;
#endif
  if (i < n)
    out[i] = value;
}
