// RUN: %{python} %{expect} %s --option=local-size-exceeds-kernel-limit.Percent=2000 --option=local-size-exceeds-kernel-limit.CertainPercent=4000
#define SUM(v) (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7])
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void many(__global float16 *data) { // miss: not far enough above: it requires groups of 256 work-items
  int i = 16 * get_global_id(0);
  float16 a = data[i], b = data[i + 1], c = data[i + 2], d = data[i + 3];
  float16 e = data[i + 4], f = data[i + 5], g = data[i + 6], h = data[i + 7];
  data[i] = a * b + c * d + e * f + g * h;
  data[i + 1] = a * h + b * g + c * f + d * e;
}
__kernel void big_tile(__global float *x) {
  __local float tile[9000]; // HIT(mali-midgard,mali-bifrost,mali-valhall): a work-group takes 36000 bytes of local memory
  tile[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = tile[63 - get_local_id(0)];
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void few(__global float4 *data) { // miss: three registers
  int i = get_global_id(0);
  data[i] = data[i] * data[i + 1];
}
__kernel __attribute__((reqd_work_group_size(32, 2, 1)))
void small_group(__global float16 *data) { // miss: 64 work-items run with any number of registers
  int i = 16 * get_global_id(0);
  float16 a = data[i], b = data[i + 1], c = data[i + 2], d = data[i + 3];
  float16 e = data[i + 4], f = data[i + 5], g = data[i + 6], h = data[i + 7];
  data[i] = a * b + c * d + e * f + g * h;
  data[i + 1] = a * h + b * g + c * f + d * e;
}
__kernel void tile(__global float *x) {
  __local float part[8192]; // miss: 32768 bytes are allowed
  part[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = part[63 - get_local_id(0)];
}
