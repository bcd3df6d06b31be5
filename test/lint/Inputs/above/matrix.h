#ifndef __OPENCL_VERSION__
#define word_t host_word
#endif
typedef struct { float scale; } matrix_t;
