//===-- checks/model/host/mapping/HostMemory.h - Uses of memory under a buffer --*- C++ -*-===//
//
// Where the host reads or writes memory that a buffer lies over (CL_MEM_USE_HOST_PTR), and nothing
// between that and a launch makes the two agree:
//
//   cl_mem b = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n, data, &e);
//   clEnqueueNDRangeKernel(..);                                        Launch
//   clFinish(q);                                                       waits, and copies nothing
//   sum += data[i];                                                    Access
//
// What makes them agree: a mapping of the buffer, a transfer that has the memory as its argument, a
// call of another function with the buffer, its release.
//
// Limits: one function; a variable that holds the memory from the creation of the buffer on. Memory
// that a function of another file gets counts as read only if its parameter points to const.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_MAPPING_HOSTMEMORY_H
#define CLMALI_CHECKS_MODEL_HOST_MAPPING_HOSTMEMORY_H

#include "checks/model/host/values/Values.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clmali::model {

struct UnmappedUse {
  const clang::Expr *Launch, *Access;
  bool Writes; ///< before the launch, or before that of the next iteration; else it reads behind it
};

/// The first read and the first write for each launch. Creation: the call that makes the buffer
/// over Memory, which Buffer holds.
std::vector<UnmappedUse> unmappedUses(const clang::Expr *Creation, const clang::Expr *Memory,
                                      const clang::VarDecl *Buffer, const HostFlow &Flow,
                                      const clang::SourceManager &SM);

} // namespace clmali::model
#endif
