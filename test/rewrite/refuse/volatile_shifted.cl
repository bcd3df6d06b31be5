// expect: refused volatile-access
// Which elements work-items access is data: barriers are not known to order them.
__kernel void volatile_shifted(__global const int *in, __global const int *place, __global int *out) {
  volatile __local int t[64];
  int l = get_local_id(0), g = get_global_id(0);
  t[l] = in[g];
  out[g] = t[place[g]];
}
