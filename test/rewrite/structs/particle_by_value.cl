// expect: held passes=vectorize
// A struct of eight floats copied, changed and stored again.
typedef struct {
  float px, py, pz, mass;
  float vx, vy, vz, age;
} Particle;
__kernel void particle_by_value(__global Particle *p, float dt, float gravity, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  Particle q = p[i];
  q.vy += gravity * dt;
  q.px += q.vx * dt;
  q.py += q.vy * dt;
  q.pz += q.vz * dt;
  q.age += dt;
  if (q.py < 0.0f) {
    q.py = -q.py;
    q.vy = -0.5f * q.vy;
  }
  p[i] = q;
}
