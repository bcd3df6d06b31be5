//===- ValueFlow.h - what the operations of a kernel work on, and for what --------------------===//
//
// Before: the lowered kernel of the cost model: values as a graph
// After:  for each operation, whether it computes on data, and what its result is used for
//
//   int at = in[i] * 3;  out[at] = in[i] + 1.0f;     `* 3`: of data, for an index
//                                                    `+ 1`: of data, for a value that is stored
//
// Limits: private and local arrays are known as a whole. Paths that the cost model leaves out as
// rare are not seen.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_FLOW_VALUEFLOW_H
#define CLMALI_CHECKS_QUERY_FLOW_VALUEFLOW_H

#include "checks/model/cost/Lowering.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <set>

namespace clmali::checks {

/// What the results of operations are for, as bits.
enum Use : uint8_t {
  Value = 1,      ///< stored, written to an image, or given to another file's function
  Decision = 2,   ///< a condition
  Index = 4,      ///< an address
  Coordinate = 8, ///< of an image that is read
  Converted = 16, ///< converted to floating point
};

/// The operations of the lowered kernel, and what flows through them. Private and local memory is
/// passed through: what is stored there is for what is loaded from there.
struct ValueFlow {
  ValueFlow(const model::KernelAnalysis &K, const rules::DeviceFacts &D);

  model::Program P;
  std::vector<uint8_t> Uses;
  /// For each operation: it differs between work-items; it is computed from data, or from data that
  /// differ; it mixes bits, so that it needs all of them, and is no address.
  llvm::BitVector Varies, Data, OwnData, Mixes;

private:
  void followData();
  bool mixes(const model::Operation &O) const;
  void followUses();
  void use(unsigned N);
  bool isOwn(const model::Operation &O) const;
  llvm::ArrayRef<unsigned> contents(unsigned N) const;

  const model::KernelAnalysis &K;
  std::map<const model::Var *, std::vector<unsigned>> Contents; ///< of private and local arrays
  bool KnowsLocal = false;
  std::map<unsigned, const model::Var *> Holds; ///< what such an array holds
  std::set<const model::Stmt *> Matters;        ///< something in them has an effect
};

} // namespace clmali::checks

#endif
