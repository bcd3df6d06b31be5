static const char *code = " \
#define TWO 2 \n \
__kernel void scale(__global float *m) { \n \
  int i = get_global_id(0); \n \
  m[i] = TWO * m[i]; \n \
} \n \
";
