// expect: refused staging-source-written device=powervr-rogue run=localize
// Near miss: the kernel writes to the buffer that it reads.
__kernel void source_written_unstaged(__global float *src, __global float *dst, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n - 1) {
    dst[i] = src[i - 1] + src[i] + src[i + 1];
    src[n + i] = 0.0f;
  }
}
