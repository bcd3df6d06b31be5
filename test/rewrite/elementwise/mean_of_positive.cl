// expect: held passes=vectorize
// Each item continues with the next iteration if its value does not count.
__kernel void mean_of_positive(__global const float *x, __global float *mean, int n, int rounds) {
  int i = get_global_id(0);
  if (i < n) {
    float sum = 0.f;
    int count = 0;
    for (int j = 0; j < rounds; j++) {
      float v = x[j * n + i];
      if (v <= 0.f)
        continue;
      sum += v;
      count++;
    }
    mean[i] = count > 0 ? sum / count : 0.f;
  }
}
