KERNEL(broken)(const __global UNIT_TYPE* input, __global UNIT_TYPE* output)
{
  const uint x = = get_global_id(0);
  output[x] = input[x;
