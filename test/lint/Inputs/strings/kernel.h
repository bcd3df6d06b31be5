static const char *listed = R"(
__kernel void in_header(__global int *x, int n) {
  x[get_global_id(0)] = (int)get_global_id(1) / n;
}
)";
