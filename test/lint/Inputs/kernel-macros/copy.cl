#include "index.h"
KERNEL(copy)(const __global UNIT_TYPE* input, __global UNIT_TYPE* output)
{
  const uint x = (uint)get_global_id(0);
  output[FUNC_CALL(get_index)(0, 0, 0, x, 4)] = input[x];
}
