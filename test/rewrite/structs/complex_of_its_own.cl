// expect: held passes=vectorize
// A structure and a type name that are local to this function.
__kernel void complex_of_its_own(__global const float *re, __global const float *im, __global float *out_re, __global float *out_im, int n) {
  typedef struct {
    float x, y;
  } Complex;
  struct Pair {
    Complex a, b;
  };
  int i = get_global_id(0);
  if (i >= n)
    return;
  struct Pair p;
  p.a.x = re[i];
  p.a.y = im[i];
  p.b.x = p.a.x * p.a.x - p.a.y * p.a.y;
  p.b.y = 2.0f * p.a.x * p.a.y;
  out_re[i] = p.b.x + 0.25f;
  out_im[i] = p.b.y;
}
