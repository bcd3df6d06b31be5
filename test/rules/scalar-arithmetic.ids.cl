// RUN: %{python} %{expect} %s
// RUN: not clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic %S/Inputs/generated.cl
// RUN: clmali-lint --device=mali-t604 --checks=-*,scalar-arithmetic --fail-on=info --option=scalar-arithmetic.MinIdOperations=17 %S/Inputs/generated.cl
// A translator guards each access by the limits of all buffers: what computes has no place in the source.
#define LAST(type, end) (((type)(end)) - 1)
#define INSIDE(type, at, first, end) (((at) >= ((type)(first))) && ((at) <= LAST(type, end)))
#define OR_NOWHERE(type, first, end, other) (((type)(end)) - ((type)(first)) >= 4 ? (type)(first) : (other))
typedef struct { __global float *first, *end; __global float4 *last; __global uint *nowhere; int index; } Limits;

float4 loaded(Limits *limits, int i, __global float *p) {
  __global float *at = p + 4 * i;
  if (INSIDE(__global float *, at, limits->first, limits->end)) // miss: a guard compares addresses
    return vload4(0, at);
  return (float4)(0);
}

kernel void checked(global float *in, ulong size, global float4 *out, ulong out_size) {
  Limits own = {&in[0], &in[size], &out[out_size], 0, 0};
  Limits *limits = &own;
  limits->nowhere = OR_NOWHERE(__global uint *, limits->first, limits->end, (__global uint *)0);
  int i = get_global_id(0);
  limits->index = i;
  (*(INSIDE(__global float4 *, out + i, limits->first, limits->last) ? out + i : (__global float4 *)limits->nowhere)) =
      loaded(limits, limits->index, in);
}

kernel void unchecked(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] * in[i]; // HIT(mali-midgard): 1 operation computes on single 32-bit values
}

// Numbers that are made of ids alone.
kernel void generated(global uint *out) {
  uint x = get_global_id(0);
  for (int i = 0; i < 8; ++i)
    x = x * 1664525u + 1013904223u; // HIT(mali-midgard): 16 operations compute on single 32-bit values
  out[get_global_id(0)] = x;
}

kernel void numbered(global uint *out, uint width) {
  uint x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = y * width + x; // miss: a place
}
