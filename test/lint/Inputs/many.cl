#if KIND == 0
__kernel void kind0(__global float *x) {
  x[get_global_id(0)] = 0;
}
#elif KIND == 1
__kernel void kind1(__global float *x) {
  x[get_global_id(0)] = 1;
}
#elif KIND == 2
__kernel void kind2(__global float *x) {
  x[get_global_id(0)] = 2;
}
#elif KIND == 3
__kernel void kind3(__global float *x) {
  x[get_global_id(0)] = 3;
}
#elif KIND == 4
__kernel void kind4(__global float *x) {
  x[get_global_id(0)] = 4;
}
#elif KIND == 5
__kernel void kind5(__global float *x) {
  x[get_global_id(0)] = 5;
}
#elif KIND == 6
__kernel void kind6(__global float *x) {
  x[get_global_id(0)] = 6;
}
#elif KIND == 7
__kernel void kind7(__global float *x) {
  x[get_global_id(0)] = 7;
}
#elif KIND == 8
__kernel void kind8(__global float *x) {
  x[get_global_id(0)] = 8;
}
#elif KIND == 9
__kernel void kind9(__global float *x) {
  x[get_global_id(0)] = 9;
}
#elif KIND == 10
__kernel void kind10(__global float *x) {
  x[get_global_id(0)] = 10;
}
#elif KIND == 11
__kernel void kind11(__global float *x) {
  x[get_global_id(0)] = 11;
}
#elif KIND == 12
__kernel void kind12(__global float *x) {
  x[get_global_id(0)] = 12;
}
#elif KIND == 13
__kernel void kind13(__global float *x) {
  x[get_global_id(0)] = 13;
}
#elif KIND == 14
__kernel void kind14(__global float *x) {
  x[get_global_id(0)] = 14;
}
#elif KIND == 15
__kernel void kind15(__global float *x) {
  x[get_global_id(0)] = 15;
}
#endif
