// expect: held
// Both fields of each struct scaled from one array to another.
typedef struct { double a; double b; } pair_t;
__kernel void struct_scale_copy(__global const pair_t *restrict in, __global pair_t *restrict out, double k) {
  int i = get_global_id(0);
  out[i].a = k * in[i].a;
  out[i].b = k * in[i].b;
}
