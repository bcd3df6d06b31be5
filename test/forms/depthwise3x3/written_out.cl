__kernel void depthwise(__global const float *restrict in, __global const float *restrict weights,
                        __global float *restrict out, int channels, int w) {
  int c = get_global_id(0);
  int x = get_global_id(1);
  int y = get_global_id(2);
  int line = (w + 2) * channels;
  int at = y * line + x * channels + c;
  float sum = in[at] * weights[c];
  sum += in[at + channels] * weights[channels + c];
  sum += in[at + 2 * channels] * weights[2 * channels + c];
  sum += in[at + line] * weights[3 * channels + c];
  sum += in[at + line + channels] * weights[4 * channels + c];
  sum += in[at + line + 2 * channels] * weights[5 * channels + c];
  sum += in[at + 2 * line] * weights[6 * channels + c];
  sum += in[at + 2 * line + channels] * weights[7 * channels + c];
  sum += in[at + 2 * line + 2 * channels] * weights[8 * channels + c];
  out[(y * w + x) * channels + c] = sum;
}
