// nbody by hand: four bodies for each work-item, in the lanes of vectors.
// items: 4
// trips: nbody_hand 16
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

__kernel void nbody_hand(__global const real4 *restrict pos, __global const real4 *restrict vel,
                         __global real4 *restrict newPos, __global real4 *restrict newVel, int n, real dt, real softening) {
  int i = get_global_id(0) * 4;
  real4 p0 = pos[i], p1 = pos[i + 1], p2 = pos[i + 2], p3 = pos[i + 3];
  real4 px = (real4)(p0.x, p1.x, p2.x, p3.x);
  real4 py = (real4)(p0.y, p1.y, p2.y, p3.y);
  real4 pz = (real4)(p0.z, p1.z, p2.z, p3.z);
  real4 ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    real4 q = pos[j];
    real4 dx = q.x - px;
    real4 dy = q.y - py;
    real4 dz = q.z - pz;
    real4 inverse = (real)1 / sqrt(dx * dx + dy * dy + dz * dz + softening);
    real4 s = q.w * inverse * inverse * inverse;
    ax += dx * s;
    ay += dy * s;
    az += dz * s;
  }
  real4 v0 = vel[i], v1 = vel[i + 1], v2 = vel[i + 2], v3 = vel[i + 3];
  real4 vx = (real4)(v0.x, v1.x, v2.x, v3.x);
  real4 vy = (real4)(v0.y, v1.y, v2.y, v3.y);
  real4 vz = (real4)(v0.z, v1.z, v2.z, v3.z);
  vx += ax * dt;
  vy += ay * dt;
  vz += az * dt;
  px += vx * dt;
  py += vy * dt;
  pz += vz * dt;
  newPos[i] = (real4)(px.s0, py.s0, pz.s0, p0.w);
  newPos[i + 1] = (real4)(px.s1, py.s1, pz.s1, p1.w);
  newPos[i + 2] = (real4)(px.s2, py.s2, pz.s2, p2.w);
  newPos[i + 3] = (real4)(px.s3, py.s3, pz.s3, p3.w);
  newVel[i] = (real4)(vx.s0, vy.s0, vz.s0, v0.w);
  newVel[i + 1] = (real4)(vx.s1, vy.s1, vz.s1, v1.w);
  newVel[i + 2] = (real4)(vx.s2, vy.s2, vz.s2, v2.w);
  newVel[i + 3] = (real4)(vx.s3, vy.s3, vz.s3, v3.w);
}

__kernel void nbody(__global const real4 *pos, __global const real4 *vel, __global real4 *newPos, __global real4 *newVel,
                    int n, real dt, real softening) {
  int i = get_global_id(0);
  real4 p = pos[i];
  real ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    real4 q = pos[j];
    real dx = q.x - p.x;
    real dy = q.y - p.y;
    real dz = q.z - p.z;
    real inverse = (real)1 / sqrt(dx * dx + dy * dy + dz * dz + softening);
    real s = q.w * inverse * inverse * inverse;
    ax += dx * s;
    ay += dy * s;
    az += dz * s;
  }
  real4 v = vel[i];
  v.x += ax * dt;
  v.y += ay * dt;
  v.z += az * dt;
  p.x += v.x * dt;
  p.y += v.y * dt;
  p.z += v.z * dt;
  newPos[i] = p;
  newVel[i] = v;
}
