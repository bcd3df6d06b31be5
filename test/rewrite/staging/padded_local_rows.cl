// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Each group stages four rows with one element of padding, then each item averages down its column.
#define W 32
__kernel void padded_local_rows(__global const float *m, __global float *avg, uint pitch) {
  __local float s[4 * (W + 1)];
  uint lid = get_local_id(0);
  uint col = get_global_id(0);
  uint row = get_global_id(1) * 4;
  for (uint r = 0; r < 4; r++)
    s[r * (W + 1) + lid] = m[(row + r) * pitch + col];
  barrier(CLK_LOCAL_MEM_FENCE);
  float a = s[lid] + s[(W + 1) + lid];
  float b = s[2 * (W + 1) + lid] + s[3 * (W + 1) + lid];
  avg[get_global_id(1) * pitch + col] = 0.25f * (a + b);
}
