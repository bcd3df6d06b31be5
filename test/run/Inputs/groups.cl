// What the runtime made of a launch without a local size.
kernel void groups_seen(global int *seen) { seen[get_global_id(0)] = get_local_size(0) > 1; }
kernel void groups_wanted(global int *seen) { seen[get_global_id(0)] = 1; }
