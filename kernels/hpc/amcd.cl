// Monte-Carlo dynamics of atoms by Metropolis' method: independent chains, one for each work-item. A move displaces a
// random atom; it is kept if the energy falls, else with the probability exp(-beta * change). Coordinate a of chain c
// stands at a * chains + c, so that the chains of a launch read neighbouring elements.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

inline real pairEnergy(real dx, real dy, real dz) {
  real inverse = (real)1 / (dx * dx + dy * dy + dz * dz + (real)0.01);
  real cube = inverse * inverse * inverse;
  return cube * cube - cube;
}

inline uint next(uint s) {
  return s * 1664525u + 1013904223u;
}

inline real unit(uint s) {
  return (real)(s >> 8) * (real)(1.0f / 16777216.0f);
}

__kernel void amcd(__global real *x, __global real *y, __global real *z, __global uint *seed, __global real *energy,
                   int atoms, int moves, real step, real beta) {
  int c = get_global_id(0);
  int chains = get_global_size(0);
  uint s = seed[c];
  real total = energy[c];
  for (int m = 0; m < moves; m++) {
    s = next(s);
    int a = (int)((s >> 8) % (uint)atoms);
    real oldX = x[a * chains + c], oldY = y[a * chains + c], oldZ = z[a * chains + c];
    s = next(s);
    real newX = oldX + step * (unit(s) - (real)0.5f);
    s = next(s);
    real newY = oldY + step * (unit(s) - (real)0.5f);
    s = next(s);
    real newZ = oldZ + step * (unit(s) - (real)0.5f);
    real change = 0;
    for (int j = 0; j < atoms; j++) {
      if (j != a) {
        real otherX = x[j * chains + c], otherY = y[j * chains + c], otherZ = z[j * chains + c];
        change += pairEnergy(newX - otherX, newY - otherY, newZ - otherZ);
        change -= pairEnergy(oldX - otherX, oldY - otherY, oldZ - otherZ);
      }
    }
    s = next(s);
    if (change <= 0 || unit(s) < exp(-beta * change)) {
      x[a * chains + c] = newX;
      y[a * chains + c] = newY;
      z[a * chains + c] = newZ;
      total += change;
    }
  }
  seed[c] = s;
  energy[c] = total;
}
