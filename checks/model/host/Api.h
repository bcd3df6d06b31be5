//===-- checks/model/host/Api.h - The API function that is called -------*- C++ -*-===//
//
//   clFinish(queue), (*pfn_clFinish)(queue), lib_clFinish(queue)   apiName  clFinish
//   queue.finish()                                     apiName  cl::CommandQueue::finish
//   Library::enqueueReadBuffer(..)                     apiName  clEnqueueReadBuffer
//   std::make_unique<cl::Buffer>(context, flags, n)    madeInside  cl::Buffer
//
// Limits: functions of missing headers are recognised by their names alone.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_API_H
#define CLMALI_CHECKS_MODEL_HOST_API_H

#include "clang/AST/Expr.h"
#include <string>

namespace clmali::model {

/// The API's name, with its class, of a callee with so many arguments; empty: it is none of the
/// API.
/// \p Object: of a method.
std::string apiName(const clang::Expr *Callee, unsigned Args, const clang::Expr *&Object);
/// The class of OpenCL that `std::make_unique<cl::Buffer>(context, ..)` or `buffers.emplace_back(
/// context, ..)` makes; empty: none.
std::string madeInside(const clang::CallExpr *C);

} // namespace clmali::model
#endif
