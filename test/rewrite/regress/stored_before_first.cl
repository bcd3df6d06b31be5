// expect: any
// i + 4294967295u is i - 1: what is stored there must be loaded again.
__kernel void stored_before_first(__global uint *a, __global uint *out) {
  uint i = get_global_id(0) * 4u + 1u;
  uint v = a[i + 4294967295u] + a[i] * 5u + a[i + 1u] * 7u + a[i + 2u];
  a[i - 1u] = v * 3u + 1u;
  out[get_global_id(0)] = v + a[i + 4294967295u] + a[i] * 3u + a[i + 1u] + a[i + 2u] * 9u;
}
