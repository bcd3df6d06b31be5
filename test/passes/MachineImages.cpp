//===-- test/passes/MachineImages.cpp - Images of the machine --------------===//

#include "MachineImages.h"
#include "checks/model/ir/Samplers.h"
#include <cstring>

namespace clmali::testing {

using namespace model;

constexpr unsigned TexelBytes = 16;

static Value valueOf(const Type *T) {
  Value V;
  V.K = T->Scalar;
  V.Lanes = T->Lanes;
  V.Set = true;
  return V;
}

/// Says it once.
static void note(std::string &Of, const std::string &What) {
  if (Of.empty())
    Of = What;
}

/// The first byte of the texel of Image at At. Nothing: it is outside and the border colour is
/// meant, or it is wrong.
std::optional<uint64_t> MachineImages::texel(const Var *Image, const Value &At, const Var *Sampler,
                                             bool Write) {
  auto Size = L.Images.find(Image->Name);
  const SamplerBits Bits =
      Sampler ? constantSampler(*Sampler).value_or(SamplerBits(0)) : SamplerBits(0);
  if (Size == L.Images.end() || isFloat(At.K) || Bits.Normalized || Bits.Linear)
    return note(Out.Unknown, "image " + Image->Name), std::nullopt;
  int64_t Index = 0;
  for (unsigned D = std::min(At.Lanes, 3u); D-- > 0;) {
    const int64_t Most = Size->second[D];
    const bool Outside = At.I[D] < 0 || At.I[D] >= Most;
    if (Outside && Bits.Mode == SamplerBits::Clamp)
      return std::nullopt;
    if (Outside && (Write || Bits.Mode != SamplerBits::ClampToEdge))
      return note(Out.Wrong, "texel outside of " + Image->Name), std::nullopt;
    Index = Index * Most + std::clamp<int64_t>(At.I[D], 0, Most - 1);
  }
  return uint64_t(Index) * TexelBytes;
}

Value MachineImages::read(const Expr *E, const Value &At) {
  Value R = valueOf(E->Ty);
  std::optional<uint64_t> Byte = texel(E->Image, At, E->Sampler, false);
  if (!Out.Wrong.empty() || !Out.Unknown.empty())
    return R;
  if (!Byte) {
    R.F[3] = L.OpaqueBorders.count(E->Image->Name) ? 1 : 0;
    return R;
  }
  ++Out.Loads;
  for (unsigned I = 0; I < R.Lanes; ++I) {
    float F;
    std::memcpy(&F, Out.Buffers[E->Image->Name].data() + *Byte + 4 * I, 4);
    R.F[I] = F;
  }
  for (unsigned I = 0; I < TexelBytes; ++I)
    Out.Reads.insert({E->Image->Name, *Byte + I});
  return R;
}

void MachineImages::write(const Stmt *S, const Value &At, const Value &V) {
  std::optional<uint64_t> Byte = texel(S->Image, At, nullptr, true);
  if (!Byte || !Out.Wrong.empty() || !Out.Unknown.empty())
    return;
  ++Out.Stores;
  for (unsigned I = 0; I < 4; ++I) {
    float F = float(V.F[I]);
    std::memcpy(Out.Buffers[S->Image->Name].data() + *Byte + 4 * I, &F, 4);
  }
  for (unsigned I = 0; I < TexelBytes; ++I)
    Out.Writes.insert({S->Image->Name, *Byte + I});
}

Value MachineImages::extent(const Expr *E) {
  Value R = valueOf(E->Ty);
  auto Size = L.Images.find(E->Image->Name);
  if (Size == L.Images.end() || !isExtent(*E) || E->Name == "get_image_array_size") {
    note(Out.Unknown, E->Name);
    return R;
  }
  const unsigned First = E->Name == "get_image_height" ? 1 : E->Name == "get_image_depth" ? 2 : 0;
  for (unsigned I = 0; I < R.Lanes; ++I)
    R.I[I] = First + I < 3 ? Size->second[First + I] : 0;
  return R;
}

} // namespace clmali::testing
