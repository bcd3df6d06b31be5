//===-- rewriters/pass/Refusal.h - Why a pass was not applied -----------*- C++ -*-===//
//
// The closed list of reasons. Names are stable: users, tests and the SARIF log see them in
// kebab-case.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_REFUSAL_H
#define CLMALI_REWRITERS_PASS_REFUSAL_H

#include "checks/model/ir/Model.h"

namespace clmali::rewrite {

enum class Refusal : uint8_t {
  None,
  CrossItemDependence,  ///< a work-item may read or write what another writes
  DataDependentStore,   ///< the address of a store depends on loaded data
  DivergentBarrier,     ///< a barrier that not all work-items reach
  DivergentLoop,        ///< trip counts differ between neighbours
  StagingModified,      ///< the local copy is changed before it is used
  StagingSourceWritten, ///< the source of the copy is written while the copy is in use
  StagingNotACopy,      ///< local memory holds computed values
  GroupExchange,        ///< local memory holds values that the group exchanges in steps
  VolatileAccess,
  Atomic,
  InlineAssembly,
  LocalIdUse,        ///< ids of the group are used in ways that blocks would change
  GroupGeometry,     ///< barriers or local memory, and the local size is not known to divide
  IndexOverflow,     ///< an index type may wrap inside a block
  NarrowingOverflow, ///< the values do not fit a narrower type
  OpaqueConstruct,   ///< something the model cannot represent
  Aliasing,          ///< buffers may overlap
  AlreadyVectorized, ///< the work-items compute on vectors, which are no lanes of others
  UnsupportedType,
  UnstructuredControl, ///< break, continue or return where lanes may differ
  NothingPays,         ///< legal, but not faster on this device
  BlockShape,          ///< no block of the shape that the user demands
  RacyOriginal,        ///< the kernel's result depends on the order of its work-items
};
llvm::StringRef refusalName(Refusal R);
/// Two sentences: what prevents the rewrite, what the user could change.
llvm::StringRef refusalAdvice(Refusal R);

/// One refusal, with the pass and the source range.
struct RefusalAt {
  Refusal Why = Refusal::None;
  std::string Pass;   ///< "vectorize"
  std::string Detail; ///< names the variable, access or construct
  model::SourceRange Range;
};

/// Refusals in the order of their first report, each once for its reason, pass and location.
class RefusalList {
public:
  /// \p WithValues: arguments that are the same in every launch were constants.
  void add(const RefusalAt &R, bool WithValues = false);
  llvm::ArrayRef<RefusalAt> all() const { return All; }
  /// If some stand in spite of such constants, these come first: they are the reason.
  std::vector<RefusalAt> take();

private:
  std::vector<RefusalAt> All;
  std::vector<bool> Stands; ///< of each of All: reported with values
};

} // namespace clmali::rewrite
#endif
