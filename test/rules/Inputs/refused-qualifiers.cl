// Qualifiers that vendors' compilers take and Clang refuses: an access before a buffer, an address space before a value.
static float scaled(__private float x, __global float *by, const __local int at) { return x * by[at]; }
__kernel void refused(read_only __global const float *in, __write_only __global float *out, __global int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = scaled(in[i], out, 0);
}
__kernel void images(read_only image2d_t in, __global float4 *out) {
  out[get_global_id(0)] = read_imagef(in, (int2)(0, 0));
}
