// expect: held
// Packed points of three floats times a matrix.
typedef struct {
  float x, y, z;
} point3;
__kernel void points_by_matrix(__global const point3 *in, __global point3 *out, __constant float *m, int n) {
  int i = get_global_id(0);
  if (i < n) {
    point3 v = in[i];
    out[i].x = m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3];
    out[i].y = m[4] * v.x + m[5] * v.y + m[6] * v.z + m[7];
    out[i].z = m[8] * v.x + m[9] * v.y + m[10] * v.z + m[11];
  }
}
