__kernel void merged(__global uint *bins, __local uint *own, int size) {
  for (int i = first_of(&size); more_of(&size); i = next_of(&size))
    own[i] += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int at = get_local_id(0); at < size; at += get_local_size(0))
    atomic_add(bins + at, own[at]);
}
