kernel void nested(global const float *A, global const float *B, global float *C, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0.0f;
  for (int block = 0; block < n; block += 16) {
    for (int k = block; k < block + 16; ++k)
      sum += A[i * n + k] * B[k * n + j];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  C[i * n + j] = sum;
}

kernel void counted(global const float *A, global const float *B, global float *C, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    sum += A[i * n + k] * B[k * n + j];
    if ((k & 15) == 15)
      barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[i * n + j] = sum;
}

// Behind the loop the barrier orders nothing: needless.
kernel void behind(global const float *A, global const float *B, global float *C, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += A[i * n + k] * B[k * n + j];
  barrier(CLK_GLOBAL_MEM_FENCE);
  C[i * n + j] = sum;
}
