// expect: held passes=delocalize device=mali-bifrost
// expect: held
// A ring: the halo wraps around the whole buffer.
#define LS 64
__kernel void halo_wrapped(__global const float *u, __global float *v, int n, float nu) {
  __local float s[LS + 2];
  int i = get_global_id(0);
  int l = get_local_id(0) + 1;
  s[l] = u[i];
  if (l == 1)
    s[0] = u[i == 0 ? n - 1 : i - 1];
  if (l == LS)
    s[LS + 1] = u[i == n - 1 ? 0 : i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  v[i] = s[l] + nu * (s[l - 1] - 2.0f * s[l] + s[l + 1]);
}
