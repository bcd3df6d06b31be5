__kernel void ordered(__global int *of_all) {
  of_all[get_global_id(0)] = lowest(7) + least_of(3);
}
