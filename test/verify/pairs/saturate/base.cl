__kernel void saturate(__global const long *x, __global const long *w, __global long *y,
                       __global const ulong *u, __global ulong *v) {
  int i = get_global_id(0);
  y[i] = mad_sat(x[i], w[i], x[i]);
  v[i] = mad_sat(u[i], 3ul, u[i]);
}
