__kernel void scale(__global DATA_TYPE *x, const INDEX_T n, PARAM_T factor) {
  INDEX_T i = get_global_id(0);
  if (i < n)
    x[i] = (DATA_TYPE)(x[i] * factor);
}
