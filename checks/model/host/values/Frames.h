//===-- checks/model/host/values/Frames.h - Calls of the function around -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_FRAMES_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_FRAMES_H

#include "checks/model/host/values/Values.h"
#include <functional>

namespace clmali::model {

/// Calls Then for each call in the file of the function around S, with its arguments as frame;
/// three levels of callers are followed. Without such a call, Then is called once with null.
void forEachFrame(const HostFlow &Flow, const clang::Stmt *S,
                  const std::function<void(const HostFrame *)> &Then);

} // namespace clmali::model
#endif
