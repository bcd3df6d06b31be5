#include <CL/cl.h>
enum { SHIFT = 7 };
