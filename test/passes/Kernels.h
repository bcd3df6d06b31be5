//===-- test/passes/Kernels.h - Sources and launches for tests --*- C++ -*-===//
#ifndef CLMALI_TEST_PASSES_KERNELS_H
#define CLMALI_TEST_PASSES_KERNELS_H

#include "Machine.h"
#include "checks/model/analysis/Analysis.h"
#include "checks/model/frontend/Frontend.h"
#include "rewriters/pass/Passes.h"
#include <gtest/gtest.h>

namespace clmali::testing {

/// A source whose first kernel the test changes; Old is a copy of it.
struct Source {
  model::ParseResult Parsed;
  model::Kernel *Old = nullptr, *New = nullptr;
  std::vector<rewrite::RefusalAt> Refusals;
  rewrite::StagingNeeds Needs;
  model::Module &module() { return *Parsed.M; }
  std::string text() const { return model::dump(*New); }
};
Source parse(llvm::StringRef Text, std::vector<std::string> Args = {});

/// Runs both kernels on the same data; fails the test unless the new one gives
/// the same bytes, reads nothing that the old one does not read, and overflows
/// nowhere if the old one does not.
struct Both {
  Outcome Old, New;
};
Both expectSame(const Source &S, const Launch &L);
/// The same where the new kernel has a launch of its own. A block of work-items may read what lies
/// between bytes that they access, and compute for lanes that have nothing to do, where signed sums
/// may overflow.
Both expectSame(const Source &S, const Launch &L, const Launch &OfNew, bool IsBlock = false);

/// Bytes from a simple generator: Seed 0 gives values that count up.
template <typename T>
std::vector<uint8_t> data(size_t Count, uint64_t Seed, double Low, double High) {
  std::vector<uint8_t> Bytes(Count * sizeof(T));
  uint64_t State = Seed * 2654435761u + 12345;
  for (size_t I = 0; I < Count; ++I) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    double Unit = double(State >> 11) / double(uint64_t(1) << 53);
    T V = T(Low + Unit * (High - Low));
    __builtin_memcpy(&Bytes[I * sizeof(T)], &V, sizeof(T));
  }
  return Bytes;
}

} // namespace clmali::testing
#endif
