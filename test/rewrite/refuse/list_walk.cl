// expect: refused nothing-pays
// Each item walks its own linked list: loads that depend on loads, one small result.
__kernel void list_walk(__global const int *next, __global const int *head, __global int *last, int steps) {
  int i = get_global_id(0);
  int at = head[i * 17];
  for (int k = 0; k < steps; k++)
    at = next[at];
  last[i * 17] = at;
}
