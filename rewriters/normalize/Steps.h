//===-- rewriters/normalize/Steps.h - The steps of normalize() --------*- C++ -*-===//
#ifndef CLMALI_REWRITERS_NORMALIZE_STEPS_H
#define CLMALI_REWRITERS_NORMALIZE_STEPS_H

#include "rewriters/lanes/Operations.h"
#include "rewriters/pass/Passes.h"

namespace clmali::rewrite::normalization {

using namespace model;

using Accesses = std::vector<const Access *>;
/// True if X and Y access the same element: of a struct or a vector, any part of it.
bool sameElement(const Access &X, const Access &Y);
/// Adds the loads that are made whenever E is evaluated.
void unconditionalLoads(const Expr *E, Accesses &Into);
/// Those of Known whose address does not depend on what B assigns. None of them, if other
/// work-items may write their elements from B on.
Accesses stable(const Accesses &Known, const StmtList &B);
/// True if B only declares, assigns and branches.
bool computesOnly(const StmtList &B);

/// False if E reads volatile memory, or is not known.
bool mayDrop(const Expr *E);

// Choices.cpp
/// Returns the number of changes.
unsigned chooseValues(Module &M, Kernel &K);
// ImageCoordinates.cpp
void splitCoordinates(Module &M, Kernel &K);
// CountedLoops.cpp
void countInHeaders(const EditedKernel &E);
// ForwardStores.cpp
void forwardStores(const EditedKernel &E);
// LazyOperands.cpp
void branchOnLazyOperands(const EditedKernel &E);
// Loads.cpp
void hoistLoads(const EditedKernel &E);
// PointerOffsets.cpp
void subscriptPointers(const EditedKernel &E);
// SinkStores.cpp
void sinkStores(const EditedKernel &E, std::vector<std::string> *Obligations);
// SplitVectors.cpp
void splitVectors(Module &M, Kernel &K);

} // namespace clmali::rewrite::normalization
#endif
