//===-- rewriters/hoist-arithmetic.cpp - Arithmetic before the barrier -------===//
//
// What it does: what directly follows a barrier, and touches no memory, moves before
// it where a read of local memory stands there, whose latency it then hides:
//
//   before                                   after
//   float v = part[63 - l];                  float v = part[63 - l];
//   barrier(CLK_LOCAL_MEM_FENCE);            float w = a * b + a / b;
//   float w = a * b + a / b;                 barrier(CLK_LOCAL_MEM_FENCE);
//   part[l] = v + w;                         part[l] = v + w;
//
// Legal always: a barrier orders accesses to memory, and what moves makes none. The
// statements keep their order.
//
// Pays if: the statement before the barrier reads local memory or a table of constants,
// and what moves computes something. checks/model/pattern/HoistableWork.h finds both.
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/HoistableWork.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include <algorithm>

namespace clmali::rewrite {

using namespace model;

namespace {

unsigned hoist(StmtList &B) {
  unsigned Done = 0;
  for (size_t I = 0; I < B.size(); ++I) {
    forEachStmtList(*B[I], [&](StmtList &Nested) { Done += hoist(Nested); });
    std::optional<size_t> End = pattern::endOfHoistableWork(B, I);
    if (!End)
      continue;
    std::rotate(B.begin() + long(I), B.begin() + long(I) + 1, B.begin() + long(*End));
    I = *End - 1;
    ++Done;
  }
  return Done;
}

} // namespace

unsigned hoistArithmetic(Module &, Kernel &K) { return hoist(K.Body); }

static bool suits(const PassState &S) { return S.device().LocalOnChip; }

static unsigned edit(PassState &S) { return hoistArithmetic(S.module(), S.kernel()); }

CLMALI_PASS(.Id = "hoist-arithmetic", .ShownAs = "hoist-arithmetic",
            .Does = "Arithmetic after a barrier moves before it, where it hides a read's latency.",
            .Suits = suits, .Edit = edit);

} // namespace clmali::rewrite
