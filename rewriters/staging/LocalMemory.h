//===-- rewriters/staging/LocalMemory.h - Passes for local memory on chip -*- C++ -*-===//
//
// Passes for GPUs with on-chip local memory, and for work-items that run in lockstep. Each changes
// a kernel in place and returns the number of changes.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_STAGING_LOCALMEMORY_H
#define CLMALI_REWRITERS_STAGING_LOCALMEMORY_H

#include "rewriters/pass/Passes.h"
#include "rules/Devices.h"

namespace clmali::rewrite {

/// `localize`: tiles that a group fills by hand are filled by async copies, from groups
/// of MinGroup work-items on. Local: the local size, 0 where it is not known.
unsigned localize(model::Module &M, model::Kernel &K, unsigned MinGroup,
                  std::array<uint64_t, 3> Local, std::vector<RefusalAt> &Refusals,
                  StagingNeeds &Needs);

/// `localize` without staging in the source: elements of a buffer that several work-items of a
/// group read are copied first. Returns the number of buffers.
unsigned stageReuse(model::Module &M, model::Kernel &K, const rules::DeviceFacts &D,
                    std::array<uint64_t, 3> Local, std::vector<RefusalAt> &Refusals,
                    StagingNeeds &Needs);

/// Replaces get_local_size by its value. Size: 0 where it is not known.
void fixLocalSize(model::Module &M, model::Kernel &K, const std::array<uint64_t, 3> &Size);

/// `spread-banks`: arrays in local memory are compacted or padded so that work-items conflict in
/// fewer banks. NeedsLocal: the result is right for the local size Local only.
unsigned spreadBanks(model::Module &M, model::Kernel &K, const rules::DeviceFacts &D,
                     std::array<uint64_t, 3> Local, std::vector<RefusalAt> &Refusals,
                     bool &NeedsLocal);

/// `hoist-arithmetic`: arithmetic after a barrier moves before it if a read of local memory is next
/// to the barrier.
unsigned hoistArithmetic(model::Module &M, model::Kernel &K);

/// `select`: short branches on values that differ in a group become selections.
unsigned selectBranches(model::Module &M, model::Kernel &K);

/// Cycles that one work-item of K loses to bank conflicts.
double bankConflicts(model::Module &M, model::Kernel &K, const rules::DeviceFacts &D,
                     std::array<uint64_t, 3> Local);

} // namespace clmali::rewrite
#endif
