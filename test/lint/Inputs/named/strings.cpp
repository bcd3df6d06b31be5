#define TEXT(...) #__VA_ARGS__
const char *raw = R"(
__kernel void raw(__global float *x) { x[get_global_id(0)] = 1.0f; }
)";
const char *made = TEXT(
__kernel void made(__global float *x) { x[get_global_id(0)] = 1.0f; }
);
