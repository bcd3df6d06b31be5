int first(int *p) { return p[0]; }
kernel void sum(global int *in, global int *out, global atomic_int *total) {
  local int part[64];
  int i = get_local_id(0);
  part[i] = in[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  int s = work_group_reduce_add(part[i]);
  atomic_fetch_add_explicit(total, s, memory_order_relaxed, memory_scope_device);
  out[get_global_id(0)] = first(part) + first(in);
}
