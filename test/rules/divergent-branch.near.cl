// RUN: %{python} %{expect} %s
// Adjacent selections give one finding.
__kernel void corners(__global int *at, int width, int height) {
  int i = get_global_id(0);
  int x = at[2 * i], y = at[2 * i + 1];
  if (x < 0) // HIT: a short branch
    x = 0;
  if (x > width) // miss: a line or two behind the first
    x = width;
  if (y < 0)
    y = 0;
  if (y > height)
    y = height;
  at[2 * i] = x;
  at[2 * i + 1] = y;
}
