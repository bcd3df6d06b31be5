// RUN: not clmali-lint --device=powervr --checks=-*,integer-division %s
// RUN: not clmali-lint --device=powervr --checks=-*,integer-division --option=integer-division.FewTrips=6 %s
// RUN: not clmali-lint --device=powervr --checks=-*,integer-division --option=integer-division.ReadsInLoop=1 %s
// RUN: clmali-lint --device=powervr --checks=-*,integer-division --option=integer-division.FewTrips=6 --option=integer-division.ReadsInLoop=1 %s
// A warning by default; information with both options, one for each kernel.
__kernel void few(__global const int *in, __global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < 6; ++k)
    sum += in[6 * i + k] / in[6 * i];
  out[i] = sum;
}

__kernel void uniform(__global const int *in, __global int *out, int n, int w) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[i + k / w];
  out[i] = sum;
}
