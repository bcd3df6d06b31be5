REQD_SUB_GROUP_SIZE(SUB_GROUP_SIZE)
__attribute__((reqd_work_group_size(16, 1, 1)))
KERNEL (fc_bf)(
    const __global INPUT0_TYPE* input,
    __global OUTPUT_TYPE* output,
    const __global FILTER_TYPE* weights
#if BIAS_TERM
    , const __global BIAS_TYPE* biases
#endif
) {
  const uint x = get_global_id(0);
  ACCUMULATOR_TYPE acc = ACCUMULATOR_VAL_ZERO;
  for (uint k = 0; k < INPUT0_FEATURE_NUM; ++k)
    acc += TO_ACCUMULATOR_TYPE(input[k]) * weights[k * OUTPUT_FEATURE_NUM + x];
  output[x] = TO_OUTPUT_TYPE(acc);
}
