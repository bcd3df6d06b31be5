// expect: not-held
// why: the race, two elements at a time
// launch: {"kernel": "racy_2", "global": ["(gx + 1) / 2"]}
__kernel void racy_2(__global uchar *img, int w) {
  for (int x = get_global_id(0) * 2, end = x + 2; x < end && x + 1 < w; ++x)
    img[x] = (uchar)((img[x] + img[x + 1]) / 2);
}
