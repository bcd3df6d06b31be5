//===-- checks/model/host/Api.h - The API function that is called -------*- C++ -*-===//
//
//   clFinish(queue), (*pfn_clFinish)(queue), lib_clFinish(queue)   apiName  clFinish
//   queue.finish()                                     apiName  cl::CommandQueue::finish
//   Library::enqueueReadBuffer(..)                     apiName  clEnqueueReadBuffer
//   std::make_unique<cl::Buffer>(context, flags, n)    madeInside  cl::Buffer
//   glClear(b), gl->glClear(b), glad_glClear(b)        apiName  glClear
//
// Limits: functions of missing headers are recognised by their names alone.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_API_H
#define CLMALI_CHECKS_MODEL_HOST_API_H

#include "checks/model/host/GlEffect.h"
#include "clang/AST/Expr.h"
#include <string>

namespace clmali::model {

/// The function of OpenGL ES, OpenGL or EGL that rules or the analysis of loops need, by its own
/// name or by that of a loader's pointer: `glad_glClear`, `__glewBindBuffer`, `pglFinish`. Empty:
/// none.
llvm::StringRef glName(llvm::StringRef Name);
/// The effect of such a function, or of one of the usual window libraries, by its name alone.
uint8_t glEffect(llvm::StringRef Name);

/// The API's name, with its class, of a callee with so many arguments; empty: it is none of the
/// API.
/// \p Object: of a method.
std::string apiName(const clang::Expr *Callee, unsigned Args, const clang::Expr *&Object);
/// The class of OpenCL that `std::make_unique<cl::Buffer>(context, ..)` or `buffers.emplace_back(
/// context, ..)` makes; empty: none.
std::string madeInside(const clang::CallExpr *C);

} // namespace clmali::model
#endif
