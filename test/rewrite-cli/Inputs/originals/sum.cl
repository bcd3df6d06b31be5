kernel void sum(global const float *in, global float *res, int n) {
  *res = 0.0f;
  for (int i = 0; i < n; ++i)
    *res += in[i];
}
