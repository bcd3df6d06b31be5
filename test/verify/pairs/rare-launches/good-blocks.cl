// expect: held
// why: blocks of four and their tail
// launch: {"kernel": "raise_v4", "when": "gx >= 4 && ox % 4 == 0", "global": ["gx / 4"], "offset": ["ox / 4"]}
// launch: {"kernel": "raise", "when": "gx >= 4 && ox % 4 == 0 && gx % 4 != 0", "global": ["gx % 4"], "offset": ["ox + gx - gx % 4"]}
// launch: {"kernel": "raise", "when": "gx < 4 || ox % 4 != 0", "global": ["gx"], "offset": ["ox"]}
__kernel void raise(__global const short *x, __global short *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] + 5;
}

__kernel void raise_v4(__global const short *x, __global short *y, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n)
    vstore4(vload4(0, x + i) + (short)5, 0, y + i);
}
