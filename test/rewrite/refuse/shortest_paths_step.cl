// expect: refused cross-item-dependence
// One step of all-pairs shortest paths: row k and column k are read while others write the matrix.
__kernel void shortest_paths_step(__global uint *dist, const uint width, const uint k) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  uint direct = dist[y * width + x];
  uint through = dist[y * width + k] + dist[k * width + x];
  if (through < direct)
    dist[y * width + x] = through;
}
