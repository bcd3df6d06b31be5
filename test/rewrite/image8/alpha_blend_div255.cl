// expect: held
// Source over destination, four channels, exact division by 255.
#define DIV255(v) (((v) + 127) / 255)
__kernel void alpha_blend_div255(__global const uchar *over, __global uchar *under, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int a = over[i * 4 + 3];
    under[i * 4 + 0] = DIV255(over[i * 4 + 0] * a + under[i * 4 + 0] * (255 - a));
    under[i * 4 + 1] = DIV255(over[i * 4 + 1] * a + under[i * 4 + 1] * (255 - a));
    under[i * 4 + 2] = DIV255(over[i * 4 + 2] * a + under[i * 4 + 2] * (255 - a));
    under[i * 4 + 3] = 255;
  }
}
