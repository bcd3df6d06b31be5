//===- Sha256.cpp - SHA-256 (FIPS 180-4) ------------------------------------------------------===//

#include "tools/layer/text/Sha256.h"
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace clmali::layer {
namespace {

constexpr std::array<uint32_t, 64> K = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct State {
  std::array<uint32_t, 8> H = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

  void block(const unsigned char *P) {
    std::array<uint32_t, 64> W;
    for (unsigned I = 0; I < 16; ++I)
      W[I] = uint32_t(P[4 * I]) << 24 | uint32_t(P[4 * I + 1]) << 16 | uint32_t(P[4 * I + 2]) << 8 |
             P[4 * I + 3];
    for (unsigned I = 16; I < 64; ++I) {
      uint32_t A = W[I - 15], B = W[I - 2];
      W[I] = W[I - 16] + (std::rotr(A, 7) ^ std::rotr(A, 18) ^ (A >> 3)) + W[I - 7] +
             (std::rotr(B, 17) ^ std::rotr(B, 19) ^ (B >> 10));
    }
    std::array<uint32_t, 8> V = H;
    for (unsigned I = 0; I < 64; ++I) {
      uint32_t T1 = V[7] + (std::rotr(V[4], 6) ^ std::rotr(V[4], 11) ^ std::rotr(V[4], 25)) +
                    ((V[4] & V[5]) ^ (~V[4] & V[6])) + K[I] + W[I];
      uint32_t T2 = (std::rotr(V[0], 2) ^ std::rotr(V[0], 13) ^ std::rotr(V[0], 22)) +
                    ((V[0] & V[1]) ^ (V[0] & V[2]) ^ (V[1] & V[2]));
      V = {T1 + T2, V[0], V[1], V[2], V[3] + T1, V[4], V[5], V[6]};
    }
    for (unsigned I = 0; I < 8; ++I)
      H[I] += V[I];
  }
};

} // namespace

std::string sha256(std::string_view Data) {
  State S;
  const auto *P = reinterpret_cast<const unsigned char *>(Data.data());
  size_t Whole = Data.size() / 64 * 64;
  for (size_t I = 0; I < Whole; I += 64)
    S.block(P + I);
  // The rest, a bit of 1, zeros, and the length in bits.
  unsigned char Tail[128] = {};
  size_t Rest = Data.size() - Whole;
  if (Rest)
    std::memcpy(Tail, P + Whole, Rest);
  Tail[Rest] = 0x80;
  size_t Length = Rest < 56 ? 64 : 128;
  for (unsigned I = 0; I < 8; ++I)
    Tail[Length - 1 - I] = static_cast<unsigned char>(uint64_t(Data.size()) * 8 >> (8 * I));
  for (size_t I = 0; I < Length; I += 64)
    S.block(Tail + I);
  char Out[65];
  for (unsigned I = 0; I < 8; ++I)
    std::snprintf(Out + 8 * I, 9, "%08x", S.H[I]);
  return Out;
}

} // namespace clmali::layer
