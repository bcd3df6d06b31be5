// amcd by hand: four chains for each work-item, in the lanes of vectors. Each lane has its own atom, so that the atom's
// coordinates are read and written singly; those of all others are read as vectors.
// items: 4
// trips: amcd_hand 16 16
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
typedef long4 mask4;
#define convert_real4 convert_double4
#define convert_mask4 convert_long4
#else
typedef float real;
typedef float4 real4;
typedef int4 mask4;
#define convert_real4 convert_float4
#define convert_mask4
#endif

inline real4 pairEnergy(real4 dx, real4 dy, real4 dz) {
  real4 inverse = (real)1 / (dx * dx + dy * dy + dz * dz + (real)0.01);
  real4 cube = inverse * inverse * inverse;
  return cube * cube - cube;
}

inline uint4 next(uint4 s) {
  return s * 1664525u + 1013904223u;
}

inline real4 unit(uint4 s) {
  return convert_real4(s >> 8) * (real)(1.0f / 16777216.0f);
}

inline real4 gather(__global const real *p, int4 i) {
  return (real4)(p[i.s0], p[i.s1], p[i.s2], p[i.s3]);
}

inline void put(__global real *p, int i, real v, int condition) {
  if (condition)
    p[i] = v;
}

__kernel void amcd_hand(__global real *restrict x, __global real *restrict y, __global real *restrict z,
                        __global uint *restrict seed, __global real *restrict energy, int atoms, int moves, real step,
                        real beta) {
  int c = get_global_id(0) * 4;
  int chains = get_global_size(0) * 4;
  uint4 s = vload4(0, seed + c);
  real4 total = vload4(0, energy + c);
  for (int m = 0; m < moves; m++) {
    s = next(s);
    int4 a = convert_int4((s >> 8) % (uint)atoms);
    int4 at = a * chains + c + (int4)(0, 1, 2, 3);
    real4 oldX = gather(x, at), oldY = gather(y, at), oldZ = gather(z, at);
    s = next(s);
    real4 newX = oldX + step * (unit(s) - (real)0.5f);
    s = next(s);
    real4 newY = oldY + step * (unit(s) - (real)0.5f);
    s = next(s);
    real4 newZ = oldZ + step * (unit(s) - (real)0.5f);
    real4 change = 0;
    for (int j = 0; j < atoms; j++) {
      real4 otherX = vload4(0, x + j * chains + c);
      real4 otherY = vload4(0, y + j * chains + c);
      real4 otherZ = vload4(0, z + j * chains + c);
      real4 with = change + pairEnergy(newX - otherX, newY - otherY, newZ - otherZ);
      with -= pairEnergy(oldX - otherX, oldY - otherY, oldZ - otherZ);
      change = select(with, change, convert_mask4(a == j));
    }
    s = next(s);
    mask4 kept = change <= 0 || unit(s) < exp(-beta * change);
    put(x, at.s0, newX.s0, kept.s0 != 0);
    put(x, at.s1, newX.s1, kept.s1 != 0);
    put(x, at.s2, newX.s2, kept.s2 != 0);
    put(x, at.s3, newX.s3, kept.s3 != 0);
    put(y, at.s0, newY.s0, kept.s0 != 0);
    put(y, at.s1, newY.s1, kept.s1 != 0);
    put(y, at.s2, newY.s2, kept.s2 != 0);
    put(y, at.s3, newY.s3, kept.s3 != 0);
    put(z, at.s0, newZ.s0, kept.s0 != 0);
    put(z, at.s1, newZ.s1, kept.s1 != 0);
    put(z, at.s2, newZ.s2, kept.s2 != 0);
    put(z, at.s3, newZ.s3, kept.s3 != 0);
    total = select(total, total + change, kept);
  }
  vstore4(s, 0, seed + c);
  vstore4(total, 0, energy + c);
}

inline real pairEnergyOfOne(real dx, real dy, real dz) {
  real inverse = (real)1 / (dx * dx + dy * dy + dz * dz + (real)0.01);
  real cube = inverse * inverse * inverse;
  return cube * cube - cube;
}

inline uint nextOfOne(uint s) {
  return s * 1664525u + 1013904223u;
}

inline real unitOfOne(uint s) {
  return (real)(s >> 8) * (real)(1.0f / 16777216.0f);
}

__kernel void amcd(__global real *x, __global real *y, __global real *z, __global uint *seed, __global real *energy,
                   int atoms, int moves, real step, real beta) {
  int c = get_global_id(0);
  int chains = get_global_size(0);
  uint s = seed[c];
  real total = energy[c];
  for (int m = 0; m < moves; m++) {
    s = nextOfOne(s);
    int a = (int)((s >> 8) % (uint)atoms);
    real oldX = x[a * chains + c], oldY = y[a * chains + c], oldZ = z[a * chains + c];
    s = nextOfOne(s);
    real newX = oldX + step * (unitOfOne(s) - (real)0.5f);
    s = nextOfOne(s);
    real newY = oldY + step * (unitOfOne(s) - (real)0.5f);
    s = nextOfOne(s);
    real newZ = oldZ + step * (unitOfOne(s) - (real)0.5f);
    real change = 0;
    for (int j = 0; j < atoms; j++) {
      if (j != a) {
        real otherX = x[j * chains + c], otherY = y[j * chains + c], otherZ = z[j * chains + c];
        change += pairEnergyOfOne(newX - otherX, newY - otherY, newZ - otherZ);
        change -= pairEnergyOfOne(oldX - otherX, oldY - otherY, oldZ - otherZ);
      }
    }
    s = nextOfOne(s);
    if (change <= 0 || unitOfOne(s) < exp(-beta * change)) {
      x[a * chains + c] = newX;
      y[a * chains + c] = newY;
      z[a * chains + c] = newZ;
      total += change;
    }
  }
  seed[c] = s;
  energy[c] = total;
}
