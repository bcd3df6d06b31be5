// expect: held passes=vectorize
// Nine points with centre, cardinal and diagonal weights; a halo of one on all sides, no guard.
__kernel void nine_point_weighted(__global const float *data, __global float *newData, const int pitch, const float wCenter,
                                  const float wCardinal, const float wDiagonal) {
  int gidRow = get_global_id(0) + 1;
  int gidCol = get_global_id(1) + 1;
  int c = gidRow * pitch + gidCol;
  float center = data[c];
  float cardinal = data[c - pitch] + data[c + pitch] + data[c + 1] + data[c - 1];
  float diagonal = data[c - pitch - 1] + data[c - pitch + 1] + data[c + pitch - 1] + data[c + pitch + 1];
  newData[c] = wCenter * center + wCardinal * cardinal + wDiagonal * diagonal;
}
