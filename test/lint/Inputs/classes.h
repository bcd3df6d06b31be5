#include "made/by/the/build.h"
#if CLASS == 'S'
#define SIZE 12
#elif CLASS == 'A'
#define SIZE 64
#else
#error which class?
#endif
