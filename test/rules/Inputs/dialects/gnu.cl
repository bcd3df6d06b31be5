#define LARGER(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
typedef struct __attribute__((packed)) { char tag; int value; } Item;
static inline __attribute__((always_inline)) int value(__global const Item *p) { return p->value; }
__kernel __attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(64, 1, 1)))
void largest(__global const Item *restrict in, __global int *restrict out) {
  int i = get_global_id(0);
  out[i] = LARGER(value(in + i), i);
}
