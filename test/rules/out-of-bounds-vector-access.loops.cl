// RUN: %{python} %{expect} %s
// Loops over arrays of known size.
__kernel void by_one(__global const float *in, __global float *out) {
  float t[8], sum = 0.0f;
  for (int i = 0; i < 8; ++i)
    t[i] = in[i];
  for (int i = 0; i < 8; ++i)
    sum += vload4(0, t + i).w; // HIT: the float4 load of 't' reaches 12 bytes past the array's 32
  out[get_global_id(0)] = sum;
}

__kernel void short_of_the_end(__global const float *in, __global float *out) {
  float t[8], sum = 0.0f;
  for (int i = 0; i < 8; ++i)
    t[i] = in[i];
  for (int i = 0; i < 5; ++i)
    sum += vload4(0, t + i).w; // miss: the last one is whole
  out[get_global_id(0)] = sum;
}

__kernel void leaves_early(__global const float *in, __global float *out) {
  float t[8], sum = 0.0f;
  for (int i = 0; i < 8; ++i)
    t[i] = in[i];
  for (int i = 0; i < 8; ++i) {
    if (in[i] > 4.0f)
      break;
    sum += vload4(0, t + i).w; // miss: data may end the loop before
  }
  out[get_global_id(0)] = sum;
}

__kernel void guessed(__global const float *in, __global float *out) {
  float t[LENGTH], sum = 0.0f;
  for (int i = 0; i < LENGTH; ++i)
    t[i] = in[i];
  for (int i = 0; i < 16; ++i)
    sum += vload4(0, t + i).w; // miss: the host determines the length
  out[get_global_id(0)] = sum;
}

__kernel void rest(__global const float *in, __global float *out) {
  float t[6], sum = 0.0f;
  for (int i = 0; i < 6; ++i)
    t[i] = in[i];
  for (int i = 0; i < 6; i += 4)
    sum += vload4(0, t + i).w; // HIT: the float4 load of 't' reaches 8 bytes past the array's 24
  out[get_global_id(0)] = sum;
}
