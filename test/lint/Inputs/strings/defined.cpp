#include <CL/cl.h>
#define CODE "\
__kernel void spelled(__global int *a) {\n\
  #define BS 3\n                           \
  a[get_global_id(0)] = a[get_global_id(1)] / 5;\n\
}"
#define LINES                                \
  "__kernel void lines(__global int *a) {\n" \
  "  a[get_global_id(0)] = a[get_global_id(1)] / 7;\n" \
  "}\n"
static const char *code = CODE, *again = CODE;
static const char *lines = LINES;
const char *choose(int which) { return which == 2 ? again : which ? code : lines; }
