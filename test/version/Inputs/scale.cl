__kernel void f(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }
