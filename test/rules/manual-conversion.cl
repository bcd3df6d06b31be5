// RUN: %{python} %{expect} %s
__kernel void widen(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w); // HIT: converted component by component
}

__kernel void pack(__global const uchar4 *in, __global uint *out) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = v.x | (v.y << 8) | (v.z << 16) | ((uint)v.w << 24); // HIT: four bytes are packed
}

__kernel void builtin(__global const uchar4 *in, __global float4 *out) {
  out[get_global_id(0)] = convert_float4(in[get_global_id(0)]); // miss: convert_float4
}

__kernel void order(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = (float4)((float)v.z, (float)v.y, (float)v.x, (float)v.w); // HIT: converted component by component
}

__kernel void wide(__global const int4 *in, __global uint *out) {
  int4 v = in[get_global_id(0)];
  out[get_global_id(0)] = v.x | (v.y << 8) | (v.z << 16) | (v.w << 24); // miss: more than bytes
}

__kernel void one_by_one(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  float4 f;
  f.x = (float)v.x; // HIT: converted component by component
  f.y = (float)v.y;
  f.z = (float)v.z;
  f.w = (float)v.w;
  out[get_global_id(0)] = f;
}

__kernel void one_left_out(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  float4 f = (float4)(0.0f);
  f.x = (float)v.x; // HIT: converted component by component
  f.y = (float)v.y;
  f.z = (float)v.z;
  out[get_global_id(0)] = f;
}

__kernel void big_endian(__global const uchar *in, __global uint *out) {
  int i = 4 * get_global_id(0);
  out[get_global_id(0)] = ((uint)in[i] << 24) ^ ((uint)in[i + 1] << 16) ^ ((uint)in[i + 2] << 8) ^ in[i + 3]; // HIT: four bytes are packed
}

__kernel void three_bytes(__global const uchar *in, __global uint *out) {
  int i = 4 * get_global_id(0);
  out[get_global_id(0)] = ((uint)in[i] << 16) ^ ((uint)in[i + 1] << 8) ^ in[i + 2]; // HIT: three bytes are packed
}

__kernel void two_of_them(__global const uchar *in, __global uint *out) {
  int i = 4 * get_global_id(0);
  out[get_global_id(0)] = ((uint)in[i] << 8) ^ in[i + 1]; // miss: two
}

__kernel void colour(__global const float4 *in, __global uint *out) {
  float4 c = in[get_global_id(0)];
  out[get_global_id(0)] = 0xff000000u | ((uint)(c.x * 255.0f) << 16) | ((uint)(c.y * 255.0f) << 8) | (uint)(c.z * 255.0f); // HIT: four bytes are packed
}

__kernel void no_alpha(__global const float4 *in, __global uint *out) {
  float4 c = in[get_global_id(0)];
  out[get_global_id(0)] = ((uint)(c.x * 255.0f) << 16) | ((uint)(c.y * 255.0f) << 8) | (uint)(c.z * 255.0f); // HIT: three bytes are packed
}

__kernel void unpack(__global const uint *in, __global uint *out) {
  uint p = in[get_global_id(0)];
  uint r = (p >> 16) & 0xff; // HIT: taken out with shifts
  uint g = (p >> 8) & 0xff;
  uint b = p & 0xff;
  out[get_global_id(0)] = r + g + b;
}

__kernel void unpack_two(__global const uint *in, __global uint *out) {
  uint p = in[get_global_id(0)];
  uint g = (p >> 8) & 0xff; // miss: two bytes
  uint b = p & 0xff;
  out[get_global_id(0)] = g + b;
}

__kernel void nibbles(__global const uint *in, __global uint *out) {
  uint p = in[get_global_id(0)];
  uint r = (p >> 8) & 15, g = (p >> 4) & 15, b = p & 15; // miss: no bytes
  out[get_global_id(0)] = r + g + b;
}

__kernel void to_bytes(__read_only image2d_t in, __global uchar *out, sampler_t at) {
  int x = 4 * get_global_id(0);
  float4 c = read_imagef(in, at, (int2)(get_global_id(0), 0));
  out[x] = (uchar)(c.x * 255.0f); // HIT: neighbouring elements are converted one by one
  out[x + 1] = (uchar)(c.y * 255.0f);
  out[x + 2] = (uchar)(c.z * 255.0f);
}

__kernel void two_bytes(__read_only image2d_t in, __global uchar *out, sampler_t at) {
  int x = 4 * get_global_id(0);
  float4 c = read_imagef(in, at, (int2)(get_global_id(0), 0));
  out[x] = (uchar)(c.x * 255.0f); // HIT: converted to uchar by a cast
  out[x + 1] = (uchar)(c.y * 255.0f);
}

__kernel void apart(__global const float *in, __global uchar *out, int w) {
  int x = get_global_id(0);
  out[x] = (uchar)in[x]; // HIT: converted to uchar by a cast
  out[x + w] = (uchar)in[x + w];
  out[x + 2 * w] = (uchar)in[x + 2 * w];
}

__kernel void three_values(__global const uchar *in, __global uint4 *out) {
  int x = 3 * get_global_id(0);
  uchar r = in[x], g = in[x + 1], b = in[x + 2];
  out[get_global_id(0)] = (uint4)((uint)r, (uint)g, (uint)b, 255); // HIT: converted component by component
}

__kernel void a_place(__global int4 *out) {
  out[get_global_id(0)] = (int4)((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0); // miss: ids
}

__kernel void of_several_types(__global const uchar *in, __global const short *more, __global uint4 *out) {
  int x = get_global_id(0);
  out[x] = (uint4)((uint)in[x], (uint)more[x], (uint)in[x + 1], 255); // miss: bytes and shorts
}

__kernel void shifted_on(__global const uint *in, __global float4 *out) {
  uint u = in[get_global_id(0)];
  float4 f = (float4)(0.0f);
  f.x = u & 0xff; // HIT: taken out with shifts
  u >>= 8;
  f.y = u & 0xff;
  u >>= 8;
  f.z = u & 0xff;
  out[get_global_id(0)] = f;
}

__kernel void masked_first(__global const int *in, __global int *out) {
  int p = in[get_global_id(0)];
  int r = p & 0xff, g = (p & 0xff00) >> 8, b = (p & 0xff0000) >> 16; // HIT: taken out with shifts
  out[get_global_id(0)] = r + g + b;
}

__kernel void masked_elsewhere(__global const int *in, __global int *out) {
  int p = in[get_global_id(0)];
  int r = p & 0xf0, g = (p & 0xf000) >> 8, b = (p & 0xf00000) >> 16; // miss: no bytes
  out[get_global_id(0)] = r + g + b;
}

__kernel void components_of_two(__global const float4 *in, __global int4 *out) {
  float4 a = in[0], b = in[1];
  int x = (int)(a.x * b.x), y = (int)(a.y + b.x), z = (int)(a.z * a.x); // HIT: converted to int by a cast
  out[get_global_id(0)] = (int4)(x, y, z, 0);
}

__kernel void of_one_component(__global const float4 *in, __global int4 *out) {
  float4 a = in[0];
  int x = (int)(a.x * 2.0f), y = (int)(a.x * 3.0f), z = (int)(a.x * 4.0f); // HIT: converted to int by a cast
  out[get_global_id(0)] = (int4)(x, y, z, 0);
}

__kernel void written_once(__global const float4 *in, __global int *out) {
  float4 a = in[get_global_id(0)];
  int x = (int)a.x, y = (int)a.y; // HIT: converted to int by a cast
  out[get_global_id(0)] = x + y;
}

// One statement after another.
__kernel void gathered(__global const char *key, __global uint *words) {
  int i = get_global_id(0);
  words[i] = key[4 * i] << 24; // HIT: four bytes are packed
  words[i] |= key[4 * i + 1] << 16;
  words[i] |= key[4 * i + 2] << 8;
  words[i] |= key[4 * i + 3];
}

__kernel void gathered_masked(__global const float4 *in, __global uint *out) {
  float4 c = in[get_global_id(0)];
  uint p = 0x000000ff & (uint)(c.x + 0.5f); // HIT: three bytes are packed
  p |= 0x0000ff00 & ((uint)(c.y + 0.5f) << 8);
  p |= 0x00ff0000 & ((uint)(c.z + 0.5f) << 16);
  out[get_global_id(0)] = p;
}

__kernel void gathered_elsewhere(__global const uchar *key, __global uint *words) {
  int i = get_global_id(0);
  words[i] = key[4 * i] << 24; // miss: another word each time
  words[i + 1] |= key[4 * i + 1] << 16;
  words[i + 2] |= key[4 * i + 2] << 8;
  uint h = key[0]; // miss: more than bytes
  h ^= h << 8 ^ key[1];
  h ^= h << 16 ^ key[2];
  words[i + 3] = h;
  uint flags = key[3] & 1; // miss: all in one byte
  flags |= (key[4] & 1) << 1;
  flags |= (key[5] & 1) << 2;
  words[i + 4] = flags;
}

__kernel void of_64_bits(__global const uchar *in, __global ulong *out, __global uchar *bytes) {
  int i = get_global_id(0);
  out[i] = (ulong)in[i] << 56 | (ulong)in[i + 1] << 48 | (ulong)in[i + 2] << 40 | (ulong)in[i + 3] << 32; // HIT: four bytes are packed
  ulong v = out[i + 1];
  bytes[i] = v >> 32; // HIT: the bytes of a 64-bit value are taken out
  bytes[i + 8] = v >> 40;
  bytes[i + 16] = v >> 48;
  bytes[i + 24] = v >> 56;
}

__kernel void in_loops(__global const uint *in, __global uchar *out, __global uint *packed, int n) {
  int i = get_global_id(0);
  uint v = in[i], w = 0;
  for (int k = 0; k < 4; ++k)
    out[4 * i + k] = (v >> (8 * k)) & 255; // HIT: the bytes of a 32-bit value are taken out
  for (int k = 0; k < 4; ++k)
    w |= (in[i + k] & 255) << (24 - 8 * k); // HIT: bytes are packed
  packed[i] = w;
  for (int k = 0; k < 16; ++k)
    out[k] += (v >> (2 * k)) & 3; // miss: pairs of bits
  out[i] = (v >> n) & 255; // miss: a digit that the host chooses
}

__kernel void of_a_table(__global const uint *in, __global uchar *out) {
  uchar channel[9];
  uint pixels[9];
  int x = get_global_id(0), sum = 0;
  for (int k = 0; k < 9; ++k)
    pixels[k] = in[x + k];
  for (int k = 0; k < 9; ++k)
    sum += (pixels[k] >> 16) & 255; // HIT: the bytes of a 32-bit value are taken out
  for (int j = 0; j < 9; ++j)
    sum += (pixels[j] >> 8) & 255;
  for (int j = 0; j < 9; ++j)
    sum += pixels[j] & 255;
  out[x] = sum;
}

typedef union { float f; uint u; ushort s[2]; } either;
__kernel void reinterpreted(__global float *x, __global uint *y) {
  int i = get_global_id(0);
  float v = x[i];
  uint u = *(uint *)&v; // HIT: the bits of 'v' are taken for another type
  either e, same, both;
  e.f = v;
  y[i] = u ^ e.u; // HIT: the bits of 'e' are taken for another type
  same.u = u;
  y[i] += same.u; // miss: the field that was written
  both.f = v;
  if (u > 7)
    both.u = u;
  y[i] += both.u; // miss: it may have been written as such
  y[i] += as_uint(v); // miss: as_uint
}

__kernel void one_cast(__global const float *x, __global uchar *out, int w, float scale) {
  int i = get_global_id(0);
  int at = (int)(x[i] * scale); // HIT: converted to int by a cast
  out[at] = convert_uchar_sat(x[i]); // miss: convert_uchar_sat
  out[at + 1] = x[i]; // miss: no cast was written
  out[at + 2] = x[i] + (float)3; // miss: a constant
  size_t wide = (size_t)at * w; // miss: a wider whole number
  int id = (int)get_global_id(1); // miss: no data
  out[wide + id] = 0;
}

__kernel void limited(__global const int *x, __global uchar *out) {
  int i = get_global_id(0), v = clamp(x[i], 0, 255);
  out[i] = (uchar)v; // HIT: converted to uchar by a cast
  out[i + 1] = (uchar)out[i + 2]; // miss: it is one
  out[i + 3] = (uchar)7; // miss: a constant
}

__kernel void no_casts(__global const uint *in, __global const float *f, __global ushort *half_words, __global uint *out) {
  int i = get_global_id(0);
  uint v = in[i];
  out[i] = v << 24 | v >> 8; // miss: turned
  out[i + 1] = (v & 31) | (v & 63) << 5 | (v & 31) << 11; // miss: no whole bytes
  out[i + 2] = (v >> 4 & 255) + (v >> 12 & 255) + (v >> 20 & 255); // miss: bytes at other places
  half_words[i] = convert_ushort_sat_rte(f[i]); // miss: convert_ushort
  float sum = f[i] + v; // miss: an implicit conversion
  double wide = (double)sum; // miss: a wider fraction
  out[i + 3] = (uint)wide != 0 ? (uint)(v + 1) : v; // HIT: converted to uint by a cast
  bool any = (bool)sum; // miss: a question
  out[i + 4] = any ? (uint)(int)v : 0; // miss: another sign
  uint w = (v & 255) | (v & 0xff00); // miss: two bytes
  out[i + 5] = w;
}

__kernel void high_bytes(__global const ulong *in, __global uint *out) {
  int i = get_global_id(0);
  ulong h = in[i];
  out[i] = (uchar)(h >> 56); // HIT: the bytes of a 64-bit value are taken out with shifts
  out[i + 1] = (uchar)((h & 0xff0000000000UL) >> 40); // miss: reported with the first one
  out[i + 2] = (uchar)((h & 0xff000000UL) >> 24); // miss: reported with the first one
}

// Two halves.
__kernel void halves(__global const uint *in, __global ulong *out, __global uint *half_out, __global const ushort *shorts) {
  int i = get_global_id(0);
  out[i] = ((ulong)in[2 * i + 1] << 32) | in[2 * i]; // HIT: two halves are packed with shifts
  half_out[i] = ((uint)shorts[i] << 16) + shorts[i + 1]; // HIT: two halves are packed with shifts
}

__kernel void no_halves(__global const uint *in, __global ulong *out, __global uint *half_out) {
  int i = get_global_id(0);
  uint v = in[i];
  out[i] = ((ulong)v << 32) | v; // miss: one value twice
  half_out[i] = v << 16 | v >> 16; // miss: turned around
  half_out[i + 1] = v << 16 | in[i + 1]; // miss: more than a half
  out[i + 1] = (ulong)v << 32 | 7; // miss: a constant
  out[i + 2] = (ulong)v << 24 | in[i + 1]; // miss: they overlap
}

__kernel void both_parts(__global const ulong *in, __global uint *out) {
  int i = get_global_id(0);
  ulong v = in[i];
  out[2 * i] = (uint)v; // HIT: the halves of a 64-bit value are taken out with shifts
  out[2 * i + 1] = (uint)(v >> 32);
}

__kernel void both_shorts(__global const uint *in, __global ushort *out) {
  int i = get_global_id(0);
  out[2 * i] = in[i] & 0xffff; // HIT: the halves of a 32-bit value are taken out with shifts
  out[2 * i + 1] = in[i] >> 16;
}

__kernel void one_part(__global const ulong *in, __global const uint *words, __global uint *out) {
  int i = get_global_id(0);
  out[i] = (in[i] * 3) >> 32; // miss: the upper half alone
  out[i + 1] = words[i] & 0xffff; // miss: the lower half alone
  out[i + 2] = words[i + 1] >> 16; // miss: of another value
}

// Byte after byte.
__kernel void appended(__global const uchar *in, __global uint *out) {
  int i = get_global_id(0);
  uint v = 0;
  for (int k = 0; k < 4; ++k)
    v = v << 8 | in[4 * i + k]; // HIT: bytes are packed with shifts
  out[i] = v;
}

__kernel void hashed(__global const uchar *in, __global const ushort *table, __global uint *out, int n) {
  int i = get_global_id(0);
  uint v = 0, w = 0, u = 0;
  for (int k = 0; k < n; ++k)
    v = v << 8 | in[n * i + k]; // miss: how many is not known
  for (int k = 0; k < 4; ++k)
    w = w << 8 | table[4 * i + k]; // miss: more than a byte
  for (int k = 0; k < 4; ++k)
    u = u << 5 | in[4 * i + k]; // miss: they overlap
  out[i] = v ^ w ^ u;
}

__kernel void multiplied(__global const uchar *in, __global uint *out) {
  int i = get_global_id(0);
  out[i] = in[3 * i] * 65536 + in[3 * i + 1] * 256 + in[3 * i + 2]; // HIT: three bytes are packed with shifts
  out[i + 1] = in[3 * i] * 100 + in[3 * i + 1] * 10 + in[3 * i + 2]; // miss: digits
}

__kernel void binned(__global const float *in, __global uint *out) {
  int i = get_global_id(0);
  out[i] = (uint)in[i] * 65536 + (uint)in[i + 1] * 256 + (uint)in[i + 2]; // HIT: a value is converted to uint by a cast
  out[i + 1] = (uint)in[i]; // miss: already reported above
}

__kernel void shifted_out(__global const uint *in, __global uchar *out) {
  int i = get_global_id(0);
  uint v = in[i];
  for (int k = 0; k < 4; ++k) {
    out[4 * i + k] = v & 0xff; // HIT: the bytes of a 32-bit value are taken out with shifts
    v >>= 8;
  }
}

__kernel void half_bytes(__global const uint *in, __global uchar *out) {
  int i = get_global_id(0);
  uint v = in[i];
  for (int k = 0; k < 8; ++k) {
    out[8 * i + k] = v & 0xf; // miss: half a byte
    v >>= 4;
  }
}

// C converts without a word.
__kernel void channels(__global const float4 *in, __global uchar *out) {
  int i = get_global_id(0);
  out[3 * i] = in[i].x * 255.0f; // HIT: neighbouring elements are converted one by one
  out[3 * i + 1] = in[i].y * 255.0f;
  out[3 * i + 2] = in[i].z * 255.0f;
}

__kernel void planes(__global const float4 *in, __global uchar *out, int n) {
  int i = get_global_id(0);
  out[i] = in[i].x * 255.0f; // miss: a plane each
  out[i + n] = in[i].y * 255.0f;
  out[i + 2 * n] = in[i].z * 255.0f;
}

__kernel void narrower(__global const double *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = (float)in[i]; // HIT: a value is converted to float by a cast
  out[i + 1] = convert_float_rtz(in[i]); // miss: the function
}
