// RUN: %{python} %{expect} %s
// The remainder of a row, at most a few elements.
__kernel void rest_of_four(__global const float4 *in, __global float4 *out, int width) {
  int x = get_global_id(0) * 4;
  float4 row[4];
  for (int k = 0; k < 4; ++k)
    row[k] = in[x + k] * 2.0f;
  int rest = min(4, width - x);
  for (int k = 0; k < rest; ++k)
    out[x + k] = row[k]; // miss: four rounds at most
}

__kernel void rest_of_many(__global const float4 *in, __global float4 *out, int width) {
  int x = get_global_id(0) * 24;
  float4 row[24];
  for (int k = 0; k < 24; ++k)
    row[k] = in[x + k] * 2.0f;
  int rest = min(24, width - x);
  for (int k = 0; k < rest; ++k)
    out[x + k] = row[k]; // HIT: the private array 'row' is indexed by a loop whose length is not known
}

__kernel void beside_a_limit(__global const float4 *in, __global float *out, int length) {
  int i = get_global_id(0);
  float4 v = in[i];
  float part[4];
  part[0] = v.x;
  part[1] = v.y;
  part[2] = v.z;
  part[3] = v.w;
  float sum = 0.0f;
  for (int k = 0; k < 4 && 4 * i + k < length; ++k)
    sum = sum * 0.5f + part[k]; // miss: four rounds at most, whatever the length is
  out[i] = sum;
}

__kernel void beside_a_far_limit(__global const float *in, __global float *out, int length) {
  int i = get_global_id(0);
  float part[32];
  for (int k = 0; k < 32; ++k)
    part[k] = in[32 * i + k];
  float sum = 0.0f;
  for (int k = 0; k < 32 && 32 * i + k < length; ++k)
    sum = sum * 0.5f + part[k]; // HIT: the private array 'part' is indexed by
  out[i] = sum;
}
