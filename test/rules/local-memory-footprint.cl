// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --checks=-*,local-memory-footprint --option=local-memory-footprint.MinGroups=1 %s
__kernel void one(__global float *out) {
  __local float tile[2560]; // HIT: a work-group takes 10240 bytes of local memory: 1 group fits
  tile[get_local_id(0)] = 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[0];
}

__kernel void padded(__global uchar *out) {
  __local uchar tile[2560]; // HIT: 10240 bytes
  tile[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[0];
}

__kernel void little(__global float *out) {
  __local float tile[256]; // miss: 1024 bytes
  tile[get_local_id(0)] = 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[0];
}

__kernel void argument(__global float *out, __local float *tile) { // miss: its size is the host's
  tile[get_local_id(0)] = 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[0];
}
