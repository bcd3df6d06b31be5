#ifdef NO_SUCH_SYSTEM
#include <CL/opencl.hpp>
#endif
