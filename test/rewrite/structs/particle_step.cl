// expect: held
// Particles as structs of eight floats: position and velocity move on, in place.
typedef struct {
  float x, y, z, w;
  float vx, vy, vz, m;
} Particle;
__kernel void particle_step(__global Particle *p, float dt, int n) {
  int i = get_global_id(0);
  if (i < n) {
    p[i].x += p[i].vx * dt;
    p[i].y += p[i].vy * dt;
    p[i].z += p[i].vz * dt;
  }
}
