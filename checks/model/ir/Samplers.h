//===-- checks/model/ir/Samplers.h - The bits of a constant sampler -*- C++ -*-===//
//
// As Clang's opencl-c-base.h defines CLK_NORMALIZED_COORDS_TRUE and the others.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_IR_SAMPLERS_H
#define CLMALI_CHECKS_MODEL_IR_SAMPLERS_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

struct SamplerBits {
  enum Address : uint8_t { None, ClampToEdge, Clamp, Repeat, MirroredRepeat };
  bool Normalized = false, Linear = false;
  Address Mode = None;

  explicit SamplerBits(int64_t Bits)
      : Normalized(Bits & 1), Linear(Bits & 32), Mode(Address((Bits & 14) / 2)) {}
};

/// The bits of V; nothing: it is an argument.
inline std::optional<SamplerBits> constantSampler(const Var &V) {
  return V.K == Var::SamplerConst ? std::optional(SamplerBits(V.Ints.front())) : std::nullopt;
}

/// True if what Read, an ImageRead, gives outside of its image is undefined: it has no sampler, or
/// one without an address mode. False where the sampler is an argument.
inline bool isUndefinedOutside(const Expr &Read) {
  std::optional<SamplerBits> S = Read.Sampler ? constantSampler(*Read.Sampler) : std::nullopt;
  return !Read.Sampler || (S && S->Mode == SamplerBits::None);
}

} // namespace clmali::model
#endif
