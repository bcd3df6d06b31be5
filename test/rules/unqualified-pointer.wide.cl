// RUN: %{python} %{expect} %s
// Compilers take atomic_add of a long for atom_add; what it does to its buffers is seen.

__kernel void counts(__global ulong *in, __global ulong *out) { // HIT: 'in' is only read from, and not const
  int id = get_global_id(0);
  for (int i = id; i < 256; i++)
    atomic_add(&out[i], in[id]);
}

__kernel void counts_const(__global const ulong *in, __global ulong *out) { // miss: const, and 'out' is written
  int id = get_global_id(0);
  for (int i = id; i < 256; i++)
    atomic_add(&out[i], in[id]);
}
