__kernel void sort(__global int *data, __local int *t) {
  int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
  t[l] = data[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int a = t[l], b = t[l ^ j];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = (l < (l ^ j)) == ((l & k) == 0) ? min(a, b) : max(a, b);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  data[g] = t[l];
}
__kernel void sort_masked(__global int *data, __local int *t) {
  int l = get_local_id(0), first = 2 * get_local_size(0) * get_group_id(0), n = 2 * get_local_size(0);
  t[l] = data[first + l];
  t[l + n / 2] = data[first + l + n / 2];
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int low = 2 * l - (l & (j - 1)), up = (low & k) == 0;
      int a = t[low], b = t[low + j];
      if ((a > b) == up) {
        t[low] = b;
        t[low + j] = a;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[first + l] = t[l];
  data[first + l + n / 2] = t[l + n / 2];
}
__kernel void fft(__global float2 *data, __local float2 *t) {
  int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
  t[l] = data[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = n / 2; h > 0; h /= 2) {
    float2 a = t[l], b = t[(l + h) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = (l & h) ? (a - b) * native_cos(3.14159f * (l & (h - 1)) / h) : a + b;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[g] = t[l];
}
__kernel void maxima(__global int *data, __local int *t) {
  int l = get_local_id(0), n = get_local_size(0);
  t[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = n / 2; h > 0; h /= 2) {
    if (l < h && t[l] < t[l + h])
      t[l] = t[l + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    data[get_group_id(0) * n] = t[0];
}
