// Forms of C whose meaning hangs on conversions, precedence and order.
#define MIX(a, b) ((a) > (b) ? (a) - (b) : (b) + (a))
typedef struct {
  float4 pos;
  float v[3];
  int id;
} Item;

__constant short table[4] = {1, -2, 3, -32768};

int helper(uchar c, short s) {
  if (c > 100)
    return s - c;
  for (int i = 0; i < 3; ++i)
    if (s < i)
      return i;
  return c << 2;
}

__kernel void forms(__global const int *in, __global int *out, __global Item *items, __global uchar *bytes, int n) {
  __local int tile[8][9];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l][l + 1] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = tile[l][l + 1];
  unsigned char c = bytes[g];
  char sc = c;
  short s = x;
  uint u = x;
  out[g * 16] = MIX(x & 0xff, c) + helper(c, s);
  s += c;
  c = c * 3 - s;
  out[g * 16 + 1] = s;
  out[g * 16 + 2] = c;
  out[g * 16 + 3] = (u >> 3) + (x >> 3) - (sc >> 1);
  out[g * 16 + 4] = u / 7 + x % 5 + (u - 1 < 5u) + (sc < c);
  ulong wide = (ulong)u * u + x;
  out[g * 16 + 5] = wide >> 20;
  out[g * 16 + 6] = -(-(x & 15)) - -3 + ~c + !s;
  short4 v = (short4)(s, x & 7, c, 5);
  v = v * (short)9 - (short4)(3);
  v.yw += v.xz;
  int4 m = convert_int4(v) > (int4)(10);
  int4 w = m ? convert_int4(v) : (int4)(g);
  out[g * 16 + 7] = w.x + w.y * 2 + w.z * 3 + w.w * 4;
  vstore4(w, 2, out + g * 16);
  uchar4 b4 = convert_uchar4_sat(w);
  out[g * 16 + 12] = b4.x + b4.w + as_int(b4);
  items[g].pos.y = items[g].pos.x + table[g & 3];
  items[g].v[g % 3] += 1;
  items[g].id = items[g].id + 1;
  int t = 0;
  int i = 0;
  while (i < 20) {
    ++i;
    if (i % 3 == 0)
      continue;
    if (i > (x & 15))
      break;
    t += i;
  }
  out[g * 16 + 13] = t;
  do {
    t -= 5;
  } while (t > 3 && (x & 1) | (t & 2));
  out[g * 16 + 14] = t;
  t = x & 1 ? t : x & 2 ? t + 1 : -t;
  out[g * 16 + 15] = t + *(__global const int *)(bytes + 4 * (g / 4));
}
