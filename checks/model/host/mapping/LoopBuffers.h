//===-- checks/model/host/mapping/LoopBuffers.h - Buffers made in loops --*- C++ -*-===//
//
// Buffers over memory of the host that a loop makes in each iteration, where the program would do
// the same with one buffer, made before the loop, whose mapping is that memory:
//
//   unsigned char *p = malloc(n);
//   for (..) {
//     fill(p);                                                        FirstUse
//     cl_mem b = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n, p, &e);    Creation
//     ..                                                              launches with b
//     clReleaseMemObject(b);                                          Release
//   }
//   free(p);
//
// The memory keeps its contents from one iteration to the next in both forms.
//
// Limits: C calls in the main file, in one function. Between FirstUse and Creation the pointer is
// dereferenced or an argument of functions that do not keep it; outside of that, it is only
// allocated, tested and freed. The file makes one queue, which runs in order. Functions of other
// files are taken not to keep the pointer, and to use no other queue.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_MAPPING_LOOPBUFFERS_H
#define CLMALI_CHECKS_MODEL_HOST_MAPPING_LOOPBUFFERS_H

#include "checks/model/host/Host.h"
#include "checks/model/host/values/Values.h"

namespace clmali::model {

/// The buffer that Call (of clCreateBuffer, with five arguments) makes; nullopt: it stays as it is.
std::optional<HostLoopBuffer> loopBuffer(const clang::CallExpr *Call, clang::ASTContext &Ctx,
                                         const HostFlow &Flow, const HostValues &Known);

} // namespace clmali::model
#endif
