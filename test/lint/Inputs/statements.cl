typedef struct {
  float x;
  MEMBERS
} item_t;
__kernel void statements(__global float *s, int n) {
  INIT_ITEM
  UNROLL
  for (int i = 0; i < n; ++i) {
    float f = s[get_global_id(0)];
    LOAD_ITEM
    LOAD_MORE
    f += 1;
    LOAD f -= 1;
    s[get_global_id(0)] = f;
    STORE_ITEM
  }
}
REAL
twice(REAL x) { return 2 * x; }
