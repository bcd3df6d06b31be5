__kernel void scale(_In_ __global const float *x, _Out_ __global float *y, _In_ uint n, _In_shared_(n * 4) __local float *t) {
  y[get_global_id(0)] = x[get_global_id(0)] * n;
}

__kernel void flip(SIZES_OF_TWO __global T *y, __read_only image2d_t x) {
  y[get_global_id(0)] = read_imagef(x, (int2)(get_global_id(0), 0)).x;
}

#define next(s) other_generator_next(s)
__kernel void noise(__global float *y) {
  uint seed = get_global_id(0);
  float a = next(&seed) * 0.5f;
  y[get_global_id(0)] = a;
}

__kernel void wide(__global const W *x, __global float *y) {
  W v = x[get_global_id(0)];
  W w = (W)(1, 2, 3, 4, 5, 6, 7, 8);
  y[get_global_id(0)] = v.s0 + v.s7 + w.s3;
}

#ifdef cl_amd_media_ops
#define join(a, b) amd_bitalign(a, b, 8)
#else
#define join(a, b) (((a) << 24) | ((b) >> 8))
#endif
__kernel void words(__global uint *y) {
  y[get_global_id(0)] = join(y[get_global_id(0)], 3u);
}

__kernel void placed(__global float *y) {
  const float3 p = place_of((uint3)(get_global_id(0), 0, 0));
  y[get_global_id(0)] = p.x;
}

__kernel void looked(__global struct Ray *rays, __global float *y) {
  struct Ray ray;
  float4 d = (float4)(1, 2, 3, 4);
  ray.direction = d.xyz;
  ray.t = 1.0f;
  rays[get_global_id(0)] = ray;
  y[get_global_id(0)] = ray.t;
}
