// expect: held passes=vectorize
// Neighbours beyond the edge are the cell itself, chosen with ?:; an argument is called as a built-in is.
__kernel void heat_flow_edges_repeat(__global const float *power, __global const float *temp, __global float *result,
                                     int cols, int rows, float rx, float ry, float step) {
  const float ambient = 80.0f;
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= 0 && x <= cols - 1 && y >= 0 && y <= rows - 1) {
    int N = (y == 0) ? 0 : y - 1;
    int S = (y == rows - 1) ? y : y + 1;
    int W = (x == 0) ? x : x - 1;
    int E = (x == cols - 1) ? x : x + 1;
    int c = y * cols + x;
    float t = temp[c];
    result[c] = t + step * (power[c] + (temp[S * cols + x] + temp[N * cols + x] - 2.0f * t) * ry +
                            (temp[y * cols + E] + temp[y * cols + W] - 2.0f * t) * rx + (ambient - t) * 0.25f);
  }
}
