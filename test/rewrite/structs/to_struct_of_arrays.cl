// expect: held
// Array of structs to three arrays.
typedef struct { int id; int key; int value; } record;
__kernel void to_struct_of_arrays(__global const record *recs, __global int *ids, __global int *keys, __global int *values, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  ids[i] = recs[i].id;
  keys[i] = recs[i].key;
  values[i] = recs[i].value;
}
