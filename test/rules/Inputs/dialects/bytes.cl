// CRLF, a byte that is no UTF-8 (é), and a file that begins with a BOM
__kernel void lines(__global int *x) {
  x[get_global_id(0)] = 1; \
  x[0] += 2;
}
