__kernel void near(__global float *y) {
  uint i = get_global_id(0);
  ulong far = (ulong)(i - 3003u) + 2ul;
  y[i] = far < 60ul ? 1.0f : 2.0f;
}
