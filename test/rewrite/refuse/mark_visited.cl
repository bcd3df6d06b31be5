// expect: refused data-dependent-store|cross-item-dependence
// Breadth-first search: neighbours are marked wherever they are.
__kernel void mark_visited(__global const int *edges, __global uchar *visited, __global const uchar *frontier, int n) {
  int v = get_global_id(0);
  if (v < n && frontier[v])
    for (int e = 0; e < 4; e++)
      visited[edges[v * 4 + e]] = 1;
}
