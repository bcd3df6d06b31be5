typedef uint u32;
#define LANES 4
typedef struct { u32 last; u32 seen[LANES]; } State;
void begin(State *s) {
  s->last = 1;
#pragma unroll
  for (u32 k = 0; k < LANES; ++k) s->seen[k] = 1;
}
kernel void fill(global u32 *o) {
  State s;
  begin(&s);
  for (u32 k = 0; k < LANES; ++k)
    o[get_global_id(0) + k] = s.seen[k];
}
