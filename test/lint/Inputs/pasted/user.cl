__kernel void user(__global float *of_user) {
  of_user[get_global_id(0)] = SCALED(2.0f) + damped(1.0f);
}
