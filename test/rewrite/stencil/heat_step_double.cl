// expect: held passes=vectorize
// A thermal simulation step in double: neighbours clamped at the chip's edge.
__kernel void heat_step_double(__global const double *temp, __global const double *power, __global double *next, int cols,
                               int rows, double cx, double cy, double cz, double ambient) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= cols || y >= rows)
    return;
  int idx = y * cols + x;
  int W = (x == 0) ? idx : idx - 1;
  int E = (x == cols - 1) ? idx : idx + 1;
  int N = (y == 0) ? idx : idx - cols;
  int S = (y == rows - 1) ? idx : idx + cols;
  double t = temp[idx];
  next[idx] = t + cy * (temp[S] + temp[N] - 2.0 * t) + cx * (temp[E] + temp[W] - 2.0 * t) + cz * (ambient - t) + power[idx];
}
