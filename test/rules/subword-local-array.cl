// RUN: %{python} %{expect} %s
__kernel void local_bytes(__global uchar *x) {
  __local uchar part[64]; // HIT: its 64 bytes take 256
  part[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = part[0];
}

__kernel void private_shorts(__global short *x, int n) {
  short part[8]; // HIT: its 16 bytes take 32
  for (int k = 0; k < 8; ++k)
    part[k] = k * n;
  x[get_global_id(0)] = part[n & 7];
}

__kernel void words(__global int *x) {
  __local int part[64]; // miss: 32-bit elements
  part[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = part[0];
}

__kernel void variable(__global uchar *x) {
  uchar v = x[get_global_id(0)]; // miss: a variable, no array
  x[get_global_id(0)] = v + 1;
}

__kernel void global_bytes(__global uchar *x) { // miss: system memory is not padded
  x[get_global_id(0)] = 1;
}

__kernel void argument(__global uchar *x, __local uchar *part) { // HIT: 4 times the bytes
  part[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = part[0];
}

__kernel void argument_of_words(__global int *x, __local int *part) { // miss: 32-bit elements
  part[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = part[0];
}

__kernel void flags(__global int *x) {
  bool seen[16]; // HIT: 'seen' holds 8-bit elements in private memory
  int marks[16]; // miss: 32-bit elements
  for (int i = 0; i < 16; ++i) {
    seen[i] = false;
    marks[i] = 0;
  }
  seen[x[0] & 15] = true;
  marks[x[1] & 15] = 1;
  x[get_global_id(0)] = seen[x[2] & 15] + marks[x[3] & 15];
}

__kernel void long_as_the_host_says(__global int *x) {
  char marks[COUNT]; // HIT: so it takes 4 times the bytes that it holds
  int words[COUNT]; // miss: 32-bit elements
  for (int i = 0; i < COUNT; ++i)
    words[i] = marks[i] = x[i];
  x[get_global_id(0)] = marks[x[0]] + words[x[1]];
}
