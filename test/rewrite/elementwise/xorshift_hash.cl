// expect: held passes=vectorize
// A hash of each index and seed with unsigned wrap-around and shifts.
#define ROTL(v, r) (((v) << (r)) | ((v) >> (32 - (r))))
__kernel void xorshift_hash(__global uint *state, uint salt) {
  size_t gid = get_global_id(0);
  uint h = state[gid] ^ salt;
  h ^= h << 13;
  h ^= h >> 17;
  h ^= h << 5;
  h *= 0x9E3779B1u;
  h = ROTL(h, 7) + (uint)gid;
  state[gid] = h;
}
