//===-- test/passes/MachineImages.h - Images of the machine -----*- C++ -*-===//
//
// Reads, writes and sizes of images. Texels are float4; constant samplers of filter NEAREST and
// integer coordinates, everything else is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_TEST_PASSES_MACHINEIMAGES_H
#define CLMALI_TEST_PASSES_MACHINEIMAGES_H

#include "Machine.h"

namespace clmali::testing {

class MachineImages {
public:
  /// Texels are in O.Buffers, and O gets what is wrong or unknown.
  MachineImages(const Launch &L, Outcome &O) : L(L), Out(O) {}

  Value read(const model::Expr *E, const Value &At);
  void write(const model::Stmt *S, const Value &At, const Value &V);
  Value extent(const model::Expr *E);

private:
  const Launch &L;
  Outcome &Out;

  std::optional<uint64_t> texel(const model::Var *Image, const Value &At, const model::Var *Sampler,
                                bool Write);
};

} // namespace clmali::testing
#endif
