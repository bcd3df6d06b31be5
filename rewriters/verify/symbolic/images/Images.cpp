#include "rewriters/verify/symbolic/images/Images.h"

#include "llvm/IR/DerivedTypes.h"

namespace clmali::verify::symbolic {

using namespace llvm;

std::optional<ImageShape> imageShapeOf(const Type *Ty) {
  // Dimensions, depth, layers, samples, use of samplers, format, access.
  enum Parameter { Dim, Depth, Arrayed, MultiSampled, Sampled, Format, Access, Parameters };
  enum { Dim1D, Dim2D, Dim3D, DimBuffer = 5 };
  const auto *T = dyn_cast<TargetExtType>(Ty);
  if (!T || T->getName() != "spirv.Image" || T->getNumIntParameters() != Parameters)
    return std::nullopt;
  const ArrayRef<unsigned> P = T->int_params();
  if (P[Depth] || P[MultiSampled] || P[Access] > 2)
    return std::nullopt;
  ImageShape S;
  if (P[Dim] == Dim1D || P[Dim] == DimBuffer)
    S.Dimensions = 1;
  else if (P[Dim] == Dim2D || P[Dim] == Dim3D)
    S.Dimensions = P[Dim] + 1;
  else
    return std::nullopt;
  S.Layers = P[Arrayed] != 0;
  S.Use = ImageShape::Access(P[Access]);
  return S;
}

bool isSampler(const Type *Ty) {
  const auto *T = dyn_cast<TargetExtType>(Ty);
  return T && T->getName() == "spirv.Sampler";
}

uint64_t mostTexels(const ImageShape &S) {
  // Three coordinates and the bytes of a texel leave the sign of 64 bits free.
  return uint64_t(1) << (S.extents() == 1 ? 31 : 19);
}

SamplerBits SamplerBits::of(const launch::SamplerSpec &S) {
  using Mode = launch::SamplerSpec::AddressMode;
  SamplerBits B;
  B.Bits = (S.Normalized ? NormalizedBit : 0) | (S.Linear ? LinearBit : NearestBit);
  switch (S.Address) {
  case Mode::None:
    break;
  case Mode::ClampToEdge:
    B.Bits |= EdgeAddress;
    break;
  case Mode::Clamp:
    B.Bits |= ClampAddress;
    break;
  case Mode::Repeat:
    B.Bits |= RepeatAddress;
    break;
  case Mode::MirroredRepeat:
    B.Bits |= MirroredAddress;
    break;
  }
  return B;
}

} // namespace clmali::verify::symbolic
