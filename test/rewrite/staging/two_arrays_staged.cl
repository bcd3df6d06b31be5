// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Two inputs staged one after the other, one barrier; the neighbour is the next item of the group, wrapped.
__kernel void two_arrays_staged(__global const float *p, __global const float *q, __global float *r, __local float *sp, __local float *sq) {
  size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  sp[l] = p[g];
  sq[l] = q[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t o = (l + 1) % n;
  r[g] = sp[o] * sq[l] - sp[l] * sq[o];
}
