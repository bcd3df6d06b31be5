// expect: held passes=vectorize device=mali-bifrost
// A loop over flat indices with the launch's stride: rows by a division in each iteration, corners clamped.
__kernel void grid_stride_clamped_corners(__global const uint *sums, __global uint *out, const int w, const int h, const int r) {
  for (int p = get_global_id(0); p < w * h; p += get_global_size(0)) {
    int y = p / w, x = p - y * w;
    int left = max(x - r, 0), right = min(x + r, w - 1);
    int low = max(y - r, 0), high = min(y + r, h - 1);
    out[p] = sums[high * w + right] - sums[low * w + right] - sums[high * w + left] + sums[low * w + left];
  }
}
