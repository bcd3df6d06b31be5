// expect: any
// Forces from a neighbour list stored neighbour-major: contiguous list loads, gathered positions, a cut-off.
__kernel void neighbour_list_force(__global float4 *force, __global const float4 *position, const int neighCount,
                                   __global const int *neighList, const float cutsq, const float lj1, const float lj2, const int inum) {
  uint idx = get_global_id(0);
  if (idx >= inum)
    return;
  float4 ipos = position[idx];
  float4 f = (float4)(0.0f);
  int j = 0;
  while (j < neighCount) {
    int jidx = neighList[j * inum + idx];
    float4 jpos = position[jidx];
    float delx = ipos.x - jpos.x;
    float dely = ipos.y - jpos.y;
    float delz = ipos.z - jpos.z;
    float r2inv = delx * delx + dely * dely + delz * delz;
    if (r2inv < cutsq && r2inv > 0.0f) {
      r2inv = 1.0f / r2inv;
      float r6inv = r2inv * r2inv * r2inv;
      float fc = r2inv * r6inv * (lj1 * r6inv - lj2);
      f.x += delx * fc;
      f.y += dely * fc;
      f.z += delz * fc;
    }
    j++;
  }
  force[idx] = f;
}
