// N bodies under gravity, one step: one work-item for each body. A body is a position with its mass, and a velocity.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

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
