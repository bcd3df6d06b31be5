// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,array-of-structs --option=array-of-structs.MinStride=100 %s
typedef struct { float x, y, z, vx, vy, vz; } Body;
typedef struct { float re, im; } Pair;

__kernel void step(__global Body *b) {
  int i = get_global_id(0);
  b[i].x += b[i].vx; // HIT: 8 of the 24 bytes of each structure are used
}

__kernel void guarded(__global const Body *b, __global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = b[i].z; // HIT: 4 of the 24 bytes
}

__kernel void small(__global Pair *p) {
  int i = get_global_id(0);
  p[i].re += 1.0f; // miss: 8 bytes apart
}

__kernel void arrays(__global float *x, __global float *vx) {
  int i = get_global_id(0);
  x[i] += vx[i]; // miss: a structure of arrays
}

__kernel void all_of_it(__global Body *b, __global float *out) {
  int i = get_global_id(0);
  out[i] = b[i].x + b[i].y + b[i].z + b[i].vx + b[i].vy + b[i].vz; // HIT: all of each structure is used, but no access takes the same field of several
}

__kernel void uniform(__global Body *b, __global float *out) {
  out[get_global_id(0)] = b[0].x; // miss: the same for all work-items
}

typedef struct { float4 from, to; } Segment;

__kernel void all_of_it_in_vectors(__global Segment *s, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = s[i].to - s[i].from; // miss: every byte is used, by whole accesses
}

__kernel void copied_whole(__global const Body *b, __global float *out) {
  int i = get_global_id(0);
  Body own = b[i]; // HIT: all of each structure is used
  out[i] = own.x + own.vx;
}

__kernel void chosen_whole(__global const Body *b, __global const int *which, __global float *out) {
  int i = get_global_id(0);
  Body own = b[which[i]]; // HIT: in a structure that a loaded index selects
  out[i] = own.x + own.vx;
}

__kernel void whole_for_all(__global const Body *b, __global float *out, int n) {
  Body own = b[n]; // miss: the same for all work-items
  out[get_global_id(0)] = own.x + own.vx;
}

struct Text {
  int length;
  char bytes[28];
};

__kernel void texts(__global const struct Text *in, __global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < in[i].length; ++k)
    sum += in[i].bytes[k]; // miss: all of the array may be read
  out[i] = sum;
}

// A function that two kernels call: each is reported at its own access, if it has one.
static void reset(__global Body *b) { b[get_global_id(0)].x = 0.0f; } // HIT: 4 of the 24 bytes

__kernel void resets(__global Body *b) {
  reset(b);
}

__kernel void resets_and_moves(__global Body *b) {
  int i = get_global_id(0);
  reset(b);
  b[i].vx = 1.0f; // HIT: 8 of the 24 bytes of each structure are used
}

__kernel void whole_vectors(__global float4 *b) {
  b[get_global_id(0)] = (float4)(0.0f); // miss: no structure
}

__kernel void one_structure(__global Body *b) {
  if (get_global_id(0) == 0)
    b[get_global_id(0)].x = 0.0f; // miss: one work-item
}

typedef struct { float x, y, vx, vy, mass; } Particle;

// The field that all work-items read is not used of their own elements.
__kernel void pulled(__global Particle *p, int n) {
  int i = get_global_id(0);
  float fx = 0.0f, fy = 0.0f;
  for (int j = 0; j < n; ++j) {
    fx += (p[j].x - p[i].x) * p[j].mass; // HIT: 16 of the 20 bytes
    fy += (p[j].y - p[i].y) * p[j].mass;
  }
  p[i].vx += fx;
  p[i].vy += fy;
}

__kernel void pulled_by_mass(__global Particle *p, int n) {
  int i = get_global_id(0);
  float fx = 0.0f, fy = 0.0f;
  for (int j = 0; j < n; ++j) {
    fx += (p[j].x - p[i].x) * p[j].mass; // HIT: all of each structure is used
    fy += (p[j].y - p[i].y) * p[j].mass;
  }
  p[i].vx += fx / p[i].mass;
  p[i].vy += fy / p[i].mass;
}

// Which structure, memory says: each work-item has another one all the same.
struct Edge {
  int from, to;
};
struct Particle {
  float4 pos, velocity, force, other;
};
__kernel void springs(__global const struct Edge *edges, __global const struct Particle *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = in[edges[i].to].pos - in[edges[i].from].pos; // HIT: 'in.pos' of neighbouring work-items is in a structure that a loaded index selects
}

__kernel void half_used(__global const struct Edge *edges, __global const struct Particle *in, __global float4 *out) {
  int i = get_global_id(0), k = edges[i].to;
  out[i] = in[k].pos + in[k].velocity; // HIT: 32 of the 64 bytes of each structure are used
}

struct Joint {
  float4 pos, velocity, force;
  int from, to;
};
__kernel void a_third_used(__global const struct Joint *joints, __global const int *which, __global float4 *out) {
  int i = get_global_id(0), k = which[i];
  out[i] = joints[k].pos + (float)joints[k].to; // HIT: 20 of the 64 bytes of each structure are used
}

__kernel void one_for_all(__global const int *which, __global const struct Particle *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = in[which[0]].pos; // miss: the same for all
}

__kernel void components(__global struct Particle *p) {
  int i = get_global_id(0);
  p[i].pos.y += p[i].velocity.y; // HIT: 32 of the 64 bytes of each structure are used
}

// Structures that are elements of a structure's array.
struct Cell {
  int count;
  Body bodies[16];
  float weights[16];
};
__kernel void of_one_cell(__global const struct Cell *cells, __global float *out, int c) {
  int i = get_local_id(0);
  out[get_global_id(0)] = cells[c].bodies[i].z; // HIT: 'cells.bodies[].z' of neighbouring work-items is 24 bytes apart: 4 of the 24 bytes of each structure are used
}

__kernel void weights_of_one_cell(__global const struct Cell *cells, __global float *out, int c) {
  int i = get_local_id(0);
  out[get_global_id(0)] = cells[c].weights[i]; // miss: neighbours have neighbouring numbers
}

// Each work-item has several.
__kernel void row_of_bodies(__global const Body *b, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += b[i * n + k].z; // HIT: 'b.z' of neighbouring work-items is a row of structures apart
  out[i] = sum;
}

__kernel void row_of_pairs(__global const Pair *p, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += p[i * n + k].re; // miss: no more than 16 bytes each
  out[i] = sum;
}

// A structure that is larger than a cache line.
struct State {
  int at;
  uint words[255];
};
__kernel void state_each(__global struct State *states, __global uint *out) {
  int i = get_global_id(0);
  int at = states[i].at; // HIT: 'states.at' of neighbouring work-items is 1024 bytes apart: all of each structure is used
  out[i] = states[i].words[at]; // miss: already reported above
  for (int k = 0; k < 255; ++k)
    states[i].words[k] ^= at;
}

__kernel void chosen_in_vectors(__global const Segment *s, __global const int *which, __global float4 *out) {
  int i = get_global_id(0), k = which[i];
  out[i] = s[k].to - s[k].from; // miss: every byte is used, by whole accesses
}

__kernel void chosen_for_all(__global const Body *b, __global const int *which, __global float *out) {
  int i = get_global_id(0), k = which[0];
  out[i] = b[k].x + b[k].vx; // miss: the same for all work-items
}

typedef struct {
  int n;
  float weights[64];
} Table;
__kernel void chosen_in_it(__global const Table *t, __global const int *which, __global float *out) {
  int i = get_global_id(0);
  out[i] = t->weights[which[i]] * t->n; // miss: one structure, of which memory chooses an element
}

// Constant arguments are in memory as well.
__kernel void chosen_constants(__constant Body *b, __global const int *which, __global float *out) {
  int i = get_global_id(0);
  out[i] = b[which[i]].x; // HIT: in a structure that a loaded index selects
}

__kernel void constants_for_all(__constant Body *b, int n, __global float *out) {
  out[get_global_id(0)] = b[n].x; // miss: the same for all work-items
}

typedef struct {
  float re, im;
} Complex;
__kernel void chosen_pairs(__global const Complex *p, __global const int *which, __global float *out) {
  int i = get_global_id(0);
  out[i] = p[which[i]].re; // miss: 8 bytes
}

typedef struct {
  uint w[16];
  uint count, length;
} Block;
__kernel void part_of_array(__global const Block *b, __global uint *out) {
  int i = get_global_id(0);
  uint s = b[i].count; // HIT: 20 of the 72 bytes
  for (int k = 0; k < 4; ++k)
    s += b[i].w[k];
  out[i] = s;
}

__kernel void any_of_array(__global const Block *b, __global uint *out, int n) {
  int i = get_global_id(0);
  uint s = b[i].count; // HIT: 68 of the 72 bytes
  for (int k = 0; k < n; ++k)
    s += b[i].w[k];
  out[i] = s;
}

__kernel void same_block(__global const Block *b, __global uint *out) {
  uint s = 0;
  for (int k = 0; k < 4; ++k)
    s += b[0].w[k]; // miss: one structure for all
  out[get_global_id(0)] = s;
}

__kernel void block_of_group(__global const Block *b, __global uint *out) {
  out[get_global_id(0)] = b[get_group_id(0)].w[get_local_id(0)]; // miss: neighbours share it
}
