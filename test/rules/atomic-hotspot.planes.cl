// RUN: not clmali-lint --device=mali --fail-on=info --checks=-*,atomic-hotspot %s
// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,atomic-hotspot --option=atomic-hotspot.MinPlaneBins=1000 %s
// A histogram of 256 bins for each of three channels.
__kernel void planes_by_loop(__global const uint *pixel, __global uint *bins) {
  int i = get_global_id(0);
  for (int k = 0; k < 3; ++k)
    atomic_inc(&bins[pixel[3 * i + k] + 256 * k]);
}
