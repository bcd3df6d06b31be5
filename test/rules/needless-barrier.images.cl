// RUN: %{python} %{expect} %s -- -cl-std=CL2.0
__kernel void through_an_image(__read_write image2d_t img, __global float4 *out) {
  int x = get_local_id(0);
  write_imagef(img, (int2)(x, 0), (float4)(1.0f));
  barrier(CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // miss: the image is read, too
  out[get_global_id(0)] = read_imagef(img, (int2)(x ^ 1, 0));
}

__kernel void into_an_image(__write_only image2d_t img, __global float4 *out) {
  int x = get_local_id(0);
  write_imagef(img, (int2)(x, 0), (float4)(1.0f));
  barrier(CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // HIT: no two accesses around this barrier can conflict
  out[get_global_id(0)] = (float4)(2.0f);
}
