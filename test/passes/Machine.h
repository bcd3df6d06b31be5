//===-- test/passes/Machine.h - Runs kernels of the model -------*- C++ -*-===//
//
// A machine for tests of passes: it runs a kernel of the model for a whole
// launch, work-items of a group in lockstep, statement by statement. What it
// says of a run: the buffers afterwards, which bytes were read, how many loads
// and stores there were, and what was wrong (an access outside, a signed
// overflow, a barrier that not all reach, a value that was never set).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_TEST_PASSES_MACHINE_H
#define CLMALI_TEST_PASSES_MACHINE_H

#include "checks/model/ir/Model.h"
#include <map>
#include <set>

namespace clmali::testing {

struct Value {
  model::ScalarKind K = model::ScalarKind::Int;
  unsigned Lanes = 1;
  bool Set = false;
  std::array<int64_t, 16> I{};
  std::array<double, 16> F{};
};

/// How a kernel is run. Arguments by name.
struct Launch {
  std::array<uint64_t, 3> Global{1, 1, 1}, Local{1, 1, 1}, Offset{0, 0, 0};
  std::map<std::string, std::vector<uint8_t>> Buffers; ///< __global and __constant
  std::map<std::string, uint64_t> LocalBytes;          ///< __local pointers
  std::map<std::string, std::vector<double>> Scalars;  ///< components
  /// Width, height and depth of images. Their texels are float4, in Buffers.
  std::map<std::string, std::array<int64_t, 3>> Images;
  std::set<std::string> OpaqueBorders; ///< images whose border colour has alpha 1
};

struct Outcome {
  std::map<std::string, std::vector<uint8_t>> Buffers;
  std::set<std::pair<std::string, uint64_t>> Reads; ///< bytes of buffers
  std::set<std::pair<std::string, uint64_t>> Writes;
  uint64_t Loads = 0, Stores = 0, Barriers = 0, LocalAccesses = 0;
  std::string Wrong;       ///< the first thing that was wrong
  std::string Unknown;     ///< an unsupported operation: the run is inconclusive
  bool Overflowed = false; ///< a signed operation overflowed
};

Outcome run(const model::Kernel &K, const Launch &L);

} // namespace clmali::testing
#endif
